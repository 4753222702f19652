package testkit

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// after returns how long a watch looked on while each second took that much of the processors, up to limit.
func after(t *testing.T, each, limit time.Duration) (took time.Duration, hangs bool) {
	synctest.Test(t, func(t *testing.T) {
		begin, hung := time.Now(), make(chan struct{})
		stop := watch(func() time.Duration { return time.Duration(time.Since(begin).Seconds() * float64(each)) },
			func() { close(hung) })
		defer stop()
		select {
		case <-hung:
			hangs = true
		case <-time.After(limit):
		}
		took = time.Since(begin)
	})
	return took, hangs
}

func TestAWatchEndsWhatMakesNoProgress(t *testing.T) {
	took, hangs := after(t, 0, time.Hour)
	require.True(t, hangs)
	require.Equal(t, 2*time.Minute, took)
	took, hangs = after(t, little/1000, time.Hour) // what the looks take
	require.True(t, hangs)
	require.Equal(t, 2*time.Minute, took)
}

func TestAWatchLetsSlowOnesGoOn(t *testing.T) {
	_, hangs := after(t, little/100, 24*time.Hour) // a thousandth of a processor
	require.False(t, hangs)
}

func TestAWatchThatIsStoppedEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watch(func() time.Duration { return 0 }, func() { t.Error("it was stopped") })()
		time.Sleep(time.Hour)
	})
}

func TestProcessorTimeGrowsWithWork(t *testing.T) {
	for begin := processorTime(); processorTime() < begin+time.Millisecond; {
	}
}

func TestProcessesEndBeforeTheTest(t *testing.T) {
	require.Less(t, RankLimit(t), Limit(t))
	if end, has := t.Deadline(); has {
		require.Less(t, Limit(t), time.Until(end))
	}
	none := struct{ testing.TB }{t} // such as a benchmark
	require.Equal(t, 24*time.Hour, Limit(none))
}
