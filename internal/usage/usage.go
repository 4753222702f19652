// Package usage has Err, which every error about a setting matches, and Wrap, which breaks the
// texts of --help into lines. It imports no other package of the engine, so that all of them can
// use it. Models know Err as ross.ErrUsage and cmdline.ErrUsage.
package usage

import (
	"errors"
	"fmt"
)

// Err is matched (errors.Is) by every error about a setting: a word of the command line
// that cannot be read, a value out of range, settings that contradict each other. Programs
// then exit with status 2 before anything has run.
var Err = errors.New("ross: unusable settings: see --help")

// Error is an error that matches Err.
type Error struct {
	Text  string // without the prefix "ross: "
	Cause error  // nil, or an error such as that of a file that cannot be opened
}

// Errorf returns an Error with a formatted text.
func Errorf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

// Error implements error.
func (e *Error) Error() string { return "ross: " + e.Text }

// Is reports whether target is Err.
func (e *Error) Is(target error) bool { return target == Err }

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }
