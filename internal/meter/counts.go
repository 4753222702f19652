// This file owns Counts, the counters and times of a PE.

package meter

import (
	"fmt"
	"math"
	"strings"
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

	Moved uint64 // words of histories, updated when one grows or shrinks
}

// Totals are the figures of a PE that are plain numbers.
type Totals struct {
	Processed, Undone, Committed uint64
	Aborted, Ties                uint64
	Lost                         uint64 // events from the one on in which the model failed, which are not undone
	Primary, Secondary           uint64
	GVTs, Forced, Fossils        uint64
	Shortages, Narrowed          uint64
	Ignored                      uint64     // events of suspended LPs, less those undone
	Lengths                      [33]uint64 // rollbacks by length, in powers of two
	Rolled                       uint64     // events that they undid
	Uncommitted                  int        // most at a GVT
	Saved                        uint64     // bytes of states, messages and blocks saved for undoing, set at the end

	Cancelled, Unsent, Antis uint64 // sends undone; of these to other PEs; and by anti-messages

	// Phases, and the sum of them.
	GVTSeconds, FossilSeconds, SettleSeconds, UndoSeconds, PurgeSeconds float64
	ReadSeconds, SendSeconds, AbortSeconds, IdleSeconds                 float64 // the first two in rounds of GVT
	HookSeconds, WriteSeconds, SampleSeconds                            float64
	Timed                                                               float64
	AVLSeconds                                                          float64 // of the index of events from other ranks
	InitSeconds                                                         float64 // before the run
	StoreSeconds                                                        float64 // copying for checkpoints, within others
	SavingSeconds                                                       float64 // deltas, and their memory and that of models, within others; set at the end

	SampledSettle, SampledCancel float64 // of SettleSeconds, and of that for cancelled events

	// Delays of what was sent to other PEs.
	Remote, NetRemote, NetUnsent      uint64    // all; those to other ranks, and of these undone
	Reads                             uint64    // events from other PEs
	Beyond                            [3]uint64 // sends past the end, by delayKind
	LeastOffset, SumOffset, TopOffset float64
	LeastWindow                       int // events
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

// AddTo adds the figures of a PE to those of all PEs, as in the report: sums, or extremes where a
// sum has no meaning.
func (p *Totals) AddTo(c *Totals) {
	c.Cancelled += p.Cancelled
	c.Antis += p.Antis
	c.Rolled += p.Rolled
	c.Processed += p.Processed
	c.Saved += p.Saved
	c.SavingSeconds += p.SavingSeconds
	c.HookSeconds = max(c.HookSeconds, p.HookSeconds)
	c.Primary += p.Primary
	c.Secondary += p.Secondary
	c.Ignored += p.Ignored
	c.Remote += p.Remote
	c.Shortages += p.Shortages
	c.Narrowed += p.Narrowed
	c.IdleSeconds += p.IdleSeconds
	c.SumOffset += p.SumOffset
	c.LeastOffset = min(c.LeastOffset, p.LeastOffset)
	c.TopOffset = max(c.TopOffset, p.TopOffset)
	c.Uncommitted = max(c.Uncommitted, p.Uncommitted)
	c.LeastWindow = min(c.LeastWindow, p.LeastWindow)
	for i, n := range p.Lengths {
		c.Lengths[i] += n
	}
}

// Histogram says how many rollbacks undid 1, 2 to 3, 4 to 7, ... events.
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
