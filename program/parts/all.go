//go:build !nolive

// This file owns the parts of programs: the live view, and what a shell asks.

package parts

import (
	"io"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/live"
	"github.com/ross-go/ross/program/parts/shell"
)

// All returns all parts, for one program: the live view and what a shell asks. In builds with the tag nolive there are
// none.
func All() []program.Part { return []program.Part{new(view), new(answers)} }

// view is the live view.
type view struct{ options live.Options }

func (v *view) Register(_ string, o *ross.Options) {
	v.options = live.Options{}
	v.options.Register(o)
}

func (v *view) Start(sim *ross.Simulation, stderr io.Writer) (program.View, error) {
	started, err := live.Start(sim, v.options, stderr)
	if err != nil {
		return nil, err
	}
	return started, nil
}

// answers are what a program answers a shell: the completion of its options, and a manual page.
type answers struct {
	program string
	options *ross.Options
}

// Register adds --completion and --man.
func (a *answers) Register(program string, o *ross.Options) {
	a.program, a.options = program, o
	o.Printer("completion", "shell", "print a script for the completion of options, which the shell reads: "+shell.Shells,
		func(w io.Writer, name string) error {
			return shell.Script(a.describe(), "option --completion", name, w)
		})
	o.Printer("man", "", "print a manual page: program --man | man -l -", func(w io.Writer, _ string) error {
		return shell.Man(a.describe(), "ross "+ross.Version, w)
	})
}

// Answer answers a question of the script of --completion.
func (a *answers) Answer(args []string, stdout, stderr io.Writer) (status int, asked bool) {
	if !shell.Asked(args) {
		return 0, false
	}
	return shell.Answer(a.describe(), args, stdout, stderr), true
}

func (a *answers) describe() shell.Command {
	c := shell.Command{Name: a.program, About: "a simulation with ross", Args: "[-- ARGUMENT...]"}
	for d := range a.options.Described() {
		c.Options = append(c.Options, shell.Option{Group: d.Group, Name: d.Name, Label: d.Label, Help: d.Help,
			Default: d.Default, Choices: d.Choices})
	}
	return c
}
