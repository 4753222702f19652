// This file owns the description of a subcommand's options, for completion and the manual.

package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/internal/usage"
)

// DescribeWord, alone after the name of a subcommand, makes [Flags.Main] write its Description as JSON.
const DescribeWord = "__describe"

// Description is what a subcommand accepts.
type Description struct {
	Args, About string
	Options     []OptionText
}

// OptionText is the help of an option.
type OptionText struct{ Name, Label, Help, Default string }

// describe writes the description.
func (f *Flags) describe(w io.Writer) int {
	d := Description{Args: f.args, About: f.about}
	f.VisitAll(func(o *flag.Flag) {
		if o.Name != short || f.Lookup(long) == nil {
			d.Options = append(d.Options, textOf(o))
		}
	})
	if json.NewEncoder(w).Encode(d) != nil {
		return StatusBad
	}
	return StatusOK
}

// textOf returns the help of an option.
func textOf(o *flag.Flag) OptionText {
	label, help := flag.UnquoteUsage(o)
	t := OptionText{o.Name, label, help, o.DefValue}
	if t.Default == "false" || t.Default == "0" {
		t.Default = ""
	}
	return t
}

// The names of the option for the output.
const short, long = "o", "output"

// nameOutput gives the option -o its long name.
func (f *Flags) nameOutput() {
	if o := f.Lookup(short); o != nil && f.Lookup(long) == nil {
		f.Var(o.Value, long, o.Usage)
	}
}

func (f *Flags) help(w io.Writer) {
	fmt.Fprintf(w, "usage: rossreader %s [options] %s\n\n%s\n\nOptions:\n", f.Name(), f.args, reflow(f.about))
	f.VisitAll(func(o *flag.Flag) {
		t := textOf(o)
		head := "--" + t.Name
		if t.Label != "" {
			head += "=" + t.Label
		}
		switch {
		case t.Name == short && f.Lookup(long) != nil:
			return
		case t.Name == long && f.Lookup(short) != nil:
			head = "-" + short + " " + t.Label + ", " + head
		}
		if t.Default != "" {
			t.Help += " (default " + t.Default + ")"
		}
		fmt.Fprintf(w, "  %s\n", head)
		for _, line := range usage.Wrap(t.Help, usage.HelpWidth-6) {
			fmt.Fprintf(w, "      %s\n", line)
		}
	})
}

// reflow wraps the lines of a text that are longer than a help may be. A line that is nearly full goes on
// in the next one.
func reflow(text string) string {
	const full = 85
	var all []string
	joined := ""
	flush := func() {
		if joined != "" {
			all = append(all, usage.Wrap(joined, usage.HelpWidth)...)
			joined = ""
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			flush()
			all = append(all, line)
			continue
		}
		joined = strings.TrimPrefix(joined+" "+line, " ")
		if len(line) < full {
			flush()
		}
	}
	flush()
	return strings.Join(all, "\n")
}
