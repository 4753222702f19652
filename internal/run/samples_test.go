// What samples say, counted a second time: by the model, by the closing report, and from the event trace. And the times
// of the report: they add up, they hold what the model measured itself, and samples stand for what they are samples of.

package run_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/report"
)

// sampled configures a run that collects everything.
func sampled(dir string) func(*ross.Config) {
	return func(c *ross.Config) {
		c.Instruments.Engine, c.Instruments.Model = ross.SampleAll, ross.SampleAll
		c.Instruments.EveryGVTs, c.Instruments.RealInterval, c.Instruments.VirtualInterval = 1, time.Millisecond, 2.5
		c.Instruments.WithoutPEs, c.Instruments.KPs, c.Instruments.LPs = false, true, true
		c.Instruments.Path = dir
	}
}

func TestSamplesOfTheEngineAreTrue(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		if synch == 4 {
			return // it takes back all that it has done, and the model's counts of it with that
		}
		dir := filepath.Join(t.TempDir(), "stats")
		l := &ledger{saving: ross.SaveByReverse}
		_, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) {
			if settingsOf(*c).Mode() == settings.Optimistic {
				knobsOf(c).Disturb = harass(t, pes, 0.03)
			}
			sampled(dir)(c)
		})
		require.NoError(t, err)
		st := l.sim.Summary()
		for _, suffix := range []string{instr.GVTSuffix, instr.RTSuffix, instr.VTEngineSuffix} {
			var sum instr.PEStats
			kps, lps, perPE := map[uint64]instr.KPStats{}, map[uint32]instr.LPStats{}, map[uint32]*instr.PEStats{}
			var times [13]float64
			ahead, end := map[uint64]float32{}, 0.0
			n := 0
			for _, r := range testkit.Records(t, dir, suffix) {
				switch r.Kind {
				case instr.KindPE:
					n++
					if perPE[r.PE.PE] == nil {
						perPE[r.PE.PE] = &instr.PEStats{}
					}
					for _, to := range []*instr.PEStats{&sum, perPE[r.PE.PE]} {
						to.Processed += r.PE.Processed
						to.RolledBack += r.PE.RolledBack
						to.Aborted += r.PE.Aborted
						to.Rollbacks += r.PE.Rollbacks
						to.SecondaryRollbacks += r.PE.SecondaryRollbacks
						to.FossilCollects += r.PE.FossilCollects
						to.NetworkSends += r.PE.NetworkSends
						to.NetworkReads += r.PE.NetworkReads
						to.GVTs += r.PE.GVTs
					}
					require.Equal(t, instr.Efficiency(uint64(r.PE.Processed), uint64(r.PE.RolledBack)), r.PE.Efficiency)
					for i, v := range timesOf(&r.PE) {
						require.GreaterOrEqual(t, v, float32(0))
						times[i] += float64(v)
					}
				case instr.KindKP:
					id := uint64(r.KP.PE)<<32 | uint64(r.KP.KP)
					k := kps[id]
					addKP(&k, &r.KP)
					kps[id] = k
					ahead[id] = r.KP.TimeAheadGVT
					require.Equal(t, instr.Efficiency(uint64(r.KP.Processed), uint64(r.KP.RolledBack)), r.KP.Efficiency)
					end = r.Meta.TS
				case instr.KindLP:
					k := lps[r.LP.LP]
					k.Processed += r.LP.Processed
					k.RolledBack += r.LP.RolledBack
					k.NetworkSends += r.LP.NetworkSends
					k.NetworkReads += r.LP.NetworkReads
					lps[r.LP.LP] = k
				}
			}
			require.GreaterOrEqual(t, n, pes, suffix)
			// The closing report.
			require.EqualValues(t, st.EventsProcessed, sum.Processed, suffix)
			require.EqualValues(t, st.EventsRolledBack, sum.RolledBack, suffix)
			require.EqualValues(t, st.EventsAborted, sum.Aborted)
			require.EqualValues(t, st.PrimaryRollBacks+st.SecondaryRollBacks, sum.Rollbacks)
			require.EqualValues(t, st.SecondaryRollBacks, sum.SecondaryRollbacks)
			require.EqualValues(t, st.FossilCollects, sum.FossilCollects)
			require.EqualValues(t, st.NumGVT*uint64(pes), sum.GVTs)
			// The model's own counts.
			for id, k := range lps {
				require.EqualValues(t, l.done[id].handled, k.Processed, "LP %d", id)
				if synch != 6 { // Reverse is called once more for each there, to check it
					require.EqualValues(t, l.undone[id], k.RolledBack, "LP %d", id)
				}
				require.EqualValues(t, l.done[id].remote+l.first[id].remote, k.NetworkSends, "LP %d", id)
			}
			require.Len(t, lps, ledgerLPs)
			for id, got := range ahead { // of the last sample, when the LPs were as they are now
				newest := 0.0
				for lp := range ross.LPID(ledgerLPs) {
					if at := l.sim.LP(lp); uint64(at.PE().ID())<<32|uint64(at.KP().ID()) == id {
						newest = max(newest, at.Now())
					}
				}
				require.Equal(t, float32(newest-end), got, "KP %d of PE %d", uint32(id), id>>32)
			}
			// KPs and LPs are the parts of their PEs.
			for pe, whole := range perPE {
				var k instr.KPStats
				for id, part := range kps {
					if uint32(id>>32) == pe {
						addKP(&k, &part)
					}
				}
				require.Equal(t, instr.KPStats{Processed: whole.Processed, RolledBack: whole.RolledBack, Rollbacks: whole.Rollbacks,
					SecondaryRollbacks: whole.SecondaryRollbacks, NetworkSends: whole.NetworkSends, NetworkReads: whole.NetworkReads},
					k)
			}
			var most [13]float64
			for _, pe := range runOf(l.sim).Locals {
				p := pe.Times()
				for i, v := range []float64{p.NetRead, p.NetOther, p.GVT, p.FossilCollect, p.EventAbort, p.EventProcess, p.PQ,
					p.PrimaryRollback, p.EventCancel, p.AVL, p.Buddy, p.LZ4} {
					most[i] += v
				}
			}
			for i := range most {
				require.InDelta(t, most[i], times[i], 1e-4+1e-3*most[i], "%s: time %d", suffix, i)
			}
		}
	})
}

// addKP adds up what a KP has counted.
func addKP(to, of *instr.KPStats) {
	to.Processed += of.Processed
	to.RolledBack += of.RolledBack
	to.Rollbacks += of.Rollbacks
	to.SecondaryRollbacks += of.SecondaryRollbacks
	to.NetworkSends += of.NetworkSends
	to.NetworkReads += of.NetworkReads
}

func timesOf(s *instr.PEStats) []float32 {
	return []float32{s.NetRead, s.NetOther, s.GVT, s.FossilCollect, s.EventAbort, s.EventProcess, s.PQ, s.Rollback,
		s.CancelQ, s.AVL, s.Buddy, s.LZ4}
}

func TestSamplesDoNotChangeWhatIsComputed(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, synch := range testlevel.Pick([]int{1, 2, 3, 5, 6}, []int{1, 2, 3}, []int{1, 2, 3}) {
			for _, pes := range []int{1, 3} {
				if c := (&ross.Config{Synch: ross.Scheduler(synch)}); settingsOf(*c).Sequential() && pes > 1 ||
					testlevel.Is(testlevel.Few) && name == "tied" {
					continue
				}
				t.Run(fmt.Sprintf("%s/synch=%d/pes=%d", name, synch, pes), func(t *testing.T) {
					testkit.Watch(t)
					require.Equal(t, want, l().digest(t, func(c *ross.Config) {
						onPEs(pes)(c)
						sampled(filepath.Join(t.TempDir(), "stats"))(c)
						c.Synch, c.Instruments.Trace, c.Instruments.VirtualInterval, c.Instruments.EveryGVTs, c.Instruments.RealInterval =
							ross.Scheduler(synch), ross.TraceCommitted, 0.5, 1000, 50*time.Millisecond
						c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
					}))
				})
			}
		}
	}
}

// TestLastSamplesHaveTheTimeAtWhichTheRunEnded also of a run without an end, and of times that a float32 does not hold.
func TestLastSamplesHaveTheTimeAtWhichTheRunEnded(t *testing.T) {
	testlevel.Once(t, "what files of samples hold")
	type none struct{}
	for _, c := range []struct{ end, step, want float64 }{
		{50, 1, 50}, {math.Inf(1), 1, 20}, {1e300, 1e299, 1e300},
	} {
		for _, synch := range []int{1, 3} {
			testkit.Watch(t)
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead = 4, c.end, ross.Scheduler(synch), c.step
			sampled(filepath.Join(t.TempDir(), "stats"))(&cfg)
			cfg.Instruments.Engine, cfg.Instruments.Model = ross.SampleByGVT, ross.SampleByGVT
			onPEs(1)(&cfg)
			if synch > 1 {
				onPEs(2)(&cfg)
			}
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			require.NoError(t, sim.Define(ross.Type[none]{
				Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), c.step, none{}) },
				Event: ross.On(func(_ *none, lp *ross.LP, _ *none) {
					if lp.Now() < 20*c.step*0.999 { // the sums of 1e299 are not exact
						ross.Send(lp, lp.ID(), c.step, none{})
					}
				}),
				Saving: ross.SaveByDelta, SampleSize: 1, Sample: func(*none, *ross.LP, []byte) {},
			}))
			require.NoError(t, sim.Run(t.Context()))
			name := fmt.Sprintf("%+v synch=%d", c, synch)
			for _, suffix := range []string{instr.GVTSuffix, instr.ModelSuffix} {
				all := testkit.Records(t, cfg.Instruments.Path, suffix)
				for _, r := range all {
					require.False(t, math.IsInf(r.Meta.TS, 0) || math.IsInf(float64(r.Model.GVT), 0) ||
						math.IsInf(float64(r.KP.TimeAheadGVT), 0), name)
				}
				last := all[len(all)-1]
				if suffix == instr.GVTSuffix {
					require.InEpsilon(t, c.want, last.Meta.TS, 1e-12, name)
				} else {
					require.Equal(t, float32(min(c.want, math.MaxFloat32)), last.Model.GVT, name)
				}
			}
			require.NoError(t, sim.Close())
		}
	}
}

// Samples of memory: one for each sample of a PE by real time, with its times, and true where something else knows it.

// memorySamples returns the samples of memory of each PE, in order. Each has to belong to a record of the PE by real
// time, whose queue is returned at the same place.
func memorySamples(t *testing.T, dir string) (of map[uint32][]instr.Record, pending map[uint32][]uint32) {
	t.Helper()
	times := map[uint32][][2]float64{}
	of, pending = map[uint32][]instr.Record{}, map[uint32][]uint32{}
	for _, r := range testkit.Records(t, dir, instr.RTSuffix) {
		if r.Kind == instr.KindPE {
			times[r.PE.PE] = append(times[r.PE.PE], [2]float64{r.Meta.TS, r.Meta.RealTime})
			pending[r.PE.PE] = append(pending[r.PE.PE], r.PE.QueueSize)
		}
	}
	again := map[uint32][][2]float64{}
	for _, r := range testkit.Records(t, dir, instr.MemorySuffix) {
		require.Equal(t, instr.KindMemory, r.Kind)
		again[r.Memory.PE] = append(again[r.Memory.PE], [2]float64{r.Meta.TS, r.Meta.RealTime})
		of[r.Memory.PE] = append(of[r.Memory.PE], r)
	}
	require.Equal(t, times, again)
	return of, pending
}

// requireMemory requires that the samples of a run, which is over, are possible, and the last of each PE true: nothing
// has changed since.
func requireMemory(t *testing.T, dir string, sim *ross.Simulation) {
	t.Helper()
	of, pending := memorySamples(t, dir)
	require.Len(t, of, len(runOf(sim).Locals))
	undo, used := uint64(0), sim.Summary().MemoryAllocated
	for _, pe := range runOf(sim).Locals {
		all := of[uint32(pe.ID)]
		requirePossible(t, all, sim.Config())
		for i := range all {
			if sim.Config().Synch == ross.Sequential {
				require.Equal(t, pending[uint32(pe.ID)][i], all[i].Memory.Events, "there are no events but those that wait")
			}
		}
		require.Equal(t, instr.MemoryStats{
			PE: uint32(pe.ID), Events: pe.Arena.InUse(), Queue: pe.Queue.Bytes(), Undo: pe.UndoBytes(), Used: used,
			Limit: sim.Config().MaxMemory,
		}, all[len(all)-1].Memory)
		undo += pe.UndoBytes()
	}
	require.LessOrEqual(t, undo, used)
}

func requirePossible(t *testing.T, all []instr.Record, cfg ross.Config) {
	t.Helper()
	for i := range all {
		m := &all[i].Memory
		require.Equal(t, cfg.MaxMemory, m.Limit)
		require.Positive(t, m.Queue)
		require.GreaterOrEqual(t, m.Used, m.Undo)
		require.Less(t, m.Used, 2*m.Limit)
		require.LessOrEqual(t, uint64(m.Events), m.Used/8, "each takes some words")
	}
}

func TestEachSampleOfAPEByRealTimeHasItsMemory(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		dir := filepath.Join(t.TempDir(), "stats")
		l := &ledger{saving: ross.SaveByDelta}
		_, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) {
			if settingsOf(*c).Mode() == settings.Optimistic {
				knobsOf(c).Disturb = harass(t, pes, 0.03)
			}
			c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.Path = ross.SampleByRealTime, time.Millisecond, dir
		})
		require.NoError(t, err)
		requireMemory(t, dir, l.sim)
	})
}

func TestRanksWriteSamplesOfMemoryToOneFile(t *testing.T) {
	for _, pes := range []int{1, 2} {
		for _, synch := range testlevel.Pick([]int{2, 3}, []int{3}, []int{3}) {
			t.Run(fmt.Sprintf("pes=%d/synch=%d", pes, synch), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "stats")
				l := spreadLoad()
				l.end = 2
				sims := checkRanks(t, l, 2, func(c *ross.Config) {
					// a flush at each GVT
					c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.Path, c.Instruments.BufferFree =
						ross.SampleAll, time.Millisecond, dir, 0
					c.PEs, c.Synch, c.ConsLookahead, c.Instruments.VirtualInterval = pes, ross.Scheduler(synch), 0.1, 0.5
				})
				of, _ := memorySamples(t, dir)
				require.Len(t, of, 2*pes)
				for _, all := range of {
					requirePossible(t, all, sims[0].Config())
				}
				for _, sim := range sims {
					require.NoError(t, sim.CollectionError())
				}
			})
		}
	}
}

func TestFileOfMemoryIsThereWithSamplesOfPEsByRealTimeOnly(t *testing.T) {
	testlevel.Once(t, "which files there are")
	for _, c := range []struct {
		stats ross.Sampling
		pe    int
		want  bool
	}{{ross.SampleByRealTime, 1, true}, {ross.SampleAll, 1, true}, {ross.SampleByRealTime, 0, false},
		{ross.SampleByGVT, 1, false}} {
		dir := filepath.Join(t.TempDir(), "stats")
		_, sim := collected(t, dir, func(cfg *ross.Config) {
			cfg.Instruments.Engine, cfg.Instruments.WithoutPEs, cfg.Instruments.VirtualInterval, cfg.End, cfg.Instruments.Trace =
				c.stats, c.pe == 0, 0.5, 1, 0
		})
		_, err := os.Stat(instr.FileName(dir, "", instr.MemorySuffix))
		require.Equal(t, c.want, err == nil, "%+v", c)
		if c.want {
			requireMemory(t, dir, sim)
		}
	}
}

// TestSampleThatFindsNoRoomHasNoMemoryEither in the smallest buffers, with samples of LPs that do not fit.
func TestSampleThatFindsNoRoomHasNoMemoryEither(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(c *ross.Config) {
		c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.Trace, c.Instruments.BufferSize =
			ross.SampleByRealTime, time.Millisecond, 0, 1000
	})
	require.ErrorContains(t, sim.CollectionError(), "found no room in the buffers")
	require.Contains(t, report, "samples of rt: raise --buffer-size")
	require.NotContains(t, report, "of memory")
	require.Empty(t, testkit.Records(t, dir, instr.MemorySuffix))
}

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
			for _, v := range []float64{p.Init, p.PQ, p.LZ4, p.Deltas, p.Buddy, p.RIOLPInit, p.EventProcess, p.EventCancel,
				p.EventAbort,
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
