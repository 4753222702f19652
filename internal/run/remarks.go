// This file owns the short report: the figures that it needs besides those of report.Summary. Package findings judges
// them.

package run

import (
	"fmt"
	"strings"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/output/findings"
	"github.com/ross-go/ross/report"
)

// writeShort prints the short report.
func (s *Engine) writeShort(all *rankFigures, pes *sumFigures, ok bool, checked string) {
	st := s.Stats
	x := report.Short{Program: s.Program, Scheduler: fmt.Sprint(st.Synch), Chosen: s.Chosen, Failed: !ok,
		RollbackLength: float64(pes.Rolled) / float64(max(pes.Primary+pes.Secondary, 1)), GVTShare: pes.share,
		Peak: all.peak, Limit: all.limit, Check: strings.TrimPrefix(checked, checkLabel), Placement: s.Placement()}
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
func (s *Engine) remarks(all *rankFigures, pes *sumFigures) []string {
	set := &s.Set
	end := findings.End{Summary: &s.Stats, Conservative: set.Mode() == settings.Conservative, Sequential: set.Sequential(),
		PEs: len(s.Locals), Cores: s.Threads, GVTShare: pes.share, IdleSeconds: pes.IdleSeconds, MovesKPs: set.MovesKPs(),
		Sent: pes.Remote, LeastDelay: pes.LeastOffset, Lookahead: set.ConsLookahead,
		Peak: all.peak, Limit: all.limit, Buffers: s.inst.BufferBytes(), RankLimit: set.MaxMemory, Shortages: pes.Shortages}
	if b := s.OfBalance(); b != nil {
		end.Limits = b.Remark()
	}
	if got := &pes.got; got.known() {
		end.Processors = &findings.ProcessorUse{Had: got.seconds, Waited: got.waited}
	}
	return end.Remarks()
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

const checkLabel = "Check of rollback: "

// checked returns what a check of rollback has shown, or "" for other schedulers and after an error.
func (s *Engine) checked(ok bool) string {
	c := s.Locals[0].check
	switch {
	case c == nil || !ok:
		return ""
	case c.Checked == 0:
		return checkLabel + "nothing: the model has no event before the end"
	}
	events := report.Count(c.Checked, "event")
	if s.Set.Synch == settings.SynchCheck {
		return checkLabel + events + " rolled back and handled again, one by one: no difference"
	}
	text := checkLabel + events + " rolled back, after all had been handled: no difference"
	if s.partly {
		text += "; later ones were not tried, since memory was full (--max-memory)"
	}
	return text
}
