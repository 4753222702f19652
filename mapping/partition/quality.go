// This file owns measures of mappings, and their comparison.

package partition

import (
	"fmt"
	"math"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/mapping"
)

// Quality is how well a mapping suits a graph.
type Quality struct {
	Cut       float64 // expected events between PEs
	Events    float64 // expected events of all links
	Load      float64 // load of all LPs
	Greatest  float64 // greatest load of a PE
	PEs       uint64
	Lookahead float64 // least lookahead of a link between PEs: +Inf if there is no such link
}

// Share returns the part of the events that cross PEs, 0 to 1: what the remote share of a run will be if
// the expected numbers of events are right.
func (q Quality) Share() float64 {
	if q.Events == 0 {
		return 0
	}
	return q.Cut / q.Events
}

// Imbalance returns by how much the greatest load of a PE exceeds the mean, as a part of the mean:
// 0 is even, and PEs-1 is all load on one PE.
func (q Quality) Imbalance() float64 {
	if q.Load == 0 {
		return 0
	}
	return max(0, q.Greatest*float64(q.PEs)/q.Load-1)
}

// String returns the measures on one line.
func (q Quality) String() string {
	s := fmt.Sprintf("cut %.6g of %.6g events (%.1f %%), imbalance %.1f %%", q.Cut, q.Events, 100*q.Share(),
		100*q.Imbalance())
	if math.IsInf(q.Lookahead, 1) {
		return s + ", nothing crosses"
	}
	return s + fmt.Sprintf(", least lookahead %.6g", q.Lookahead)
}

// Quality measures a mapping of the LPs of the graph. The error, which matches ross.ErrUsage, is about
// a mapping of another number of LPs.
func (g *Graph) Quality(m *mapping.Map) (Quality, error) {
	if m.Total() != g.LPs() {
		return Quality{},
			usage.Errorf("partition: Quality: the mapping has %d LPs, the graph %d: measure a mapping of the same LPs",
				m.Total(), g.LPs())
	}
	q := Quality{PEs: m.NumPEs(), Lookahead: math.Inf(1)}
	pes := make([]uint32, g.LPs())
	loads := map[uint32]int64{}
	for v := range pes {
		pes[v] = uint32(m.PE(uint64(v)))
		loads[pes[v]] += g.weight[v]
	}
	var cut, events, total, greatest int64
	for _, load := range loads {
		total += load
		greatest = max(greatest, load)
	}
	for v, pe := range pes {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			events += g.edge[i]
			if pes[g.to[i]] == pe {
				continue
			}
			cut += g.edge[i]
			if g.delays == nil {
				q.Lookahead = 0
			} else {
				q.Lookahead = min(q.Lookahead, g.delays[i])
			}
		}
	}
	q.Cut, q.Events = g.events.float(cut/2), g.events.float(events/2+g.self)
	q.Load, q.Greatest = g.load.float(total), g.load.float(greatest)
	return q, nil
}

// Comparison holds the measures of three mappings of one graph.
type Comparison struct {
	Linear, RoundRobin, Partition Quality
}

// Compare measures the linear and the round-robin mapping (mapping.NewEven) and that of Funcs, on a
// number of PEs. It is for a program that has not started a run yet, and takes the time of one
// division. Its errors are those of Funcs and of package mapping.
func (g *Graph) Compare(pes uint64, o Options) (c Comparison, err error) {
	const kps = 1 // they change nothing between PEs
	n := g.LPs()
	for _, m := range []struct {
		q    *Quality
		make func() (*mapping.Map, error)
	}{
		{&c.Linear, func() (*mapping.Map, error) { return mapping.NewEven(mapping.Linear, pes, n, kps) }},
		{&c.RoundRobin, func() (*mapping.Map, error) { return mapping.NewEven(mapping.RoundRobin, pes, n, kps) }},
		{&c.Partition, func() (*mapping.Map, error) { return g.Mapping(o).Map(mapping.Shape{PEs: pes, KPs: kps, LPs: n}) }},
	} {
		made, err := m.make()
		if err != nil {
			return Comparison{}, err
		}
		if *m.q, err = g.Quality(made); err != nil {
			return Comparison{}, err
		}
	}
	return c, nil
}

// String returns a table, a line for each mapping.
func (c Comparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-11s  %12s  %7s  %9s  %s\n", "mapping", "cut", "share", "imbalance", "least lookahead")
	for _, row := range []struct {
		name string
		Quality
	}{{"linear", c.Linear}, {"round robin", c.RoundRobin}, {"partition", c.Partition}} {
		lookahead := fmt.Sprintf("%.6g", row.Lookahead)
		if math.IsInf(row.Lookahead, 1) {
			lookahead = "nothing crosses"
		}
		fmt.Fprintf(&b, "%-11s  %12.6g  %5.1f %%  %7.1f %%  %s\n", row.name, row.Cut, 100*row.Share(), 100*row.Imbalance(),
			lookahead)
	}
	return b.String()
}
