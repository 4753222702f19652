// Shortages at any moment: whatever finds no memory, and whenever, a run comes to what
// a sequential run comes to, and nothing leaks.

package run_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// squeeze leaves the optimism of a PE no more memory than it has, for some turns of its loop, with a
// probability in each turn. What needs memory at GVT still gets it, so that no run fails.
func squeeze(t testing.TB, pes int, probability float64) func(*run.PE) {
	t.Helper()
	seed := testrand.Seed(t)
	dice := testrand.Several(seed, pes)
	left := make([]int, pes)
	return func(pe *run.PE) {
		i := pe.ID - pe.Engine.Base
		switch {
		case left[i] > 0:
			if left[i]--; left[i] == 0 {
				pe.SetMemoryAside()
			}
		case dice[i].Float64() < probability:
			all := pe.Budget.Limit()
			pe.Budget.SetAside(all)
			pe.Arena.SetAside(all)
			left[i] = 1 + dice[i].IntN(8)
		}
	}
}

// starve takes all memory of a rank for a turn of its only PE's loop, whenever events have committed.
// That leaves nothing to long messages either, which may take what slots leave aside. free gives back
// what the end of the run has found taken.
func starve() (disturb, free func(*run.PE)) {
	taken, committed := uint64(0), uint64(0)
	free = func(pe *run.PE) {
		pe.Run.Budget.Give(taken)
		taken = 0
	}
	return func(pe *run.PE) {
		free(pe)
		if pe.Counts.Committed == committed {
			return // else the run would fail if it got on in none of several rounds
		}
		committed = pe.Counts.Committed
		for size := pe.Run.Budget.Limit(); size > 0; size /= 2 {
			if pe.Run.Budget.Charge(size) == nil {
				taken += size
			}
		}
	}, free
}

// both has each turn disturbed in two ways.
func both(a, b func(*run.PE)) func(*run.PE) {
	return func(pe *run.PE) {
		a(pe)
		b(pe)
	}
}

// shortages returns how often the PEs lacked memory.
func shortages(sims []*ross.Simulation) (n uint64) {
	for _, sim := range sims {
		for _, pe := range runOf(sim).Locals {
			n += pe.Counts.Shortages
		}
	}
	return n
}

func TestShortagesAtAnyMomentChangeNothing(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, _ := cook(t, never, kitchenEnd, nil)
		for _, pes := range []int{1, 2} {
			t.Run(fmt.Sprintf("never=%v/pes=%d", never, pes), func(t *testing.T) {
				modeltest.Watch(t)
				modeltest.Until(t, "memory was short", func() bool { // it is in most
					got, sim := cook(t, never, kitchenEnd, func(c *ross.Config) {
						kitchenOn(pes)(c)
						c.GVTInterval, c.Batch, c.FixedGVT = 64, 4, true
						*disturbOf(c) = both(squeeze(t, pes, 0.5), harass(t, pes, 0.1))
					})
					requireSame(t, want, got)
					return shortages([]*ross.Simulation{sim}) > 0
				})
			})
		}
	}
}

const (
	weedLPs = 16
	weedEnd = 9
)

// weeds is a model whose events become more and more up to half of the run, with messages in the slot
// and in blocks. So memory is needed all the time.
func weeds() []ross.LPType {
	grow := func(lp *ross.LP, n int64) {
		for range 1 + n%2 {
			dst := ross.LPID(lp.RNG().Integer(0, weedLPs-1))
			delay := 0.1 + lp.RNG().Exponential(0.8)
			next := n
			if lp.Now() > weedEnd/2 {
				next = 0
			}
			if dst%2 == 0 {
				ross.Send(lp, dst, delay, order24{Tag: uint64(next)})
				continue
			}
			m := ross.NewEvent[order1000](lp, dst, delay)
			m.Words[0], m.Words[124] = uint64(next), ^uint64(next)
		}
	}
	return []ross.LPType{
		ross.Type[uint64, order24]{
			Name: "short", Saving: ross.SaveByDelta,
			Init:  func(_ *uint64, lp *ross.LP) { grow(lp, 1) },
			Event: func(s *uint64, lp *ross.LP, _ *ross.Bits, m *order24) { *s++; grow(lp, int64(m.Tag)) },
		},
		ross.Type[uint64, order1000]{
			Name: "long", Saving: ross.SaveByDelta,
			Init: func(_ *uint64, lp *ross.LP) { grow(lp, 1) },
			Event: func(s *uint64, lp *ross.LP, _ *ross.Bits, m *order1000) {
				n := m.Words[0]
				if m.Words[124] != ^n {
					lp.Fail(fmt.Errorf("a message is not what was sent"))
				}
				*s += n
				for i := range 100 { // a delta that takes a block
					if m.Words[2+i] != 0 {
						lp.Fail(fmt.Errorf("a message is what an undone event left"))
					}
					m.Words[2+i] = (*s + 1) * uint64(i+1) * 0x9e3779b97f4a7c15
				}
				grow(lp, int64(n))
			},
		},
	}
}

// TestMessagesFindNoMemoryOnRanks has events of this rank and of others find no memory, with long and
// short payloads. Whether messages of others do depends on the threads: it takes one run in twenty again.
func TestMessagesFindNoMemoryOnRanks(t *testing.T) {
	weed := func(t *testing.T, ranks int, configure func(*ross.Config)) (uint64, []*ross.Simulation) {
		sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest, c.MaxMemory = weedLPs/uint64(ranks), 4, weedEnd, true, 128<<20
			c.TypeMap = func(id ross.LPID) int { return int(id % 2) }
			configure(c)
		}, weeds()...)
		for _, err := range errs {
			require.NoError(t, err)
		}
		requireNoLeak(t, sims...)
		return *runOf(sims[0]).Stats.Digest, sims
	}
	want, _ := weed(t, 1, func(*ross.Config) {})
	for _, ranks := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
		for _, worth := range []int{1, 0} {
			t.Run(fmt.Sprintf("ranks=%d/worth=%d", ranks, worth), func(t *testing.T) {
				modeltest.Watch(t)
				for { // until a message has found no memory
					waited := make([]int, ranks)
					got, sims := weed(t, ranks, func(c *ross.Config) {
						c.Synch, knobsOf(c).RemoteWorth = 3, worth
						c.GVTInterval, c.Batch, c.FixedGVT = 64, 4, true
						press := squeeze(t, 1, 0.5)
						*disturbOf(c) = func(pe *run.PE) {
							if press(pe); pe.Remote != nil {
								waited[pe.ID] += len(pe.Remote.Waiting)
							}
						}
					})
					require.Equal(t, want, got)
					require.Positive(t, shortages(sims))
					if ranks == 1 || waited[0]+waited[1] > 0 {
						break
					}
				}
			})
		}
	}
}

// TestLongMessagesFindNoMemory has them find none although there are slots for their events.
func TestLongMessagesFindNoMemory(t *testing.T) {
	modeltest.Watch(t)
	var digests []uint64
	for _, starved := range []bool{false, true} {
		free := func(*run.PE) {}
		sims, errs := runOnRanks(t, nil, 1, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest, c.MaxMemory = weedLPs, 4, weedEnd, true, 64<<20
			c.TypeMap = func(id ross.LPID) int { return int(id % 2) }
			c.Synch, c.GVTInterval, c.Batch, c.FixedGVT, c.EventsPerPE = 3, 1, 4, true, 20000
			if starved {
				*disturbOf(c), free = starve()
			}
		}, weeds()...)
		require.NoError(t, errs[0])
		free(runOf(sims[0]).Locals[0])
		requireNoLeak(t, sims...)
		require.Equal(t, starved, shortages(sims) > 0)
		digests = append(digests, *runOf(sims[0]).Stats.Digest)
	}
	require.Equal(t, digests[0], digests[1])
}

// TestHistoriesThatFindNoMemoryDoNotCostAGVTForEachEvent: the slots have all memory, and a part of them
// is free. One PE makes it the same in each run.
func TestHistoriesThatFindNoMemoryDoNotCostAGVTForEachEvent(t *testing.T) {
	modeltest.Watch(t)
	model := ross.Type[uint64, loadMsg]{
		Name: "counter",
		Init: func(_ *uint64, lp *ross.LP) {
			for range 16 {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), loadMsg{})
			}
		},
		Event: func(s *uint64, lp *ross.LP, _ *ross.Bits, m *loadMsg) {
			*s++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 15)), lp.RNG().Exponential(1), loadMsg{})
		},
		Reverse: func(s *uint64, _ *ross.LP, _ *ross.Bits, _ *loadMsg) { *s-- },
	}
	var digests []uint64
	for _, full := range []bool{false, true} {
		turns, refused := 0, 0
		sims, errs := runOnRanks(t, nil, 1, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest = 16, 4, 100, true
			c.Synch, c.GVTInterval, c.Batch, c.FixedGVT = 3, 256, 4, true
			if full {
				*disturbOf(c) = func(*run.PE) { turns++ }
				knobsOf(c).Refuse = func(uint64) bool {
					if turns > 0 {
						refused++
					}
					return turns > 0
				}
			}
		}, model)
		require.NoError(t, errs[0])
		requireNoLeak(t, sims...)
		require.Equal(t, full, refused > 0)
		require.Less(t, runOf(sims[0]).Stats.NumGVT, sims[0].Stats().NetEvents()/20)
		digests = append(digests, *runOf(sims[0]).Stats.Digest)
	}
	require.Equal(t, digests[0], digests[1])
}

func TestRanksUseIDsAgain(t *testing.T) {
	checkRanks(t, spreadLoad(), 2, func(c *ross.Config) {
		c.Synch, c.NKP, c.GVTInterval = 3, 4, 4
		*disturbOf(c) = harass(t, 1, 0.1)
	})
}
