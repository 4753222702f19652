// This file owns the benchmarks of runs, and the tests of what they measure.

package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

func BenchmarkPhold(b *testing.B) {
	for _, size := range []struct{ lps, events int }{
		{16, 1}, {1 << 10, 1}, {1 << 10, 16}, {1 << 12, 16}, {1 << 16, 16}, {1 << 20, 1},
	} {
		for _, impl := range []string{"floor", "std", "c", "go"} {
			p := Phold{Impl: impl, LPs: size.lps, Events: size.events}
			b.Run(p.String(), p.Run)
		}
	}
}

func BenchmarkTimeWarp(b *testing.B) {
	for _, w := range []TimeWarp{WorkloadB, WorkloadA} {
		for _, mode := range []struct{ synch, pes int }{{1, 1}, {3, 1}, {2, 2}, {3, 2}} {
			w.Synch, w.PEs = mode.synch, mode.pes
			b.Run(w.String(), w.Run)
		}
	}
}

func BenchmarkHalves(b *testing.B) {
	for _, w := range []TimeWarp{WorkloadA, WorkloadB} {
		for _, w.Synch = range []int{2, 3} {
			b.Run(Halves{w}.String(), Halves{w}.Run)
		}
	}
}

func BenchmarkSaving(b *testing.B) {
	for _, pes := range []int{1, 2} {
		for _, how := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
			s := Saving{How: how, PEs: pes}
			b.Run(s.String(), s.Run)
		}
	}
}

// BenchmarkInstrumentation is the cost of collecting, compared with a run that collects
// nothing.
func BenchmarkInstrumentation(b *testing.B) {
	for _, c := range []struct {
		name    string
		collect func(*ross.Config)
	}{
		{"none", nil},
		{"gvt", func(c *ross.Config) { c.Instruments.Engine = ross.SampleByGVT }},
		{"gvt-kp-lp", func(c *ross.Config) {
			c.Instruments.Engine, c.Instruments.KPs, c.Instruments.LPs = ross.SampleByGVT, true, true
		}},
		{"rt", func(c *ross.Config) {
			c.Instruments.Engine, c.Instruments.RealInterval = ross.SampleByRealTime, 10*time.Millisecond
		}},
		{"vt", func(c *ross.Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval = ross.SampleByVirtualTime, 1
		}},
		{"trace-committed", func(c *ross.Config) { c.Instruments.Trace = ross.TraceCommitted }},
		{"trace-all", func(c *ross.Config) { c.Instruments.Trace = ross.TraceAll }},
		{"trace-unwritten", func(c *ross.Config) { c.Instruments.Trace, c.Instruments.Discard = ross.TraceCommitted, true }},
	} {
		w := WorkloadB
		w.Synch, w.PEs, w.Collect = 3, 2, c.collect
		b.Run(c.name, w.Run)
	}
}

// BenchmarkScaling measures the points of scaling.svg: run it with -benchtime 2000000x.
func BenchmarkScaling(b *testing.B) {
	for _, s := range ScalingCells() {
		b.Run(s.String(), s.Run)
	}
}

// Points at one value differ in the scheduler only: with fewer LPs and events, they commit as
// many events.
func TestScalingSchedulersCommitTheSameEvents(t *testing.T) {
	type value struct {
		by string
		at float64
	}
	want := map[value]int64{}
	for _, s := range ScalingCells() {
		v := value{s.By, s.At}
		if s.By == "pes" {
			v.at = 0 // one simulation, on more and more PEs
		}
		require.Zero(t, s.LPs%s.PEs, s)
		require.Positive(t, s.Events, s)
		s.LPs, s.Events = min(s.LPs, 64), min(s.Events, 2)
		cfg := s.config()
		cfg.End = 5
		sim, err := ross.New(cfg)
		require.NoError(t, err, s)
		require.NoError(t, sim.Define(s.model()), s)
		require.NoError(t, sim.Run(context.Background()), s)
		n := int64(sim.Summary().NetEvents())
		require.NoError(t, sim.Close(), s)
		require.Positive(t, n, s)
		if s.Synch == ross.Sequential {
			want[v] = n
		}
		require.Equal(t, want[v], n, s)
	}
}

var (
	sizesMessages = []int{8, 64, 256, 1024}
	sizesStates   = []int{64, 1024, 65536}
)

// sizesWays returns the ways to save states of a size. Deltas of larger states cost their size.
func sizesWays(state int) []ross.Saving {
	if state > 4096 {
		return []ross.Saving{ross.SaveByReverse, ross.SaveByLog}
	}
	return []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta}
}

// BenchmarkSizes is the cost of messages and states by their sizes.
func BenchmarkSizes(b *testing.B) {
	for _, state := range sizesStates {
		for _, message := range sizesMessages {
			bare := Sizes{Message: message, State: state, Impl: "bare"}
			b.Run(bare.String(), bare.Run)
			s := Sizes{Message: message, State: state, Impl: "ross", How: ross.SaveByReverse}
			b.Run(s.String(), s.Run)
			inPlace := s
			for _, inPlace.PEs = range []int{0, 1} {
				inPlace.InPlace = true
				b.Run(inPlace.String(), inPlace.Run)
			}
			for _, s.PEs = range []int{1, 2} {
				for _, s.How = range sizesWays(state) {
					b.Run(s.String(), s.Run)
				}
			}
		}
	}
}

// BenchmarkBlocks is the cost of messages that are blocks of the buddy pool, in C and in Go.
func BenchmarkBlocks(b *testing.B) {
	for _, message := range sizesMessages[2:] {
		for _, pes := range []int{0, 1, 2} {
			for _, impl := range []ross.Implementation{ross.InC, ross.InGo} {
				s := Sizes{Message: message, State: 64, Impl: "ross", PEs: pes, How: ross.SaveByReverse, Blocks: impl}
				b.Run(s.String(), s.Run)
			}
		}
	}
}

const sizesEnd = 2

// sizesRun runs a small cell and calls then with it.
func sizesRun(t *testing.T, s Sizes, synch ross.Scheduler, lps int, then func(*ross.Simulation, sizesCell)) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = synch, max(s.PEs, 1), int(lps/max(s.PEs, 1))
	cfg.ConsLookahead, cfg.End, cfg.Digest = pholdLookahead, sizesEnd, true
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	cell := s.cell(lps)
	require.NoError(t, sim.Define(cell.model()), "%v", s)
	require.NoError(t, sim.Run(context.Background()), "%v, %v", s, synch)
	then(sim, cell)
}

// What is compared does the same under all schedulers, and is undone in each of the ways.
func TestSizesAgree(t *testing.T) {
	digest := func(s Sizes, synch ross.Scheduler) (d [2]uint64) {
		sizesRun(t, s, synch, 16, func(sim *ross.Simulation, _ sizesCell) {
			d = [2]uint64{*sim.Summary().Digest, *sim.Summary().StateDigest}
		})
		return d
	}
	for _, state := range testlevel.Pick(sizesStates, sizesStates, sizesStates[1:2]) {
		for _, message := range sizesMessages {
			s := Sizes{Message: message, State: state, Impl: "ross", How: ross.SaveByReverse}
			want := digest(s, ross.Sequential)
			s.InPlace = true
			require.Equal(t, want, digest(s, ross.Sequential), "%v", s)
			s.InPlace, s.Blocks = false, ross.InGo
			require.Equal(t, want, digest(s, ross.Sequential), "%v", s)
			s.Blocks, s.PEs = ross.BestImplementation, 2
			require.Equal(t, want, digest(s, ross.Conservative), "%v", s)
			for _, s.How = range sizesWays(state) {
				for _, s.PEs = range []int{1, 2, 4} {
					require.Equal(t, want, digest(s, ross.Optimistic), "%v", s)
				}
				if state <= 1024 { // it compares the whole state at each event
					s.PEs = 1
					require.Equal(t, want, digest(s, ross.RollbackCheck), "%v", s)
				}
			}
		}
	}
}

// The baseline makes the same states as the engine, of the same sizes.
func TestSizesBareLoopIsTheSameModel(t *testing.T) {
	for _, state := range testlevel.Pick(sizesStates, sizesStates, sizesStates[1:2]) {
		for _, message := range sizesMessages {
			s := Sizes{Message: message, State: state, Impl: "ross", How: ross.SaveByReverse}
			sizesRun(t, s, ross.Sequential, 16, func(sim *ross.Simulation, cell sizesCell) {
				require.Equal(t, cell.states(sim), cell.bareStates(sizesEnd), "%v", s)
				stateBytes, messageBytes := cell.sizes()
				require.Equal(t, []int{state, message}, []int{stateBytes, messageBytes})
			})
		}
	}
}

// BenchmarkMessages compares handlers of ross.On with a message that has a field for its kind.
func BenchmarkMessages(b *testing.B) {
	for _, pes := range []int{0, 1, 2} {
		for _, on := range []bool{false, true} {
			m := Messages{On: on, LPs: 1024, PEs: pes}
			b.Run(m.String(), m.Run)
		}
	}
}

// What is compared does the same.
func TestMessagesAgree(t *testing.T) {
	final := func(on bool, synch ross.Scheduler) (all []messagesState) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End = synch, 64, 5
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(Messages{On: on, LPs: 64}.model()))
		require.NoError(t, sim.Run(context.Background()))
		for i := range ross.LPID(64) {
			all = append(all, *ross.StateOf[messagesState](sim.LP(i)))
		}
		return all
	}
	want := final(false, ross.Sequential)
	require.Equal(t, want, final(true, ross.Sequential))
	require.Equal(t, want, final(true, ross.RollbackCheck))
	require.Equal(t, want, final(true, ross.Optimistic))
}

var routerWays = []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta}

// BenchmarkRouter is the cost of undoing events of LPs with large states.
func BenchmarkRouter(b *testing.B) {
	for _, lps := range []int{256, 8192} {
		for _, pes := range []int{1, 2} {
			for _, how := range routerWays {
				r := Router{How: how, LPs: lps, PEs: pes}
				b.Run(r.String(), r.Run)
			}
		}
	}
}

// What is compared does the same, and is undone in each of the ways.
func TestRoutersAgree(t *testing.T) {
	digest := func(how ross.Saving, synch ross.Scheduler) (d uint64) {
		t.Run(how.String(), func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.NLP, cfg.End, cfg.Digest = synch, 64, 5, true
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(Router{How: how, LPs: 64}.model()))
			require.NoError(t, sim.Run(context.Background()))
			d = *sim.Summary().Digest
		})
		return d
	}
	want := digest(ross.SaveByReverse, ross.Sequential)
	for _, how := range routerWays {
		require.Equal(t, want, digest(how, ross.RollbackCheck), "%v", how)
	}
}

// BenchmarkAuto measures runs of the length given by -benchtime: 100000x, 1000000x, 10000000x.
func BenchmarkAuto(b *testing.B) {
	for _, a := range AutoCells() {
		b.Run(a.String(), a.Run)
	}
}

// BenchmarkCheckpoint stores and loads a million LPs of 256 bytes, compared with the
// speed of the disk: run it with -benchtime 3x.
func BenchmarkCheckpoint(b *testing.B) {
	c := Checkpointing{LPs: 1 << 20, PEs: 2}
	const bytes = 512 << 20
	b.Run("disk/write", func(b *testing.B) { WriteDisk(b, bytes) })
	b.Run("store", c.Store)
	b.Run("disk/read", func(b *testing.B) { ReadDisk(b, bytes) })
	b.Run("load", c.Load)
	c.Compress = true
	b.Run("store/lz4", c.Store)
	b.Run("load/lz4", c.Load)
}

// BenchmarkCheckpointRunning is what checkpoints cost the run: run it with -benchtime 1x.
func BenchmarkCheckpointRunning(b *testing.B) {
	c := Checkpointing{LPs: 1 << 20, PEs: 2}
	for _, n := range []int{0, 1, 4} {
		b.Run(fmt.Sprintf("checkpoints=%d", n), func(b *testing.B) { c.Run(b, 40, n) })
	}
}
