// LP types with several messages, undo data and timers. And messages of any size, which arrive as they were sent.

package run_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// The model of these tests: LPs that receive three messages of different sizes and ways of undoing,
// set timers, and cancel some of them.

type (
	severalState struct {
		Small, Big, Bare, Rang, Cut, Late int64
		Sum                               uint64
		Timers                            [4]ross.Timer
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
		Timer  ross.Timer
		Cut    bool
	}
)

const severalLPs = 24

func (s *severalState) next(lp *ross.LP, n uint32) {
	dst := ross.LPID(lp.RNG().Integer(0, severalLPs-1))
	delay := lp.RNG().Exponential(1)
	switch {
	case dst != lp.ID():
		delay += 0.1 // the lookahead of conservative runs
	case n%5 == 0:
		delay = 0
	}
	switch {
	case n%7 == 0:
		ross.Send(lp, dst, delay, bareMsg{})
		ross.Send(lp, dst, delay+1, smallMsg{n + 1})
	case n%3 == 0:
		m := ross.NewEvent[bigMsg](lp, dst, delay)
		m.N = n + 1
		m.Data[39] = uint64(n)
	default:
		ross.Send(lp, dst, delay, smallMsg{n + 1})
	}
}

func (s *severalState) Init(lp *ross.LP) {
	ross.Send(lp, lp.ID(), 1, smallMsg{uint32(lp.ID())})
	s.Timers[3] = ross.After(lp, 2, ringMsg{3, 1})
}

func (s *severalState) small(lp *ross.LP, u *smallOld, m *smallMsg) {
	i := m.N % 3
	u.Sum, u.Branch, u.Timer = s.Sum, m.N%2 == 0, s.Timers[i]
	s.Small++
	s.Sum = s.Sum*31 + uint64(m.N)
	if u.Branch {
		if u.Cut = s.Timers[i].Cancel(lp); u.Cut {
			s.Cut++
		}
		s.Timers[i] = ross.After(lp, lp.RNG().Exponential(2), ringMsg{i, m.N})
	}
	s.next(lp, m.N)
}

func (s *severalState) unsmall(_ *ross.LP, u *smallOld, m *smallMsg) {
	s.Small--
	s.Sum = u.Sum
	if u.Branch {
		s.Timers[m.N%3] = u.Timer
		if u.Cut {
			s.Cut--
		}
	}
}

func (s *severalState) commitSmall(_ *ross.LP, u *smallOld, m *smallMsg) {
	if u.Branch != (m.N%2 == 0) {
		panic("undo data of another event")
	}
	s.Committed++
}

func (s *severalState) big(lp *ross.LP, bits *ross.Bits, m *bigMsg) {
	if m.Data[39] != uint64(m.N-1) {
		panic("message damaged")
	}
	bits.Set(3)
	s.Big++
	s.next(lp, m.N)
}

func (s *severalState) unbig(_ *ross.LP, bits *ross.Bits, _ *bigMsg) {
	if !bits.Get(3) {
		panic("bits lost")
	}
	s.Big--
}

func (s *severalState) bare(*ross.LP, *bareMsg)   { s.Bare++ }
func (s *severalState) unbare(*ross.LP, *bareMsg) { s.Bare-- }

func (s *severalState) ring(lp *ross.LP, u *smallOld, m *ringMsg) {
	if s.Timers[m.Index].Pending(lp) || s.Timers[m.Index].Cancel(lp) {
		panic("a timer that rings still waits")
	}
	u.Timer, u.Sum = s.Timers[m.Index], s.Sum
	s.Rang++
	s.Sum += uint64(m.N)
	s.Timers[m.Index] = ross.Timer{}
	if m.Index == 3 {
		s.Timers[3] = ross.After(lp, 1+lp.RNG().Unif(), ringMsg{3, m.N + 1})
	}
}

func (s *severalState) unring(_ *ross.LP, u *smallOld, m *ringMsg) {
	s.Rang--
	s.Sum, s.Timers[m.Index] = u.Sum, u.Timer
}

// severalType returns the type for a way of saving.
func severalType(saving ross.Saving) ross.Type[severalState] {
	return ross.Type[severalState]{Name: "many", Init: (*severalState).Init, Saving: saving,
		Event: ross.Events(severalHandlers(saving)...)}
}

// severalHandlers returns its handlers.
func severalHandlers(saving ross.Saving) []ross.Handler[severalState] {
	small, big := ross.OnUndo((*severalState).small).Commit((*severalState).commitSmall), ross.OnUndo((*severalState).big)
	bare, ring := ross.On((*severalState).bare), ross.OnUndo((*severalState).ring)
	if saving == ross.SaveByReverse {
		small, big = small.Reverse((*severalState).unsmall), big.Reverse((*severalState).unbig)
		bare, ring = bare.Reverse((*severalState).unbare), ring.Reverse((*severalState).unring)
	}
	return []ross.Handler[severalState]{small, big, bare, ring}
}

// runSeveral runs the model and returns its digest and final states.
func runSeveral(t *testing.T, saving ross.Saving, change func(c *ross.Config)) (string, []severalState) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Digest, cfg.NKP, cfg.Output = severalLPs, 30, true, 4, io.Discard
	change(&cfg)
	if cfg.PEs > 1 {
		cfg.NLP = int(severalLPs / uint64(cfg.PEs))
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(severalType(saving)))
	require.NoError(t, sim.Run(context.Background()))
	var states []severalState
	for i := range ross.LPID(severalLPs) {
		states = append(states, *ross.StateOf[severalState](sim.LP(i)))
	}
	s := sim.Summary()
	for _, pe := range runOf(sim).PEs {
		require.Zero(t, pe.Counts.Ignored, "a cancelled timer is no suspended LP")
	}
	return fmt.Sprintf("%016x %d", *s.Digest, s.NetEvents()), states
}

func TestSeveralMessagesAndTimersInEverySchedule(t *testing.T) {
	want, states := runSeveral(t, ross.SaveByReverse, func(c *ross.Config) { c.Synch = ross.Sequential })
	sum := severalState{}
	for i := range states {
		s := &states[i]
		sum.Big, sum.Bare, sum.Rang, sum.Cut = sum.Big+s.Big, sum.Bare+s.Bare, sum.Rang+s.Rang, sum.Cut+s.Cut
		require.Equal(t, s.Small, s.Committed)
	}
	require.Greater(t, min(sum.Big, sum.Bare, sum.Rang, sum.Cut), int64(20), "%+v", sum)
	all := []ross.Saving{ross.SaveByReverse, ross.SaveByDelta, ross.SaveNever}
	for _, saving := range testlevel.Pick(all, all[:2], all[:1]) {
		for _, set := range []func(c *ross.Config){
			func(c *ross.Config) { c.Synch = ross.Sequential; c.Digest = true },
			func(c *ross.Config) { c.Synch = ross.RollbackCheck },
			func(c *ross.Config) { c.Synch = ross.Optimistic; c.PEs = 1; c.Tuning.Batch = 3 },
			func(c *ross.Config) { c.Synch = ross.Optimistic; c.PEs = 2; c.Tuning.Batch = 2 },
			func(c *ross.Config) { c.Synch = ross.Optimistic; c.PEs = 3; c.Tuning.GVTInterval = 2 },
			func(c *ross.Config) { c.Synch = ross.OptimisticRealTime; c.PEs = 4 },
			func(c *ross.Config) { c.Synch = ross.Optimistic; c.PEs = 3; c.NKP = 8 },
			func(c *ross.Config) { c.Synch, c.ConsLookahead, c.PEs = ross.Conservative, 0.1, 2 },
			func(c *ross.Config) { c.Synch = ross.Optimistic; c.PEs = 2; knobsOf(c).Disturb = harass(t, 2, 0.3) },
			func(c *ross.Config) { changing(t, c, 2) },
			func(c *ross.Config) { changing(t, c, 3) },
		} {
			cfg := ross.DefaultConfig()
			set(&cfg)
			got, end := runSeveral(t, saving, set)
			require.Equal(t, want, got, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
			require.Equal(t, states, end, "%v %v on %d PEs", saving, cfg.Synch, cfg.PEs)
		}
	}
}

// TestSeveralMessagesAndTimersOnRanks, where a message says which of its type's handlers it is for.
func TestSeveralMessagesAndTimersOnRanks(t *testing.T) {
	want, _ := runSeveral(t, ross.SaveByReverse, func(c *ross.Config) { c.Synch = ross.Sequential })
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
		testkit.Watch(t)
		sims, errs := runOnRanks(t, worldtest.New(2, 7, 20), 2, func(_ int, c *ross.Config) {
			c.NLP, c.End, c.Digest, c.NKP, c.PEs, c.Synch, c.ConsLookahead = severalLPs/4, 30, true, 4, 2, synch, 0.1
		}, severalType(ross.SaveByReverse))
		for rank, err := range errs {
			require.NoError(t, err)
			s := sims[rank].Summary()
			require.Equal(t, want, fmt.Sprintf("%016x %d", *s.Digest, s.NetEvents()), synch)
		}
	}
}

// TestTimersGoOnFromACheckpoint: what was armed rings, and what was cancelled does not.
func TestTimersGoOnFromACheckpoint(t *testing.T) {
	want, states := runSeveral(t, ross.SaveByReverse, func(c *ross.Config) { c.Synch = ross.Sequential })
	cp := filepath.Join(t.TempDir(), "half")
	on := func(synch ross.Scheduler, pes int, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.NLP, c.End, c.NKP, c.PEs, c.Synch = int(severalLPs/uint64(pes)), end, 4, pes, synch
		}
	}
	ways := []ross.Saving{ross.SaveByReverse, ross.SaveByDelta}
	for _, way := range testlevel.Pick(ways, ways, ways[:1]) {
		_, _ = runLeg(t, leg{to: cp, configure: on(ross.Optimistic, 2, 11)}, severalType(way))
		for _, next := range []func(*ross.Config){on(ross.Sequential, 1, 30), on(ross.Optimistic, 3, 30)} {
			digest, sims := runLeg(t, leg{from: cp, mode: ross.LoadInit, configure: next}, severalType(way))
			require.Equal(t, want[:16], fmt.Sprintf("%016x", digest))
			for i := range ross.LPID(severalLPs) {
				require.Equal(t, states[i], *ross.StateOf[severalState](sims[0].LP(i)))
			}
		}
	}
	typ := severalType(ross.SaveByReverse)
	typ.Event = ross.Events(severalHandlers(ross.SaveByReverse)[:3]...)
	sim, err := ross.New(func() ross.Config {
		c := ross.DefaultConfig()
		on(ross.Sequential, 1, 30)(&c)
		c.Output = io.Discard
		return c
	}())
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(typ))
	require.ErrorContains(t, sim.Load(cp, ross.LoadInit),
		`it has LPs of type "message run_test.ringMsg of many", which the model does not have`)
}

// TestLargeMessagesTakeNoRoomFromSmallOnes pins which sizes share slots.
func TestLargeMessagesTakeNoRoomFromSmallOnes(t *testing.T) {
	type (
		eight   [1]uint64
		nine    [9]uint64   // 72 bytes
		ten     [10]uint64  // 80 bytes
		fifty   [50]uint64  // 400 bytes
		hundred [100]uint64 // 800 bytes
		most    [128]uint64 // 1,024 bytes
		more    [129]uint64
		nothing struct{}
	)
	ignore8, ignore9 := ross.On(func(*nothing, *ross.LP, *eight) {}), ross.On(func(*nothing, *ross.LP, *nine) {})
	ignore10, ignore50 := ross.On(func(*nothing, *ross.LP, *ten) {}), ross.On(func(*nothing, *ross.LP, *fifty) {})
	ignore100, ignore128 := ross.On(func(*nothing, *ross.LP, *hundred) {}), ross.On(func(*nothing, *ross.LP, *most) {})
	ignore129 := ross.On(func(*nothing, *ross.LP, *more) {})
	for _, c := range []struct {
		on   []ross.Handler[nothing]
		want uintptr // bytes of a slot
	}{
		{[]ross.Handler[nothing]{ignore8}, 64},
		{[]ross.Handler[nothing]{ignore8, ignore9}, 128},
		{[]ross.Handler[nothing]{ignore8, ignore10}, 64},
		{[]ross.Handler[nothing]{ignore8, ignore50}, 64},
		{[]ross.Handler[nothing]{ignore10}, 144},
		{[]ross.Handler[nothing]{ignore10, ignore50}, 144},
		{[]ross.Handler[nothing]{ignore50}, 464},
		{[]ross.Handler[nothing]{ignore50, ignore100}, 464},
		{[]ross.Handler[nothing]{ignore100, ignore128, ignore129}, 1088},
		{[]ross.Handler[nothing]{ignore129}, 64},
	} {
		cfg := ross.DefaultConfig()
		cfg.Output = io.Discard
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(ross.Type[nothing]{Event: ross.Events(c.on...)}))
		require.Equal(t, c.want, runOf(sim).PEs[0].Arena.Stride())
		require.NoError(t, sim.Close())
	}
}

// TestDefineRefusesHandlers that cannot be called or undone.
func TestDefineRefusesHandlers(t *testing.T) {
	small := ross.OnUndo((*severalState).small)
	for want, typ := range map[string]ross.LPType{
		`"many": there are two handlers for message run_test.smallMsg: unusable model: name a type of its own for each`: ross.Type[severalState]{Name: "many",
			Event: ross.Events(small, small)},
		`"many": handler 1 of Events is nil: unusable model: give it what ross.On returns`: ross.Type[severalState]{
			Name: "many", Event: ross.Events(small, nil)},
		`"many": the handler for message run_test.bigMsg is nil: unusable model: give On or OnUndo a function`: ross.Type[severalState]{Name: "many",
			Event: ross.On[severalState, bigMsg](nil)},
		`"many": undo data for message run_test.bigMsg: *int is a ptr: unusable model: it is kept as bytes, so use numbers, arrays and structs of them`: ross.Type[severalState]{Name: "many",
			Event: ross.OnUndo(func(*severalState, *ross.LP, **int, *bigMsg) {})},
		`"many": Events has no handler: unusable model: give it what ross.On returns`: ross.Type[severalState]{Name: "many",
			Event: ross.Events[severalState]()},
		`"many": some of its messages have a Reverse and some have none: unusable model: give one to each, or set Saving to SaveByReverse, which leaves to Save what the others change`: ross.Type[severalState]{Name: "many",
			Event: ross.Events(small, ross.On((*severalState).bare).Reverse((*severalState).unbare))},
	} {
		sim, err := ross.New(ross.DefaultConfig())
		require.NoError(t, err)
		require.EqualError(t, sim.Define(typ), "ross: LP type "+want)
		require.NoError(t, sim.Close())
	}
}

// TestTimersOfOthersAreNotCancelled: the error names the timer's LP.
func TestTimersOfOthersAreNotCancelled(t *testing.T) {
	type state struct{ timer ross.Timer }
	run := func(saving ross.Saving, event func(s *state, lp *ross.LP, m *ross.Timer),
		commit func(s *state, lp *ross.LP, m *ross.Timer)) error {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End, cfg.Output = 2, 10, io.Discard
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[state]{
			Name: "timed",
			Init: func(s *state, lp *ross.LP) {
				if lp.ID() == 1 {
					s.timer = ross.After(lp, 5, ross.Timer{})
					ross.Send(lp, 0, 1, s.timer)
				}
			},
			Event: ross.On(func(s *state, lp *ross.LP, m *ross.Timer) {
				if lp.ID() == 0 {
					event(s, lp, m)
				}
			}).Commit(commit),
		}))
		return sim.Run(context.Background())
	}
	none := func(*state, *ross.LP, *ross.Timer) {}
	err := run(ross.SaveAuto, func(_ *state, lp *ross.LP, m *ross.Timer) { m.Cancel(lp) }, none)
	require.ErrorIs(t, err, ross.ErrTimer)
	require.EqualError(t, err,
		"ross: LP 0 (timed) at time 1: cancelled a timer of LP 1: timer cannot be cancelled: send that LP an event, and let it cancel the timer")
	err = run(ross.SaveAuto, func(*state, *ross.LP, *ross.Timer) {}, func(s *state, lp *ross.LP, _ *ross.Timer) {
		if lp.ID() == 1 {
			ross.After(lp, 1, ross.Timer{})
		}
	})
	require.ErrorIs(t, err, ross.ErrOutsideHandler)
	err = run(ross.SaveAuto, func(s *state, lp *ross.LP, m *ross.Timer) { s.timer = ross.After(lp, 1, ross.Timer{}) },
		func(s *state, lp *ross.LP, m *ross.Timer) { s.timer.Cancel(lp) })
	require.EqualError(t, err,
		"ross: LP 0 (timed) at time 1: cancelled a timer outside of its handlers: timer cannot be cancelled: cancel timers in Init, PreRun or Event")
	require.NoError(t, run(ross.SaveAuto, func(s *state, lp *ross.LP, m *ross.Timer) {
		if (ross.Timer{}).Cancel(lp) || (ross.Timer{}).Pending(lp) || m.Pending(lp) {
			t.Error("there is no such timer")
		}
	}, none))
}

// received is the state of LPs that check what they get.
type received struct {
	events int
	broken int
	latest float64
}

// bytesOf returns the bytes of a message.
func bytesOf[M any](m *M) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
}

// pattern returns byte i of the message that arrives at an LP at a time: no two
// messages are alike, so that one in another's place is seen.
func pattern(lp ross.LPID, at float64, i int) byte {
	x := uint64(lp)*0x9e3779b97f4a7c15 + uint64(at*4096)*0xff51afd7ed558ccd + uint64(i)*0xc4ceb9fe1a85ec53
	return byte(x >> 37)
}

// exchange is a model of types with messages of many sizes: each event checks
// its message and sends two or none, by a message of the receiver's type.
type exchange struct {
	rnd   *rand.Rand
	total int
	sends []func(lp *ross.LP, dst ross.LPID, delay float64) // by type
	left  int                                               // events to send
}

// add registers a type with messages M.
func add[M any](x *exchange, name string) ross.LPType {
	x.sends = append(x.sends, func(lp *ross.LP, dst ross.LPID, delay float64) {
		fill := func(m *M) {
			for i := range bytesOf(m) {
				bytesOf(m)[i] = pattern(dst, lp.Now()+delay, i)
			}
		}
		if x.rnd.IntN(2) == 0 {
			fill(ross.NewEvent[M](lp, dst, delay))
			return
		}
		var m M
		fill(&m)
		ross.Send(lp, dst, delay, m)
	})
	return ross.Type[received]{
		Name: name,
		Init: func(_ *received, lp *ross.LP) { x.send(lp, 50) },
		Event: ross.On(func(s *received, lp *ross.LP, m *M) {
			for i, b := range bytesOf(m) {
				if b != pattern(lp.ID(), lp.Now(), i) {
					s.broken++
					break
				}
			}
			if lp.Now() < s.latest {
				s.broken++
			}
			s.events++
			s.latest = lp.Now()
			clear(bytesOf(m)) // a handler may write to its message
			x.send(lp, x.rnd.IntN(3))
		}),
	}
}

// send sends events to LPs at random. Times are multiples of 1/4096, so that
// receivers know them exactly and many tie.
func (x *exchange) send(lp *ross.LP, n int) {
	for range n {
		if x.left == 0 {
			return
		}
		x.left--
		dst := ross.LPID(x.rnd.IntN(x.total))
		x.sends[int(dst)%len(x.sends)](lp, dst, float64(x.rnd.IntN(20000))/4096)
	}
}

type (
	p0    struct{}
	p1    struct{ B [1]byte }
	p8    struct{ B [8]byte }
	p40   struct{ B [40]byte }
	p300  struct{ B [300]byte }
	p5000 struct{ B [5000]byte }
)

func TestMessagesOfAllSizesArriveIntact(t *testing.T) {
	for name, types := range map[string]func(x *exchange) []ross.LPType{
		"0, 8 and 300 bytes": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p0](x, "0"), add[p8](x, "8"), add[p300](x, "300")}
		},
		"1, 40 and 5000": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p1](x, "1"), add[p40](x, "40"), add[p5000](x, "5000")}
		},
		"three large": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p5000](x, "a"), add[p300](x, "b"), add[[257]byte](x, "c")}
		},
		"one type of 0":       func(x *exchange) []ross.LPType { return []ross.LPType{add[p0](x, "0")} },
		"one type of 1":       func(x *exchange) []ross.LPType { return []ross.LPType{add[p1](x, "1")} },
		"one type of 300":     func(x *exchange) []ross.LPType { return []ross.LPType{add[p300](x, "300")} },
		"one type of 5000":    func(x *exchange) []ross.LPType { return []ross.LPType{add[p5000](x, "5000")} },
		"same type, new name": func(x *exchange) []ross.LPType { return []ross.LPType{add[p40](x, "a"), add[p40](x, "b")} },
	} {
		t.Run(name, func(t *testing.T) {
			seed := testrand.Seed(t)
			x := &exchange{rnd: rand.New(rand.NewPCG(seed, 0)), total: 11, left: 2000}
			cfg := rosstest.Small()
			cfg.NLP = int(x.total)
			all := types(x)
			cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % len(all) }
			out := rosstest.Run(t, cfg, all...)
			events, broken := 0, 0
			for gid := range ross.LPID(x.total) {
				s := ross.StateOf[received](out.LP(gid))
				events += s.events
				broken += s.broken
			}
			st := out.Summary()
			require.Zero(t, broken, "messages that were not what was sent")
			require.Equal(t, 2000-x.left, events+int(st.EventsPastEnd))
			require.Greater(t, events, 300)
			require.Zero(t, liveEvents(out.Simulation))
			require.NoError(t, checkPools(out.Simulation))
		})
	}
}

func TestTypesOfOneRunKeepTheirOwnMessages(t *testing.T) {
	x := &exchange{rnd: rand.New(rand.NewPCG(1, 2)), total: 9, left: 500}
	cfg := rosstest.Small()
	cfg.NLP = 9
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % 3 }
	out := rosstest.Run(t, cfg, add[p0](x, "nothing"), add[p40](x, "some"), add[p5000](x, "much"))
	for gid := range ross.LPID(9) {
		require.Equal(t, []string{"nothing", "some", "much"}[gid%3], out.LP(gid).TypeName())
	}
	st := out.Summary()
	require.Equal(t, st.Sizes.Event+5000, st.Sizes.EventWithModel)
}

// What becomes of a message in an event that is never delivered is nobody's
// business, but there is a message to fill in.
func TestNewEventAfterTheEndGivesAMessageToFill(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), rosstest.Once(func(lp *ross.LP) {
		m := ross.NewEvent[word](lp, 0, 1000)
		require.NotNil(t, m)
		require.Zero(t, *m)
		m.N = 1
	}))
	st := out.Summary()
	require.EqualValues(t, 1, st.EventsPastEnd)
}
