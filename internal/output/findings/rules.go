// This file owns the rules about rollbacks, time, memory and events between PEs.

package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/report"
)

// lowEfficiency finds runs that undo much. KPs that undo most of it have a card of their own, and so have PEs that lack
// processors.
func (f *Figures) lowEfficiency() []Remark {
	t := &f.Total
	if t.Processed < LeastProcessed || t.Efficiency() >= LowEfficiency || f.StormShare() > 0.5 || len(f.cores()) > 0 {
		return nil
	}
	gain := ""
	if t.Net() > 0 {
		gain = faster(float64(t.Processed) / float64(t.Net()))
	}
	figure := fmt.Sprintf("%s %%: of %s events handled, %s were rolled back", Short(t.Efficiency()), Grouped(t.Processed),
		Grouped(t.RolledBack))
	for _, more := range f.secondary() {
		figure += "; " + more.Figure
	}
	return []Remark{{"efficiency", "Low efficiency", figure,
		"PEs run too far ahead: " + f.tooFar() +
			"try --max-opt-lookahead with a few mean delays, fewer PEs, or a mapping that keeps events on their PE.", gain}}
}

// tooFar names the options of the run by which PEs get too far ahead.
func (f *Figures) tooFar() (advice string) {
	if batch, ok := f.setting("batch"); ok && batch > settings.DefaultBatch {
		advice += fmt.Sprintf("with --batch=%.0f a PE handles that many events before it sees that one came too late: "+
			"leave it out (%d). Also ", batch, settings.DefaultBatch)
	}
	interval, ok := f.setting("gvt-interval")
	if ok && interval > settings.DefaultGVTInterval && f.option("fixed-gvt") == "true" {
		advice += fmt.Sprintf("--fixed-gvt keeps GVT at every %.0f batches: leave it out. Also ", interval)
	}
	return advice
}

// Thrashing returns the KPs that roll back far more than the others, and enough to matter, the worst first.
func (f *Figures) Thrashing() (kps []int) {
	all, n := uint64(0), len(f.PerKP)
	order := make([]int, n)
	for i := range f.PerKP {
		all += f.PerKP[i].RolledBack
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.PerKP[j].RolledBack, f.PerKP[i].RolledBack) })
	for _, i := range order {
		own := f.PerKP[i].RolledBack
		if n >= 3 && own >= kpLeast && 100*own >= kpShare*f.Total.Processed &&
			float64(own)*float64(n-1) > kpFactor*float64(all-own) {
			kps = append(kps, i)
		}
	}
	return kps
}

// StormShare returns the share of KPs that thrash in all that was rolled back.
func (f *Figures) StormShare() float64 {
	all, own := uint64(0), uint64(0)
	for i := range f.PerKP {
		all += f.PerKP[i].RolledBack
	}
	for _, i := range f.Thrashing() {
		own += f.PerKP[i].RolledBack
	}
	return float64(own) / float64(max(all, 1))
}

// storms finds KPs that thrash.
func (f *Figures) storms() []Remark {
	kps := f.Thrashing()
	if len(kps) == 0 {
		return nil
	}
	all, those := uint64(0), uint64(0)
	for i := range f.PerKP {
		all += f.PerKP[i].RolledBack
	}
	figures := make([]string, 0, mostNamed)
	for _, i := range kps {
		own, name := f.PerKP[i].RolledBack, ""
		those += own
		if len(kps) > 1 {
			name = fmt.Sprintf("KP %d of PE %d: ", f.KPs[i].KP, f.KPs[i].PE)
		}
		if len(figures) < mostNamed {
			figures = append(figures, fmt.Sprintf("%s%s events rolled back, %s %% of all", name, Grouped(own),
				Short(100*float64(own)/float64(all))))
		}
	}
	what := fmt.Sprintf("KP %d of PE %d rolls back far more than the others", f.KPs[kps[0]].KP, f.KPs[kps[0]].PE)
	if len(kps) > 1 {
		what = fmt.Sprintf("%d KPs roll back far more than the others", len(kps))
	}
	figure := strings.Join(figures, "; ") + fmt.Sprintf("; the other KPs have %s on average",
		rough(float64(all-those)/float64(max(len(f.PerKP)-len(kps), 1))))
	advice := "Check what its LPs have in common; with more KPs (--nkp) stragglers of one LP undo fewer others."
	if nkp, ok := f.setting("nkp", ""); ok {
		advice = fmt.Sprintf(
			"Check what its LPs have in common; with more KPs (--nkp=%.0f) stragglers of one LP undo fewer others.", nkp*4)
	}
	return []Remark{{"storm", what, figure + f.mostRolledBack(f.KPs[kps[0]]), advice,
		fmt.Sprintf("up to %s %% fewer events handled", Short(100*float64(those)/float64(max(f.Total.Processed, 1))))}}
}

// mostNamed is how many KPs a finding names.
const mostNamed = 3

// secondary finds runs in which rollbacks mostly cause rollbacks.
func (f *Figures) secondary() []Remark {
	t := &f.Total
	percent := 100 * float64(t.Secondary) / float64(max(t.Rollbacks, 1))
	if percent <= MuchSecondary || 100*t.RolledBack < leastUndone*t.Processed {
		return nil
	}
	return []Remark{{"secondary", "Rollbacks cause rollbacks",
		fmt.Sprintf("%s %% of %s rollbacks are due to cancelled events", Short(percent), Grouped(t.Rollbacks)),
		"Errors spread before they are noticed: try --max-opt-lookahead with a few mean delays, or a smaller --batch.",
		fmt.Sprintf("up to %s %% fewer events handled",
			Short(100*float64(t.RolledBack)/float64(max(t.Processed, 1))*percent/100))}}
}

// optimistic reports whether the run is known to have been optimistic, on several PEs.
func (f *Figures) optimistic() bool {
	info := f.Info
	return info != nil && (info.Synch == SynchOptimistic || info.Synch == SynchRealTime) && f.NumPEs() > 1
}

// isNarrow reports whether rollbacks keep the window of the engine narrow.
func (f *Figures) isNarrow() bool {
	r := f.result()
	return r != nil && f.optimistic() && r.Window > 0 && r.Window <= narrowWindow
}

// window finds runs whose window of optimism holds the PEs back: because --max-opt-lookahead is
// small, or because rollbacks keep the window of the engine narrow.
func (f *Figures) window() []Remark {
	if found := f.heldBack(); len(found) > 0 {
		return found
	}
	return f.narrow()
}

// heldBack finds runs that wait because of --max-opt-lookahead.
func (f *Figures) heldBack() []Remark {
	ahead, ok := f.setting("max-opt-lookahead", "", "0", "18446744073709551615")
	if !ok || !f.optimistic() {
		return nil
	}
	const what = "--max-opt-lookahead holds the PEs back"
	t, timed := f.Times()
	each, counted := f.perGVT()
	advice := fmt.Sprintf("Leave out --max-opt-lookahead, or try --max-opt-lookahead=%.0f.", max(4*ahead, 1))
	switch {
	case timed && t.Waiting > MuchIdle:
		return []Remark{
			{"window", what, fmt.Sprintf("the PEs were idle %s %% of their time, and may not run further than %s ahead of GVT",
				Short(t.Idle), Short(ahead)), advice, speedup(t.Idle)}}
	case counted && each < fewPerGVT:
		return []Remark{
			{"window", what, fmt.Sprintf("%s net events of a PE for each computation of GVT, at most %s ahead of it",
				Short(each), Short(ahead)), advice, ""}}
	}
	return nil
}

// narrow finds runs whose rollbacks keep the window of the engine narrow.
func (f *Figures) narrow() []Remark {
	if !f.isNarrow() || len(f.storms())+len(f.lowEfficiency()) > 0 { // which say why it is
		return nil
	}
	r := f.result()
	figure, gain := fmt.Sprintf("%s at the end, %s at least; a run begins with 2,048 or more",
		report.Count(r.Window, "event"), Grouped(r.LeastWindow)), ""
	if t, ok := f.Times(); ok {
		figure += fmt.Sprintf("; the PEs were idle %s %% of their time", Short(t.Idle))
		gain = speedup(t.Idle)
	}
	return []Remark{{"window", "The window of optimism stays narrow", figure,
		"Rollbacks keep it narrow: use more KPs (--nkp), a mapping that keeps events on their PE, longer delays between PEs, or fewer PEs.", gain}}
}

// cores finds processes with more PEs than processors.
func (f *Figures) cores() []Remark {
	info := f.Info
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
	return []Remark{{"cores", "More PEs than processors",
		fmt.Sprintf("%s in a process that may use %s", report.Count(own, "PE"),
			report.Count(uint64(info.Host.Processors), "processor")),
		fmt.Sprintf("PEs that share a processor wait for each other: run with --pes=%d.", info.Host.Processors), gain}}
}

// lookahead finds conservative runs that mostly wait, or advance by few events at a time.
func (f *Figures) lookahead() []Remark {
	is, known := f.conservative()
	if known && !is {
		return nil
	}
	t, timed := f.Times()
	each, counted := f.perGVT()
	if len(f.PerPE) < 2 || !is { // which may be optimistic: rule often
		return nil
	}
	const advice = "A conservative run advances by its lookahead at a time: raise the lookahead of the model and --cons-lookahead with it, " +
		"put more LPs on a PE, or run optimistically (--synch=3)."
	switch {
	case timed && t.Waiting > MuchIdle && counted && each < manyPerGVT && len(f.uneven()) == 0:
		figure := fmt.Sprintf(
			"the PEs were idle %s %% of their time, and there were %s net events of a PE for each computation of GVT",
			Short(t.Idle), Short(each))
		return []Remark{{"lookahead", "The PEs wait for each other", figure, advice, speedup(t.Idle)}}
	case counted && each < fewPerGVT:
		return []Remark{{"lookahead", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", Short(each)), advice, ""}}
	}
	return nil
}

// idle finds optimistic runs whose PEs mostly wait, if no other rule has the reason.
func (f *Figures) idle() []Remark {
	t, ok := f.Times()
	if !ok || t.Waiting <= MuchIdle || f.Original || f.isNarrow() ||
		len(f.processors())+len(f.cores())+len(f.memory())+len(f.lookahead())+len(f.window())+len(f.uneven())+len(
			f.slow())+len(f.one()) > 0 {
		return nil
	}
	figure := Short(t.Idle) + " % of the time of all PEs belongs to nothing that is timed"
	if r := f.result(); r != nil && r.IdleSeconds > 0 {
		figure = fmt.Sprintf("the PEs were idle %s %% of their time", Short(t.Idle))
	}
	if f.NumPEs() < 2 {
		return []Remark{{"idle", "Much time goes to samples or hooks", figure,
			"Take samples less often (--num-gvt, --rt-interval, --vt-interval), and do less in the GVT hook.", speedup(t.Idle)}}
	}
	return []Remark{{"idle", "The PEs are idle", figure,
		fmt.Sprintf(
			"There are too few events for this number of PEs, or other programs use the processors: try --pes=%d, a larger model, "+
				"and an idle machine.", max(f.NumPEs()/2, 1)), speedup(t.Idle)}}
}

// processors finds runs whose PEs waited for processors, which others had.
func (f *Figures) processors() []Remark {
	p := f.lackedProcessors()
	if p == "" || len(f.cores()) > 0 || f.Duration() < LeastSeconds {
		return nil
	}
	what, advice := "The PEs lacked processors", "leave them to the run, or use fewer PEs (--pes)."
	if f.NumPEs() < 2 {
		advice = "leave one to the run."
		if what = "The run lacked a processor"; f.Part {
			what = "The PE lacked a processor"
		}
	} else if t, ok := f.Times(); ok && t.Idle > MuchIdle {
		what += ", and waited for each other"
		p += fmt.Sprintf("; the PEs were idle %s %% of their time", Short(t.Idle))
	}
	return []Remark{
		{"processors", what, p,
			"Other programs use the processors, or the process may use no more: " + advice, ""}}
}

// lackedProcessors reports what the PEs got of the processors, if that was too little for what they had to do.
func (f *Figures) lackedProcessors() string {
	r := f.result()
	if r == nil || r.Processors == nil || r.Runtime <= 0 || !LackedProcessors(r.Processors.Seconds, r.Processors.Waited,
		r.Runtime) {
		return ""
	}
	return fmt.Sprintf("%s got %.1f processors and waited for %.1f more", report.Count(f.Info.PEs, "PE"),
		r.Processors.Seconds/r.Runtime, r.Processors.Waited/r.Runtime)
}

// often finds runs that compute GVT too often.
func (f *Figures) often() []Remark {
	if is, known := f.conservative(); known && is || len(f.heldBack())+len(f.memory()) > 0 {
		return nil
	}
	t, timed := f.Times()
	each, counted := f.perGVT()
	advice := "Raise --gvt-interval or --batch, or give each PE more events: fewer PEs, or a larger model."
	if f.option("fixed-gvt") == "true" {
		advice = "Leave out --fixed-gvt, which keeps GVT as frequent as it is. Otherwise raise --gvt-interval or --batch, or give each PE more events: " +
			"fewer PEs, or a larger model."
	}
	if f.Info == nil {
		advice = "A conservative run advances by at most its lookahead at a time: let the model send further ahead, put more LPs on a PE, or run " +
			"optimistically (--synch=3). In an optimistic run leave out --fixed-gvt, and try a larger --gvt-interval or --batch."
	}
	switch {
	case timed && t.Parts[GVTTime] > MuchGVT:
		return []Remark{{"gvt", "Much time goes to GVT", Short(t.Parts[GVTTime]) + " % of the time of all PEs", advice,
			speedup(t.Parts[GVTTime])}}
	case counted && each < fewPerGVT:
		gain := ""
		if timed {
			gain = speedup(t.Parts[GVTTime] + t.Idle)
		}
		return []Remark{{"gvt", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", Short(each)), advice, gain}}
	}
	return nil
}

// saving finds runs that mostly save states.
func (f *Figures) saving() []Remark {
	t, ok := f.Times()
	if !ok || t.Saving <= muchSaving {
		return nil
	}
	return []Remark{{"saving", "Much time goes to saving states", Short(t.Saving) + " % of the time of all PEs",
		"Write a Reverse handler, save single fields (ross.Save), or make states smaller; a larger --lz4-knob packs faster.",
		speedup(t.Saving)}}
}

// network finds runs that mostly send and receive.
func (f *Figures) network() []Remark {
	t, ok := f.Times()
	if !ok || t.Parts[NetworkTime] <= muchNetwork {
		return nil
	}
	advice := "Place LPs that exchange many events on the same PE, with a custom mapping."
	if f.Original {
		advice = "Fewer events between PEs help, and larger --read-buffer and --send-buffer."
	}
	what := "Much time goes to network"
	if f.Info != nil && f.Info.Ranks < 2 {
		what = "Much time goes to messages between PEs"
	}
	return []Remark{{"network", what, Short(t.Parts[NetworkTime]) + " % of the time of all PEs",
		advice,
		speedup(t.Parts[NetworkTime])}}
}

// setting returns the value of a numeric option of the run. ok is false if it is not known, or one of
// those that leave it unset.
func (f *Figures) setting(name string, unset ...string) (value float64, ok bool) {
	text := f.option(name)
	for _, u := range unset {
		if text == u {
			return 0, false
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

// mostRolledBack names the LPs of a KP that rolled back most, if they are known.
func (f *Figures) mostRolledBack(kp KP) string {
	if f.MostRolledBack == nil {
		return ""
	}
	return f.MostRolledBack(kp)
}

// manyRemote finds runs whose events mostly go to other PEs.
func (f *Figures) manyRemote() []Remark {
	percent, by := f.Remote, f.RemoteBy
	if len(f.PEs) < 2 || !(percent > MuchRemote) {
		return nil
	}
	return []Remark{{"remote", "Most events go to other PEs", fmt.Sprintf("%s %% %s", Short(percent), by),
		"Place LPs that exchange many events on the same PE, with a custom mapping.", "fewer rollbacks, or less waiting"}}
}

// memory finds runs that had to wait for memory.
func (f *Figures) memory() []Remark {
	const what = "Memory ran short"
	aborted, r := f.Total.Aborted, f.result()
	if f.Original {
		if aborted == 0 {
			return nil
		}
		return []Remark{{"memory", what, Grouped(aborted) + " executions found no memory for an event",
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
		figure = Grouped(aborted) + " executions found no memory for an event"
	}
	if r != nil && r.Shortages > 0 && ShortOfMemory(r.MemoryPeak, f.limit(r), r.Shortages, 0) {
		if figure != "" {
			figure += "; "
		}
		figure += fmt.Sprintf("%s of memory; %s", report.Count(r.Shortages, "shortage"), PeakText(r.MemoryPeak, f.limit(r)))
	}
	if figure == "" {
		return nil
	}
	return []Remark{{"memory", what, figure, advice, "PEs need not wait for GVT to free memory"}}
}

// ranOut finds runs that failed for want of memory.
func (f *Figures) ranOut() []Remark {
	if !strings.Contains(f.Info.Reason, mem.ErrLimit.Error()) {
		return nil
	}
	figure, advice := "events that are pending found no room", "have fewer events pending, or give more with --max-memory."
	if r := f.result(); r != nil && r.MemoryLimit > 0 {
		figure = PeakText(r.MemoryPeak, f.limit(r))
		advice = fmt.Sprintf("have fewer events pending, or give more, for example --max-memory=%dM.",
			(4*r.MemoryLimit+1<<20-1)>>20)
		if r.Shortages > 0 {
			figure = report.Count(r.Shortages, "shortage") + " of memory before the end; " + figure
		}
	}
	return []Remark{{"memory", "The run ended because memory ran out", figure,
		"Events that are pending, states and what undoes events did not fit, even with all that could be undone undone: " + advice,
		"the run goes on"}}
}

// limit returns the bytes that the ranks of Result.MemoryPeak may use together: Result.MemoryLimit is that of a rank.
func (f *Figures) limit(r *instr.RunResult) uint64 { return r.MemoryLimit * max(f.Ranks, 1) }

// PeakText describes the memory that was used at most, of a limit, in bytes. Records of what has to be undone may go
// beyond the limit.
func PeakText(peak, limit uint64) string {
	if peak > limit {
		return fmt.Sprintf("%s used at most, %s beyond the limit of %s: what undoes events is recorded even then",
			Bytes(peak), Bytes(peak-limit), Bytes(limit))
	}
	return Bytes(peak) + " of " + Bytes(limit)
}
