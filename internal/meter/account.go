// This file owns Account: how a PE spent its time.

package meter

import (
	"time"

	"github.com/ross-go/ross/report"
)

// Account is how a PE spent its time until the last reading. Each reading settles the
// estimates, so that times only grow, and the times of the intervals between readings add
// up to those of the run.
type Account struct {
	times                   report.PhaseTimes
	whole, timed, settle    float64
	queue, read, send       float64 // estimates at the last reading
	reading, sending        float64 // settled figures
	cancelling, tracing     float64
	deltas, blocks, records float64
	lz4s                    float64
}

// grow raises a figure of the account to its current value, and returns the increase.
func grow(of *float64, to float64) float64 {
	d := max(to-*of, 0)
	*of += d
	return d
}

// Times returns the seconds of a PE until now. The times of PQ, EventProcess, EventCancel,
// EventAbort, GVT, FossilCollect, PrimaryRollback, NetRead and NetOther are of different
// parts of its run: together with the times when it was idle, in the GVT hook, took
// samples, and wrote them, they add up to the whole. LZ4, Deltas, Buddy and the tracing in
// InstComp are parts of them. reading and sending are the estimates for its channels
// outside of rounds of GVT; created is when the simulation was made. Times must only be
// called between phases.
func (a *Account) Times(c *Counts, clock *PhaseClock, reading, sending float64, created time.Time) report.PhaseTimes {
	t := &a.times
	whole := grow(&a.whole, clock.Elapsed())
	timed := grow(&a.timed, c.Timed)
	settled := grow(&a.settle, c.SettleSeconds)
	t.Init, t.RIOLPInit = clock.Begin.Sub(created).Seconds(), c.InitSeconds
	t.GVT, t.FossilCollect, t.EventAbort, t.InstWrite = c.GVTSeconds, c.FossilSeconds, c.AbortSeconds, c.WriteSeconds
	t.AVL = c.AVLSeconds
	cancelling := settled * c.cancelShare()
	a.cancelling += cancelling
	t.EventCancel = c.PurgeSeconds + a.cancelling
	t.PrimaryRollback = c.UndoSeconds + c.SettleSeconds - a.cancelling
	t.LZ4 += min(grow(&a.lz4s, c.LZ4s.Total()), whole)
	t.Deltas += min(grow(&a.deltas, c.Encodes.Total()+c.Applies.Total()), whole)
	t.Buddy += min(grow(&a.blocks, c.Takes.Total()+c.Frees.Total()), whole)
	a.tracing += min(grow(&a.records, c.Records.Total()), whole)
	t.InstComp = a.tracing + c.SampleSeconds
	// Estimates cannot exceed the time that was not measured.
	left := max(whole-timed, 0)
	queue, read, send := grow(&a.queue, clock.Refills.Total()), grow(&a.read, reading), grow(&a.send, sending)
	sum := queue + read + send
	if sum > left {
		scale := left / sum
		queue, read, send, sum = queue*scale, read*scale, send*scale, left
	}
	t.PQ += queue
	a.reading += read
	a.sending += send
	t.NetRead, t.NetOther = c.ReadSeconds+a.reading, c.SendSeconds+a.sending
	t.EventProcess += left - sum
	return *t
}

// cancelShare returns the part of the time of rollbacks that was due to cancelled events.
func (c *Counts) cancelShare() float64 {
	if c.SampledSettle <= 0 {
		return 0
	}
	return min(max(c.SampledCancel/c.SampledSettle, 0), 1)
}
