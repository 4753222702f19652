// Budget: one limit for all memory of a simulation.

package mem

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// ErrLimit is wrapped by every error that means that the limit on memory was reached.
var ErrLimit = errors.New("memory limit reached")

// LimitError says how much was in use when more was requested.
type LimitError struct {
	Limit, Used uint64 // bytes
	Program     uint64 // bytes of the limit that the program itself takes
	Cut         bool   // the limit is that on the address space of the process
}

func (e *LimitError) Error() string {
	if e.Cut {
		return fmt.Sprintf("memory limit reached: %d of %d bytes in use, for which there is address space", e.Used, e.Limit)
	}
	text := fmt.Sprintf("memory limit reached: %d of %d bytes in use", e.Used, e.Limit)
	if e.Program > 0 {
		text += fmt.Sprintf(", and %d by the program itself", e.Program)
	}
	return text
}

// IsCut reports whether an error means that the process may have no more address space.
func IsCut(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit) && limit.Cut
}

// Unwrap makes errors.Is(err, ErrLimit) true.
func (e *LimitError) Unwrap() error { return ErrLimit }

// Budget counts bytes against a limit. It is safe for concurrent use. A nil
// Budget has no limit.
type Budget struct {
	limit      uint64
	own        atomic.Uint64 // what the program itself takes of the limit
	used, peak atomic.Uint64
	// Others, if set, returns the bytes in use that are not charged, of what grows by
	// itself. They count against the limit.
	Others func() uint64
	// Piece, if not 0, is the least number of bytes by which a Region of the budget
	// grows, instead of 64 KiB: with a low limit, unused memory is needed elsewhere.
	Piece uintptr
	// Parts is the number of parts into which a Region of the budget divides the
	// remaining address space of the process, to reserve at most one of them. 0 means 2.
	Parts uint64

	// Refuse, if set, is asked before bytes are taken, and says whether they are refused although the
	// limit is not reached. It is for tests.
	Refuse func(bytes uint64) bool

	whole *Budget // of a share
	aside atomic.Uint64
}

// piece returns the least growth of a region, whole pages.
func (b *Budget) piece() uintptr {
	if b == nil || b.Piece == 0 {
		return minGrow
	}
	return roundUp(b.Piece, pageSize)
}

func (b *Budget) parts() uint64 {
	if b == nil || b.Parts == 0 {
		return 2
	}
	return b.Parts
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit uint64) *Budget { return &Budget{limit: limit} }

// Share returns a budget that draws on b, for one of those that share b.
func (b *Budget) Share() *Budget { return &Budget{limit: b.limit, Piece: b.Piece, whole: b} }

// SetAside makes a share leave n bytes to others.
func (b *Budget) SetAside(n uint64) { b.aside.Store(n) }

// Limit returns the limit in bytes.
func (b *Budget) Limit() uint64 { return b.limit }

// Used returns the bytes in use now.
func (b *Budget) Used() uint64 {
	if b.whole != nil {
		return b.whole.Used()
	}
	return b.used.Load() + b.others()
}

func (b *Budget) others() uint64 {
	if b.Others != nil {
		return b.Others()
	}
	return 0
}

// Peak returns the most bytes that were in use when more were taken.
func (b *Budget) Peak() uint64 {
	if b.whole != nil {
		return b.whole.Peak()
	}
	return b.peak.Load()
}

// Charge takes n bytes that the caller is about to allocate. The error is a
// *LimitError; nothing is taken then.
func (b *Budget) Charge(n uint64) error {
	if b == nil {
		return nil
	}
	if b.whole != nil {
		return b.whole.charge(n, b.aside.Load())
	}
	return b.charge(n, 0)
}

// charge is Charge if that leaves some bytes to others.
func (b *Budget) charge(n, leave uint64) error {
	others := b.others()
	if b.Refuse != nil && b.Refuse(n) {
		return &LimitError{Limit: b.limit, Used: b.Used()}
	}
	own := b.own.Load()
	for {
		used := b.used.Load()
		sum := used + others + n
		if sum > b.limit-own || sum < n || leave > b.limit-own-sum {
			return &LimitError{Limit: b.limit, Used: used + others, Program: own}
		}
		if !b.used.CompareAndSwap(used, used+n) {
			continue
		}
		for peak := b.peak.Load(); peak < sum && !b.peak.CompareAndSwap(peak, sum); peak = b.peak.Load() {
		}
		return nil
	}
}

// Spares returns nil if n bytes are free, and otherwise an error like that of Charge.
func (b *Budget) Spares(n uint64) error {
	if n == 0 || b.Free() >= n {
		return nil
	}
	return &LimitError{Limit: b.limit, Used: b.Used(), Program: b.ProgramBytes()}
}

// Free returns how many bytes are free; those of a nil Budget never end.
func (b *Budget) Free() uint64 {
	if b == nil {
		return math.MaxUint64
	}
	most := b.limit - b.ProgramBytes()
	return most - min(b.Used(), most)
}

// root returns the budget that b draws on.
func (b *Budget) root() *Budget {
	if b.whole != nil {
		return b.whole
	}
	return b
}

// Take is Charge for bytes that the caller needs in any case: it never refuses, and what is charged
// after it is refused instead.
func (b *Budget) Take(n uint64) {
	b = b.root()
	sum := b.used.Add(n) + b.others()
	for peak := b.peak.Load(); peak < sum && !b.peak.CompareAndSwap(peak, sum); peak = b.peak.Load() {
	}
}

// Give returns n charged bytes to the budget.
func (b *Budget) Give(n uint64) {
	switch {
	case b == nil:
	case b.whole != nil:
		b.whole.Give(n)
	default:
		b.used.Add(-n)
	}
}
