// This file owns balance: it carries out what a policy of package adapt decides, and tells it what came of that.

package run

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/run/adapt"
)

// balance is a run whose KPs move between the PEs of a process.
type balance struct {
	adapt.Result
	policy  adapt.Policy
	run     *Engine
	mode    settings.Mode
	todo    adapt.Decision // what the PEs are to leave their loops for
	counted []uint64       // events of each LP at the last count
	lack    bool           // the last serial stretch has ended for lack of memory

	// For a checkpoint each PE gets back the KPs that the mapping gives it: whether the PEs have left their loops for
	// that, the moves after it that take KPs to where they were before, and whether the PEs are to leave their loops
	// for those.
	home    bool
	again   []adapt.Move
	returns bool
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
	o := adapt.Options{PEs: len(s.Locals), KPs: int(set.NKP), FirstPE: s.Base, Processors: s.Threads}
	o.Free = s.Cluster.Ranks == 1 && !set.Collects() && !set.StoresRunning() && set.Synch != settings.SynchRealTime
	o.Domains = s.domains()
	if b.mode == settings.Conservative {
		for _, t := range s.Types {
			o.KeepsPEs = o.KeepsPEs || t.Lookahead < set.ConsLookahead
		}
	}
	if set.Turn != nil { // which decides who runs
		o.Processors = o.PEs
	}
	if b.KeepsPEs = o.KeepsPEs; set.Shift > 0 {
		b.policy = &adapt.Random{Options: o, Every: set.Shift, Serial: set.Turn == nil || s.dice != nil,
			Dice: rand.New(rand.NewPCG(set.Seed, set.Shift))}
	} else {
		b.policy = adapt.NewBalance(o, &b.Result)
	}
	b.todo = adapt.Gather(o)
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
	b.policy.Watch(b.load(time.Now()))
	b.leaveFor(b.todo) // what Init has sent to other PEs has to arrive first
	for !t.Broken.Load() {
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
	b.Active = len(s.active())
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

// look is called by the first PE at each GVT. It asks the policy, unless the PEs are about to leave their loops, or
// hold for a checkpoint.
func (b *balance) look() {
	first := b.run.Locals[0]
	if first.Team.Leave.Load() || first.cp.Hold != checkpoint.HoldNone {
		return
	}
	if b.again != nil {
		b.returns = true
		first.Team.LetLeave()
		return
	}
	if now := time.Now(); b.policy.Due(now) {
		b.leaveFor(b.policy.Decide(b.load(now)))
	}
}

// leaveFor lets the PEs leave their loops for a decision.
func (b *balance) leaveFor(d adapt.Decision) {
	if b.todo = d; d.Kind != adapt.Stay {
		b.run.Locals[0].Team.LetLeave()
	}
}

// change does what the PEs have left their loops for. Nothing is uncommitted or under way. Another rank may have asked
// for that: then nothing changes here.
func (b *balance) change() {
	s := b.run
	for _, pe := range s.Locals {
		pe.Probe.HandOver() // also if another rank has asked
	}
	_ = s.FlushLogs() // one PE alone delivers at once; the last call reports what went wrong
	switch {
	case b.home:
		b.again = b.away()
		s.MoveHome()
		b.policy.Watch(b.load(time.Now()))
	case b.returns:
		b.move(b.again)
		b.again = nil
		b.policy.Watch(b.load(time.Now()))
	default:
		b.carryOut(b.todo)
	}
	b.home, b.returns, b.todo = false, false, adapt.Decision{}
	s.Live.Moved.Store(b.Moves)
}

// carryOut carries out a decision, and those that follow before the PEs go on.
func (b *balance) carryOut(d adapt.Decision) {
	for left := b.load(time.Now()); d.Kind != adapt.Stay; {
		o := adapt.Outcome{Of: d.Kind, Left: left}
		switch d.Kind {
		case adapt.CountEvents:
			b.countEvents(&o)
		case adapt.MoveKPs:
			o.Undo = b.moveTo(d.Active, d.Moves)
		case adapt.RunAlone:
			b.runAlone(d.Length, &o)
		case adapt.Part:
			b.part(&o)
		}
		o.Load = b.load(time.Now())
		d = b.policy.Next(&o)
	}
}

// load returns what the PEs that handle events have published.
func (b *balance) load(now time.Time) adapt.Load {
	l := adapt.Load{At: now, Used: processorSeconds()}
	for _, pe := range b.run.active() {
		c := pe.Live.Read()
		l.Pending += float64(pe.Live.Pending.Load())
		l.PEs = append(l.PEs, adapt.PELoad{Handled: float64(c.EventsProcessed), Undone: float64(c.EventsRolledBack),
			Idle: math.Float64frombits(pe.Live.Idle.Load())})
	}
	return l
}

// countEvents returns where the KPs are, and the events of each KP since the last count.
func (b *balance) countEvents(o *adapt.Outcome) {
	s := b.run
	o.Active = len(s.active())
	o.Events, o.PEOf = make([]float64, len(s.PEs)*int(s.Set.NKP)), make([]int, len(s.PEs)*int(s.Set.NKP))
	for kp := range o.PEOf {
		o.PEOf[kp] = b.peOf(kp)
	}
	i, all, most := 0, uint64(0), uint64(0)
	for _, pe := range s.PEs {
		for j := range pe.LPs {
			if i == len(b.counted) {
				b.counted = append(b.counted, 0)
			}
			lp := &pe.LPs[j]
			n := lp.Processed - b.counted[i]
			b.counted[i] = lp.Processed
			i++
			o.Events[s.IndexOf(lp.KP)] += float64(n)
			if all += n; n > most {
				most, o.LP = n, lp.ID
			}
		}
	}
	if most > 0 {
		o.LPShare = float64(most) / float64(all)
	}
}

// kp returns a KP by its number in the process.
func (b *balance) kp(i int) *kernel.KP {
	n := int(b.run.Set.NKP)
	return &b.run.PEs[i/n].KPs[i%n]
}

// peOf returns the PE that handles a KP.
func (b *balance) peOf(kp int) int { return int(b.kp(kp).PE.ID - b.run.Base) }

// setActive lets only the first n PEs handle events, which have all KPs.
func (b *balance) setActive(n int) {
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

// moveTo moves KPs and lets only the first n PEs handle events, which have all KPs after that; 0: as many as before. It
// returns the moves that take that back.
func (b *balance) moveTo(n int, moves []adapt.Move) (undo []adapt.Move) {
	active := len(b.run.active())
	if n > active {
		b.setActive(n)
	}
	undo, ok := b.move(moves)
	if ok && 0 < n && n < active {
		b.setActive(n)
	}
	if len(undo) > 0 {
		b.Moves += uint64(len(undo))
		b.Times++
	}
	return undo
}

// move moves KPs. It returns the moves that take that back, and false if the KPs stay for lack of memory.
func (b *balance) move(moves []adapt.Move) (undo []adapt.Move, ok bool) {
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
			undo = append(undo, adapt.Move{KP: m.KP, To: b.peOf(m.KP)})
		}
	}
	if len(undo) > 0 {
		s.MoveKPs(all)
	}
	return undo, true
}

// away returns the moves that take KPs from where the mapping puts them to where they are.
func (b *balance) away() (moves []adapt.Move) {
	for i := range len(b.run.PEs) * int(b.run.Set.NKP) {
		if kp := b.kp(i); kp.PE != kp.Home {
			moves = append(moves, adapt.Move{KP: i, To: b.peOf(i)})
		}
	}
	return moves
}

// runAlone brings the PEs together, unless they are or there is no memory for that, and lets one PE handle all events
// for a time.
func (b *balance) runAlone(length time.Duration, o *adapt.Outcome) {
	s := b.run
	if !s.Locals[0].InSerial() {
		if s.pending() > adapt.MostPending || !s.fitsKeys(s.Locals[1:]) {
			o.Refused = true
			return
		}
		s.BeginSerial()
	}
	before, begin := s.committed(), time.Now()
	s.runSerial(length)
	o.Rate = float64(s.committed()-before) / max(time.Since(begin).Seconds(), 1e-9)
	o.GoesOn = s.left && !b.lack && s.failure() == nil
}

// part lets the PEs, which are together, go on in parallel.
func (b *balance) part(o *adapt.Outcome) {
	b.run.endSerial()
	b.run.goOnParallel(b.mode)
	o.Lacked, b.lack = b.lack, false
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
