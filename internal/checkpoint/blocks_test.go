// This file pins how states with Blocks are stored and restored: blocks in blocks, blocks that
// several Blocks share, cycles, freed blocks, and what is refused.

package checkpoint_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/models/rosstest"
)

// bead is a value of a ring of blocks, each of which leads to the next.
type bead struct {
	Kind  uint8 // and padding
	Value uint64
	Next  ross.Block[bead]
}

// chain is a state with Blocks of every kind.
type chain struct {
	Small  uint16 // and padding
	Ring   ross.Block[bead]
	Last   ross.Block[bead] // the same block as one of the ring
	Table  ross.Block[[2]ross.Block[uint32]]
	Gone   ross.Block[uint64] // has been freed
	Sizes  ross.Block[struct{}]
	Events uint64
}

// chains returns a type whose events change what its Blocks lead to.
func chains() ross.Type[chain, rosstest.Step] {
	return ross.Type[chain, rosstest.Step]{
		Name: "chain",
		Init: func(s *chain, lp *ross.LP) {
			first := ross.Alloc[bead](lp, 1)
			s.Ring, s.Last = first, first
			for i := range uint64(3) {
				b := ross.Alloc[bead](lp, 1)
				b.Of(lp)[0] = bead{1, i, first}
				s.Last.Of(lp)[0].Next = b
				s.Last = b
			}
			s.Table = ross.Alloc[[2]ross.Block[uint32]](lp, 5)
			s.Gone = ross.Alloc[uint64](lp, 9)
			ross.Free(lp, s.Gone)
			s.Sizes = ross.Alloc[struct{}](lp, 7)
			ross.Send(lp, lp.ID(), 0.5, rosstest.Step{})
		},
		Event: func(s *chain, lp *ross.LP, _ *ross.Bits, m *rosstest.Step) {
			s.Events++
			s.Last = s.Last.Of(lp)[0].Next
			s.Last.Of(lp)[0].Value += lp.RNG().Count()
			pair := &s.Table.Of(lp)[s.Events%5]
			i := lp.RNG().Integer(0, 1)
			ross.Free(lp, pair[i])
			pair[i] = ross.Alloc[uint32](lp, int(lp.RNG().Integer(0, 20)))
			for j := range pair[i].Of(lp) {
				pair[i].Of(lp)[j] = uint32(s.Events)
			}
			ross.Send(lp, lp.ID(), 1, *m)
		},
	}
}

// chainLeg runs a part of a run of chains and returns its digests.
func chainLeg(t *testing.T, from, to string, end float64, mode ross.LoadMode, configure func(*ross.Config), types ...ross.LPType) [2]uint64 {
	t.Helper()
	modeltest.Watch(t)
	sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: mode, Configure: func(c *ross.Config) {
		c.NLP, c.End = 12, end
		configure(c)
		c.NLP /= uint64(max(c.PEs, 1))
	}}, types...)
	return [2]uint64{*sim.Stats().Digest, *sim.Stats().StateDigest}
}

func TestStatesWithBlocksGoOnAsIfTheyHadNotStopped(t *testing.T) {
	alone := func(*ross.Config) {}
	want := chainLeg(t, "", "", 20, 0, alone, chains())
	for i, configure := range []func(*ross.Config){alone,
		func(c *ross.Config) { c.Synch, c.PEs = 3, 3 },
		func(c *ross.Config) { c.Synch, c.PEs, c.ConsLookahead = 2, 2, 0.5 },
	} {
		cp := filepath.Join(t.TempDir(), fmt.Sprint(i))
		chainLeg(t, "", cp, 9, 0, configure, chains())
		require.Equal(t, want, chainLeg(t, cp, "", 20, ross.LoadInit, alone, chains()), "stored by run %d", i)
		require.Equal(t, want, chainLeg(t, cp, "", 20, ross.LoadInit, configure, chains()), "loaded by run %d", i)
	}
}

// What Init has made of a state is replaced, and its blocks are freed.
func TestBlocksOfInitAreReplacedByThoseOfTheCheckpoint(t *testing.T) {
	quiet := chains()
	init := quiet.Init
	quiet.Init = func(s *chain, lp *ross.LP) {
		init(s, lp)
		s.Table.Of(lp)[3][1] = ross.Alloc[uint32](lp, 1<<16)
	}
	cp := filepath.Join(t.TempDir(), "chain")
	chainLeg(t, "", cp, 9, 0, func(*ross.Config) {}, chains())
	chainLeg(t, cp, "", 9.25, ross.LoadPostInit, func(c *ross.Config) {
		c.MaxMemory = 1 << 20 // less than the tables of Init, one after the other
	}, quiet)
}

func TestBlocksOfOtherValuesAreNotLoaded(t *testing.T) {
	type before struct{ Of ross.Block[uint64] }
	type after struct{ Of ross.Block[float64] }
	cp := filepath.Join(t.TempDir(), "values")
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 3)}, ross.Type[before, rosstest.Step]{
		Name: "values", Event: func(*before, *ross.LP, *ross.Bits, *rosstest.Step) {}})
	sim, err := ross.New(func() ross.Config {
		c := ross.DefaultConfig()
		rosstest.Walk(4, 5)(&c)
		return c
	}())
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[after, rosstest.Step]{
		Name: "values", Event: func(*after, *ross.LP, *ross.Bits, *rosstest.Step) {}}))
	require.ErrorContains(t, sim.LoadCheckpoint(cp, ross.LoadInit), `states of LPs of type "values" have other fields in it than in the model`)
}

// A Deserialize that the model gives takes precedence.
func TestAModelMaySerializeItsBlocksItself(t *testing.T) {
	m := chains()
	stored := 0
	m.SerializedSize = func(*chain, *ross.LP) int { return 1 }
	m.Serialize = func(*chain, *ross.LP, []byte) { stored++ }
	m.Deserialize = func(*chain, *ross.LP, []byte) error { return nil }
	chainLeg(t, "", filepath.Join(t.TempDir(), "own"), 3, 0, func(*ross.Config) {}, m)
	require.Equal(t, 12, stored)
}
