// This file owns serial stretches of a parallel run, in which one PE handles all events, as a sequential run does. That
// is faster when other programs leave the process little more than one processor, and when there is little to do at once.

package adapt

import "time"

// trials is when serial stretches are tried, and how long they are.
type trials struct {
	next  time.Time     // no trial before
	wait  time.Duration // from a trial that was slower to the next
	need  int           // what looks that find few processors at work must count
	since time.Time     // few processors have been at work
	// After a stretch that was faster: its events per second, until it is clear whether another one follows at once; 0: it is.
	rate float64
	held int // stretches that were followed by another one, since then
}

const (
	firstWait   = 100 * time.Millisecond // from a trial that was slower to the next, at first
	mostWait    = 5 * time.Second        // and later
	leastStay   = 30 * time.Millisecond  // length of a stretch: that for which few processors have been at work
	mostStay    = 4 * time.Second
	warmUp      = 3 * time.Millisecond // until caches hold what one PE needs
	serialTrial = 5 * time.Millisecond // length of a trial; the fastest counts, since others may disturb some
	numTrials   = 4
	trialCost   = 50 // least wait, in terms of what the trials take
	// fewWorking is the number of processors at work on events below which one PE may be faster: an
	// event costs less if nothing can undo it and no other processor is involved. With less than oneWorking it will be,
	// if it gets a processor.
	fewWorking = 1.5
	oneWorking = 1.0
	// What a look counts that finds less than fewWorking, and less than oneWorking, and what successive looks must count at
	// first: three of the one are enough, or two of the other.
	fewCounts = 2
	oneCounts = 3
	firstNeed = 6
	mostNeed  = 8 * firstNeed // after stretches that were not needed for long
	manyHeld  = 3             // this number of them, one after the other, shows that they are needed
	// After a stretch the PEs look more often whether one more should follow.
	lookBackEvery = 2500 * time.Microsecond
)

// slowAfter has the rates at the first such look, and at the next ones, below which another stretch follows, in terms of the
// rate of the last stretch. PEs that have parted take a while to come up to speed.
var slowAfter = [...]float64{0.2, 0.7, 0.7, 0.8}

// mayTrySerial reports whether it is time to try one PE if few processors work.
func (b *Balance) mayTrySerial(now time.Time) bool { return b.opts.Free && now.After(b.trials.next) }

// countFew counts a look that found few processors at work.
func (b *Balance) countFew(d *span) {
	working := d.working()
	if working >= fewWorking {
		b.few, b.best = 0, 0
		return
	}
	if b.few == 0 {
		b.trials.since = b.last.At
	}
	if b.few += fewCounts; working < oneWorking && d.evened() < fewWorking {
		b.few += oneCounts - fewCounts
	}
	b.best = max(b.best, d.rate())
}

// lookBack decides whether one more stretch follows the last one. If not, it reports whether the look is complete.
func (b *Balance) lookBack(now time.Time, d *span) (complete bool) {
	t, age := &b.trials, now.Sub(b.last.At)
	slow := 0.0 // in terms of the rate of the stretch
	switch {
	case d.evened() >= fewWorking: // there may be processors for all PEs, or moves of KPs help
	case age >= lookEvery:
		slow = 1 / better
	default:
		slow = slowAfter[min(int(age/lookBackEvery), len(slowAfter))-1]
	}
	switch {
	case d.rate() < slow*t.rate:
		t.held++
		b.before = d.rate()
		b.pause(pausedForSerial)
		return false
	case age < lookEvery:
		b.next = now.Add(lookBackEvery)
		return false
	case d.working() < fewWorking && d.rate() < t.rate:
		b.few = t.need - 1 // the next look shows whether KPs should move
	case t.held >= manyHeld:
		t.need = firstNeed
	default:
		t.need = min(2*t.need, mostNeed)
	}
	t.rate, t.held = 0, 0
	return true
}

// trySerial lets one PE handle all events for a short time, and for longer if that is faster than what
// was before. After a stretch that was faster it need not be tried.
func (b *Balance) trySerial() {
	e, t := b.engine, &b.trials
	begin, rate := time.Now(), t.rate
	if t.wait == 0 {
		t.wait = firstWait
	}
	if t.rate = 0; e.FitsSerial() {
		e.Serially(func() {
			faster := rate > 0
			if !faster {
				e.RunSerial(warmUp)
			}
			for n := 0; n < numTrials && !faster && e.GoesOn(); n++ {
				faster = e.RunSerial(serialTrial) > better*b.before
			}
			if faster && e.GoesOn() {
				if rate = e.RunSerial(t.stay()); rate > b.before {
					t.rate = rate
				}
			}
		})
	}
	took := time.Since(begin)
	b.SerialSeconds += took.Seconds()
	if t.rate > 0 {
		t.wait, t.next = firstWait, time.Time{}
	} else {
		t.next, t.held = time.Now().Add(max(t.wait, trialCost*took)), 0
		t.wait = min(2*t.wait, mostWait)
	}
	if e.Lacked() {
		t.next, t.rate, t.held = time.Now().Add(mostWait), 0, 0
	}
	b.few, b.best = 0, 0
	if b.watch(); t.rate > 0 {
		b.next = b.last.At.Add(lookBackEvery)
	}
}

// stay returns the length of a stretch. Whatever keeps processors from working will most likely go on for as long as it has
// until now, and if it does not, no more than that is lost. The first stretch is shorter, since more is over by then.
func (t *trials) stay() time.Duration {
	long := time.Since(t.since)
	if t.held == 0 {
		long /= 2
	}
	return min(max(long, leastStay), mostStay)
}
