// Package ticks is a clock for reading the time of each event: it reads the processor's
// counter, which takes a fraction of the time of time.Now.
//
// [Now] returns the counter: of unknown frequency, from an unknown start. A [Clock] converts
// it into seconds since the start of a run. [Clock.Tune] measures the frequency by comparing
// the counter with the system clock, over the longest possible time: from the start of the
// program to the present.
//
//	clock := ticks.NewClock(start)     // one for each goroutine
//	at := clock.Seconds(ticks.Now())   // in the event loop
//	clock.Tune()                       // now and then, for example once in a round of GVT
//
// # Which counter
//
// On amd64 it is the time-stamp counter, if the processor reports (CPUID 8000_0007h) that
// its rate is the same in all power states; on arm64 the virtual counter of the generic
// timer, whose rate is always constant. Elsewhere, and with the build tag purego, it is the
// system's clock in nanoseconds. The kernel synchronizes the processors of a machine; where
// that fails, a clock stands still for a while rather than go back.
//
// Reading the counter is not ordered with other instructions: the processor may read it some
// nanoseconds early or late.
//
// # Costs
//
// Nanoseconds in a virtual machine on a busy host: Now 31, Clock.Seconds(Now()) 45,
// time.Since 70, time.Now 130, Clock.Tune 700.
//
// `go test -run '^$' -bench . ./internal/sys/ticks`
package ticks

import (
	"sync"
	"time"
)

// Now and Clock.

// base is the time at which the program began, for the clocks.
var base = read()

// Now returns the processor's counter. For one goroutine it never decreases.
func Now() uint64 {
	if steady {
		return counter()
	}
	return uint64(time.Since(systemBase))
}

var systemBase = time.Now()

// reading is the values of counter and system clock at the same moment.
type reading struct {
	ticks uint64
	time  time.Time
}

// read returns the best of some readings, because the thread may lose the processor
// between reading the two clocks.
func read() (best reading) {
	least := ^uint64(0)
	for range 3 {
		before := Now()
		now := time.Now()
		if took := Now() - before; took < least {
			least, best = took, reading{before + took/2, now}
		}
	}
	return best
}

// minBase is how long the program must run until the frequency is known to some parts in
// ten thousand.
const minBase = time.Millisecond

// first waits once until minBase has passed.
var first = sync.OnceFunc(func() {
	for time.Since(base.time) < minBase {
	}
})

// Clock converts results of Now into seconds. Only one goroutine at a time may use it.
type Clock struct {
	ticks uint64  // a moment
	at    float64 // the same moment, in seconds
	rate  float64 // seconds a tick
	last  float64 // what Seconds returned last
	start time.Time
}

// NewClock returns a clock of the seconds since start. The first call waits until the
// program has run for a millisecond.
func NewClock(start time.Time) *Clock {
	first()
	c := &Clock{start: start}
	c.Tune()
	return c
}

// Tune compares the clock with the system clock and corrects it. Between two calls it
// drifts by as much as the rate of the system clock is adjusted, at most microseconds per
// second.
func (c *Clock) Tune() { c.tune(base, read()) }

func (c *Clock) tune(from, now reading) {
	c.ticks = now.ticks
	c.at = now.time.Sub(c.start).Seconds()
	if n := now.ticks - from.ticks; int64(n) > 0 {
		c.rate = now.time.Sub(from.time).Seconds() / float64(n)
	}
}

// Seconds returns the seconds from start to the moment at which Now returned t. It never
// returns less than before: if Tune sets the clock back, it stands still for as long.
func (c *Clock) Seconds(t uint64) float64 {
	s := c.at + float64(int64(t-c.ticks))*c.rate
	if s < c.last {
		return c.last
	}
	c.last = s
	return s
}
