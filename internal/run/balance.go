// This file owns what package adapt asks of a run with balance: its figures, and moves and serial stretches, which
// its balance decides.

package run

import (
	"math"
	"time"

	"github.com/ross-go/ross/internal/adapt"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

// balance is a run whose KPs move between the PEs of a process. It is the adapt.Engine of its Balance.
type balance struct {
	*adapt.Balance
	run  *Engine
	mode settings.Mode
	lack bool // the last serial stretch has ended for lack of memory
}

// newBalance returns the state before the run, or nil if KPs stay where the mapping puts them. With a GVT
// hook they do because PEs call it for their own LPs, and with an event trace because the records of an LP
// would be in the buffers of several PEs, which write whole blocks at different times.
func (s *Engine) newBalance() *balance {
	set := &s.Set
	if !set.MovesKPs() || len(s.Locals) == 1 || s.auto != nil || s.Hooks.GVT != nil || set.Instruments.Trace != 0 ||
		len(s.Locals) > kernel.MostMovable {
		return nil
	}
	b := &balance{run: s, mode: set.Mode()}
	o := adapt.Options{PEs: len(s.Locals), KPs: int(set.NKP), FirstPE: s.Base, Processors: s.Threads,
		Shift: set.Shift, Seed: set.Seed, TestSerial: set.Turn == nil || s.dice != nil}
	o.Free = s.Cluster.Ranks == 1 && !set.Collects() && !set.StoresRunning() && set.Synch != settings.SynchRealTime
	if b.mode == settings.Conservative {
		for _, t := range s.Types {
			o.KeepsPEs = o.KeepsPEs || t.Lookahead < set.ConsLookahead
		}
	}
	if set.Turn != nil { // which decides who runs
		o.Processors = o.PEs
	}
	b.Balance = adapt.NewBalance(b, o)
	return b
}

// OfBalance returns what balance did on this rank, nil if the run had none.
func (s *Engine) OfBalance() *adapt.Result {
	if s.balance == nil {
		return nil
	}
	return &s.balance.Result
}

// runParallel runs the simulation from Init of the LPs to the last event.
func (b *balance) runParallel() {
	s := b.run
	begun := false
	s.startPEs(func(pe *PE) {
		pe.beginLoop()
		if pe.ID == s.Base {
			begun = true
		}
	})
	if !begun {
		return
	}
	for _, pe := range s.Locals {
		pe.Phases.Start()
	}
	t := s.Locals[0].Team
	for b.Begin(); !t.Broken.Load(); {
		s.runLoops()
		t.Leave.Store(false)
		if !s.left || s.failure() != nil {
			break
		}
		if b.change(); !s.left {
			break
		}
	}
	for _, pe := range s.Locals {
		pe.Phases.Stop()
	}
	b.Result.Active = b.Active()
	if b.settled() {
		s.MoveHome()
	}
}

// settled reports whether nothing is left uncommitted by the run, which has ended.
func (b *balance) settled() bool {
	for _, pe := range b.run.Locals {
		if pe.Uncommitted > 0 {
			return false
		}
	}
	return !b.run.Locals[0].Team.Broken.Load()
}

// change does what the PEs have left their loops for. Nothing is uncommitted or under way.
func (b *balance) change() {
	s := b.run
	for _, pe := range s.Locals {
		pe.Probe.HandOver() // also if another rank has asked
	}
	_ = s.FlushLogs() // one PE alone delivers at once; the last call reports what went wrong
	b.Change()
	s.Live.Moved.Store(b.Moves)
}

// Load returns what the PEs have published.
func (b *balance) Load(now time.Time) adapt.Load {
	l := adapt.Load{At: now, Used: processorSeconds()}
	for _, pe := range b.run.active() {
		c := pe.Live.Read()
		l.PEs = append(l.PEs, adapt.PELoad{Handled: float64(c.EventsProcessed), Undone: float64(c.EventsRolledBack), Idle: math.Float64frombits(pe.Live.Idle.Load())})
	}
	return l
}

// Pausing reports whether the PEs are about to leave their loops, or hold for a checkpoint.
func (b *balance) Pausing() bool {
	first := b.run.Locals[0]
	return first.Team.Leave.Load() || first.cp.Hold != checkpoint.HoldNone
}

// Pause lets the PEs leave their loops.
func (b *balance) Pause() { b.run.Locals[0].Team.LetLeave() }

// EachLP calls f for each LP of the model, PE by PE of the mapping.
func (b *balance) EachLP(f func(id uint64, kp int, events uint64)) {
	for _, pe := range b.run.PEs {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			f(lp.ID, b.run.IndexOf(lp.KP), lp.Processed)
		}
	}
}

// kp returns a KP by its number in the process.
func (b *balance) kp(i int) *kernel.KP {
	n := int(b.run.Set.NKP)
	return &b.run.PEs[i/n].KPs[i%n]
}

// PEOf returns the PE that handles a KP.
func (b *balance) PEOf(kp int) int { return int(b.kp(kp).PE.ID - b.run.Base) }

// Active returns how many PEs handle events.
func (b *balance) Active() int { return len(b.run.active()) }

// SetActive lets only the first n PEs handle events.
func (b *balance) SetActive(n int) {
	s := b.run
	first := s.Locals[0]
	first.Team.SetActive(n)
	for _, pe := range s.Locals {
		pe.line = first.line
	}
	s.SetActiveInLogs(n)
	for _, pe := range s.Locals[:n] {
		pe.beginWindow()
	}
	for _, pe := range s.Locals[n:] {
		pe.next = inf
		pe.publish()
	}
}

// Move moves KPs, unless there is no memory for that.
func (b *balance) Move(moves []adapt.Move) (undo []adapt.Move, ok bool) {
	s := b.run
	if !s.fitsKeys(s.active()) {
		return nil, false
	}
	var all []kernel.Move
	for _, m := range moves {
		kp, to := b.kp(m.KP), s.PEs[m.To]
		if s.Set.SamplesVT() && kp.ID == 0 {
			to = kp.PE // samples of its PE are taken with its events
		}
		if all = append(all, kernel.Move{KP: kp, To: to}); kp.PE != to {
			undo = append(undo, adapt.Move{KP: m.KP, To: b.PEOf(m.KP)})
		}
	}
	if len(undo) > 0 {
		s.MoveKPs(all)
	}
	return undo, true
}

// Away returns the moves that take KPs from where the mapping puts them to where they are.
func (b *balance) Away() (moves []adapt.Move) {
	for i := range len(b.run.PEs) * int(b.run.Set.NKP) {
		if kp := b.kp(i); kp.PE != kp.Home {
			moves = append(moves, adapt.Move{KP: i, To: b.PEOf(i)})
		}
	}
	return moves
}

// MoveHome moves all KPs to where the mapping puts them.
func (b *balance) MoveHome() { b.run.MoveHome() }

// FitsSerial reports whether the PEs may come together.
func (b *balance) FitsSerial() bool {
	return b.run.pending() <= adapt.MostPending && b.run.fitsKeys(b.run.Locals[1:])
}

// Serially brings the PEs together, calls f, and parts them again.
func (b *balance) Serially(f func()) {
	b.run.serially(f)
	b.run.goOnParallel(b.mode)
}

// RunSerial lets one PE handle all events for a time, and returns the events per second.
func (b *balance) RunSerial(length time.Duration) float64 {
	before, begin := b.run.committed(), time.Now()
	b.run.runSerial(length)
	return float64(b.run.committed()-before) / max(time.Since(begin).Seconds(), 1e-9)
}

// GoesOn reports whether events are left, and the last stretch has not ended for an error.
func (b *balance) GoesOn() bool { return b.run.left && !b.lack && b.run.failure() == nil }

// Lacked reports whether the last serial stretch has ended for lack of memory, and forgets it.
func (b *balance) Lacked() (lacked bool) {
	lacked, b.lack = b.lack, false
	return lacked
}

const (
	// keyBytes is what a key may take in a queue, whose parts double in size.
	keyBytes = 64
	// spareShare is the least memory of the run in terms of what must be free besides.
	spareShare = 16
)

// fitsKeys reports whether there is memory to put the pending events of some PEs into the queues of others.
// Events themselves stay where they are.
func (s *Engine) fitsKeys(of []*PE) bool {
	n := uint64(0)
	for _, pe := range of {
		n += pe.Queue.Len()
	}
	return s.Budget.Spares(keyBytes*n+s.Budget.Limit()/spareShare) == nil
}

const (
	leastBurst = 16 // events of a turn when memory is short
	spareSlots = 16 // slots wanted beyond one for each event of a turn
)

// fitsTurn reports whether there is memory for the next turn of a stretch in which one PE handles all events.
// It makes turns shorter if that helps. Otherwise the PEs part: what they do in parallel they can undo, or
// they wait for one another's memory.
func (s *Engine) fitsTurn() bool {
	j := &s.serialLoop
	for !s.Locals[0].Arena.Provide(j.burst + spareSlots) {
		if j.burst <= leastBurst {
			s.balance.lack = true
			return false
		}
		j.burst /= 2
	}
	return true
}

// enoughTimed is the number of timed events from which their times say something.
const enoughTimed = 1000

// confirmBalance compares the busiest LP and KP of a measurement with the whole run, when it is over: by
// their events, and by the time that those took, of the events that were timed. What either says may be true.
func (s *Engine) confirmBalance() {
	b := s.OfBalance()
	if b == nil || b.LPShare == 0 && b.KPShare == 0 {
		return
	}
	type work struct{ events, seconds float64 }
	timed := uint64(0)
	var all, ofLP, ofKP work
	for _, pe := range s.PEs {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			w := work{events: float64(lp.Processed)}
			if n, seconds := lp.Timed(); n > 0 {
				timed += uint64(n)
				w.seconds = max(seconds, 0) / float64(n) * w.events
			}
			add := func(to *work) { to.events, to.seconds = to.events+w.events, to.seconds+w.seconds }
			if add(&all); uint64(lp.ID) == b.LP {
				add(&ofLP)
			}
			if pe.ID == b.KPPE && (b.KeepsPEs || lp.KP.ID == b.KP) {
				add(&ofKP)
			}
		}
	}
	share := func(w *work) float64 {
		part := w.events / max(all.events, 1)
		if timed >= enoughTimed {
			part = max(part, w.seconds/max(all.seconds, 1e-9))
		}
		return part
	}
	b.Confirm(share(&ofLP), share(&ofKP))
}
