// This file owns the findings about time that is not spent on events: waiting, GVT, saving of
// states, the network.

package report

import (
	"fmt"
	"strconv"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/internal/thresholds"
	summary "github.com/ross-go/ross/report"
)

// cores finds processes with more PEs than processors.
func (f *figures) cores() []finding {
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
	return []finding{{"cores", "More PEs than processors",
		fmt.Sprintf("%s in a process that may use %s", summary.Count(own, "PE"), summary.Count(uint64(info.Host.Processors), "processor")),
		fmt.Sprintf("PEs that share a processor wait for each other: run with --pes=%d.", info.Host.Processors), gain}}
}

// lookahead finds conservative runs that mostly wait, or advance by few events at a time.
func (f *figures) lookahead() []finding {
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
		return []finding{{"lookahead", "The PEs wait for each other", figure, advice, speedup(t.idle)}}
	case counted && each < fewPerGVT:
		return []finding{{"lookahead", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", short(each)), advice, ""}}
	}
	return nil
}

// idle finds optimistic runs whose PEs mostly wait, if no other rule says for what.
func (f *figures) idle() []finding {
	t, ok := f.times()
	if !ok || t.idle <= thresholds.MuchIdle || f.original() ||
		len(f.cores())+len(f.memory())+len(f.lookahead())+len(f.window())+len(f.uneven())+len(f.slow()) > 0 {
		return nil
	}
	figure := short(t.idle) + " % of the time of all PEs belongs to nothing that is timed"
	if f.numPEs() < 2 {
		return []finding{{"idle", "Much time goes to samples or hooks", figure,
			"Take samples less often (--num-gvt, --rt-interval, --vt-interval), and do less in the GVT hook.", speedup(t.idle)}}
	}
	if p := f.lackedProcessors(); p != "" {
		return []finding{{"idle", "The PEs lacked processors, and waited for each other", p + "; " + figure,
			"Other programs use the processors, or the process may use no more: leave them to the run, or use fewer PEs (--pes).", speedup(t.idle)}}
	}
	return []finding{{"idle", "The PEs are idle", figure,
		fmt.Sprintf("There are too few events for so many PEs, or other programs use the processors: try --pes=%d, a larger model, "+
			"and an idle machine.", max(f.numPEs()/2, 1)), speedup(t.idle)}}
}

// lackedProcessors says what the PEs got of the processors, if that was too little for what they had to do.
func (f *figures) lackedProcessors() string {
	r := f.result()
	if r == nil || r.Processors == nil || r.Runtime <= 0 || !thresholds.LackedProcessors(r.Processors.Seconds, r.Processors.Waited, r.Runtime) {
		return ""
	}
	return fmt.Sprintf("%s PEs got %.1f processors and waited for %.1f more", grouped(f.run.Info.PEs), r.Processors.Seconds/r.Runtime, r.Processors.Waited/r.Runtime)
}

// often finds runs that compute GVT too often.
func (f *figures) often() []finding {
	if is, known := f.conservative(); known && is || len(f.heldBack())+len(f.memory()) > 0 {
		return nil
	}
	t, timed := f.times()
	each, counted := f.perGVT()
	advice := "Leave out --fixed-gvt, raise --gvt-interval or --batch, or give each PE more events: fewer PEs, or a larger model."
	if f.run.Info == nil {
		advice = "A conservative run advances by at most its lookahead at a time: let the model send further ahead, put more LPs on a PE, or run " +
			"optimistically (--synch=3). In an optimistic run leave out --fixed-gvt, and try a larger --gvt-interval or --batch."
	}
	switch {
	case timed && t.parts[survey.GVTTime] > thresholds.MuchGVT:
		return []finding{{"gvt", "Much time goes to GVT", short(t.parts[survey.GVTTime]) + " % of the time of all PEs", advice,
			speedup(t.parts[survey.GVTTime])}}
	case counted && each < fewPerGVT:
		gain := ""
		if timed {
			gain = speedup(t.parts[survey.GVTTime] + t.idle)
		}
		return []finding{{"gvt", "Few events between two GVTs",
			fmt.Sprintf("%s net events of a PE for each computation of GVT", short(each)), advice, gain}}
	}
	return nil
}

// saving finds runs that mostly save states.
func (f *figures) saving() []finding {
	t, ok := f.times()
	if !ok || t.saving <= muchSaving {
		return nil
	}
	return []finding{{"saving", "Much time goes to saving states", short(t.saving) + " % of the time of all PEs",
		"Write a Reverse handler, save single fields (ross.Save), or make states smaller; a larger --lz4-knob packs faster.", speedup(t.saving)}}
}

// network finds runs that mostly send and receive.
func (f *figures) network() []finding {
	t, ok := f.times()
	if !ok || t.parts[survey.NetworkTime] <= muchNetwork {
		return nil
	}
	advice := "Place LPs that exchange many events on the same PE, with a custom mapping."
	if f.original() {
		advice = "Fewer events between PEs help, and larger --read-buffer and --send-buffer."
	}
	return []finding{{"network", "Much time goes to network", short(t.parts[survey.NetworkTime]) + " % of the time of all PEs", advice,
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
