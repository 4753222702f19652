// This file owns how a run is timed: phases, each charged with what no phase
// within it took, and operations too short and too many for that, of which some
// are timed and stand for the others.

package ross

import (
	"github.com/ross-go/ross/report"
	"slices"
	"sync"
	"time"
)

// phase is a part of the engine that is timed each time it runs.
type phase struct {
	begin  time.Time
	within float64 // counts.timed at its begin
}

// enter begins a phase.
func (c *counts) enter() phase { return phase{time.Now(), c.timed} }

// leave ends a phase. Its time less that of the phases within it goes to a
// total, so that the totals of a PE add up to what was timed.
func (c *counts) leave(p phase, total *float64) {
	d := max(since(p.begin)-(c.timed-p.within), 0)
	*total += d
	c.timed += d
}

// sampler estimates the time that operations of a kind take. Each that is timed
// stands for those since the one before. The gaps are random, so that a model
// with a rhythm does not show one beat of it only, and short at first, so that a
// run with few operations has an estimate too.
type sampler struct {
	n, last, next uint64 // operations; the one timed last; the one to be timed next
	seconds       float64
	dice          uint64
	at            time.Time // when the last one ended
}

// due counts an operation. It reports whether that is to be timed: weigh or add
// has to follow then.
func (s *sampler) due() bool {
	s.n++
	return s.n >= s.next
}

// start counts an operation. It returns the time if that is to be timed, and a
// zero one otherwise, for add.
func (s *sampler) start() (begin time.Time) {
	if s.due() {
		begin = time.Now()
	}
	return begin
}

// weigh returns how many operations the current one stands for, and draws which
// is next: every so many on average.
func (s *sampler) weigh(every uint64) float64 {
	gap := s.n - s.last
	s.dice = s.dice*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	s.last = s.n
	s.next = s.n + 1 + (s.dice>>33)%(2*min(s.n/4+1, every)-1)
	return float64(gap)
}

// add adds an operation that began at a time, unless that is zero, and ends now. Those that it stands
// for have taken no longer than what has passed since the one before: without
// that, one that lost its processor for a while would outweigh all.
func (s *sampler) add(begin time.Time, every uint64) {
	if begin.IsZero() {
		return
	}
	now := time.Now()
	d := s.weigh(every) * (now.Sub(begin).Seconds() - clockCost())
	if !s.at.IsZero() {
		d = min(d, now.Sub(s.at).Seconds())
	}
	s.seconds += d
	s.at = now
}

// total returns the seconds of all operations.
func (s *sampler) total() float64 {
	if s.last == 0 {
		return 0
	}
	return max(s.seconds*float64(s.n)/float64(s.last), 0)
}

// How many operations there are for each one that is timed.
const (
	sampleEvery  = 32  // windows of the queue; bursts of a sequential run
	sampleSettle = 8   // times that rollbacks are carried out
	sampleDeltas = 512 // deltas; blocks of memory; records of a trace
)

// clockCost returns the seconds between two readings of the clock with nothing
// between them: more than some of what is timed takes.
var clockCost = sync.OnceValue(func() float64 {
	var costs [101]float64
	for i := range costs {
		costs[i] = since(time.Now())
	}
	slices.Sort(costs[:])
	return costs[len(costs)/2]
})

// account is where the time of a PE went, up to when it was last looked at. What is
// estimated is settled each time, so that times only grow, and those of the
// intervals between two looks add up to those of the run.
type account struct {
	report.PhaseTimes
	whole, timed, settle    float64
	queue, read, send       float64 // estimates, as they were
	reading, sending        float64 // what became of them
	cancelling, tracing     float64
	deltas, blocks, records float64
}

// grow raises a figure of the account to what it is now, and returns by how much.
func grow(of *float64, to float64) float64 {
	d := max(to-*of, 0)
	*of += d
	return d
}

// times returns the seconds of a PE until now. Those of PQ, EventProcess, EventCancel,
// EventAbort, GVT, FossilCollect, PrimaryRollback, NetRead and NetOther are of
// different parts of its run: with the time when it had nothing to do, in the
// GVT hook, taking samples, and writing, they add up to the whole. LZ4, Buddy and
// the tracing in InstComp are within them. It is called between phases only.
func (pe *PE) times() report.PhaseTimes {
	c, a := &pe.counts, &pe.account
	pe.splitIdle()
	whole := grow(&a.whole, pe.clock.elapsed())
	timed := grow(&a.timed, c.timed)
	settled := grow(&a.settle, c.settleSeconds)
	a.Init, a.RIOLPInit = pe.clock.begin.Sub(pe.sim.created).Seconds(), c.initSeconds
	a.GVT, a.FossilCollect, a.EventAbort, a.InstWrite = c.gvtSeconds, c.fossilSeconds, c.abortSeconds, c.writeSeconds
	cancelling := settled * c.cancelShare()
	a.cancelling += cancelling
	a.EventCancel = c.purgeSeconds + a.cancelling
	a.PrimaryRollback = c.undoSeconds + c.settleSeconds - a.cancelling
	a.LZ4 += min(grow(&a.deltas, c.encodes.total()+c.applies.total()), whole)
	a.Buddy += min(grow(&a.blocks, c.takes.total()+c.frees.total()), whole)
	a.tracing += min(grow(&a.records, c.records.total()), whole)
	a.InstComp = a.tracing + c.sampleSeconds
	// Estimates cannot be more than what has not been measured.
	left := max(whole-timed, 0)
	queue, read, send := grow(&a.queue, pe.clock.refills.total()), grow(&a.read, pe.ch.drains.total()), grow(&a.send, pe.ch.flushes.total())
	sum := queue + read + send
	if sum > left {
		scale := left / sum
		queue, read, send, sum = queue*scale, read*scale, send*scale, left
	}
	a.PQ += queue
	a.reading += read
	a.sending += send
	a.NetRead, a.NetOther = c.readSeconds+a.reading, c.sendSeconds+a.sending
	a.EventProcess += left - sum
	return a.PhaseTimes
}

// cancelShare returns which part of the time of rollbacks was due to cancelled
// events.
func (c *counts) cancelShare() float64 {
	if c.sampledSettle <= 0 {
		return 0
	}
	return min(max(c.sampledCancel/c.sampledSettle, 0), 1)
}

// lpSeconds returns for each LP of a PE, by local index, the seconds in its
// handler: its part of EventProcess. Few of an LP's events are timed, often
// none, so that the mean of all LPs of its type counts as some of them.
func (pe *PE) lpSeconds() []float64 {
	const ofType = 4
	types := make([]struct{ seconds, timed float64 }, len(pe.sim.types))
	seconds, timed := 0.0, 0.0
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		t := &types[lp.typ.id]
		t.seconds += lp.seconds
		t.timed += float64(lp.timed)
		seconds += lp.seconds
		timed += float64(lp.timed)
	}
	mean := func(seconds, timed, otherwise float64) float64 {
		if timed > 0 && seconds > 0 {
			return seconds / timed
		}
		return otherwise
	}
	all := mean(seconds, timed, 1)
	shares, sum := make([]float64, len(pe.lpSlab)), 0.0
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		t := &types[lp.typ.id]
		typical := mean(t.seconds, t.timed, all)
		shares[i] = float64(lp.processed) * (max(lp.seconds, 0) + ofType*typical) / (float64(lp.timed) + ofType)
		sum += shares[i]
	}
	whole := pe.times().EventProcess
	for i := range shares {
		if sum > 0 {
			shares[i] *= whole / sum
		}
	}
	return shares
}
