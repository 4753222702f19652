// This file owns what a run tells: the parts of the report in their order, the
// figures in them, and the files that are written.

package ross

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rng"
)

// What is printed here goes to Simulation.out, which keeps the first error
// itself.

// reportHeader prints what comes before the model's own text.
func (s *Simulation) reportHeader() {
	c := &s.cfg
	var notes []string
	if c.ArgsFileText != "" {
		notes = append(notes, c.ArgsFileText)
	}
	notes = append(notes, c.ignored...)
	for _, set := range []struct {
		given    [4]uint64
		standard rng.Seeds
		label    string
		clamped  string
		name     string
	}{
		{c.Seeds, rng.DefaultSeeds, "RNG Seeds:", "Clamping Provided LP Seeds", "rng-seed"},
		{c.CoreSeeds, rng.DefaultCoreSeeds, "Core RNG Seeds:", "Clamping Provided Core Seeds", "core-rng-seed"},
	} {
		if set.given == [4]uint64{} {
			continue
		}
		notes = append(notes, set.label+" "+strings.Trim(fmt.Sprint(set.given), "[]"))
		seeds, clamped := s.seeds(set.given, set.standard)
		if clamped {
			notes = append(notes, set.clamped)
		}
		if seeds != set.standard {
			if text := dependentSeeds(set.name, seeds); text != "" && s.rank == 0 {
				notes = append(notes, "Note: "+text)
				if g := set.given; g == [4]uint64{g[0], g[0], g[0], g[0]} {
					s.warn(text) // other patterns are seldom those of several runs
				}
			}
		}
	}
	_ = report.WriteHeader(s.report, report.Header{Args: c.Args, Now: s.created, Version: Version, Notes: notes, Ranks: uint64(s.ranks)})
}

// reportConfig prints the shape of the simulation.
func (s *Simulation) reportConfig() {
	c, st := &s.cfg, &s.stats
	asked := c.EventsPerPE
	if asked == 0 {
		asked = s.total
	}
	*st = report.Stats{
		Synch: int(max(c.Synch, Sequential)), Ranks: uint64(s.ranks), MinOffset: math.MaxFloat64,
		TotalPEs: s.layout.NumPEs(), KPsPerPE: c.NKP, TotalLPs: s.total, End: c.End, Mapping: s.layout.Kind().String(),
		ModelEvents: asked + c.ExtraMem, NetworkEvents: c.ReadBuffer, TotalEvents: asked,
		ClockRate: c.ClockRate, GVTRealTimeInterval: c.realTimeInterval(), GVTInterval: c.GVTInterval, Batch: c.Batch,
		PQ: s.pes[0].q.Impl(), MaxMemory: c.MaxMemory,
		Sizes: s.sizes(),
	}
	_ = report.WriteConfig(s.report, st)
	s.hint(idlePEs(s.layout))
}

// realTimeInterval returns the interval of GVT in cycles, 0 where GVT is not by
// the clock (g_tw_gvt_realtime_interval).
func (c *Config) realTimeInterval() uint64 {
	if c.Synch != OptimisticRealTime {
		return 0
	}
	if high, low := bits.Mul64(c.GVTInterval, c.ClockRate); high < 1000 {
		cycles, _ := bits.Div64(high, low, 1000)
		return cycles
	}
	return math.MaxUint64
}

func (s *Simulation) sizes() report.StructSizes {
	var model, msg uint64
	for _, t := range s.types {
		model, msg = max(model, uint64(t.stateSize)), max(msg, uint64(t.msgSize))
	}
	streams := s.cfg.RNGsPerLP*uint64(unsafe.Sizeof(rng.Stream{})) + uint64(unsafe.Sizeof(rng.CLCG4{}))
	more := (s.cfg.RNGsPerLP - 1) * uint64(unsafe.Sizeof(rng.Stream{}))
	return report.StructSizes{
		PE: uint64(unsafe.Sizeof(PE{})), KP: uint64(unsafe.Sizeof(KP{})), LP: uint64(lpSize),
		LPModel: model, LPRNGs: streams, TotalLP: uint64(lpSize) + more + model,
		Event: event.Size, EventWithModel: event.Size + msg,
	}
}

// reportProgress prints a progress line.
func (pe *PE) reportProgress() {
	if pe.sim.out.ProgressTaken() {
		return
	}
	_ = report.WriteProgress(pe.sim.report, report.ProgressLine{
		GVTNumber: pe.counts.GVTs, Percent: pe.progress.Percent(pe.gvt), MaxQueue: pe.maxPending(), GVT: pe.gvt, Now: time.Now(),
	})
}

// finish calls the models' Final, prints the closing report and writes the
// files. After an error Final is not called, since the state is that of no event,
// and the files are not written: they hold results.
func (s *Simulation) finish(ok bool) error {
	s.printf("%s", report.EndLine)
	for _, pe := range s.pes {
		pe.freeOld(nil)
	}
	var errs []error
	each := func(f func(*PE)) {
		for _, pe := range s.pes {
			if ok {
				err := pe.guard(func() { f(pe) })
				errs, ok = append(errs, err), err == nil
			}
		}
	}
	final := func(pe *PE) {
		if f := s.cfg.PE.Final; f != nil {
			pe.call(func() { f(pe) })
		}
	}
	if s.cfg.Digest {
		each((*PE).hashStates)
	}
	hashed := ok && s.cfg.Digest
	each((*PE).final)
	if !s.cfg.sequential() { // as in ROSS
		each(final)
	}
	begin := time.Now()
	errs = append(errs, s.closeInstruments())
	figures, err := s.collect(meter.Since(begin), hashed)
	errs = append(errs, err)
	_ = report.WriteEnd(s.report, &s.stats)
	if text := figures.timesAsDelays(&s.stats); text != "" {
		s.printf("\n")
		s.hint(text)
	}
	if s.cfg.sequential() {
		each(final)
	}
	for _, pe := range s.pes {
		pe.err = nil // told; the next one is for Close
	}
	if ok && s.cfg.Dir != "" {
		if s.rank == 0 {
			errs = append(errs, report.AppendCSV(s.cfg.Dir, &s.stats))
		}
		errs = append(errs, s.writeLPStats())
	}
	return errors.Join(errs...)
}

// guard calls functions of the model after the run. It returns what they did
// wrong.
func (pe *PE) guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = pe.panicked(r)
		}
		pe.shown = nil
	}()
	f()
	return pe.err
}

// final calls Final of all LPs.
func (pe *PE) final() {
	for i := range pe.lpSlab {
		if lp := &pe.lpSlab[i]; lp.typ.final != nil {
			pe.shown = lp
			lp.typ.final(lp.state, lp)
		}
	}
}

// collect fills in the figures of the run: those of all ranks, on each of them. closing is
// how long it took to close the files; hashed says that the final states have a digest.
func (s *Simulation) collect(closing float64, hashed bool) (*rankFigures, error) {
	st := &s.stats
	opened := uint64(0)
	pes := make([]peFigures, len(s.pes))
	for i, pe := range s.pes {
		pe.collect(st)
		opened += uint64(pe.arena.Peak())
		pes[i] = pe.figures()
	}
	here := &rankFigures{limit: s.cfg.MaxMemory, peak: s.peakBytes()}
	for i := range pes {
		for kind, n := range pes[i].Beyond {
			here.beyond[kind] += n
		}
	}
	st.EventsAllocated = opened
	st.MemoryAllocated = s.budget.Used()
	st.MemoryWasted = s.space.Unused()
	st.Times.Total = meter.Since(s.created)
	if s.inst != nil {
		st.Times.InstWrite += closing
	}
	st.Times.RIOLoad += s.io.loading // before the PEs began
	if s.cfg.Digest {
		here.digest = s.digest()
		st.Digest = &here.digest
	}
	if hashed {
		here.hashed = 1
		for _, pe := range s.pes {
			here.states += pe.stateDigest
		}
		st.StateDigest = &here.states
	}
	pes, err := s.join(here, pes)
	s.extraFigures(here, pes)
	return here, err
}

// collect adds the figures of a PE: counters are summed up, times are those of
// the PE that has most.
func (pe *PE) collect(st *report.Stats) {
	c := &pe.counts
	for i := range pe.kps {
		pe.kps[i].disown()
	}
	for i := range pe.lpSlab {
		st.EventsProcessed += pe.lpSlab[i].processed
	}
	st.AnalysisProcessed += pe.analysed()
	st.AnalysisRolledBack += pe.pointsUndone
	st.EventsAborted += c.Aborted
	c.Undone += c.Lost
	st.EventsRolledBack += c.Undone - pe.pointsUndone
	st.SendNetRemote += c.FarEvents - c.FarUnsent
	st.SendLocRemote += c.Remote - c.Unsent - (c.FarEvents - c.FarUnsent)
	if f := pe.far; f != nil {
		st.RemoteSends += f.sent
		st.RemoteRecvs += f.came
	}
	st.PrimaryRollBacks += c.Primary
	st.SecondaryRollBacks += c.Secondary
	st.FossilCollects += c.Fossils
	st.ForcedGVT += c.Forced
	st.NumGVT = max(st.NumGVT, c.GVTs)
	st.EventsPastEnd += pe.pastEnd
	st.MinOffset = min(st.MinOffset, c.LeastOffset)
	st.Runtime = max(st.Runtime, pe.clock.Seconds)
	st.Times.Most(pe.times())
	st.Times.RIOLoad = max(st.Times.RIOLoad, pe.loadSeconds)
	pe.publishLast()
}

// extraFigures adds the lines that ROSS does not have.
func (s *Simulation) extraFigures(all *rankFigures, pes []peFigures) {
	st := &s.stats
	pending := uint64(0)
	for i := range pes {
		pending += pes[i].pending
	}
	st.Extra = append(st.Extra,
		report.Figure{Label: "Event Queue", Value: st.PQ},
		report.Figure{Label: "Events Pending, Most at Once", Value: strconv.FormatUint(pending, 10)},
		report.Figure{Label: "Memory Limit (KiB)", Value: strconv.FormatUint(all.limit/1024, 10)},
	)
	st.Extra = append(st.Extra, report.Figure{Label: "Memory Used at Most (KiB)", Value: strconv.FormatUint(all.peak/1024, 10)})
	if s.io.running != nil {
		st.Extra = append(st.Extra, report.Figure{Label: "Checkpoints Stored", Value: strconv.FormatUint(s.io.stored, 10)},
			report.Figure{Label: "Standing Still for Them, Most (s)", Value: strconv.FormatFloat(s.storeSeconds(), 'f', 4, 64)})
		if n := s.io.running.unstored; n > 0 {
			st.Extra = append(st.Extra, report.Figure{Label: "Checkpoints That Could Not Be Stored", Value: strconv.FormatUint(n, 10)})
		}
		st.Extra = append(st.Extra, s.io.running.late.figures()...)
	}
	if c := s.pes[0].check; c != nil {
		st.Extra = append(st.Extra, report.Figure{Label: "Events Rolled Back and Compared", Value: strconv.FormatUint(c.checked, 10)})
	}
	if !s.cfg.sequential() {
		st.Extra = append(st.Extra, s.parallelFigures(pes)...)
	}
	if s.ranks > 1 {
		st.Extra = append(st.Extra, all.networkFigures(st)...)
	}
}

// peakBytes returns the most memory that the run had at once. The budget looks at
// the queues only when something else grows, so that they may be larger now.
func (s *Simulation) peakBytes() uint64 { return max(s.budget.Peak(), s.budget.Used()) }

// writeLPStats writes ross_all_lp_stats.
func (s *Simulation) writeLPStats() error {
	for _, pe := range s.pes {
		seconds := pe.lpSeconds()
		err := report.WriteLPStats(s.cfg.Dir, int(pe.id), func(yield func(report.LPStat) bool) {
			for i := range pe.lpSlab {
				lp := &pe.lpSlab[i]
				if !yield(report.LPStat{ID: uint64(lp.id), Seconds: seconds[i], Events: lp.processed}) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkDir makes the folder of results and sees that files can be made in it:
// better before a run than after.
func (s *Simulation) checkDir() error {
	if s.cfg.Dir == "" {
		return nil
	}
	err := os.MkdirAll(s.cfg.Dir, 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(s.cfg.Dir, ".ross-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("ross: folder of results: %s: %w: make it writable or name another", s.cfg.Dir, err)
	}
	return nil
}
