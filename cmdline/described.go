// This file owns the description of options, for what --help does not print: manuals, completion.

package cmdline

import (
	"iter"
	"slices"
	"strings"
)

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
