// Memory: at its ceiling optimism is throttled to what fits, and only a run that the sequential scheduler could not
// do either ends with an error. And where there are many more PEs than processors, what there is for each pair of
// them stays small.

package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// hungryState is that of a model whose events cost much memory while they can be rolled back:
// a delta of 400 bytes each.
type hungryState struct{ words [50]uint64 }

// hungry returns the model with a number of LPs, and a number of events for each of them.
func hungry(lps, events int) ross.Type[hungryState] {
	return ross.Type[hungryState]{
		Name: "hungry",
		Init: func(_ *hungryState, lp *ross.LP) {
			for range events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), loadMsg{})
			}
		},
		Event: ross.On(func(s *hungryState, lp *ross.LP, m *loadMsg) {
			for i := range s.words {
				s.words[i] += m.value + uint64(i)
			}
			dst := lp.ID()
			if m.class == 2 {
				return
			}
			if lp.RNG().Unif() < 0.2 {
				dst = ross.LPID(lp.RNG().Integer(0, int64(lps)-1))
			}
			ross.Send(lp, dst, lp.RNG().Exponential(1), loadMsg{value: m.value + 1})
		}),
	}
}

// runHungry runs the model in so much memory, 0 for plenty. Nothing but memory
// holds optimism back: GVT is never due.
func runHungry(t *testing.T, synch, pes int, memory uint64) (*ross.Simulation, error) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, int(64/pes), 4, 70, true
	cfg.Tuning.FixedGVT, cfg.Tuning.GVTInterval = true, 1<<40
	cfg.MaxMemory = memory
	if memory == 0 {
		cfg.MaxMemory = 1 << 30
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	if err := sim.Define(hungry(64, 64)); err != nil {
		return sim, err
	}
	return sim, sim.Run(context.Background())
}

func TestOptimismIsThrottledToTwiceTheMemoryOfASequentialRun(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	seq, err := runHungry(t, 1, 1, 0)
	require.NoError(t, err)
	need := runOf(seq).Budget.Peak() + runOf(seq).QueueBytes()
	free, err := runHungry(t, 3, 1, 0)
	require.NoError(t, err)
	require.Greater(t, runOf(free).Budget.Peak(), 100*need, "the run does not need much memory")
	require.Greater(t, 2*need, uint64(settings.MinMemory))
	for _, pes := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
			testkit.Watch(t)
			sim, err := runHungry(t, 3, pes, 2*need)
			require.NoError(t, err)
			require.Equal(t, runOf(seq).Stats.Digest, runOf(sim).Stats.Digest)
			require.LessOrEqual(t, runOf(sim).Budget.Peak(), sim.Config().MaxMemory)
			shortages := uint64(0)
			for _, pe := range runOf(sim).Locals {
				shortages += pe.Counts.Shortages
			}
			require.Positive(t, shortages)
			require.Equal(t, shortages, sim.Snapshot().Shortages)
			t.Logf("need %d, limit %d, unlimited %d, %d shortages, %d GVTs", need, sim.Config().MaxMemory,
				runOf(free).Budget.Peak(), shortages, runOf(sim).Stats.NumGVT)
			requireNoLeak(t, sim)
		})
	}
}

// stubbornState is that of hungry with LPs that cannot be undone, one of sixteen, which send
// several events at a time, that come to nothing but one.
type stubbornState struct {
	handled uint64
	seen    []uint64
}

func stubborn(lps int) []ross.LPType {
	hungry := hungry(lps, 16)
	return []ross.LPType{hungry, ross.Type[stubbornState]{
		Name: "stubborn", Saving: ross.SaveNever,
		Init: func(_ *stubbornState, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), loadMsg{class: 1})
		},
		Event: ross.On(func(s *stubbornState, lp *ross.LP, m *loadMsg) {
			s.handled++
			if s.seen = append(s.seen, m.value)[:min(len(s.seen)+1, 8)]; m.class == 0 {
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)), lp.RNG().Exponential(1), loadMsg{value: s.handled})
				return
			}
			for range 600 {
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1))&^15, lp.RNG().Exponential(1), loadMsg{class: 2})
			}
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), *m)
		}),
	}}
}

// runStubborn runs that model in so much memory.
func runStubborn(t *testing.T, synch, pes int, memory uint64) (*ross.Simulation, error) {
	t.Helper()
	const lps = 64
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, int(lps/pes), 4, 10, true
	cfg.Tuning.FixedGVT, cfg.Tuning.GVTInterval = true, 1<<40
	cfg.MaxMemory = memory
	cfg.TypeMap = func(lp ross.LPID) int {
		if lp%16 == 15 {
			return 1
		}
		return 0
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	if err := sim.Define(stubborn(lps)...); err != nil {
		return sim, err
	}
	return sim, sim.Run(context.Background())
}

func TestEventsThatCannotBeUndoneFindMemoryAtTheCeiling(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	need := uint64(settings.MinMemory)
	seq, err := runStubborn(t, 1, 1, need)
	for ; err != nil; seq, err = runStubborn(t, 1, 1, need) {
		require.NoError(t, seq.Close())
		need += need / 64
	}
	ceiling := need / 4 * 9 // several PEs need a little more than twice the memory
	for _, pes := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("memory=%d/pes=%d", ceiling, pes), func(t *testing.T) {
			testkit.Watch(t)
			for range 2 {
				sim, err := runStubborn(t, 3, pes, ceiling)
				require.NoError(t, err)
				require.Equal(t, runOf(seq).Stats.Digest, runOf(sim).Stats.Digest)
				require.LessOrEqual(t, runOf(sim).Budget.Peak(), ceiling)
				for _, pe := range runOf(sim).Locals {
					require.Equal(t, pe.Reserve, pe.Wanted, "PE %d: an event that got by with less is no rule for the next", pe.ID)
					if pes > 1 {
						pe.SetMemoryAside()
						free := ceiling - runOf(sim).Budget.Used()
						require.Error(t, pe.Budget.Charge(free-pe.Reserve+1), "PE %d leaves to the others what their events may need",
							pe.ID)
					}
				}
				requireNoLeak(t, sim)
			}
		})
	}
}

// runTiny runs the model with numbers of LPs and events, on PEs with nkp KPs each, within
// a limit of memory.
func runTiny(t *testing.T, synch, pes, nkp, lps, events int, memory uint64) (digest uint64, err error) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, int(lps/pes), int(nkp), 5, true
	cfg.MaxMemory = memory
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	if err := sim.Define(hungry(lps, events)); err != nil {
		return 0, err
	}
	if err := sim.Run(context.Background()); err != nil {
		return 0, err
	}
	require.LessOrEqual(t, runOf(sim).Budget.Peak(), memory)
	requireNoLeak(t, sim)
	return *runOf(sim).Stats.Digest, nil
}

func TestFourPEsFitIntoTwiceTheMemoryOfASmallSequentialRun(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	for _, size := range [][2]int{{16, 8}, {64, 8}, {64, 64}, {256, 16}, {256, 64}} {
		lps, events := size[0], size[1]
		need := uint64(settings.MinMemory)
		want, err := runTiny(t, 1, 1, 4, lps, events, need)
		for ; err != nil; want, err = runTiny(t, 1, 1, 4, lps, events, need) {
			need += need / 4
		}
		for _, c := range [][2]int{{2, 4}, {4, 4}, {4, 16}} {
			t.Run(fmt.Sprintf("lps=%d/events=%d/memory=%d/pes=%d/kps=%d", lps, events, 2*need, c[0], c[1]), func(t *testing.T) {
				testkit.Watch(t)
				got, err := runTiny(t, 3, c[0], c[1], lps, events, 2*need)
				require.NoError(t, err)
				require.Equal(t, want, got)
			})
		}
	}
}

// TestSamplesFollowTheIntervalAndNotShortages where each shortage brings a GVT about.
func TestSamplesFollowTheIntervalAndNotShortages(t *testing.T) {
	for _, c := range []struct{ pes, every, memory uint64 }{{3, 1, 1 << 20}, {1, 1, 600 << 10}, {1, 4, 600 << 10}} {
		if testlevel.Is(testlevel.Few) && c.pes == 1 {
			continue
		}
		testkit.Watch(t)
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End = 3, int(c.pes), int(66/c.pes), 4, 5
		cfg.Tuning.FixedGVT, cfg.Tuning.GVTInterval, cfg.Tuning.Batch, cfg.MaxMemory = true, 256, 4, c.memory
		cfg.Instruments.Engine, cfg.Instruments.Model, cfg.Instruments.EveryGVTs, cfg.Instruments.Path =
			ross.SampleByGVT, ross.SampleByGVT, int(c.every), filepath.Join(t.TempDir(), "stats")
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		model := hungry(66, 64)
		model.SampleSize, model.Sample = 1, func(*hungryState, *ross.LP, []byte) {}
		require.NoError(t, sim.Define(model))
		require.NoError(t, sim.Run(t.Context()))
		st := sim.Summary()
		intervals := st.NetEvents() / (256 * 4)
		samples := uint64(len(testkit.Records(t, cfg.Instruments.Path, instr.GVTSuffix))) / c.pes
		if c.pes == 1 { // the others may be done, and ask for GVT since they are
			require.Greater(t, st.NumGVT, 5*intervals)
			require.LessOrEqual(t, samples, intervals/c.every+2, "%+v", c)
		}
		require.Less(t, samples, st.NumGVT/2, "%+v", c)
		require.GreaterOrEqual(t, samples, intervals/c.pes/c.every/2, "there are samples all the same: %+v", c)
		require.Len(t, testkit.Records(t, cfg.Instruments.Path, instr.ModelSuffix), int(samples)*66)
		require.NoError(t, sim.Close())
	}
}

// crowd is a model of many pending events, with messages of 32 bytes. Some go to other LPs.
func crowd(lps, events int) ross.Type[struct{ N uint64 }] {
	return ross.Type[struct{ N uint64 }]{
		Name: "crowd", Saving: ross.SaveByDelta, Lookahead: 1,
		Init: func(_ *struct{ N uint64 }, lp *ross.LP) {
			for i := range events {
				ross.Send(lp, lp.ID(), 1+lp.RNG().Exponential(10), [4]uint64{uint64(i)})
			}
		},
		Event: ross.On(func(s *struct{ N uint64 }, lp *ross.LP, m *[4]uint64) {
			s.N++
			to := lp.ID()
			if lp.RNG().Unif() < 0.1 {
				to = ross.LPID(lp.RNG().Integer(0, int64(lps)-1))
			}
			ross.Send(lp, to, 1+lp.RNG().Exponential(10), *m)
		}),
	}
}

// runCrowd runs that model in so much memory. KPs move, PEs come together and part again, and some PEs have no
// KPs, from time to time if shift is not 0.
func runCrowd(t *testing.T, synch ross.Scheduler, pes int, shift, memory uint64) (
	digest uint64, moved string, err error) {
	t.Helper()
	const lps, events = 64, 64
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.LPs, cfg.NKP, cfg.End, cfg.Digest, cfg.ConsLookahead = synch, pes, lps, 4, 24, true, 1
	cfg.MaxMemory, cfg.Tuning.FixedKPs = memory, true
	if shift > 0 {
		cfg.Tuning.FixedKPs, knobsOf(&cfg).Moves, knobsOf(&cfg).Shift = false, true, shift
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	if err = sim.Define(crowd(lps, events)); err == nil {
		err = sim.Run(t.Context())
	}
	if err != nil {
		require.ErrorIs(t, err, ross.ErrMemory)
		return 0, "", err
	}
	requireNoLeak(t, sim)
	return *sim.Summary().Digest, balanced(sim)["KPs Moved to Other PEs, Times"], nil
}

// TestBalanceTakesNoMoreMemoryThanARunWithout looks, in steps of 5 %, for memory in which runs without balance end. In
// that, and in more, runs must end while KPs move and PEs come together at random.
func TestBalanceTakesNoMoreMemoryThanARunWithout(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	want, _, err := runCrowd(t, ross.Sequential, 1, 0, 64<<20)
	require.NoError(t, err)
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
		for _, pes := range []int{2, 4, 16} {
			t.Run(fmt.Sprintf("%v/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				memory, moves := uint64(settings.MinMemory), false
				next := func() { memory += memory / 20 }
				for ends := 0; ends < 3; next() { // just above the least memory it depends on the order of events
					ends++
					if _, _, err := runCrowd(t, synch, pes, 0, memory); err != nil {
						ends = 0
					}
				}
				for n := 0; n < 16 || !moves; n++ { // where memory is shortest nothing moves
					got, moved, err := runCrowd(t, synch, pes, 2, memory)
					require.NoError(t, err, "%d bytes", memory)
					require.Equal(t, want, got)
					require.Less(t, memory, uint64(16<<20), "nothing moves")
					moves = moves || moved != "0, 0"
					if next(); n >= 16 {
						memory += memory / 4
					}
				}
			})
		}
	}
}

// Messages of several sizes.
type (
	of16   [16]byte
	of73   [73]byte
	of256  [256]byte
	of257  [257]byte
	of1000 [1000]byte
	of4Ki  [4 << 10]byte
	of64Ki [64 << 10]byte
	of1Mi  [1 << 20]byte
)

// post is a model whose events go to other LPs, with messages of a size, some 512 KiB in all or one for each LP.
type post struct {
	name  string
	lps   uint64
	types []ross.LPType
}

// letters returns a post for messages of type M, of n bytes.
func letters[M any](n, lps uint64) post {
	return post{fmt.Sprintf("%d bytes", n), lps,
		[]ross.LPType{letterBox[M, M](n, lps, func(ross.LPID) bool { return true })}}
}

// letterBox returns a type that receives messages of type M, and sends them to some LPs, and those of type N
// to others.
func letterBox[M, N any](n, lps uint64, same func(ross.LPID) bool) ross.LPType {
	send := func(lp *ross.LP, to ross.LPID) {
		if delay := 1 + lp.RNG().Exponential(10); same(to) {
			var m M
			ross.Send(lp, to, delay, m)
		} else {
			var m N
			ross.Send(lp, to, delay, m)
		}
	}
	return ross.Type[struct{ N uint64 }]{
		Name: fmt.Sprintf("letters of %d bytes", n), Saving: ross.SaveByDelta,
		Init: func(_ *struct{ N uint64 }, lp *ross.LP) {
			for range max(512<<10/n/lps, 1) {
				send(lp, lp.ID())
			}
		},
		Event: ross.On(func(s *struct{ N uint64 }, lp *ross.LP, _ *M) {
			s.N++
			send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)))
		}),
	}
}

// runPost runs such a model in so much memory.
func runPost(t *testing.T, p *post, synch ross.Scheduler, pes int, memory uint64) (digest uint64, err error) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.LPs, cfg.NKP, cfg.End, cfg.Digest, cfg.ConsLookahead = synch, pes, int(p.lps), 4, 24, true, 1
	cfg.MaxMemory = memory
	if n := ross.LPID(len(p.types)); n > 1 {
		cfg.TypeMap = func(lp ross.LPID) int { return int(lp % n) }
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	if err = sim.Define(p.types...); err == nil {
		err = sim.Run(t.Context())
	}
	if err != nil {
		require.ErrorIs(t, err, ross.ErrMemory)
		return 0, err
	}
	requireNoLeak(t, sim)
	return *sim.Summary().Digest, nil
}

// TestMessagesOfAnySizeFitIntoTwiceTheMemoryOfASequentialRun has what docs/running.md promises, for messages in slots
// and in blocks.
func TestMessagesOfAnySizeFitIntoTwiceTheMemoryOfASequentialRun(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const eachPE = 256 << 10
	even := func(lp ross.LPID) bool { return lp%2 == 0 }
	odd := func(lp ross.LPID) bool { return lp%2 != 0 }
	for _, p := range []post{
		letters[of16](16, 64), letters[of73](73, 64), letters[of256](256, 64), letters[of257](257, 64),
		letters[of1000](1000, 64),
		letters[of4Ki](4<<10, 9), letters[of64Ki](64<<10, 9), letters[of1Mi](1<<20, 9),
		{"1000 bytes and 64 Ki", 32, []ross.LPType{letterBox[of1000, of64Ki](1000, 32, even),
			letterBox[of64Ki, of1000](64<<10, 32, odd)}},
	} {
		t.Run(p.name, func(t *testing.T) {
			testkit.Watch(t)
			need := uint64(settings.MinMemory)
			want, err := runPost(t, &p, ross.Sequential, 1, need)
			for ; err != nil; want, err = runPost(t, &p, ross.Sequential, 1, need) {
				need += need / 20
			}
			for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
				for _, pes := range []int{2, 4} {
					got, err := runPost(t, &p, synch, pes, 2*need+eachPE*uint64(pes))
					require.NoError(t, err, "%v on %d PEs: twice %d bytes", synch, pes, need)
					require.Equal(t, want, got, "%v on %d PEs", synch, pes)
				}
			}
		})
	}
}

// shelf is a state with blocks of any sizes, and with containers that grow and shrink.
type shelf struct {
	Sum    uint64
	Blocks [3]ross.Block[uint64]
	Line   container.Queue[uint64]
	Table  container.Map[uint64, uint64]
}

// shelves returns a model whose events replace blocks by others of 8 bytes to 16 KiB, and have messages of a P.
func shelves[P any](name string, saving ross.Saving) post {
	type parcel struct {
		N    uint64
		Rest P
	}
	const lps = 24
	send := func(lp *ross.LP, n uint64) {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, lps-1)), 0.25+lp.RNG().Exponential(1), parcel{N: n})
	}
	return post{name, lps, []ross.LPType{ross.Type[shelf]{
		Name: "shelves", Saving: saving, Lookahead: 0.25,
		Init: func(_ *shelf, lp *ross.LP) {
			for i := range uint64(8) {
				send(lp, i)
			}
		},
		Event: ross.On(func(s *shelf, lp *ross.LP, m *parcel) {
			ross.Save(lp, &s.Sum)
			s.Sum = s.Sum*31 + m.N
			b := &s.Blocks[lp.RNG().Integer(0, 2)]
			ross.Save(lp, b)
			if b.Len() > 0 {
				ross.Free(lp, *b)
			}
			*b = ross.Alloc[uint64](lp, 1<<lp.RNG().Integer(0, 11))
			for i := range uint64(lp.RNG().Integer(0, 20)) {
				s.Line.Push(lp, i)
				s.Table.Put(lp, s.Sum>>8%64+i, i)
			}
			if s.Line.Len() > 200 {
				s.Line.Clear(lp)
				s.Table.Clear(lp)
			}
			send(lp, s.Sum)
		}),
	}}}
}

// TestBlocksOfAnySizesFitIntoTwiceTheMemoryOfASequentialRun has optimism put all memory into blocks of a size, or of a
// PE, that the events at GVT do not need.
func TestBlocksOfAnySizesFitIntoTwiceTheMemoryOfASequentialRun(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const eachPE = 256 << 10
	for _, p := range []post{
		shelves[[8]byte]("16 bytes", ross.SaveByLog), shelves[of1000]("1008 bytes", ross.SaveByLog),
		shelves[[1024]byte]("1032 bytes", ross.SaveByLog), shelves[[1024]byte]("1032 bytes, deltas", ross.SaveByDelta),
	} {
		t.Run(p.name, func(t *testing.T) {
			testkit.Watch(t)
			cfg := ross.DefaultConfig()
			cfg.LPs, cfg.End, cfg.Digest, cfg.MaxMemory = int(p.lps), 20, true, 1<<30
			run := func() *ross.Simulation {
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(p.types...))
				require.NoError(t, sim.Run(t.Context()), "%v on %d PEs with %d bytes", cfg.Synch, cfg.PEs, cfg.MaxMemory)
				requireNoLeak(t, sim)
				return sim
			}
			first := run().Summary()
			for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
				for _, pes := range []int{2, 3, 4, 8} {
					cfg.Synch, cfg.PEs, cfg.ConsLookahead, cfg.Tuning.GVTInterval = synch, pes, 0.25, 50
					cfg.MaxMemory = 2*first.MemoryAllocated + uint64(pes)*(eachPE+1200)
					for range 2 {
						require.Equal(t, *first.Digest, *run().Summary().Digest)
					}
				}
			}
		})
	}
}

// runManyTypes runs hungry on a number of PEs with an LP each, and returns the bytes that Go has
// allocated since the start.
func runManyTypes(t *testing.T, synch, pes int, impl string) (digest, bytes uint64) {
	t.Helper()
	const lps = 1000
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.Tuning.PQ = ross.Scheduler(synch), pes, int(
		lps/pes), 1, 1, true, rosstest.Impl(impl)
	cfg.MaxMemory = 4 << 30
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(lps, 2)))
	require.NoError(t, sim.Run(context.Background()))
	runtime.ReadMemStats(&after)
	requireNoLeak(t, sim)
	return *runOf(sim).Stats.Digest, after.TotalAlloc - before.TotalAlloc
}

func TestAThousandPEsCommitWhatOneDoes(t *testing.T) {
	if invariants.Enabled || racetest.Slow {
		t.Skip("assertions and watches on memory are too slow for so many PEs")
	}
	want, _ := runManyTypes(t, 1, 1, "")
	for _, c := range []struct {
		pes  int
		impl string
	}{{250, ""}, {250, "go"}, {1000, ""}} {
		t.Run(fmt.Sprintf("pes=%d/pq=%s", c.pes, c.impl), func(t *testing.T) {
			testkit.Watch(t)
			got, bytes := runManyTypes(t, 3, c.pes, c.impl)
			require.Equal(t, want, got)
			require.Less(t, bytes, uint64(c.pes)*500_000, "each pair of PEs takes much memory")
		})
	}
}
