// This file pins the digest of the final states: it shows what no event shows, and
// nothing that is no part of a state.

package ross

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

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
		Owner  *LP
		Ledger Block[Block[int64]]
		Noise  int64
	}
	client struct {
		Name string
		Next *client
	}
)

// shops returns a right model, in which Reverse builds objects anew.
func shops(change func(t *Type[shop, order8])) LPType {
	t := Type[shop, order8]{
		Init: func(s *shop, lp *LP) {
			s.Self, s.Owner, s.By = s, lp, map[string]*client{}
			s.Serve = func(c *client) int64 { return int64(len(c.Name)) }
			s.Ledger = Alloc[Block[int64]](lp, 3)
			s.Ledger.Of(lp)[lp.ID()%3] = Alloc[int64](lp, int(lp.ID()%5)+1)
			Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
		},
		Event: func(s *shop, lp *LP, _ *Bits, m *order8) {
			s.Count++
			s.Open = s.Count%2 == 1
			c := &client{Name: fmt.Sprint(m.Tag), Next: s.Front}
			s.Front, s.Last = c, c
			s.Queue = append(s.Queue, c)
			s.By[c.Name] = c
			s.Ledger.Of(lp)[lp.ID()%3].Of(lp)[0]++
			Send(lp, LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1), order8{uint64(lp.ID())*1000 + uint64(s.Count)})
		},
		Reverse: func(s *shop, lp *LP, _ *Bits, _ *order8) {
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
		Final: func(s *shop, _ *LP) { s.Sum = rand.Float64() },
	}
	if change != nil {
		change(&t)
	}
	return t
}

// sell runs shops and returns both digests.
func sell(t *testing.T, ranks int, model LPType, configure func(*Config)) (events, states uint64) {
	t.Helper()
	modeltest.Watch(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *Config) {
		c.End, c.Digest, c.MaxMemory, c.NKP = 20, true, 200<<20, 4
		configure(c)
		c.NLP = writerLPs / uint64(max(c.PEs, 1)*ranks)
		if c.Synch == 3 || c.Synch == 5 {
			c.knobs.disturb = harass(t, c.PEs*ranks, 0.3)
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
	events, states := sell(t, 1, shops(nil), func(c *Config) {})
	for _, run := range []struct {
		synch, pes, ranks int
		nkp               uint64
	}{{2, 3, 1, 1}, {3, 1, 1, 1}, {3, 2, 1, 16}, {3, 3, 1, 4}, {3, 4, 1, 7}, {5, 2, 1, 4}, {6, 1, 1, 4}, {3, 1, 2, 4}, {2, 2, 2, 4}} {
		if testlevel.Is(testlevel.Few) && run.ranks == 1 && run.pes < 3 {
			continue
		}
		e, s := sell(t, run.ranks, shops(nil), func(c *Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = Scheduler(run.synch), run.pes, run.nkp, 0.1
		})
		require.Equal(t, events, e, "%+v", run)
		require.Equal(t, states, s, "%+v", run)
	}
}

func TestStateDigestShowsAFieldThatReverseForgets(t *testing.T) {
	forget := func(t *Type[shop, order8]) {
		event := t.Event
		t.Event = func(s *shop, lp *LP, bits *Bits, m *order8) {
			event(s, lp, bits, m)
			s.Noise++
		}
	}
	events, states := sell(t, 1, shops(forget), func(c *Config) {})
	optimistic := func(c *Config) { c.Synch, c.PEs = 3, 2 }
	e, s := sell(t, 1, shops(forget), optimistic)
	require.Equal(t, events, e, "no event depends on the field")
	require.NotEqual(t, states, s)

	leaveOut := func(t *Type[shop, order8]) {
		forget(t)
		t.Check = &Checker[shop]{Digest: func(s *shop) any { return []any{s.Count, s.By, s.Front, s.Ledger} }}
	}
	_, states = sell(t, 1, shops(leaveOut), func(c *Config) {})
	_, s = sell(t, 1, shops(leaveOut), optimistic)
	require.Equal(t, states, s)
	_, none := sell(t, 1, shops(func(t *Type[shop, order8]) {
		t.Check = &Checker[shop]{Save: func(*shop) any { return nil }, Compare: func(*shop, any) error { return nil }}
	}), func(c *Config) {})
	require.Zero(t, none, "what is compared loosely has no digest of its own")
	require.NotZero(t, states)
}

func TestStateDigestIsThereIfTheRunWasRight(t *testing.T) {
	for name, c := range map[string]struct {
		digest bool
		change func(t *Type[shop, order8])
		want   bool
	}{
		"not asked for": {false, nil, false},
		"asked for":     {true, nil, true},
		"an error":      {true, func(t *Type[shop, order8]) { t.Event = func(_ *shop, lp *LP, _ *Bits, _ *order8) { lp.Fail(ErrModel) } }, false},
		"a panic": {true, func(t *Type[shop, order8]) {
			t.Check = &Checker[shop]{Digest: func(*shop) any { panic("no") }}
		}, false},
	} {
		sims, errs := runOnRanks(t, worldtest.New(1, 0, 0), 1, func(_ int, cfg *Config) {
			cfg.NLP, cfg.End, cfg.Digest = writerLPs, 5, c.digest
		}, shops(c.change))
		require.Equal(t, c.want, sims[0].Stats().StateDigest != nil, "%s: %v", name, errs[0])
		require.Equal(t, c.change != nil, errs[0] != nil, name)
	}
}
