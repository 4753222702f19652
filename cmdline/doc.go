// Package cmdline is the command line of a simulation program: groups of options that a model
// registers, options in the syntax and with the --help of ROSS, arguments files, and errors
// that name the word and the way out.
//
// A program makes Options, adds groups of its own, has the engine add its groups
// (ross.Config.Register), and calls Main with the words of the command line. Package ross
// has aliases for what a model needs: ross.Options, ross.Group, ross.NewOptions. What else is
// here is for engines, and for packages that add options of their own.
//
// This is not package flag because the layout of --help, the exact names, --name=value as
// the only form, and --args-file are ROSS's, and scripts depend on them. Options.AddTo gives
// the options to a flag.FlagSet all the same.
package cmdline
