// This file owns the end of a run: Final, the closing report with its figures, and the files
// with results.

package run

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/output/held"
	"github.com/ross-go/ross/report"
)

// finish calls Final of the LPs, prints the closing report and writes the files. After an
// error it neither calls Final, because the states belong to no event, nor writes the files,
// because they hold results. Statistics are those of committed events: if the context has stopped the
// run, they are shown and written up to where it came.
func (s *Engine) finish(ok, stopped bool) error {
	if !s.Short() {
		s.Printf("%s", report.EndLine)
	}
	for _, pe := range s.Locals {
		pe.FreeOld(nil)
	}
	var errs []error
	each := func(f func(*PE)) {
		for _, pe := range s.Locals {
			if ok {
				err := pe.Guard(func() { f(pe) })
				errs, ok = append(errs, err), err == nil
			}
		}
	}
	final := func(pe *PE) {
		if f := s.Hooks.Final; f != nil {
			pe.call(func() { f(pe) })
		}
	}
	if s.Set.Digest {
		each((*PE).hashStates)
	}
	hashed := ok && s.Set.Digest
	each((*PE).final)
	if !s.Set.Sequential() { // as in ROSS
		each(final)
	}
	begin := time.Now()
	errs = append(errs, s.inst.Close())
	figures, sum, err := s.collect(meter.Since(begin), hashed)
	errs = append(errs, err)
	if s.Cluster.Broken.Load() { // the figures are not those of all ranks
		return errors.Join(errs...)
	}
	errs = append(errs, s.gatherDigests())
	checked := s.checked(ok)
	if s.Short() {
		s.writeShort(figures, sum, ok, checked)
	} else {
		_ = report.WriteEnd(s.Report, &s.Stats)
	}
	if text := figures.timesAsDelays(&s.Stats); text != "" {
		s.Printf("\n")
		s.Hint(text)
	}
	if text := s.unfinishedWarmUp(figures.last); ok && text != "" {
		s.Printf("\n")
		s.Hint(text)
	}
	if ok {
		if text := s.unserved(); text != "" {
			s.Printf("\n")
			s.Hint(text)
		}
	}
	errs = append(errs, s.showLeft(ok, stopped))
	if checked != "" && !s.Short() {
		s.Printf("\n%s\n", checked)
	}
	if s.Set.Sequential() {
		each(final)
	}
	errs = append(errs, s.reportStatistics(ok || stopped))
	for _, pe := range s.Locals {
		pe.Err = nil // it has been reported; Close reports later ones
	}
	if ok && s.Set.Dir != "" {
		s.writeFiles()
	}
	return errors.Join(errs...)
}

// showLeft prints which processes are left, if a type has any, and which of these can never go on. All ranks call it.
func (s *Engine) showLeft(ok, stopped bool) error {
	if s.Set.Synch == settings.SynchDebug {
		return nil // it has rolled back everything
	}
	over := held.AtEnd
	if s.Stats.EventsPastEnd == 0 && !stopped && s.Stopped == nil {
		over = held.Dry
	}
	left, err := held.Collect(&s.Run, over)
	if err != nil || !ok {
		return err
	}
	if table := left.Table(); table != "" && !s.Short() {
		s.Printf("\n%s", table)
	}
	if text := left.Remark(); text != "" {
		s.Printf("\n")
		s.Hint(text)
	}
	return nil
}

// writeFiles writes the files of the report. The run is complete without them.
func (s *Engine) writeFiles() {
	var err error
	if s.Cluster.Rank == 0 {
		if err = report.AppendCSV(s.Set.Dir, &s.Stats); errors.Is(err, report.ErrCSVHeader) { // that of ROSS, perhaps
			var name string
			if name, err = report.AppendOtherCSV(s.Set.Dir, &s.Stats); err == nil {
				s.Caution("the row of results is in %s: %s has other columns, and stays as it is", name, report.CSVName)
			}
		}
	}
	if err = cmp.Or(err, s.writeLPStats()); err != nil { // both have the same reason, such as a full disk
		s.CautionHere("%s", strings.TrimPrefix(err.Error(), "ross: "))
	}
}

// final calls Final of all LPs of the PE.
func (pe *PE) final() {
	pe.RecordSlowly()
	for i := range pe.LPs {
		if lp := &pe.LPs[i]; lp.Type().Final != nil {
			pe.Show(lp)
			lp.Type().Final(lp.State, lp)
		}
	}
}

// collect computes the figures of the run, which are those of all ranks, on each of them.
// closing is the time in seconds that it took to close the files; hashed says that the final
// states have a digest.
func (s *Engine) collect(closing float64, hashed bool) (*rankFigures, *sumFigures, error) {
	st := &s.Stats
	opened := uint64(0)
	pes := make([]peFigures, len(s.Locals))
	for i, pe := range s.Locals {
		pe.collect(st)
		opened += uint64(pe.Arena.Peak())
		pes[i] = pe.figures()
	}
	here := &rankFigures{limit: s.Set.MaxMemory, peak: s.PeakBytes()}
	if s.Set.WarmUp > 0 { // nothing else needs it, and there may be many LPs
		here.last = s.LastEvent()
	}
	for i := range pes {
		for kind, n := range pes[i].Beyond {
			here.beyond[kind] += n
		}
	}
	st.EventsAllocated = opened
	st.MemoryAllocated = s.Budget.Used()
	st.MemoryWasted = s.Space.Unused()
	st.Times.Total = meter.Since(s.Created)
	if s.inst != nil {
		st.Times.InstWrite += closing
	}
	st.Times.RIOLoad += s.Checkpoints.Loading // reading, before the PEs began
	if s.Set.Digest {
		here.digest = s.digest()
		st.Digest = &here.digest
	}
	if hashed {
		here.hashed = 1
		for _, pe := range s.Locals {
			here.states += pe.stateDigest
		}
		st.StateDigest = &here.states
	}
	s.confirmBalance()
	sum, listed, err := s.join(here, pes)
	s.extraFigures(here, sum, listed)
	return here, sum, err
}

// collect adds the figures of a PE: counters are added up, and for times the maximum over the
// PEs is taken.
func (pe *PE) collect(st *report.Summary) {
	c := &pe.Counts
	before := c.Undone
	for i := range pe.KPs {
		pe.Disown(&pe.KPs[i])
	}
	st.AnalysisProcessed += pe.Analysed()
	st.AnalysisRolledBack += pe.PointsUndone
	c.Undone += c.Lost
	c.Lost = c.Undone - before // all that the end of the run leaves undecided
	last := pe.lastCounters()
	st.Counters.Add(&last)
	st.SendNetRemote += c.NetRemote - c.NetUnsent
	st.SendLocRemote += c.Remote - c.Unsent - (c.NetRemote - c.NetUnsent)
	if r := pe.Remote; r != nil {
		st.RemoteSends += r.Sent
		st.RemoteRecvs += r.Came
	}
	st.PEEventTies += c.Ties
	st.FossilCollects += c.Fossils
	st.ForcedGVT += c.Forced
	st.NumGVT = max(st.NumGVT, c.GVTs)
	st.EventsPastEnd += pe.PastEnd
	st.MinOffset = min(st.MinOffset, c.LeastOffset)
	st.Runtime = max(st.Runtime, pe.Phases.Seconds)
	t := pe.Times()
	st.Times.Most(t)
	c.SavingSeconds = t.Deltas + t.Buddy
	st.Times.RIOLoad = max(st.Times.RIOLoad, pe.cp.LoadSeconds)
}

// extraFigures adds the lines of the report that ROSS does not have.
func (s *Engine) extraFigures(all *rankFigures, pes *sumFigures, listed []peFigures) {
	st := &s.Stats
	s.Why = Why{Idle: pes.IdleSeconds, Saving: pes.SavingSeconds, Shortages: pes.Shortages, Window: pes.window,
		LeastWindow: pes.LeastWindow, Peak: all.peak,
		Processors: processors(pes, listed)}
	st.Extra = append(st.Extra,
		report.Figure{Label: "Event Queue", Value: st.PQ},
		report.Figure{Label: "Events Pending, Most at Once", Value: strconv.FormatUint(pes.pending, 10)},
		report.Figure{Label: "Memory Limit (KiB)", Value: strconv.FormatUint(all.limit/1024, 10)},
	)
	st.Extra = append(st.Extra, report.Figure{Label: "Memory Used at Most (KiB)",
		Value: strconv.FormatUint(all.peak/1024, 10)})
	if s.Checkpoints.Running != nil {
		st.Extra = append(st.Extra,
			report.Figure{Label: "Checkpoints Stored", Value: strconv.FormatUint(s.Checkpoints.Stored, 10)},
			report.Figure{Label: "Standing Still for Them, Most (s)", Value: strconv.FormatFloat(s.Checkpoints.StoreSeconds(),
				'f', 4, 64)})
		if n := s.Checkpoints.Running.Unstored; n > 0 {
			st.Extra = append(st.Extra, report.Figure{Label: "Checkpoints That Could Not Be Stored",
				Value: strconv.FormatUint(n, 10)})
		}
		st.Extra = append(st.Extra, s.Checkpoints.Running.Late.Figures()...)
	}
	if n := st.EventsUndecided; n > 0 {
		st.Extra = append(st.Extra, report.Figure{Label: "Events Undecided at the End (part of RBs)",
			Value: strconv.FormatUint(n, 10)})
	}
	if stop := s.Stopped; stop != nil {
		st.Extra = append(st.Extra, report.Figure{Label: "Stopped by the Model at Time",
			Value: strconv.FormatFloat(stop.Time, 'g', -1, 64)},
			report.Figure{Label: "Stopped by LP", Value: strings.TrimPrefix(s.NameOf(stop.By), "LP ")})
	}
	if c := s.Locals[0].check; c != nil {
		st.Extra = append(st.Extra, report.Figure{Label: "Events Rolled Back and Compared",
			Value: strconv.FormatUint(c.Checked, 10)})
	}
	if s.Chosen != "" {
		st.Extra = append(st.Extra, report.Figure{Label: "Scheduler Chosen", Value: s.Chosen})
	}
	if text := s.Placement(); text != "" {
		label := "Placement of PEs"
		if s.Cluster.Ranks > 1 {
			label += ", on Rank 0"
		}
		st.Extra = append(st.Extra, report.Figure{Label: label, Value: text})
	}
	if !s.Set.Sequential() {
		st.Extra = append(st.Extra, s.parallelFigures(pes, listed)...)
	}
	st.Extra = append(st.Extra, pes.got.figures(st.TotalPEs, st.Runtime)...)
	if n := s.inst.BufferBytes(); n > 0 {
		st.Extra = append(st.Extra, report.Figure{Label: "Memory for Buffers of Samples, at Most (KiB)",
			Value: strconv.FormatUint(n/1024, 10)})
	}
	if s.Cluster.Ranks > 1 {
		st.Extra = append(st.Extra, all.networkFigures(st)...)
	}
}

// PeakBytes returns the most memory in bytes that the run used at once. The budget includes
// the size of the queues only when something else grows, so they may be larger now.
func (s *Engine) PeakBytes() uint64 { return max(s.Budget.Peak(), s.Budget.Used()) }

// writeLPStats writes ross_all_lp_stats for the PEs of this rank.
func (s *Engine) writeLPStats() error {
	for _, pe := range s.Locals {
		err := report.WriteLPStats(s.Set.Dir, int(pe.ID), func(yield func(report.LPStat) bool) {
			for i, seconds := range pe.LPSeconds() {
				lp := &pe.LPs[i]
				if !yield(report.LPStat{ID: uint64(lp.ID), Label: lp.Type().LabelOf(lp.ID), Seconds: seconds,
					Events: lp.Processed}) {
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
