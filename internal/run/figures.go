// This file owns figures of a run: the additional lines of the report about a parallel run; the times of a PE and of
// its LPs, as measured by package meter; and the digests of committed events and of final states, each one number that
// is equal for runs that committed the same events, in every mode and on any number of PEs.

package run

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/report"
)

// peFigures holds the figures of a PE of any rank for the report. It holds only plain numbers,
// so ranks exchange its bytes.
type peFigures struct {
	meter.Totals
	id       uint64
	seconds  float64 // in the loop
	window   int     // of optimism, in events
	interval int     // between GVTs, in events
	pending  uint64  // most events in the queue at once
	got      share   // of the processors
}

// figures returns the figures of the PE.
func (pe *PE) figures() peFigures {
	saved := uint64(0)
	for i := range pe.KPs {
		saved += pe.KPs[i].History.Saved
	}
	pe.Counts.Saved = saved
	pe.CountIndex()
	return peFigures{Totals: pe.Counts.Totals, id: pe.ID, seconds: pe.Phases.Seconds,
		window: pe.Window, interval: pe.Interval, pending: pe.MaxPending(), got: pe.thread.got}
}

// sumFigures holds the figures of several PEs, of any number in the same room. It holds only plain
// numbers.
type sumFigures struct {
	meter.Totals
	window  int     // the least
	share   float64 // of GVT in the time of a PE, the largest
	pending uint64  // sum of the most events in the queue of each
	got     share
	first   peFigures
}

// sumOf returns the sum of the figures of PEs.
func sumOf(pes []peFigures) *sumFigures {
	sum := &sumFigures{Totals: meter.NewCounts().Totals, window: unlimited, first: pes[0]}
	for i := range pes {
		p := &pes[i]
		p.AddTo(&sum.Totals)
		sum.window = min(sum.window, p.window)
		sum.share = max(sum.share, p.RoundSeconds()/max(p.seconds, 1e-9))
		sum.pending += p.pending
		sum.got.add(p.got)
	}
	return sum
}

// add adds the figures of the PEs that follow.
func (f *sumFigures) add(o *sumFigures) {
	o.AddTo(&f.Totals)
	f.window = min(f.window, o.window)
	f.share = max(f.share, o.share)
	f.pending += o.pending
	f.got.add(o.got)
}

// Why holds figures of all PEs that tell why a run was slow.
type Why struct {
	Idle, Saving        float64 // seconds, sums; see meter.Totals
	Shortages           uint64  // of memory
	Window, LeastWindow int     // of optimism, in events: the last and the least, of the PE where it was narrowest
	Peak                uint64  // most bytes in use at once, a sum over ranks
	// Processors is what the PEs got of the processors, nil if that is not known.
	Processors *instr.RunProcessors
}

// Windows returns the windows of optimism, 0 for one that has no limit.
func (w *Why) Windows() (last, least uint64) {
	if w.Window != unlimited {
		last = uint64(max(w.Window, 0))
	}
	if w.LeastWindow != unlimited {
		least = uint64(max(w.LeastWindow, 0))
	}
	return last, least
}

// parallelFigures returns the lines of the report about a parallel run that follow those of
// ROSS; each of the listed PEs has a line of its own.
func (s *Engine) parallelFigures(pes *sumFigures, listed []peFigures) (all []report.Figure) {
	add := func(label, format string, args ...any) {
		all = append(all, report.Figure{Label: label, Value: fmt.Sprintf(format, args...)})
	}
	if s.auto != nil {
		add("Scheduler Chosen", "%s", s.auto)
		if !s.auto.Parallel() {
			return all
		}
	}
	for i := range listed {
		p := &listed[i]
		add(fmt.Sprintf("PE %d: Committed, Rolled Back, Efficiency", p.id), "%d, %d, %.2f %%",
			p.Processed-p.Undone, p.Undone, report.Efficiency(p.Processed-p.Lost, p.Undone-p.Lost))
	}
	c := &pes.Totals
	isOptimistic := s.Set.Mode() == settings.Optimistic
	if isOptimistic {
		add("Rollback Lengths (events: rollbacks)", "%s", c.Histogram())
		add("Rollback Length, Mean (events)", "%.2f", float64(c.Rolled)/float64(max(c.Primary+c.Secondary, 1)))
		add("Events Cancelled, by Anti-Messages", "%d, %d", c.Cancelled, c.Antis)
		add("Events Uncommitted, Most on a PE", "%d", c.Uncommitted)
		add("Events Ignored by Suspended LPs", "%d", c.Ignored)
		if c.Saved > 0 {
			add("State Saving (bytes per event)", "%.1f", float64(c.Saved)/float64(max(c.Processed, 1)))
		}
		if t := s.Stats.Times.Deltas; t > 0 {
			add("State Saving by Deltas, Most on a PE (seconds)", "%.4f", t)
		}
	}
	if isOptimistic && s.Cluster.Ranks > 1 {
		add("Index of Arrivals: Most Entries, in Trees", "%d, %d", c.Indexed, c.InTrees)
		add("Searches in That Index, in Its Trees", "%d, %d", c.Searches, c.TreeSearches)
		add("Time of That Index, Most on a PE (seconds)", "%.4f", s.Stats.Times.AVL)
	}
	if c.Remote > 0 {
		add("Offsets between PEs: Least, Mean, Largest", "%g, %g, %g", c.LeastOffset, c.SumOffset/float64(c.Remote),
			c.TopOffset)
	}
	first := &pes.first
	add("GVT Computations per Second", "%.0f", float64(first.GVTs)/max(first.seconds, 1e-9))
	add("GVT Share of Running Time, Largest of a PE", "%.2f %%", 100*pes.share)
	if s.Set.Synch != settings.SynchRealTime { // otherwise the interval is a time
		add("GVT Interval, Adapted (events)", "%d", first.interval)
	}
	if s.Hooks.GVT != nil {
		add("GVT Hook Time, Most on a PE (seconds)", "%.4f", c.HookSeconds)
	}
	if isOptimistic {
		add("Optimism Window: Last, Least (events)", "%s, %s", windowText(pes.window), windowText(c.LeastWindow))
		add("Optimism Window Narrowed", "%d", c.Narrowed)
		add("Memory Shortages", "%d", c.Shortages)
	}
	add("Idle Time, Sum over PEs (seconds)", "%.4f", c.IdleSeconds)
	if b := s.balance; b != nil {
		all = append(all, b.Result.Figures(s.Cluster.Ranks)...)
	}
	return all
}

// mostListed is the maximum number of PEs for which each PE has its own line.
const mostListed = 64

// windowText returns a window of optimism as the report prints it.
func windowText(w int) string {
	if w == unlimited {
		return "unlimited"
	}
	return strconv.Itoa(w)
}

// timesAsDelays returns a hint that a model seems to pass times to Send instead of delays, or
// "" if it does not seem so.
//
// In a model that passes delays, some sends past the end have delays smaller than the time of
// the event, even if the run is short compared with the delays: above all the sends of events
// near the end. So the hint requires that the delays of nearly all sends past the end are
// larger. It also requires 100 such sends, and that they are at least one in 32 sends. If
// times are passed, the times along a chain of events double from event to event, so one in
// log2(end/d) sends is past the end.
func (r *rankFigures) timesAsDelays(st *report.Summary) string {
	like, unlike := r.beyond[kernel.DelayLikeTime], r.beyond[kernel.DelayUnlikeTime]
	sends := st.NetEvents() + st.EventsPastEnd
	if like < 100 || unlike > like/100 || r.beyond[kernel.DelayUnclear] > 3*like || like < sends/32 {
		return ""
	}
	return fmt.Sprintf(
		"%d of %d sends were to times past the end, with delays that look like times (after the sender's, before the end): "+
			"Send takes a delay, not a time; if the model passes lp.Now()+d, pass d", like, sends)
}

// Times returns the seconds that the PE has spent in each phase until now. Call it only
// between phases.
func (pe *PE) Times() report.PhaseTimes {
	pe.splitIdle()
	return pe.account.Times(&pe.Counts, &pe.Phases, pe.Channels.Drains.Total(), pe.Channels.Flushes.Total(),
		pe.Engine.Created)
}

// LPSeconds returns for each LP of the PE, by local id, the estimated seconds in its handler:
// its share of EventProcess. Few events of an LP are timed, often none, so the mean over all
// LPs of its type counts as several of its events.
func (pe *PE) LPSeconds() iter.Seq2[int, float64] {
	const ofType = 4
	types := make([]struct{ seconds, timed float64 }, len(pe.Run.Types))
	seconds, timed := 0.0, 0.0
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		t := &types[lp.Type().ID]
		n, spent := lp.Timed()
		t.seconds += spent
		t.timed += float64(n)
		seconds += spent
		timed += float64(n)
	}
	mean := func(seconds, timed, otherwise float64) float64 {
		if timed > 0 && seconds > 0 {
			return seconds / timed
		}
		return otherwise
	}
	all := mean(seconds, timed, 1)
	share := func(i int) float64 {
		lp := &pe.LPs[i]
		t := &types[lp.Type().ID]
		n, spent := lp.Timed()
		return float64(lp.Processed) * (max(spent, 0) + ofType*mean(t.seconds, t.timed, all)) / (float64(n) + ofType)
	}
	sum := 0.0
	for i := range pe.LPs {
		sum += share(i)
	}
	scale := 1.0
	if sum > 0 {
		scale = pe.Times().EventProcess / sum
	}
	return func(yield func(int, float64) bool) {
		for i := range pe.LPs {
			if !yield(i, share(i)*scale) {
				return
			}
		}
	}
}

// Handlers returns what the events of this rank took by types of messages. It leaves out those that were never timed.
func (s *Engine) Handlers() (all []instr.RunHandler) {
	for i, m := range s.Messages {
		h := instr.RunHandler{Message: m.Name, Type: m.To.Name}
		for _, pe := range s.Locals {
			t := pe.Spent()[i]
			h.Timed, h.Seconds = h.Timed+t.Timed, h.Seconds+t.Seconds
		}
		if h.Timed > 0 && m.To != s.Analysis {
			all = append(all, h)
		}
	}
	return all
}

// digest combines the digests of the events of this rank's LPs.
func (s *Engine) digest() uint64 {
	var sum uint64
	for _, pe := range s.Locals {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			if lp.Digest() != 0 {
				sum += hash64.Word(lp.Digest(), uint64(lp.ID))
			}
		}
	}
	return sum
}

// hashStates computes the digest of the states of the PE's LPs. It runs when all events are
// committed, and before Final, which may change the states. The digest is the sum of the
// states' hashes, each mixed with the id of its LP.
func (pe *PE) hashStates() {
	blocks := deep.Blocks{Elem: pe.Run.BlockElem, At: pe.BlockAt}
	hashers := make([]*deep.Hasher, len(pe.Run.Types))
	if pe.Run.Set.DigestsOfLPs {
		pe.lpStates = make([]uint64, len(pe.LPs))
	}
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		check := &lp.Type().Check
		if check.Save != nil && check.Digest == nil {
			continue // states that are compared loosely have no exact digest
		}
		h := &hashers[lp.Type().ID]
		if *h == nil {
			t := check.State
			if check.Digest != nil {
				t = reflect.TypeFor[any]()
			}
			*h = deep.NewHasher(t, blocks, pe.Run.Opaque...)
		}
		p := lp.State
		if check.Digest != nil {
			pe.Show(lp)
			part := check.Digest(lp.State)
			p = unsafe.Pointer(&part)
		}
		digest := hash64.Word((*h).Hash(p), uint64(lp.ID))
		pe.stateDigest += digest
		if pe.lpStates != nil {
			pe.lpStates[i] = digest
		}
	}
	pe.Hide()
}
