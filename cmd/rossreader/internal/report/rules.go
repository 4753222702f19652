// This file owns the rules about rollbacks and time.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/internal/thresholds"
	summary "github.com/ross-go/ross/report"
)

// lowEfficiency finds runs that undo much. KPs that undo most of it have a card of their own, and so have PEs that lack
// processors.
func (f *figures) lowEfficiency() []remark {
	t := &f.total
	if t.processed < leastProcessed || t.efficiency() >= thresholds.LowEfficiency || f.stormShare() > 0.5 || len(f.cores()) > 0 {
		return nil
	}
	gain := ""
	if t.net() > 0 {
		gain = faster(float64(t.processed) / float64(t.net()))
	}
	figure := fmt.Sprintf("%s %%: of %s events handled, %s were rolled back", short(t.efficiency()), grouped(t.processed), grouped(t.rolledBack))
	for _, more := range f.secondary() {
		figure += "; " + more.Figure
	}
	return []remark{{"efficiency", "Low efficiency", figure,
		"PEs run too far ahead: " + f.tooFar() + "try --max-opt-lookahead with a few mean delays, fewer PEs, or a mapping that keeps events on their PE.", gain}}
}

// usualBatch and usualInterval are the defaults of --batch and --gvt-interval.
const usualBatch, usualInterval = 16, 16

// tooFar names the options of the run by which PEs get too far ahead.
func (f *figures) tooFar() (advice string) {
	if batch, ok := f.setting("batch"); ok && batch > usualBatch {
		advice += fmt.Sprintf("with --batch=%.0f a PE handles that many events before it sees that one came too late: leave it out (%d). Also ", batch, usualBatch)
	}
	if interval, ok := f.setting("gvt-interval"); ok && interval > usualInterval && f.option("fixed-gvt") == "true" {
		advice += fmt.Sprintf("--fixed-gvt keeps GVT at every %.0f batches: leave it out. Also ", interval)
	}
	return advice
}

// thrashing returns the KPs that roll back far more than the others, and enough to matter, the worst first.
func (f *figures) thrashing() (kps []int) {
	all, n := uint64(0), len(f.perKP)
	order := make([]int, n)
	for i := range f.perKP {
		all += f.perKP[i].rolledBack
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.perKP[j].rolledBack, f.perKP[i].rolledBack) })
	for _, i := range order {
		own := f.perKP[i].rolledBack
		if n >= 3 && own >= kpLeast && 100*own >= kpShare*f.total.processed && float64(own)*float64(n-1) > kpFactor*float64(all-own) {
			kps = append(kps, i)
		}
	}
	return kps
}

// stormShare returns the share of KPs that thrash in all that was rolled back.
func (f *figures) stormShare() float64 {
	all, own := uint64(0), uint64(0)
	for i := range f.perKP {
		all += f.perKP[i].rolledBack
	}
	for _, i := range f.thrashing() {
		own += f.perKP[i].rolledBack
	}
	return float64(own) / float64(max(all, 1))
}

// storms finds KPs that thrash.
func (f *figures) storms() []remark {
	kps := f.thrashing()
	if len(kps) == 0 {
		return nil
	}
	all, those := uint64(0), uint64(0)
	for i := range f.perKP {
		all += f.perKP[i].rolledBack
	}
	figures := make([]string, 0, mostNamed)
	for _, i := range kps {
		own, name := f.perKP[i].rolledBack, ""
		those += own
		if len(kps) > 1 {
			name = fmt.Sprintf("KP %d of PE %d: ", f.run.KPs[i].KP, f.run.KPs[i].PE)
		}
		if len(figures) < mostNamed {
			figures = append(figures, fmt.Sprintf("%s%s events rolled back, %s %% of all", name, grouped(own), short(100*float64(own)/float64(all))))
		}
	}
	what := fmt.Sprintf("KP %d of PE %d rolls back far more than the others", f.run.KPs[kps[0]].KP, f.run.KPs[kps[0]].PE)
	if len(kps) > 1 {
		what = fmt.Sprintf("%d KPs roll back far more than the others", len(kps))
	}
	figure := strings.Join(figures, "; ") + fmt.Sprintf("; the other KPs have %s on average", rough(float64(all-those)/float64(max(len(f.perKP)-len(kps), 1))))
	advice := "Check what its LPs have in common; with more KPs (--nkp) stragglers of one LP undo fewer others."
	if nkp, ok := f.setting("nkp", ""); ok {
		advice = fmt.Sprintf("Check what its LPs have in common; with more KPs (--nkp=%.0f) stragglers of one LP undo fewer others.", nkp*4)
	}
	return []remark{{"storm", what, figure + f.mostRolledBack(f.run.KPs[kps[0]]), advice,
		fmt.Sprintf("up to %s %% fewer events handled", short(100*float64(those)/float64(max(f.total.processed, 1))))}}
}

// mostNamed is how many KPs a finding names.
const mostNamed = 3

// secondary finds runs in which rollbacks mostly cause rollbacks.
func (f *figures) secondary() []remark {
	t := &f.total
	percent := 100 * float64(t.secondary) / float64(max(t.rollbacks, 1))
	if percent <= thresholds.MuchSecondary || 100*t.rolledBack < leastUndone*t.processed {
		return nil
	}
	return []remark{{"secondary", "Rollbacks cause rollbacks",
		fmt.Sprintf("%s %% of %s rollbacks are due to cancelled events", short(percent), grouped(t.rollbacks)),
		"Errors spread before they are noticed: try --max-opt-lookahead with a few mean delays, or a smaller --batch.",
		fmt.Sprintf("up to %s %% fewer events handled", short(100*float64(t.rolledBack)/float64(max(t.processed, 1))*percent/100))}}
}

// optimistic reports whether the run is known to have been optimistic, on several PEs.
func (f *figures) optimistic() bool {
	info := f.run.Info
	return info != nil && (info.Synch == synchOptimistic || info.Synch == synchRealTime) && f.numPEs() > 1
}

// isNarrow reports whether rollbacks keep the window of the engine narrow.
func (f *figures) isNarrow() bool {
	r := f.result()
	return r != nil && f.optimistic() && r.Window > 0 && r.Window <= narrowWindow
}

// window finds runs whose window of optimism holds the PEs back: because --max-opt-lookahead is
// small, or because rollbacks keep the window of the engine narrow.
func (f *figures) window() []remark {
	if found := f.heldBack(); len(found) > 0 {
		return found
	}
	return f.narrow()
}

// heldBack finds runs that wait because of --max-opt-lookahead.
func (f *figures) heldBack() []remark {
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
		return []remark{{"window", what, fmt.Sprintf("the PEs were idle %s %% of their time, and may not run further than %s ahead of GVT",
			short(t.idle), short(ahead)), advice, speedup(t.idle)}}
	case counted && each < fewPerGVT:
		return []remark{{"window", what, fmt.Sprintf("%s net events of a PE for each computation of GVT, at most %s ahead of it",
			short(each), short(ahead)), advice, ""}}
	}
	return nil
}

// narrow finds runs whose rollbacks keep the window of the engine narrow.
func (f *figures) narrow() []remark {
	if !f.isNarrow() || len(f.storms())+len(f.lowEfficiency()) > 0 { // which say why it is
		return nil
	}
	r := f.result()
	figure, gain := fmt.Sprintf("%s at the end, %s at least; a run begins with 2,048 or more", summary.Count(r.Window, "event"), grouped(r.LeastWindow)), ""
	if t, ok := f.times(); ok {
		figure += fmt.Sprintf("; the PEs were idle %s %% of their time", short(t.idle))
		gain = speedup(t.idle)
	}
	return []remark{{"window", "The window of optimism stays narrow", figure,
		"Rollbacks keep it narrow: use more KPs (--nkp), a mapping that keeps events on their PE, longer delays between PEs, or fewer PEs.", gain}}
}

// cores finds processes with more PEs than processors.
func (f *figures) cores() []remark {
	info := f.run.Info
	if info == nil || info.Host.Processors < 1 {
		return nil
	}
	own := (info.PEs + max(info.Ranks, 1) - 1) / max(info.Ranks, 1)
	if own < 2 || own <= uint64(info.Host.Processors) {
		return nil
	}
	gain := "no rollbacks of events that ran ahead of a PE without a processor"
	if r := f.result(); r != nil && r.NetEvents > 0 {
		if text := faster(float64(r.Processed) / float64(r.NetEvents)); text != "" {
			gain = text
		}
	}
	return []remark{{"cores", "More PEs than processors",
		fmt.Sprintf("%s in a process that may use %s", summary.Count(own, "PE"), summary.Count(uint64(info.Host.Processors), "processor")),
		fmt.Sprintf("PEs that share a processor wait for each other: run with --pes=%d.", info.Host.Processors), gain}}
}

// lookahead finds conservative runs that mostly wait, or advance by few events at a time.
func (f *figures) lookahead() []remark {
	is, known := f.conservative()
	if known && !is {
		return nil
	}
	t, timed := f.times()
	each, counted := f.perGVT()
	if len(f.perPE) < 2 || !is { // which may be optimistic: rule often
		return nil
	}
	const advice = "A conservative run advances by its lookahead at a time: raise the lookahead of the model and --cons-lookahead with it, " +
		"put more LPs on a PE, or run optimistically (--synch=3)."
	switch {
	case timed && t.idle > thresholds.MuchIdle && counted && each < manyPerGVT && len(f.uneven()) == 0:
		figure := fmt.Sprintf("the PEs were idle %s %% of their time, and there were %s net events of a PE for each computation of GVT",
			short(t.idle), short(each))
		return []remark{{"lookahead", "The PEs wait for each other", figure, advice, speedup(t.idle)}}
	case counted && each < fewPerGVT:
		return []remark{{"lookahead", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", short(each)), advice, ""}}
	}
	return nil
}

// idle finds optimistic runs whose PEs mostly wait, if no other rule has the reason.
func (f *figures) idle() []remark {
	t, ok := f.times()
	if !ok || t.idle <= thresholds.MuchIdle || f.original() || f.isNarrow() ||
		len(f.processors())+len(f.cores())+len(f.memory())+len(f.lookahead())+len(f.window())+len(f.uneven())+len(f.slow())+len(f.one()) > 0 {
		return nil
	}
	figure := short(t.idle) + " % of the time of all PEs belongs to nothing that is timed"
	if r := f.result(); r != nil && r.IdleSeconds > 0 {
		figure = fmt.Sprintf("the PEs were idle %s %% of their time", short(t.idle))
	}
	if f.numPEs() < 2 {
		return []remark{{"idle", "Much time goes to samples or hooks", figure,
			"Take samples less often (--num-gvt, --rt-interval, --vt-interval), and do less in the GVT hook.", speedup(t.idle)}}
	}
	return []remark{{"idle", "The PEs are idle", figure,
		fmt.Sprintf("There are too few events for this number of PEs, or other programs use the processors: try --pes=%d, a larger model, "+
			"and an idle machine.", max(f.numPEs()/2, 1)), speedup(t.idle)}}
}

// processors finds runs whose PEs waited for processors, which others had.
func (f *figures) processors() []remark {
	p := f.lackedProcessors()
	if p == "" || len(f.cores()) > 0 || f.duration() < leastSeconds {
		return nil
	}
	what := "The PEs lacked processors"
	if f.numPEs() < 2 {
		what = "The run lacked a processor"
	} else if t, ok := f.times(); ok && t.idle > thresholds.MuchIdle {
		what += ", and waited for each other"
		p += fmt.Sprintf("; the PEs were idle %s %% of their time", short(t.idle))
	}
	return []remark{{"processors", what, p, "Other programs use the processors, or the process may use no more: leave them to the run, or use fewer PEs (--pes).", ""}}
}

// lackedProcessors reports what the PEs got of the processors, if that was too little for what they had to do.
func (f *figures) lackedProcessors() string {
	r := f.result()
	if r == nil || r.Processors == nil || r.Runtime <= 0 || !thresholds.LackedProcessors(r.Processors.Seconds, r.Processors.Waited, r.Runtime) {
		return ""
	}
	return fmt.Sprintf("%s got %.1f processors and waited for %.1f more", summary.Count(f.run.Info.PEs, "PE"), r.Processors.Seconds/r.Runtime, r.Processors.Waited/r.Runtime)
}

// often finds runs that compute GVT too often.
func (f *figures) often() []remark {
	if is, known := f.conservative(); known && is || len(f.heldBack())+len(f.memory()) > 0 {
		return nil
	}
	t, timed := f.times()
	each, counted := f.perGVT()
	advice := "Raise --gvt-interval or --batch, or give each PE more events: fewer PEs, or a larger model."
	if f.option("fixed-gvt") == "true" {
		advice = "Leave out --fixed-gvt, which keeps GVT as frequent as it is. Otherwise raise --gvt-interval or --batch, or give each PE more events: " +
			"fewer PEs, or a larger model."
	}
	if f.run.Info == nil {
		advice = "A conservative run advances by at most its lookahead at a time: let the model send further ahead, put more LPs on a PE, or run " +
			"optimistically (--synch=3). In an optimistic run leave out --fixed-gvt, and try a larger --gvt-interval or --batch."
	}
	switch {
	case timed && t.parts[survey.GVTTime] > thresholds.MuchGVT:
		return []remark{{"gvt", "Much time goes to GVT", short(t.parts[survey.GVTTime]) + " % of the time of all PEs", advice,
			speedup(t.parts[survey.GVTTime])}}
	case counted && each < fewPerGVT:
		gain := ""
		if timed {
			gain = speedup(t.parts[survey.GVTTime] + t.idle)
		}
		return []remark{{"gvt", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", short(each)), advice, gain}}
	}
	return nil
}

// saving finds runs that mostly save states.
func (f *figures) saving() []remark {
	t, ok := f.times()
	if !ok || t.saving <= muchSaving {
		return nil
	}
	return []remark{{"saving", "Much time goes to saving states", short(t.saving) + " % of the time of all PEs",
		"Write a Reverse handler, save single fields (ross.Save), or make states smaller; a larger --lz4-knob packs faster.", speedup(t.saving)}}
}

// network finds runs that mostly send and receive.
func (f *figures) network() []remark {
	t, ok := f.times()
	if !ok || t.parts[survey.NetworkTime] <= muchNetwork {
		return nil
	}
	advice := "Place LPs that exchange many events on the same PE, with a custom mapping."
	if f.original() {
		advice = "Fewer events between PEs help, and larger --read-buffer and --send-buffer."
	}
	return []remark{{"network", "Much time goes to network", short(t.parts[survey.NetworkTime]) + " % of the time of all PEs", advice,
		speedup(t.parts[survey.NetworkTime])}}
}

// setting returns the value of a numeric option of the run. ok is false if it is not known, or one of
// those that leave it unset.
func (f *figures) setting(name string, unset ...string) (value float64, ok bool) {
	text := f.option(name)
	for _, u := range unset {
		if text == u {
			return 0, false
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}
