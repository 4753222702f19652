// What ranks do together: they write the same files, agree on seeds and checkpoints, and announce what they are.

package run_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/tracetest"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/rio"
)

func TestRanksWriteTheSameFiles(t *testing.T) {
	want, _ := traced(t, int(ross.TraceCommitted), func(c *ross.Config) { c.End = 2 })
	for _, ranks := range testlevel.Pick([]int{2, 4}, []int{2, 4}, []int{2}) {
		for _, pes := range []int{1, 2} {
			for _, synch := range []int{2, 3} {
				t.Run(fmt.Sprintf("ranks=%d/pes=%d/synch=%d", ranks, pes, synch), func(t *testing.T) {
					dir := filepath.Join(t.TempDir(), "stats")
					l := spreadLoad()
					l.end = 2
					sims := checkRanks(t, l, ranks, func(c *ross.Config) {
						sampled(dir)(c)
						c.PEs, c.Synch, c.ConsLookahead, c.VTInterval = pes, ross.Scheduler(synch), 0.1, 0.5
						c.RTInterval = 20
						c.EventTrace, c.BufferSize, c.BufferFree = int(ross.TraceCommitted), 1_000_000, 1
					})
					trace, err := tracetest.ReadBinary(filepath.Join(dir, "ross-stats-evtrace.bin"), nil)
					require.NoError(t, err)
					trace = slices.DeleteFunc(trace, func(r tracetest.Record) bool { return r.Dest >= loadLPs }) // analysis LPs
					require.NoError(t, tracetest.Compare(tracetest.ByDest(trace), tracetest.ByDest(want)))

					st := &runOf(sims[0]).Stats
					var sum instr.PEStats
					var order []uint32
					real, reductions := map[uint32][]float64{}, map[uint32]uint64{}
					for _, r := range modeltest.Records(t, dir, instr.GVTSuffix) {
						if r.Kind == instr.KindPE {
							sum.Processed += r.PE.Processed
							sum.RolledBack += r.PE.RolledBack
							sum.NetworkSends += r.PE.NetworkSends
							sum.NetworkReads += r.PE.NetworkReads
							order = append(order, r.PE.PE)
							reductions[r.PE.PE] += uint64(r.PE.AllReduces)
							real[r.PE.PE] = append(real[r.PE.PE], r.Meta.RealTime)
						}
					}
					require.EqualValues(t, st.EventsProcessed, sum.Processed)
					require.EqualValues(t, st.EventsRolledBack, sum.RolledBack)
					require.Positive(t, sum.NetworkReads)
					require.GreaterOrEqual(t, sum.NetworkSends, sum.NetworkReads, "what is taken back before it leaves is not read")
					require.Len(t, real, ranks*pes)
					for pe, n := range reductions {
						require.Equal(t, st.AllReduceCalls, n, "PE %d", pe)
					}
					for pe, times := range real {
						require.True(t, sort.Float64sAreSorted(times), "samples of PE %d are in the order in which they were taken", pe)
					}
					flushes := 1 // at most: a PE after a later one begins a flush
					for i := 1; i < len(order); i++ {
						if order[i] < order[i-1] {
							flushes++
						}
					}
					require.Greater(t, flushes, 1)
					require.LessOrEqual(t, flushes, runOf(sims[0]).Locals[0].Probe.Handed+1, strconv.Itoa(len(order)))
				})
			}
		}
	}
}

// Ranks agree on Config.Seed and Config.Replication.

func TestSeedAndReplicationAreTheSameOnAllRanks(t *testing.T) {
	run := func(ranks int, configure func(rank int, c *ross.Config)) (digest uint64, errs []error) {
		seed := testrand.Seed(t)
		sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(rank int, c *ross.Config) {
			c.NLP, c.Synch, c.End, c.Digest, c.MaxMemory = uint64(8/ranks), ross.Optimistic, 10, true, 64<<20
			c.Seed, c.Replication = 7, 3
			configure(rank, c)
		}, gossip(8))
		if errs[0] == nil {
			digest = *sims[0].Stats().Digest
		}
		closeAll(sims)
		return digest, errs
	}
	one, errs := run(1, func(int, *ross.Config) {})
	require.NoError(t, errs[0])
	two, errs := run(2, func(int, *ross.Config) {})
	require.NoError(t, errs[0])
	require.Equal(t, one, two)
	other, errs := run(1, func(_ int, c *ross.Config) { c.Replication = 4 })
	require.NoError(t, errs[0])
	require.NotEqual(t, one, other)

	for want, configure := range map[string]func(*ross.Config){
		"rank 1 differs from rank 0: option --seed: 8 there, 7 on rank 0":        func(c *ross.Config) { c.Seed = 8 },
		"rank 1 differs from rank 0: option --replication: 4 there, 3 on rank 0": func(c *ross.Config) { c.Replication = 4 },
	} {
		_, errs := run(2, func(rank int, c *ross.Config) {
			if rank == 1 {
				configure(c)
			}
		})
		for _, err := range errs {
			require.ErrorContains(t, err, want)
		}
	}
}

// What ranks announce is known to rank 0 when the run begins.

func TestRank0KnowsWhatTheOthersAnnounce(t *testing.T) {
	modeltest.Watch(t)
	const ranks = 3
	c := worldtest.New(ranks, 1, 0)
	var over sync.WaitGroup
	sims, seen := make([]*ross.Simulation, ranks), make([][]string, ranks)
	for rank := range ranks {
		over.Go(func() {
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory = 1, 3, ross.Optimistic, 256<<20
			*worldOf(&cfg) = c.Rank(rank)
			sim, err := ross.New(cfg)
			sims[rank] = sim
			require.NoError(t, err)
			require.NoError(t, sim.Define(ross.Type[struct{}, struct{}]{
				Init:   func(_ *struct{}, lp *ross.LP) { seen[rank] = sim.Announced() },
				Event:  func(_ *struct{}, _ *ross.LP, _ *ross.Bits, _ *struct{}) {},
				Saving: ross.SaveByDelta,
			}))
			if rank != 1 {
				sim.Announce(fmt.Sprintf("here is %d", rank))
			}
			require.Nil(t, sim.Announced())
			require.NoError(t, sim.Run(context.Background()))
		})
	}
	over.Wait()
	closeAll(sims)
	for rank := range ranks {
		if rank > 0 {
			require.Nil(t, seen[rank])
		} else {
			require.Equal(t, []string{"here is 0", "", "here is 2"}, seen[rank])
		}
		require.Equal(t, seen[rank], sims[rank].Announced())
	}
}

// Checkpoints of running simulations of several ranks: all do the same, and one tells.

// steps has each LP send itself an event at each whole time and a half.
func steps() ross.Type[uint64, step] {
	return ross.Type[uint64, step]{
		Name:    "step",
		Init:    func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5, step{}) },
		Event:   func(s *uint64, lp *ross.LP, _ *ross.Bits, _ *step) { *s++; ross.Send(lp, lp.ID(), 1, step{}) },
		Reverse: func(s *uint64, _ *ross.LP, _ *ross.Bits, _ *step) { *s-- },
	}
}

func stepsUpTo(end float64, lps uint64) func(*ross.Config) {
	return func(c *ross.Config) { c.NLP, c.End = lps, end }
}

func TestRanksGoBackToTheSameCheckpointAndOneTells(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	for n := range uint64(2) {
		runLeg(t, leg{to: rio.Numbered(prefix, n), configure: stepsUpTo(3+float64(n), 8)}, steps())
	}
	data, err := os.ReadFile(prefix + "-000001.rio-data-0")
	require.NoError(t, err)
	data[len(data)-2] ^= 1
	require.NoError(t, os.WriteFile(prefix+"-000001.rio-data-0", data, 0o644))
	var told strings.Builder
	log := cmdline.Warnings("step", &told)
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *ross.Config) {
		stepsUpTo(20, 4)(c)
		c.Synch, c.IOName, c.IORestart, c.IOVirtualInterval, c.IOKeep = 3, prefix, "latest", 5, 1
		c.Log = log
	}}, steps())
	require.Equal(t, 1, strings.Count(told.String(), "\n"), told.String())
	require.Contains(t, told.String(), "checkpoint "+prefix+"-000001 is not used, "+prefix+"-000000 is used instead: ")
	for _, sim := range sims {
		require.Equal(t, 3.0, sim.Clock())
	}
	require.Error(t, rio.Verify(prefix+"-000001"), "it stays")
}

func TestRankZeroAloneTellsOfLateCheckpoints(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *ross.Config) {
		stepsUpTo(200, 4)(c)
		c.Synch, c.IOVirtualInterval, c.IOName = 3, 1e-3, prefix
		c.GVTInterval, c.FixedGVT, c.MaxOptLookahead = 1, true, 0
	}}, steps())
	require.NotZero(t, runOf(sims[0]).Checkpoints.Running.Late.LeftOut)
	require.Zero(t, runOf(sims[1]).Checkpoints.Running.Late)
}

// TestRankZeroTellsOfScratchOfOthers has LPs of the other rank alone set a pointer in their scratch.
func TestRankZeroTellsOfScratchOfOthers(t *testing.T) {
	type kept struct {
		N uint64
		P *uint64 `ross:"-"`
	}
	var told strings.Builder
	log := cmdline.Warnings("kept", &told)
	runLeg(t, leg{ranks: 2, to: filepath.Join(t.TempDir(), "cp"), configure: func(c *ross.Config) {
		stepsUpTo(5, 4)(c)
		c.Synch, c.Log = 3, log
	}}, ross.Type[kept, step]{
		Name: "kept",
		Init: func(s *kept, lp *ross.LP) {
			if lp.ID() >= 4 {
				s.P = &s.N
			}
			ross.Send(lp, lp.ID(), 0.5, step{})
		},
		Event: func(s *kept, lp *ross.LP, _ *ross.Bits, _ *step) { ross.Send(lp, lp.ID(), 1, step{}) },
	})
	require.Equal(t, 1, strings.Count(told.String(), "kept.P is scratch"), told.String())
}
