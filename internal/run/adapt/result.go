// This file owns Result: what moved, and what keeps the PEs from being loaded alike, for the report.

package adapt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/output/findings"
	"github.com/ross-go/ross/report"
)

// Result is what a balance did in the process. Shares are of the work of the process: the time that its
// events take.
type Result struct {
	Moves         uint64    // KPs moved
	Times         uint64    // times that KPs moved
	First         []float64 // share of each PE when first measured; nil: never, since the PEs were loaded alike
	Latest        []float64 // share of each PE that handles events, as the last plan leaves it
	SerialSeconds float64   // seconds that one PE handled all events
	Active        int       // PEs that handled events at the end
	// The LP and the KP with most work when last measured. KP is its number on PE KPPE of the mapping.
	LP, KP, KPPE     uint64
	LPShare, KPShare float64
	// KeepsPEs says that KPs that the mapping gives to one PE stay together, and KPShare is that of all of them:
	// a conservative run may move single KPs only if the types of all LPs say their Lookahead.
	KeepsPEs bool
}

// Limit returns what keeps the work of the process from being spread: an LP, or KPs that stay together, with
// clearly more than their share of a PE. The PEs cannot be more than 1/share times as fast as one. what is ""
// if there is no such limit.
func (b *Result) Limit() (what string, share float64, isLP bool) {
	if len(b.Latest) < 2 || slices.Max(b.Latest)*float64(len(b.Latest)) < findings.Hot {
		return "", 0, false
	}
	switch n := float64(len(b.Latest)); {
	case b.LPShare*n >= findings.Hot:
		return fmt.Sprintf("LP %d", b.LP), b.LPShare, true
	case b.KPShare*n >= findings.Hot && b.KeepsPEs:
		return fmt.Sprintf("PE %d", b.KPPE), b.KPShare, false
	case b.KPShare*n >= findings.Hot:
		return fmt.Sprintf("KP %d of PE %d", b.KP, b.KPPE), b.KPShare, false
	}
	return "", 0, false
}

// Confirm takes back what a measurement, which is short, said of the busiest LP and KP if it does not hold for
// the whole run. lp and kp are their shares in that.
func (b *Result) Confirm(lp, kp float64) {
	b.LPShare, b.KPShare = min(b.LPShare, lp), min(b.KPShare, kp)
}

// Figures returns the lines of the report about balance.
func (b *Result) Figures(ranks int) (all []report.Figure) {
	add := func(label, format string, args ...any) {
		if ranks > 1 {
			label += ", on Rank 0"
		}
		all = append(all, report.Figure{Label: label, Value: fmt.Sprintf(format, args...)})
	}
	add("KPs Moved to Other PEs, Times", "%d, %d", b.Moves, b.Times)
	if b.First != nil {
		add("Largest Share of a PE in the Work: First, Latest", "%.3f, %.3f", slices.Max(b.First), slices.Max(b.Latest))
		if len(b.First) <= mostShares {
			add("Shares of the PEs in the Work, First", "%s", sharesText(b.First))
			add("Shares of the PEs in the Work, Latest", "%s", sharesText(b.Latest))
		}
	}
	if b.LPShare > 0 {
		add("Busiest LP, Its Share of the Work", "%d, %.3f", b.LP, b.LPShare)
	}
	add("PEs That Handle Events, at the End", "%d", b.Active)
	if b.SerialSeconds > 0 {
		add("One PE Alone, as in a Sequential Run (seconds)", "%.4f", b.SerialSeconds)
	}
	return all
}

// mostShares is the largest number of PEs whose shares the report lists. run.json has all.
const mostShares = 8

func sharesText(all []float64) string {
	text := make([]string, len(all))
	for i, x := range all {
		text[i] = strconv.FormatFloat(x, 'f', 3, 64)
	}
	return strings.Join(text, ", ")
}

// Short returns the line of the short report about balance, or "" if nothing happened.
func (b *Result) Short() string {
	var parts []string
	if b.Moves > 0 {
		parts = append(parts, fmt.Sprintf("%s moved to other PEs, %s", report.Count(b.Moves, "KP"), times(b.Times)))
	}
	if b.SerialSeconds > 0 {
		parts = append(parts, fmt.Sprintf("one PE handled all events for %.2g s", b.SerialSeconds))
	}
	if b.First != nil && b.Moves > 0 {
		parts = append(parts, fmt.Sprintf("the largest share of the work went from %.0f to %.0f %%", 100*slices.Max(b.First),
			100*slices.Max(b.Latest)))
	}
	return strings.Join(parts, "; ")
}

// times returns "once", or how many times.
func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Remark returns what the short report says about balance, or "".
func (b *Result) Remark() string {
	what, share, isLP := b.Limit()
	switch {
	case what == "":
		return ""
	case isLP:
		return fmt.Sprintf(
			"%s has %.0f %% of the work, and its events follow one another: PEs cannot be more than %.1f times as fast as one; split it into several LPs",
			what, 100*share, 1/share)
	}
	if b.KeepsPEs {
		return fmt.Sprintf(
			"%s has %.0f %% of the work, and its KPs cannot move: let all types of LPs say their lookahead (Type.Lookahead)",
			what, 100*share)
	}
	return fmt.Sprintf("%s has %.0f %% of the work, and its LPs stay together: give each PE more KPs (--nkp)", what,
		100*share)
}
