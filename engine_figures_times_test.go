// The times of the report: they add up, they hold what the model measured itself,
// and samples stand for what they are samples of.

package ross

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/report"
)

func TestPhasesAddUpAndHoldWhatTheModelTook(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		l := &ledger{saving: SaveByReverse, work: 8 * time.Microsecond}
		_, err := l.run(t, context.Background(), synch, pes, func(c *Config) {
			c.End = 15
			c.GVTHook = func(pe *PE, _ bool) {
				l.hooks[pe.r.ID]++
				spin(5*time.Microsecond, &l.inHook[pe.r.ID])
			}
			if !c.settings().Sequential() {
				c.HookTrigger = HookEvery(1)
			}
		})
		require.NoError(t, err)
		most := report.PhaseTimes{}
		for _, pe := range l.sim.r.Locals {
			c, p := &pe.Counts, pe.Times()
			most.Most(p)
			doing, undoing, keeping := l.sumOf(pe, &l.doing), l.sumOf(pe, &l.undoing), l.sumOf(pe, &l.keeping)
			for _, v := range []float64{p.Init, p.PQ, p.LZ4, p.Deltas, p.Buddy, p.RIOLPInit, p.EventProcess, p.EventCancel, p.EventAbort,
				p.GVT, p.FossilCollect, p.PrimaryRollback, p.NetRead, p.NetOther, p.InstComp, p.InstWrite} {
				require.GreaterOrEqual(t, v, 0.0)
			}
			sum := p.PQ + p.EventProcess + p.EventCancel + p.EventAbort + p.GVT + p.FossilCollect + p.PrimaryRollback +
				p.NetRead + p.NetOther + p.InstWrite + c.IdleSeconds + c.HookSeconds
			require.InDelta(t, pe.Clock.Seconds, sum, 1e-6, "all time is somewhere, and nowhere twice")
			if synch != 4 && synch != 6 { // there all is one phase
				if synch == 1 || synch == 2 {
					doing += keeping
				} else {
					require.GreaterOrEqual(t, p.FossilCollect, keeping)
				}
				require.GreaterOrEqual(t, p.EventProcess+p.PQ+p.NetRead-c.ReadSeconds+p.NetOther-c.SendSeconds+1e-6, doing)
				require.GreaterOrEqual(t, p.PrimaryRollback+p.EventCancel, undoing)
			}
			require.GreaterOrEqual(t, c.HookSeconds, l.inHook[pe.ID])
			if !l.sim.cfg.settings().Sequential() {
				require.Equal(t, c.GVTs, l.hooks[pe.ID])
			}
			require.Zero(t, p.AVL+p.RIOLoad+p.LZ4+p.Deltas)
			require.Equal(t, l.sum(pe, &l.done).handled, c.Takes.N, "one block an event")
			l.requireLPTimes(t, pe)
		}
		st := l.sim.Stats()
		most.Total = st.Times.Total
		require.Equal(t, most, st.Times)
		require.LessOrEqual(t, max(st.Times.Init, st.Runtime), st.Times.Total)
		require.Positive(t, st.Times.RIOLPInit)
		require.LessOrEqual(t, st.Times.RIOLPInit, st.Times.Init)
	})
}

// requireLPTimes compares the statistics of LPs with those of their PE.
func (l *ledger) requireLPTimes(t *testing.T, pe *run.PE) {
	t.Helper()
	sum, whole := 0.0, pe.Times().EventProcess
	for i, v := range pe.LPSeconds() {
		require.Equal(t, whole > 0 && pe.LPs[i].Processed > 0, v > 0)
		require.Equal(t, l.done[pe.LPs[i].ID].handled, pe.LPs[i].Processed)
		sum += v
	}
	require.InDelta(t, whole, sum, 1e-6)
}

// TestSecondsOfLPsTellSlowOnesFromFast takes the least of some runs: what else the machine does
// only adds to the seconds.
func TestSecondsOfLPsTellSlowOnesFromFast(t *testing.T) {
	testlevel.Once(t, "real times")
	modeltest.Watch(t)
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for run := 0; run < 5 && least[0] <= 3*least[1]; run++ {
		for i, v := range secondsOfSlowAndFast(t) {
			least[i] = min(least[i], v)
		}
	}
	require.Greater(t, least[0], 3*least[1])
}

// secondsOfSlowAndFast returns the seconds of LPs that work for long, and of those that do not.
func secondsOfSlowAndFast(t *testing.T) (seconds [2]float64) {
	t.Helper()
	slow, fast := &ledger{work: 40 * time.Microsecond}, &ledger{}
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Dir = ledgerLPs, 60, 64<<20, t.TempDir()
	cfg.TypeMap = func(gid LPID) int { return int(gid % 2) }
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	slow.sim, fast.sim = sim, sim
	require.NoError(t, sim.Define(slow.lpType(), fast.lpType()))
	require.NoError(t, sim.Run(context.Background()))
	for i, v := range sim.r.Locals[0].LPSeconds() {
		seconds[i%2] += v
	}
	return seconds
}

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
	testlevel.Once(t, "real times")
	for _, synch := range []int{1, 2, 3, 5, 6} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			pes := 2
			if synch == 1 || synch == 6 {
				pes = 1
			}
			l := &ledger{saving: SaveByDelta}
			_, err := l.run(t, context.Background(), synch, pes, func(c *Config) {
				rollingBack(t, pes)(c)
				c.EventTrace, c.StatsPath = int(TraceCommitted), filepath.Join(t.TempDir(), "stats")
			})
			require.NoError(t, err)
			st := l.sim.Stats()
			rolledBack := synch == 3 || synch == 5 || synch == 6
			require.Equal(t, rolledBack, st.Times.Deltas > 0)
			require.Zero(t, st.Times.LZ4, "deltas are small")
			require.Positive(t, st.Times.InstComp)
			require.Positive(t, st.Times.InstWrite)
			encodes, applies, takes, frees := uint64(0), uint64(0), uint64(0), uint64(0)
			for _, pe := range l.sim.r.Locals {
				c := &pe.Counts
				encodes, applies, takes, frees = encodes+c.Encodes.N, applies+c.Applies.N, takes+c.Takes.N, frees+c.Frees.N
			}
			done, kept := l.sum(nil, &l.done), l.sum(nil, &l.kept)
			require.Equal(t, done.handled, takes)
			require.Equal(t, kept.blocks-kept.handled+st.EventsRolledBack, frees, "what was freed for good, and what was taken in vain")
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
		cfg := DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.StatsPath = Optimistic, 4, 30, filepath.Join(t.TempDir(), "stats")
		cfg.EngineStats = settings.SampleByGVT
		sim, err := New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(Type[table, struct{}]{
			Saving: SaveByDelta,
			Init:   func(_ *table, lp *LP) { Send(lp, lp.ID(), 1, struct{}{}) },
			Event: func(s *table, lp *LP, _ *Bits, _ *struct{}) {
				for i := range s.Words {
					if all || i == 7 {
						s.Words[i]++
					}
				}
				Send(lp, lp.ID(), 1, struct{}{})
			},
		}))
		require.NoError(t, sim.Run(t.Context()))
		times := sim.Stats().Times
		require.Positive(t, times.Deltas)
		require.Equal(t, all, times.LZ4 > 0)
		uses := uint64(0)
		if all {
			uses = sim.Stats().NetEvents()
		}
		require.Equal(t, uses, sim.r.Locals[0].Counts.LZ4s.N)
		sampled := float32(0)
		for _, r := range modeltest.Records(t, cfg.StatsPath, instr.GVTSuffix) {
			if r.Kind == instr.KindPE {
				sampled += r.PE.LZ4
			}
		}
		require.InDelta(t, times.LZ4, sampled, 1e-4*times.LZ4)
		require.InDelta(t, times.Deltas+times.Buddy, sim.RunInfo().Result.SavingSeconds, 1e-12)
	}
}
