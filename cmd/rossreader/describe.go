// This file owns what rossreader tells a shell: completion and the manual page, of all subcommands.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/buildinfo"
	"github.com/ross-go/ross/internal/shell"
)

// nested are the subcommands of subcommands.
var nested = map[string][]string{"checkpoint": {"info", "verify", "diff"}}

// subcommand is one that is about rossreader itself.
type subcommand struct {
	name, args, line string
	run              func(args []string, stdout, stderr io.Writer) int
}

// general returns these subcommands.
func general() []subcommand {
	return []subcommand{
		{"completion", "SHELL", "print a script that completes words, for " + shell.Shells, completion},
		{"man", "", "print the manual page: rossreader man | man -l -", manual},
		{"version", "", "print the versions of rossreader, ross and Go", version},
	}
}

// describe returns the command line of rossreader.
func describe() shell.Command {
	all := shell.Command{Name: "rossreader", About: "read the instrumentation files of simulations, and checkpoints", Args: "SUBCOMMAND"}
	for _, c := range commands {
		sub := described(c.name, c.line, c.run)
		for _, name := range nested[c.name] {
			sub.Subs = append(sub.Subs, described(name, name+" of "+c.name, func(args []string, stdout, stderr io.Writer) int {
				return c.run(append([]string{name}, args...), stdout, stderr)
			}))
		}
		all.Subs = append(all.Subs, sub)
	}
	for _, g := range general() {
		all.Subs = append(all.Subs, shell.Command{Name: g.name, About: g.line, Args: g.args})
	}
	return all
}

// described returns a subcommand with the options that it describes.
func described(name, line string, run func(args []string, stdout, stderr io.Writer) int) shell.Command {
	c := shell.Command{Name: name, About: line}
	var text bytes.Buffer
	var d cli.Description
	if run([]string{cli.DescribeWord}, &text, io.Discard) != cli.StatusOK || json.Unmarshal(text.Bytes(), &d) != nil {
		return c
	}
	c.Args = d.Args
	for _, o := range d.Options {
		option := shell.Option{Name: o.Name, Label: o.Label, Help: o.Help, Default: o.Default}
		if strings.Contains(o.Label, "|") {
			option.Choices = strings.Split(o.Label, "|")
		}
		c.Options = append(c.Options, option)
	}
	return c
}

func completion(args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintf(stderr, "usage: rossreader completion SHELL, which is one of %s\n", shell.Shells)
		return cli.StatusUsage
	}
	if err := shell.Script(describe(), "completion", args[0], stdout); err != nil {
		fmt.Fprintln(stderr, "rossreader", strings.TrimPrefix(err.Error(), "ross: "))
		return cli.StatusUsage
	}
	return cli.StatusOK
}

func manual(_ []string, stdout, stderr io.Writer) int {
	return ended("man", shell.Man(describe(), "ross "+buildinfo.Ross, stdout), stderr)
}

func version(_ []string, stdout, stderr io.Writer) int {
	_, err := io.WriteString(stdout, buildinfo.Text("rossreader"))
	return ended("version", err, stderr)
}

func ended(name string, err error, stderr io.Writer) int {
	if err != nil {
		fmt.Fprintf(stderr, "rossreader %s: %v\n", name, err)
		return cli.StatusBad
	}
	return cli.StatusOK
}

// generalRun answers the words that are about rossreader itself; ok is false if they are not.
func generalRun(args []string, stdout, stderr io.Writer) (status int, ok bool) {
	name := args[0]
	if shell.Asked(args) {
		return shell.Answer(describe(), args, stdout, stderr), true
	}
	if name == "help" && len(args) > 1 {
		return help(args[1:], stdout, stderr), true
	}
	if name == "-version" || name == "--version" {
		name = "version"
	}
	for _, g := range general() {
		if g.name == name {
			return g.run(args[1:], stdout, stderr), true
		}
	}
	return 0, false
}

// help prints the help of a subcommand.
func help(args []string, stdout, stderr io.Writer) int {
	for _, g := range general() {
		if g.name == args[0] {
			fmt.Fprintf(stdout, "usage: rossreader %s\n\n%s\n", strings.TrimSpace(g.name+" "+g.args), g.line)
			return cli.StatusOK
		}
	}
	return run(append(args[:len(args):len(args)], "--help"), stdout, stderr)
}
