// Events without delay: chains of any length, in the order of
// their lineages, in memory that is theirs alone.

package run_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rng"
)

// chain returns a model of one chain without delay, of some hops, from time 1
// on. at is called in each of its events.
func chain(hops int64, next func(lp *ross.LP) ross.LPID, at func(lp *ross.LP, hop int64)) ross.Type[none, word] {
	return ross.Type[none, word]{
		Name: "chain",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, word{})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			at(lp, m.N)
			if m.N < hops {
				ross.Send(lp, next(lp), 0, word{N: m.N + 1})
			}
		},
	}
}

func itself(lp *ross.LP) ross.LPID { return lp.ID() }

const longChain = 100_000

func TestChainWithoutDelayHasNoLimit(t *testing.T) {
	for name, next := range map[string]func(lp *ross.LP) ross.LPID{
		"on one LP":  itself,
		"across LPs": func(lp *ross.LP) ross.LPID { return (lp.ID() + 3) % 4 },
	} {
		t.Run(name, func(t *testing.T) {
			handled := int64(0)
			sim, _ := rosstest.Define(t, rosstest.Small(), chain(longChain, next, func(lp *ross.LP, hop int64) {
				require.EqualValues(t, 1, lp.Now())
				if hop != handled {
					t.Fatalf("hop %d comes as number %d", hop, handled)
				}
				handled++
				if hop == longChain {
					require.Len(t, lp.Signature().Ties, longChain+1)
				}
			}))
			before := engineBytes(sim)
			require.NoError(t, sim.Run(t.Context()))
			require.EqualValues(t, longChain+1, handled)
			require.Zero(t, lineageNodes(sim))
			require.Zero(t, liveEvents(sim))
			require.NoError(t, checkPools(sim))
			require.LessOrEqual(t, peakEvents(sim), uint64(2))
			require.LessOrEqual(t, engineBytes(sim)-before, uint64(64*longChain), "bytes: 24 for a hop, and room to grow")
		})
	}
}

func TestChainHoldsOneNodeForAHopAndNoneWhenItIsOver(t *testing.T) {
	var nodes []uint64
	typ := chain(100, itself, func(lp *ross.LP, hop int64) {
		nodes = append(nodes, lineageNodes(lp.PE().Simulation()))
		if hop == 100 {
			ross.Send(lp, lp.ID(), 1, word{N: 101}) // when all is over
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	require.Len(t, nodes, 102)
	for hop := range 101 {
		require.EqualValues(t, hop, nodes[hop])
	}
	require.Zero(t, nodes[101])
}

// Children of one parent share its lineage, however long.
func TestFanAtTheEndOfALongChainSharesIt(t *testing.T) {
	const length, width = 2000, 500
	var most uint64
	var ties []float64
	typ := chain(length, itself, func(lp *ross.LP, hop int64) {
		switch hop {
		case length:
			for range width {
				ross.Send(lp, lp.ID(), 0, word{N: length + 1})
			}
			most = lineageNodes(lp.PE().Simulation())
		case length + 1:
			s := lp.Signature()
			ties = append(ties, s.Ties[length+1])
		}
	})
	out := rosstest.Run(t, rosstest.Small(), typ)
	require.EqualValues(t, length+width, most)
	require.Len(t, ties, width)
	require.IsNonDecreasing(t, ties)
	require.Zero(t, lineageNodes(out.Simulation))
}

// tree is a model whose events are the nodes of a random forest: what an event
// sends follows from the number that its message holds.
type tree struct {
	seed  uint64
	depth int
}

type treeMsg struct {
	ID    uint64
	Depth int64
}

type child struct {
	dst         uint64
	delay, prio float64
	msg         treeMsg
}

// children returns what an event of priority prio sends.
func (tr *tree) children(m treeMsg, prio float64) (all []child) {
	rnd := rand.New(rand.NewPCG(tr.seed, m.ID))
	if m.Depth >= int64(tr.depth) {
		return nil
	}
	for range rnd.IntN(4) {
		c := child{dst: rnd.Uint64N(4), prio: prio, msg: treeMsg{rnd.Uint64(), m.Depth + 1}}
		c.delay = []float64{0, 0, 0, 1e-300, 0.25, 1}[rnd.IntN(6)]
		if rnd.IntN(3) == 0 {
			c.prio = min(1, prio+0.25)
		}
		if c.delay >= 0.25 {
			c.prio = 0.25
		}
		all = append(all, c)
	}
	return all
}

// handledEvent is an event as it was handled.
type handledEvent struct {
	id, lp uint64
	sig    ross.Signature
}

const treeRoots = 12

// run has the engine simulate the forest.
func (tr *tree) run(t *testing.T, cfg ross.Config) (all []handledEvent) {
	out := rosstest.Run(t, cfg, ross.Type[none, treeMsg]{
		Init: func(_ *none, lp *ross.LP) {
			for i := range uint64(treeRoots) {
				ross.SendPriority(lp, lp.ID(), 1, 0.25, treeMsg{ID: i + treeRoots*uint64(lp.ID())})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *treeMsg) {
			sig := lp.Signature()
			all = append(all, handledEvent{m.ID, uint64(lp.ID()), sig})
			for _, c := range tr.children(*m, sig.Priority) {
				ross.SendPriority(lp, ross.LPID(c.dst), c.delay, c.prio, c.msg)
			}
		},
	})
	require.Zero(t, lineageNodes(out.Simulation))
	require.NoError(t, checkPools(out.Simulation))
	return all
}

// bruteForce simulates it with a list of events: it takes the least
// each time, and lineages that are copied.
func (tr *tree) bruteForce() (all []handledEvent) {
	type pending struct {
		handledEvent
		msg treeMsg
	}
	var list []pending
	ties := make([]rng.CLCG4, 4)
	for gid := range ties {
		ties[gid] = rosstest.Core(rng.DefaultCoreSeeds, 1, 4, uint64(gid))
		for i := range uint64(treeRoots) {
			m := treeMsg{ID: i + treeRoots*uint64(gid)}
			list = append(list, pending{handledEvent{m.ID, uint64(gid), ross.Signature{Time: 1, Priority: 0.25, Ties: []float64{ties[gid].Unif()}}}, m})
		}
	}
	for len(list) > 0 {
		least := 0
		for i := range list {
			a, b := list[i].sig, list[least].sig
			if cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Priority, b.Priority), slices.Compare(a.Ties, b.Ties)) < 0 {
				least = i
			}
		}
		e := list[least]
		list = slices.Delete(list, least, least+1)
		all = append(all, e.handledEvent)
		for _, c := range tr.children(e.msg, e.sig.Priority) {
			sig := ross.Signature{Time: e.sig.Time + c.delay, Priority: c.prio, Ties: []float64{ties[e.lp].Unif()}}
			if sig.Time == e.sig.Time && (c.delay == 0 || sig.Compare(e.sig) <= 0) {
				sig.Ties = append(slices.Clone(e.sig.Ties), sig.Ties...)
			}
			list = append(list, pending{handledEvent{c.msg.ID, c.dst, sig}, c.msg})
		}
	}
	return all
}

func TestRandomTreesWithoutDelayComeInTheOrderOfTheirLineages(t *testing.T) {
	for round := range testlevel.Times(8, 5) {
		tr := &tree{seed: testrand.Seed(t), depth: 3 + round}
		want := tr.bruteForce()
		for _, window := range []int{0, 1, 5} {
			got := tr.run(t, withWindow(rosstest.Small(), window))
			require.Equal(t, want, got, "seed %d, depth %d, window %d", tr.seed, tr.depth, window)
		}
	}
}
