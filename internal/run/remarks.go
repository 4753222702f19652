// This file owns the short report: the figures that it needs besides those of report.Summary, and its remarks,
// each with the option to change.

package run

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/thresholds"
	"github.com/ross-go/ross/report"
)

// What a remark needs to be made, besides the figures of package thresholds.
const (
	tooShort = 0.1 // seconds

	buffersShare = 20 // buffers that take such a part of the memory are worth a word when it is short
)

// writeShort prints the short report.
func (s *Engine) writeShort(all *rankFigures, pes *sumFigures, ok bool, verdict string) {
	st := s.Stats
	x := report.Short{Program: s.Program, Scheduler: fmt.Sprint(st.Synch), Chosen: s.Chosen, Failed: !ok,
		RollbackLength: float64(pes.Rolled) / float64(max(pes.Primary+pes.Secondary, 1)), GVTShare: pes.share,
		Peak: all.peak, Limit: all.limit, Check: strings.TrimPrefix(verdict, verdictLabel)}
	if s.Chosen != "" || s.Set.Synch == settings.SynchAuto {
		x.Scheduler = "auto"
	}
	if s.auto != nil {
		x.Chosen = s.auto.String()
		if only, ok := s.auto.Only(); ok {
			st.Synch = int(numberOf(only))
		}
	}
	if b := s.OfBalance(); b != nil {
		x.Balance = b.Short()
	}
	if !s.Set.Checks() {
		x.Remarks = s.remarks(all, pes)
	}
	_ = report.WriteShort(s.Report, &st, &x)
}

// remarks returns what the figures alone say about the speed of the run.
func (s *Engine) remarks(all *rankFigures, pes *sumFigures) (found []string) {
	st, set := &s.Stats, s.Set
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if st.Runtime < tooShort {
		add("a run of less than %g s says little about the rate: raise --end", tooShort)
	}
	if cores := s.Threads; !set.Sequential() && len(s.Locals) > cores {
		add("%d PEs share %d cores: --pes=%d is enough", len(s.Locals), cores, cores)
	}
	if st.RollBacks() > 0 && st.Efficiency() < thresholds.LowEfficiency {
		add("much is undone: limit optimism (--max-opt-lookahead), or use fewer PEs (--pes)")
	}
	if thresholds.ShortOfMemory(all.peak, all.limit, pes.Shortages, st.EventsAborted) {
		add("%s", shortOfMemory(pes.Shortages, s.inst.BufferBytes(), set.MaxMemory))
	}
	if st.NumGVT > 0 && 100*pes.share > thresholds.MuchGVT && st.TotalPEs > 1 {
		add("GVT takes %.0f %% of the time: raise --gvt-interval (now %d)", 100*pes.share, st.GVTInterval)
	}
	if set.Mode() == settings.Conservative && pes.Remote > 0 && pes.LeastOffset >= 2*set.ConsLookahead {
		add("events to other PEs have delays of %g or more: a lookahead near that needs fewer GVTs (--cons-lookahead=%g, now %g)",
			pes.LeastOffset, roundedDown(pes.LeastOffset), set.ConsLookahead)
	}
	limit := ""
	if b := s.OfBalance(); b != nil {
		limit = b.Remark()
	}
	spent := st.Runtime * float64(st.TotalPEs)
	idle := 0.0
	if st.TotalPEs > 1 && 100*pes.IdleSeconds > thresholds.MuchIdle*spent {
		idle = 100 * pes.IdleSeconds / spent
	}
	switch {
	case pes.got.lacked(st.Runtime) && st.Runtime >= tooShort:
		add("%s", pes.got.remark(st.TotalPEs, st.Runtime, idle))
	case limit != "":
		add("%s", limit)
	case idle > 0:
		advice := "use fewer PEs (--pes), or place LPs that load them alike (Config.Mapping)"
		if !set.MovesKPs() && !set.Sequential() {
			advice = "let KPs move to PEs with less work (--balance=on), " + advice
		}
		if !pes.got.known() {
			advice += "; or other programs use the processors"
		}
		add("PEs were idle %.0f %% of the time: %s", idle, advice)
	}
	return found
}

// shortOfMemory says that it was, and whether buffers of the instrumentation take much of the limit.
func shortOfMemory(shortages, buffers, limit uint64) string {
	text := "memory was short, which slows optimism down: raise --max-memory"
	if shortages > 0 && buffers > limit/buffersShare {
		text += fmt.Sprintf(", or collect less: buffers of the instrumentation take up to %s of %s (--buffer-size)", report.Binary(buffers), report.Binary(limit))
	}
	return text
}

// roundedDown returns x, or a number of two digits that is less, for an option.
func roundedDown(x float64) float64 {
	digits, exponent, found := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if !found || x < 0 {
		return x
	}
	y, err := strconv.ParseFloat(digits[:min(len(digits), len("1.2"))]+"e"+exponent, 64)
	if err != nil {
		return x
	}
	return y
}

// Short reports whether the report is the short one.
func (s *Engine) Short() bool { return s.Set.ShortReport }

// printStart prints the line before the first event under the scheduler of a number.
func (s *Engine) printStart(synch int) {
	if !s.Short() {
		s.Printf("%s", report.StartLine(synch))
	}
}

// newProgress returns the lines that are printed while the run goes on.
func (s *Engine) newProgress(interval float64) *report.Progress {
	if s.Short() || s.NoProgress {
		interval = 0
	}
	return report.NewProgress(s.Set.End, interval)
}

const verdictLabel = "Check of rollback: "

// verdict returns what a check of rollback has shown, or "" for other schedulers and after an error.
func (s *Engine) verdict(ok bool) string {
	c := s.Locals[0].check
	switch {
	case c == nil || !ok:
		return ""
	case c.Checked == 0:
		return verdictLabel + "nothing: the model has no event before the end"
	}
	events := report.Count(c.Checked, "event")
	if s.Set.Synch == settings.SynchCheck {
		return verdictLabel + events + " rolled back and handled again, one by one: no difference"
	}
	text := verdictLabel + events + " rolled back, after all had been handled: no difference"
	if s.partly {
		text += "; later ones were not tried, since memory was full (--max-memory)"
	}
	return text
}
