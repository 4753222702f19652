// This file owns pace: how far a PE of a parallel run may go before it asks for
// GVT, how far ahead of GVT, and with how many events that are not committed.

package ross

import (
	"math"
	"time"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/meter"
)

// pace is what a PE adapts while it runs. The window of optimism is counted in
// events, not in virtual time: in a model whose events share few times no
// distance in time is short enough, and what rollbacks cost is counted in events
// too. --max-opt-lookahead adds a window in virtual time.
type pace struct {
	interval int // events from one GVT to the next
	factor   int // interval in units of --gvt-interval * --batch
	since    int // events since the last GVT
	urgent   bool
	window   int // events that may be uncommitted
	most     int // that it may grow to
	allow    int // events that may be uncommitted for want of memory; unlimited normally

	// What the adaptation looks at: figures at its last step.
	processed, undone uint64
	paced             uint64 // processed, when the interval was looked at last
	gvtSeconds        float64
	at                time.Time

	nextGVT time.Time // --synch=5
	polls   int
}

const (
	firstFactor = 4       // of --gvt-interval * --batch: 1024 events by default
	mostFactor  = 64      // at most
	adaptEvents = 512     // events between adaptations of the window, at least
	paceEvents  = 1 << 16 // and of the interval
	leastWindow = 16      // events
	mostWindow  = 2048    // events, or two intervals, if that is more
	unlimited   = meter.Unlimited
	gvtShare    = 0.02 // of the time that GVT should not exceed
	mostUnsent  = 1024 // events for one PE that have not left, from which on a PE waits
	retryEvents = 64   // uncommitted events to begin with after memory was short
	clockEvery  = 8    // turns of the loop between looks at the clock (--synch=5)
)

// beginPace sets the pace of a run.
func (pe *PE) beginPace() {
	c := &pe.sim.cfg
	p := &pe.pace
	p.factor = 1
	if !c.FixedGVT {
		p.factor = firstFactor
	}
	p.allow = unlimited
	if pe.ch.worth = leastWorth; pe.mode != optimistic {
		pe.ch.worth = mostWorth
	}
	p.at = time.Now()
	p.nextGVT = p.at
	pe.setInterval()
	p.window = p.most
	pe.counts.LeastWindow = p.window
	pe.limitTime()
	if pe.mode == conservative {
		pe.horizon = 0 // what Init has sent may be under way, and may be for any time
	}
	if pe.mode == optimistic {
		pe.setReserve()
		pe.leaveMemory()
	}
}

func (pe *PE) setInterval() {
	c := &pe.sim.cfg
	n := c.GVTInterval
	if c.Synch != OptimisticRealTime {
		n = mulSat(mulSat(n, c.Batch), uint64(pe.pace.factor))
	}
	p := &pe.pace
	p.interval = int(min(n, math.MaxInt32/4))
	p.most = max(2*p.interval, mostWindow)
	if pe.far != nil {
		p.most = farWindow
		p.interval = min(p.interval, farWindow/2)
	}
	if pe.team.alone {
		p.most = unlimited
	}
}

func mulSat(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

// gvtDue reports whether the PE wants a new GVT after n more events.
func (pe *PE) gvtDue(n int) bool {
	p := &pe.pace
	p.since += n
	if pe.hook.ready || pe.hold != holdNone {
		return true
	}
	if pe.sim.cfg.Synch != OptimisticRealTime {
		return p.since >= p.interval
	}
	if p.polls++; p.polls < clockEvery {
		return false
	}
	p.polls = 0
	return p.since > 0 && time.Now().After(p.nextGVT)
}

// turn returns how many events the PE may handle in a turn of its loop, and sets
// the horizon accordingly. One that waits for the hook handles none.
func (pe *PE) turn() int {
	p := &pe.pace
	n := int(min(pe.sim.cfg.Batch, math.MaxInt32))
	if pe.mode != optimistic {
		return n
	}
	if pe.hook.ready {
		return 0
	}
	room := min(p.allow, p.window) - pe.uncommitted
	if pe.ch.jammed() || pe.far != nil && pe.far.jammed() {
		room, pe.stirred = 0, true
	}
	if room < n {
		if n = room; n <= 0 {
			pe.horizon = 0
			return 1
		}
	}
	return n
}

// jammed reports whether a receiver takes its events far more slowly than they are
// made. To make more, and then to undo them, would keep what GVT waits for ever
// further from the head of the line.
func (c *channels) jammed() bool {
	for _, to := range c.dirty {
		if len(c.out[to].unsent) > mostUnsent {
			return true
		}
	}
	return false
}

// limitTime sets the horizon after a new GVT.
func (pe *PE) limitTime() {
	switch {
	case pe.mode == conservative:
		if pe.horizon = pe.bound.Key.TS; !pe.early {
			pe.horizon = timeBits(pe.bound.Key.Time() + pe.sim.cfg.ConsLookahead)
		}
		if pe.hook.kind == hookAt { // what is beyond the hook cannot be taken back
			pe.horizon = min(pe.horizon, timeBits(pe.hook.sig.Time))
		}
	case pe.sim.cfg.MaxOptLookahead == math.MaxUint64:
		pe.horizon = never
	default:
		// An event at the very end belongs to the window, so that one of 0 lets
		// all events of one time go on.
		pe.horizon = timeBits(pe.bound.Key.Time()+float64(pe.sim.cfg.MaxOptLookahead)) + 1
	}
	pe.horizon = min(pe.horizon, pe.last)
}

// cross decides about an event at or beyond the horizon. It puts the event back
// if it has to wait.
func (pe *PE) cross(k event.Key, e *event.Event) bool {
	if k.TS >= pe.last {
		pe.q.PutBack(k)
		pe.held, pe.ended = true, true
		pe.stopBatch()
		return false
	}
	if k.TS >= pe.storeAt {
		pe.q.PutBack(k)
		pe.comesToStore()
		return false
	}
	if pe.mode == sequential {
		pe.reachHorizon(e)
		return pe.err == nil
	}
	if pe.isReached(e) {
		return true // nothing earlier can arrive: it is no speculation
	}
	pe.q.PutBack(k)
	pe.held = true
	pe.stopBatch()
	return false
}

// newPace adapts the pace after a GVT.
func (pe *PE) newPace() {
	p := &pe.pace
	p.since, p.urgent = 0, false
	if pe.sim.cfg.Synch == OptimisticRealTime {
		p.nextGVT = time.Now().Add(time.Duration(min(pe.sim.cfg.GVTInterval, 1<<40)) * time.Millisecond)
	}
	if p.allow != unlimited {
		p.allow += p.allow/4 + retryEvents
		if p.allow > 1<<24 {
			p.allow = unlimited
		}
	}
	if processed := pe.counts.Processed - p.processed; processed >= adaptEvents {
		if pe.mode == optimistic && !pe.team.alone {
			undone := min(pe.counts.Undone-p.undone, processed)
			pe.adaptWindow(float64(processed-undone) / float64(processed))
		}
		p.processed, p.undone = pe.counts.Processed, pe.counts.Undone
	}
	if pe.counts.Processed-p.paced >= paceEvents {
		pe.adaptInterval()
	}
	pe.limitTime()
}

// adaptInterval makes GVT as frequent as its cost allows: the less is
// uncommitted, the more of it is in the cache.
func (pe *PE) adaptInterval() {
	p := &pe.pace
	now := time.Now()
	if !pe.sim.cfg.FixedGVT && pe.sim.cfg.Synch != OptimisticRealTime {
		share := (pe.counts.RoundSeconds() - p.gvtSeconds) / max(now.Sub(p.at).Seconds(), 1e-9)
		switch {
		case share > gvtShare && p.factor < mostFactor:
			p.factor *= 2
		case share < gvtShare/3 && p.factor > firstFactor:
			p.factor /= 2
		}
		pe.setInterval()
	}
	p.paced, p.gvtSeconds, p.at = pe.counts.Processed, pe.counts.RoundSeconds(), now
}

// adaptWindow sets the window by the share of events that stayed, by Devastator's
// rule, and how many events are sent at a time.
func (pe *PE) adaptWindow(share float64) {
	p := &pe.pace
	switch {
	case share > 0.98:
		pe.ch.worth = min(pe.ch.worth+1, mostWorth)
	case share < 0.95:
		pe.ch.worth = leastWorth
	}
	w := p.window
	switch {
	case share < 0.33:
		w /= 4
	case share < 0.66:
		w /= 2
	case share > 0.95:
		w *= 2
	default:
		w += w/64 + 1
	}
	w = min(max(w, leastWindow), p.most)
	if w < p.window {
		pe.counts.Narrowed++
	}
	p.window = w
	pe.counts.LeastWindow = min(pe.counts.LeastWindow, w)
}
