// This file owns the command line: the options of a subcommand, groups of subcommands, and
// the exit status.

// Package cli is shared by the subcommands of rossreader: options, files to read, files to write,
// and error messages. Package cobra parses the command line, prints the help and completes words.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// ErrBad makes the exit status 1 without a message.
var ErrBad = errors.New("bad")

// Trouble returns an error for which the exit status is 2: that of a subcommand in which 1 is an answer.
func Trouble(err error) error { return &trouble{err} }

type trouble struct{ error }

func (e *trouble) Unwrap() error { return e.error }

// Flags are the options of a subcommand. Options may stand before and after files.
type Flags struct {
	*pflag.FlagSet
	command *cobra.Command
	content contentFlag
	partial bool
	damaged []error // errors of files; only their records before the damage were used
}

// NewFlags returns the options of the subcommand called name, at first only --content. The help
// shows args, the arguments that may follow the options, and about, a description; line is a short one.
func NewFlags(name, args, line, about string) *Flags {
	f := NoFlags(name, args, line, about)
	f.Var(&f.content, "content",
		"`CONTENT` of files whose names do not show it: gvt, rt, vt, analysis, model, trace or memory")
	values := cobra.FixedCompletions(slices.Sorted(maps.Keys(Contents)), cobra.ShellCompDirectiveNoFileComp)
	_ = f.command.RegisterFlagCompletionFunc("content", values) // fails without such an option
	return f
}

// NoFlags is NewFlags for subcommands that do not read instrumentation files: at first it has no
// options.
func NoFlags(name, args, line, about string) *Flags {
	c := &cobra.Command{Use: name + " [options] " + args, Short: line, Long: about, DisableFlagsInUseLine: true}
	return &Flags{FlagSet: c.Flags(), command: c}
}

// AllowPartial adds --partial. With it a file ends where it is damaged; the subcommand reports this when
// everything is done, and the exit status is 1.
func (f *Flags) AllowPartial() {
	f.BoolVar(&f.partial, "partial", false,
		"use the records before the damage in a damaged file, for example one of a killed run")
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

// Command returns the subcommand, which calls body with the files that are named.
func (f *Flags) Command(body func(files []string, stdout, stderr io.Writer) error) *cobra.Command {
	f.command.RunE = func(c *cobra.Command, files []string) error {
		err := body(files, c.OutOrStdout(), c.ErrOrStderr())
		for _, damage := range f.damaged {
			fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", c.CommandPath(), damage)
			err = cmp.Or(err, ErrBad)
		}
		return err
	}
	return f.command
}

// meant asks whether a subcommand with a similar name was meant.
func meant(c *cobra.Command, name string) string {
	if near := c.SuggestionsFor(name); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

// Group returns a command that has subcommands, in the order of its help.
func Group(name, line, about string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name + " SUBCOMMAND", Short: line, Long: about, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return Usagef("name a subcommand")
			}
			return Usagef("no subcommand %q%s", args[0], meant(c, args[0]))
		}}
	c.SuggestionsMinimumDistance = 2
	c.AddCommand(subs...)
	return c
}

func init() { cobra.EnableCommandSorting = false }

// program is the name of the command that has all others.
const program = "rossreader"

const usageTemplate = `usage: {{.UseLine}}
{{if .HasAvailableSubCommands}}
Subcommands:
{{range .Commands}}{{if .IsAvailableCommand}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Options:
{{.LocalFlags.FlagUsagesWrapped 99}}{{end}}`

// Run runs rossreader, or one of its subcommands with the arguments that follow its name. It prints
// errors, and returns the exit status.
func Run(c *cobra.Command, args []string, stdout, stderr io.Writer) int {
	if c.Name() != program {
		c, args = Group(program, "", "", c), append([]string{c.Name()}, args...)
	}
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetUsageTemplate(usageTemplate)
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return Usagef("%w", err) })
	c.SetOut(stdout)
	c.SetErr(stderr)
	c.SetArgs(twoDashes(c, args))
	ran, err := c.ExecuteC()
	switch {
	case err == nil:
		return StatusOK
	case errors.Is(err, ErrBad):
		return StatusBad // and already reported
	}
	fmt.Fprintf(stderr, "%s: %v\n", ran.CommandPath(), err)
	var t *trouble
	switch {
	case !errors.Is(err, ErrUsage):
		if errors.As(err, &t) {
			return StatusUsage
		}
		return StatusBad
	case ran.HasAvailableSubCommands():
		fmt.Fprint(stderr, ran.UsageString())
	default:
		fmt.Fprintf(stderr, "for more, see %s --help\n", ran.CommandPath())
	}
	return StatusUsage
}

var oneDash = regexp.MustCompile(`^-([a-z][a-z-]+)(=|$)`)

// twoDashes gives options with one dash, such as -json, a second one. Otherwise -original would be -o and
// the name of a file.
func twoDashes(c *cobra.Command, args []string) []string {
	names := map[string]bool{}
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		c.Flags().VisitAll(func(o *pflag.Flag) { names[o.Name] = true })
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(c)
	all := []string{}
	for i, arg := range args {
		if arg == "--" {
			return append(all, args[i:]...)
		}
		if found := oneDash.FindStringSubmatch(arg); found != nil && names[found[1]] {
			arg = "-" + arg
		}
		all = append(all, arg)
	}
	return all
}
