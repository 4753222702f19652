package meter

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWaitingForAProcessorIsNotTimed has one operation in a thousand lose its processor for as long as all others take.
func TestWaitingForAProcessorIsNotTimed(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var laps, walls Sampler
	begin := threadTime()
	waited := 0.0
	for i := range 20_000 {
		lap, wall := laps.Begin(), walls.Start()
		for until := threadTime() + 1000; threadTime() < until; {
		}
		if lap.thread != 0 && i%50 == 0 {
			from := time.Now()
			time.Sleep(time.Millisecond)
			waited += Since(from)
		}
		walls.Add(wall, 64)
		laps.End(lap, 64)
	}
	whole := float64(threadTime()-begin) * 1e-9
	require.Positive(t, waited)
	require.Greater(t, walls.Total(), laps.Total())
	require.InDelta(t, whole, laps.Total(), whole/2)
}
