// This file owns the findings about PEs that differ, about traffic between them, and about memory.

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/internal/thresholds"
	summary "github.com/ross-go/ross/report"
)

// slow finds PEs that take far longer for an event than the others.
func (f *figures) slow() (found []finding) {
	if _, ok := f.times(); !ok || len(f.cores()) > 0 { // a PE without a processor handles nothing
		return nil
	}
	costs := make([]float64, len(f.perPE)) // microseconds for an event
	for i := range f.perPE {
		t := &f.perPE[i]
		if t.processed < leastProcessed || t.parts[survey.EventTime] <= 0 {
			return nil
		}
		costs[i] = 1e6 * t.parts[survey.EventTime] / float64(t.processed)
	}
	for i, cost := range costs {
		others := slices.Delete(slices.Clone(costs), i, i+1)
		if len(others) == 0 {
			break
		}
		slices.Sort(others)
		median := (others[(len(others)-1)/2] + others[len(others)/2]) / 2
		if cost > slowFactor*median {
			found = append(found, finding{"slow", fmt.Sprintf("PE %d is much slower than the others", f.run.PEs[i]),
				fmt.Sprintf("%s µs to handle an event, against %s µs (median of the others)", short(cost), short(median)),
				"Its processor is slow or shared, or its LPs do more for each event: spread these LPs over all PEs with a custom mapping.",
				faster(float64(len(costs)) * cost / (cost + median*float64(len(costs)-1)))})
		}
	}
	return found
}

// hot finds the LP or the KP that keeps KPs that move from loading the PEs alike.
func (f *figures) hot() []finding {
	r := f.result()
	if r == nil || r.Balance == nil || len(r.Balance.After) < 2 {
		return nil
	}
	b, most := r.Balance, slices.Max(r.Balance.After)
	n := float64(len(b.After))
	switch {
	case most*n < thresholds.Hot:
	case b.Share*n >= thresholds.Hot:
		return []finding{{"hot", "One LP has more to do than a PE can",
			fmt.Sprintf("LP %d has %s %% of the work of %s, and its events follow one another", b.LP, short(100*b.Share), summary.Count(uint64(n), "PE")),
			fmt.Sprintf("However KPs move, the PEs cannot be more than %s times as fast as one: split the LP into several, or give it less to do for each event.", short(1/b.Share)), ""}}
	case b.OfKP*n >= thresholds.Hot && strings.HasPrefix(b.KP, "all"):
		return []finding{{"hot", "The KPs of a PE cannot move",
			fmt.Sprintf("%s have %s %% of the work of %s", b.KP, short(100*b.OfKP), summary.Count(uint64(n), "PE")),
			"A conservative run moves single KPs only if all types of LPs say their lookahead (Type.Lookahead).", faster(most * n)}}
	case b.OfKP*n >= thresholds.Hot:
		return []finding{{"hot", "One KP has more to do than a PE can",
			fmt.Sprintf("%s has %s %% of the work of %s, its busiest LP %s %%", b.KP, short(100*b.OfKP), summary.Count(uint64(n), "PE"), short(100*b.Share)),
			"The LPs of a KP stay together: give each PE more KPs (--nkp).", faster(most * n)}}
	}
	return nil
}

// uneven finds the PE that has far more to do than the others.
func (f *figures) uneven() []finding {
	most, sum, n := 0, int64(0), int64(len(f.perPE))
	for i := range f.perPE {
		sum += f.perPE[i].net()
		if f.perPE[i].net() > f.perPE[most].net() {
			most = i
		}
	}
	if n < 2 || sum < leastProcessed*n {
		return nil
	}
	net, each := f.perPE[most].net(), float64(sum)/float64(n)
	if float64(net) <= thresholds.Uneven*each || len(f.hot()) > 0 {
		return nil
	}
	advice := "The others wait for it or run ahead of it: let KPs move (--balance=on), or balance the LPs with a custom mapping."
	by := f.mostHandled(f.run.PEs[most])
	if r := f.result(); r != nil && r.Balance != nil {
		advice = "KPs may move (--balance=on), but none did, as in short runs: balance the LPs with a custom mapping."
		if r.Balance.Moves > 0 {
			advice = "KPs have moved (--balance=on), and it still has more: give each PE more KPs (--nkp), or balance the LPs with a custom mapping."
			by = "" // its LPs by the mapping are not those whose events it has handled
		}
	}
	return []finding{{"uneven", fmt.Sprintf("PE %d has far more to do than the others", f.run.PEs[most]),
		fmt.Sprintf("%s net events, against %s on average", grouped(net), short(each)) + by,
		advice, faster(float64(net) / each)}}
}

// manyRemote finds runs whose events mostly go to other PEs.
func (f *figures) manyRemote() []finding {
	percent, by := f.remote()
	if len(f.run.PEs) < 2 || !(percent > thresholds.MuchRemote) {
		return nil
	}
	return []finding{{"remote", "Most events go to other PEs", fmt.Sprintf("%s %% %s", short(percent), by),
		"Place LPs that exchange many events on the same PE, with a custom mapping.", "fewer rollbacks, or less waiting"}}
}

// memory finds runs that had to wait for memory.
func (f *figures) memory() []finding {
	const what = "Memory ran short"
	aborted, r := f.total.aborted, f.result()
	if f.original() {
		if aborted == 0 {
			return nil
		}
		return []finding{{"memory", what, grouped(aborted) + " executions found no memory for an event",
			"Give more with --extramem, or make GVT more frequent.", ""}}
	}
	figure, advice := "", "Give more with --max-memory."
	if r != nil {
		aborted = max(aborted, r.Aborted)
		if r.MemoryLimit > 0 {
			advice = fmt.Sprintf("Give more with --max-memory=%dM.", (4*r.MemoryLimit+1<<20-1)>>20)
		}
	}
	if aborted > 0 {
		figure = grouped(aborted) + " executions found no memory for an event"
	}
	if r != nil && r.Shortages > 0 && 100*float64(r.MemoryPeak) >= thresholds.FullMemory*float64(r.MemoryLimit) {
		if figure != "" {
			figure += "; "
		}
		figure += fmt.Sprintf("%s of memory; %s used of %s; %s of %s computations of GVT were forced", summary.Count(r.Shortages, "shortage"),
			bytesText(r.MemoryPeak), bytesText(r.MemoryLimit), grouped(r.ForcedGVTs), grouped(r.GVTs))
	}
	if figure == "" {
		return nil
	}
	return []finding{{"memory", what, figure, advice, "PEs need not wait for GVT to free memory"}}
}
