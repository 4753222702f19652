package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
)

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

const sizesEnd = 2

// sizesRun runs a small cell and calls then with it.
func sizesRun(t *testing.T, s Sizes, synch ross.Scheduler, lps int, then func(*ross.Simulation, sizesCell)) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = synch, max(s.PEs, 1), uint64(lps/max(s.PEs, 1))
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
			d = [2]uint64{*sim.Stats().Digest, *sim.Stats().StateDigest}
		})
		return d
	}
	for _, state := range testlevel.Pick(sizesStates, sizesStates, sizesStates[1:2]) {
		for _, message := range sizesMessages {
			s := Sizes{Message: message, State: state, Impl: "ross", How: ross.SaveByReverse}
			want := digest(s, ross.Sequential)
			s.InPlace = true
			require.Equal(t, want, digest(s, ross.Sequential), "%v", s)
			s.InPlace = false
			s.PEs = 2
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
