// This file owns Balance: KPs move to other PEs while the run goes on, when one PE has more to do than the others, or
// less of a processor.

package adapt

import "time"

// Balance is the policy of a run: it decides by loads.
type Balance struct {
	opts Options

	state  state
	next   time.Time     // when to look again
	seen   int           // what successive looks count that found an imbalance
	few    int           // what successive looks count that found one PE to be as good, by processors at work or rates
	from   Load          // before these
	quiet  time.Duration // from a move that has not helped to the next
	moves  time.Time     // KPs do not move before
	last   Load          // at the last look
	before float64       // events per second before the last move
	undo   []Move        // takes the last moves back
	trials trials
	*Result
}

// state says what the balance is doing: what a look is for, or what a decision, which is not yet carried out, is for.
type state int

const (
	watching  state = iota // are the PEs loaded alike?
	counting               // what each LP has done is counted, and what it does measured from there
	measuring              // what each KP has to do is being measured
	planning               // what each LP has done is counted again, and KPs move by the difference
	moving                 // KPs move
	settling               // KPs have moved, and the PEs are not yet up to speed
	judging                // is the run faster than before?
	undoing                // it is slower, and the KPs go back
	warming                // one PE handles all events until its caches hold what it needs
	trying                 // is one PE faster?
	staying                // it is, and goes on
	parting                // and does no longer
)

const (
	lookEvery  = 20 * time.Millisecond // from one look to the next
	lookSoon   = 5 * time.Millisecond  // likewise, if that is enough to say something, until one PE has been tried
	leastQuiet = 50 * time.Millisecond // from a move that has not helped to the next, at first
	mostQuiet  = 3 * time.Second       // and later
	measure    = 5 * time.Millisecond  // the least length of a measurement
	settle     = 5 * time.Millisecond
	judge      = 25 * time.Millisecond
	imbalanced = 1.12 // the busiest PE's work divided by the mean, from which KPs should move
	helped     = 1.03 // gain from which a move was worth it
	harmed     = 0.97 // gain below which it is taken back
	seenNeed   = 4    // what successive looks must count that find an imbalance: 2, or 1 if moves leave few at work
	stopShare  = 50   // least time between moves, in terms of what the last ones took
)

// NewBalance returns the state before the run. Of the result it fills in what is measured.
func NewBalance(o Options, r *Result) *Balance {
	return &Balance{opts: o, quiet: leastQuiet, trials: trials{need: firstNeed}, Result: r}
}

// Watch implements [Policy]: are the PEs loaded alike?
func (b *Balance) Watch(l Load) {
	b.state, b.seen, b.last = watching, 0, l
	b.next = b.nextLook(l.At)
}

// nextLook returns when to look again at what the PEs have done since b.last.
func (b *Balance) nextLook(now time.Time) time.Time {
	at := b.last.At.Add(lookEvery)
	if soon := now.Add(lookSoon); b.trials.wait == 0 && soon.Before(at) {
		return soon
	}
	return at
}

// Due implements [Policy].
func (b *Balance) Due(now time.Time) bool { return !now.Before(b.next) }

// Decide implements [Policy].
func (b *Balance) Decide(l Load) Decision {
	switch b.state {
	case watching:
		return b.lookAround(l)
	case measuring:
		b.state = planning
		return Decision{Kind: CountEvents}
	case settling:
		b.state, b.last, b.next = judging, l, l.At.Add(judge)
	case judging:
		return b.judge(l)
	}
	return Decision{}
}

// lookAround decides whether anything should change.
func (b *Balance) lookAround(l Load) Decision {
	d := l.since(&b.last)
	if b.trials.rate > 0 {
		if again, complete := b.lookBack(l.At, &d); again {
			return b.beginSerial(l.At)
		} else if !complete {
			return Decision{}
		}
	} else if l.At.Sub(b.last.At) < lookEvery && !d.isSteady() {
		b.next = b.nextLook(l.At)
		return Decision{}
	}
	b.countFew(&d)
	b.last = l
	b.next = b.nextLook(l.At)
	if b.seen++; d.imbalance() < imbalanced {
		b.seen = 0
	} else if d.evened() >= fewWorking {
		b.seen++
	}
	switch {
	case b.seen >= seenNeed && l.At.After(b.moves):
		b.before, b.state = d.rate(), counting
		return Decision{Kind: CountEvents}
	case b.few >= b.trials.need && b.mayTrySerial(l.At):
		few := l.since(&b.from)
		b.before = few.rate()
		return b.beginSerial(l.At)
	}
	return Decision{}
}

// judge decides whether the last moves were worth it.
func (b *Balance) judge(l Load) Decision {
	d := l.since(&b.last)
	b.countFew(&d) // what makes the PEs unequal may be that they lack processors
	gain := d.rate() / max(b.before, 1)
	if b.quiet = leastQuiet; gain < helped {
		b.quieter()
	}
	if gain < harmed {
		b.state = undoing
		return Decision{Kind: MoveKPs, Moves: b.undo}
	}
	b.Watch(l)
	return Decision{}
}

// quieter makes the next move wait longer.
func (b *Balance) quieter() { b.quiet = min(2*b.quiet, mostQuiet) }

// Next implements [Policy].
func (b *Balance) Next(o *Outcome) Decision {
	switch b.state {
	case counting:
		b.state, b.next = measuring, o.Load.At.Add(max(measure, o.Took()))
	case planning:
		return b.rebalance(o)
	case moving:
		b.state, b.next, b.undo = settling, o.Load.At.Add(settle), o.Undo
		b.calm(o)
	case undoing:
		b.undo = o.Undo
		b.calm(o)
		b.Watch(o.Load)
	case warming, trying, staying, parting:
		return b.nextSerial(o)
	default:
		b.Watch(o.Load)
	}
	return Decision{}
}

// rebalance decides about moves of KPs, by what they had to do since the measurement began.
func (b *Balance) rebalance(o *Outcome) Decision {
	d := o.Left.since(&b.last)
	moves := b.plan(o, &d)
	if len(moves) == 0 {
		b.quieter()
		b.calm(o)
		b.Watch(o.Load)
		return Decision{}
	}
	b.state = moving
	return Decision{Kind: MoveKPs, Moves: moves}
}

// calm notes when KPs may move again, by what it took.
func (b *Balance) calm(o *Outcome) { b.moves = o.Load.At.Add(max(stopShare*o.Took(), b.quiet)) }
