// This file owns the limits of memory: of a simulation, and of the process.

package mem

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrLimit is wrapped by every error that means that the limit on memory was reached.
var ErrLimit = errors.New("memory limit reached")

// LimitError states how much was in use when more was requested.
type LimitError struct {
	Limit, Used uint64 // bytes
	Program     uint64 // bytes of the limit that the program itself takes
	Cut         bool   // the limit is that on the address space of the process
}

func (e *LimitError) Error() string {
	if e.Cut && e.Used == 0 {
		return fmt.Sprintf("memory limit reached: there is no address space for %d bytes", e.Limit)
	}
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

	// Refuse, if set, is asked before bytes are taken, and reports whether they are refused although the
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

// What a ceiling means for the process: the program itself counts towards it, and the garbage of
// Go's heap is kept within it.

const (
	leastWhole   = 64 << 20 // bytes; a lower ceiling does not include the program itself
	ownPart      = 4        // of a ceiling, the program itself counts for one such part at most
	goBase       = 12 << 20 // bytes that the runtime of Go takes when a run begins to need some
	garbage      = 32       // Go's heap may exceed what is charged by one such part of a ceiling
	leastGarbage = 8 << 20  // bytes that the collector leaves lying in any case
	stackBytes   = 64 << 10 // of a thread, with what the runtime of Go keeps for it
)

// outside is the memory of all regions, which the runtime of Go does not know.
var outside atomic.Uint64

// CountProgram makes the limit include what the process has already: the program and its
// libraries, the runtime of Go, and the threads that the run will have. That is at most a quarter
// of the limit, and nothing if the limit is below 64 MiB.
func (b *Budget) CountProgram(threads int) {
	if b.limit < leastWhole {
		return
	}
	resident := Resident()
	b.own.Store(min(resident-min(resident, goBytes()+outside.Load())+goBase+uint64(threads)*stackBytes, b.limit/ownPart))
}

// CountBuffers makes the limit include n bytes of buffers that are not charged one by one, unless
// it is below 64 MiB.
func (b *Budget) CountBuffers(n uint64) {
	if b.limit >= leastWhole {
		b.own.Store(min(b.own.Load()+n, b.limit/2))
	}
}

// ProgramBytes returns how much of the limit is that of the program itself.
func (b *Budget) ProgramBytes() uint64 { return b.root().own.Load() }

// Resident returns the memory of the process in bytes, 0 if the system does not say.
func Resident() uint64 { return resident() }

// goBytes returns the memory that the runtime of Go has from the system.
func goBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - min(s[1].Value.Uint64(), s[0].Value.Uint64())
}

// heap is the limit on the memory of Go's runtime (debug.SetMemoryLimit) while there are budgets.
// Without one, garbage takes as much again as what is in use.
var heap struct {
	sync.Mutex
	budgets []*Budget
	base    uint64        // the runtime's memory before the first of them
	at      atomic.Uint64 // outside when the limit was set
	step    atomic.Uint64 // change of outside from which the limit is set again; 0: there is no limit
}

// Attach makes the collector of Go keep the garbage of the process within the limit of b, until
// Detach. A limit that the program or GOMEMLIMIT has set stays as it is, and so does that of a
// process with a budget below 64 MiB.
func (b *Budget) Attach() {
	if b.limit < leastWhole {
		return
	}
	heap.Lock()
	defer heap.Unlock()
	if len(heap.budgets) == 0 {
		if debug.SetMemoryLimit(-1) != math.MaxInt64 {
			return
		}
		heap.base = goBytes()
	}
	if heap.budgets = append(heap.budgets, b); len(heap.budgets) == 1 {
		watch()
	}
	setHeap()
}

// Detach ends Attach. It may be called without it, and twice; b may be nil.
func (b *Budget) Detach() {
	heap.Lock()
	defer heap.Unlock()
	i := slices.Index(heap.budgets, b)
	if i < 0 {
		return
	}
	if heap.budgets = slices.Delete(heap.budgets, i, i+1); len(heap.budgets) > 0 {
		setHeap()
		return
	}
	heap.step.Store(0)
	debug.SetMemoryLimit(math.MaxInt64)
}

// fitHeap adapts the limit on Go's heap to what regions take. It is called when a region has grown.
func fitHeap(now uint64) {
	step := heap.step.Load()
	if at := heap.at.Load(); step == 0 || max(now, at)-min(now, at) < step {
		return
	}
	heap.Lock()
	defer heap.Unlock()
	if len(heap.budgets) > 0 {
		setHeap()
	}
}

// setHeap sets the limit. The caller holds the lock.
func setHeap() {
	sum, least := uint64(0), uint64(math.MaxUint64)
	for _, b := range heap.budgets {
		most := min(b.limit-b.own.Load()+b.limit/garbage, math.MaxInt64/2)
		sum = min(sum+most, math.MaxInt64/2)
		least = min(least, b.limit)
	}
	now := outside.Load()
	heap.at.Store(now)
	heap.step.Store(max(least/garbage/2, minGrow))
	// What the program itself allocates may be more than the ceiling foresees. The collector must
	// not run all the time then.
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	live := s[0].Value.Uint64()
	limit := int64(max(heap.base+sum-min(sum, now), live+live/16+leastGarbage))
	if debug.SetMemoryLimit(-1) != limit {
		debug.SetMemoryLimit(limit)
	}
}

// sentinel is dead at once, so that the collector finds it in each cycle.
type sentinel struct{ p *int }

// watch sets the limit again after each cycle of the collector, while there are budgets.
func watch() {
	runtime.SetFinalizer(&sentinel{new(int)}, func(*sentinel) {
		heap.Lock()
		defer heap.Unlock()
		if len(heap.budgets) > 0 {
			setHeap()
			watch()
		}
	})
}
