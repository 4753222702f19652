package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
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
			for _, s.PEs = range []int{1, 2} {
				for _, s.How = range sizesWays(state) {
					b.Run(s.String(), s.Run)
				}
			}
		}
	}
}

// What is compared does the same, and is undone in each of the ways.
func TestSizesAgree(t *testing.T) {
	const lps = 16
	digest := func(s Sizes, synch ross.Scheduler) (d uint64) {
		t.Run(s.String()+"/"+synch.String(), func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP = synch, max(s.PEs, 1), lps/uint64(max(s.PEs, 1))
			cfg.ConsLookahead, cfg.End, cfg.Digest = pholdLookahead, 2, true
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(s.cell(lps).model()))
			require.NoError(t, sim.Run(context.Background()))
			d = *sim.Stats().Digest
		})
		return d
	}
	for _, state := range sizesStates {
		for _, message := range sizesMessages {
			s := Sizes{Message: message, State: state, Impl: "ross", How: ross.SaveByReverse}
			want := digest(s, ross.Sequential)
			s.PEs = 2
			require.Equal(t, want, digest(s, ross.Conservative), "%v", s)
			for _, s.How = range sizesWays(state) {
				require.Equal(t, want, digest(s, ross.Optimistic), "%v", s)
				if state <= 1024 {
					s := s
					s.PEs = 1
					require.Equal(t, want, digest(s, ross.RollbackCheck), "%v", s)
				}
			}
		}
	}
}

// The sizes are those that the names of the cells say.
func TestSizesHaveTheirSizes(t *testing.T) {
	for _, state := range sizesStates {
		for _, message := range sizesMessages {
			stateBytes, messageBytes := Sizes{Message: message, State: state}.cell(1).sizes()
			require.Equal(t, []int{message, state}, []int{messageBytes, stateBytes})
		}
	}
}
