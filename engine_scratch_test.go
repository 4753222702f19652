// This file pins scratch: fields with the tag `ross:"-"` are not undone by deltas, not
// compared, not digested and not stored, and everything beside them is.

package ross

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// scratchy is a state with scratch in front, in its middle, in an array and at its end. The
// scratch counts handlers, and refers to Go memory.
type scratchy struct {
	Calls int64 `ross:"-"`
	Count int64
	Memo  map[int64]string `ross:"-"`
	Sums  [3]struct {
		Sum  float64
		Last string `ross:"-"`
	}
	Odd  bool
	Seen []int64 `ross:"-"`
}

// scribbles is a model whose handlers use scratch, with messages that have some, too.
func scribbles(saving Saving) LPType {
	type note struct {
		Tag uint64
		Was int64 `ross:"-"`
	}
	t := Type[scratchy, note]{
		Saving: saving,
		Init: func(_ *scratchy, lp *LP) {
			Send(lp, lp.ID(), lp.RNG().Unif(), note{uint64(lp.ID()), int64(lp.RNG().Integer(0, 9))})
		},
		Event: func(s *scratchy, lp *LP, _ *Bits, m *note) {
			s.Calls++
			if s.Memo == nil {
				s.Memo = map[int64]string{}
			}
			s.Memo[s.Calls] = "x"
			s.Seen = append(s.Seen, s.Calls)
			if saving == SaveByLog {
				Save(lp, s)
			}
			part := &s.Sums[m.Tag%3]
			part.Last = strings.Repeat("y", int(s.Calls%5))
			part.Sum += lp.RNG().Unif()
			m.Was = s.Calls
			s.Count++
			s.Odd = s.Count%2 == 1
			Send(lp, LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1), note{m.Tag + uint64(s.Count), 0})
		},
	}
	if saving == SaveByReverse {
		t.Check = &Checker[scratchy]{Message: true}
		t.Reverse = func(s *scratchy, lp *LP, _ *Bits, m *note) {
			part := &s.Sums[m.Tag%3]
			part.Sum = 0 // a mistake on purpose
			s.Count--
			s.Odd = s.Count%2 == 1
		}
	}
	return t
}

func TestScratchIsNoPartOfTheState(t *testing.T) {
	events, states := sell(t, 1, scribbles(SaveByDelta), func(c *Config) {})
	for _, run := range []struct {
		synch, pes, ranks int
		nkp               uint64
	}{{2, 2, 1, 4}, {3, 1, 1, 1}, {3, 2, 1, 4}, {3, 3, 1, 4}, {3, 4, 1, 7}, {6, 1, 1, 4}, {3, 2, 2, 4}} {
		if testlevel.Is(testlevel.Few) && run.ranks == 1 && run.pes < 3 {
			continue
		}
		e, s := sell(t, run.ranks, scribbles(SaveByDelta), func(c *Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = Scheduler(run.synch), run.pes, run.nkp, 0.1
		})
		require.Equal(t, events, e, "%+v", run)
		require.Equal(t, states, s, "%+v", run)
	}
	c := DefaultConfig()
	c.Synch, c.NLP, c.End = OptimisticDebug, writerLPs, 20
	sim, err := New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(scribbles(SaveByDelta)))
	require.NoError(t, sim.Run(t.Context()))
}

func TestWhatIsBesideScratchIsCompared(t *testing.T) {
	c := DefaultConfig()
	c.Synch, c.NLP, c.End = RollbackCheck, writerLPs, 20
	sim, err := New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(scribbles(SaveByReverse)))
	err = sim.Run(t.Context())
	require.ErrorIs(t, err, ErrReverse)
	require.Contains(t, err.Error(), ".Sum")
	for _, field := range []string{"Calls", "Memo", "Last", "Seen", "Was"} {
		require.NotContains(t, err.Error(), field)
	}
}

func TestSaveLeavesScratchAlone(t *testing.T) {
	type state struct {
		Calls int64 `ross:"-"`
		Count int64
	}
	c := DefaultConfig()
	c.Synch, c.NLP, c.End = RollbackCheck, 1, 10
	sim, err := New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(Type[state, order8]{
		Saving: SaveByLog,
		Init:   func(_ *state, lp *LP) { Send(lp, lp.ID(), 1, order8{}) },
		Event: func(s *state, lp *LP, _ *Bits, _ *order8) {
			s.Calls++
			Save(lp, s)
			s.Count++
			Send(lp, lp.ID(), 1, order8{})
		},
	}))
	require.NoError(t, sim.Run(t.Context()))
	s := StateOf[state](sim.LP(0))
	require.EqualValues(t, 9, s.Count)
	require.EqualValues(t, 18, s.Calls, "each event was handled twice")
}

func TestCheckpointsLeaveScratchOut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cp")
	leg := func(from, to string, end float64) *Simulation {
		c := DefaultConfig()
		c.NLP, c.End, c.Digest, c.MaxMemory = writerLPs, end, true, 64<<20
		sim, err := New(c)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(scribbles(SaveByDelta)))
		require.NoError(t, sim.InitIO())
		if from != "" {
			require.NoError(t, sim.LoadCheckpoint(from, LoadInit))
		}
		require.NoError(t, sim.Run(t.Context()))
		if to != "" {
			require.NoError(t, sim.StoreCheckpoint(to, ByFormula))
		}
		return sim
	}
	whole := leg("", "", 20)
	leg("", name, 10)
	rest := leg(name, "", 20)
	require.Equal(t, *whole.Stats().StateDigest, *rest.Stats().StateDigest)
	s := StateOf[scratchy](rest.LP(0))
	require.Less(t, s.Calls, s.Count, "it began again at 0")
}
