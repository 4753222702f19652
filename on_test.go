package ross

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// The model of these tests: LPs that receive three messages of different sizes and ways of undoing,
// set timers, and cancel some of them.

type (
	severalState struct {
		Small, Big, Bare, Rang, Cut, Late int64
		Sum                               uint64
		Timers                            [4]Timer
		Committed                         int64 `ross:"-"`
	}
	smallMsg struct{ N uint32 }
	bigMsg   struct {
		N    uint32
		Data [40]uint64
	}
	bareMsg  = struct{ _ [0]byte }
	ringMsg  struct{ Index, N uint32 }
	smallOld struct {
		Sum    uint64
		Branch bool
		Timer  Timer
		Cut    bool
	}
)

const severalLPs = 24

func (s *severalState) next(lp *LP, n uint32) {
	dst := LPID(lp.RNG().Integer(0, severalLPs-1))
	delay := lp.RNG().Exponential(1)
	if n%5 == 0 {
		delay = 0
	}
	switch {
	case n%7 == 0:
		Send(lp, dst, delay, bareMsg{})
		Send(lp, dst, delay+1, smallMsg{n + 1})
	case n%3 == 0:
		m := NewEvent[bigMsg](lp, dst, delay)
		m.N = n + 1
		m.Data[39] = uint64(n)
	default:
		Send(lp, dst, delay, smallMsg{n + 1})
	}
}

func (s *severalState) Init(lp *LP) {
	Send(lp, lp.ID(), 1, smallMsg{uint32(lp.ID())})
	s.Timers[3] = After(lp, 2, ringMsg{3, 1})
}

func (s *severalState) small(lp *LP, u *smallOld, m *smallMsg) {
	i := m.N % 3
	u.Sum, u.Branch, u.Timer = s.Sum, m.N%2 == 0, s.Timers[i]
	s.Small++
	s.Sum = s.Sum*31 + uint64(m.N)
	if u.Branch {
		if u.Cut = s.Timers[i].Cancel(lp); u.Cut {
			s.Cut++
		}
		s.Timers[i] = After(lp, lp.RNG().Exponential(2), ringMsg{i, m.N})
	}
	s.next(lp, m.N)
}

func (s *severalState) unsmall(_ *LP, u *smallOld, m *smallMsg) {
	s.Small--
	s.Sum = u.Sum
	if u.Branch {
		s.Timers[m.N%3] = u.Timer
		if u.Cut {
			s.Cut--
		}
	}
}

func (s *severalState) commitSmall(_ *LP, u *smallOld, m *smallMsg) {
	if u.Branch != (m.N%2 == 0) {
		panic("undo data of another event")
	}
	s.Committed++
}

func (s *severalState) big(lp *LP, bits *Bits, m *bigMsg) {
	if m.Data[39] != uint64(m.N-1) {
		panic("message damaged")
	}
	bits.Set(3)
	s.Big++
	s.next(lp, m.N)
}

func (s *severalState) unbig(_ *LP, bits *Bits, _ *bigMsg) {
	if !bits.Get(3) {
		panic("bits lost")
	}
	s.Big--
}

func (s *severalState) bare(*LP, *None, *bareMsg)   { s.Bare++ }
func (s *severalState) unbare(*LP, *None, *bareMsg) { s.Bare-- }

func (s *severalState) ring(lp *LP, u *smallOld, m *ringMsg) {
	if s.Timers[m.Index].Pending(lp) || s.Timers[m.Index].Cancel(lp) {
		panic("a timer that rings still waits")
	}
	u.Timer, u.Sum = s.Timers[m.Index], s.Sum
	s.Rang++
	s.Sum += uint64(m.N)
	s.Timers[m.Index] = Timer{}
	if m.Index == 3 {
		s.Timers[3] = After(lp, 1+lp.RNG().Unif(), ringMsg{3, m.N + 1})
	}
}

func (s *severalState) unring(_ *LP, u *smallOld, m *ringMsg) {
	s.Rang--
	s.Sum, s.Timers[m.Index] = u.Sum, u.Timer
}

// severalType returns the type for a way of saving.
func severalType(saving Saving) Type[severalState, None] {
	t := Type[severalState, None]{Name: "many", Init: (*severalState).Init, Saving: saving}
	small, big := On((*severalState).small).Commit((*severalState).commitSmall), On((*severalState).big)
	bare, ring := On((*severalState).bare), On((*severalState).ring)
	if saving == SaveByReverse {
		small, big = small.Reverse((*severalState).unsmall), big.Reverse((*severalState).unbig)
		bare, ring = bare.Reverse((*severalState).unbare), ring.Reverse((*severalState).unring)
	}
	t.On = []Handler[severalState]{small, big, bare, ring}
	return t
}

// runSeveral runs the model and returns its digest and final states.
func runSeveral(t *testing.T, saving Saving, change func(c *Config)) (string, []severalState) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.Digest, cfg.NKP, cfg.Output = severalLPs, 30, true, 4, io.Discard
	change(&cfg)
	if cfg.PEs > 1 {
		cfg.NLP = severalLPs / uint64(cfg.PEs)
	}
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(severalType(saving)))
	require.NoError(t, sim.Run(context.Background()))
	var states []severalState
	for i := range LPID(severalLPs) {
		states = append(states, *StateOf[severalState](sim.LP(i)))
	}
	s := sim.Stats()
	return fmt.Sprintf("%016x %d", *s.Digest, s.NetEvents()), states
}

func TestSeveralMessagesAndTimersInEverySchedule(t *testing.T) {
	want, states := runSeveral(t, SaveByReverse, func(c *Config) { c.Synch = Sequential })
	sum := severalState{}
	for i := range states {
		s := &states[i]
		sum.Big, sum.Bare, sum.Rang, sum.Cut = sum.Big+s.Big, sum.Bare+s.Bare, sum.Rang+s.Rang, sum.Cut+s.Cut
		require.Equal(t, s.Small, s.Committed)
	}
	require.Greater(t, min(sum.Big, sum.Bare, sum.Rang, sum.Cut), int64(20), "%+v", sum)
	for _, saving := range []Saving{SaveByReverse, SaveByDelta, SaveNever} {
		for _, set := range []func(c *Config){
			func(c *Config) { c.Synch = Sequential; c.Digest = true },
			func(c *Config) { c.Synch = RollbackCheck },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 1; c.Batch = 3 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 2; c.Batch = 2 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 3; c.GVTInterval = 2 },
			func(c *Config) { c.Synch = OptimisticRealTime; c.PEs = 4 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 3; c.NKP = 8 },
		} {
			cfg := DefaultConfig()
			set(&cfg)
			got, end := runSeveral(t, saving, set)
			require.Equal(t, want, got, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
			require.Equal(t, states, end, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
		}
	}
}
