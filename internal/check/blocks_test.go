// This file pins how the check of rollback finds and compares memory of Alloc.

package check_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// ring is a state that leads to its blocks in all ways: in an array, in an
// embedded struct, twice, and round in a circle.
type (
	ring struct {
		rope
		Ends  [2]ross.Block[knot]
		Other [3]int64
		Dead  ross.Block[int64] // given back
		Spare ross.Block[int64] // never had
	}
	rope struct{ Start ross.Block[knot] }
	knot struct {
		Next  ross.Block[knot]
		Color int64
	}
)

// rings returns a type whose LP 0 handles one event.
func rings(event func(s *ring, lp *ross.LP), reverse func(s *ring)) ross.LPType {
	return ross.Type[ring, word]{
		Name: "ring",
		Init: func(s *ring, lp *ross.LP) {
			s.Start, s.Ends[1] = ross.Alloc[knot](lp, 1), ross.Alloc[knot](lp, 2)
			s.Start.Of(lp)[0].Next = s.Ends[1]
			s.Ends[1].Of(lp)[1].Next = s.Start
			s.Ends[0] = s.Start
			s.Dead = ross.Alloc[int64](lp, 4)
			ross.Free(lp, s.Dead)
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, word{})
			}
		},
		Event:   func(s *ring, lp *ross.LP, _ *ross.Bits, _ *word) { event(s, lp) },
		Reverse: func(s *ring, _ *ross.LP, _ *ross.Bits, _ *word) { reverse(s) },
	}
}

func TestCheckFollowsBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		event   func(s *ring, lp *ross.LP)
		reverse func(s *ring)
		want    string // difference; "" for none
	}{
		"nothing": {func(*ring, *ross.LP) {}, func(*ring) {}, ""},
		"in an array": {
			func(s *ring, lp *ross.LP) { s.Ends[1].Of(lp)[1].Color = 3 }, func(*ring) {},
			"ring.Ends[1][1].Color at 3, it was 0 before",
		},
		"in an embedded struct, once": {
			func(s *ring, lp *ross.LP) { s.Ends[0].Of(lp)[0].Color = 3 }, func(*ring) {},
			"ring.rope.Start[0].Color at 3, it was 0 before",
		},
		"a block in a block that is another one": {
			func(s *ring, lp *ross.LP) { s.Ends[1].Of(lp)[0].Next = s.Start }, func(*ring) {},
			"ring.Ends[1][0].Next.at at 1, it was 0 before; ring.Ends[1][0].Next.n at 1, it was 0 before",
		},
		"a block that is given back and not forgotten": {
			func(s *ring, lp *ross.LP) {
				s.Spare = ross.Alloc[int64](lp, 8)
				s.Spare.Of(lp)[0] = 1
				ross.Free(lp, s.Spare)
			},
			func(s *ring) { s.Spare = ross.Block[int64]{} }, "",
		},
		"a new block": {
			func(s *ring, lp *ross.LP) { s.Spare = ross.Alloc[int64](lp, 8); s.Spare.Of(lp)[7] = 2 },
			func(s *ring) { s.Spare = ross.Block[int64]{} }, "",
		},
		"a block that stays in the state": {
			func(s *ring, lp *ross.LP) { s.Spare = ross.Alloc[int64](lp, 8) }, func(*ring) {},
			"ring.Spare.at at 18446744073709551615, it was 0 before; ring.Spare.n at 8, it was 0 before",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Checking(6), rings(c.event, c.reverse))
			if c.want == "" {
				require.NoError(t, out.Err)
				return
			}
			require.EqualError(t, out.Err, "ross: LP 0 (ring) at time 1: Reverse of the event that LP 0 sent at time 0 left "+c.want+undoFix)
		})
	}
}

// hidden is state that nothing rolls back.
var hidden atomic.Int64

// TestCheckComparesValuesOfBlocksUpToALimit has more values differ than an error
// should name.
func TestCheckComparesValuesOfBlocksUpToALimit(t *testing.T) {
	hidden.Store(0)
	out := rosstest.Try(t, rosstest.Checking(6), rings(func(s *ring, lp *ross.LP) {
		s.Spare = ross.Alloc[int64](lp, 100)
		ross.Send(lp, 1, 1, word{})
		for i := range s.Spare.Of(lp) {
			s.Spare.Of(lp)[i] = hidden.Add(1)
		}
	}, func(s *ring) { s.Spare = ross.Block[int64]{} }))
	require.ErrorContains(t, out.Err, "left ring.Spare[0] at 101, it was 1 after the first call; ring.Spare[1] at 102,")
	require.ErrorContains(t, out.Err, "ring.Spare[19] at 120, it was 20 after the first call: bad rollback")
}
