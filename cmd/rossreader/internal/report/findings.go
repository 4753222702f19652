// This file owns the remarks: rules of thumb, each with the figure that caused it.

package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// Thresholds of the remarks.
const (
	lowEfficiency  = 50  // percent
	muchRemote     = 40  // percent; traffic at random has 50 on two PEs, more on more
	muchSecondary  = 50  // percent of rollbacks
	muchOverhead   = 30  // percent of the time of all PEs
	kpFactor       = 4   // events rolled back by a KP, to the mean of the others
	kpLeast        = 100 // events rolled back by such a KP
	kpShare        = 1   // percent of the events handled that such a KP rolled back
	slowFactor     = 2   // time for an event, to the median of the other PEs
	unevenFactor   = 1.5 // net events of a PE, to the mean
	leastProcessed = 100 // events, for remarks on speed and balance
	fewPerGVT      = 10  // events of a PE for each computation of GVT
)

// finding is a remark.
type finding struct {
	What   string // stands out
	Figure string // that says so
	Advice string
}

// findings returns what stands out, the worst first.
func (f *figures) findings() (found []finding) {
	t := &f.total
	if t.processed > 0 && t.efficiency() < lowEfficiency {
		found = append(found, finding{"Low efficiency", fmt.Sprintf("%s %%: of %d events handled, %d were rolled back", short(t.efficiency()), t.processed, t.rolledBack),
			"PEs run too far ahead: try a smaller --batch or --gvt-interval, --max-opt-lookahead, or fewer PEs."})
	}
	if t.aborted > 0 {
		found = append(found, finding{"Memory ran short", fmt.Sprintf("%d executions found no memory for an event", t.aborted),
			"Give more with --extramem, or make GVT more frequent."})
	}
	found = append(found, f.thrashing()...)
	found = append(found, f.slow()...)
	found = append(found, f.uneven()...)
	if percent, by := f.remote(); len(f.run.PEs) > 1 && percent > muchRemote {
		found = append(found, finding{"Most events go to other PEs", fmt.Sprintf("%s %% %s", short(percent), by),
			"Place LPs that exchange many events on the same PE, with a custom mapping."})
	}
	if percent := 100 * float64(t.secondary) / float64(max(t.rollbacks, 1)); percent > muchSecondary {
		found = append(found, finding{"Rollbacks cause rollbacks", fmt.Sprintf("%s %% of %d rollbacks are due to cancelled events", short(percent), t.rollbacks),
			"Errors spread before they are noticed: try a smaller --batch or --max-opt-lookahead."})
	}
	found = append(found, f.windows()...)
	return append(found, f.overhead()...)
}

// thrashing finds KPs that roll back far more than the others, and enough to matter.
func (f *figures) thrashing() (found []finding) {
	all, n := uint64(0), len(f.perKP)
	order := make([]int, n)
	for i := range f.perKP {
		all += f.perKP[i].rolledBack
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.perKP[j].rolledBack, f.perKP[i].rolledBack) })
	for _, i := range order {
		kp, own := f.run.KPs[i], f.perKP[i].rolledBack
		if n < 3 || own < kpLeast || 100*own < kpShare*f.total.processed || float64(own)*float64(n-1) <= kpFactor*float64(all-own) {
			continue
		}
		found = append(found, finding{fmt.Sprintf("KP %d of PE %d rolls back far more than the others", kp.KP, kp.PE),
			fmt.Sprintf("%d events rolled back, %s %% of all; the other KPs have %s on average",
				own, short(100*float64(own)/float64(all)), short(float64(all-own)/float64(n-1))),
			"Check what its LPs have in common; with more KPs (--nkp) stragglers of one LP undo fewer others."})
	}
	return found
}

// slow finds PEs that take far longer for an event than the others.
func (f *figures) slow() (found []finding) {
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
			found = append(found, finding{fmt.Sprintf("PE %d is much slower than the others", f.run.PEs[i]),
				fmt.Sprintf("%s µs to handle an event, against %s µs (median of the others)", short(cost), short(median)),
				"Its core is slow or shared, or its LPs do more for each event: spread these LPs over all PEs."})
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
	if float64(net) <= unevenFactor*each {
		return nil
	}
	return []finding{{fmt.Sprintf("PE %d has far more to do than the others", f.run.PEs[most]),
		fmt.Sprintf("%d net events, against %s on average", net, short(each)), "Balance the LPs: the others wait for it or run ahead of it."}}
}

// windows finds runs that stop for GVT after a few events.
func (f *figures) windows() []finding {
	t := &f.total // of all PEs, as are its computations of GVT
	if len(f.perPE) < 2 || t.gvts == 0 || t.net() < leastProcessed*int64(len(f.perPE)) {
		return nil
	}
	each := float64(t.net()) / float64(t.gvts)
	if each >= fewPerGVT {
		return nil
	}
	return []finding{{"Few events between two GVTs", fmt.Sprintf("%s net events of a PE for each computation of GVT", short(each)),
		"A conservative run advances by at most its lookahead at a time: let the model send further ahead, put more LPs on a PE, or run " +
			"optimistically (--synch=3). In an optimistic run try a larger --gvt-interval or --batch."}}
}

// overhead finds parts of the time other than events that take much of it.
func (f *figures) overhead() (found []finding) {
	var parts [survey.NumParts]float64
	all := 0.0
	for i := range f.perPE {
		all += f.perPE[i].time()
		for part, seconds := range f.perPE[i].parts {
			parts[part] += seconds
		}
	}
	advice := map[survey.Part]string{
		survey.GVTTime:     "GVT is computed often: try a larger --gvt-interval or --batch.",
		survey.NetworkTime: "Fewer events between PEs help, and larger --read-buffer and --send-buffer.",
	}
	for _, part := range []survey.Part{survey.GVTTime, survey.NetworkTime} {
		if percent := 100 * parts[part] / all; percent > muchOverhead {
			found = append(found, finding{"Much time goes to " + part.String(), fmt.Sprintf("%s %% of the time of all PEs", short(percent)), advice[part]})
		}
	}
	return found
}
