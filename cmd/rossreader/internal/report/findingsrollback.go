// This file owns the findings about rollbacks: how many, of whom, and the window of optimism.

package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ross-go/ross/internal/thresholds"
	summary "github.com/ross-go/ross/report"
)

func (f *figures) lowEfficiency() []finding {
	t := &f.total
	if t.processed < leastProcessed || t.efficiency() >= thresholds.LowEfficiency {
		return nil
	}
	gain := ""
	if t.net() > 0 {
		gain = faster(float64(t.processed) / float64(t.net()))
	}
	return []finding{{"efficiency", "Low efficiency",
		fmt.Sprintf("%s %%: of %s events handled, %s were rolled back", short(t.efficiency()), grouped(t.processed), grouped(t.rolledBack)),
		"PEs run too far ahead: try --max-opt-lookahead with a few mean delays, a smaller --batch, fewer PEs, or a mapping that keeps events on their PE.", gain}}
}

// storms finds KPs that roll back far more than the others, and enough to matter.
func (f *figures) storms() (found []finding) {
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
		advice := "Check what its LPs have in common; with more KPs (--nkp) stragglers of one LP undo fewer others."
		if nkp, ok := f.setting("nkp", ""); ok {
			advice = fmt.Sprintf("Check what its LPs have in common; with more KPs (--nkp=%.0f) stragglers of one LP undo fewer others.", nkp*4)
		}
		found = append(found, finding{"storm", fmt.Sprintf("KP %d of PE %d rolls back far more than the others", kp.KP, kp.PE),
			fmt.Sprintf("%s events rolled back, %s %% of all; the other KPs have %s on average",
				grouped(own), short(100*float64(own)/float64(all)), short(float64(all-own)/float64(n-1))) + f.mostRolledBack(kp),
			advice, fmt.Sprintf("up to %s %% fewer events handled", short(100*float64(own)/float64(max(f.total.processed, 1))))})
	}
	return found
}

// secondary finds runs in which rollbacks mostly cause rollbacks.
func (f *figures) secondary() []finding {
	t := &f.total
	percent := 100 * float64(t.secondary) / float64(max(t.rollbacks, 1))
	if percent <= thresholds.MuchSecondary || 100*t.rolledBack < leastUndone*t.processed {
		return nil
	}
	return []finding{{"secondary", "Rollbacks cause rollbacks",
		fmt.Sprintf("%s %% of %s rollbacks are due to cancelled events", short(percent), grouped(t.rollbacks)),
		"Errors spread before they are noticed: try --max-opt-lookahead with a few mean delays, or a smaller --batch.",
		fmt.Sprintf("up to %s %% fewer events handled", short(100*float64(t.rolledBack)/float64(max(t.processed, 1))*percent/100))}}
}

// optimistic reports whether the run is known to have been optimistic, on several PEs.
func (f *figures) optimistic() bool {
	info := f.run.Info
	return info != nil && (info.Synch == synchOptimistic || info.Synch == synchRealTime) && f.numPEs() > 1
}

// window finds runs whose window of optimism holds the PEs back: because --max-opt-lookahead is
// small, or because rollbacks keep the window of the engine narrow.
func (f *figures) window() []finding {
	if found := f.heldBack(); len(found) > 0 {
		return found
	}
	return f.narrow()
}

// heldBack finds runs that wait because of --max-opt-lookahead.
func (f *figures) heldBack() []finding {
	ahead, ok := f.setting("max-opt-lookahead", "", "0", "18446744073709551615")
	if !ok || !f.optimistic() {
		return nil
	}
	const what = "--max-opt-lookahead holds the PEs back"
	t, timed := f.times()
	each, counted := f.perGVT()
	advice := fmt.Sprintf("Leave out --max-opt-lookahead, or try --max-opt-lookahead=%.0f.", max(4*ahead, 1))
	switch {
	case timed && t.idle > thresholds.MuchIdle:
		return []finding{{"window", what, fmt.Sprintf("the PEs were idle %s %% of their time, and may not run further than %s ahead of GVT",
			short(t.idle), short(ahead)), advice, speedup(t.idle)}}
	case counted && each < fewPerGVT:
		return []finding{{"window", what, fmt.Sprintf("%s net events of a PE for each computation of GVT, at most %s ahead of it",
			short(each), short(ahead)), advice, ""}}
	}
	return nil
}

// narrow finds runs whose rollbacks keep the window of the engine narrow.
func (f *figures) narrow() []finding {
	r := f.result()
	if r == nil || !f.optimistic() || r.Window == 0 || r.Window > narrowWindow {
		return nil
	}
	figure, gain := fmt.Sprintf("%s at the end, %s at least; a run begins with 2,048 or more", summary.Count(r.Window, "event"), grouped(r.LeastWindow)), ""
	if t, ok := f.times(); ok {
		figure += fmt.Sprintf("; the PEs were idle %s %% of their time", short(t.idle))
		gain = speedup(t.idle)
	}
	return []finding{{"window", "The window of optimism stays narrow", figure,
		"Rollbacks keep it narrow: use more KPs (--nkp), a mapping that keeps events on their PE, longer delays between PEs, or fewer PEs.", gain}}
}
