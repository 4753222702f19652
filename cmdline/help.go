// This file helps a user to find an option: the text of --help, and the suggestion for a misspelt
// name.

package cmdline

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/usage"
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
		if d := editDistance(name, opt.name); d < least && !opt.hidden {
			best, least = opt.name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean --%s? ", best)
}

// editDistance counts the bytes to insert, delete or replace to turn a into b (Levenshtein 1966).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
