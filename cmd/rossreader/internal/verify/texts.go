// This file owns where the texts of two watches differ first.

package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/life"
)

// place is where two runs differ first.
type place struct {
	LP    uint64  `json:"lp"`
	Name  string  `json:"name"` // of the LP, with its label and type
	At    float64 `json:"virtual_time"`
	Field string  `json:"field"`
	A     string  `json:"a"`
	B     string  `json:"b"`

	arrives bool // the event itself differs, so the cause may be at another LP, before
}

func (p *place) String() string {
	return fmt.Sprintf("%s at virtual time %s: %s", p.Name, strconv.FormatFloat(p.At, 'g', -1, 64), p.Field)
}

// firstPlace returns where two watches differ first, nil if they do not.
func firstPlace(a, b map[uint64][]life.Block) *place {
	var all []*place
	for lp := range a {
		if p := firstOf(lp, a[lp], b[lp]); p != nil {
			all = append(all, p)
		}
	}
	for lp := range b {
		if _, both := a[lp]; !both {
			all = append(all, firstOf(lp, nil, b[lp]))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(p, q *place) int {
		late := func(p *place) int {
			if p.arrives {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(late(p), late(q)), cmp.Compare(p.LP, q.LP))
	})
}

// firstOf returns where the blocks about an LP differ first.
func firstOf(lp uint64, a, b []life.Block) *place {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return &place{lp, b[i].Name, b[i].At, "the event", "no event", eventOf(&b[i]), true}
		case i >= len(b):
			return &place{lp, a[i].Name, a[i].At, "the event", eventOf(&a[i]), "no event", true}
		case a[i].At != b[i].At:
			at := min(a[i].At, b[i].At)
			return &place{lp, a[i].Name, at, "the event", eventOf(&a[i]), eventOf(&b[i]), true}
		}
		if p := linesDiffer(&a[i], &b[i]); p != nil {
			p.LP, p.Name, p.At = lp, a[i].Name, a[i].At
			return p
		}
	}
	return nil
}

// linesDiffer returns the first line in which two blocks differ.
func linesDiffer(a, b *life.Block) *place {
	for i := range max(len(a.Lines), len(b.Lines)) {
		x, y := "", ""
		if i < len(a.Lines) {
			x = a.Lines[i]
		}
		if i < len(b.Lines) {
			y = b.Lines[i]
		}
		if x == y {
			continue
		}
		kind, name := subject(cmp.Or(x, y))
		if other, named := subject(y); x != "" && y != "" && (kind != other || name != named) {
			// One of them says nothing about what the other one does.
			if slices.Contains(b.Lines[i:], x) {
				kind, name, x = other, named, ""
			} else {
				y = ""
			}
		}
		return &place{Field: strings.TrimSpace(kind + " " + name), A: cmp.Or(said(x, name), "nothing"),
			B: cmp.Or(said(y, name), "nothing"), arrives: slices.Contains([]string{"order", "received",
				"from"}, kind)}
	}
	return nil
}

// subject returns the kind of a line, and the field or the statistic that it is about.
func subject(line string) (kind, name string) {
	kind, rest, _ := strings.Cut(line, " ")
	if slices.Contains([]string{"changed", "added", "removed", "recorded", "now"}, kind) {
		name, _, _ = strings.Cut(strings.TrimSpace(rest), ": ")
	}
	return kind, name
}

// said returns what a line says of its field.
func said(line, name string) string {
	_, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if name != "" {
		rest = strings.TrimPrefix(rest, name+": ")
	}
	return rest
}

// eventOf names an event.
func eventOf(b *life.Block) string {
	text := "at " + strconv.FormatFloat(b.At, 'g', -1, 64)
	for _, line := range b.Lines {
		switch kind, rest, _ := strings.Cut(line, " "); kind {
		case "received":
			text = strings.TrimSpace(rest) + " " + text
		case "from":
			text += " from " + strings.TrimSpace(rest)
		}
	}
	return text
}
