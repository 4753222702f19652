// This file owns the names by which models see the command line. Package cmdline has it.

package ross

import "github.com/ross-go/ross/cmdline"

// Options is what a program accepts on its command line. A model registers its own groups of
// options with Options.Group, and the engine's with Config.Register; Options.Main reads the
// command line.
type Options = cmdline.Options

// Group is a set of options that --help prints together under a heading (TWOPT_GROUP).
type Group = cmdline.Group

// NewOptions returns the options of a program that so far knows --help alone. The program's
// name stands in --help and in front of error messages.
func NewOptions(program string) *Options { return cmdline.NewOptions(program) }

// ErrUsage is what every error about a setting is (errors.Is): a word of the command line that
// cannot be read, a value out of range, settings that contradict each other. Programs end with
// exit status 2 on it, before anything has run.
var ErrUsage = cmdline.ErrUsage

// ErrHelp is returned by Options.Parse for --help: print Options.WriteHelp to standard output and
// exit with status 0.
var ErrHelp = cmdline.ErrHelp
