// This file owns the findings about PEs that differ, about traffic between them, and about memory.

package report

import (
	"fmt"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/internal/trouble"
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
	if float64(net) <= trouble.Uneven*each {
		return nil
	}
	return []finding{{"uneven", fmt.Sprintf("PE %d has far more to do than the others", f.run.PEs[most]),
		fmt.Sprintf("%s net events, against %s on average", grouped(net), short(each)) + f.mostHandled(f.run.PEs[most]),
		"The others wait for it or run ahead of it: balance the LPs with a custom mapping.", faster(float64(net) / each)}}
}

// manyRemote finds runs whose events mostly go to other PEs.
func (f *figures) manyRemote() []finding {
	percent, by := f.remote()
	if len(f.run.PEs) < 2 || !(percent > trouble.MuchRemote) {
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
	if r != nil && r.Shortages > 0 && 100*float64(r.MemoryPeak) >= trouble.FullMemory*float64(r.MemoryLimit) {
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
