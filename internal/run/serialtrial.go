// This file owns stretches of a parallel run in which one PE handles all events, as a sequential run
// does. That is faster when other programs leave the process little more than one processor.

package run

import "time"

// alone is when one PE handles all events.
type serialTrials struct {
	next time.Time     // no trial before
	wait time.Duration // from a trial that was slower to the next
	stay time.Duration // length of the next stretch
	lack bool          // the last stretch has ended for lack of memory
}

const (
	firstWait   = 100 * time.Millisecond // from a trial that was slower to the next, at first
	mostWait    = 5 * time.Second        // and later
	firstStay   = 400 * time.Millisecond // length of the first stretch
	mostStay    = 4 * time.Second        // and of later ones
	warmUp      = 3 * time.Millisecond   // until caches hold what one PE needs
	serialTrial = 5 * time.Millisecond   // of which the fastest counts, since others may disturb some
	trials      = 4
	trialCost   = 50 // least wait, in terms of what the trials take
	// fewWorking is the number of processors at work on events below which one PE may be faster: an
	// event costs less if nothing can undo it and no other processor is involved.
	fewWorking = 1.5
	fewLooks   = 3 // successive looks that must find so few
)

// mayTrySerial reports whether it is time to try one PE if few processors work.
func (b *balance) mayTrySerial(now time.Time) bool { return b.free && now.After(b.trials.next) }

// trySerial lets one PE handle all events for a short time, and for longer if that is faster than what
// was before.
func (b *balance) trySerial() {
	s, a := b.run, &b.trials
	if a.wait == 0 {
		a.wait, a.stay = firstWait, firstStay
	}
	faster := false
	begin := time.Now()
	if s.pending() <= mostPending && s.fitsKeys(s.Locals[1:]) {
		goesOn := func() bool { return s.left && !a.lack && s.failure() == nil }
		s.serially(func() {
			b.timeSerial(warmUp)
			for n := 0; n < trials && !faster && goesOn(); n++ {
				faster = b.timeSerial(serialTrial) > better*b.before
			}
			if faster && goesOn() {
				faster = b.timeSerial(a.stay) > b.before
			}
		})
		s.goOnParallel(b.mode)
	}
	took := time.Since(begin)
	b.SerialSeconds += took.Seconds()
	if faster {
		a.wait, a.stay, a.next = firstWait, min(4*a.stay, mostStay), time.Time{}
	} else {
		a.next = time.Now().Add(max(a.wait, trialCost*took))
		a.wait, a.stay = min(2*a.wait, mostWait), firstStay
	}
	if a.lack {
		a.next, a.lack = time.Now().Add(mostWait), false
	}
	if b.watch(); faster {
		b.few = fewLooks - 1 // one look tells whether it still is
	}
}

// timeSerial lets one PE handle all events for a time, and returns the events per second.
func (b *balance) timeSerial(length time.Duration) float64 {
	before, begin := b.run.committed(), time.Now()
	b.run.runSerial(length)
	return float64(b.run.committed()-before) / max(time.Since(begin).Seconds(), 1e-9)
}

const (
	// keyBytes is what a key may take in a queue, parts of which double in size.
	keyBytes = 64
	// spareShare is the least memory of the run in terms of what must be free besides.
	spareShare = 16
)

// fitsKeys reports whether there is memory to put the pending events of some PEs into the queues of others.
// Events themselves stay where they are.
func (s *Run) fitsKeys(of []*PE) bool {
	n := uint64(0)
	for _, pe := range of {
		n += pe.Queue.Len()
	}
	return s.Budget.Spares(keyBytes*n+s.Budget.Limit()/spareShare) == nil
}

const (
	leastBurst = 16 // events of a turn when memory is short
	besides    = 16 // slots wanted beyond one for each event of a turn
)

// fitsTurn reports whether there is memory for the next turn of a stretch in which one PE handles all events.
// It makes turns shorter if that helps. Otherwise the PEs part: what they do in parallel they can undo, or
// they wait for one another's memory.
func (s *Run) fitsTurn() bool {
	j := &s.serialLoop
	for !s.Locals[0].Arena.Provide(j.burst + besides) {
		if j.burst <= leastBurst {
			s.balance.trials.lack = true
			return false
		}
		j.burst /= 2
	}
	return true
}
