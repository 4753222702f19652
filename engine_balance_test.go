// What is charged to the memory of a run is what it has, whatever was lent and given back.

package ross

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/timewarp"
)

// requireBalanced requires that the budget of a simulation after its run is what its parts
// say that they take.
func requireBalanced(t testing.TB, s *Simulation) {
	t.Helper()
	if s.cfg.settings().Checks() { // whose copies are not counted here
		return
	}
	z := s.r.Sizes()
	want := s.r.Space.Bytes()
	for _, pe := range s.r.Locals {
		want += s.cfg.NKP*z.KP + uint64(len(pe.LPs))*s.r.LPBytes() + pe.CopyBytes() + pe.TreeBytes()
		if pe.Pool != nil {
			want += pe.Pool.Bytes() + uint64(len(pe.Tags))
		}
		for i := range pe.KPs {
			h := &pe.KPs[i].History
			want += 8 * uint64(len(h.Buf)-h.Lent)
		}
	}
	if n := len(s.r.Locals); n > 1 {
		want += uint64(n*(n-1)*s.r.Locals[0].Team.Room) * uint64(s.r.Locals[0].Arena.Stride())
	}
	require.Equal(t, int64(want), int64(s.r.Budget.Used()-s.r.QueueBytes()), "what is charged is not what there is")
}

// bursts are handlers whose event takes a long history, and what they do n-th.
var bursts = map[string]func(s *door, lp *LP){
	"sends past the end": func(_ *door, lp *LP) { Send(lp, lp.ID(), 1e6, seed{}) },
	"saved fields":       func(s *door, lp *LP) { Save(lp, &s.Visits) },
}

// runBurst runs a model in which one LP's events do something very often, and others have
// small events that a straggler may undo.
func runBurst(t *testing.T, synch, pes int, memory uint64, n int, do func(*door, *LP)) *Simulation {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = Scheduler(synch), pes, uint64(8/pes), 2, 30, true, memory
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(Type[door, seed]{
		Name: "burst",
		Init: func(_ *door, lp *LP) { Send(lp, lp.ID(), 1, seed{Kind: uint64(lp.ID() & 1)}) },
		Event: func(s *door, lp *LP, _ *Bits, m *seed) {
			s.Visits++
			if m.Kind != 1 {
				Send(lp, LPID(lp.RNG().Integer(0, 3)*2), lp.RNG().Exponential(1), *m)
				return
			}
			for range n {
				do(s, lp)
			}
			Send(lp, lp.ID(), 10, *m)
		},
		Reverse: func(s *door, _ *LP, _ *Bits, _ *seed) { s.Visits-- },
	}))
	require.NoError(t, sim.Run(context.Background()))
	requireNoLeak(t, sim)
	return sim
}

// TestWhatIsLentIsGivenBackInTheEnd has events whose histories find no room: a loan, an event
// that is taken back, and in the end one that is kept.
func TestWhatIsLentIsGivenBackInTheEnd(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	for name, do := range bursts {
		for _, n := range []int{100, 5000} {
			want := *runBurst(t, 1, 1, 8<<20, n, do).r.Stats.Digest
			for _, c := range []struct {
				pes    int
				memory uint64
			}{{1, minMemory}, {1, 1500 << 10}, {2, 512 << 10}} {
				t.Run(fmt.Sprintf("%s/n=%d/pes=%d/memory=%d", name, n, c.pes, c.memory), func(t *testing.T) {
					modeltest.Watch(t)
					sim := runBurst(t, 3, c.pes, c.memory, n, do)
					require.Equal(t, want, *sim.r.Stats.Digest)
					for _, pe := range sim.r.Locals {
						for i := range pe.KPs {
							require.Zero(t, pe.KPs[i].History.Lent)
						}
					}
				})
			}
		}
	}
}

// TestALongHistoryIsMovedSeldom bounds the words that are copied while the history of an event
// grows to n words in memory that it has to be lent: a constant number of times n, for each time
// that the event is handled.
func TestALongHistoryIsMovedSeldom(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const n, times, words = 1 << 14, 3, 3 // bursts of the run, most words of a record
	for name, do := range bursts {
		for _, memory := range []uint64{minMemory, 1500 << 10} {
			t.Run(fmt.Sprintf("%s/memory=%d", name, memory), func(t *testing.T) {
				sim := runBurst(t, 3, 1, memory, n, do)
				c := &sim.r.Locals[0].Counts
				bursts := 4 * uint64(times) // LPs
				require.LessOrEqual(t, c.Moved, (bursts+c.Aborted)*n*words*6)
				require.LessOrEqual(t, c.Aborted, bursts*(timewarp.TightRounds+2), "it is tried again and again")
			})
		}
	}
}

// TestAnEmptyHistoryGivesBackWhatIsItsOwn has a history whose first events, with a loan, are
// committed, and whose later ones are undone: it is empty in the middle of what was lent.
func TestAnEmptyHistoryGivesBackWhatIsItsOwn(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.MaxMemory = 3, 4, 1<<20
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(4, 1)))
	pe := sim.r.Locals[0]
	kp := &pe.KPs[0]
	h := &kp.History
	for _, n := range []int{1, 100, 612, 10_000} {
		before := sim.r.Budget.Used()
		require.True(t, kp.Room(50))
		h.Head = 50
		kp.Lend(n)
		h.Head = len(h.Buf)
		h.Tail = h.Head
		requireBalanced(t, sim)
		kp.Repay()
		require.Zero(t, h.Lent)
		requireBalanced(t, sim)
		pe.Tighten()
		requireBalanced(t, sim)
		require.Equal(t, before, sim.r.Budget.Used())
	}
}

// TestABurstThatHardlyFitsTakesFewGVTs has many events wait in memory that leaves next to nothing
// to optimism: no more than one round is to be spent in vain for each.
func TestABurstThatHardlyFitsTakesFewGVTs(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	burst := func(synch int, memory uint64) *Simulation {
		cfg := DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = Scheduler(synch), 8, 4, 4, true, memory
		sim, err := New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(Type[chainState, twinMsg]{
			Init: func(_ *chainState, lp *LP) {
				if lp.ID() == 0 {
					Send(lp, 0, 1, twinMsg{1})
				}
			},
			Event: func(s *chainState, lp *LP, _ *Bits, m *twinMsg) {
				s.N++
				for range m.Value * 4000 {
					Send(lp, LPID(lp.RNG().Integer(0, 7)), 0.5+lp.RNG().Unif(), twinMsg{})
				}
				if m.Value > 0 {
					Send(lp, LPID(lp.RNG().Integer(0, 7)), 1.5, twinMsg{1})
				}
			},
		}))
		require.NoError(t, sim.Run(t.Context()))
		return sim
	}
	want := burst(1, 1<<30)
	need := want.r.Budget.Peak() + want.r.QueueBytes()
	for _, percent := range []uint64{105, 120, 150} {
		sim := burst(3, need*percent/100)
		require.Equal(t, *want.r.Stats.Digest, *sim.r.Stats.Digest)
		require.LessOrEqual(t, sim.r.Locals[0].Counts.GVTs, 2*sim.r.Stats.NetEvents()+100, "%d %%", percent)
	}
}
