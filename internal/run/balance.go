// This file owns balance: KPs move to other PEs while the run goes on, when one PE has more to do than
// the others, or less of a processor.

package run

import (
	"math/rand/v2"
	"time"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

// balance is the state of a run whose KPs move between the PEs of a process. The first PE looks at what
// all have published, after a round of GVT, from time to time (load.go). If it finds that the PEs are
// loaded unlike, all PEs leave their loops at a GVT with nothing uncommitted. What the KPs have to do is
// measured from there to a second such GVT, and then KPs move (plan.go). If the run is slower after that,
// they move back.
type balance struct {
	run  *Run
	mode settings.Mode
	free bool // PEs without KPs take no part in GVT, and one PE may handle all events

	stage  stage
	why    pauseReason   // why the PEs leave their loops
	next   time.Time     // when to look again
	seen   int           // successive looks that found the PEs loaded unlike
	few    int           // successive looks that found few processors at work
	best   float64       // most events per second at one of these
	quiet  time.Duration // from a move that has not helped to the next
	moves  time.Time     // KPs do not move before
	last   figures       // at the last look
	work   []uint64      // events of each LP until the measurement began
	before float64       // events per second before the last move
	undo   []kernel.Move // takes the last moves back
	again  []kernel.Move // after a checkpoint
	rounds uint64        // of GVT since a test has moved KPs
	dice   *rand.Rand    // of such a test
	trials serialTrials
	Balanced
}

// stage says what the looks are for.
type stage int

const (
	watching  stage = iota // are the PEs loaded alike?
	measuring              // what each KP has to do is being measured
	settling               // KPs have moved, and the PEs are not yet up to speed
	judging                // is the run faster than before?
)

// want says why the PEs leave their loops.
type pauseReason int

const (
	pauseNone    pauseReason = iota // another rank has asked for it
	pauseMeasure                    // to measure what each KP has to do
	pauseMove                       // to move KPs
	pauseUndo                       // to take moves back
	pauseSerial                     // to let one PE handle all events for a while
	pauseTest                       // for the moves of a test
	pauseHome                       // for a checkpoint: each PE gets back the KPs that the mapping gives it
	pauseAgain                      // after it: KPs move to where they were
	pauseGather                     // for as many PEs as there are processors to handle all events
)

const (
	lookEvery  = 20 * time.Millisecond // from one look to the next
	leastQuiet = 50 * time.Millisecond // from a move that has not helped to the next, at first
	mostQuiet  = 3 * time.Second       // and later
	measure    = 5 * time.Millisecond  // the least length of a measurement
	settle     = 5 * time.Millisecond
	judge      = 25 * time.Millisecond
	imbalanced = 1.12                  // most work of a PE, in terms of the mean, from which PEs count as loaded unlike
	helped     = 1.03                  // gain from which a move was worth it
	harmed     = 0.97                  // gain below which it is taken back
	looks      = 2                     // successive looks that must find the PEs loaded unlike
	testSerial = 50 * time.Microsecond // that one PE handles all events in a test
	stopShare  = 50                    // least time between moves, in terms of what the last ones took
)

// newBalance returns the state before the run, or nil if KPs stay where the mapping puts them. With a GVT
// hook they do because PEs call it for their own LPs, and with an event trace because the records of an LP
// would be in the buffers of several PEs, of which whole blocks are written at different times.
func (s *Run) newBalance() *balance {
	set := &s.Set
	if set.Balance != "on" || len(s.Locals) == 1 || s.auto != nil || s.Hooks.GVT != nil || set.EventTrace != 0 || len(s.Locals) > kernel.MostMovable {
		return nil
	}
	b := &balance{run: s, mode: set.Mode(), quiet: leastQuiet}
	b.free = s.Cluster.Ranks == 1 && !set.Collects() && !set.StoresRunning() && set.Synch != settings.SynchRealTime
	if b.mode == settings.Conservative {
		for _, t := range s.Types {
			b.KeepsPEs = b.KeepsPEs || t.Lookahead < set.ConsLookahead
		}
	}
	if set.Shift > 0 {
		b.dice = rand.New(rand.NewPCG(set.Seed, set.Shift))
	}
	return b
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
		pe.Clock.Start()
	}
	t := s.Locals[0].Team
	b.watch()
	if b.free && s.Threads < len(s.Locals) && s.Set.Turn == nil {
		b.leave(pauseGather) // what Init has sent to other PEs has to arrive first
	}
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
		pe.Clock.Stop()
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

// gather moves all KPs to as many PEs as there are processors.
func (b *balance) gather() {
	s := b.run
	n := s.Threads
	var moves []kernel.Move
	for i, pe := range s.PEs {
		for j := range pe.KPs {
			moves = append(moves, kernel.Move{KP: &pe.KPs[j], To: s.PEs[i*n/len(s.PEs)]})
		}
	}
	b.moveTo(n, moves)
}

// moveTo moves KPs and lets only the first n PEs handle events, which have all KPs after that.
func (b *balance) moveTo(n int, moves []kernel.Move) {
	t := b.run.Locals[0].Team
	if n > len(t.Active()) {
		b.setActive(n)
	}
	if b.move(moves) && n < len(t.Active()) {
		b.setActive(n)
	}
}

// setActive lets only the first n PEs handle events.
func (b *balance) setActive(n int) {
	first := b.run.Locals[0]
	first.Team.SetActive(n)
	for _, pe := range b.run.Locals {
		pe.line = first.line
	}
	if log := b.run.Log; log != nil {
		log.SetActive(n)
	}
	for _, pe := range b.run.Locals[n:] {
		pe.next = inf
		pe.publish()
	}
}

// move moves KPs. It reports whether it has: without memory for it they stay.
func (b *balance) move(moves []kernel.Move) bool {
	n := uint64(0)
	b.undo = b.undo[:0]
	if !b.run.fitsKeys(b.run.active()) {
		return false
	}
	for i := range moves {
		m := &moves[i]
		if b.run.Set.SamplesVT() && m.KP.ID == 0 {
			m.To = m.KP.PE // samples of its PE are taken with its events
		}
		if m.KP.PE != m.To {
			n++
			b.undo = append(b.undo, kernel.Move{KP: m.KP, To: m.KP.PE})
		}
	}
	if n > 0 {
		b.run.MoveKPs(moves)
		b.Moves += n
		b.Times++
		b.run.Live.Moved.Store(b.Moves)
	}
	return true
}

// change does what the PEs have left their loops for. Nothing is uncommitted or under way.
func (b *balance) change() {
	s := b.run
	want := b.why
	b.why = pauseNone
	for _, pe := range s.Locals {
		pe.Probe.HandOver() // also if another rank has asked
	}
	if s.Log != nil { // one PE alone delivers at once
		_ = s.Log.Flush() // which reports at the end what went wrong
	}
	begin := time.Now()
	switch want {
	case pauseMeasure:
		b.work = b.count()
		b.stage, b.next = measuring, time.Now().Add(max(measure, time.Since(begin)))
	case pauseMove:
		b.rebalance()
		b.moves = time.Now().Add(max(stopShare*time.Since(begin), b.quiet))
	case pauseUndo:
		b.move(append([]kernel.Move(nil), b.undo...))
		b.moves = time.Now().Add(max(stopShare*time.Since(begin), b.quiet))
		b.watch()
	case pauseSerial:
		b.trySerial()
	case pauseTest:
		b.moveAtRandom()
	case pauseGather:
		b.gather()
		b.watch()
	case pauseHome:
		b.again = b.away()
		s.MoveHome()
		b.watch()
	case pauseAgain:
		if s.fitsKeys(s.active()) {
			s.MoveKPs(b.again)
		}
		b.again = nil
		b.watch()
	}
}

// away returns the moves that take KPs from where the mapping puts them to where they are.
func (b *balance) away() (moves []kernel.Move) {
	for _, pe := range b.run.PEs {
		for i := range pe.KPs {
			if kp := &pe.KPs[i]; kp.PE != pe {
				moves = append(moves, kernel.Move{KP: kp, To: kp.PE})
			}
		}
	}
	return moves
}

// count returns the number of events that each LP of the model has handled, PE by PE of the mapping.
func (b *balance) count() (work []uint64) {
	for _, pe := range b.run.PEs {
		for i := range pe.LPs {
			work = append(work, pe.LPs[i].Processed)
		}
	}
	return work
}

// rebalance moves KPs by what they had to do since the measurement began.
func (b *balance) rebalance() {
	now := b.figures(time.Now())
	d := now.since(&b.last)
	moves := b.plan(b.since(), &d)
	if len(moves) == 0 {
		b.quieter()
		b.watch()
		return
	}
	b.move(moves)
	b.stage, b.next = settling, time.Now().Add(settle)
}

// quieter makes the next move wait longer.
func (b *balance) quieter() { b.quiet = min(2*b.quiet, mostQuiet) }

// moveAtRandom moves KPs for a test.
func (b *balance) moveAtRandom() {
	s := b.run
	if b.free && (s.Set.Turn == nil || s.dice != nil) && b.dice.IntN(8) == 0 {
		if s.fitsKeys(s.Locals[1:]) {
			s.serially(func() { b.timeSerial(testSerial) })
			s.goOnParallel(b.mode)
		}
		b.trials.lack = false
		return
	}
	n := len(s.active())
	if b.free && b.dice.IntN(4) == 0 {
		n = 1 + b.dice.IntN(len(s.PEs))
	}
	var moves []kernel.Move
	for _, pe := range s.PEs {
		to := s.PEs[b.dice.IntN(n)]
		for i := range pe.KPs {
			kp := &pe.KPs[i]
			switch {
			case b.KeepsPEs:
			case b.dice.IntN(2) == 0 && int(kp.PE.ID-s.Base) < n:
				to = kp.PE
			default:
				to = s.PEs[b.dice.IntN(n)]
			}
			moves = append(moves, kernel.Move{KP: kp, To: to})
		}
	}
	b.moveTo(n, moves)
}
