package meter

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASleepTakesNoProcessorTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread, wall := threadTime(), wallTime()
	time.Sleep(20 * time.Millisecond)
	thread, wall = threadTime()-thread, wallTime()-wall
	require.Less(t, thread, wall/2)
}
