// Budget: one ceiling over all memory of a simulation, and how much the
// machine has to give.

package mem

import (
	"errors"
	"fmt"
)

// ErrLimit is wrapped by every error that says the ceiling on memory was
// reached.
var ErrLimit = errors.New("memory limit reached")

// LimitError says how much was in use when more was asked for.
type LimitError struct {
	Limit, Used uint64 // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("memory limit reached: %d of %d bytes in use", e.Used, e.Limit)
}

// Unwrap makes errors.Is(err, ErrLimit) true.
func (e *LimitError) Unwrap() error { return ErrLimit }

// Budget counts bytes against a limit. It belongs to one PE and is not safe
// for concurrent use. A nil Budget has no limit.
type Budget struct {
	limit, used, peak uint64
	// Others, if set, returns the bytes that are in use beside those taken, by
	// what grows by itself. They count against the limit.
	Others func() uint64
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit uint64) *Budget { return &Budget{limit: limit} }

// Limit returns the ceiling, bytes.
func (b *Budget) Limit() uint64 { return b.limit }

// Used returns the bytes in use now.
func (b *Budget) Used() uint64 {
	if b.Others != nil {
		return b.used + b.Others()
	}
	return b.used
}

// Peak returns the most bytes that were in use when more were taken.
func (b *Budget) Peak() uint64 { return b.peak }

// Charge takes n bytes that the caller is about to allocate. The error is a
// *LimitError; nothing is taken then.
func (b *Budget) Charge(n uint64) error {
	if b == nil {
		return nil
	}
	if used := b.Used(); used+n > b.limit {
		return &LimitError{Limit: b.limit, Used: used}
	}
	b.used += n
	b.peak = max(b.peak, b.Used())
	return nil
}

func (b *Budget) give(n uint64) {
	if b != nil {
		b.used -= n
	}
}
