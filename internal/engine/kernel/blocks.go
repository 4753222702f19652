// This file owns blocks: memory that models allocate in handlers and that is rolled back
// with the event. blocktags.go keeps track of the blocks in use.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/mem"
)

// The blocks of an LP are in the pool of the PE that the mapping gives the LP to, its home. If KPs have
// moved, several PEs use one pool, and lockPool lets one of them at a time.

// lockPool keeps other PEs from the pool until unlockPool.
func (pe *PE) lockPool() {
	if pe.Run.moved.away > 0 {
		pe.poolLock.Lock()
	}
}

func (pe *PE) unlockPool() {
	if pe.Run.moved.away > 0 {
		pe.poolLock.Unlock()
	}
}

// TakeBlock returns n bytes from the PE's buddy pool. It makes the pool on first use.
func (pe *PE) TakeBlock(n uintptr) (unsafe.Pointer, error) { return pe.takeFrom(pe, n) }

// takeFrom is TakeBlock from the pool of another PE.
func (pe *PE) takeFrom(home *PE, n uintptr) (unsafe.Pointer, error) {
	home.lockPool()
	defer home.unlockPool()
	if home.Pool == nil {
		c := &pe.Run.Set
		pool, err := buddy.NewCharged(c.Tuning.Buddy, c.Tuning.BuddySize, c.MaxMemory, home.Budget)
		if err != nil {
			return nil, err
		}
		home.Pool = pool
	}
	begin := pe.Counts.Takes.Begin()
	p, err := home.Pool.Alloc(n)
	pe.Counts.Takes.End(begin, meter.SampleDeltas)
	return p, err
}

// FreeBlock returns n bytes from TakeBlock to the pool.
func (pe *PE) FreeBlock(p unsafe.Pointer, n uintptr) { pe.FreeTo(pe, p, n) }

// FreeTo is FreeBlock to the pool of another PE.
func (pe *PE) FreeTo(home *PE, p unsafe.Pointer, n uintptr) {
	home.lockPool()
	begin := pe.Counts.Frees.Begin()
	home.Pool.Free(p, n)
	pe.Counts.Frees.End(begin, meter.SampleDeltas)
	home.unlockPool()
}

// ShedBlocks gives the memory of free blocks back to the budget.
func (pe *PE) ShedBlocks() {
	pe.lockPool()
	defer pe.unlockPool()
	if pe.Pool != nil {
		pe.Pool.Shed()
	}
}

// HasPool reports whether the PE has a pool.
func (pe *PE) HasPool() bool {
	pe.lockPool()
	defer pe.unlockPool()
	return pe.Pool != nil
}

// inPool reports whether an address is in the pool of the LP's blocks.
func (lp *LP) inPool(p unsafe.Pointer) bool {
	home := lp.KP.Home
	t := home.tags.Load()
	if t == nil || t.pool.Unit(p) < uintptr(len(t.tags)) {
		return t != nil
	}
	home.lockPool() // behind the beginning of the last block
	defer home.unlockPool()
	return home.Pool.Holds(p)
}

// Alloc allocates a zeroed block of n bytes and returns its word (see blocktags.go). If
// there is no memory, it reports that and lends the handler scratch memory to go on with.
func (lp *LP) Alloc(n uintptr) uint64 {
	pe, home := lp.PE, lp.KP.Home
	pe.FreeOld(lp)
	p, err := pe.takeFrom(home, n)
	tag := uint8(0)
	if err == nil {
		if tag, err = home.tag(p); err != nil {
			pe.FreeTo(home, p, n)
		}
	}
	if err != nil {
		lp.OutOfMemory(err)
		return uint64(uintptr(pe.lendBlock(n)))
	}
	clear(unsafe.Slice((*byte)(p), n))
	at := lp.handleOf(p, tag)
	if !pe.KeepsHistory() || pe.Current == nil {
		pe.took(at)
		return at
	}
	h := lp.KP.Grow(2)
	h.Push(uint64(uintptr(p)))
	h.Push(TagAlloc<<TagShift | uint64(n))
	return at
}

// lendBlock returns memory outside that of the run to a handler whose event will be undone,
// so that the handler can go on; what it writes there is discarded. The result is nil if
// the loans would exceed the memory limit of the run, or if the system has no memory:
// unlike the Go heap, a region reports that as an error.
func (pe *PE) lendBlock(n uintptr) unsafe.Pointer {
	var spare []uint64
	if limit := pe.Budget.Limit(); uint64(n) > limit || pe.LentBytes > limit-uint64(n) {
		n = 0
	}
	if n <= mostSpare {
		spare = make([]uint64, (n+7)/8)
	} else if r, err := mem.Reserve(uint64(n), nil); err == nil {
		pe.lent = append(pe.lent, r)
		if r.Grow(n) == nil {
			spare = unsafe.Slice((*uint64)(r.Base()), (n+7)/8)
		}
	}
	pe.spares = append(pe.spares, spare)
	pe.LentBytes += uint64(len(spare)) * 8
	if len(spare) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(spare))
}

// mostSpare is the largest block that is lent from the Go heap, in bytes.
const mostSpare = 64 << 10

// TakeSpares takes back all memory from lendBlock.
func (pe *PE) TakeSpares() {
	clear(pe.spares)
	pe.spares = pe.spares[:0]
	for _, r := range pe.lent {
		r.Release()
	}
	pe.lent, pe.LentBytes = nil, 0
}

// Free frees a block of n bytes. Its memory can be used again once the event that frees it
// is committed.
func (lp *LP) Free(at uint64, n uintptr) {
	pe, p := lp.PE, AddressOf(at)
	if !lp.mayFree(at, n) {
		return
	}
	lp.MarkFreed(p, true)
	if !pe.Undoes() {
		pe.freeLater(lp, p, n)
		return
	}
	if pe.Current == nil {
		pe.gave(p)
		pe.FreeTo(lp.KP.Home, p, n)
		return
	}
	h := lp.KP.Grow(2)
	h.Push(uint64(uintptr(p)))
	h.Push(TagFree<<TagShift | uint64(n))
	h.At(h.Last).Flags |= GroupWork
}

// took and gave record, for the check of rollback, blocks that no event's history covers.
func (pe *PE) took(at uint64) {
	if pe.LiveBlocks != nil {
		pe.LiveBlocks[at&AddressMask] = at
	}
}

func (pe *PE) gave(p unsafe.Pointer) {
	if pe.LiveBlocks != nil {
		delete(pe.LiveBlocks, uint64(uintptr(p)))
	}
}

// Block is the memory layout of every ross.Block.
type Block struct {
	At uint64 // word: address, use count and owner, see blocktags.go
	N  uint64 // number of values
}

// BlockAt returns the memory and the length of the Block at p, of an LP that the mapping gives to the PE. The memory is
// nil if the block has been freed.
func (pe *PE) BlockAt(p unsafe.Pointer) (unsafe.Pointer, int) {
	b := (*Block)(p)
	if !pe.inUse(b.At) {
		return nil, int(b.N)
	}
	return AddressOf(b.At), int(b.N)
}
