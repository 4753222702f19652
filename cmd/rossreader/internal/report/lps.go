// This file owns the LPs that stand out, with the names that the model gives them.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

const (
	shownLPs = 10 // in the table
	namedLPs = 3  // in a finding
)

// lpSums are the counters of an LP.
type lpSums struct {
	lp                  uint32
	home                survey.KP
	handled, rolledBack uint64
}

// rank sums up the samples of LPs.
func (f *figures) rank() error {
	if f.source.LP == 0 {
		return nil
	}
	sums := map[uint32]*lpSums{}
	err := f.run.LPs(f.source.Content, func(s *instr.LPStats) {
		t := sums[s.LP]
		if t == nil {
			t = &lpSums{lp: s.LP}
			sums[s.LP] = t
		}
		t.home = survey.KP{PE: s.PE, KP: s.KP}
		t.handled += uint64(s.Processed)
		t.rolledBack += uint64(s.RolledBack)
	})
	for _, t := range sums {
		if t.handled > 0 || t.rolledBack > 0 {
			f.busiest = append(f.busiest, *t)
		}
	}
	slices.SortFunc(f.busiest, func(a, b lpSums) int {
		return cmp.Or(cmp.Compare(b.rolledBack, a.rolledBack), cmp.Compare(b.handled, a.handled), cmp.Compare(a.lp, b.lp))
	})
	return err
}

// lpRow is a row of the table of LPs.
type lpRow struct{ Name, Home, Handled, HandledShare, RolledBack, RolledBackShare string }

// namesOf reads the names of LPs.
func (f *figures) namesOf(lps []lpSums) labels.Labels {
	wanted := map[uint64]bool{}
	for _, t := range lps {
		wanted[uint64(t.lp)] = true
	}
	return f.run.LabelsOf(func(id uint64) bool { return wanted[id] })
}

// lpRows returns the LPs that rolled back most.
func (f *figures) lpRows() (rows []lpRow) {
	handled, rolledBack := uint64(0), uint64(0)
	for _, t := range f.busiest {
		handled += t.handled
		rolledBack += t.rolledBack
	}
	share := func(part, all uint64) string { return short(100*float64(part)/float64(max(all, 1))) + " %" }
	top := f.busiest[:min(len(f.busiest), shownLPs)]
	names := f.namesOf(top)
	for _, t := range top {
		rows = append(rows, lpRow{
			"LP " + names.Name(uint64(t.lp)), fmt.Sprintf("PE %d KP %d", t.home.PE, t.home.KP),
			grouped(t.handled), share(t.handled, handled), grouped(t.rolledBack), share(t.rolledBack, rolledBack),
		})
	}
	return rows
}

// mostRolledBack names the LPs of a KP that rolled back most, as the end of a figure.
func (f *figures) mostRolledBack(kp survey.KP) string {
	var own []lpSums
	for _, t := range f.busiest {
		if t.home == kp && t.rolledBack > 0 && len(own) < namedLPs {
			own = append(own, t)
		}
	}
	return f.named("; most by ", own, func(t lpSums) uint64 { return t.rolledBack })
}

// mostHandled names the LPs of a PE that handled most.
func (f *figures) mostHandled(pe uint32) string {
	var own []lpSums
	for _, t := range f.busiest {
		if t.home.PE == pe && t.handled > t.rolledBack {
			own = append(own, t)
		}
	}
	net := func(t lpSums) uint64 { return t.handled - t.rolledBack }
	slices.SortStableFunc(own, func(a, b lpSums) int { return cmp.Compare(net(b), net(a)) })
	return f.named("; most of ", own[:min(len(own), namedLPs)], net)
}

// named returns the names of LPs with a figure of each.
func (f *figures) named(begin string, lps []lpSums, of func(lpSums) uint64) string {
	if len(lps) == 0 {
		return ""
	}
	names, parts := f.namesOf(lps), []string{}
	for _, t := range lps {
		parts = append(parts, fmt.Sprintf("LP %s (%s)", names.Name(uint64(t.lp)), grouped(of(t))))
	}
	return begin + strings.Join(parts, ", ")
}
