// This file owns the pace of a PE in a parallel run: how far it goes before it asks for GVT,
// and how many uncommitted events it may have.

package run

import (
	"math"
	"time"

	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
)

// pace holds what a PE adapts during the run. The window of optimism is counted in events, not
// in virtual time: if few events share a time, no distance in time is short enough, and the
// cost of rollbacks is also proportional to events. --max-opt-lookahead adds a window in
// virtual time.
type pace struct {
	factor int // GVT interval in units of --gvt-interval * --batch
	most   int // maximum window in events
	batch  int // events in a turn of the loop
	long   int // the most events in a turn, in units of --batch

	processed, undone uint64    // events, at the last adaptation of the window
	paced             uint64    // events processed, at the last adaptation of the interval
	gvtSeconds        float64   // seconds of GVT until then
	at                time.Time // when that was

	deep  int           // events that a GVT among ranks has to be worth, see setDeep
	began time.Time     // the round that is going on, or the last one, if deep > 0
	took  time.Duration // that the last one took

	nextGVT time.Time // with --synch=5
	polls   int       // turns since the last look at the clock, with --synch=5
}

// The bounds of the pace. LeastWindow is the smallest window of optimism.
const (
	firstFactor = 4       // initial and least factor for small events: an interval of 1024 events by default
	smallEvent  = 128     // bytes
	mostFactor  = 64      // maximum factor
	adaptEvents = 512     // minimum events between adaptations of the window
	paceEvents  = 1 << 16 // minimum events between adaptations of the interval
	LeastWindow = 16      // minimum window in events
	mostWindow  = 2048    // maximum window in events, or two intervals if that is more
	unlimited   = meter.Unlimited
	gvtShare    = 0.02 // maximum share of the time for GVT
	retryEvents = 64   // least step by which the limit on uncommitted events grows again after a shortage
	fewUndone   = 0.98 // share of events that are not undone with which a turn may be long
	leastBatch  = 2    // minimum events in a turn
	mostLong    = 4    // maximum of a turn in units of --batch
	longTurn    = 5e-5 // seconds that a turn of more than --batch events may take
	clockEvery  = 8    // turns of the loop between looks at the clock (--synch=5)

	crowdedWindow = 2048 // maximum window in events if the ranks of a machine have more PEs than processors
	firstCrowded  = 512  // the window at first, then
)

// beginPace sets the pace at the beginning of a run.
func (pe *PE) beginPace() {
	c := &pe.Run.Set
	p := &pe.pace
	p.factor, p.long = 1, 1
	p.batch = pe.mostBatch()
	if !c.Tuning.FixedGVT {
		p.factor = pe.leastFactor()
	}
	pe.Allow = unlimited
	if pe.Channels.Worth = timewarp.LeastWorth; !pe.Undoes() {
		pe.Channels.Worth = timewarp.MostWorth
	}
	p.processed, p.undone, p.paced = pe.Counts.Processed, pe.Counts.Undone, pe.Counts.Processed
	p.at, p.gvtSeconds = time.Now(), pe.Counts.RoundSeconds()
	p.nextGVT = p.at
	pe.beginWindow()
	pe.Counts.LeastWindow = pe.Window
	pe.limitTime()
	if pe.Conservative() {
		pe.Horizon, pe.line = 0, 0 // sends of Init may be under way, and have any delay
	}
	if pe.Undoes() {
		pe.SetReserve()
		pe.SetMemoryAside()
	}
}

// beginWindow sets the GVT interval, and the window to begin with, for the PEs that handle events from now on. One PE
// alone has no window, so without this it would have none either when others join it again.
func (pe *PE) beginWindow() {
	pe.setInterval()
	pe.Window = pe.pace.most
	if pe.Crowded {
		pe.Window = min(pe.Window, firstCrowded)
	}
}

// setInterval sets the GVT interval in events, and the maximum window that follows from it.
func (pe *PE) setInterval() {
	c := &pe.Run.Set
	n := c.Tuning.GVTInterval
	if c.Synch != settings.SynchRealTime {
		n = mulSat(mulSat(n, c.Tuning.Batch), uint64(pe.pace.factor))
	}
	p := &pe.pace
	pe.Interval = int(min(n, math.MaxInt32/4))
	p.most = max(2*pe.Interval, mostWindow)
	if pe.Remote != nil {
		p.most = timewarp.RemoteWindow
		pe.Interval = min(pe.Interval, timewarp.RemoteWindow/2)
		if pe.Crowded {
			p.most = crowdedWindow
		}
	}
	if pe.Team.OnlyPE {
		p.most = unlimited
	}
}

// leastFactor returns the least factor of the GVT interval, and the first: the larger events are, the fewer are handled
// before their slots are used again, while they are in the cache.
func (pe *PE) leastFactor() int {
	return int(min(max(firstFactor*smallEvent/pe.Arena.Stride(), 1), firstFactor))
}

// mulSat returns a * b, or the largest uint64 on overflow.
func mulSat(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

// gvtDue reports whether the PE wants a new GVT after n more events.
func (pe *PE) gvtDue(n int) bool {
	p := &pe.pace
	pe.Since += n
	if pe.Hook.Ready || pe.standsStill() {
		return true
	}
	if pe.Run.Set.Synch != settings.SynchRealTime {
		return pe.Since >= max(pe.Interval, p.deep)
	}
	if p.polls++; p.polls < clockEvery {
		return false
	}
	p.polls = 0
	return pe.Since > 0 && time.Now().After(p.nextGVT)
}

// setDeep is called at a GVT among ranks. Each of them has all tie-breakers of a chain of events without delay as its
// bound, so the longer the chain is, the more events have to be handled before the next GVT. Otherwise an endless chain
// would take time in proportion to the square of its length before it is found.
func (pe *PE) setDeep() {
	p := &pe.pace
	d := int(pe.Arena.Lines.Depth(pe.Bound.Node))
	if d < deepBound {
		p.deep = 0
		return
	}
	if p.deep > 0 {
		p.took = time.Since(p.began)
	}
	p.deep, p.began = d/4, time.Now()
}

// deepRest is the time between GVTs of a PE that waits, in terms of what a GVT takes, if bounds are deep.
const deepRest = 2

// mayForce reports whether a PE that waits for others may ask for a GVT before its time.
func (pe *PE) mayForce() bool {
	p := &pe.pace
	return p.deep == 0 || time.Since(p.began) > deepRest*p.took
}

// deepBound is the length of a chain from which a GVT among ranks waits for more events.
const deepBound = 4096

// turn returns the number of events that the PE may handle in a turn of its loop, and sets the
// horizon accordingly. A PE that waits for the hook handles none.
func (pe *PE) turn() int {
	n := pe.pace.batch
	if pe.Hook.Ready {
		return 0
	}
	if !pe.Undoes() {
		return n
	}
	if pe.Team.OnlyPE && pe.Engine.Hooks.Disturb == nil { // nobody waits for what it sends
		n = max(n, min(burst, pe.Interval-pe.Since))
	}
	room := min(pe.Allow, max(pe.Window, 2*pe.pace.deep)) - pe.Uncommitted
	if pe.Channels.Jammed() || pe.Remote != nil && pe.Remote.Jammed() {
		room, pe.Stirred = 0, true
	}
	if room < n {
		if n = room; n <= 0 {
			pe.LookNow()
			return 1
		}
	}
	return n
}

// newPace adapts the pace after a GVT.
func (pe *PE) newPace() {
	p := &pe.pace
	pe.Since, pe.Urgent = 0, false
	if pe.Run.Set.Synch == settings.SynchRealTime {
		p.nextGVT = time.Now().Add(time.Duration(min(pe.Run.Set.Tuning.GVTInterval, 1<<40)) * time.Millisecond)
	}
	if pe.Allow != unlimited {
		pe.Allow += pe.Allow/4 + retryEvents
		if pe.Allow > 1<<24 {
			pe.Allow = unlimited
		}
	}
	if processed := pe.Counts.Processed - p.processed; processed >= adaptEvents {
		if pe.Undoes() && !pe.Team.OnlyPE {
			undone := min(pe.Counts.Undone-p.undone, processed)
			pe.adaptWindow(float64(processed-undone) / float64(processed))
		}
		p.processed, p.undone = pe.Counts.Processed, pe.Counts.Undone
	}
	if pe.Counts.Processed-p.paced >= paceEvents {
		pe.adaptInterval()
	}
	pe.limitTime()
}

// adaptInterval makes GVT as frequent as its cost allows: the fewer events are uncommitted,
// the more of them are in the cache.
func (pe *PE) adaptInterval() {
	p := &pe.pace
	now := time.Now()
	if !pe.Run.Set.Tuning.FixedGVT && pe.Run.Set.Synch != settings.SynchRealTime {
		took := max(now.Sub(p.at).Seconds(), 1e-9)
		p.long = longest(took/float64(pe.Counts.Processed-p.paced), pe.Run.Set.Tuning.Batch)
		if !pe.Undoes() {
			p.batch = pe.mostBatch()
		}
		share := (pe.Counts.RoundSeconds() - p.gvtSeconds) / took
		switch {
		case share > gvtShare && p.factor < mostFactor:
			p.factor *= 2
		case share < gvtShare/3 && p.factor > pe.leastFactor():
			p.factor /= 2
		}
		pe.setInterval()
	}
	p.paced, p.gvtSeconds, p.at = pe.Counts.Processed, pe.Counts.RoundSeconds(), now
}

// adaptWindow adapts the window to the share of events that were not undone, by the rule of
// Devastator, and the numbers of events that are sent and handled at a time.
func (pe *PE) adaptWindow(share float64) {
	p := &pe.pace
	p.adaptBatch(share, pe.mostBatch())
	switch {
	case share > 0.98:
		pe.Channels.Worth = min(pe.Channels.Worth+1, timewarp.MostWorth)
	case share < 0.95:
		pe.Channels.Worth = timewarp.LeastWorth
	}
	w := pe.Window
	switch {
	case share < 0.33:
		w /= 4
	case share < 0.66:
		w /= 2
	case pe.Crowded:
		w += crowdedStep(w, share)
	case share > 0.95:
		w *= 2
	default:
		w += w/64 + 1
	}
	w = min(max(w, LeastWindow), p.most)
	if w < pe.Window {
		pe.Counts.Narrowed++
	}
	pe.Window = w
	pe.Counts.LeastWindow = min(pe.Counts.LeastWindow, w)
}

// longest returns the most events of a turn in units of --batch, if an event takes the given number of seconds. A turn
// that takes hardly any time may be longer than --batch: what others send waits a little, and a turn costs about as
// much as an event.
func longest(event float64, batch uint64) int {
	return int(max(1, min(longTurn/(event*float64(batch)), mostLong)))
}

// mostBatch returns the most events of a turn among several PEs.
func (pe *PE) mostBatch() int {
	return int(min(mulSat(pe.Run.Set.Tuning.Batch, uint64(pe.pace.long)), math.MaxInt32))
}

// adaptBatch adapts the events of a turn, most at most, to the share of events that were not undone. A turn begins with
// what others have sent: the sooner a straggler is seen, the less has to be undone, and with a few percent undone that
// is worth more than a turn costs.
func (p *pace) adaptBatch(share float64, most int) {
	switch {
	case share < fewUndone-0.02:
		p.batch = max(p.batch/2, min(leastBatch, most))
	case share > fewUndone:
		p.batch = min(2*p.batch, most)
	}
}

// crowdedStep returns by how much the window of a PE grows if other ranks have no processor while it has one. What it
// does too early is not only undone, but takes their time.
func crowdedStep(w int, share float64) int {
	switch {
	case share > 0.98:
		return w / 4
	case share > 0.95:
		return w/64 + 1
	case share > 0.9:
		return -w / 8
	}
	return -w / 4
}
