// This file owns pace: how far a PE of a parallel run may go before it asks for
// GVT, how far ahead of GVT, and with how many events that are not committed.

package ross

import (
	"math"
	"time"

	"github.com/ross-go/ross/internal/event"
)

// pace is what a PE adapts while it runs.
type pace struct {
	interval int     // events from one GVT to the next
	factor   int     // interval in units of --gvt-interval * --batch
	since    int     // events since the last GVT
	window   float64 // virtual time that it may be ahead of GVT
	ceiling  float64 // of window (--max-opt-lookahead)
	allow    int     // most events that may be uncommitted; unlimited normally

	// What the adaptation looks at: figures since its last step.
	processed, undone uint64
	gvtSeconds        float64
	at                time.Time
	rounds            int

	nextGVT time.Time // --synch=5
	polls   int
}

const (
	firstFactor   = 8    // of --gvt-interval * --batch: 2048 events by default
	mostFactor    = 64   // at most
	adaptEvery    = 16   // GVTs
	adaptEvents   = 4096 // events, at least
	unlimited     = math.MaxInt
	gvtShare      = 0.02 // of the time that GVT should not exceed
	retryEvents   = 64   // uncommitted events to begin with after memory was short
	clockEvery    = 8    // turns of the loop between looks at the clock (--synch=5)
	leastInterval = 1
)

// beginPace sets the pace of a run.
func (pe *PE) beginPace() {
	c := &pe.sim.cfg
	p := &pe.pace
	p.factor = 1
	if !c.FixedGVT {
		p.factor = firstFactor
	}
	p.ceiling = float64(c.MaxOptLookahead)
	p.window = math.Inf(1)
	if c.MaxOptLookahead != math.MaxUint64 {
		p.window = p.ceiling
	} else {
		p.ceiling = p.window
	}
	p.allow = unlimited
	p.at = time.Now()
	p.nextGVT = p.at
	pe.setInterval()
	pe.limitTime()
}

func (pe *PE) setInterval() {
	c := &pe.sim.cfg
	n := c.GVTInterval
	if c.Synch != 5 {
		n = mulSat(mulSat(n, c.Batch), uint64(pe.pace.factor))
	}
	pe.pace.interval = int(min(n, math.MaxInt32))
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
	if pe.sim.cfg.Synch != 5 {
		return p.since >= p.interval
	}
	if p.polls++; p.polls < clockEvery {
		return false
	}
	p.polls = 0
	return p.since > 0 && time.Now().After(p.nextGVT)
}

// turn returns how many events the PE may handle in a turn of its loop, and sets
// the horizon accordingly.
func (pe *PE) turn() int {
	p := &pe.pace
	n := int(min(pe.sim.cfg.Batch, math.MaxInt32))
	if room := p.allow - pe.uncommitted; room < n {
		if n = room; n <= 0 {
			pe.horizon = 0
			return 1
		}
	}
	return n
}

// limitTime sets the horizon after a new GVT.
func (pe *PE) limitTime() {
	switch {
	case pe.mode == conservative:
		pe.horizon = timeBits(pe.bound.Key.Time() + pe.sim.cfg.ConsLookahead)
		if pe.hook.kind == hookAt { // what is beyond the hook cannot be taken back
			pe.horizon = min(pe.horizon, timeBits(pe.hook.sig.Time))
		}
	case math.IsInf(pe.pace.window, 1):
		pe.horizon = never
	default:
		// An event at the very end of the window belongs to it, so that a window
		// of 0 lets all events of one time go on.
		pe.horizon = timeBits(pe.bound.Key.Time()+pe.pace.window) + 1
	}
}

// cross decides about an event at or beyond the horizon. It puts the event back
// if it has to wait.
func (pe *PE) cross(k event.Key, e *event.Event) bool {
	if pe.mode == sequential {
		pe.reachHorizon(e)
		return pe.err == nil
	}
	if pe.bound.Reached(e, pe.arena.Lines) {
		return true // nothing earlier can arrive: it is no speculation
	}
	pe.q.PutBack(k)
	pe.held = true
	pe.stopBatch()
	return false
}

// newPace adapts the pace after a GVT that committed n events.
func (pe *PE) newPace() {
	p := &pe.pace
	p.since = 0
	if pe.sim.cfg.Synch == 5 {
		p.nextGVT = time.Now().Add(time.Duration(min(pe.sim.cfg.GVTInterval, 1<<40)) * time.Millisecond)
	}
	if p.allow != unlimited {
		p.allow += p.allow/4 + retryEvents
		if p.allow > 1<<24 {
			p.allow = unlimited
		}
	}
	p.rounds++
	if p.rounds%adaptEvery == 0 {
		pe.adapt()
	}
	pe.limitTime()
}

// adapt makes GVT as frequent as its cost allows, and the window of optimism
// what the share of committed events suggests (the rule is Devastator's, with the
// window measured in what the PE was ahead by).
func (pe *PE) adapt() {
	p := &pe.pace
	processed, undone := pe.counts.processed-p.processed, pe.counts.undone-p.undone
	if processed < adaptEvents {
		return
	}
	now := time.Now()
	if !pe.sim.cfg.FixedGVT && pe.sim.cfg.Synch != 5 {
		share := (pe.counts.gvtSeconds - p.gvtSeconds) / now.Sub(p.at).Seconds()
		switch {
		case share > gvtShare && p.factor < mostFactor:
			p.factor *= 2
		case share < gvtShare/8 && p.factor > firstFactor:
			p.factor /= 2
		}
		pe.setInterval()
	}
	if pe.mode == optimistic && len(pe.team.pes) > 1 {
		pe.adaptWindow(float64(processed-min(undone, processed)) / float64(processed))
	}
	p.processed, p.undone, p.gvtSeconds, p.at = pe.counts.processed, pe.counts.undone, pe.counts.gvtSeconds, now
}

// adaptWindow sets the window by the share of events that stayed.
func (pe *PE) adaptWindow(share float64) {
	p := &pe.pace
	ahead := math.Float64frombits(pe.front) - pe.bound.Key.Time()
	if pe.bound.IsMax() || !(ahead > 0) {
		return
	}
	window := min(p.window, ahead)
	switch {
	case share < 0.33:
		window /= 4
	case share < 0.66:
		window /= 2
	case share > 0.95:
		window = p.window * 2
	default:
		window = p.window * 1.01
	}
	if window != p.window {
		pe.counts.windowChanges++
	}
	p.window = min(window, p.ceiling)
	pe.counts.leastWindow = min(pe.counts.leastWindow, p.window)
}
