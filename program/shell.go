//go:build !nolive

// This file owns what a program answers a shell: the completion of its options, and a manual page.

package program

import (
	"io"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/shell"
)

// registerShell adds --completion and --man.
func (p Program) registerShell(o *ross.Options) {
	o.Printer("completion", "shell", "print a script for the completion of options, which the shell reads: "+shell.Shells, func(w io.Writer, name string) error {
		return shell.Script(p.describe(o), "option --completion", name, w)
	})
	o.Printer("man", "", "print a manual page: program --man | man -l -", func(w io.Writer, _ string) error {
		return shell.Man(p.describe(o), "ross "+ross.Version, w)
	})
}

// answerShell answers a question of the script of --completion. It reports whether the command line is one.
func (p Program) answerShell(o *ross.Options, args []string, stdout, stderr io.Writer) (status int, asked bool) {
	if !shell.Asked(args) {
		return 0, false
	}
	return shell.Answer(p.describe(o), args, stdout, stderr), true
}

func (p Program) describe(o *ross.Options) shell.Command {
	c := shell.Command{Name: p.Name, About: "a simulation with ross", Args: "[-- ARGUMENT...]"}
	for d := range o.Described() {
		c.Options = append(c.Options, shell.Option{Group: d.Group, Name: d.Name, Label: d.Label, Help: d.Help, Default: d.Default, Choices: d.Choices})
	}
	return c
}
