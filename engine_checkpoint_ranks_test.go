// Checkpoints of running simulations of several ranks: all do the same, and one tells.

package ross

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/rio"
)

// steps has each LP send itself an event at each whole time and a half.
func steps() Type[uint64, step] {
	return Type[uint64, step]{
		Name:    "step",
		Init:    func(_ *uint64, lp *LP) { Send(lp, lp.ID(), 0.5, step{}) },
		Event:   func(s *uint64, lp *LP, _ *Bits, _ *step) { *s++; Send(lp, lp.ID(), 1, step{}) },
		Reverse: func(s *uint64, _ *LP, _ *Bits, _ *step) { *s-- },
	}
}

func stepsUpTo(end float64, lps uint64) func(*Config) {
	return func(c *Config) { c.NLP, c.End = lps, end }
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
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *Config) {
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
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *Config) {
		stepsUpTo(200, 4)(c)
		c.Synch, c.IOVirtualInterval, c.IOName = 3, 1e-3, prefix
		c.GVTInterval, c.FixedGVT, c.MaxOptLookahead = 1, true, 0
	}}, steps())
	require.NotZero(t, sims[0].r.Checkpoints.Running.Late.LeftOut)
	require.Zero(t, sims[1].r.Checkpoints.Running.Late)
}

// TestRankZeroTellsOfScratchOfOthers has LPs of the other rank alone set a pointer in their scratch.
func TestRankZeroTellsOfScratchOfOthers(t *testing.T) {
	type kept struct {
		N uint64
		P *uint64 `ross:"-"`
	}
	var told strings.Builder
	log := cmdline.Warnings("kept", &told)
	runLeg(t, leg{ranks: 2, to: filepath.Join(t.TempDir(), "cp"), configure: func(c *Config) {
		stepsUpTo(5, 4)(c)
		c.Synch, c.Log = 3, log
	}}, Type[kept, step]{
		Name: "kept",
		Init: func(s *kept, lp *LP) {
			if lp.ID() >= 4 {
				s.P = &s.N
			}
			Send(lp, lp.ID(), 0.5, step{})
		},
		Event: func(s *kept, lp *LP, _ *Bits, _ *step) { Send(lp, lp.ID(), 1, step{}) },
	})
	require.Equal(t, 1, strings.Count(told.String(), "kept.P is scratch"), told.String())
}
