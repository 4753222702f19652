// Times that are estimated from samples: those of rhythms, of few operations, of deltas, blocks and the trace, and on a
// busy machine.

package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

func TestSamplesOfARhythmHaveItsMean(t *testing.T) {
	for period := uint64(1); period <= 70; period++ {
		var s meter.Sampler
		const n = 200_000
		for i := range uint64(n) {
			if s.Due() {
				cost := 1e-6
				if i%period == 0 {
					cost = 11e-6
				}
				s.Seconds += s.Weigh(16) * cost
			}
		}
		want := n * (1e-6 + 10e-6/float64(period))
		require.InEpsilon(t, want, s.Total(), 0.05, "each %d-th operation is a slow one", period)
	}
}

func TestFewOperationsAreSampledToo(t *testing.T) {
	for n := uint64(1); n < 100; n++ {
		var s meter.Sampler
		for range n {
			if s.Due() {
				s.Seconds += s.Weigh(128)
			}
		}
		require.InEpsilon(t, float64(n), s.Total(), 1e-9)
	}
	require.Zero(t, (&meter.Sampler{}).Total())
}

func TestTimesOfDeltasAndBlocksAndTheTrace(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 5, 6} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			pes := 2
			if synch == 1 || synch == 6 {
				pes = 1
			}
			l := &ledger{saving: ross.SaveByDelta}
			_, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) {
				rollingBack(t, pes)(c)
				c.Instruments.Trace, c.Instruments.Path = ross.TraceCommitted, filepath.Join(t.TempDir(), "stats")
			})
			require.NoError(t, err)
			st := l.sim.Summary()
			rolledBack := synch == 3 || synch == 5 || synch == 6
			require.Equal(t, rolledBack, st.Times.Deltas > 0)
			require.Zero(t, st.Times.LZ4, "deltas are small")
			require.Positive(t, st.Times.InstComp)
			require.Positive(t, st.Times.InstWrite)
			encodes, applies, takes, frees := uint64(0), uint64(0), uint64(0), uint64(0)
			for _, pe := range runOf(l.sim).Locals {
				c := &pe.Counts
				encodes, applies, takes, frees = encodes+c.Encodes.N, applies+c.Applies.N, takes+c.Takes.N, frees+c.Frees.N
			}
			done, kept := l.sum(nil, &l.done), l.sum(nil, &l.kept)
			require.Equal(t, done.handled, takes)
			require.Equal(t, kept.blocks-kept.handled+st.EventsRolledBack, frees,
				"what was freed for good, and what was taken in vain")
			if rolledBack {
				require.Equal(t, done.handled, encodes)
				require.Equal(t, 2*st.EventsRolledBack, applies, "state and message change in each event")
			}
		})
	}
}

// TestTimeOfLZ4IsThatOfLargeDeltas has LPs with states of a size whose events change all or one of the words. Deltas go
// through LZ4 from 4 KiB on.
func TestTimeOfLZ4IsThatOfLargeDeltas(t *testing.T) {
	type table struct{ Words [1024]uint64 }
	for _, all := range []bool{true, false} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.Instruments.Path = ross.Optimistic, 4, 30, filepath.Join(t.TempDir(), "stats")
		cfg.Instruments.Engine = ross.SampleByGVT
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[table]{
			Saving: ross.SaveByDelta,
			Init:   func(_ *table, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{}{}) },
			Event: ross.On(func(s *table, lp *ross.LP, _ *struct{}) {
				for i := range s.Words {
					if all || i == 7 {
						s.Words[i]++
					}
				}
				ross.Send(lp, lp.ID(), 1, struct{}{})
			}),
		}))
		require.NoError(t, sim.Run(t.Context()))
		times := sim.Summary().Times
		require.Positive(t, times.Deltas)
		require.Equal(t, all, times.LZ4 > 0)
		uses := uint64(0)
		if all {
			uses = sim.Summary().NetEvents()
		}
		require.Equal(t, uses, runOf(sim).Locals[0].Counts.LZ4s.N)
		sampled := float32(0)
		for _, r := range testkit.Records(t, cfg.Instruments.Path, instr.GVTSuffix) {
			if r.Kind == instr.KindPE {
				sampled += r.PE.LZ4
			}
		}
		require.InDelta(t, times.LZ4, sampled, 1e-4*times.LZ4)
		require.InDelta(t, times.Deltas+times.Buddy, sim.RunInfo().Result.SavingSeconds, 1e-12)
	}
}

// TestPartsOfATimeAreAtMostItsWholeOnABusyMachine has PEs share the processors with goroutines that do nothing but
// work, so that any operation may be interrupted, one that stands for hundreds as well.
func TestPartsOfATimeAreAtMostItsWholeOnABusyMachine(t *testing.T) {
	done := make(chan struct{})
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for n := 0; ; n++ {
				if n%1000 == 0 {
					select {
					case <-done:
						return
					default:
					}
				}
			}
		})
	}
	defer busy.Wait()
	defer close(done)
	type table struct{ Words [1024]uint64 }
	event := func(s *table, lp *ross.LP, _ *struct{}) {
		for i := range s.Words {
			s.Words[i] += uint64(i)
		}
		block := ross.Alloc[uint64](lp, 12)
		ross.Send(lp, (lp.ID()+ross.LPID(lp.RNG().Integer(0, 1)))%4, 0.1+lp.RNG().Unif(), struct{}{})
		ross.Free(lp, block)
	}
	for i := range testlevel.Times(200, 8) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Dir = ross.Optimistic, 1+i%2, 4, 20, t.TempDir()
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(ross.Type[table]{
			Saving: ross.SaveByDelta,
			Init:   func(_ *table, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{}{}) },
			Event:  ross.On(event),
		}))
		require.NoError(t, sim.Run(t.Context()))
		for _, pe := range runOf(sim).Locals {
			times, whole := pe.Times(), pe.Phases.Seconds
			require.LessOrEqual(t, times.LZ4, times.Deltas)
			require.LessOrEqual(t, times.Deltas, whole)
			require.LessOrEqual(t, times.Buddy, whole)
			require.LessOrEqual(t, times.PQ+times.EventProcess, whole+1e-9)
		}
		require.Positive(t, sim.Summary().Times.LZ4)
		require.NoError(t, sim.Close())
	}
}
