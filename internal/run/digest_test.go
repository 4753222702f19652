// Digests of models that write into their messages, and of the final states.

package run_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/rio"
)

// writer is a state; jot messages with room for scratch, of a word and more, up to what
// needs a block of its own.
type (
	writer struct{ Count, Sum uint64 }
	jot    interface {
		jot8 | jot40 | jot2000
	}
	jot8    struct{ Tag, Old uint32 }
	jot40   struct{ Tag, Old, Rest [2]uint64 }
	jot2000 struct {
		Tag uint8 // and 7 bytes of padding
		Old [249]uint64
	}
)

const (
	writerLPs = 48
	writerEnd = 12
)

// scribblers returns a type of LPs whose Event leaves something in the message now and
// then, which no rollback removes but that of deltas. All of it is right: nothing that
// Event reads is written to.
func scribblers[M jot](name string, saving ross.Saving, tag func(m *M) uint64, scribble func(m *M, s *writer), send func(lp *ross.LP, tag uint64)) ross.LPType {
	t := ross.Type[writer, M]{
		Name: name, Saving: saving,
		Init: func(_ *writer, lp *ross.LP) {
			for i := range uint64(3) {
				send(lp, i+1)
			}
		},
		Event: func(s *writer, lp *ross.LP, _ *ross.Bits, m *M) {
			if saving == ross.SaveByLog {
				ross.Save(lp, s)
			}
			s.Count++
			s.Sum += tag(m)
			if s.Sum%3 == 0 { // seldom the same again after a straggler
				scribble(m, s)
			}
			if s.Count == 30 && lp.ID()%8 < 4 {
				lp.Suspend(true, 1)
				return
			}
			send(lp, s.Sum%1000)
		},
		Commit: func(_ *writer, _ *ross.LP, _ *ross.Bits, m *M) { tag(m) },
	}
	if saving == ross.SaveByReverse {
		t.Reverse = func(s *writer, _ *ross.LP, _ *ross.Bits, m *M) {
			s.Count--
			s.Sum -= tag(m)
		}
	}
	return t
}

// scribblerTypes are all ways to be undone and all sizes.
func scribblerTypes() []ross.LPType {
	send := func(lp *ross.LP, tag uint64) {
		delay := 0.0
		if tag%9 != 0 {
			delay = 0.05 + lp.RNG().Exponential(1)
		}
		dst := ross.LPID(lp.RNG().Integer(0, writerLPs-1))
		switch {
		case dst%4 == 0:
			ross.Send(lp, dst, delay, jot8{Tag: uint32(tag)})
		case dst%4 == 1:
			ross.Send(lp, dst, delay, jot40{Tag: [2]uint64{tag, ^tag}})
		default:
			ross.NewEvent[jot2000](lp, dst, delay).Tag = uint8(tag)
		}
	}
	large := func(saving ross.Saving) ross.LPType {
		return scribblers("large "+saving.String(), saving, func(m *jot2000) uint64 { return uint64(m.Tag) },
			func(m *jot2000, s *writer) { m.Old[s.Count%249] = s.Sum }, send)
	}
	return []ross.LPType{
		scribblers("small", ross.SaveByReverse, func(m *jot8) uint64 { return uint64(m.Tag) }, func(m *jot8, s *writer) { m.Old = uint32(s.Sum) }, send),
		scribblers("medium", ross.SaveByLog, func(m *jot40) uint64 { return m.Tag[0] }, func(m *jot40, s *writer) { m.Old[1] = s.Sum }, send),
		large(ross.SaveByReverse), large(ross.SaveByDelta), large(ross.SaveNever),
	}
}

func scribblerType(never bool) func(ross.LPID) int {
	return func(gid ross.LPID) int {
		if never && gid%16 == 15 {
			return 4
		}
		return int(gid % 4)
	}
}

// scribble runs the model on some ranks and returns the digests.
func scribble(t *testing.T, ranks int, never bool, configure func(*ross.Config)) (uint64, []*ross.Simulation) {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.Digest, c.TypeMap, c.MaxMemory, c.NKP = writerEnd, true, scribblerType(never), 200<<20, 4
		configure(c)
		c.NLP = writerLPs / uint64(max(c.PEs, 1)*ranks)
	}, scribblerTypes()...)
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	return *sims[0].Stats().Digest, sims
}

func TestDigestIsThatOfWhatWasSent(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, sims := scribble(t, 1, never, func(*ross.Config) {})
		events := sims[0].Stats().NetEvents()
		require.Greater(t, events, uint64(500))
		for name, c := range map[string]struct {
			ranks, pes, synch int
			set               func(*ross.Config)
		}{
			"conservative":    {1, 2, 2, func(c *ross.Config) { c.ConsLookahead = 0 }},
			"optimistic":      {1, 1, 3, func(*ross.Config) {}},
			"two PEs":         {1, 2, 3, func(*ross.Config) {}},
			"three PEs":       {1, 3, 3, func(c *ross.Config) { c.GVTInterval, c.FixedGVT = 1000, true }},
			"real time":       {1, 4, 5, func(c *ross.Config) { c.GVTInterval = 1 }},
			"little memory":   {1, 3, 3, func(c *ross.Config) { c.MaxMemory = 3 << 20 }},
			"every one twice": {1, 1, 6, func(*ross.Config) {}},
			"two ranks":       {2, 2, 3, func(*ross.Config) {}},
		} {
			if testlevel.Few.LeavesOut(name, "two PEs", "two ranks") {
				continue
			}
			if never && c.pes == 2 {
				continue // those of one and of three will do: each such event takes a GVT
			}
			t.Run(fmt.Sprintf("never=%v/%s", never, name), func(t *testing.T) {
				modeltest.Watch(t)
				got, sims := scribble(t, c.ranks, never, func(cfg *ross.Config) {
					cfg.Synch, cfg.PEs = ross.Scheduler(c.synch), c.pes
					if c.synch == 3 || c.synch == 5 {
						*disturbOf(cfg) = harass(t, c.pes*c.ranks, 0.3)
					}
					c.set(cfg)
				})
				require.Equal(t, events, sims[0].Stats().NetEvents())
				require.Equal(t, want, got)
			})
		}
	}
}

// TestCheckpointsHoldMessagesAsTheyWereSent stores while events wait that have been handled
// and undone, and goes on.
func TestCheckpointsHoldMessagesAsTheyWereSent(t *testing.T) {
	want, _ := scribble(t, 1, false, func(*ross.Config) {})
	prefix := filepath.Join(t.TempDir(), "jots")
	on := func(c *ross.Config) {
		c.Synch, c.PEs, c.NKP, c.NLP, c.End, c.TypeMap = 3, 2, 4, writerLPs/2, writerEnd, scribblerType(false)
		*disturbOf(c) = harass(t, 2, 0.3)
	}
	digest, _ := runLeg(t, leg{configure: func(c *ross.Config) {
		on(c)
		c.IOName, c.IOVirtualInterval, c.IOKeep = prefix, 4, 100
	}}, scribblerTypes()...)
	require.Equal(t, want, digest)
	numbers, err := rio.Numbers(prefix)
	require.NoError(t, err)
	require.NotEmpty(t, numbers)
	for _, n := range numbers {
		digest, _ := runLeg(t, leg{configure: func(c *ross.Config) {
			on(c)
			c.IORestart = rio.Numbered(prefix, n)
		}}, scribblerTypes()...)
		require.Equal(t, want, digest, "from checkpoint %d", n)
	}
}

// The digest of the final states: it shows what no event shows, and
// nothing that is no part of a state.

// shop is a state with a part of every kind; Noise is what the handlers have left behind.
type (
	shop struct {
		Open   bool // and padding
		Count  int64
		Sum    float64
		Queue  []*client
		By     map[string]*client
		Last   any
		Front  *client
		Serve  func(*client) int64
		Self   *shop
		Owner  *ross.LP
		Ledger ross.Block[ross.Block[int64]]
		Noise  int64
	}
	client struct {
		Name string
		Next *client
	}
)

// shops returns a right model, in which Reverse builds objects anew.
func shops(change func(t *ross.Type[shop, order8])) ross.LPType {
	t := ross.Type[shop, order8]{
		Init: func(s *shop, lp *ross.LP) {
			s.Self, s.Owner, s.By = s, lp, map[string]*client{}
			s.Serve = func(c *client) int64 { return int64(len(c.Name)) }
			s.Ledger = ross.Alloc[ross.Block[int64]](lp, 3)
			s.Ledger.Of(lp)[lp.ID()%3] = ross.Alloc[int64](lp, int(lp.ID()%5)+1)
			ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
		},
		Event: func(s *shop, lp *ross.LP, _ *ross.Bits, m *order8) {
			s.Count++
			s.Open = s.Count%2 == 1
			c := &client{Name: fmt.Sprint(m.Tag), Next: s.Front}
			s.Front, s.Last = c, c
			s.Queue = append(s.Queue, c)
			s.By[c.Name] = c
			s.Ledger.Of(lp)[lp.ID()%3].Of(lp)[0]++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1), order8{uint64(lp.ID())*1000 + uint64(s.Count)})
		},
		Reverse: func(s *shop, lp *ross.LP, _ *ross.Bits, _ *order8) {
			s.Count--
			s.Open = s.Count%2 == 1
			delete(s.By, s.Front.Name)
			s.Front, s.Last = s.Front.Next, s.Front.Next
			if s.Front == nil {
				s.Last = nil
			}
			s.Queue = slices.Clone(s.Queue[:len(s.Queue)-1])
			s.Ledger.Of(lp)[lp.ID()%3].Of(lp)[0]--
		},
		Final: func(s *shop, _ *ross.LP) { s.Sum = rand.Float64() },
	}
	if change != nil {
		change(&t)
	}
	return t
}

// sell runs shops and returns both digests.
func sell(t *testing.T, ranks int, model ross.LPType, configure func(*ross.Config)) (events, states uint64) {
	t.Helper()
	modeltest.Watch(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.Digest, c.MaxMemory, c.NKP = 20, true, 200<<20, 4
		configure(c)
		c.NLP = writerLPs / uint64(max(c.PEs, 1)*ranks)
		if c.Synch == 3 || c.Synch == 5 {
			*disturbOf(c) = harass(t, c.PEs*ranks, 0.3)
		}
	}, model)
	for _, err := range errs {
		require.NoError(t, err)
	}
	for _, sim := range sims {
		require.Equal(t, *sims[0].Stats().StateDigest, *sim.Stats().StateDigest)
	}
	closeAll(sims)
	return *sims[0].Stats().Digest, *sims[0].Stats().StateDigest
}

func TestStateDigestIsTheSameForAllSchedulers(t *testing.T) {
	events, states := sell(t, 1, shops(nil), func(c *ross.Config) {})
	for _, run := range []struct {
		synch, pes, ranks int
		nkp               uint64
	}{{2, 3, 1, 1}, {3, 1, 1, 1}, {3, 2, 1, 16}, {3, 3, 1, 4}, {3, 4, 1, 7}, {5, 2, 1, 4}, {6, 1, 1, 4}, {3, 1, 2, 4}, {2, 2, 2, 4}} {
		if testlevel.Is(testlevel.Few) && run.ranks == 1 && run.pes < 3 {
			continue
		}
		e, s := sell(t, run.ranks, shops(nil), func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = ross.Scheduler(run.synch), run.pes, run.nkp, 0.1
		})
		require.Equal(t, events, e, "%+v", run)
		require.Equal(t, states, s, "%+v", run)
	}
}

func TestStateDigestShowsAFieldThatReverseForgets(t *testing.T) {
	forget := func(t *ross.Type[shop, order8]) {
		event := t.Event
		t.Event = func(s *shop, lp *ross.LP, bits *ross.Bits, m *order8) {
			event(s, lp, bits, m)
			s.Noise++
		}
	}
	events, states := sell(t, 1, shops(forget), func(c *ross.Config) {})
	optimistic := func(c *ross.Config) { c.Synch, c.PEs = 3, 2 }
	e, s := sell(t, 1, shops(forget), optimistic)
	require.Equal(t, events, e, "no event depends on the field")
	require.NotEqual(t, states, s)

	leaveOut := func(t *ross.Type[shop, order8]) {
		forget(t)
		t.Check = &ross.Checker[shop]{Digest: func(s *shop) any { return []any{s.Count, s.By, s.Front, s.Ledger} }}
	}
	_, states = sell(t, 1, shops(leaveOut), func(c *ross.Config) {})
	_, s = sell(t, 1, shops(leaveOut), optimistic)
	require.Equal(t, states, s)
	_, none := sell(t, 1, shops(func(t *ross.Type[shop, order8]) {
		t.Check = &ross.Checker[shop]{Save: func(*shop) any { return nil }, Compare: func(*shop, any) error { return nil }}
	}), func(c *ross.Config) {})
	require.Zero(t, none, "what is compared loosely has no digest of its own")
	require.NotZero(t, states)
}

func TestStateDigestIsThereIfTheRunWasRight(t *testing.T) {
	for name, c := range map[string]struct {
		digest bool
		change func(t *ross.Type[shop, order8])
		want   bool
	}{
		"not asked for": {false, nil, false},
		"asked for":     {true, nil, true},
		"an error": {true, func(t *ross.Type[shop, order8]) {
			t.Event = func(_ *shop, lp *ross.LP, _ *ross.Bits, _ *order8) { lp.Fail(ross.ErrModel) }
		}, false},
		"a panic": {true, func(t *ross.Type[shop, order8]) {
			t.Check = &ross.Checker[shop]{Digest: func(*shop) any { panic("no") }}
		}, false},
	} {
		sims, errs := runOnRanks(t, worldtest.New(1, 0, 0), 1, func(_ int, cfg *ross.Config) {
			cfg.NLP, cfg.End, cfg.Digest = writerLPs, 5, c.digest
		}, shops(c.change))
		require.Equal(t, c.want, sims[0].Stats().StateDigest != nil, "%s: %v", name, errs[0])
		require.Equal(t, c.change != nil, errs[0] != nil, name)
	}
}
