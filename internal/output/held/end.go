// This file owns what is left at the end of a run: a table, and what will be left for ever.

package held

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ross-go/ross/internal/engine/kernel"
)

// mostStuck is the number of things that are named one by one.
const mostStuck = 10

// Left is what is left at the LPs of all ranks.
type Left struct {
	Groups []Group
	Stuck  []Stuck // the first of these, in the order of LPs
	N      int     // how many are stuck
	Began  uint64  // how many ever were
}

// Group is how many things of a kind do the same at the same place.
type Group struct {
	Kind, Does, At string
	N              int
	Since          float64 // the first of them
	By             string  // names the holder of what the first one waits for
}

// Stuck is a thing that will be left for ever.
type Stuck struct {
	LP   uint64
	Text string
}

// Collect returns what is left, or nil if no LP type of the run holds anything. All ranks call it.
func Collect(r *kernel.Run, over Ending) (*Left, error) {
	fields := make([][]Field, len(r.Types))
	none := true
	for i, t := range r.Types {
		if t.Check.State != nil {
			fields[i] = Fields(t.Check.State)
			none = none && len(fields[i]) == 0
		}
	}
	if none {
		return nil, nil
	}
	here := new(Left)
	for _, pe := range r.PEs {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			for _, f := range fields[lp.Type().ID] {
				h := f.Of(lp.State)
				here.add(lp, h.Held(lp, over))
				here.Began += h.Began()
			}
		}
	}
	here.first()
	all := [][]byte{nil}
	var err error
	if all[0], err = json.Marshal(here); err == nil && r.Gather != nil {
		all, err = r.Gather(all[0])
	}
	if err != nil {
		return nil, err
	}
	left := new(Left)
	for _, text := range all {
		var one Left
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, err
		}
		for _, g := range one.Groups {
			left.join(g)
		}
		left.Stuck, left.N, left.Began = append(left.Stuck, one.Stuck...), left.N+one.N, left.Began+one.Began
	}
	slices.SortFunc(left.Groups, func(a, b Group) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.At, b.At), strings.Compare(a.Does, b.Does))
	})
	left.first()
	return left, nil
}

// add adds what is held at an LP.
func (l *Left) add(lp *kernel.LP, things []Thing) {
	for i := range things {
		t := &things[i]
		if t.Number != 0 {
			l.join(Group{t.Kind, t.Does, t.At, 1, t.Since, t.By})
		}
		if t.Stuck != "" {
			l.Stuck = append(l.Stuck, Stuck{lp.ID, lp.Name() + ": " + t.Stuck})
			if l.N++; len(l.Stuck) > 100*mostStuck {
				l.first()
			}
		}
	}
}

// first leaves the first of those that are stuck.
func (l *Left) first() {
	slices.SortStableFunc(l.Stuck, func(a, b Stuck) int { return cmp.Compare(a.LP, b.LP) })
	l.Stuck = l.Stuck[:min(len(l.Stuck), mostStuck)]
}

// join adds a group to those that do the same.
func (l *Left) join(g Group) {
	at := slices.IndexFunc(l.Groups, func(o Group) bool { return o.Kind == g.Kind && o.Does == g.Does && o.At == g.At })
	if at < 0 {
		l.Groups = append(l.Groups, g)
		return
	}
	l.Groups[at].N += g.N
	if first := &l.Groups[at]; g.Since < first.Since || g.Since == first.Since && g.By < first.By {
		first.Since, first.By = g.Since, g.By // the same on any layout
	}
}

// Table returns a text with a line for each group, or "".
func (l *Left) Table() string {
	if l == nil || l.Began == 0 {
		return ""
	}
	n := 0
	for _, g := range l.Groups {
		n += g.N
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Processes at the end: %d of %d that have begun\n", n, l.Began)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, g := range l.Groups {
		by := ""
		if g.By != "" {
			by = ", held by " + g.By
		}
		fmt.Fprintf(w, "  %s\t%d\t%s\t%s\tsince %.6g%s\n", g.Kind, g.N, g.Does, g.At, g.Since, by)
	}
	_ = w.Flush()
	return b.String()
}

// Remark names what will be left for ever, or returns "".
func (l *Left) Remark() string {
	if l == nil || len(l.Stuck) == 0 {
		return ""
	}
	var b strings.Builder
	for _, s := range l.Stuck {
		b.WriteString("\n  " + s.Text)
	}
	if n := l.N - len(l.Stuck); n > 0 {
		fmt.Fprintf(&b, "\n  and %d more", n)
	}
	return "some processes can never go on, or have kept what others wait for:" + b.String()
}
