// Check finds broken invariants: each invariant of csrc/buddy.c, in C and in Go.

package buddy

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mem"
)

// broken spoils a pool of 64 KiB in which 16 blocks of 32 bytes are taken: the one
// at 0 is handed out, the others are in the magazine. The rest is one free block
// of each order from 9 to 15.
var broken = []struct {
	name  string
	want  int
	spoil func(s *shared)
}{
	{"a list without a block", 1, func(s *shared) { s.orders |= 1 << 20; s.list[20] = none }},
	{"a list of what is no block", 1, func(s *shared) { s.list[12] = s.top }},
	{"a list that lost its end", 1, func(s *shared) { (&twin{s}).link(s.list[12]).prev = 0 }},
	{"a list with a taken block", 2, func(s *shared) { *s.stateAt(s.list[12]) = taken | 12 }},
	{"a list of another order", 2, func(s *shared) { *s.stateAt(s.list[12]) = listed | 11 }},
	{"an order that is none", 3, func(s *shared) { *s.stateAt(0) = taken | 60 }},
	{"a block in a block", 3, func(s *shared) { *s.stateAt(s.list[12] + 64) = taken | 5 }},
	{"a gap", 3, func(s *shared) { *s.stateAt(0) = 0 }},
	{"two free buddies", 4, func(s *shared) {
		t := &twin{s}
		off := t.take(12)
		t.push(off, 11)
		t.push(off+1<<11, 11)
	}},
	{"free bytes too many", 5, func(s *shared) { s.free += 32 }},
	{"a free block in no list", 5, func(s *shared) { (&twin{s}).remove(s.list[12], 12) }},
	{"taken blocks too many", 6, func(s *shared) { s.taken++ }},
	{"a magazine too full", 7, func(s *shared) { s.magazine[0].cap = 1 }},
	{"a magazine with a block twice", 7, func(s *shared) { s.magazine[0].block[1] = s.magazine[0].block[0] }},
	{"a magazine with a free block", 7, func(s *shared) { s.magazine[0].block[1] = s.list[12] }},
	{"a magazine of what is no block", 7, func(s *shared) { s.magazine[0].block[1] = s.top }},
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	for _, impl := range Impls() {
		for _, c := range broken {
			p, err := NewCharged(impl, 16, 1<<20, nil)
			require.NoError(t, err)
			_, err = p.Alloc(32)
			require.NoError(t, err)
			require.NoError(t, p.Check())
			c.spoil(p.s)
			require.EqualError(t, p.Check(), fmt.Sprintf("buddy pool (%s): invariant %d of csrc/buddy.c is broken", impl, c.want), c.name)
			p.Close()
		}
		p, err := NewCharged(impl, 16, 1<<20, nil)
		require.NoError(t, err)
		p.s.top = 1 << 17
		require.EqualError(t, p.Check(), fmt.Sprintf("buddy pool (%s): 131072 bytes are more than is there", impl))
		p.Close()
	}
}

// TestBlocksWaitForTheirState has a budget that allows the blocks of a growth,
// but not the state of all of them: the pool takes what it can.
func TestBlocksWaitForTheirState(t *testing.T) {
	for _, impl := range Impls() {
		p, err := NewCharged(impl, 20, 1<<30, mem.NewBudget(2<<20))
		require.NoError(t, err)
		n := 0
		for ; err == nil; n++ {
			_, err = p.Alloc(1 << 12)
			if n == 1728/4 {
				require.NoError(t, p.Check())
				require.EqualValues(t, 1984<<10, p.data.Committed())
				require.EqualValues(t, 1732<<10, p.s.top)
			}
		}
		require.ErrorIs(t, err, mem.ErrLimit)
		require.NoError(t, p.Check())
		require.EqualValues(t, p.s.top, p.Used())
		require.Greater(t, p.s.top, uint64(1900<<10))
		p.Close()
	}
}
