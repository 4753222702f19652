// Region: address space reserved once and made usable as it grows, so that its contents
// never move and an index becomes an address by one multiply-add.

package mem

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"
)

const (
	hugePage = 2 << 20  // the huge page of x86-64 and of arm64 with 4 KiB pages
	minGrow  = 64 << 10 // least growth of a region, bytes, unless its budget has less
)

var pageSize = uintptr(os.Getpagesize())

// Region is a range of address space whose first Committed bytes are
// usable memory, zeroed when first touched. It lies outside the Go heap: the
// collector neither scans nor moves it, and it may be shared with C. The zero
// Region is empty; Reserve makes a usable one.
type Region struct {
	base      unsafe.Pointer
	raw       []byte // the mapping as the kernel gave it, for Release
	reserved  uintptr
	committed uintptr
	dropped   uintptr // of committed: bytes that are not charged, see Drop
	cut       bool    // less is reserved than requested
	budget    *Budget
	grown     *atomic.Uint64 // committed bytes, those of all parts included
}

// Reserve takes address space for up to max bytes, charged to budget only as it grows (nil:
// not charged). If the process may not reserve that much (RLIMIT_AS), it takes less, down to
// minGrow bytes: at most the budget's part of what is left, because the Go heap also needs
// address space. The error wraps a *LimitError that is Cut.
func Reserve(max uint64, budget *Budget) (*Region, error) {
	size, align := pageSize, pageSize
	if max >= hugePage {
		size, align = hugePage, hugePage
	}
	whole := roundUp(uintptr(min(max, 1<<62)), size)
	want := whole
	if most := uintptr(AddressSpace() / budget.parts()); want > most {
		want = most / hugePage * hugePage
	}
	for ; want >= min(minGrow, whole); want = roundUp(want/2, pageSize) {
		if raw, refused := reserve(want + align - pageSize); refused == nil {
			off := roundUp(uintptr(unsafe.Pointer(&raw[0])), align) - uintptr(unsafe.Pointer(&raw[0]))
			return &Region{base: unsafe.Pointer(&raw[off]), raw: raw, reserved: want, cut: want < whole, budget: budget,
				grown: new(atomic.Uint64)}, nil
		}
	}
	return nil, fmt.Errorf("%w: raise the limit of the address space (ulimit -v)", &LimitError{Limit: max, Cut: true})
}

// Cut reports whether less is reserved than requested, because the process may not reserve
// more.
func (r *Region) Cut() bool { return r.cut }

// Full returns the error of a region that has no address space left.
func (r *Region) Full() error {
	return &LimitError{Limit: uint64(r.reserved), Used: uint64(r.committed), Cut: r.cut}
}

// Part returns the n bytes of address space from off on as a separate region, which grows
// independently. off and n are multiples of the page size. Releasing the whole, which must
// not grow, releases the parts.
func (r *Region) Part(off, n uintptr) *Region {
	return &Region{base: unsafe.Add(r.base, off), reserved: min(n, r.reserved-off), cut: r.cut, budget: r.budget,
		grown: r.grown}
}

// Base returns the address of the first byte. It never changes.
func (r *Region) Base() unsafe.Pointer { return r.base }

// Committed returns the number of usable bytes from Base on.
func (r *Region) Committed() uintptr { return r.committed }

// Charged returns how many of the usable bytes are charged.
func (r *Region) Charged() uintptr { return r.committed - r.dropped }

// Drop has the system take the memory of n bytes from off on, whole pages, whose contents are lost. They stay usable,
// but whoever writes to them again charges them before. Return says how many bytes were dropped.
func (r *Region) Drop(off, n uintptr) { Drop(r.slice(off, off+n)) }

// Return gives n bytes that were dropped back to the budget.
func (r *Region) Return(n uintptr) {
	r.budget.Give(uint64(n))
	r.dropped += n
	r.grown.Add(-uint64(n))
	outside.Add(-uint64(n))
}

// Retake charges n bytes that were dropped, and fails as Grow does.
func (r *Region) Retake(n uintptr) error {
	if err := r.budget.Charge(uint64(n)); err != nil {
		return err
	}
	r.dropped -= n
	r.grown.Add(uint64(n))
	fitHeap(outside.Add(uint64(n)))
	return nil
}

// Reserved returns how far the region can grow, in bytes.
func (r *Region) Reserved() uintptr { return r.reserved }

// Grow makes at least the first need bytes usable, by steps of Step bytes. The error is a
// *LimitError when the budget or the reserved space is used up.
func (r *Region) Grow(need uintptr) error { return r.GrowBy(need, r.Step()) }

// Step returns by how many bytes the region grows at once: it doubles while it is small and
// grows by an eighth after that, so that growth is rare and wastes little.
func (r *Region) Step() uintptr {
	if r.committed >= 8*hugePage {
		return r.committed / 8
	}
	return r.committed
}

// Next returns how many bytes GrowBy of these arguments makes usable in all, if the budget
// allows the step: fewer than need if the reserved space does not suffice.
func (r *Region) Next(need, step uintptr) uintptr {
	if need <= r.committed {
		return r.committed
	}
	if r.committed >= 8*hugePage {
		step = roundUp(step, hugePage)
	}
	return min(roundUp(max(need, r.committed+step), r.budget.piece()), r.reserved)
}

// GrowBy is Grow for a region whose unused end matters more than how often it grows: if it
// must grow, then by at least step bytes, rounded up to pieces of the budget, and to whole
// huge pages once the region has 16 MiB. If the budget or the reserved space does not allow
// the step, it grows only by what is needed.
func (r *Region) GrowBy(need, step uintptr) error {
	if need <= r.committed {
		return nil
	}
	to := r.Next(need, step)
	if need > to {
		return r.Full()
	}
	err := r.budget.Charge(uint64(to - r.committed))
	if least := roundUp(need, r.budget.piece()); err != nil && least < to { // close to the limit: only what is needed
		to = least
		err = r.budget.Charge(uint64(to - r.committed))
	}
	if err != nil {
		return err
	}
	if err := commit(r.slice(r.committed, to)); err != nil {
		r.budget.Give(uint64(to - r.committed))
		return fmt.Errorf("make %d more bytes usable: %w (%w): free memory of the machine", to-r.committed, ErrLimit, err)
	}
	n := uint64(to - r.committed)
	r.committed = to
	r.grown.Add(n)
	fitHeap(outside.Add(n))
	if to >= hugePage {
		adviseHuge(r.slice(0, to))
	}
	return nil
}

func (r *Region) slice(from, to uintptr) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(r.base, from)), to-from)
}

// Release releases the address space. Nothing in the region may be used after it. It may be
// called twice.
func (r *Region) Release() {
	if r == nil || r.raw == nil {
		return
	}
	r.budget.Give(uint64(r.Charged()))
	outside.Add(-r.grown.Load())
	release(r.raw)
	*r = Region{}
}

func roundUp(n, to uintptr) uintptr { return (n + to - 1) / to * to }

// AdviseHuge asks for huge pages under n bytes at p, which may be part of the
// Go heap and must not have been written to yet. It matters for large slabs
// that are visited in random order; small ones are left alone.
func AdviseHuge(p unsafe.Pointer, n uintptr) {
	from := roundUp(uintptr(p), hugePage)
	to := (uintptr(p) + n) / hugePage * hugePage
	if to > from {
		adviseHuge(unsafe.Slice((*byte)(unsafe.Add(p, from-uintptr(p))), to-from))
	}
}
