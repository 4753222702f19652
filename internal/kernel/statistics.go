// This file owns the collection of the statistics of all LPs at the end of a run.

package kernel

import (
	"iter"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/statistic"
)

// Statistics returns the statistics of the LPs of all ranks, by LP type, or by what group
// returns, which is "" for LPs that are left out. All ranks call it.
func (r *Run) Statistics(group func(*LP) string) (*statistic.Table, error) {
	span := statistic.Span{From: r.Set.WarmUp, Until: r.Until}
	for _, pe := range r.PEs {
		for i := range pe.LPs {
			span.Last = max(span.Last, pe.LPs[i].Now)
		}
	}
	t, err := statistic.Collect(r.Gather, span, r.subjects(group))
	if err == nil && group != nil {
		slices.SortStableFunc(t.Rows, func(a, b statistic.Row) int { return strings.Compare(a.Group, b.Group) })
	}
	return t, err
}

// HasStatistics reports whether an LP type has statistics.
func (r *Run) HasStatistics() bool {
	return slices.ContainsFunc(r.Types, func(t *Type) bool { return len(t.Figures) > 0 })
}

// subjects yields the LP types, if group is nil, and the LPs of this rank that have statistics.
func (r *Run) subjects(group func(*LP) string) iter.Seq[statistic.Subject] {
	return func(yield func(statistic.Subject) bool) {
		for _, t := range r.Types {
			if group == nil && !yield(statistic.Subject{Group: t.Name, Order: uint64(t.ID), Fields: t.Figures}) {
				return
			}
		}
		for _, pe := range r.PEs {
			for i := range pe.LPs {
				lp := &pe.LPs[i]
				if len(lp.Type().Figures) == 0 {
					continue
				}
				s := statistic.Subject{Group: lp.Type().Name, Order: uint64(lp.Type().ID), Fields: lp.Type().Figures, State: lp.State, Store: pe.Figures}
				if group != nil {
					if s.Group = group(lp); s.Group == "" {
						continue
					}
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}
