// This file owns Counts, the counters and times of a PE, and Account: how it spent its time.

package meter

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/num/counters"
	"github.com/ross-go/ross/report/figures"
)

// Counts are the figures of a PE. Most are updated once per batch or GVT.
type Counts struct {
	Totals
	// What is sampled.
	Settles          Sampler
	Encodes, Applies Sampler // deltas
	LZ4s             Sampler // uses of LZ4, parts of these
	Takes, Frees     Sampler // blocks of the buddy pool
	Records          Sampler // of the event trace
	Arrivals, Finds  Sampler // entries into the index of what other ranks send, and searches of its newest

	Moved uint64 // words of histories, updated when one grows or shrinks
}

// Totals are the figures of a PE that are plain numbers.
type Totals struct {
	Processed          uint64 `merge:"sum"`
	Undone, Committed  uint64
	Aborted, Ties      uint64
	Lost               uint64 // events from the one on in which the model failed, which are not undone
	Primary, Secondary uint64 `merge:"sum"`

	GVTs, Forced, Fossils uint64
	Shortages, Narrowed   uint64     `merge:"sum"`
	Ignored               uint64     `merge:"sum"` // events of suspended LPs, less those undone
	Lengths               [33]uint64 `merge:"sum"` // rollbacks by length, in powers of two
	Rolled                uint64     `merge:"sum"` // events that they undid
	Uncommitted           int        `merge:"max"` // most at a GVT
	// bytes of states, messages and blocks saved for undoing, set at the end
	Saved uint64 `merge:"sum"`

	// Sends undone; of these to other PEs; and by anti-messages.
	Cancelled uint64 `merge:"sum"`
	Unsent    uint64
	Antis     uint64 `merge:"sum"`

	// Phases, and the sum of them.
	GVTSeconds, FossilSeconds, SettleSeconds, UndoSeconds, PurgeSeconds float64
	ReadSeconds, SendSeconds, AbortSeconds                              float64 // the first two in rounds of GVT
	IdleSeconds                                                         float64 `merge:"sum"`
	HookSeconds                                                         float64 `merge:"max"`
	WriteSeconds, SampleSeconds                                         float64
	Timed                                                               float64
	SweepSeconds, TreeSeconds                                           float64 // of that index, within others
	InitSeconds                                                         float64 // before the run
	StoreSeconds                                                        float64 // copying for checkpoints, within others

	// Deltas, and their memory and that of models, within others; set at the end.
	SavingSeconds float64 `merge:"sum"`

	SampledSettle, SampledCancel float64 // of SettleSeconds, and of that for cancelled events

	// The index of what other ranks send, set at the end: searches, of these those in its trees, the most entries at
	// once, and the most of them in trees.
	Searches, TreeSearches uint64 `merge:"sum"`
	Indexed, InTrees       uint64 `merge:"max"`

	// Delays of what was sent to other PEs.
	Remote               uint64    `merge:"sum"` // all
	NetRemote, NetUnsent uint64    // those to other ranks, and of these undone
	Reads                uint64    // events from other PEs
	Beyond               [3]uint64 // sends past the end, by delayKind
	LeastOffset          float64   `merge:"min"`
	SumOffset            float64   `merge:"sum"`
	TopOffset            float64   `merge:"max"`
	LeastWindow          int       `merge:"min"` // events
}

// Unlimited is a window of optimism without an end, events.
const Unlimited = math.MaxInt32

// NewCounts returns the figures of a PE before it has counted anything.
func NewCounts() Counts {
	return Counts{Totals: Totals{LeastOffset: math.MaxFloat64, LeastWindow: Unlimited}}
}

// RoundSeconds returns the time of GVT rounds, including the use of the rings in them.
func (c *Totals) RoundSeconds() float64 { return c.GVTSeconds + c.ReadSeconds + c.SendSeconds }

// Offset counts the delay of an event sent to another PE.
func (c *Totals) Offset(delay float64) {
	c.Remote++
	c.SumOffset += delay
	c.LeastOffset = min(c.LeastOffset, delay)
	c.TopOffset = max(c.TopOffset, delay)
}

// LPCounts are the counters of each LP, kept on request.
type LPCounts struct {
	Aborted, Undone, Sends, Reads uint64
}

// totals merges Totals: sums, or extremes where a sum has no meaning.
var totals = counters.Of[Totals]()

// AddTo adds the figures of a PE to those of all PEs, as in the report.
func (p *Totals) AddTo(c *Totals) { totals.Merge(c, p) }

// Histogram states how many rollbacks undid 1, 2 to 3, 4 to 7, ... events.
func (c *Totals) Histogram() string {
	var parts []string
	for i, n := range c.Lengths {
		if i == 0 || n == 0 {
			continue
		}
		from, to := uint64(1)<<(i-1), uint64(1)<<i-1
		if from == to {
			parts = append(parts, fmt.Sprintf("%d: %d", from, n))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d: %d", from, to, n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Account: how a PE spent its time.

// Account is how a PE spent its time until the last reading. Each reading settles the
// estimates, so that times only grow, and the times of the intervals between readings add
// up to those of the run.
type Account struct {
	times                   figures.PhaseTimes
	whole, timed, settle    float64
	queue, read, send       float64 // estimates at the last reading
	reading, sending        float64 // settled figures
	cancelling, tracing     float64
	deltas, blocks, records float64
	index                   float64
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
// samples, and wrote them, they add up to the whole. AVL, LZ4, Deltas, Buddy and the tracing in
// InstComp are parts of them. reading and sending are the estimates for its channels
// outside of rounds of GVT; created is when the simulation was made. Times must only be
// called between phases.
func (a *Account) Times(c *Counts, clock *PhaseClock, reading, sending float64, created time.Time) figures.PhaseTimes {
	t := &a.times
	whole := grow(&a.whole, clock.Elapsed())
	timed := grow(&a.timed, c.Timed)
	settled := grow(&a.settle, c.SettleSeconds)
	t.Init, t.RIOLPInit = clock.Begin.Sub(created).Seconds(), c.InitSeconds
	t.GVT, t.FossilCollect, t.EventAbort, t.InstWrite = c.GVTSeconds, c.FossilSeconds, c.AbortSeconds, c.WriteSeconds
	t.Trees = c.TreeSeconds
	t.AVL += min(grow(&a.index, c.indexSeconds()), whole)
	cancelling := settled * c.cancelShare()
	a.cancelling += cancelling
	t.EventCancel = c.PurgeSeconds + a.cancelling
	t.PrimaryRollback = c.UndoSeconds + c.SettleSeconds - a.cancelling
	t.Deltas += min(grow(&a.deltas, c.Encodes.Total()+c.Applies.Total()), whole)
	t.LZ4 = max(t.LZ4, min(c.LZ4s.Total(), t.Deltas)) // LZ4 is a part of them
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

// indexSeconds returns the time of the index of what other ranks send.
func (c *Counts) indexSeconds() float64 {
	return c.Arrivals.Total() + c.Finds.Total() + c.SweepSeconds + c.TreeSeconds
}

// cancelShare returns the part of the time of rollbacks that was due to cancelled events.
func (c *Counts) cancelShare() float64 {
	if c.SampledSettle <= 0 {
		return 0
	}
	return min(max(c.SampledCancel/c.SampledSettle, 0), 1)
}
