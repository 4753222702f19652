// Package cmdline is the command line of a simulation program: groups of options that a model
// registers, options in the syntax and with the --help of ROSS, arguments files, and errors
// that name the word and the remedy.
//
// A program creates Options, adds its own groups, lets the engine add its groups
// (ross.Config.Register), and calls Main with the words of the command line; package program
// does this for a model. Package ross has aliases for what a model needs: ross.Options,
// ross.Group, ross.NewOptions. Everything else is for engines, and for packages that add options.
//
// This is not package flag because the layout of --help, the exact names, --name=value as the
// only form, and --args-file are ROSS's, and scripts depend on them. Options.AddTo adds the
// options to a flag.FlagSet nevertheless, and Options.Described gives them to generators of manuals
// and of completion for shells.
package cmdline
