// Package buddytest is the conformance suite of buddy pools: the same tests for
// every implementation, against a sorted slice of intervals.
//
// A test of an implementation is one line:
//
//	func TestC(t *testing.T) { buddytest.Run(t, "c") }
package buddytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// Harness is a pool together with its model: the blocks that are handed out, in
// the order of their addresses, each filled with a different pattern.
type Harness struct {
	t     testing.TB
	Pool  *buddy.Pool
	live  []block
	bytes uint64 // in whole blocks
	peak  uint64
	shed  bool // so the pool may have less memory than it once needed
	ops   int
	every int // operations between checks of the whole structure
}

type block struct {
	at   uintptr
	p    unsafe.Pointer
	n    uintptr
	fill byte
}

func (b block) end() uintptr { return b.at + buddy.Size(b.n) }

// mark writes the block's pattern to its first and last bytes, whole reports
// whether it is still there. All of a large block would take too long.
func (b block) mark() { b.each(func(x *byte) bool { *x = b.fill; return true }) }

func (b block) whole() bool { return b.each(func(x *byte) bool { return *x == b.fill }) }

func (b block) each(do func(*byte) bool) bool {
	const most = 64
	bytes := unsafe.Slice((*byte)(b.p), b.n)
	for i := range bytes {
		if i < most || i >= len(bytes)-most {
			if !do(&bytes[i]) {
				return false
			}
		}
	}
	return true
}

// NewHarness makes an empty pool of an implementation.
func NewHarness(t testing.TB, impl string, limit uint64, budget *mem.Budget) *Harness {
	p, err := buddy.NewCharged(impl, 0, limit, budget)
	require.NoError(t, err)
	require.Equal(t, impl, p.Impl())
	t.Cleanup(p.Close)
	return &Harness{t: t, Pool: p, every: 397}
}

// Len returns how many blocks are handed out.
func (h *Harness) Len() int { return len(h.live) }

// Alloc takes n bytes and compares with the model. It returns the pool's error,
// which is always one about memory.
func (h *Harness) Alloc(n uintptr) error {
	p, err := h.Pool.Alloc(n)
	if err != nil {
		require.ErrorIs(h.t, err, mem.ErrLimit)
		h.count()
		return err
	}
	h.enter(p, n)
	h.count()
	return nil
}

// enter compares with the model n bytes that the pool has handed out, and adds them to it.
func (h *Harness) enter(p unsafe.Pointer, n uintptr) {
	b := block{uintptr(p), p, n, byte(h.ops)}
	if b.at%16 != 0 {
		h.t.Fatalf("after %d operations: %d bytes at %#x are not aligned", h.ops, n, b.at)
	}
	i, _ := slices.BinarySearchFunc(h.live, b.at, func(x block, at uintptr) int {
		if x.at < at {
			return -1
		}
		return 1
	})
	if i > 0 && h.live[i-1].end() > b.at || i < len(h.live) && h.live[i].at < b.end() {
		h.t.Fatalf("after %d operations: %d bytes at %#x overlap another block", h.ops, n, b.at)
	}
	b.mark()
	h.live = slices.Insert(h.live, i, b)
	h.bytes += uint64(buddy.Size(n))
	h.peak = max(h.peak, h.bytes)
}

// Reuse takes up to most blocks of n bytes that take no more memory, all at once.
func (h *Harness) Reuse(n uintptr, most int) {
	at := make([]uintptr, most)
	got := h.Pool.ReuseAll(n, at)
	for _, p := range at[most-got:] {
		h.enter(plain.Pointer(uint64(p)), n)
	}
	h.count()
}

// FreeLike gives back, all at once, the i-th block and up to most others that need a block of the same size.
func (h *Harness) FreeLike(i, most int) {
	size := buddy.Size(h.live[i].n)
	var at []uintptr
	h.live = slices.DeleteFunc(h.live, func(b block) bool {
		if buddy.Size(b.n) != size || len(at) > most {
			return false
		}
		if !b.whole() {
			h.t.Fatalf("after %d operations: the pool wrote into %d bytes at %#x", h.ops, b.n, b.at)
		}
		at = append(at, b.at)
		return true
	})
	h.bytes -= uint64(size) * uint64(len(at))
	h.Pool.FreeAll(at, size)
	h.count()
}

// Free gives the i-th block back, counted by address.
func (h *Harness) Free(i int) {
	b := h.live[i]
	if !b.whole() {
		h.t.Fatalf("after %d operations: the pool wrote into %d bytes at %#x", h.ops, b.n, b.at)
	}
	h.live = slices.Delete(h.live, i, i+1)
	h.bytes -= uint64(buddy.Size(b.n))
	h.Pool.Free(b.p, b.n)
	h.count()
}

// Shed has the pool give back the memory of what is free. What is handed out stays as it is.
func (h *Harness) Shed() {
	h.shed = true
	before := h.Pool.Bytes()
	h.Pool.Shed()
	if h.Pool.Bytes() > before {
		h.t.Fatalf("after %d operations: %d bytes after shedding, %d before", h.ops, h.Pool.Bytes(), before)
	}
	for _, b := range h.live {
		if !b.whole() {
			h.t.Fatalf("after %d operations: the pool shed %d bytes at %#x, which are in use", h.ops, b.n, b.at)
		}
	}
	h.count()
}

// Drain frees everything, in random order, and verifies that a pool with
// nothing handed out is as if new.
func (h *Harness) Drain(r *rand.Rand) {
	for len(h.live) > 0 {
		h.Free(r.IntN(len(h.live)))
	}
	h.Pool.Drain()
	h.Check()
	require.Zero(h.t, h.Pool.Used())
	require.Zero(h.t, h.Pool.Live())
}

// Check verifies the pool and compares its figures with the model's.
func (h *Harness) Check() {
	require.NoError(h.t, h.Pool.Check(), "after %d operations", h.ops)
	h.figures()
}

func (h *Harness) figures() {
	p := h.Pool
	if p.Used() != h.bytes || p.Live() != uint64(len(h.live)) {
		h.t.Fatalf("after %d operations: %d bytes in %d blocks, want %d in %d", h.ops, p.Used(), p.Live(), h.bytes,
			len(h.live))
	}
	if p.Peak() < h.peak || p.Peak() > h.peak+79<<10 || !h.shed && p.Bytes() < p.Peak() || p.Bytes() < p.Used() {
		h.t.Fatalf("after %d operations: peak %d of %d bytes, want %d", h.ops, p.Peak(), p.Bytes(), h.peak)
	}
}

func (h *Harness) count() {
	h.figures()
	if h.ops++; h.ops%h.every == 0 {
		h.Check()
	}
}

// upTo returns a random size, 1 to n.
func upTo(r *rand.Rand, n uint) uintptr { return 1 + uintptr(r.UintN(n)) }

// Sizes are distributions of sizes, by what they attack.
var Sizes = map[string]func(r *rand.Rand) uintptr{
	"small":     func(r *rand.Rand) uintptr { return upTo(r, 64) },
	"one order": func(*rand.Rand) uintptr { return 256 },
	"magazines": func(r *rand.Rand) uintptr { return 1 << r.UintN(13) },
	"borders":   func(r *rand.Rand) uintptr { return 1<<(5+r.UintN(12)) + upTo(r, 2) - 1 },
	"mixed":     func(r *rand.Rand) uintptr { return upTo(r, 1<<r.UintN(16)) },
	"large":     func(r *rand.Rand) uintptr { return 4096 + upTo(r, 1<<15) },
	"rare large": func(r *rand.Rand) uintptr {
		if r.IntN(100) == 0 {
			return 1 << 17
		}
		return upTo(r, 512)
	},
}

// Run runs the whole suite on an implementation.
func Run(t *testing.T, impl string) {
	t.Run("sizes", func(t *testing.T) { testSizes(t, impl) })
	t.Run("all of it is one set of maximal blocks again", func(t *testing.T) { testMerge(t, impl) })
	t.Run("a refused growth leaves the pool intact", func(t *testing.T) { testRefused(t, impl) })
	t.Run("magazines are used up before the pool grows", func(t *testing.T) { testMagazines(t, impl) })
	t.Run("the limit", func(t *testing.T) { testLimit(t, impl) })
	t.Run("first size", func(t *testing.T) { testFirst(t, impl) })
	t.Run("shedding", func(t *testing.T) { testShed(t, impl) })
	t.Run("what one pool sheds another one has", func(t *testing.T) { testShedForOthers(t, impl) })
	t.Run("closed", func(t *testing.T) { testClosed(t, impl) })
}

// testSizes grows, holds, shrinks and drains, for every distribution.
func testSizes(t *testing.T, impl string) {
	for name, size := range Sizes {
		for _, n := range testlevel.Pick([]int{1, 40, 400}, []int{1, 40, 400}, []int{1, 100}) {
			t.Run(fmt.Sprintf("%s/n=%d", name, n), func(t *testing.T) {
				h := NewHarness(t, impl, 1<<30, nil)
				r := rand.New(rand.NewPCG(uint64(n), 5))
				for range 2 {
					for range n {
						require.NoError(t, h.Alloc(size(r)))
					}
					for range 2 * n {
						h.Free(r.IntN(h.Len()))
						require.NoError(t, h.Alloc(size(r)))
					}
					h.FreeLike(r.IntN(h.Len()), n/2)
					for h.Len() < n {
						h.Reuse(size(r), n-h.Len())
						require.NoError(t, h.Alloc(size(r)))
					}
					for range n { // the newest first, as a rollback does
						h.Free(h.Len() - 1)
						if r.IntN(2) == 0 {
							require.NoError(t, h.Alloc(size(r)))
						}
					}
				}
				h.Drain(r)
			})
		}
	}
}

// testMerge takes the whole pool as the blocks of its length's binary digits,
// after it has been all in small pieces.
func testMerge(t *testing.T, impl string) {
	h := NewHarness(t, impl, 8<<20, mem.NewBudget(8<<20))
	r := rand.New(rand.NewPCG(1, 1))
	for h.Alloc(upTo(r, 3000)) == nil {
	}
	h.Drain(r)
	free := uint64(0)
	for size := uintptr(4 << 20); size >= 1<<13; size /= 2 {
		for h.Alloc(size) == nil {
			free += uint64(size)
		}
	}
	require.Less(t, h.Pool.Bytes()-free, uint64(400<<10), "of 8 MiB only the state of the blocks is missing")
	h.Drain(r)
}

// testRefused lets a budget end the growth, frees some blocks, and continues.
func testRefused(t *testing.T, impl string) {
	budget := mem.NewBudget(1 << 20)
	h := NewHarness(t, impl, 1<<30, budget)
	r := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		var err error
		for err == nil {
			err = h.Alloc(upTo(r, 9000))
		}
		var limit *mem.LimitError
		require.ErrorAs(t, err, &limit)
		require.EqualValues(t, 1<<20, limit.Limit)
		h.Check()
		require.EqualValues(t, budget.Used(), h.Pool.Bytes())
		for range h.Len() / 3 {
			h.Free(r.IntN(h.Len()))
		}
	}
	h.Drain(r)
}

// testMagazines has all of a pool wait in magazines, as pairs of buddies, and
// asks for a block that needs them merged.
func testMagazines(t *testing.T, impl string) {
	p, err := buddy.NewCharged(impl, 16, 1<<20, mem.NewBudget(128<<10))
	require.NoError(t, err)
	defer p.Close()
	small, err := p.Alloc(4096)
	require.NoError(t, err)
	_, err = p.Alloc(64 << 10)
	require.ErrorIs(t, err, mem.ErrLimit)
	p.Free(small, 4096)
	_, err = p.Alloc(64 << 10)
	require.NoError(t, err)
	require.NoError(t, p.Check())
}

func testLimit(t *testing.T, impl string) {
	h := NewHarness(t, impl, 3<<20, nil) // rounded up to 4 MiB
	require.Error(t, h.Alloc(4<<20+1))
	require.Error(t, h.Alloc(1<<62))
	require.NoError(t, h.Alloc(1))
	require.Error(t, h.Alloc(4<<20), "the pool's first 32 bytes are in use")
	require.NoError(t, h.Alloc(2<<20))
	h.Drain(rand.New(rand.NewPCG(3, 1)))
	require.NoError(t, h.Alloc(4<<20))
	require.Error(t, h.Alloc(1))
	h.Drain(rand.New(rand.NewPCG(3, 1)))
}

func testFirst(t *testing.T, impl string) {
	for _, log := range []uint{1, 5, 16, 20} {
		budget := mem.NewBudget(4 << 20)
		p, err := buddy.NewCharged(impl, log, 1<<30, budget)
		require.NoError(t, err)
		require.NoError(t, p.Check())
		before := p.Bytes()
		require.GreaterOrEqual(t, before, uint64(1)<<log)
		_, err = p.Alloc(1 << log)
		require.NoError(t, err)
		require.Equal(t, before, p.Bytes())
		p.Close()
		require.Zero(t, budget.Used())
	}
	for _, log := range []uint{23, 40, 63, 200} {
		budget := mem.NewBudget(4 << 20)
		_, err := buddy.NewCharged(impl, log, 1<<30, budget)
		require.ErrorIs(t, err, mem.ErrLimit)
		require.ErrorContains(t, err, fmt.Sprintf("ross: buddy pool: first size 2^%d bytes: ", log))
		require.Zero(t, budget.Used())
	}
}

// testShed grows and shrinks a pool that sheds now and then, in the memory of a budget.
func testShed(t *testing.T, impl string) {
	for name, size := range Sizes {
		t.Run(name, func(t *testing.T) {
			budget := mem.NewBudget(1 << 20)
			h := NewHarness(t, impl, 1<<30, budget)
			r := rand.New(rand.NewPCG(6, 1))
			for range 6 {
				for range 300 {
					if h.Alloc(size(r)) != nil {
						break
					}
				}
				for i := h.Len() * 3 / 4; i > 0; i-- {
					if h.Free(r.IntN(h.Len())); i%50 == 0 {
						h.Shed()
					}
				}
				require.Equal(t, h.Pool.Bytes(), budget.Used())
				h.Check()
			}
			h.Drain(r)
			h.Shed()
			require.Less(t, budget.Used(), uint64(160<<10), "the state of the blocks is left")
			for free := 1 << 19; free >= 1<<12; free /= 2 { // in whatever pieces they were shed
				require.NoError(t, h.Alloc(uintptr(free)/2))
			}
			h.Drain(r)
			h.Pool.Close()
			require.Zero(t, budget.Used())
		})
	}
}

// testShedForOthers has pools take turns in needing all of the memory of a budget.
func testShedForOthers(t *testing.T, impl string) {
	budget := mem.NewBudget(1 << 20)
	a, b := NewHarness(t, impl, 1<<30, budget), NewHarness(t, impl, 1<<30, budget)
	r := rand.New(rand.NewPCG(7, 1))
	for range 4 {
		for a.Alloc(5000) == nil {
		}
		require.Greater(t, a.Len(), 100)
		require.Error(t, b.Alloc(64<<10))
		for a.Len() > 0 {
			a.Free(r.IntN(a.Len()))
		}
		a.Shed()
		require.NoError(t, b.Alloc(64<<10))
		for b.Len() > 0 {
			b.Free(0)
		}
		b.Shed()
		a, b = b, a
	}
}

func testClosed(t *testing.T, impl string) {
	p, err := buddy.NewCharged(impl, 10, 1<<30, nil)
	require.NoError(t, err)
	p.Close()
	require.Zero(t, p.Bytes()+p.Used()+p.Live()+p.Peak())
	require.NoError(t, p.Check())
	_, err = p.Alloc(1)
	require.Error(t, err)
	p.Drain()
	p.Close()
}

// Fuzz plays operations that data gives, two bytes each: the first is what to do,
// the second how large or which.
func Fuzz(t *testing.T, impl string, data []byte) {
	h := NewHarness(t, impl, 2<<20, mem.NewBudget(1<<20))
	h.every = 1
	for ; len(data) >= 2; data = data[2:] {
		op, arg := data[0], uintptr(data[1])
		switch {
		case op >= 0xfc:
			h.Shed()
		case op >= 0xf8:
			h.Pool.Drain()
			h.Check()
		case op >= 0xf6:
			h.Reuse(1<<(op-0xf0)+arg, 1+int(arg))
		case op >= 0xf4 && h.Len() > 0:
			h.FreeLike(int(arg)*h.Len()>>8, int(op-0xf4)*40)
		case op >= 0xf0: // many of one size
			for range 40 {
				_ = h.Alloc(arg + 1)
			}
		case op >= 0x80 && h.Len() > 0:
			for range 1 + op&0x1f {
				if h.Len() > 0 {
					h.Free(int(arg) * h.Len() >> 8)
				}
			}
		default: // a size of op's order, in part given by arg
			order := op % 20
			_ = h.Alloc(1<<order + arg<<order>>8)
		}
	}
	h.Drain(rand.New(rand.NewPCG(4, 1)))
}
