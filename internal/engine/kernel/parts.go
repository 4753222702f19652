// This file owns access to parts of blocks: containers read and change single values, and save
// only those, however large the block is.

package kernel

import (
	"unsafe"
)

// Memory returns the address of a block's values without saving them. It returns nil, and
// reports a mistake, if the block has been freed.
func (lp *LP) Memory(at uint64) unsafe.Pointer {
	if lp.InUse(at) || lp.MayRead(at) {
		return AddressOf(at)
	}
	return nil
}

// Change is BeginChange and Memory in one call, for the block whose values will change. The
// address is nil if nothing may change.
func (lp *LP) Change(p unsafe.Pointer, n uintptr, at uint64) (values unsafe.Pointer, saves bool) {
	pe := lp.PE
	if pe.Running == lp && lp.InUse(at) {
		if !pe.Undoes() {
			return AddressOf(at), false
		}
		if uintptr(p)-uintptr(lp.State) < lp.Type().StateSize && pe.Current != nil && !pe.InDelta && lp.saveFields(p, n) {
			return AddressOf(at), true
		}
	}
	saves, ok := lp.BeginChange(p, n)
	if !ok {
		return nil, false
	}
	return lp.Memory(at), saves
}

// saveFields saves the n bytes at p, as many as most containers have next to their block. It does nothing and returns
// false for other numbers, and if the history has no room.
func (lp *LP) saveFields(p unsafe.Pointer, n uintptr) bool {
	switch n {
	case 0:
		return true
	case 8:
		return SaveValue(&lp.KP.History, (*uint64)(p))
	case 16:
		return SaveValue(&lp.KP.History, (*[2]uint64)(p))
	}
	return false
}

// BeginChange is called before a container of lp is changed. The n bytes at p are those of its
// own fields that will change. BeginChange saves them, unless they are in a state that is saved
// by deltas. saves says whether the values that change in blocks must be saved as well (Save,
// SaveZeros). If ok is false, a mistake was reported, and nothing may change.
func (lp *LP) BeginChange(p unsafe.Pointer, n uintptr) (saves, ok bool) {
	pe := lp.PE
	if pe.Running != lp || pe.Current == nil || !pe.KeepsHistory() {
		return false, pe.Running == lp || lp.isOwnTurn(changeInHandlers, "changed a container outside of its handlers")
	}
	if uintptr(p)-uintptr(lp.State) < lp.Type().StateSize {
		if !pe.InDelta {
			lp.Save(p, n)
		}
		return true, true
	}
	if lp.inPool(p) {
		lp.Save(p, n)
		return true, true
	}
	// A state without pointers leads to nothing else, so that the container is a variable of the
	// handler, which ends with it. Memory on loan belongs to an event that is going to be undone.
	if lp.Type().Plain || len(pe.spares) > 0 {
		return true, true
	}
	lp.Blame(ErrSave, "keep containers in the state itself, in arrays or in blocks, not behind pointers",
		"changed a container outside of its state")
	return false, false
}

// changeInHandlers is the advice of errors about containers that are changed at other times.
const changeInHandlers = "change containers in Init, PreRun and Event, for the LP whose handler runs"

// SaveZeros appends a record of n bytes at p that are zero, so that they become zero again.
func (lp *LP) SaveZeros(p unsafe.Pointer, n uintptr) {
	h := &lp.KP.History
	if h.Head+2 > len(h.Buf) {
		lp.KP.Grow(2)
	}
	r := h.Buf[h.Head : h.Head+2]
	r[0], r[1] = uint64(uintptr(p)), TagZeros<<TagShift|uint64(n)
	h.Head += 2
}
