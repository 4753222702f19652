// This file owns the short report: what ran and how it went, in about ten lines.

package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Short is what the short report has in addition to the figures of Summary.
type Short struct {
	Program        string   // its name
	Scheduler      string   // as --synch accepts it
	Chosen         string   // which scheduler ran, and why, if not the one that was asked for; or ""
	Failed         bool     // an error or a signal ended the run
	RollbackLength float64  // events undone by a rollback, mean
	GVTShare       float64  // of GVT in the time of a PE, the largest, 0 to 1
	Peak           uint64   // bytes used at most, the sum over the ranks
	Limit          uint64   // bytes that all ranks may use
	Balance        string   // what moved between PEs, or ""
	Placement      string   // which processors the PEs were bound to, or ""
	Check          string   // what --synch=4 or 6 has shown, or ""
	Remarks        []string // each a sentence
}

// WriteShort writes the short report. Figures that mean nothing under the scheduler are left out: a
// sequential run has no rollbacks, and --synch=4 neither commits events nor has a digest.
func WriteShort(w io.Writer, s *Summary, x *Short) error {
	var r report
	line := func(label, format string, args ...any) {
		r.printf("%-11s %s\n", label, wrapped(fmt.Sprintf(format, args...)))
	}
	undoes := s.Synch == 3 || s.Synch == 5 || s.Synch == auto && s.EventsRolledBack > 0
	line("Run", "%s: %s on %s of %s, %s (--synch=%s), until time %s", x.Program, Count(s.TotalLPs, "LP"),
		Count(s.TotalPEs, "PE"),
		Count(max(s.Ranks, 1), "rank"), modeName(s.Synch), x.Scheduler, strconv.FormatFloat(s.End, 'g', -1, 64))
	if x.Chosen != "" {
		line("Scheduler", "%s", x.Chosen)
	}
	if x.Failed {
		line("Ended", "before that time, by an error or a signal: the figures are those up to there")
	}
	if s.Synch != debugRun {
		line("Rate", "%s net events/s, in %.4f s", grouped(uint64(math.Round(s.EventRate()))), s.Runtime)
		line("Net events", "%s, of %s processed", Count(s.NetEvents(), "event"), grouped(s.EventsProcessed))
	}
	if undoes {
		ended := ""
		if s.EventsUndecided > 0 {
			ended = ", and " + grouped(s.EventsUndecided) + " not decided when the run ended"
		}
		line("Efficiency", "%.2f %%: %s rolled back%s", s.Efficiency(), Count(s.EventsRolledBack-s.EventsUndecided, "event"),
			ended)
		line("Rollbacks", "%s: %s by stragglers, %s by cancelled events; %.1f events each", grouped(s.RollBacks()),
			grouped(s.PrimaryRollBacks), grouped(s.SecondaryRollBacks), x.RollbackLength)
	}
	if s.NumGVT > 0 {
		line("GVT", "%s, %.1f %% of the time of a PE at most", Count(s.NumGVT, "computation"), 100*x.GVTShare)
	}
	if x.Balance != "" {
		line("Balance", "%s", x.Balance)
	}
	if x.Placement != "" {
		line("Placement", "%s", x.Placement)
	}
	ranks := ""
	if s.Ranks > 1 {
		ranks = " on all ranks"
	}
	line("Memory", "%s used at most%s, of %s", Binary(x.Peak), ranks, Binary(x.Limit))
	if s.Digest != nil && s.Synch != debugRun {
		states := "none of states"
		if s.StateDigest != nil {
			states = formatDigest(*s.StateDigest) + " of final states"
		}
		line("Digest", "%s of committed events, %s", formatDigest(*s.Digest), states)
	}
	if x.Check != "" {
		line("Check", "%s", x.Check)
	}
	for _, remark := range x.Remarks {
		line("Remark", "%s", remark)
	}
	return r.writeTo(w)
}

// shortWidth is the number of characters of a line of the short report, at most, apart from words that are longer.
const shortWidth = 100

// wrapped breaks a text into lines, with the following ones below the first, which stands behind a label.
func wrapped(text string) string {
	const indent = "            "
	var b strings.Builder
	at := len(indent)
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > shortWidth:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// modeName returns the name of the scheduler with a number.
func modeName(synch int) string {
	switch synch {
	case 2:
		return "conservative"
	case 3:
		return "optimistic"
	case debugRun:
		return "optimistic debug"
	case 5:
		return "optimistic with GVT by real time"
	case checkRun:
		return "sequential with a check of rollback"
	case auto:
		return "with a scheduler chosen while it ran"
	}
	return "sequential"
}

// Count returns a number with its noun: "1 LP", "2,000 LPs".
func Count(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n) + " " + what
}

// grouped returns a number with commas between groups of three digits.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var text strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			text.WriteByte(',')
		}
		text.WriteRune(d)
	}
	return text.String()
}

// Binary returns a number of bytes with a unit.
func Binary(bytes uint64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	v, i := float64(bytes), 0
	for ; v >= 1024 && i < len(units)-1; i++ {
		v /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}
