// This file owns what the engine lets others do who show how a run goes on: take the
// place of the progress lines, and add options of their own.

package ross

import (
	"flag"
	"fmt"
	"io"
)

// TakeProgress has the caller show how the run goes on: no progress lines are printed
// any more, and what the run and its models do print goes through the writer that wrap
// makes of Config.Output, so that it can make way on a terminal that both share. giveBack
// ends that. Both may be called at any time.
func (s *Simulation) TakeProgress(wrap func(w io.Writer) io.Writer) (giveBack func()) {
	return s.out.Take(wrap)
}

// LastGroup adds a group of options that --help prints after the engine's, in the order
// of the calls: those of what only looks on. The ranks of a run may differ in them.
func (o *Options) LastGroup(name string) *Group {
	g := &Group{name: name, owner: o}
	o.last = append(o.last, g)
	return g
}

// Var registers an option with a value of the caller's own, as flag.FlagSet.Var does. If
// it has a method IsBoolFlag that returns true, --name alone sets it to "true". label is
// what --help writes behind the "=", "" for nothing; the default that it shows is what
// String returns now.
func (g *Group) Var(v flag.Value, name, label, help string) {
	if v == nil {
		g.owner.fail("option --%s: registered in %q with a nil value; give what it sets", name, g.name)
		return
	}
	g.add(&option{Value: v, name: name, label: label, help: help, standard: fmt.Sprintf(" (default %s)", v)})
}
