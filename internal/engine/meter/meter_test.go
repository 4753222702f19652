package meter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPhasesWithinPhasesAreChargedOnce(t *testing.T) {
	c := NewCounts()
	outer := c.Enter()
	inner := c.Enter()
	time.Sleep(2 * time.Millisecond)
	c.Leave(inner, &c.UndoSeconds)
	c.Leave(outer, &c.GVTSeconds)
	require.GreaterOrEqual(t, c.UndoSeconds, 0.002)
	require.InDelta(t, c.Timed, c.UndoSeconds+c.GVTSeconds, 1e-12)
	require.GreaterOrEqual(t, Since(outer.Begin), c.Timed)
}

func TestEachSampleStandsForThoseSinceTheOneBefore(t *testing.T) {
	var s Sampler
	weights := 0.0
	for range 1000 {
		if s.Due() {
			weights += s.Weigh(SampleEvery)
		}
	}
	require.EqualValues(t, s.last, weights)
	require.Less(t, s.N-s.last, uint64(2*SampleEvery))
	require.Zero(t, new(Sampler).Total())
}

func TestTimesOnlyGrowAndAddUpToTheWhole(t *testing.T) {
	c, clock, a := NewCounts(), PhaseClock{}, Account{}
	created := time.Now()
	clock.Start()
	last := 0.0
	for i := range 5 {
		p := c.Enter()
		time.Sleep(time.Millisecond)
		c.Leave(p, &c.GVTSeconds)
		times := a.Times(&c, &clock, float64(i), 0, created) // more reading than there was time
		sum := times.PQ + times.EventProcess + times.GVT + times.NetRead
		require.Greater(t, sum, last)
		require.LessOrEqual(t, sum, clock.Elapsed()+1e-9)
		last = sum
	}
}

func TestTheTimeOfTheIndexHasAllThatItDoes(t *testing.T) {
	c, clock, a := NewCounts(), PhaseClock{Seconds: 100, ended: true}, Account{}
	timed := func(seconds float64) Sampler { return Sampler{N: 1000, last: 500, Seconds: seconds} }
	c.Arrivals, c.Finds, c.SweepSeconds, c.TreeSeconds = timed(1), timed(2), 0.25, 0.5
	times := a.Times(&c, &clock, 0, 0, time.Now())
	require.Equal(t, 2*1+2*2+0.25+0.5, times.AVL)
	require.Equal(t, 0.5, times.Trees)
	require.Equal(t, 100.0, times.EventProcess, "the index is a part of others")
	c.TreeSeconds, clock.Seconds = 1, 200
	require.Equal(t, 7.25, a.Times(&c, &clock, 0, 0, time.Now()).AVL)
}

// TestWaitingForAProcessorIsNotTimed has one operation in fifty lose its processor for a thousand times as long as it
// takes, by clocks of its own, and another one in fifty while the clock is read before it.
func TestWaitingForAProcessorIsNotTimed(t *testing.T) {
	const operations, takes, reading, waits = 20_000, 1000, 40, 1_000_000
	var laps, walls Sampler
	wall, thread, origin := int64(1), int64(1), time.Now()
	for i := range operations {
		before := wall
		if i%50 == 25 {
			wall += waits
		}
		wall += reading
		lap := newLap(thread, before, wall, reading*1e-9)
		if i%50 == 0 {
			wall += waits
		}
		wall, thread = wall+takes+reading, thread+takes
		now := origin.Add(time.Duration(wall))
		if laps.Due() {
			laps.add(lap.took(wall, func() int64 { return thread }), 64, now)
		}
		if walls.Due() {
			walls.add(wall-lap.begin, 64, now)
		}
	}
	require.InEpsilon(t, operations*takes*1e-9, laps.Total(), 1e-9)
	require.Greater(t, walls.Total(), 1.1*laps.Total())
}

func ExampleTotals_Histogram() {
	c := NewCounts()
	c.Lengths[1], c.Lengths[3] = 7, 2 // rollbacks of 1, and of 4 to 7 events
	fmt.Println(c.Histogram())
	// Output: 1: 7, 4-7: 2
}
