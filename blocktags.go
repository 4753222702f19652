// This file owns what is known of each block of Alloc: whether it is in use, so that a
// block that is given back twice, or looked at after that, is a mistake that is told.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/internal/plain"
	"slices"
	"unsafe"
)

// A Block's word is its address, below, and what tells it from other blocks at that
// address: how often that was handed out, and whose it is.
const (
	atBits      = 48
	useBits     = 6
	addressMask = 1<<atBits - 1
	useMask     = 1<<useBits - 1
	ownerMask   = 1<<(64-atBits-useBits) - 1
)

// tagFreed marks the tag of a block that was given back. A tag is a byte for each unit of
// the pool: that of a block's first unit is the use of the block, 1 to useMask.
const tagFreed = 1 << 7

// handleOf returns the word of a Block at p, which belongs to lp and has a tag.
func (lp *LP) handleOf(p unsafe.Pointer, tag uint8) uint64 {
	return uint64(uintptr(p)) | uint64(tag)<<atBits | uint64(lp.id)&ownerMask<<(atBits+useBits)
}

func addressOf(at uint64) unsafe.Pointer { return plain.Pointer(at & addressMask) }

func useOf(at uint64) uint8 { return uint8(at >> atBits & useMask) }

// ownedBy reports whether a block may belong to an LP. LPs whose ids differ by a multiple of
// 1024 are not told apart.
func (lp *LP) ownedBy(at uint64) bool { return at>>(atBits+useBits) == uint64(lp.id)&ownerMask }

// tagOf returns the tag of a block, 0 if there is none.
func (pe *PE) tagOf(at uint64) uint8 {
	if pe.pool != nil {
		if i := pe.pool.Unit(addressOf(at)); i < uintptr(len(pe.tags)) {
			return pe.tags[i]
		}
	}
	return 0
}

// inUse reports whether a Block is what it was when Alloc returned it.
func (pe *PE) inUse(at uint64) bool { return pe.tagOf(at) == useOf(at) && useOf(at) != 0 }

// tag gives a block that was taken from the pool a tag.
func (pe *PE) tag(p unsafe.Pointer) (uint8, error) {
	i := pe.pool.Unit(p)
	if n := uintptr(len(pe.tags)); i >= n {
		more := max(i+1-n, n, 256)
		if err := pe.budget.Charge(uint64(more)); err != nil {
			if more = i + 1 - n; pe.budget.Charge(uint64(more)) != nil {
				return 0, err
			}
		}
		pe.tags = append(make([]uint8, 0, n+more), pe.tags...)[:n+more]
	}
	pe.tags[i] = pe.tags[i]&useMask%useMask + 1
	return pe.tags[i], nil
}

// markFreed marks a block as given back, or as in use again.
func (pe *PE) markFreed(p unsafe.Pointer, freed bool) {
	tag := &pe.tags[pe.pool.Unit(p)]
	if *tag &^= tagFreed; freed {
		*tag |= tagFreed
	}
}

// mayAlloc reports whether memory may be taken or given back for an LP: in Init, PreRun and
// Event of its own.
func (lp *LP) mayAlloc(what string) bool {
	pe := lp.pe
	who := pe.running
	switch {
	case who == lp || pe.cur == nil && who == nil || who != nil && who.typ == analysisType:
		return true
	case who == nil || who.pe != pe:
		who = lp
	}
	who.blame(ErrSave, "call Alloc and Free in Init, PreRun and Event, for the LP whose handler runs", "%s", what)
	return false
}

// mayFree reports whether a Block is one that an LP can give back.
func (lp *LP) mayFree(at uint64, size uintptr) bool {
	pe := lp.pe
	what := ""
	switch p := addressOf(at); {
	case pe.pool == nil || !pe.pool.Holds(p):
		if len(pe.spares) > 0 {
			return false // the event is being undone for want of memory
		}
		what = fmt.Sprintf("freed %d bytes that are not the engine's", size)
	case !lp.ownedBy(at):
		what = fmt.Sprintf("freed a block of %d bytes of another LP", size)
	case !pe.inUse(at):
		what = fmt.Sprintf("freed a block of %d bytes that had been freed", size)
	default:
		return true
	}
	lp.blame(ErrSave, "free what ross.Alloc gave to the LP, once, and set the Block that held it to its zero value", "%s", what)
	return false
}

// mayLook reports whether a Block that is not in use may be looked at all the same: by the
// event that gives it back, since its contents stay until that is committed, by Reverse
// and by Commit.
func (lp *LP) mayLook(at uint64) bool {
	pe := lp.pe
	p := addressOf(at)
	if pe.pool == nil || !pe.pool.Holds(p) {
		if len(pe.spares) > 0 {
			return true
		}
	} else if pe.tagOf(at) == useOf(at)|tagFreed && pe.cur != nil && (pe.running == nil || pe.freesNow(lp, p)) {
		return true
	}
	lp.blame(ErrSave, "forget a Block when it is freed: set what holds it to its zero value", "looked at a block that had been freed")
	return false
}

// freesNow reports whether the event that runs has given back the block at p.
func (pe *PE) freesNow(lp *LP, p unsafe.Pointer) bool {
	if pe.mode != optimistic {
		return slices.ContainsFunc(pe.freed, func(b freedBlock) bool { return b.p == p }) && pe.freedNow(lp)
	}
	h := &lp.kp.hist
	for end := h.head; end > h.last+groupWords; {
		tag, what := h.buf[end-1]>>tagShift, payloadOf(h.buf[end-1])
		if tag == tagFree && h.buf[end-2] == uint64(uintptr(p)) {
			return true
		}
		end -= 1 + wordsOf(tag, what)
	}
	return false
}

// freedBlock is a block that an event has given back in a scheduler that does not roll
// back. Others have it when that event is over.
type freedBlock struct {
	p unsafe.Pointer
	n uintptr
}

// freedNow reports whether what is in freed was given back by the event of lp that runs.
func (pe *PE) freedNow(lp *LP) bool { return pe.freer == lp && pe.freedAt == lp.processed }

// freeLater gives a block back when the event that runs is over.
func (pe *PE) freeLater(lp *LP, p unsafe.Pointer, n uintptr) {
	pe.freeOld(lp)
	pe.freer, pe.freedAt = lp, lp.processed
	pe.freed = append(pe.freed, freedBlock{p, n})
}

// freeOld gives back what events before the one of lp that runs have given back; nil: what
// any event has.
func (pe *PE) freeOld(lp *LP) {
	if len(pe.freed) == 0 || lp != nil && pe.freedNow(lp) {
		return
	}
	for _, b := range pe.freed {
		pe.freeBlock(b.p, b.n)
	}
	pe.freed = pe.freed[:0]
}
