// This file tests LP types with several messages, undo data and timers.

package ross

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// The model of these tests: LPs that receive three messages of different sizes and ways of undoing,
// set timers, and cancel some of them.

type (
	severalState struct {
		Small, Big, Bare, Rang, Cut, Late int64
		Sum                               uint64
		Timers                            [4]Timer
		Committed                         int64
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
	switch {
	case dst != lp.ID():
		delay += 0.1 // the lookahead of conservative runs
	case n%5 == 0:
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
	for _, pe := range sim.r.PEs {
		require.Zero(t, pe.Counts.Ignored, "a cancelled timer is no suspended LP")
	}
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
	all := []Saving{SaveByReverse, SaveByDelta, SaveNever}
	for _, saving := range testlevel.Pick(all, all[:2], all[:1]) {
		for _, set := range []func(c *Config){
			func(c *Config) { c.Synch = Sequential; c.Digest = true },
			func(c *Config) { c.Synch = RollbackCheck },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 1; c.Batch = 3 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 2; c.Batch = 2 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 3; c.GVTInterval = 2 },
			func(c *Config) { c.Synch = OptimisticRealTime; c.PEs = 4 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 3; c.NKP = 8 },
			func(c *Config) { c.Synch, c.ConsLookahead, c.PEs = Conservative, 0.1, 2 },
			func(c *Config) { c.Synch = Optimistic; c.PEs = 2; c.knobs.disturb = harass(t, 2, 0.3) },
			func(c *Config) { changing(t, c, 2) },
			func(c *Config) { changing(t, c, 3) },
		} {
			cfg := DefaultConfig()
			set(&cfg)
			got, end := runSeveral(t, saving, set)
			require.Equal(t, want, got, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
			require.Equal(t, states, end, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
		}
	}
}

// TestSeveralMessagesAndTimersOnRanks, where a message says which of its type's handlers it is for.
func TestSeveralMessagesAndTimersOnRanks(t *testing.T) {
	want, _ := runSeveral(t, SaveByReverse, func(c *Config) { c.Synch = Sequential })
	for _, synch := range []Scheduler{Conservative, Optimistic} {
		modeltest.Watch(t)
		sims, errs := runOnRanks(t, worldtest.New(2, 7, 20), 2, func(_ int, c *Config) {
			c.NLP, c.End, c.Digest, c.NKP, c.PEs, c.Synch, c.ConsLookahead = severalLPs/4, 30, true, 4, 2, synch, 0.1
		}, severalType(SaveByReverse))
		for rank, err := range errs {
			require.NoError(t, err)
			s := sims[rank].Stats()
			require.Equal(t, want, fmt.Sprintf("%016x %d", *s.Digest, s.NetEvents()), synch)
		}
	}
}

// TestTimersGoOnFromACheckpoint: what was armed rings, and what was cancelled does not.
func TestTimersGoOnFromACheckpoint(t *testing.T) {
	want, states := runSeveral(t, SaveByReverse, func(c *Config) { c.Synch = Sequential })
	cp := filepath.Join(t.TempDir(), "half")
	on := func(synch Scheduler, pes int, end float64) func(*Config) {
		return func(c *Config) {
			c.NLP, c.End, c.NKP, c.PEs, c.Synch = severalLPs/uint64(pes), end, 4, pes, synch
		}
	}
	ways := []Saving{SaveByReverse, SaveByDelta}
	for _, way := range testlevel.Pick(ways, ways, ways[:1]) {
		_, _ = runLeg(t, leg{to: cp, configure: on(Optimistic, 2, 11)}, severalType(way))
		for _, next := range []func(*Config){on(Sequential, 1, 30), on(Optimistic, 3, 30)} {
			digest, sims := runLeg(t, leg{from: cp, mode: LoadInit, configure: next}, severalType(way))
			require.Equal(t, want[:16], fmt.Sprintf("%016x", digest))
			for i := range LPID(severalLPs) {
				require.Equal(t, states[i], *StateOf[severalState](sims[0].LP(i)))
			}
		}
	}
	typ := severalType(SaveByReverse)
	typ.On = typ.On[:3]
	sim, err := New(func() Config { c := DefaultConfig(); on(Sequential, 1, 30)(&c); c.Output = io.Discard; return c }())
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(typ))
	require.NoError(t, sim.InitIO())
	require.ErrorContains(t, sim.LoadCheckpoint(cp, LoadInit), `it has LPs of type "message ross.ringMsg of many", which the model does not have`)
}

// TestLargeMessagesTakeNoRoomFromSmallOnes pins which sizes share slots.
func TestLargeMessagesTakeNoRoomFromSmallOnes(t *testing.T) {
	type (
		eight   [1]uint64
		nine    [9]uint64  // 72 bytes
		ten     [10]uint64 // 80 bytes
		fifty   [50]uint64 // 400 bytes
		nothing struct{}
	)
	ignore8, ignore9 := On(func(*nothing, *LP, *None, *eight) {}), On(func(*nothing, *LP, *None, *nine) {})
	ignore10, ignore50 := On(func(*nothing, *LP, *None, *ten) {}), On(func(*nothing, *LP, *None, *fifty) {})
	for _, c := range []struct {
		on   []Handler[nothing]
		want uintptr // bytes of a slot
	}{
		{[]Handler[nothing]{ignore8}, 64},
		{[]Handler[nothing]{ignore8, ignore9}, 128},
		{[]Handler[nothing]{ignore8, ignore10}, 64},
		{[]Handler[nothing]{ignore8, ignore50}, 64},
		{[]Handler[nothing]{ignore10}, 144},
		{[]Handler[nothing]{ignore10, ignore50}, 144},
		{[]Handler[nothing]{ignore50}, 64},
	} {
		cfg := DefaultConfig()
		cfg.Output = io.Discard
		sim, err := New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(Type[nothing, None]{On: c.on}))
		require.Equal(t, c.want, sim.r.PEs[0].Arena.Stride())
		require.NoError(t, sim.Close())
	}
}

// TestDefineRefusesHandlers that cannot be called or undone.
func TestDefineRefusesHandlers(t *testing.T) {
	small := On((*severalState).small)
	for want, typ := range map[string]LPType{
		`"many": there are two handlers for message ross.smallMsg: unusable model: name a type of its own for each`: Type[severalState, None]{Name: "many",
			On: []Handler[severalState]{small, small}},
		`"many": On[1] is nil: unusable model: give it what ross.On returns`: Type[severalState, None]{Name: "many", On: []Handler[severalState]{small, nil}},
		`"many": On for message ross.bigMsg has no Event: unusable model: give it a handler`: Type[severalState, None]{Name: "many",
			On: []Handler[severalState]{On[severalState, None, bigMsg](nil)}},
		`"many": undo data for message ross.bigMsg: *int is a ptr: unusable model: it is kept as bytes, so use numbers, arrays and structs of them`: Type[severalState, None]{Name: "many",
			On: []Handler[severalState]{On(func(*severalState, *LP, **int, *bigMsg) {})}},
		`"many": Reverse is set, and Event is nil: unusable model: give it Event, or set it in On`: Type[severalState, None]{Name: "many",
			Reverse: func(*severalState, *LP, *Bits, *None) {}, On: []Handler[severalState]{small}},
		`"many": some of its messages have a Reverse and some have none: unusable model: give one to each, or set Saving to SaveByReverse, which leaves to Save what the others change`: Type[severalState, None]{Name: "many",
			On: []Handler[severalState]{small, On((*severalState).bare).Reverse((*severalState).unbare)}},
	} {
		sim, err := New(DefaultConfig())
		require.NoError(t, err)
		require.EqualError(t, sim.Define(typ), "ross: LP type "+want)
		require.NoError(t, sim.Close())
	}
}

// TestTimersOfOthersAreNotCancelled: the error names the timer's LP.
func TestTimersOfOthersAreNotCancelled(t *testing.T) {
	type state struct{ timer Timer }
	run := func(saving Saving, event func(s *state, lp *LP, m *Timer), commit func(s *state, lp *LP, _ *Bits, m *Timer)) error {
		cfg := DefaultConfig()
		cfg.NLP, cfg.End, cfg.Output = 2, 10, io.Discard
		sim, err := New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(Type[state, Timer]{
			Name: "timed",
			Init: func(s *state, lp *LP) {
				if lp.ID() == 1 {
					s.timer = After(lp, 5, Timer{})
					Send(lp, 0, 1, s.timer)
				}
			},
			Event: func(s *state, lp *LP, _ *Bits, m *Timer) {
				if lp.ID() == 0 {
					event(s, lp, m)
				}
			},
			Commit: commit,
		}))
		return sim.Run(context.Background())
	}
	none := func(*state, *LP, *Bits, *Timer) {}
	err := run(SaveAuto, func(_ *state, lp *LP, m *Timer) { m.Cancel(lp) }, none)
	require.ErrorIs(t, err, ErrTimer)
	require.EqualError(t, err, "ross: LP 0 (timed) at time 1: cancelled a timer of LP 1: timer cannot be cancelled: send that LP an event, and let it cancel the timer")
	err = run(SaveAuto, func(*state, *LP, *Timer) {}, func(s *state, lp *LP, _ *Bits, _ *Timer) {
		if lp.ID() == 1 {
			After(lp, 1, Timer{})
		}
	})
	require.ErrorIs(t, err, ErrOutsideHandler)
	err = run(SaveAuto, func(s *state, lp *LP, m *Timer) { s.timer = After(lp, 1, Timer{}) }, func(s *state, lp *LP, _ *Bits, m *Timer) { s.timer.Cancel(lp) })
	require.EqualError(t, err, "ross: LP 0 (timed) at time 1: cancelled a timer outside of its handlers: timer cannot be cancelled: cancel timers in Init, PreRun or Event")
	require.NoError(t, run(SaveAuto, func(s *state, lp *LP, m *Timer) {
		if (Timer{}).Cancel(lp) || (Timer{}).Pending(lp) || m.Pending(lp) {
			t.Error("there is no such timer")
		}
	}, none))
}
