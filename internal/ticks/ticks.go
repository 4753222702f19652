// This file owns Now and Clock.

package ticks

import (
	"sync"
	"time"
)

// base is where the program began, for the clocks.
var base = read()

// Now returns the counter of the processor. It only grows, as far as one goroutine sees.
func Now() uint64 {
	if steady {
		return counter()
	}
	return uint64(time.Since(systemBase))
}

var systemBase = time.Now()

// reading is what counter and system clock showed at the same moment.
type reading struct {
	ticks uint64
	time  time.Time
}

// read takes the best of some readings: between the two clocks of one the thread may have
// lost the processor.
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

// minBase is how long the program has to run until the frequency is known to some parts
// in ten thousand.
const minBase = time.Millisecond

// first waits until then, once.
var first = sync.OnceFunc(func() {
	for time.Since(base.time) < minBase {
	}
})

// Clock turns what Now returned into seconds. One goroutine uses it at a time.
type Clock struct {
	ticks uint64  // a moment
	at    float64 // which this was, in seconds
	rate  float64 // seconds a tick
	last  float64 // what Seconds returned last
	start time.Time
}

// NewClock returns a clock that shows the seconds since start. The first call waits until
// the program is a millisecond old.
func NewClock(start time.Time) *Clock {
	first()
	c := &Clock{start: start}
	c.Tune()
	return c
}

// Tune compares the clock with the system's and sets it right. Between two calls it goes
// wrong by as much as the rate of the system's clock is changed, microseconds a second
// at most.
func (c *Clock) Tune() { c.tune(base, read()) }

func (c *Clock) tune(from, now reading) {
	c.ticks = now.ticks
	c.at = now.time.Sub(c.start).Seconds()
	if n := now.ticks - from.ticks; int64(n) > 0 {
		c.rate = now.time.Sub(from.time).Seconds() / float64(n)
	}
}

// Seconds returns the seconds from start to the moment at which Now returned t. It never
// returns less than the time before: where Tune sets the clock back it stands still for as
// long.
func (c *Clock) Seconds(t uint64) float64 {
	s := c.at + float64(int64(t-c.ticks))*c.rate
	if s < c.last {
		return c.last
	}
	c.last = s
	return s
}
