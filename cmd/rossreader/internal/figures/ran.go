// This file owns the figures that run.json has.

package figures

import (
	"math"

	"github.com/ross-go/ross/instr"
)

// known is a figure of the run itself.
type known struct {
	name, unit string
	of         figureOf
}

// figureOf computes a figure of a run, NaN if the run has none.
type figureOf = func(i *instr.RunInfo, r *instr.RunResult) float64

// percentOf returns a time as a share of that of all PEs, in percent.
func percentOf(seconds float64, i *instr.RunInfo, r *instr.RunResult) float64 {
	if all := r.Runtime * float64(i.PEs); all > 0 {
		return 100 * seconds / all
	}
	return math.NaN()
}

// ofProcessors returns a figure of runs whose share of the processors is known.
func ofProcessors(
	of func(p *instr.RunProcessors, i *instr.RunInfo, r *instr.RunResult) float64,
) figureOf {
	return func(i *instr.RunInfo, r *instr.RunResult) float64 {
		if r.Processors == nil {
			return math.NaN()
		}
		return of(r.Processors, i, r)
	}
}

// ofBalance returns a figure of runs whose KPs moved.
func ofBalance(of func(b *instr.RunBalance) float64) figureOf {
	return func(_ *instr.RunInfo, r *instr.RunResult) float64 {
		if r.Balance == nil {
			return math.NaN()
		}
		return of(r.Balance)
	}
}

func count(of func(r *instr.RunResult) uint64) figureOf {
	return func(_ *instr.RunInfo, r *instr.RunResult) float64 { return float64(of(r)) }
}

// ofTheRun are the figures, that which a page draws at first before the others.
var ofTheRun = []known{
	{"Net events a second", "events/s", func(_ *instr.RunInfo, r *instr.RunResult) float64 { return r.EventRate }},
	{"Run time", "s", func(_ *instr.RunInfo, r *instr.RunResult) float64 { return r.Runtime }},
	{"Time from begin to end", "s", func(i *instr.RunInfo, _ *instr.RunResult) float64 {
		if i.End.IsZero() || i.Begin.IsZero() {
			return math.NaN()
		}
		return i.End.Sub(i.Begin).Seconds()
	}},
	{"Efficiency", "%", func(_ *instr.RunInfo, r *instr.RunResult) float64 { return r.Efficiency }},
	{"Net events", "", count(func(r *instr.RunResult) uint64 { return r.NetEvents })},
	{"Events handled", "", count(func(r *instr.RunResult) uint64 { return r.Processed })},
	{"Events rolled back", "", count(func(r *instr.RunResult) uint64 { return r.RolledBack })},
	{"Events aborted", "", count(func(r *instr.RunResult) uint64 { return r.Aborted })},
	{"Rollbacks", "", count(func(r *instr.RunResult) uint64 { return r.Primary + r.Secondary })},
	{"Primary rollbacks", "", count(func(r *instr.RunResult) uint64 { return r.Primary })},
	{"Secondary rollbacks", "", count(func(r *instr.RunResult) uint64 { return r.Secondary })},
	{"GVTs", "", count(func(r *instr.RunResult) uint64 { return r.GVTs })},
	{"Forced GVTs", "", count(func(r *instr.RunResult) uint64 { return r.ForcedGVTs })},
	{"All-reduces for GVT", "", count(func(r *instr.RunResult) uint64 { return r.AllReduces })},
	{"Events sent to other PEs", "", count(func(r *instr.RunResult) uint64 { return r.RemoteSends })},
	{"Messages sent to other ranks", "", count(func(r *instr.RunResult) uint64 { return r.NetworkSends })},
	{"Idle share of the PEs", "%", func(i *instr.RunInfo, r *instr.RunResult) float64 {
		return percentOf(r.IdleSeconds, i, r)
	}},
	{"Share of saving states", "%", func(i *instr.RunInfo, r *instr.RunResult) float64 {
		return percentOf(r.SavingSeconds, i, r)
	}},
	{"Memory peak", "bytes", count(func(r *instr.RunResult) uint64 { return r.MemoryPeak })},
	{"Memory at the end", "bytes", count(func(r *instr.RunResult) uint64 { return r.MemoryBytes })},
	{"Memory shortages", "", count(func(r *instr.RunResult) uint64 { return r.Shortages })},
	{"Processors got", "", ofProcessors(func(p *instr.RunProcessors, _ *instr.RunInfo, r *instr.RunResult) float64 {
		return p.Seconds / r.Runtime // not a number if both are 0
	})},
	{"Share of time without a processor", "%", ofProcessors(func(
		p *instr.RunProcessors, i *instr.RunInfo, r *instr.RunResult,
	) float64 {
		return percentOf(p.Waited, i, r)
	})},
	{"Times that PEs lost a processor", "", ofProcessors(func(
		p *instr.RunProcessors, _ *instr.RunInfo, _ *instr.RunResult,
	) float64 {
		return float64(p.Preempted)
	})},
	{"KPs moved", "", ofBalance(func(b *instr.RunBalance) float64 { return float64(b.Moves) })},
	{"Time of one PE alone", "s", ofBalance(func(b *instr.RunBalance) float64 { return b.Alone })},
}

// handling is the measure of a type of message: what an event takes.
const handling = "time of an event"
