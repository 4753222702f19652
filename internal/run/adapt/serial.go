// This file owns serial stretches of a parallel run, in which one PE handles all events, as a sequential run does. That
// is faster when other programs leave the process little more than one processor, and when there is little to do at
// once.

package adapt

import "time"

// trials is when serial stretches are tried, and how long they are.
type trials struct {
	next  time.Time     // no trial before
	wait  time.Duration // from a trial that was slower to the next
	need  int           // what looks that find few processors at work must count
	since time.Time     // few processors have been at work
	// After a stretch that was faster: its events per second, until it is clear whether another one follows at once; 0:
	// it is.
	rate  float64
	alone float64 // events per second of one PE when it was tried last, or went on; 0: never
	mean  float64 // events per second at the last looks, the later the more; 0: none yet
	held  int     // stretches that were followed by another one, since then
	tried int     // how often one PE has been tried in this trial
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
	// aloneGain is how much faster one PE has to be to go on. It leaves a processor to others, so that a little will do.
	aloneGain = 1.02
	// What a look counts that finds less than fewWorking, and less than oneWorking, and what successive looks must
	// count at first: three of the one are enough, or two of the other.
	fewCounts = 2
	oneCounts = 3
	firstNeed = 6
	mostNeed  = 8 * firstNeed // after stretches that were not needed for long
	farBelow  = 0.5           // share of the rate of one PE alone below which waiting costs more than trying
	meanLooks = 4             // looks that the mean rate mostly consists of
	manyHeld  = 3             // this number of them, one after the other, shows that they are needed
	// After a stretch the PEs look more often whether one more should follow.
	lookBackEvery = 2500 * time.Microsecond
	lookBackSoon  = time.Millisecond // the first of these looks, which counts if it says something
)

// slowAfter has the rates at the first such look, and at the next ones, below which another stretch follows, in terms
// of the rate of the last stretch. PEs that have parted take a while to come up to speed.
var slowAfter = [...]float64{0.2, 0.7, 0.7, 0.8}

// mayTrySerial reports whether it is time to try one PE if few processors work.
func (b *Balance) mayTrySerial(now time.Time) bool { return b.opts.Free && now.After(b.trials.next) }

// countFew counts a look that found few processors at work, or all of them doing no more than one PE has done alone.
func (b *Balance) countFew(d *span) {
	t, working := &b.trials, d.working()
	if t.mean == 0 {
		t.mean = d.rate()
	}
	t.mean += (d.rate() - t.mean) / meanLooks
	if working >= fewWorking && t.mean >= t.alone {
		b.few = 0
		return
	}
	if b.few == 0 {
		t.since, b.from = b.last.At, b.last
	}
	if b.few += fewCounts; working < oneWorking && d.evened() < fewWorking {
		b.few += oneCounts - fewCounts
	}
	if d.rate() < farBelow*t.alone { // two such looks are enough, however often stretches were not needed or trials slower
		b.few += t.need / 2
		t.next = time.Time{}
	}
}

// lookBack decides whether one more stretch follows the last one. If not, it reports whether the look is complete.
func (b *Balance) lookBack(now time.Time, d *span) (again, complete bool) {
	t, age := &b.trials, now.Sub(b.last.At)
	slow := 0.0 // in terms of the rate of the stretch
	switch {
	case d.evened() >= fewWorking && !(age >= lookEvery && d.isSteady() && d.imbalance() < imbalanced):
		// there may be processors for all PEs, or moves of KPs help
	case age >= lookEvery:
		slow = 1 / aloneGain
	case d.isSteady():
		slow = slowAfter[len(slowAfter)-1]
	case age >= lookBackEvery:
		slow = slowAfter[min(int(age/lookBackEvery), len(slowAfter))-1]
	}
	switch {
	case d.rate() < slow*t.rate:
		t.held++
		b.before = d.rate()
		return true, false
	case age < lookBackEvery:
		b.next = b.last.At.Add(lookBackEvery)
		return false, false
	case age < lookEvery:
		b.next = now.Add(lookBackEvery)
		return false, false
	case d.working() < fewWorking && d.rate() < t.rate:
		b.few, b.from = t.need-1, b.last // the next look shows whether KPs should move
	case t.held >= manyHeld:
		t.need = firstNeed
	default:
		t.need = min(2*t.need, mostNeed)
	}
	t.rate, t.held = 0, 0
	return false, true
}

// beginSerial lets one PE handle all events for a short time, and for longer if that is faster than what was before.
// After a stretch that was faster it need not be tried.
func (b *Balance) beginSerial(now time.Time) Decision {
	t := &b.trials
	if t.wait == 0 {
		t.wait = firstWait
	}
	if t.rate > 0 {
		return b.stay(now)
	}
	b.state, t.tried, t.alone = warming, 0, 0
	return Decision{Kind: RunAlone, Length: warmUp}
}

// nextSerial goes on with what beginSerial has begun, or ends it.
func (b *Balance) nextSerial(o *Outcome) Decision {
	t := &b.trials
	if b.state == trying {
		t.alone = max(t.alone, o.Rate)
	}
	switch {
	case o.Refused:
		t.rate = 0
		return b.endSerial(o)
	case b.state == parting:
		return b.endSerial(o)
	case b.state == staying:
		if t.rate, t.alone = 0, o.Rate; o.Rate > b.before {
			t.rate = o.Rate
		}
	case o.GoesOn && b.state == trying && o.Rate > aloneGain*b.before:
		return b.stay(o.Load.At)
	case o.GoesOn && t.tried < numTrials:
		t.tried++
		b.state = trying
		return Decision{Kind: RunAlone, Length: serialTrial}
	}
	b.state = parting
	return Decision{Kind: Part}
}

// stay lets one PE handle all events for as long as whatever keeps processors from working has gone on until now, since
// it will most likely do so for as long again, and if it does not, no more than that is lost. The first stretch is
// shorter, since more is over by then.
func (b *Balance) stay(now time.Time) Decision {
	long := now.Sub(b.trials.since)
	if b.trials.held == 0 {
		long /= 2
	}
	b.state = staying
	return Decision{Kind: RunAlone, Length: min(max(long, leastStay), mostStay)}
}

// endSerial decides when one PE is tried again.
func (b *Balance) endSerial(o *Outcome) Decision {
	t, took := &b.trials, o.Took()
	b.SerialSeconds += took.Seconds()
	if t.rate > 0 {
		t.wait, t.next = firstWait, time.Time{}
	} else {
		t.next, t.held = o.Load.At.Add(max(t.wait, trialCost*took)), 0
		t.wait = min(2*t.wait, mostWait)
	}
	if o.Lacked {
		t.next, t.rate, t.alone, t.held = o.Load.At.Add(mostWait), 0, 0, 0
	}
	b.few, t.mean = 0, 0
	if b.Watch(o.Load); t.rate > 0 {
		b.next = b.last.At.Add(lookBackSoon)
	}
	return Decision{}
}
