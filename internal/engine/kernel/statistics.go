// This file owns the collection of the statistics of all LPs at the end of a run.

package kernel

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/num/statistic"
)

// Statistics returns the statistics of the LPs of all ranks, by LP type, or by what group
// returns, which is "" for LPs that are left out. All ranks call it.
func (r *Run) Statistics(group func(*LP) string) (*statistic.Table, error) {
	t, err := statistic.Collect(r.Gather, r.span(), r.subjects(group))
	if err == nil && group != nil {
		slices.SortStableFunc(t.Rows, func(a, b statistic.Row) int { return strings.Compare(a.Group, b.Group) })
	}
	return t, err
}

// StatisticsOfLPs returns the statistics of each LP of all ranks by itself, in the order of ids, with types and labels.
// The group of a row is the id. All ranks call it.
func (r *Run) StatisticsOfLPs() (*statistic.Table, error) {
	t, err := statistic.CollectEach(r.Gather, r.span(), func(yield func(statistic.Subject) bool) {
		for s := range r.subjects(func(lp *LP) string { return strconv.FormatUint(lp.ID, 10) }) {
			s.Order, _ = strconv.ParseUint(s.Group, 10, 64)
			if !yield(s) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	t.LPs = true
	for i := range t.Rows {
		row := &t.Rows[i]
		if i > 0 && t.Rows[i-1].Group == row.Group {
			row.Type, row.Label = t.Rows[i-1].Type, t.Rows[i-1].Label
			continue
		}
		gid, _ := strconv.ParseUint(row.Group, 10, 64)
		row.Type, row.Label = r.TypeAt(gid).Name, r.LabelOf(gid)
	}
	return t, nil
}

// span returns what statistics cover, and what tables show of them.
func (r *Run) span() statistic.Span {
	return statistic.Span{From: r.Set.WarmUp, Until: r.Until, Quantiles: r.Set.Quantiles, Last: r.LastEvent()}
}

// LastEvent returns the time of the last event of the model that was handled on this rank, or 0 before the first.
func (r *Run) LastEvent() (last float64) {
	for _, pe := range r.PEs {
		for i := range pe.LPs {
			last = max(last, pe.LPs[i].Now)
		}
	}
	return last
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
				s := statistic.Subject{Group: lp.Type().Name, Order: uint64(lp.Type().ID), Fields: lp.Type().Figures,
					State: lp.State, Store: lp.PE.Figures}
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
