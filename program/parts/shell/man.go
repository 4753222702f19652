// This file owns manual pages, in the macros that man(7) describes.

package shell

import (
	"fmt"
	"io"
	"strings"
)

// Man writes the manual page of a command, with those of its subcommands as sections. version is what
// the foot of the page shows.
func Man(c Command, version string, w io.Writer) error {
	p := new(page)
	fmt.Fprintf(p, ".TH %s 1 \"\" %s ross\n", word(strings.ToUpper(c.Name)), word(version))
	p.section("NAME")
	fmt.Fprintf(p, "%s \\- %s\n", roff(c.Name), roff(c.About))
	p.section("SYNOPSIS")
	subs := c.flat("")
	if len(subs) == 0 {
		p.synopsis(c.Name, "[options] ", c.Args)
	}
	for _, s := range subs {
		options := "[options] "
		if len(s.Options) == 0 {
			options = ""
		}
		p.synopsis(c.Name+" "+s.Name, options, s.Args)
	}
	if len(c.Options) > 0 {
		p.section("OPTIONS")
		p.options(c.Options)
	}
	for _, s := range subs {
		p.section(strings.ToUpper(s.Name))
		fmt.Fprintf(p, "%s\n", roff(s.About))
		p.options(s.Options)
	}
	_, err := io.WriteString(w, p.String())
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

// page is the text of a manual page.
type page struct{ strings.Builder }

// section begins a section.
func (p *page) section(name string) { fmt.Fprintf(p, ".SH %s\n", roff(name)) }

// synopsis adds the form of a command.
func (p *page) synopsis(name, options, args string) {
	fmt.Fprintf(p, ".PP\n\\fB%s\\fR %s%s\n", roff(name), options, roff(args))
}

// options adds options, with headings where a group begins.
func (p *page) options(options []Option) {
	group := ""
	for _, o := range options {
		if o.Group != group {
			group = o.Group
			fmt.Fprintf(p, ".SS %s\n", roff(group))
		}
		name := "--" + o.Name
		if o.Label != "" {
			name += "=" + o.Label
		}
		help := strings.ReplaceAll(o.Help, "\n", "; ")
		if o.Default != "" {
			help += " (default " + o.Default + ")"
		}
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(help))
	}
}

// asWritten keeps text as it is: what would be an escape, a hyphen that may be broken, or a typographic sign.
var asWritten = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`)

// roff returns a line of text. At its beginning, a point would be that of a macro.
func roff(text string) string {
	text = asWritten.Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}

// word returns text as one argument of a macro.
func word(text string) string {
	text = strings.ReplaceAll(asWritten.Replace(text), `"`, `\(dq`)
	if strings.Contains(text, " ") || text == "" {
		return `"` + text + `"`
	}
	return text
}
