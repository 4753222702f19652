// Pool: the operations that run once per block. They are all in Go and touch only the magazines;
// the lists behind them, in C or in Go, are called once per batch.

package buddy

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Pool is a memory pool outside the Go heap: the collector does not scan it, so it must not hold Go
// pointers. It belongs to one PE and is not safe for concurrent use.
type Pool struct {
	base unsafe.Pointer
	s    *shared
	back lists
	impl string
	data *mem.Region // the blocks
	side *mem.Region // shared, and after it the state of the blocks
	gone *shed       // see Shed, nil before the first time
}

// lists is the interface of the lists behind the magazines.
type lists interface {
	Fill(m uint32)
	Empty(m uint32)
	Drain()
	Take(order uint32) uint64
	Give(off uint64, order uint32)
	TakeAll(order uint32, at []uintptr) int
	GiveAll(order uint32, at []uintptr)
	Reach(order uint32) uint64
	Extend(top uint64)
	Check() int
}

const poison = 0xDB // fills freed blocks under invariants

// orderOf returns the order of the block for n bytes; 0 counts as 1.
func orderOf(n uintptr) uint32 {
	return minOrder + uint32(bits.Len64(uint64(max(n, 1)-1)>>minOrder))
}

// Size returns the size of the block that Alloc takes for n bytes: the next power of two, at least
// 32.
func Size(n uintptr) uintptr { return 1 << orderOf(n) }

// Alloc returns the address of n bytes, 1 to the pool's limit, aligned to 16. Their contents are
// undefined. The error is a *mem.LimitError when the budget or the limit does not allow the pool to
// grow; the pool is then as it was.
func (p *Pool) Alloc(n uintptr) (unsafe.Pointer, error) {
	if n-1 < magazineMax && !invariants.Enabled {
		g := &p.s.magazine[bits.Len64(uint64(n-1)>>minOrder)&(magazines-1)]
		if i := g.n - 1; i < magazineCap {
			g.n = i
			return unsafe.Add(p.base, g.block[i]), nil
		}
	}
	return p.alloc(n)
}

// Free takes back the n bytes at b, which Alloc gave for the same n, or for
// another that needs a block of the same Size.
func (p *Pool) Free(b unsafe.Pointer, n uintptr) {
	if n-1 < magazineMax && !invariants.Enabled {
		g := &p.s.magazine[bits.Len64(uint64(n-1)>>minOrder)&(magazines-1)]
		if i := g.n; i < g.cap {
			g.block[i&(magazineCap-1)] = uint64(uintptr(b) - uintptr(p.base))
			g.n = i + 1
			return
		}
	}
	p.free(b, n)
}

// alloc is Alloc for blocks that the magazines do not have.
func (p *Pool) alloc(n uintptr) (unsafe.Pointer, error) {
	if n > p.data.Reserved() {
		return nil, p.full()
	}
	order := orderOf(n)
	off := p.take(order)
	if off == none { // before the pool grows, blocks in magazines may suffice
		p.back.Drain()
		off = p.take(order)
	}
	if off == none && p.regain(order) {
		off = p.take(order)
	}
	if off == none {
		if err := p.grow(uintptr(p.back.Reach(order))); err != nil {
			return nil, err
		}
		off = p.take(order)
	}
	return p.handOut(off, order), nil
}

// Reuse is Alloc if that takes no more memory, and nil otherwise.
func (p *Pool) Reuse(n uintptr) unsafe.Pointer {
	if n > p.data.Reserved() {
		return nil
	}
	order := orderOf(n)
	off := p.take(order)
	if off == none {
		return nil
	}
	return p.handOut(off, order)
}

// handOut returns the address of a block that was taken.
func (p *Pool) handOut(off uint64, order uint32) unsafe.Pointer {
	if invariants.Enabled {
		invariants.Check(off != none, "a pool that grew for a block of order %d has none", order)
		p.checkHandOut(off, order)
	}
	return unsafe.Add(p.base, off)
}

func (p *Pool) checkHandOut(off uint64, order uint32) {
	s := p.s.stateAt(off)
	invariants.Check(*s == taken|uint8(order), "block %#x of order %d has state %#x", off, order, *s)
	*s = handed | uint8(order)
}

// ReuseAll is [Pool.Reuse] for as many of the places at as the lists have blocks for, the last one first. It returns
// their number, and passes over the magazines.
func (p *Pool) ReuseAll(n uintptr, at []uintptr) int {
	if n > p.data.Reserved() || len(at) == 0 {
		return 0
	}
	order := orderOf(n)
	got := p.back.TakeAll(order, at)
	if invariants.Enabled {
		for _, b := range at[len(at)-got:] {
			p.checkHandOut(uint64(b-uintptr(p.base)), order)
		}
	}
	return got
}

// FreeAll is [Pool.Free] for blocks of one size, by their addresses. It passes over the magazines.
func (p *Pool) FreeAll(at []uintptr, n uintptr) {
	if len(at) == 0 {
		return
	}
	order := orderOf(n)
	if invariants.Enabled {
		for _, b := range at {
			p.markFreed(uint64(b-uintptr(p.base)), n, order)
		}
	}
	p.back.GiveAll(order, at)
}

// take returns a block, or none.
func (p *Pool) take(order uint32) uint64 {
	m := order - minOrder
	if m >= magazines {
		return p.back.Take(order)
	}
	g := &p.s.magazine[m]
	if g.n == 0 {
		p.back.Fill(m)
	}
	if g.n == 0 {
		return none
	}
	g.n--
	return g.block[g.n]
}

// free is Free for blocks that the magazines have no room for.
func (p *Pool) free(b unsafe.Pointer, n uintptr) {
	order, off := orderOf(n), uint64(uintptr(b)-uintptr(p.base))
	if invariants.Enabled {
		p.markFreed(off, n, order)
	}
	m := order - minOrder
	if m >= magazines {
		p.back.Give(off, order)
		return
	}
	g := &p.s.magazine[m]
	if g.n == g.cap {
		p.back.Empty(m)
	}
	g.block[g.n] = off
	g.n++
}

// markFreed checks that a block may be freed, and overwrites it.
func (p *Pool) markFreed(off uint64, n uintptr, order uint32) {
	p.checkFree(off, n, order)
	*p.s.stateAt(off) = taken | uint8(order)
	block := unsafe.Slice((*byte)(unsafe.Add(p.base, off)), 1<<order)
	for i := range block {
		block[i] = poison
	}
}

func (p *Pool) checkFree(off uint64, n uintptr, order uint32) {
	invariants.Check(off < p.s.top && off%(1<<minOrder) == 0, "freed %d bytes at %#x: not a block of this pool", n, off)
	s := *p.s.stateAt(off)
	invariants.Check(s&where == handed, "freed %d bytes at %#x: freed before, or never handed out (state %#x)", n, off, s)
	invariants.Check(s == handed|uint8(order), "freed %d bytes at %#x: it is a block of %d", n, off,
		uint64(1)<<(s&orderBits))
}

// grow makes the pool at least top bytes long. The state comes first: blocks
// without state are of no use.
func (p *Pool) grow(top uintptr) error {
	if top > p.data.Reserved() {
		return p.full()
	}
	if err := growByEighth(p.side, sideSize(top)); err != nil {
		return err
	}
	if err := growByEighth(p.data, top); err != nil {
		return err
	}
	have := p.data.Committed()
	if growByEighth(p.side, sideSize(have)) != nil { // the rest of the blocks waits for its state
		have = top
	}
	p.back.Extend(uint64(have))
	return nil
}

// growByEighth grows a region in steps small enough that a pool of any size has little memory that
// is charged but unused.
func growByEighth(r *mem.Region, need uintptr) error { return r.GrowBy(need, r.Committed()/8) }

func (p *Pool) full() error { return p.data.Full() }

// Holds reports whether an address lies in the memory that the pool has.
func (p *Pool) Holds(b unsafe.Pointer) bool { return uintptr(b)-uintptr(p.base) < p.data.Committed() }

// Unit returns the number of the unit, the smallest block, in which the memory at b begins, for
// data kept about blocks outside the pool. For memory outside the pool it is greater than the
// number of any of its units.
func (p *Pool) Unit(b unsafe.Pointer) uintptr {
	return (uintptr(b) - uintptr(p.base)) >> minOrder
}

// Impl returns the implementation of the pool: "c" or "go".
func (p *Pool) Impl() string { return p.impl }

// Used returns the bytes handed out, counted in whole blocks.
func (p *Pool) Used() uint64 {
	n := p.s.top - p.s.free - p.s.shed
	for m := range p.s.magazine {
		n -= uint64(p.s.magazine[m].n) << (minOrder + m)
	}
	return n
}

// Live returns the number of blocks handed out.
func (p *Pool) Live() uint64 {
	n := p.s.taken
	if p.gone != nil {
		n -= p.gone.n
	}
	for m := range p.s.magazine {
		n -= uint64(p.s.magazine[m].n)
	}
	return n
}

// Peak returns the most bytes that were handed out or in magazines at once: Used
// at its highest, or up to 79 KiB more.
func (p *Pool) Peak() uint64 { return p.s.peak }

// Bytes returns the memory that the pool has charged: blocks, used and free, and
// their state.
func (p *Pool) Bytes() uint64 { return uint64(p.data.Charged()) + uint64(p.side.Committed()) }

// Drain returns the blocks in the magazines to the lists, where they merge. Alloc calls it before
// the pool grows.
func (p *Pool) Drain() { p.back.Drain() }

// Check verifies the structure of the whole pool. It costs time in proportion to
// Bytes.
func (p *Pool) Check() error {
	if p.s.top > 0 && (p.s.top > uint64(p.data.Committed()) || sideSize(uintptr(p.s.top)) > p.side.Committed()) {
		return fmt.Errorf("buddy pool (%s): %d bytes are more than is there", p.impl, p.s.top)
	}
	if n := p.back.Check(); n != 0 {
		return fmt.Errorf("buddy pool (%s): invariant %d of csrc/buddy.c is broken", p.impl, n)
	}
	if invariants.Enabled {
		if n := p.s.handedOut(); n != p.Live() {
			return fmt.Errorf("buddy pool (%s): %d blocks are marked as handed out, want %d", p.impl, n, p.Live())
		}
	}
	return nil
}

// Close releases the pool's memory. No block of it may be used after that.
func (p *Pool) Close() {
	p.data.Release()
	p.side.Release()
	*p = Pool{s: &shared{}, data: &mem.Region{}, side: &mem.Region{}, back: &twin{&shared{}}, impl: p.impl}
}
