// What a ceiling means for the process: the program itself counts towards it, and the garbage of
// Go's heap is kept within it.

package mem

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
)

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

// Own returns how much of the limit is that of the program itself.
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
