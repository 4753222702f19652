// The times of the report: they add up, they hold what the model measured itself, and samples stand for what they are
// samples of. Statistics of models are those of a sequential run.

package run_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/statistic"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/report"
)

func TestPhasesAddUpAndHoldWhatTheModelTook(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		l := &ledger{saving: ross.SaveByReverse, work: 8 * time.Microsecond}
		_, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) {
			c.End = 15
			c.GVTHook = func(pe *ross.PE, _ bool) {
				l.hooks[engineOf(pe).ID]++
				spin(5*time.Microsecond, &l.inHook[engineOf(pe).ID])
			}
			if !settingsOf(*c).Sequential() {
				c.HookTrigger = ross.HookEvery(1)
			}
		})
		require.NoError(t, err)
		most := report.PhaseTimes{}
		for _, pe := range runOf(l.sim).Locals {
			c, p := &pe.Counts, pe.Times()
			most.Most(p)
			doing, undoing, keeping := l.sumOf(pe, &l.doing), l.sumOf(pe, &l.undoing), l.sumOf(pe, &l.keeping)
			for _, v := range []float64{p.Init, p.PQ, p.LZ4, p.Deltas, p.Buddy, p.RIOLPInit, p.EventProcess, p.EventCancel, p.EventAbort,
				p.GVT, p.FossilCollect, p.PrimaryRollback, p.NetRead, p.NetOther, p.InstComp, p.InstWrite} {
				require.GreaterOrEqual(t, v, 0.0)
			}
			sum := p.PQ + p.EventProcess + p.EventCancel + p.EventAbort + p.GVT + p.FossilCollect + p.PrimaryRollback +
				p.NetRead + p.NetOther + p.InstWrite + c.IdleSeconds + c.HookSeconds
			require.InDelta(t, pe.Phases.Seconds, sum, 1e-6, "all time is somewhere, and nowhere twice")
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
			if !settingsOf(l.sim.Config()).Sequential() {
				require.Equal(t, c.GVTs, l.hooks[pe.ID])
			}
			require.Zero(t, p.AVL+p.RIOLoad+p.LZ4+p.Deltas)
			require.Equal(t, l.sum(pe, &l.done).handled, c.Takes.N, "one block an event")
			l.requireLPTimes(t, pe)
		}
		st := l.sim.Summary()
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
	testkit.Watch(t)
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
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Dir = ledgerLPs, 60, 64<<20, t.TempDir()
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid % 2) }
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	slow.sim, fast.sim = sim, sim
	require.NoError(t, sim.Define(slow.lpType(), fast.lpType()))
	require.NoError(t, sim.Run(context.Background()))
	for i, v := range runOf(sim).Locals[0].LPSeconds() {
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

// Recordings are made once, in order, and at commit, under forced rollbacks
// and on several ranks. Package stats has the tests of its API.

// gauge is a state with statistics as package stats has them.
type gauge struct {
	Tally struct {
		D statistic.Tally `ross:"-"`
	}
	Count int64
	Level struct {
		D statistic.Level `ross:"-"`
	}
	Bins struct {
		D statistic.Histogram `ross:"-"`
	}
	Series struct {
		D statistic.Series `ross:"-"`
	}
}

// gauges is a model whose events record, and all of whose events are undone by deltas.
func gauges() ross.LPType {
	return ross.Type[gauge]{
		Name: "gauge",
		Init: func(_ *gauge, lp *ross.LP) {
			for range 3 {
				ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
			}
		},
		Event: ross.On(func(s *gauge, lp *ross.LP, m *order8) {
			x := lp.RNG().Exponential(1)
			s.Count++
			for range m.Tag % 4 {
				kernelOf(lp).Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(x*1e6))
				kernelOf(lp).Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(1/x))
			}
			kernelOf(lp).Record(statistic.OpShift, unsafe.Pointer(&s.Level), math.Float64bits(x-1))
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1), order8{m.Tag + uint64(s.Count)})
			kernelOf(lp).Record(statistic.OpBin, unsafe.Pointer(&s.Bins), math.Float64bits(x))
			kernelOf(lp).Record(statistic.OpTime, unsafe.Pointer(&s.Series), math.Float64bits(x))
		}),
	}
}

// measure runs gauges and returns the statistics of all LPs as JSON, which has all bits.
func measure(t *testing.T, ranks int, configure func(*ross.Config)) string {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.MaxMemory, c.NKP, c.WarmUp, c.Statistics = 20, 200<<20, 4, 3, ross.StatisticsInReport
		configure(c)
		c.NLP = int(writerLPs / uint64(max(c.PEs, 1)*ranks))
		if c.Synch == 3 || c.Synch == 5 {
			*disturbOf(c) = harass(t, c.PEs*ranks, 0.3)
		}
	}, gauges())
	for _, err := range errs {
		require.NoError(t, err)
	}
	text := figuresOf(t, sims)
	closeAll(sims)
	return text
}

// figuresOf returns the statistics of all LPs, which all ranks have.
func figuresOf(t *testing.T, sims []*ross.Simulation) string {
	t.Helper()
	texts := make(chan string, len(sims))
	for _, sim := range sims {
		go func() {
			var b bytes.Buffer
			table, err := runOf(sim).Statistics(nil)
			if assert.NoError(t, err) {
				assert.NoError(t, table.WriteJSON(&b))
			}
			texts <- b.String()
		}()
	}
	text := <-texts
	for range len(sims) - 1 {
		require.Equal(t, text, <-texts, "all ranks have the same table")
	}
	return text
}

func TestStatisticsAreThoseOfASequentialRun(t *testing.T) {
	want := measure(t, 1, func(c *ross.Config) {})
	require.Contains(t, want, `"statistic": "Level"`)
	type setUp struct {
		synch, pes, ranks int
		nkp               uint64
	}
	all := []setUp{{3, 2, 1, 4}, {3, 2, 2, 4}, {2, 3, 1, 1}, {3, 1, 1, 1}, {3, 3, 1, 16}, {3, 4, 1, 7}, {5, 2, 1, 4}, {6, 1, 1, 4}, {2, 2, 2, 4}, {3, 1, 3, 4}}
	for _, run := range testlevel.Pick(all, all[:4], all[:2]) {
		got := measure(t, run.ranks, func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = ross.Scheduler(run.synch), run.pes, int(run.nkp), 0.1
		})
		require.Equal(t, want, got, "%+v", run)
	}
}

func TestStatisticsBeginLaterOnAnyRanks(t *testing.T) {
	configure := func(ranks int, warmUp, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.NLP, c.WarmUp, c.End = ross.Optimistic, 1, 2, int(writerLPs/uint64(ranks)), warmUp, end
		}
	}
	_, sims := runLeg(t, leg{configure: configure(1, 12, 20)}, gauges())
	want := figuresOf(t, sims)
	for _, ranks := range testlevel.Pick([][2]int{{1, 2}, {2, 1}, {2, 3}}, [][2]int{{2, 1}}, [][2]int{{1, 2}}) {
		name := filepath.Join(t.TempDir(), "cp")
		runLeg(t, leg{ranks: ranks[0], to: name, configure: configure(ranks[0], 3, 10)}, gauges())
		_, sims = runLeg(t, leg{ranks: ranks[1], from: name, mode: ross.LoadInit, configure: configure(ranks[1], 12, 20)}, gauges())
		require.Equal(t, want, figuresOf(t, sims), "%d", ranks)
	}
}
