// This file pins that clocks agree with the system's and never go back, and shows the life of a clock.

package ticks

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testalloc"
)

func TestClockAgreesWithTheSystemUnderLoad(t *testing.T) {
	for _, tune := range []bool{false, true} {
		over := new(atomic.Bool)
		defer over.Store(true)
		for range runtime.GOMAXPROCS(0) {
			go func() {
				for !over.Load() {
				}
			}()
		}
		start := time.Now()
		c := NewClock(start)
		last, lastTicks := 0.0, uint64(0)
		for n := 0; time.Since(start) < 50*time.Millisecond; n++ {
			before := time.Since(start).Seconds()
			ticks := Now()
			after := time.Since(start).Seconds()
			s := c.Seconds(ticks)
			require.GreaterOrEqual(t, ticks, lastTicks)
			require.GreaterOrEqual(t, s, last)
			require.GreaterOrEqual(t, s, 0.99*before-1e-5)
			require.LessOrEqual(t, s, 1.01*after+1e-5)
			last, lastTicks = s, ticks
			if tune && n%100 == 0 {
				c.Tune()
			}
		}
	}
}

func TestClockThatIsSetBackStandsStill(t *testing.T) {
	from := reading{1000, time.Unix(1000, 0)}
	c := Clock{start: from.time}
	second := func(ticks uint64, seconds float64) reading {
		return reading{ticks, from.time.Add(time.Duration(seconds * 1e9))}
	}
	c.tune(from, second(2000, 1)) // a thousand ticks a second
	require.InDelta(t, 1, c.Seconds(2000), 1e-12)
	require.InDelta(t, 1.5, c.Seconds(2500), 1e-12)
	c.tune(from, second(2500, 1.2)) // it was wrong
	require.InDelta(t, 1.5, c.Seconds(2501), 1e-12)
	require.Greater(t, c.Seconds(4000), 1.6)
}

func TestClockNeverGoesBackWhateverTheReadings(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	from := reading{rnd.Uint64(), time.Now()} // the counter may wrap
	c := Clock{start: from.time}
	ticks, seconds, last := from.ticks, 0.0, 0.0
	for range 10_000 {
		step := rnd.Uint64N(1000)
		ticks += step
		seconds += float64(step) * (0.5 + rnd.Float64()) * 1e-3
		if rnd.IntN(10) == 0 {
			c.tune(from, reading{ticks - rnd.Uint64N(50), from.time.Add(time.Duration(seconds * 1e9))})
		}
		s := c.Seconds(ticks - rnd.Uint64N(50))
		require.GreaterOrEqual(t, s, last)
		last = s
	}
	require.InEpsilon(t, seconds, last, 0.1)
}

func TestMomentsBeforeTuneHaveTheirOwnTime(t *testing.T) {
	from := reading{0, time.Unix(0, 0)}
	c := Clock{start: from.time}
	c.tune(from, reading{1000, time.Unix(10, 0)})
	require.InDelta(t, 5, c.Seconds(500), 1e-12)
	require.InDelta(t, 10, c.Seconds(1000), 1e-12)
}

func TestClockAllocatesNothing(t *testing.T) {
	c := NewClock(time.Now())
	require.Zero(t, testalloc.PerRun(100, func() {
		c.Seconds(Now())
		c.Tune()
	}))
}

var (
	sinkTicks   uint64
	sinkTime    time.Time
	sinkSince   time.Duration
	sinkSeconds float64
)

func BenchmarkTime(b *testing.B) {
	start := time.Now()
	c := NewClock(start)
	for name, f := range map[string]func(){
		"ticks.Now":     func() { sinkTicks = Now() },
		"Clock.Seconds": func() { sinkSeconds = c.Seconds(Now()) },
		"Clock.Tune":    func() { c.Tune() },
		"time.Now":      func() { sinkTime = time.Now() },
		"time.Since":    func() { sinkSince = time.Since(start) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

func Example() {
	start := time.Now()
	clock := NewClock(start)
	first := clock.Seconds(Now())
	clock.Tune()
	second := clock.Seconds(Now())
	fmt.Println(0 <= first && first <= second && second <= time.Since(start).Seconds()+1e-3)
	// Output: true
}
