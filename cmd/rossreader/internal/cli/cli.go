// This file owns the command line of a subcommand: its options, its help, its exit
// status.

// Package cli is shared by the subcommands of rossreader: options, files to read, files to write,
// and error messages.
package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
)

// Exit statuses.
const (
	StatusOK    = 0
	StatusBad   = 1 // a file or the output is bad
	StatusUsage = 2
)

// ErrUsage is wrapped by errors about the command line.
var ErrUsage = errors.New("usage")

// Usagef returns an error that wraps [ErrUsage] without its text.
func Usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

type usageError struct{ error }

func (e *usageError) Is(target error) bool { return target == ErrUsage }
func (e *usageError) Unwrap() error        { return e.error }

// Flags are the options of a subcommand. Options may stand before and after files.
type Flags struct {
	*flag.FlagSet
	args, about string
	content     contentFlag
	partial     bool
	damaged     []error // errors of files of which only the records before the damage were used
}

// NewFlags returns the options of the subcommand called name, at first only --content. The help
// shows args, the arguments that may follow the options, and about, a short description.
func NewFlags(name, args, about string) *Flags {
	f := NoFlags(name, args, about)
	f.Var(&f.content, "content", "content of files whose names do not tell it: `gvt|rt|vt|analysis|model|trace|memory`")
	return f
}

// NoFlags is NewFlags for subcommands that do not read instrumentation files: at first it has no
// options.
func NoFlags(name, args, about string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), args: args, about: about}
	f.SetOutput(io.Discard)
	return f
}

// AllowPartial adds --partial. With it a file ends where it is damaged; Main reports this when
// everything is done, and the exit status is 1.
func (f *Flags) AllowPartial() {
	f.BoolVar(&f.partial, "partial", false, "use the records before the damage in a damaged file, for example one of a killed run")
}

// damage notes that a file is damaged. It may be read twice.
func (f *Flags) damage(err error) {
	for _, e := range f.damaged {
		if e.Error() == err.Error() {
			return
		}
	}
	f.damaged = append(f.damaged, err)
}

// Main parses args and calls body with the files named in them; it prints help and
// errors, and returns the exit status.
func (f *Flags) Main(args []string, stdout, stderr io.Writer, body func(files []string) error) int {
	f.nameOutput()
	if len(args) == 1 && args[0] == DescribeWord {
		return f.describe(stdout)
	}
	files, err := f.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.help(stdout)
		return StatusOK
	}
	if err == nil {
		err = body(files)
	}
	for _, damage := range f.damaged {
		fmt.Fprintf(stderr, "rossreader %s: %v\n", f.Name(), damage)
		err = cmp.Or(err, ErrBad)
	}
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, ErrBad):
		return StatusBad // and already reported
	case errors.Is(err, ErrUsage):
		fmt.Fprintf(stderr, "rossreader %s: %v\nfor more, see rossreader %s --help\n", f.Name(), err, f.Name())
		return StatusUsage
	}
	fmt.Fprintf(stderr, "rossreader %s: %v\n", f.Name(), err)
	return StatusBad
}

// ErrBad makes the exit status 1 without a message.
var ErrBad = errors.New("bad")

// parse lets options follow files, unlike package flag.
func (f *Flags) parse(args []string) (files []string, err error) {
	for len(args) > 0 {
		if err := f.FlagSet.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, Usagef("%w", err)
		}
		rest := f.Args()
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			return append(files, rest...), nil
		}
		if len(rest) == 0 {
			break
		}
		files, args = append(files, rest[0]), rest[1:]
	}
	return files, nil
}
