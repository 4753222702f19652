// This file owns block tags: they say which blocks of Alloc are in use, so that freeing a
// block twice or reading a freed block is reported as an error.

package kernel

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/sys/plain"
)

// A Block's word is the address of the block, the number of times that address has been
// handed out, and part of the id of the LP that owns the block.
const (
	atBits      = 48
	useBits     = 6
	AddressMask = 1<<atBits - 1 // the address in a word
	useMask     = 1<<useBits - 1
	ownerMask   = 1<<(64-atBits-useBits) - 1
)

// tagFreed marks the tag of a freed block. Each unit of the pool has a tag of one byte. The
// tag of a block's first unit is its use count, 1 to useMask.
const tagFreed = 1 << 7

// handleOf returns the word of a block at p that belongs to lp and has the given tag.
func (lp *LP) handleOf(p unsafe.Pointer, tag uint8) uint64 {
	return uint64(uintptr(p)) | uint64(tag)<<atBits | lp.ID&ownerMask<<(atBits+useBits)
}

// AddressOf returns the address in a block's word.
func AddressOf(at uint64) unsafe.Pointer { return plain.Pointer(at & AddressMask) }

// useOf returns the use count in a block's word.
func useOf(at uint64) uint8 { return uint8(at >> atBits & useMask) }

// ownedBy reports whether a block may belong to lp. It cannot distinguish LPs whose ids
// differ by a multiple of 1024.
func (lp *LP) ownedBy(at uint64) bool { return at>>(atBits+useBits) == lp.ID&ownerMask }

// A tagTable has the tags of the blocks of a pool, one for each unit. Whoever has locked the pool writes tags, or
// puts a longer copy in place of the table. An LP reads the tags of its own blocks without a lock: it has
// written them itself, or before its KP moved.
type tagTable struct {
	pool *buddy.Pool
	tags []uint8
}

// tagOf returns the tag of a block of the pool, or 0 if it has none.
func (pe *PE) tagOf(at uint64) uint8 {
	if t := pe.tags.Load(); t != nil {
		if i := t.pool.Unit(AddressOf(at)); i < uintptr(len(t.tags)) {
			return t.tags[i]
		}
	}
	return 0
}

// inUse reports whether a block of the pool has not been freed since Alloc returned its word.
func (pe *PE) inUse(at uint64) bool { return pe.tagOf(at) == useOf(at) && useOf(at) != 0 }

// InUse reports whether a block of the LP has not been freed since Alloc returned its word.
func (lp *LP) InUse(at uint64) bool { return lp.KP.Home.inUse(at) }

// TagBytes returns what the tags of the PE's pool take.
func (pe *PE) TagBytes() uint64 {
	if t := pe.tags.Load(); t != nil {
		return uint64(len(t.tags))
	}
	return 0
}

// lockedTag returns the tag of the block at p. The caller has locked the pool.
func (pe *PE) lockedTag(p unsafe.Pointer) *uint8 {
	t := pe.tags.Load()
	return &t.tags[t.pool.Unit(p)]
}

// tag sets and returns the tag of a block that was just taken from the pool. It fails if
// there is no memory for the tag.
func (pe *PE) tag(p unsafe.Pointer) (uint8, error) {
	pe.lockPool()
	defer pe.unlockPool()
	i := pe.Pool.Unit(p)
	if n := uintptr(pe.TagBytes()); i >= n {
		more := max(i+1-n, n, 256)
		if err := pe.Budget.Charge(uint64(more)); err != nil {
			if more = i + 1 - n; pe.Budget.Charge(uint64(more)) != nil {
				return 0, err
			}
		}
		longer := &tagTable{pe.Pool, make([]uint8, n+more)}
		if t := pe.tags.Load(); t != nil {
			copy(longer.tags, t.tags)
		}
		pe.tags.Store(longer)
	}
	tag := pe.lockedTag(p)
	*tag = *tag&useMask%useMask + 1
	return *tag, nil
}

// MarkFreed marks a block as freed or as in use again.
func (lp *LP) MarkFreed(p unsafe.Pointer, freed bool) {
	pe := lp.KP.Home
	pe.lockPool()
	defer pe.unlockPool()
	tag := pe.lockedTag(p)
	if *tag &^= tagFreed; freed {
		*tag |= tagFreed
	}
}

// WordAt returns the word of the block of lp that is, or was last, at an address.
func (lp *LP) WordAt(address uint64) uint64 {
	p, home := plain.Pointer(address), lp.KP.Home
	home.lockPool()
	defer home.unlockPool()
	return lp.handleOf(p, *home.lockedTag(p)&useMask)
}

// UndoAlloc marks a block as freed, since its allocation is undone. For the check of rollback the
// address gets its former use count as well: an event that is handled again then gets the same
// word as before, and no word of a block that was freed long ago comes up again in between.
func (lp *LP) UndoAlloc(p unsafe.Pointer) {
	lp.MarkFreed(p, true)
	if pe := lp.PE; pe.Checked { // one PE handles all events then
		tag := pe.lockedTag(p)
		*tag = (*tag&useMask+useMask-2)%useMask + 1 | tagFreed
	}
}

// MayAlloc reports whether memory may be allocated or freed for lp now, that is, in its own
// Init, PreRun and Event. If not, it reports a mistake; what says what the model did.
func (lp *LP) MayAlloc(what string) bool {
	return lp.isOwnTurn("call Alloc and Free in Init, PreRun and Event, for the LP whose handler runs", what)
}

// isOwnTurn reports whether lp may change what belongs to it now. If not, it reports a mistake.
func (lp *LP) isOwnTurn(fix, what string) bool {
	pe := lp.PE
	who := pe.Running
	switch {
	case who == lp || pe.Current == nil && who == nil || who != nil && who.Type().Hidden:
		return true
	case who == nil || who.PE != pe:
		who = lp
	}
	who.Blame(ErrSave, fix, "%s", what)
	return false
}

// mayFree reports whether lp can free a block. If not, it reports a mistake, unless the
// block is memory on loan.
func (lp *LP) mayFree(at uint64, size uintptr) bool {
	pe := lp.PE
	what := ""
	switch p := AddressOf(at); {
	case !lp.inPool(p):
		if len(pe.spares) > 0 {
			return false // memory on loan: the event is being undone
		}
		what = fmt.Sprintf("freed %d bytes that ross.Alloc did not return", size)
	case !lp.ownedBy(at):
		what = fmt.Sprintf("freed a block of %d bytes of another LP", size)
	case !lp.InUse(at):
		what = fmt.Sprintf("freed a block of %d bytes that had already been freed", size)
	default:
		return true
	}
	lp.Blame(ErrSave, "free each block of the LP once, and set its Block to the zero value", "%s", what)
	return false
}

// MayRead reports whether a block that is not in use may still be read. The event that
// freed it may, because the contents stay until that event is committed, and so may Reverse
// and Commit. Otherwise it reports a mistake.
func (lp *LP) MayRead(at uint64) bool {
	pe := lp.PE
	p := AddressOf(at)
	if !lp.inPool(p) {
		if len(pe.spares) > 0 {
			return true
		}
	} else if lp.KP.Home.tagOf(at) == useOf(at)|tagFreed && pe.Current != nil &&
		(pe.Running == nil || pe.freesNow(lp, p)) {
		return true
	}
	lp.Blame(ErrSave, "set a Block to its zero value when it is freed", "read a block that had been freed")
	return false
}

// freesNow reports whether the running event has freed the block at p.
func (pe *PE) freesNow(lp *LP, p unsafe.Pointer) bool {
	if !pe.Undoes() {
		return slices.ContainsFunc(pe.freed, func(b freedBlock) bool { return b.p == p }) && pe.freedNow(lp)
	}
	for r := lp.KP.History.Newest(); r.Next(); {
		if r.Tag == TagFree && r.Address() == uint64(uintptr(p)) {
			return true
		}
	}
	return false
}

// freedBlock is a block that an event has freed in a scheduler without rollback. Its memory
// is used again only after that event.
type freedBlock struct {
	home *PE
	p    unsafe.Pointer
	n    uintptr
}

// freedNow reports whether the blocks in pe.freed were freed by the running event of lp.
func (pe *PE) freedNow(lp *LP) bool { return pe.freer == lp && pe.freedAt == lp.Processed }

// freeLater frees a block once the running event is over.
func (pe *PE) freeLater(lp *LP, p unsafe.Pointer, n uintptr) {
	pe.FreeOld(lp)
	pe.freer, pe.freedAt = lp, lp.Processed
	pe.freed = append(pe.freed, freedBlock{lp.KP.Home, p, n})
}

// FreeOld returns to the pool what events before the running one of lp have freed. With a
// nil lp it returns what any event has freed.
func (pe *PE) FreeOld(lp *LP) {
	if len(pe.freed) == 0 || lp != nil && pe.freedNow(lp) {
		return
	}
	for _, b := range pe.freed {
		pe.FreeTo(b.home, b.p, b.n)
	}
	pe.freed = pe.freed[:0]
}
