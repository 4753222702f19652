// This file owns the completion of commands by a shell, which package cobra makes.

// Package shell describes a command line to a shell: scripts that complete words in bash, zsh, fish and
// PowerShell, and manual pages. Programs keep their own parsers; only the description is given to the
// generator of package cobra.
package shell

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/internal/sys/usage"
)

// Command is a program or a subcommand.
type Command struct {
	Name, About string
	Args        string // that may follow the options, as usage lines show them
	Options     []Option
	Subs        []Command
}

// Option is an option of a command, in the order of its help.
type Option struct {
	Group   string // heading, or ""
	Name    string // without dashes
	Label   string // what follows "=", or "" for a switch
	Help    string
	Default string   // as the help shows it, or ""
	Choices []string // values, if they are few; otherwise a shell offers files
}

// Shells are those for which there are scripts.
const Shells = "bash, zsh, fish, powershell"

// Script writes the script that makes a shell complete the words of a command. For a shell that is not
// one of Shells the error matches usage.Err; it begins with option, the option that named the shell.
func Script(c Command, option, shell string, w io.Writer) error {
	root := c.cobra()
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(w)
	}
	return usage.Errorf("%s=%s: no such shell; give one of %s", option, shell, Shells)
}

// Asked reports whether the words of a command line are a question of such a script.
func Asked(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Answer answers a question of a script, and returns the exit status.
func Answer(c Command, args []string, stdout, stderr io.Writer) int {
	root := c.cobra()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if root.Execute() != nil {
		return 1
	}
	return 0
}

// cobra returns the command as package cobra has it.
func (c *Command) cobra() *cobra.Command {
	cmd := &cobra.Command{Use: c.Name, Short: c.About, DisableFlagParsing: true, SilenceUsage: true,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return c.complete(word)
		},
		Run: func(*cobra.Command, []string) {},
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	for i := range c.Subs {
		cmd.AddCommand(c.Subs[i].cobra())
	}
	if len(c.Subs) > 0 {
		cmd.SetHelpCommand(&cobra.Command{Hidden: true})
	}
	return cmd
}

// complete returns the words that may become of a word: options, values of an option, or files.
func (c *Command) complete(word string) (found []string, then cobra.ShellCompDirective) {
	name, value, isValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
	for i := range c.Options {
		o := &c.Options[i]
		switch {
		case isValue && o.Name == name:
			for _, choice := range o.Choices {
				if strings.HasPrefix(choice, value) {
					found = append(found, word[:len(word)-len(value)]+choice)
				}
			}
			if found == nil {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		case !isValue && strings.HasPrefix(word, "-") && strings.HasPrefix(o.Name, name):
			text := "--" + o.Name
			if o.Label != "" {
				text += "="
			}
			help, _, _ := strings.Cut(o.Help, "\n")
			found = append(found, cobra.CompletionWithDesc(text, help))
		}
	}
	if len(c.Subs) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if len(found) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
