// This file owns Balance: KPs move to other PEs while the run goes on, when one PE has more to do than the others, or
// less of a processor.

package adapt

import (
	"math/rand/v2"
	"time"
)

// Balance decides where the KPs of a process are. The engine calls Look at each GVT, and Change when the PEs have left
// their loops.
type Balance struct {
	engine Engine
	opts   Options

	state  state
	next   time.Time     // when to look again
	seen   int           // what successive looks count that found an imbalance
	few    int           // what successive looks count that found few processors at work
	best   float64       // most events per second at one of these
	quiet  time.Duration // from a move that has not helped to the next
	moves  time.Time     // KPs do not move before
	last   Load          // at the last look
	work   []uint64      // events of each LP until the measurement began
	before float64       // events per second before the last move
	undo   []Move        // takes the last moves back
	again  []Move        // after a checkpoint
	rounds uint64        // of GVT since a test has moved KPs
	dice   *rand.Rand    // of such a test
	trials trials
	Result
}

// Options are what a balance has to know of the run.
type Options struct {
	PEs, KPs   int    // of the process; of each PE
	FirstPE    uint64 // number of the first PE of the process
	Processors int    // if there are fewer than PEs, all KPs are on that number of PEs at first
	// Free says that PEs without KPs take no part in GVT, and that one PE may handle all events.
	Free bool
	// KeepsPEs says that KPs that the mapping gives to one PE stay together.
	KeepsPEs bool
	// A test moves KPs at random, from the seed, every Shift rounds of GVT; 0: no test. TestSerial says that the PEs also
	// come together then.
	Shift, Seed uint64
	TestSerial  bool
}

// state says what the balance is doing: what a look is for, or, once the PEs are to leave their loops, what for.
type state int

const (
	watching  state = iota // are the PEs loaded alike?
	measuring              // what each KP has to do is being measured
	settling               // KPs have moved, and the PEs are not yet up to speed
	judging                // is the run faster than before?

	pausedToMeasure // what each KP has to do
	pausedToMove    // KPs, by that
	pausedToUndo    // the last moves
	pausedForSerial // a trial of one PE that handles all events
	pausedForTest   // moves at random
	pausedForHome   // a checkpoint: each PE gets back the KPs that the mapping gives it
	pausedToReturn  // KPs, after it, to where they were
	pausedToGather  // all KPs on as many PEs as there are processors
)

const (
	lookEvery  = 20 * time.Millisecond // from one look to the next
	leastQuiet = 50 * time.Millisecond // from a move that has not helped to the next, at first
	mostQuiet  = 3 * time.Second       // and later
	measure    = 5 * time.Millisecond  // the least length of a measurement
	settle     = 5 * time.Millisecond
	judge      = 25 * time.Millisecond
	imbalanced = 1.12                  // the busiest PE's work divided by the mean, from which KPs should move
	helped     = 1.03                  // gain from which a move was worth it
	harmed     = 0.97                  // gain below which it is taken back
	seenNeed   = 4                     // what successive looks must count that find an imbalance: 2, or 1 if moves leave few at work
	testSerial = 50 * time.Microsecond // that one PE handles all events in a test
	stopShare  = 50                    // least time between moves, in terms of what the last ones took
)

// NewBalance returns the state before the run.
func NewBalance(engine Engine, o Options) *Balance {
	b := &Balance{engine: engine, opts: o, quiet: leastQuiet, trials: trials{need: firstNeed}}
	b.KeepsPEs = o.KeepsPEs
	if o.Shift > 0 {
		b.dice = rand.New(rand.NewPCG(o.Seed, o.Shift))
	}
	return b
}

// Begin is called after Init of the LPs, before the first event.
func (b *Balance) Begin() {
	b.watch()
	if b.opts.Free && b.opts.Processors < b.opts.PEs {
		b.pause(pausedToGather) // what Init has sent to other PEs has to arrive first
	}
}

// watch begins to look whether the PEs are loaded alike.
func (b *Balance) watch() {
	now := time.Now()
	b.state, b.seen, b.last, b.next = watching, 0, b.engine.Load(now), now.Add(lookEvery)
}

// Look is called by the first PE at each GVT.
func (b *Balance) Look() {
	switch {
	case b.engine.Pausing():
		return
	case b.again != nil:
		b.pause(pausedToReturn)
		return
	}
	if n := b.opts.Shift; n > 0 {
		if b.rounds++; b.rounds >= n {
			b.rounds = 0
			b.pause(pausedForTest)
		}
		return
	}
	now := time.Now()
	if now.Before(b.next) {
		return
	}
	switch b.state {
	case watching:
		b.lookAround(now)
	case measuring:
		b.pause(pausedToMove)
	case settling:
		b.state, b.last, b.next = judging, b.engine.Load(now), now.Add(judge)
	case judging:
		b.judge(now)
	}
}

// pause lets the PEs leave their loops.
func (b *Balance) pause(s state) {
	b.state = s
	b.engine.Pause()
}

// lookAround decides whether anything should change.
func (b *Balance) lookAround(now time.Time) {
	f := b.engine.Load(now)
	d := f.since(&b.last)
	if b.trials.rate > 0 && !b.lookBack(now, &d) {
		return
	}
	b.countFew(&d)
	b.last, b.next = f, now.Add(lookEvery)
	if b.seen++; d.imbalance() < imbalanced {
		b.seen = 0
	} else if d.evened() >= fewWorking {
		b.seen++
	}
	switch {
	case b.seen >= seenNeed && now.After(b.moves):
		b.before = d.rate()
		b.pause(pausedToMeasure)
	case b.few >= b.trials.need && b.mayTrySerial(now):
		b.before = b.best
		b.pause(pausedForSerial)
	}
}

// judge decides whether the last moves were worth it.
func (b *Balance) judge(now time.Time) {
	f := b.engine.Load(now)
	d := f.since(&b.last)
	b.countFew(&d) // what makes the PEs unequal may be that they lack processors
	gain := d.rate() / max(b.before, 1)
	if b.quiet = leastQuiet; gain < helped {
		b.quieter()
	}
	if gain < harmed {
		b.pause(pausedToUndo)
		return
	}
	b.watch()
}

// quieter makes the next move wait longer.
func (b *Balance) quieter() { b.quiet = min(2*b.quiet, mostQuiet) }

// GoHome notes that the PEs leave their loops for a checkpoint: each PE gets back the KPs that the mapping gives it.
func (b *Balance) GoHome() { b.state = pausedForHome }

// Change does what the PEs have left their loops for. Another rank may have asked for that: then nothing changes here.
func (b *Balance) Change() {
	begin := time.Now()
	switch b.state {
	case pausedToMeasure:
		b.work = b.work[:0]
		b.engine.EachLP(func(_ uint64, _ int, events uint64) { b.work = append(b.work, events) })
		b.state, b.next = measuring, time.Now().Add(max(measure, time.Since(begin)))
	case pausedToMove:
		b.rebalance()
		b.moves = time.Now().Add(max(stopShare*time.Since(begin), b.quiet))
	case pausedToUndo:
		b.move(b.undo)
		b.moves = time.Now().Add(max(stopShare*time.Since(begin), b.quiet))
		b.watch()
	case pausedForSerial:
		b.trySerial()
	case pausedForTest:
		b.moveAtRandom()
		b.state = watching
	case pausedToGather:
		b.gather()
		b.watch()
	case pausedForHome:
		b.again = b.engine.Away()
		b.engine.MoveHome()
		b.watch()
	case pausedToReturn:
		b.engine.Move(b.again)
		b.again = nil
		b.watch()
	}
}

// gather moves all KPs to as many PEs as there are processors.
func (b *Balance) gather() {
	n := b.opts.Processors
	var moves []Move
	for kp := range b.opts.PEs * b.opts.KPs {
		moves = append(moves, Move{KP: kp, To: b.home(kp) * n / b.opts.PEs})
	}
	b.moveTo(n, moves)
}

// home returns the PE to which the mapping gives a KP.
func (b *Balance) home(kp int) int { return kp / b.opts.KPs }

// moveTo moves KPs and lets only the first n PEs handle events, which have all KPs after that.
func (b *Balance) moveTo(n int, moves []Move) {
	if n > b.engine.Active() {
		b.engine.SetActive(n)
	}
	if b.move(moves) && n < b.engine.Active() {
		b.engine.SetActive(n)
	}
}

// move moves KPs. It reports whether it has: without memory for it they stay.
func (b *Balance) move(moves []Move) bool {
	undo, ok := b.engine.Move(moves)
	b.undo = undo
	if n := len(undo); n > 0 {
		b.Moves += uint64(n)
		b.Times++
	}
	return ok
}

// rebalance moves KPs by what they had to do since the measurement began.
func (b *Balance) rebalance() {
	now := b.engine.Load(time.Now())
	d := now.since(&b.last)
	moves := b.plan(b.measured(), &d)
	if len(moves) == 0 {
		b.quieter()
		b.watch()
		return
	}
	b.move(moves)
	b.state, b.next = settling, time.Now().Add(settle)
}

// moveAtRandom moves KPs for a test.
func (b *Balance) moveAtRandom() {
	if b.opts.Free && b.opts.TestSerial && b.dice.IntN(8) == 0 {
		if b.engine.FitsSerial() {
			b.engine.Serially(func() { b.engine.RunSerial(testSerial) })
		}
		b.engine.Lacked()
		return
	}
	n := b.engine.Active()
	if b.opts.Free && b.dice.IntN(4) == 0 {
		n = 1 + b.dice.IntN(b.opts.PEs)
	}
	var moves []Move
	for pe := range b.opts.PEs {
		to := b.dice.IntN(n)
		for i := range b.opts.KPs {
			kp := pe*b.opts.KPs + i
			switch {
			case b.KeepsPEs:
			case b.dice.IntN(2) == 0 && b.engine.PEOf(kp) < n:
				to = b.engine.PEOf(kp)
			default:
				to = b.dice.IntN(n)
			}
			moves = append(moves, Move{KP: kp, To: to})
		}
	}
	b.moveTo(n, moves)
}
