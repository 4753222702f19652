// This file owns serial stretches of a parallel run, in which one PE handles all events, as a sequential run does. That
// is faster when other programs leave the process little more than one processor.

package adapt

import "time"

// trials is when serial stretches are tried.
type trials struct {
	next time.Time     // no trial before
	wait time.Duration // from a trial that was slower to the next
	stay time.Duration // length of the next stretch
}

const (
	firstWait   = 100 * time.Millisecond // from a trial that was slower to the next, at first
	mostWait    = 5 * time.Second        // and later
	firstStay   = 400 * time.Millisecond // length of the first stretch
	mostStay    = 4 * time.Second        // and of later ones
	warmUp      = 3 * time.Millisecond   // until caches hold what one PE needs
	serialTrial = 5 * time.Millisecond   // length of a trial; the fastest counts, since others may disturb some
	numTrials   = 4
	trialCost   = 50 // least wait, in terms of what the trials take
	// fewWorking is the number of processors at work on events below which one PE may be faster: an
	// event costs less if nothing can undo it and no other processor is involved.
	fewWorking = 1.5
	fewLooks   = 3 // successive looks that must find so few
)

// mayTrySerial reports whether it is time to try one PE if few processors work.
func (b *Balance) mayTrySerial(now time.Time) bool { return b.opts.Free && now.After(b.trials.next) }

// trySerial lets one PE handle all events for a short time, and for longer if that is faster than what
// was before.
func (b *Balance) trySerial() {
	e, t := b.engine, &b.trials
	if t.wait == 0 {
		t.wait, t.stay = firstWait, firstStay
	}
	faster := false
	begin := time.Now()
	if e.FitsSerial() {
		e.Serially(func() {
			e.RunSerial(warmUp)
			for n := 0; n < numTrials && !faster && e.GoesOn(); n++ {
				faster = e.RunSerial(serialTrial) > better*b.before
			}
			if faster && e.GoesOn() {
				faster = e.RunSerial(t.stay) > b.before
			}
		})
	}
	took := time.Since(begin)
	b.SerialSeconds += took.Seconds()
	if faster {
		t.wait, t.stay, t.next = firstWait, min(4*t.stay, mostStay), time.Time{}
	} else {
		t.next = time.Now().Add(max(t.wait, trialCost*took))
		t.wait, t.stay = min(2*t.wait, mostWait), firstStay
	}
	if e.Lacked() {
		t.next = time.Now().Add(mostWait)
	}
	if b.watch(); faster {
		b.few = fewLooks - 1 // one look shows whether it still is
	}
}
