// Each multiple of --io-virtual-interval gets its checkpoint, at that very time, under every scheduler and however slow
// the disk is. Where nothing happens between multiples, one stands for all, and the report says so.

package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rio"
)

// slowly returns a Turn with which each of the first checkpoints, and each stage of one on several ranks, is written
// only when the run has had a number of turns meanwhile, or is over.
func slowly(checkpoints, turns int64) settings.Turn {
	var now, writes atomic.Int64
	return func(_ int, what string) {
		switch what {
		case "over":
			now.Add(1 << 40)
		case "write":
			if writes.Add(1) <= checkpoints {
				for until := now.Load() + turns; now.Load() < until; {
					runtime.Gosched()
				}
			}
		default:
			now.Add(1)
		}
	}
}

func TestEachMultipleIsStoredHoweverSlowTheDisk(t *testing.T) {
	const every = 1.75 // whose multiples are floats
	want := plainDigest(t, "spread")
	var multiples []float64
	for at := every; at < spreadLoad().end; at += every {
		multiples = append(multiples, at)
	}
	for i, s := range []shape{
		{synch: 3, pes: 2, nkp: 4, files: 1},
		{synch: 1, pes: 1, nkp: 4, files: 1},
		{synch: 2, pes: 3, nkp: 4, files: 1, lookahead: 0.1},
		{synch: 3, ranks: 2, pes: 2, nkp: 4, files: 1},
		{synch: 6, pes: 1, nkp: 4, files: 1},
		{synch: 2, ranks: 2, pes: 1, nkp: 4, files: 1, lookahead: 0.1},
		{synch: 5, pes: 2, nkp: 4, files: 1},
		{synch: 3, pes: 1, nkp: 4, files: 1},
		{synch: 100, pes: 2, nkp: 4, files: 1},
	} {
		if testlevel.Is(testlevel.Few) && i > 3 {
			continue
		}
		for name, set := range map[string]func(*ross.Config){
			"":              func(*ross.Config) {},
			" KPs move":     func(c *ross.Config) { knobsOf(c).Moves, knobsOf(c).Shift = true, 3 },
			" GVT at once":  func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 1, 1, true },
			" GVT is rare":  func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.FixedGVT = 4096, true },
			" real time":    func(c *ross.Config) { c.Checkpoints.Interval, knobsOf(c).MostStored = 1, 5 },
			" short window": func(c *ross.Config) { c.Tuning.MaxOptLookahead = 0.01 },
		} {
			if name != "" && i > 0 || testlevel.Is(testlevel.Few) && name != "" && name != " KPs move" {
				continue
			}
			t.Run(s.String()+name, func(t *testing.T) {
				testkit.Watch(t)
				prefix := filepath.Join(t.TempDir(), "run")
				got, sims := runLeg(t, leg{ranks: s.ranks, configure: func(c *ross.Config) {
					s.on(loadLPs, spreadLoad().end)(c)
					c.Checkpoints.Name, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep = prefix, every, 1000
					knobsOf(c).Turn = slowly(int64(len(multiples)-1), 500)
					set(c)
				}}, spreadLoad().lpType())
				require.Equal(t, want, got)
				require.NoError(t, sims[0].CheckpointError())
				clocks := clocksOf(t, prefix, false)
				if name == " real time" {
					require.Subset(t, clocks, multiples)
				} else {
					require.Equal(t, multiples, clocks)
				}
				require.Zero(t, runOf(sims[0]).Checkpoints.Running.Late.LeftOut)
				again := shapes[i%len(shapes)]
				got, _ = runLeg(t, leg{ranks: again.ranks, configure: func(c *ross.Config) {
					again.lookahead = 0.1
					again.on(loadLPs, spreadLoad().end)(c)
					c.Checkpoints.Restart = rio.Numbered(prefix, uint64(len(clocks)/2))
				}}, spreadLoad().lpType())
				require.Equal(t, want, got)
			})
		}
	}
}

// TestOneCheckpointStandsForMultiplesBetweenWhichNothingHappens has events at 1, 3, 12, 39 and, with a later end, 50.
func TestOneCheckpointStandsForMultiplesBetweenWhichNothingHappens(t *testing.T) {
	for _, synch := range []int{1, 6, 3, 2} {
		for _, c := range []struct {
			every, end float64
			clocks     []float64
			notes      []string // what they contain
		}{
			{10, 45, []float64{10, 20, 40},
				[]string{"run-000001 of time 20 stands for all multiples of --io-virtual-interval=10 up to 39"}},
			{5, 45, []float64{5, 15, 40},
				[]string{"run-000000 of time 5 stands for all multiples of --io-virtual-interval=5 up to 12",
					"4 more multiples of --io-virtual-interval=5 have none of their own"}},
			{20, 45, []float64{20, 40}, nil}, // nothing happens after 40
			{20, 40, []float64{20}, nil},     // 40 is the end
			{20, 60, []float64{20, 40}, nil},
			// 50 is the last event
			{20, 90, []float64{20, 40},
				[]string{"the multiples of --io-virtual-interval=20 from 60 on have none: the simulation was over"}},
		} {
			for _, short := range []bool{false, true} {
				t.Run(fmt.Sprint(synch, c.every, c.end, short), func(t *testing.T) {
					clocks, report := runPaced(t, func(cfg *ross.Config) {
						cfg.Synch, cfg.Checkpoints.VirtualInterval, cfg.End, cfg.ConsLookahead = ross.Scheduler(synch), c.every, c.end, 1
						if cfg.Synch == ross.Conservative {
							cfg.PEs, cfg.NLP = 2, 2
						}
						cfg.ShortReport = short
					}, 1, 3, 12, 39, 50)
					require.Equal(t, c.clocks, clocks)
					require.Equal(t, len(c.notes), strings.Count(report, "Note: checkpoint"), report)
					for _, note := range c.notes {
						require.Contains(t, report, note)
					}
				})
			}
		}
	}
}

// TestHookBeforeACheckpointIsInIt has a hook at 15, a checkpoint of 20 and no event between 3 and 39.
func TestHookBeforeACheckpointIsInIt(t *testing.T) {
	for _, synch := range []int{1, 6, 3} {
		for at, before := range map[float64]int{15: 0, 20: 0, 25: 1} {
			prefix, stored := filepath.Join(t.TempDir(), "run"), -1
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch = 4, 45, ross.Scheduler(synch)
			cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Keep = prefix, 20, 1000
			var sim *ross.Simulation
			cfg.HookTrigger = ross.HookAt(at)
			cfg.GVTHook = func(*ross.PE, bool) {
				for runOf(sim).Checkpoints.Running.Busy.Load() {
					runtime.Gosched()
				}
				numbers, err := rio.Numbers(prefix)
				require.NoError(t, err)
				stored = len(numbers)
			}
			var err error
			sim, err = ross.New(cfg)
			require.NoError(t, err)
			require.NoError(t, sim.Define(pacer(&sim, 1, 3, 39, 50)))
			require.NoError(t, sim.Run(context.Background()))
			require.NoError(t, sim.Close())
			require.Equal(t, before, stored, "synch=%d, hook at %g", synch, at)
			require.Equal(t, []float64{20, 40}, clocksOf(t, prefix, false), "synch=%d, hook at %g", synch, at)
		}
	}
}
