// This file owns the texts of two watches: their blocks by LPs, and where they differ first.

package verify

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// block is what a watch says of an event.
type block struct {
	name  string // of the LP
	at    float64
	lines []string
}

// readWatch returns the blocks of a text by LPs.
func readWatch(path string) (map[uint64][]block, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all := map[uint64][]block{}
	lp, inside := uint64(0), false
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if name, is := strings.CutPrefix(line, "Watch: "); is {
			var b block
			if b, lp, inside = parseHead(name); inside {
				all[lp] = append(all[lp], b)
			}
			continue
		}
		if inside = inside && strings.HasPrefix(line, "  "); inside {
			of := all[lp]
			of[len(of)-1].lines = append(of[len(of)-1].lines, strings.TrimSpace(line))
		}
	}
	return all, lines.Err()
}

// parseHead reads the first line of a block: LP 3 "desk 3" (desk) at 12.5.
func parseHead(text string) (b block, lp uint64, ok bool) {
	at := strings.LastIndex(text, " at ")
	if at < 0 || !strings.HasPrefix(text, "LP ") {
		return b, 0, false
	}
	number, _, _ := strings.Cut(text[len("LP "):at], " ")
	lp, errLP := strconv.ParseUint(number, 10, 64)
	t, errAt := strconv.ParseFloat(text[at+len(" at "):], 64)
	return block{name: text[:at], at: t}, lp, errLP == nil && errAt == nil
}

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
func firstPlace(a, b map[uint64][]block) *place {
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
func firstOf(lp uint64, a, b []block) *place {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return &place{lp, b[i].name, b[i].at, "the event", "no event", eventOf(&b[i]), true}
		case i >= len(b):
			return &place{lp, a[i].name, a[i].at, "the event", eventOf(&a[i]), "no event", true}
		case a[i].at != b[i].at:
			at := min(a[i].at, b[i].at)
			return &place{lp, a[i].name, at, "the event", eventOf(&a[i]), eventOf(&b[i]), true}
		}
		if p := linesDiffer(&a[i], &b[i]); p != nil {
			p.LP, p.Name, p.At = lp, a[i].name, a[i].at
			return p
		}
	}
	return nil
}

// linesDiffer returns the first line in which two blocks differ.
func linesDiffer(a, b *block) *place {
	for i := range max(len(a.lines), len(b.lines)) {
		x, y := "", ""
		if i < len(a.lines) {
			x = a.lines[i]
		}
		if i < len(b.lines) {
			y = b.lines[i]
		}
		if x == y {
			continue
		}
		kind, name := subject(cmp.Or(x, y))
		if other, named := subject(y); x != "" && y != "" && (kind != other || name != named) {
			// One of them says nothing about what the other one does.
			if slices.Contains(b.lines[i:], x) {
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
func eventOf(b *block) string {
	text := "at " + strconv.FormatFloat(b.at, 'g', -1, 64)
	for _, line := range b.lines {
		switch kind, rest, _ := strings.Cut(line, " "); kind {
		case "received":
			text = strings.TrimSpace(rest) + " " + text
		case "from":
			text += " from " + strings.TrimSpace(rest)
		}
	}
	return text
}
