// When a running simulation stores checkpoints: never two of one virtual time.

package ross

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rio"
)

// step is a message; N counts them.
type step struct{ N uint64 }

// pacer has LP 0 handle events at given times. Each waits until no checkpoint is being written.
func pacer(sim **Simulation, times ...float64) Type[uint64, step] {
	send := func(lp *LP, i uint64) {
		if lp.ID() == 0 && i < uint64(len(times)) {
			Send(lp, 0, times[i]-lp.Now(), step{i})
		}
	}
	return Type[uint64, step]{
		Init: func(_ *uint64, lp *LP) { send(lp, 0) },
		Event: func(_ *uint64, lp *LP, _ *Bits, m *step) {
			for (*sim).r.Checkpoints.Running.Busy.Load() {
				runtime.Gosched() // not a short sleep: on one processor that would let no other goroutine run
			}
			send(lp, m.N+1)
		},
		Reverse: func(*uint64, *LP, *Bits, *step) {},
	}
}

// clocksOf returns the virtual times of the checkpoints of a prefix. No event after them has been
// handled, unless the run was conservative.
func clocksOf(t *testing.T, prefix string, conservative bool) (clocks []float64) {
	numbers, err := rio.Numbers(prefix)
	require.NoError(t, err)
	for _, n := range numbers {
		c, err := rio.Open(rio.Numbered(prefix, n))
		require.NoError(t, err)
		clocks = append(clocks, c.Info().Clock)
		for i := range c.Entries() {
			part, err := c.Read(i)
			require.NoError(t, err)
			var lp rio.LP
			for ok, err := part.NextLP(&lp); ok; ok, err = part.NextLP(&lp) {
				require.NoError(t, err)
				require.True(t, conservative || lp.Now <= c.Info().Clock, "an event at %g, clock %g", lp.Now, c.Info().Clock)
			}
		}
		require.NoError(t, c.Close())
	}
	return clocks
}

// runPaced runs a pacer and returns the clocks of its checkpoints.
func runPaced(t *testing.T, configure func(*Config), times ...float64) (clocks []float64, report string) {
	t.Helper()
	var out, told strings.Builder
	cfg := DefaultConfig()
	cfg.NLP, cfg.Output, cfg.IOKeep, cfg.IOName, cfg.End = 4, &out, 1000, filepath.Join(t.TempDir(), "run"), times[len(times)-1]+1
	cfg.GVTInterval, cfg.FixedGVT, cfg.MaxOptLookahead, cfg.Batch = 1, true, 0, 1 // GVT comes to each event
	cfg.Log = slog.New(slog.NewTextHandler(&told, nil))
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(pacer(&sim, times...)))
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.CheckpointError())
	require.Empty(t, told.String(), "the report has it")
	return clocksOf(t, cfg.IOName, cfg.Synch == 2), out.String()
}

func TestNoTwoCheckpointsAreOfOneVirtualTime(t *testing.T) {
	const e = 0.7
	var times []float64
	for n := 1048576.0; len(times) < 100; n++ {
		if at := n * e; (math.Floor(at/e)+1)*e == at { // where rounding hides the next multiple
			times = append(times, slices.Repeat([]float64{at}, 20)...) // GVT stays for some rounds
		}
	}
	for _, synch := range []int{1, 6, 3, 2} {
		t.Run(fmt.Sprint(synch), func(t *testing.T) {
			clocks, _ := runPaced(t, func(c *Config) {
				c.Synch, c.IOVirtualInterval = Scheduler(synch), e
				c.PE.PreLPInit = func(pe *PE) { pe.r.Simulation.Checkpoints.Running.SetVirtual(math.Nextafter(times[0], 0)) }
			}, times...)
			require.NotEmpty(t, clocks)
			for i := range clocks[1:] {
				require.Less(t, clocks[i], clocks[i+1])
			}
			if synch == 1 || synch == 6 {
				require.Equal(t, times[0], clocks[0], "at the very multiple")
			}
		})
	}
}

func TestIntervalsTooShortForFloatsDoNotStopARun(t *testing.T) {
	for _, every := range []float64{5e-324, 1e-12, 1e300, math.MaxFloat64} {
		for _, synch := range []int{1, 3} {
			clocks, _ := runPaced(t, func(c *Config) { c.Synch, c.IOVirtualInterval = Scheduler(synch), every }, 1e9, 2e9, 2e9+1, 3e9)
			for i := range clocks {
				require.True(t, i == 0 || clocks[i-1] < clocks[i], "%v", clocks)
			}
			require.Equal(t, every > 1, len(clocks) == 0, "every %g: %v", every, clocks)
		}
	}
}
