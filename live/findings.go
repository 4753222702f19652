// This file owns the findings: what is wrong with a run, as soon as it shows, with the figure that
// says so and the option that helps.

package live

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/thresholds"
)

// Thresholds, in addition to those of package thresholds.
const (
	muchUndone = 20 // percent of the events processed, for the remark on secondary rollbacks
	oftenLast  = 80 // percent of the readings in which a PE had the least virtual time

	leastWindow = 2    // seconds that a share is of
	leastEvents = 1000 // processed in that time, for shares of events
	leastTurns  = 16   // readings, for the PE that is behind
	standstill  = 15   // seconds without a greater GVT
)

// finding is something wrong with the run.
type finding struct {
	Rule   string   `json:"rule"`   // its name, one of each at a time
	What   string   `json:"what"`   // is wrong
	Figure string   `json:"figure"` // that says so
	Advice string   `json:"advice"`
	Since  float64  `json:"since_seconds"` // of the run
	Until  *float64 `json:"until_seconds"` // null: it still holds
}

// reading is what the findings judge: the figures of the last seconds.
type reading struct {
	f          *figures
	ranks      []knownRank
	window     float64 // seconds
	past       figures // before them
	info       *instr.RunInfo
	stillSince float64 // seconds of the run at which GVT was last seen to grow
	last       map[uint64]int
	handling   int     // PEs that have handled events
	turns      int     // readings in last, of the PE that had the least virtual time
	used, wait float64 // seconds in which PEs had a processor, 0: not known, and in which they waited for one
}

// got returns how many processors the PEs have had, nil if that is not known.
func (r *reading) got() *float64 {
	if r.used == 0 || r.window <= 0 {
		return nil
	}
	n := r.used / r.window
	return &n
}

// judge returns what is wrong now.
func (r *reading) judge() (all []finding) {
	if r.f.Phase != "running" || r.f.Complete {
		return nil
	}
	for _, rule := range []func(*reading) *finding{judgeMemory, judgeAborted, judgeStandstill, judgeEfficiency, judgeSecondary, judgeCores, judgeProcessors, judgeOnePE, judgeIdle, judgeLast, judgeBalance, judgeRemote} {
		if f := rule(r); f != nil {
			all = append(all, *f)
		}
	}
	return all
}

func judgeMemory(r *reading) *finding {
	worst, most := -1, 0.0
	for i, k := range r.ranks {
		if part := percent(k.MemoryUsed, k.MemoryLimit); part > most {
			worst, most = i, part
		}
	}
	if most < thresholds.FullMemory {
		return nil
	}
	k := r.ranks[worst]
	of := ""
	if len(r.ranks) > 1 {
		of = fmt.Sprintf(" of rank %d", k.Rank)
	}
	what, figure := "Memory is close to its ceiling", fmt.Sprintf("%.0f %%%s: %s of %s", most, of, binary(k.MemoryUsed), binary(k.MemoryLimit))
	if k.MemoryUsed > k.MemoryLimit {
		what, figure = "Memory is beyond its ceiling", fmt.Sprintf("%s%s, and the ceiling is %s: what undoes events is recorded even then",
			binary(k.MemoryUsed), of, binary(k.MemoryLimit))
	}
	return &finding{Rule: "memory", What: what, Figure: figure,
		Advice: fmt.Sprintf("Without room PEs wait, and the run may end. Give more next time: --max-memory=%dM.", k.MemoryLimit>>19)}
}

func judgeAborted(r *reading) *finding {
	n := r.f.EventsAborted - min(r.past.EventsAborted, r.f.EventsAborted)
	if n == 0 {
		return nil
	}
	return &finding{Rule: "aborted", What: "Events find no memory for what they send",
		Figure: fmt.Sprintf("%d events in the last %.0f s were undone and will run again", n, r.window),
		Advice: "Give more with --max-memory, or keep PEs closer together with --max-opt-lookahead."}
}

func judgeStandstill(r *reading) *finding {
	still := r.f.Elapsed - r.stillSince
	if still < standstill {
		return nil
	}
	return &finding{Rule: "standstill", What: "GVT does not grow",
		Figure: fmt.Sprintf("for %.0f s it has been %s", still, strconv.FormatFloat(r.f.GVT, 'g', 6, 64)),
		Advice: "One event takes long, or events follow each other without delay: /debug/pprof/goroutine?debug=1 shows what each PE does."}
}

func judgeEfficiency(r *reading) *finding {
	processed, undone := r.grown(func(f *figures) uint64 { return f.EventsProcessed }), r.grown(func(f *figures) uint64 { return f.EventsRolledBack })
	if r.window < leastWindow || processed < leastEvents {
		return nil
	}
	stayed := float64(processed) - float64(undone)
	if stayed > 0 && 100*(1-float64(undone)/stayed) >= thresholds.LowEfficiency {
		return nil
	}
	what := "Much of the work is rolled back"
	if 2*undone > processed {
		what = "Most of the work is rolled back"
	}
	return &finding{Rule: "efficiency", What: what,
		Figure: fmt.Sprintf("%s of %s events in the last %.0f s were undone (%.0f %%)", count(float64(undone)), count(float64(processed)), r.window, percent(undone, processed)),
		Advice: "PEs run too far ahead: try --max-opt-lookahead with a few mean delays, a smaller --batch, fewer PEs (--pes), or a mapping that keeps events on their PE."}
}

func judgeSecondary(r *reading) *finding {
	first, second := r.grown(func(f *figures) uint64 { return f.PrimaryRollBacks }), r.grown(func(f *figures) uint64 { return f.SecondaryRollBacks })
	processed, undone := r.grown(func(f *figures) uint64 { return f.EventsProcessed }), r.grown(func(f *figures) uint64 { return f.EventsRolledBack })
	part := percent(second, first+second)
	if r.window < leastWindow || processed < leastEvents || percent(undone, processed) < muchUndone || part < thresholds.MuchSecondary || judgeEfficiency(r) != nil {
		return nil
	}
	return &finding{Rule: "storm", What: "Rollbacks cause rollbacks",
		Figure: fmt.Sprintf("%.0f %% of %s rollbacks in the last %.0f s were secondary, caused by anti-messages", part, count(float64(first+second)), r.window),
		Advice: "Errors spread before they are noticed: try --max-opt-lookahead with a few mean delays, or a smaller --batch."}
}

// crowded returns the numbers of PEs and processors of rank 0, if it has more PEs.
func (r *reading) crowded() (pes uint64, processors int, ok bool) {
	pes, processors = r.info.PEs/max(r.info.Ranks, 1), r.info.Host.Processors
	return pes, processors, processors > 0 && pes > uint64(processors)
}

func judgeCores(r *reading) *finding {
	pes, processors, ok := r.crowded()
	if !ok {
		return nil
	}
	return &finding{Rule: "cores", What: "PEs wait for processors",
		Figure: fmt.Sprintf("%d PEs in a process with %d processors", pes, processors),
		Advice: fmt.Sprintf("A PE that has none delays all others: give --pes=%d.", processors)}
}

// lacked reports whether the PEs have waited for processors.
func (r *reading) lacked() bool {
	_, _, crowded := r.crowded()
	return !crowded && r.window >= leastWindow && r.used > 0 && thresholds.LackedProcessors(r.used, r.wait, r.window)
}

func judgeProcessors(r *reading) *finding {
	if !r.lacked() {
		return nil
	}
	return &finding{Rule: "processors", What: "The run gets too little of the processors",
		Figure: fmt.Sprintf("%d PEs got %.1f processors in the last %.0f s, and waited for %.1f more", len(r.f.PEs), r.used/r.window, r.window, r.wait/r.window),
		Advice: "Other programs use them, or the process may use no more: leave them to the run, or use fewer PEs (--pes)."}
}

// onePE returns the share of the last seconds in which one PE has handled all events of its process, in percent.
func (r *reading) onePE() float64 { return 100 * max(r.f.OnePE-r.past.OnePE, 0) / max(r.window, 1e-9) }

func judgeOnePE(r *reading) *finding {
	if len(r.f.PEs) < 2 || r.window < leastWindow || r.onePE() < thresholds.MostlyOnePE || strings.HasPrefix(r.info.Scheduler, "auto") {
		return nil
	}
	return &finding{Rule: "one", What: "One PE handles the events of all",
		Figure: fmt.Sprintf("for %.0f %% of the last %.0f s", min(r.onePE(), 100), r.window),
		Advice: "The run has found that faster: there are too few events for this number of PEs, or too few processors. Use fewer PEs (--pes), or leave the processors to the run."}
}

func judgeIdle(r *reading) *finding {
	if _, _, ok := r.crowded(); ok || r.onePE() > thresholds.SomeOnePE || r.window < leastWindow || r.lacked() {
		return nil
	}
	var idle []peDocument
	sum := 0.0
	for _, p := range r.f.PEs {
		if sum += p.IdleShare; p.IdleShare > thresholds.MuchIdle {
			idle = append(idle, p)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	slices.SortStableFunc(idle, func(a, b peDocument) int { return int(math.Copysign(1, b.IdleShare-a.IdleShare)) })
	mean := sum / float64(len(r.f.PEs))
	f := &finding{Rule: "idle", What: "PEs have nothing to do",
		Figure: fmt.Sprintf("PE %d for %.0f %% of the last %.0f s; %d of %d PEs for more than %d %%", idle[0].ID, idle[0].IdleShare, r.window, len(idle), len(r.f.PEs), thresholds.MuchIdle)}
	switch {
	case len(idle) < len(r.f.PEs) && mean < thresholds.MuchIdle:
		f.Advice = "The others have the work: distribute the LPs by their events (Config.TypeMap, Config.Mapping)."
	case strings.HasPrefix(r.info.Scheduler, "conservative"):
		f.Advice = "A conservative run advances by its lookahead at a time: raise --cons-lookahead if the model allows it, use fewer PEs (--pes), or run optimistically (--synch=3)."
	default:
		f.Advice = "There are too few events for this number of PEs, or other programs use the processors: use fewer PEs (--pes), or --synch=auto."
	}
	return f
}

func judgeLast(r *reading) *finding {
	if len(r.f.PEs) < 2 || r.turns < leastTurns || r.onePE() > thresholds.SomeOnePE {
		return nil
	}
	for _, p := range r.f.PEs {
		part := 100 * float64(r.last[p.ID]) / float64(r.turns)
		if part < oftenLast || p.IdleShare > thresholds.MuchIdle {
			continue
		}
		return &finding{Rule: "last", What: "One PE holds the others back",
			Figure: fmt.Sprintf("PE %d had the least virtual time in %.0f %% of the last %d readings", p.ID, part, r.turns),
			Advice: "Its LPs have more to do, or its processor is shared: move LPs to other PEs (Config.TypeMap, Config.Mapping), or use as many PEs as there are processors."}
	}
	return nil
}

func judgeBalance(r *reading) *finding {
	if _, _, crowded := r.crowded(); crowded || r.lacked() || len(r.f.PEs) < 2 || r.window < leastWindow || r.onePE() > thresholds.SomeOnePE {
		return nil // with too few processors the engine gives KPs to the PEs that have one
	}
	before := map[uint64]uint64{}
	for _, p := range r.past.PEs {
		before[p.ID] = p.EventsCommitted
	}
	most, pe, sum := uint64(0), uint64(0), uint64(0)
	for _, p := range r.f.PEs {
		n := p.EventsCommitted - min(before[p.ID], p.EventsCommitted)
		if sum += n; n > most {
			most, pe = n, p.ID
		}
	}
	pes := len(r.f.PEs)
	if r.f.Moved > 0 { // and may leave out PEs
		pes = max(r.handling, 1)
	}
	factor := float64(most) / (float64(sum) / float64(pes))
	if sum < leastEvents || factor < thresholds.Uneven {
		return nil
	}
	of, advice := "all PEs", "Distribute the LPs by their events, not by their number (Config.TypeMap, Config.Mapping)."
	if r.f.Moved > 0 {
		of, advice = fmt.Sprintf("the %d PEs that handle events", pes), "KPs move, and it still has more: give each PE more KPs (--nkp), or distribute the LPs by their events (Config.Mapping)."
	}
	return &finding{Rule: "balance", What: "Events are unevenly distributed",
		Figure: fmt.Sprintf("PE %d committed %.1f times the mean of %s in the last %.0f s", pe, factor, of, r.window), Advice: advice}
}

func judgeRemote(r *reading) *finding {
	processed, undone := r.grown(func(f *figures) uint64 { return f.EventsProcessed }), r.grown(func(f *figures) uint64 { return f.EventsRolledBack })
	part := percent(r.f.EventsRemote, r.f.NetEvents())
	if len(r.f.PEs) < 2 || r.f.EventsProcessed < leastEvents || percent(undone, processed) < muchUndone || part < thresholds.MuchRemote {
		return nil
	}
	return &finding{Rule: "remote", What: "Many events leave their PE",
		Figure: fmt.Sprintf("%.0f %% of the events go to another PE, and %.0f %% of the last ones were undone", min(part, 100), percent(undone, processed)),
		Advice: "Put LPs that send to each other on one PE (Config.Mapping, Config.TypeMap), or use fewer PEs (--pes)."}
}

// grown returns how much a count has grown in the last seconds.
func (r *reading) grown(of func(*figures) uint64) uint64 {
	now, before := of(r.f), of(&r.past)
	return now - min(before, now)
}

// percent returns a part of a whole, 0 of nothing.
func percent(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// mostPast is how many findings that no longer hold are kept.
const mostPast = 20

// diary keeps findings with their times.
type diary struct {
	now  []finding
	past []finding // the latest first
}

// note takes what is wrong at a time.
func (d *diary) note(elapsed float64, found []finding) {
	old := d.now
	d.now = nil
	for _, f := range found {
		f.Since = elapsed
		if i := slices.IndexFunc(old, func(o finding) bool { return o.Rule == f.Rule }); i >= 0 {
			f.Since = old[i].Since
		}
		d.now = append(d.now, f)
	}
	for _, f := range old {
		if !slices.ContainsFunc(d.now, func(n finding) bool { return n.Rule == f.Rule }) {
			f.Until = &elapsed
			d.past = slices.Insert(d.past, 0, f)
		}
	}
	d.past = d.past[:min(len(d.past), mostPast)]
}

// all returns the findings that hold, then those that did.
func (d *diary) all() []finding { return append(append([]finding{}, d.now...), d.past...) }
