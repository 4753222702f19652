// New: which implementation a pool gets, and its memory.

package buddy

import (
	"fmt"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/mem"
)

// maxLimit is the address space of a program on common 64-bit systems.
const maxLimit = 1 << (orders - 1)

// Impls returns the implementations that this build has, the default first.
func Impls() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// ErrLimit is wrapped by every error that means that a pool may not grow any more.
var ErrLimit = mem.ErrLimit

// New returns an empty pool, which grows up to limit bytes, rounded up to 2 MiB. impl is "c", "go", or "" for C if
// the build has it; see [Impls].
func New(impl string, limit uint64) (*Pool, error) { return NewCharged(impl, 0, limit, nil) }

// NewCharged is New with 2^firstLog bytes at first, or none yet if firstLog is 0 [--buddy-size,
// g_tw_buddy_alloc], and memory that is charged to budget (nil: not charged) as it becomes usable. It is for
// the engine.
func NewCharged(impl string, firstLog uint, limit uint64, budget *mem.Budget) (*Pool, error) {
	if impl == "" {
		impl = Impls()[0]
	}
	if impl != "c" && impl != "go" {
		return nil, fmt.Errorf("ross: buddy pool: %q: unknown implementation: use c or go", impl)
	}
	if impl == "c" && !csrc.Enabled {
		return nil,
			fmt.Errorf(
				"ross: buddy pool: this program was built without cgo: use go, or build with CGO_ENABLED=1 and a C compiler")
	}
	data, err := mem.Reserve(min(max(limit, 1), maxLimit), budget)
	if err != nil {
		return nil, fmt.Errorf("buddy pool: %w", err)
	}
	side, err := mem.Reserve(uint64(sideSize(data.Reserved())), budget)
	if err != nil {
		data.Release()
		return nil, fmt.Errorf("buddy pool: %w", err)
	}
	p := &Pool{base: data.Base(), data: data, side: side, impl: impl}
	if err := p.start(firstLog); err != nil {
		p.Close()
		return nil,
			fmt.Errorf(
				"ross: buddy pool: first size 2^%d bytes: %w: lower --buddy-size, where 0 starts empty, or raise --max-memory",
				firstLog, err)
	}
	return p, nil
}

// start sets the pool up with its first memory.
func (p *Pool) start(firstLog uint) error {
	if firstLog >= orders {
		return p.full()
	}
	if err := p.side.Grow(sharedSize); err != nil {
		return err
	}
	p.s = newShared(p.base, p.side.Base())
	if p.impl == "c" {
		p.back = newC(p.s)
	} else {
		p.back = &twin{p.s}
	}
	if firstLog == 0 {
		return nil
	}
	return p.grow(max(uintptr(1)<<firstLog, 1<<minOrder))
}
