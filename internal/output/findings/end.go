// This file owns what the short report says of a run that is over: its remarks, each with the option to change.

package findings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/report"
)

// End is what is known of a run at its end, without samples. What is not known is left at zero.
type End struct {
	*report.Summary
	Conservative, Sequential bool
	PEs, Cores               int     // of this process
	GVTShare                 float64 // of GVT in the time of a PE, the largest, 0 to 1
	IdleSeconds              float64 // sum over all PEs
	MovesKPs                 bool    // KPs move to PEs with less work
	Limits                   string  // what says that a part of the model limits the run, or ""

	Sent       uint64  // events to other PEs
	LeastDelay float64 // of these, in virtual time
	Lookahead  float64 // of a conservative run, --cons-lookahead

	Peak, Limit, Buffers uint64 // bytes: used at most, those that all ranks may use, and those of instrumentation
	RankLimit            uint64 // bytes, --max-memory
	Shortages            uint64 // times that PEs waited for memory

	Processors *ProcessorUse // nil: not known of all PEs
}

// ProcessorUse is what the PEs had of the processors, and for how long they waited for one, in seconds.
type ProcessorUse struct{ Had, Waited float64 }

const (
	tooShort     = 0.1 // seconds: a shorter run says little
	buffersShare = 20  // buffers that take such a part of the memory are worth a word when it is short
)

// Remarks returns what the figures alone say about the speed of the run, each a sentence.
func (e *End) Remarks() (found []string) {
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if e.Runtime < tooShort {
		add("a run of less than %g s says little about the rate: raise --end", tooShort)
	}
	if !e.Sequential && e.PEs > e.Cores {
		add("%d PEs share %d cores: --pes=%d is enough", e.PEs, e.Cores, e.Cores)
	}
	if e.RollBacks() > 0 && e.Efficiency() < LowEfficiency {
		add("much is undone: limit optimism (--max-opt-lookahead), or use fewer PEs (--pes)")
	}
	if ShortOfMemory(e.Peak, e.Limit, e.Shortages, e.EventsAborted) {
		add("%s", e.shortOfMemory())
	}
	if e.NumGVT > 0 && 100*e.GVTShare > MuchGVT && e.TotalPEs > 1 {
		add("GVT takes %.0f %% of the time: raise --gvt-interval (now %d)", 100*e.GVTShare, e.GVTInterval)
	}
	if e.Conservative && e.Sent > 0 && e.LeastDelay >= 2*e.Lookahead {
		add("events to other PEs have delays of %g or more: a lookahead near that needs fewer GVTs (--cons-lookahead=%g, now %g)",
			e.LeastDelay, roundedDown(e.LeastDelay), e.Lookahead)
	}
	if text := e.waiting(); text != "" {
		add("%s", text)
	}
	return found
}

// waiting says why the PEs waited, or what keeps the run from being faster, or "".
func (e *End) waiting() string {
	spent, idle := e.Runtime*float64(e.TotalPEs), 0.0
	if e.TotalPEs > 1 {
		idle = e.IdleSeconds
		if p := e.Processors; p != nil {
			_, ofRest := Charged(spent-idle, idle, p.Had, p.Waited)
			idle -= ofRest
		}
		if idle *= 100 / max(spent, math.SmallestNonzeroFloat64); idle <= MuchIdle {
			idle = 0
		}
	}
	switch {
	case e.Processors != nil && e.Runtime >= tooShort && LackedProcessors(e.Processors.Had, e.Processors.Waited,
		e.Runtime):
		return e.lackedProcessors(idle)
	case e.Limits != "":
		return e.Limits
	case idle > 0 && (e.Sequential || e.PEs <= e.Cores): // PEs that share processors wait for them in what looks idle
		advice := "use fewer PEs (--pes), or place LPs that load them alike (Config.Mapping)"
		if !e.MovesKPs && !e.Sequential {
			advice = "let KPs move to PEs with less work (--balance=on), " + advice
		}
		if e.Processors == nil {
			advice += "; or other programs use the processors"
		}
		return fmt.Sprintf("PEs were idle %.0f %% of the time: %s", idle, advice)
	}
	return ""
}

// lackedProcessors says that PEs lacked processors, and were idle for that share of the time, in percent, since they
// waited for each other.
func (e *End) lackedProcessors(idle float64) string {
	who := "the PEs"
	if e.TotalPEs == 1 {
		who = "the run"
	}
	text := fmt.Sprintf(
		"%s got %.1f of %s, and waited for %.1f more: other programs use them, or the process may use no more",
		who, e.Processors.Had/e.Runtime, report.Count(e.TotalPEs, "processor"), e.Processors.Waited/e.Runtime)
	if e.TotalPEs > 1 {
		text += "; use fewer PEs (--pes), or a machine that has them free"
	}
	if idle > 0 {
		text = fmt.Sprintf("PEs were idle %.0f %% of the time, and waited for each other: ", idle) + text
	}
	return text
}

// shortOfMemory says that it was, and whether buffers of the instrumentation take much of the limit.
func (e *End) shortOfMemory() string {
	text := "memory was short, which slows optimism down: raise --max-memory"
	if e.Shortages > 0 && e.Buffers > e.RankLimit/buffersShare {
		text += fmt.Sprintf(", or collect less: buffers of the instrumentation take up to %s of %s (--buffer-size)",
			report.Binary(e.Buffers), report.Binary(e.RankLimit))
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
