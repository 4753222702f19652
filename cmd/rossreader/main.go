// This file owns the program: the list of its subcommands, and what it prints of itself: versions,
// the manual page, and scripts for shells.

// Command rossreader reads the instrumentation files of a simulation: samples of the
// engine and of models, and event traces; and checkpoints. It also reads those of the
// original ROSS. See README.md.
package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ross-go/ross/cmd/rossreader/internal/bins"
	"github.com/ross-go/ross/cmd/rossreader/internal/check"
	"github.com/ross-go/ross/cmd/rossreader/internal/checkpoint"
	"github.com/ross-go/ross/cmd/rossreader/internal/chrome"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/dump"
	"github.com/ross-go/ross/cmd/rossreader/internal/events"
	"github.com/ross-go/ross/cmd/rossreader/internal/figures"
	"github.com/ross-go/ross/cmd/rossreader/internal/gvt"
	"github.com/ross-go/ross/cmd/rossreader/internal/info"
	"github.com/ross-go/ross/cmd/rossreader/internal/life"
	"github.com/ross-go/ross/cmd/rossreader/internal/network"
	"github.com/ross-go/ross/cmd/rossreader/internal/report"
	"github.com/ross-go/ross/cmd/rossreader/internal/serve"
	"github.com/ross-go/ross/cmd/rossreader/internal/split"
	"github.com/ross-go/ross/cmd/rossreader/internal/verify"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/program/parts/shell"
)

const about = `Reads the instrumentation files of simulations, and checkpoints, and checks recorded results.

A FILE is a file of a run, a folder with such files, or - for standard input (with --content). Exit
status: 0 good, 1 a file or the output is bad, 2 wrong usage. For more, see rossreader help SUBCOMMAND.`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return cli.Run(program(), args, stdout, stderr)
}

// program returns the whole command line.
func program() *cobra.Command {
	c := cli.Group("rossreader", "read the instrumentation files of simulations, and checkpoints", about,
		info.Command(), check.Command(), dump.Command(), split.Command(), gvt.Command(), bins.Command(), report.Command(),
		life.Command(), network.Command(), figures.Command(), serve.Command(), chrome.Command(), events.Command(),
		checkpoint.Command(), verify.Command(), completion(), manual(), version())
	c.SetHelpCommand(help())
	c.Version = buildinfo.Ross
	c.SetVersionTemplate(buildinfo.Text("rossreader"))
	return c
}

func help() *cobra.Command {
	return &cobra.Command{Use: "help SUBCOMMAND", DisableFlagsInUseLine: true, Short: "print the help of a subcommand",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return cli.Usagef("no subcommand %q", strings.Join(args, " "))
			}
			return of.Help()
		}}
}

func completion() *cobra.Command {
	shells := strings.Split(shell.Shells, ", ")
	return &cobra.Command{Use: "completion SHELL", DisableFlagsInUseLine: true,
		Short: "print a script that completes words, for " + shell.Shells, ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("name one of %s", shell.Shells)
			}
			switch root, w := c.Root(), c.OutOrStdout(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(w)
			}
			return cli.Usagef("%s: no such shell; give one of %s", args[0], shell.Shells)
		}}
}

func manual() *cobra.Command {
	return &cobra.Command{Use: "man", DisableFlagsInUseLine: true,
		Short: "print the manual page: rossreader man | man -l -", ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			return shell.Man(described(c.Root()), "ross "+buildinfo.Ross, c.OutOrStdout())
		}}
}

func version() *cobra.Command {
	return &cobra.Command{Use: "version", DisableFlagsInUseLine: true,
		Short: "print the versions of rossreader, ross and Go", ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(c.OutOrStdout(), buildinfo.Text("rossreader"))
			return err
		}}
}

// described returns a command as the manual page has it.
func described(c *cobra.Command) shell.Command {
	_, args, _ := strings.Cut(c.Use, " ")
	d := shell.Command{Name: c.Name(), About: c.Short, Args: strings.TrimPrefix(args, "[options] ")}
	c.LocalFlags().VisitAll(func(o *pflag.Flag) {
		label, text := pflag.UnquoteUsage(o)
		option := shell.Option{Name: o.Name, Label: label, Help: text, Default: o.DefValue}
		if slices.Contains([]string{"help", "version"}, o.Name) {
			return
		}
		if option.Default == "false" || option.Default == "0" {
			option.Default = ""
		}
		d.Options = append(d.Options, option)
	})
	for _, sub := range c.Commands() {
		d.Subs = append(d.Subs, described(sub))
	}
	return d
}
