// This file owns the names under which models see package cmdline, the command line.

package ross

import "github.com/ross-go/ross/cmdline"

// Options holds the options that a program accepts on its command line. A model registers its
// own groups of options with Options.Group and the engine's with Config.Register; Options.Main
// reads the command line.
type Options = cmdline.Options

// Group is a set of options that --help prints under one heading (TWOPT_GROUP).
type Group = cmdline.Group

// NewOptions returns the options of a program, which at first has only --help. The name of the
// program appears in --help and at the beginning of error messages.
func NewOptions(program string) *Options { return cmdline.NewOptions(program) }

// ErrUsage matches every error about a setting (errors.Is): a word of the command line that
// cannot be read, a value out of range, or settings that contradict each other. Programs then
// exit with status 2, before anything has run.
var ErrUsage = cmdline.ErrUsage

// ErrHelp is returned by Options.Parse for --help. The program then prints Options.WriteHelp
// to standard output and exits with status 0.
var ErrHelp = cmdline.ErrHelp
