//go:build nolive

// This file replaces shell.go in builds without the live page, completion and manuals.

package program

import (
	"io"

	"github.com/ross-go/ross"
)

func (p Program) registerShell(*ross.Options) {}

func (p Program) answerShell(*ross.Options, []string, io.Writer, io.Writer) (status int, asked bool) {
	return 0, false
}
