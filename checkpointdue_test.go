// When checkpoints of a running simulation are due, and what is said of those that come late.

package ross

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

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
			for (*sim).io.running.busy.Load() {
				time.Sleep(time.Microsecond)
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
	r, _ := storingOf(t, func(c *Config) { c.IOVirtualInterval = e })
	require.True(t, r.begins(times[0]))
	r.begin(times[0])
	require.False(t, r.begins(times[0]))
	for _, synch := range []int{1, 6, 3, 2} {
		t.Run(fmt.Sprint(synch), func(t *testing.T) {
			clocks, _ := runPaced(t, func(c *Config) {
				c.Synch, c.IOVirtualInterval = Scheduler(synch), e
				c.PE.PreLPInit = func(pe *PE) { pe.sim.io.running.setVirtual(math.Nextafter(times[0], 0)) }
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

// storingOf returns what stores the checkpoints of a simulation that does not run.
func storingOf(t *testing.T, configure func(*Config)) (*storing, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	cfg := DefaultConfig()
	cfg.Output, cfg.IOName = &out, filepath.Join(t.TempDir(), "run")
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(walkers()))
	require.NoError(t, sim.beginStoring())
	return sim.io.running, &out
}

func TestLateCheckpointsAreToldOnceAndCounted(t *testing.T) {
	r, out := storingOf(t, func(c *Config) { c.IOVirtualInterval = 10 })
	at := func(gvt float64, busy, begins bool) {
		t.Helper()
		r.busy.Store(busy)
		require.Equal(t, begins, r.begins(gvt))
		if begins {
			r.begin(gvt)
		}
	}
	at(9, false, false)
	at(10.5, false, true) // as early as it can be
	require.NotContains(t, out.String(), "Note")
	require.Empty(t, r.late.figures())
	at(19, true, false)
	at(20, true, false)
	at(24, true, false)
	at(26.5, false, true)
	require.Contains(t, out.String(), "run-000001 of time 26.5 comes late: it was due at time 20, when the one before was still being written; later ones are counted in the report\n")
	at(30, true, false)
	at(63, false, true) // 40, 50 and 60 have none
	at(75, false, true)
	at(101, false, true) // 90 and 100 have none
	require.Equal(t, 1, strings.Count(out.String(), "Note"))
	require.Equal(t, []report.Figure{{Label: "Checkpoints That Came Late", Value: "2"}, {Label: "Late by at Most (virtual time)", Value: "33"}, {Label: "Checkpoints Left Out", Value: "5"}}, r.late.figures())
	at(110, true, false)
	r.sim.pes[0].gvt = 130
	r.endLate() // 110, 120 and 130
	require.Contains(t, r.late.figures(), report.Figure{Label: "Checkpoints Left Out", Value: "8"})
}

func TestMultiplesThatGVTPassesAtOnceAreTold(t *testing.T) {
	r, out := storingOf(t, func(c *Config) { c.IOVirtualInterval = 10 })
	require.True(t, r.begins(35))
	r.begin(35)
	require.Contains(t, out.String(), "run-000000 of time 35 stands for all multiples of --io-virtual-interval=10 from 10 on, which GVT has passed at once")
	require.Equal(t, []report.Figure{{Label: "Checkpoints Left Out", Value: "2"}}, r.late.figures())
}

func TestCheckpointsLateInRealTimeAreTold(t *testing.T) {
	r, out := storingOf(t, func(c *Config) { c.IOInterval = 60 })
	require.False(t, r.begins(5))
	r.last = r.last.Add(-90 * time.Second)
	r.busy.Store(true)
	require.False(t, r.begins(5))
	r.busy.Store(false)
	require.True(t, r.begins(6))
	r.begin(6)
	require.Contains(t, out.String(), "run-000000 of time 6 comes 30 s late: the one before was still being written when it was due")
	require.Equal(t, "Checkpoints That Came Late", r.late.figures()[0].Label)
	require.InDelta(t, 30, r.late.real.Seconds(), 5)
}

func TestIntervalsOfLessThanANanosecondAreIntervals(t *testing.T) {
	for _, seconds := range []float64{1e-10, 5e-324, 1e-9} {
		r, _ := storingOf(t, func(c *Config) { c.IOInterval = seconds })
		require.Equal(t, time.Nanosecond, r.interval)
	}
}

func TestRankZeroAloneTellsOfLateCheckpoints(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *Config) {
		walkConfig(4, 200)(c)
		c.Synch, c.IOVirtualInterval, c.IOName = 3, 1e-3, prefix
		c.GVTInterval, c.FixedGVT, c.MaxOptLookahead = 1, true, 0
	}}, walkers())
	require.NotZero(t, sims[0].io.running.late.leftOut)
	require.Zero(t, sims[1].io.running.late)
}
