// This file owns the tests that look into the pool: its shape, the same in C and in Go after every operation, and
// Check, which finds each broken invariant of csrc/buddy.c, in C and in Go.

package buddy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/stretchr/testify/require"
)

// TestCAndGoHaveOneShape compares all that the implementations keep: the
// offsets of blocks, lists and magazines, and the state of every 32 bytes.
func TestCAndGoHaveOneShape(t *testing.T) {
	if !csrc.Enabled {
		require.Equal(t, []string{"go"}, Impls())
		return
	}
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	var pools [2]*Pool
	for i, impl := range Impls() {
		p, err := NewCharged(impl, 12, 1<<22, mem.NewBudget(3<<20))
		require.NoError(t, err)
		defer p.Close()
		pools[i] = p
	}
	type block struct {
		p [2]unsafe.Pointer
		n uintptr
	}
	var live []block
	for op := range 20000 {
		switch {
		case op%97 == 96: // many at once
			n := 1 + uintptr(r.UintN(1<<r.UintN(15)))
			var at [2][20]uintptr
			got := pools[0].ReuseAll(n, at[0][:])
			require.Equal(t, got, pools[1].ReuseAll(n, at[1][:]), "seed %d, operation %d", seed, op)
			for i := len(at[0]) - got; i < len(at[0]); i++ {
				live = append(live, block{[2]unsafe.Pointer{plain.Pointer(uint64(at[0][i])), plain.Pointer(uint64(at[1][i]))}, n})
			}
		case op%97 == 48 && len(live) > 0:
			size := Size(live[r.IntN(len(live))].n)
			var at [2][]uintptr
			live = slices.DeleteFunc(live, func(b block) bool {
				if Size(b.n) == size {
					at[0], at[1] = append(at[0], uintptr(b.p[0])), append(at[1], uintptr(b.p[1]))
				}
				return Size(b.n) == size
			})
			for j, p := range pools {
				p.FreeAll(at[j], size)
			}
		case len(live) > 0 && r.IntN(100) < 30+op/1000%40:
			i := r.IntN(len(live))
			b := live[i]
			live[i] = live[len(live)-1]
			live = live[:len(live)-1]
			for j, p := range pools {
				p.Free(b.p[j], b.n)
			}
		default:
			b := block{n: 1 + uintptr(r.UintN(1<<r.UintN(17)))}
			var errs [2]error
			for j, p := range pools {
				b.p[j], errs[j] = p.Alloc(b.n)
			}
			require.Equal(t, errs[0], errs[1], "seed %d, operation %d", seed, op)
			if errs[0] == nil {
				live = append(live, b)
			}
		}
		requireSameShape(t, pools, seed, op, op%400 == 0)
	}
	require.Greater(t, pools[0].Peak(), uint64(2<<20), "the script is too tame")
}

func requireSameShape(t *testing.T, pools [2]*Pool, seed, op int, whole bool) {
	t.Helper()
	a, b := *pools[0].s, *pools[1].s
	a.base, a.state, b.base, b.state = nil, nil, nil, nil
	if a != b {
		t.Fatalf("seed %d, operation %d: C has %+v, Go %+v", seed, op, a, b)
	}
	if !whole {
		return
	}
	if state(pools[0]) != state(pools[1]) {
		t.Fatalf("seed %d, operation %d: C and Go have blocks of other states", seed, op)
	}
	for _, p := range pools {
		require.NoError(t, p.Check())
	}
}

func state(p *Pool) string { return string(unsafe.Slice((*byte)(p.s.state), p.s.top>>minOrder)) }

// TestAnEmptyPoolIsASetOfMaximalBlocks looks at the lists: one block for each
// binary digit of the pool's length.
func TestAnEmptyPoolIsASetOfMaximalBlocks(t *testing.T) {
	for _, impl := range Impls() {
		p, err := NewCharged(impl, 0, 1<<30, nil)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(1, 1))
		var live []unsafe.Pointer
		for p.Bytes() < 20<<20 {
			b, err := p.Alloc(700)
			require.NoError(t, err)
			live = append(live, b)
		}
		r.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		for _, b := range live {
			p.Free(b, 700)
		}
		p.Drain()
		require.NoError(t, p.Check())
		require.Equal(t, p.s.top, p.s.free)
		require.Equal(t, p.s.top, p.s.orders, "%s: bit k is set: a list of order k", impl)
		p.Close()
	}
}

// TestLittleIsChargedThatIsNotUsed fills a pool with blocks of one size, which
// leaves no gaps.
func TestLittleIsChargedThatIsNotUsed(t *testing.T) {
	for _, impl := range Impls() {
		p, err := NewCharged(impl, 0, 1<<30, nil)
		require.NoError(t, err)
		charged, growths := p.Bytes(), 0
		for p.Used() < 24<<20 {
			_, err := p.Alloc(1 << 12)
			require.NoError(t, err)
			if p.Bytes() == charged {
				continue
			}
			charged, growths = p.Bytes(), growths+1
			most := float64(p.Used())*9/8 + 64<<10 // an eighth, rounded up
			if p.Used() > 16<<20 {
				most = float64(p.Used())*9/8 + 2<<20
			}
			most += most/32*9/8 + 128<<10 // and the state
			require.LessOrEqual(t, float64(charged), most, "%s: %d bytes are used", impl, p.Used())
		}
		require.Less(t, growths, 50, "%s: it grows seldom all the same", impl)
		p.Close()
	}
}

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
	{"an order that does not exist", 3, func(s *shared) { *s.stateAt(0) = taken | 60 }},
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
			require.EqualError(t, p.Check(), fmt.Sprintf("buddy pool (%s): invariant %d of csrc/buddy.c is broken", impl,
				c.want), c.name)
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
