// This file pins what follows from settings.

package settings_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
)

func TestPointBeforeIsBeforeATime(t *testing.T) {
	for _, every := range []float64{0.7, 1e-12, 5e-324, 3, 1e300} {
		for _, clock := range []float64{0, 1e-12, 2.1, 734003.2, 1e18, 1e300} {
			c := settings.Settings{Instruments: settings.Instruments{VirtualInterval: every}}
			if clock/every > 1e7 && clock/every < 1e10 {
				continue // it takes its time
			}
			before := c.PointBefore(clock)
			require.True(t, before == 0 || before < clock, "every %g: %g before %g", every, before, clock)
			require.GreaterOrEqual(t, before, clock*(1-1e-9)-2*every, "every %g: %g before %g", every, before, clock)
		}
	}
}

func TestRealTimeIntervalIsAtMostWhatCyclesCanCount(t *testing.T) {
	for _, c := range []struct{ interval, want uint64 }{{1, 1e6}, {1 << 40, 1e6 << 40}, {1 << 50, math.MaxUint64},
		{math.MaxUint64, math.MaxUint64}} {
		s := settings.Settings{Synch: settings.SynchRealTime, Tuning: settings.Tuning{GVTInterval: c.interval},
			ClockRate: 1e9}
		require.Equal(t, c.want, s.RealTimeInterval())
	}
	s := settings.Settings{Synch: 3, Tuning: settings.Tuning{GVTInterval: 16}, ClockRate: 1e9} // optimistic
	require.Zero(t, s.RealTimeInterval())
}

// Points are sums of the interval, not multiples of it: ten times 0.1 is a little less than 1. A run that starts
// from a checkpoint of time 1 goes on after that point, which the run before it has had.
func ExampleSettings_PointBefore() {
	s := settings.Settings{Instruments: settings.Instruments{VirtualInterval: 0.1}}
	fmt.Println(s.PointBefore(1))
	fmt.Println(s.PointBefore(0.1))
	// Output:
	// 0.9999999999999999
	// 0
}

// The checks of rollback are optimistic schedulers that take one event after the other.
func ExampleSettings_Sequential() {
	for synch := settings.SynchSequential; synch <= settings.SynchCheck; synch++ {
		s := settings.Settings{Synch: synch}
		fmt.Printf("--synch=%d: optimistic %v, sequential %v\n", synch, s.Mode() == settings.Optimistic, s.Sequential())
	}
	// Output:
	// --synch=1: optimistic false, sequential true
	// --synch=2: optimistic false, sequential false
	// --synch=3: optimistic true, sequential false
	// --synch=4: optimistic true, sequential true
	// --synch=5: optimistic true, sequential false
	// --synch=6: optimistic true, sequential true
}
