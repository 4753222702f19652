// This file owns manual pages, which package md2man makes of Markdown.

package shell

import (
	"fmt"
	"io"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

// Man writes the manual page of a command, with those of its subcommands as sections. version is what
// the foot of the page shows.
func Man(c Command, version string, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %q \"1\" \"\" %q \"ross\"\n# NAME\n%s \\- %s\n\n# SYNOPSIS\n", strings.ToUpper(c.Name), version, c.Name, plain(c.About))
	subs := c.flat("")
	if len(subs) == 0 {
		fmt.Fprintf(&b, "**%s** [options] %s\n\n", c.Name, plain(c.Args))
	}
	for _, s := range subs {
		options := "[options] "
		if len(s.Options) == 0 {
			options = ""
		}
		fmt.Fprintf(&b, "**%s %s** %s%s\n\n", c.Name, s.Name, options, plain(s.Args))
	}
	c.options(&b, "OPTIONS")
	for _, s := range subs {
		fmt.Fprintf(&b, "\n# %s\n%s\n\n", strings.ToUpper(s.Name), plain(s.About))
		s.options(&b, "")
	}
	_, err := w.Write(md2man.Render([]byte(b.String())))
	return err
}

// flat returns the subcommands that have none themselves, with whole names.
func (c *Command) flat(prefix string) (all []Command) {
	for _, s := range c.Subs {
		s.Name = prefix + s.Name
		if len(s.Subs) > 0 {
			all = append(all, s.flat(s.Name+" ")...)
			continue
		}
		all = append(all, s)
	}
	return all
}

// options writes the options of a command, with headings where a group begins.
func (c *Command) options(b *strings.Builder, heading string) {
	if heading != "" && len(c.Options) > 0 {
		fmt.Fprintf(b, "# %s\n", heading)
	}
	group := ""
	for _, o := range c.Options {
		if o.Group != group {
			group = o.Group
			fmt.Fprintf(b, "## %s\n", plain(group))
		}
		name := "--" + o.Name
		if o.Label != "" {
			name += "=" + o.Label
		}
		help := strings.ReplaceAll(o.Help, "\n", "; ")
		if o.Default != "" {
			help += " (default " + o.Default + ")"
		}
		fmt.Fprintf(b, "**%s**\n: %s\n\n", plain(name), plain(help))
	}
}

// plain returns text in which Markdown finds nothing.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
