// This file owns Now and Clock.

package ticks

import (
	"sync"
	"time"
)

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
