// This file owns slots that are taken and touched before a run needs them.

package event

import "unsafe"

const (
	// mostPrepared is the most slots that Prepare makes usable: a run that needs more takes long enough for their first
	// touch not to matter.
	mostPrepared = 1 << 16
	// preparedShare is the least free memory of the run in terms of what all its arenas may prepare.
	preparedShare = 16
)

// Prepare has the arena take and touch new slots until it has n, used ones included. It takes no more than a share of
// the free memory, and without any it does nothing. It returns how many slots it has touched. Call it on the PE's
// thread: memory is near to the one that first writes to it.
func (a *Arena) Prepare(n uint64) (touched uint64) {
	free := a.budget.Free() / preparedShare / uint64(len(a.space.arenas))
	n = min(n-min(n, uint64(a.used())), mostPrepared, free/uint64(a.stride))
	if n > uint64(a.limit-a.top) && a.moreBy(n) != nil {
		return 0
	}
	n = min(n, uint64(a.limit-a.top))
	if n == 0 {
		return 0
	}
	touchPages(unsafe.Slice((*byte)(unsafe.Pointer(a.At(a.top))), uintptr(n)*a.stride))
	notes := unsafe.Slice((*uint32)(a.stack), a.room)[a.free:] // where slots are noted once they are free
	clear(notes[:min(n, uint64(len(notes)))])
	return n
}

// touchPages writes to each page of memory that nobody has written to.
func touchPages(b []byte) {
	const page = 4 << 10 // the smallest there is
	for i := 0; i < len(b); i += page {
		b[i] = 0
	}
	b[len(b)-1] = 0
}
