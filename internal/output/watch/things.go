// This file owns what fields of a state say that they hold (package held), such as processes, before an event and after
// it.

package watch

import (
	"strings"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/held"
)

// thing is what a field holds: its name, and what it does.
type thing struct{ name, text string }

// things returns what the fields of lp hold.
func (v *viewer) things(lp *kernel.LP) (all []thing) {
	for i := range v.held {
		for _, t := range v.held[i].Of(lp.State).Held(lp, held.NotYet) {
			all = append(all, thing{t.Name(), v.textOf(lp, &t)})
		}
	}
	return all
}

// briefs returns what the fields of lp that say in a few words how they are say.
func (v *viewer) briefs(lp *kernel.LP) []string {
	texts := make([]string, len(v.brief))
	for i := range v.brief {
		texts[i] = v.brief[i].Text(lp.State)
	}
	return texts
}

// textOf returns what a thing does: "bank.go:34, sleeps since 83.2 {needs:12.5 turn:4}".
func (v *viewer) textOf(lp *kernel.LP, t *held.Thing) string {
	var b strings.Builder
	if t.At != "" {
		b.WriteString(t.At + ", ")
	}
	b.WriteString(t.Does + " since " + number(t.Since))
	if t.By != "" {
		b.WriteString(", held by " + t.By)
	}
	for i, x := range t.Locals {
		b.WriteString([]string{" {", " "}[min(i, 1)] + x.Name + ":" + text(v.m, lp, x.Type, x.At))
	}
	if len(t.Locals) > 0 {
		b.WriteByte('}')
	}
	return b.String()
}

// compareThings writes what has begun, has ended, or does something else. Both lists are in the order of numbers.
func compareThings(b *block, before, after []thing) {
	now := make(map[string]string, len(after))
	for _, t := range after {
		now[t.name] = t.text
	}
	was := make(map[string]string, len(before))
	for _, t := range before {
		was[t.name] = t.text
		if _, lives := now[t.name]; !lives {
			b.line("ended", "%s: it was at %s", t.name, t.text)
		}
	}
	for _, t := range after {
		switch text, lived := was[t.name]; {
		case !lived:
			b.line("began", "%s: %s", t.name, t.text)
		case text != t.text:
			b.line("goes on", "%s: %s", t.name, t.text)
		}
	}
}
