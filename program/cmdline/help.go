// This file helps a user to find an option: the text of --help, the suggestion for a misspelt name, the description of
// options for manuals and completion, and options that print something instead of a run, such as --version.

package cmdline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
)

// WriteHelp writes what --help prints: the usage line, the model's groups, the engine's, those of
// LastGroup, each option with the default it was registered with. Layout and texts are those of
// ROSS, so that scripts that read them keep working. Additions are on separate lines, and options
// that ROSS does not have follow the others of their group. The error is that of w.
func (o *Options) WriteHelp(w io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "usage: %s [options] [-- [args]]\n", o.program)
	for _, g := range slices.Concat(o.model, o.kernel, o.last) {
		fmt.Fprintf(&text, "\n%s:\n", g.name)
		for _, opt := range g.options {
			opt.writeHelp(&text)
		}
	}
	o.byName["help"].writeHelp(&text)
	for _, opt := range o.printers {
		opt.writeHelp(&text)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// helpColumn is where the explanations begin; an option that ends less than 2 columns before it
// gets a separate line.
const helpColumn = 24

func (opt *option) writeHelp(text *bytes.Buffer) {
	if opt.hidden {
		return
	}
	head := "  --" + opt.name
	if opt.label != "" {
		head += "=" + opt.label
	}
	if len(head) >= helpColumn-2 {
		fmt.Fprintln(text, head)
		head = ""
	}
	help, remark, _ := strings.Cut(opt.help, "\n")
	for _, part := range []string{help + opt.standard, remark} {
		for _, line := range usage.Wrap(part, usage.HelpWidth-helpColumn) {
			fmt.Fprintf(text, "%-*s%s\n", helpColumn, head, line)
			head = ""
		}
	}
	if head != "" {
		fmt.Fprintln(text, head)
	}
}

// hundredths writes a number with two decimals, as ROSS does, or with as many as it needs.
func hundredths(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	if y, err := strconv.ParseFloat(text, 64); err != nil || y != x && x == x {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return text
}

// suggestion returns "did you mean --x? " for the visible option nearest to an unknown name, or ""
// if none is near.
func (o *Options) suggestion(name string) string {
	best, least := "", min(len(name)/2, 2)+1
	known := append([]*option{o.byName["help"]}, o.printers...)
	for _, g := range slices.Concat(o.model, o.kernel, o.last) {
		known = append(known, g.options...)
	}
	for _, opt := range known {
		if d := usage.Distance(name, opt.name, least); d < least && !opt.hidden {
			best, least = opt.name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean --%s? ", best)
}

// Description describes an option as --help shows it.
type Description struct {
	Group   string // heading; "" for options that every program has
	Name    string // without dashes
	Label   string // what follows the "=", or "" for a switch
	Help    string // with remarks on lines of their own
	Default string // "" if it has none
	Choices []string
}

// Described returns the options in the order of --help.
func (o *Options) Described() iter.Seq[Description] {
	return func(yield func(Description) bool) {
		for _, g := range slices.Concat(o.model, o.kernel, o.last) {
			for _, opt := range g.options {
				if !opt.hidden && !yield(opt.describe(g.name)) {
					return
				}
			}
		}
		for _, opt := range append([]*option{o.byName["help"]}, o.printers...) {
			if !yield(opt.describe("")) {
				return
			}
		}
	}
}

func (opt *option) describe(group string) Description {
	standard := strings.TrimSuffix(strings.TrimPrefix(opt.standard, " (default "), ")")
	return Description{group, opt.name, opt.label, opt.help, standard, opt.choices}
}

// Printer registers an option of every program: Main calls print with its value, and the program ends. label
// is what --help writes after the "=", "" for an option without a value. Any other option may take its name.
func (o *Options) Printer(name, label, help string, print func(w io.Writer, value string) error) {
	if _, taken := o.byName[name]; taken {
		return
	}
	opt := &option{name: name, label: label, help: help, group: "every program", yields: true}
	asked := func(value string) error {
		return &request{"--" + name, func(w io.Writer) error { return print(w, value) }}
	}
	if label == "" {
		opt.Value = boolValue{optionValue[bool]{new(bool), func(string) (bool, error) { return false, asked("") },
			func(bool) string { return "" }}}
	} else {
		opt.Value = Action(asked)
	}
	o.byName[name] = opt
	o.printers = append(o.printers, opt)
}

// request is the error of Parse for an option of Printer.
type request struct {
	option string
	print  func(w io.Writer) error
}

func (r *request) Error() string { return "ross: " + r.option + ": requested: Options.Main prints it" }

func isRequest(err error) bool {
	var r *request
	return errors.As(err, &r)
}

// answer prints what was asked for, on the first rank, and returns the exit status: 2 for a value that is of no use.
func (o *Options) answer(r *request, stdout, stderr io.Writer) int {
	if !ranks.First() {
		return 0
	}
	err := r.print(stdout)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrUsage):
		fmt.Fprintf(stderr, "%s: %s\n", o.program, strings.TrimPrefix(err.Error(), "ross: "))
		return 2
	}
	fmt.Fprintf(stderr, "%s: %s: %v\n", o.program, r.option, err)
	return 1
}
