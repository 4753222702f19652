package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/proc/internal/models"
)

// TestEventsOfProcessesAllocateNothing compares runs of two lengths: what is allocated once is in both.
func TestEventsOfProcessesAllocateNothing(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("this build allocates")
	}
	allocated := func(end float64) (n, events float64) {
		n = testing.AllocsPerRun(2, func() {
			sim, err := ross.Run(context.Background(), ross.Config{End: end}, models.Banks(4))
			require.NoError(t, err)
			events = float64(sim.Summary().NetEvents())
			sim.Close()
		})
		return n, events
	}
	short, few := allocated(10_000)
	long, many := allocated(40_000)
	require.Less(t, (long-short)/(many-few), 0.05)
}
