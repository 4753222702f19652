// EventSet: the operations on a PE's pending-event set that run once per event. They are all in Go and touch only the
// window; the ladder behind it, in C or in Go, which NewEventSet chooses, is called once per window.

package pq

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
)

// ErrMemory means that the system refused memory for the queue's keys. It is a
// mem.ErrLimit.
var ErrMemory = fmt.Errorf(
	"%w: the system has no more memory for keys of pending events: free some, raise the limit of the address space (ulimit -v), or have fewer events pending", mem.ErrLimit)

// EventSet is a pending-event set: a priority queue of the keys of events that
// live in one arena. It is for the engine; other programs have [Queue]. It is not safe for concurrent use.
//
// Push and Pop cost O(1) amortised for any distribution of times that is not
// adversarial, and O(log n) for one that is. Times are finite float64 values >= 0.
// Keys of events with equal signatures come in a fixed order.
type EventSet struct {
	_     [1024]byte
	w     *window
	late  event.Key // the newest near key, not yet in the window; late.TS has the value none if there is no such key
	arena *event.Arena
	back  ladder
	impl  string
	steps uint64 // keys that insert moved; counted like twin.step
	size  int    // of the window, as requested
	_     [apart]byte
}

// apart puts the queues of several PEs, which are allocated one after the other, into
// different pages: a processor prefetches lines behind those that it accesses in
// sequence, up to the end of a page, and takes them from the processor that works with
// them. Most of the padding is at the end, because fields beyond the first 4096 bytes
// cost a comparison with nil. The padding at the beginning keeps the queue from having
// the same offset in its page, and so the same sets of the cache, as other structures.
const apart = 4096

// window is the part of the ladder that Push and Pop use. The C twin is
// ross_window in csrc/ladder.h; a test compares the layouts.
type window struct {
	keys             unsafe.Pointer // *event.Key, descending: keys[n-1] is the least
	n, cap           uint32
	boundTS, boundLo uint64         // keys at or beyond the bound go to the stage
	stage            unsafe.Pointer // *event.Key
	staged, stageCap uint32
	tieMin           event.Key // if tie: the least key of the tie heap
	tie              uint32
	failed           uint32
	far              uint64 // keys neither in the window nor staged
	bytes            uint64 // memory that the queue holds
}

// ladder is the interface of the ladder behind the window.
type ladder interface {
	Refill()
	Flush()
	Spill()
	Check() int
	Rungs() int
	Free()
}

// none is not the bits of any time.
const none = math.MaxUint64

const keySize = unsafe.Sizeof(event.Key{})

func at(base unsafe.Pointer, i uint32) *event.Key {
	return (*event.Key)(unsafe.Add(base, uintptr(i)*keySize))
}

// Impl returns the implementation of the queue: "c" or "go".
func (q *EventSet) Impl() string { return q.impl }

// Len returns the number of keys in the queue, including those of cancelled events.
func (q *EventSet) Len() uint64 {
	n := uint64(q.w.n) + uint64(q.w.staged) + q.w.far
	if q.late.TS != none {
		n++
	}
	return n
}

// Bytes returns the memory that the queue holds for keys and buckets.
func (q *EventSet) Bytes() uint64 { return q.w.bytes }

// Err returns ErrMemory if the system refused memory; the contents of the queue are
// then invalid.
func (q *EventSet) Err() error {
	if q.w.failed != 0 {
		return ErrMemory
	}
	return nil
}

// Window returns the keys that come next after Refill, the least last, until Push or
// Pop change them. A scheduler uses them to prefetch events and LPs.
func (q *EventSet) Window() []event.Key { return unsafe.Slice(at(q.w.keys, 0), q.w.n) }

// Push adds a key. The event must be filled in first: keys that agree in 96 bits are
// ordered by their events.
func (q *EventSet) Push(k event.Key) {
	w := q.w
	if k.TS < w.boundTS || k.TS == w.boundTS && k.Lo < w.boundLo {
		q.insert(k)
		return
	}
	n := w.staged // from here on stage, without a call
	*at(w.stage, n) = k
	w.staged = n + 1
	if n+1 == w.stageCap {
		q.back.Flush()
	}
}

// stage adds a key to those that the ladder will take when there are enough.
func (q *EventSet) stage(k event.Key) {
	w := q.w
	*at(w.stage, w.staged) = k
	w.staged++
	if w.staged == w.stageCap {
		q.back.Flush()
	}
}

// Pop removes the least key. ok is false when the queue is empty. The event
// may be Cancelled: the caller then frees it and pops again.
func (q *EventSet) Pop() (k event.Key, ok bool) {
	w := q.w
	n := w.n
	if n == 0 {
		return q.popRefilled()
	}
	k = *at(w.keys, n-1)
	if q.late.TS <= k.TS {
		return q.popLate()
	}
	w.n = n - 1
	return k, true
}

// popRefilled is Pop if the window has at most the newest key.
func (q *EventSet) popRefilled() (k event.Key, ok bool) {
	if q.late.TS == none {
		q.back.Refill()
	}
	return q.PopWindow()
}

// Empty reports whether the window is empty: after Refill, whether the queue is.
func (q *EventSet) Empty() bool { return q.w.n == 0 && q.late.TS == none }

// Refill makes the next keys the window, if it is empty. Pop calls it itself; a
// scheduler calls it to measure its cost.
func (q *EventSet) Refill() { q.back.Refill() }

// PopWindow is Pop without Refill: ok is false when the window is empty.
func (q *EventSet) PopWindow() (k event.Key, ok bool) {
	w := q.w
	if n := w.n; n > 0 {
		if k = *at(w.keys, n-1); k.TS < q.late.TS {
			w.n = n - 1
			return k, true
		}
	}
	return q.popLate()
}

// popLate is PopWindow if the newest key may be the least.
func (q *EventSet) popLate() (k event.Key, ok bool) {
	w := q.w
	k = q.late
	if w.n > 0 && (k.TS == none || q.arena.Before(*at(w.keys, w.n-1), k)) {
		w.n--
		return *at(w.keys, w.n), true
	}
	q.late.TS = none
	return k, k.TS != none
}

// Min returns the least key of an event that is not cancelled. It frees the cancelled
// events before it, so that they do not hold back GVT.
func (q *EventSet) Min() (k event.Key, ok bool) {
	for {
		if k, ok = q.Pop(); !ok {
			return k, false
		}
		e := q.arena.At(k.Index())
		if e.State != event.Cancelled {
			q.PutBack(k)
			return k, true
		}
		q.arena.Free(e, k.Index())
	}
}

// PutBack undoes the Pop that returned k, if nothing was done to the queue since.
func (q *EventSet) PutBack(k event.Key) {
	if w := q.w; w.n < w.cap && *at(w.keys, w.n) == k {
		w.n++ // it is still there
		return
	}
	q.late = k
}

// Purge frees all events in the queue that are cancelled, or for which dead, if it is not nil, returns true. It costs
// as much as popping all events and pushing the others.
func (q *EventSet) Purge(dead func(e *event.Event) bool) {
	keys := make([]event.Key, 0, q.Len())
	for k, ok := q.Pop(); ok; k, ok = q.Pop() {
		if e := q.arena.At(k.Index()); e.State == event.Cancelled || dead != nil && dead(e) {
			q.arena.Free(e, k.Index())
		} else {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		q.Push(k)
	}
}

// leastShrunk is the least memory in bytes that Shrink gives back.
const leastShrunk = 40 << 10

// Shrink gives back the memory that the queue took for keys it no longer has, if it is empty. If the system
// refuses memory for a new ladder, everything stays as it is.
func (q *EventSet) Shrink() {
	if q.Len() > 0 || q.w.failed != 0 || q.w.bytes < leastShrunk {
		return
	}
	if n, err := NewEventSet(q.arena, q.impl, q.size); err == nil {
		q.back.Free()
		q.w, q.back = n.w, n.back
	}
}

// insert adds a key that belongs into the window. It only records the key, and puts
// the key recorded before into its place. The comparisons that find a place are
// mispredicted for every other key, and a misprediction is only detected when the key
// is known; the key of a send depends on the whole handler, with a logarithm in it.
// One event later the key has long been known.
func (q *EventSet) insert(k event.Key) {
	w := q.w
	if w.tie != 0 && k.Same(w.tieMin) && !q.arena.Before(k, w.tieMin) {
		q.stage(k)
		return
	}
	before := q.late
	q.late = k
	if before.TS != none {
		q.place(before)
	}
}

// spill makes room in the window. This lowers the bound, so the newest key may have to
// leave as well.
func (q *EventSet) spill() {
	late := q.late
	q.late.TS = none
	q.back.Spill()
	if late.TS != none {
		q.Push(late)
	}
}

// place puts a key into the window.
func (q *EventSet) place(k event.Key) {
	w := q.w
	n := w.n
	if n == w.cap {
		q.spill()
		q.Push(k)
		return
	}
	i := n
	p := at(w.keys, n)
	for i > 0 {
		below := (*event.Key)(unsafe.Add(unsafe.Pointer(p), -int(keySize)))
		if !below.Less(k) {
			break
		}
		*p = *below
		p = below
		i--
	}
	*p = k
	if invariants.Enabled {
		q.steps += uint64(n - i)
	}
	w.n = n + 1
	if i > 0 && at(w.keys, i-1).Same(k) || i < n && at(w.keys, i+1).Same(k) {
		q.settle(i, n)
	}
	if n-i > longMove {
		q.spill()
	}
}

// longMove is the number of keys that may move for a new one. If more do, the window is longer
// than it should be: a queue of 200 keys would otherwise be nothing but a sorted array.
const longMove = 64

// settle moves the key at i to its place among those that agree with it in 96
// bits.
func (q *EventSet) settle(i, last uint32) {
	keys := unsafe.Slice(at(q.w.keys, 0), last+1)
	from := i
	for ; i > 0 && keys[i].Same(keys[i-1]) && q.arena.Before(keys[i-1], keys[i]); i-- {
		keys[i], keys[i-1] = keys[i-1], keys[i]
	}
	for ; i < last && keys[i].Same(keys[i+1]) && q.arena.Before(keys[i], keys[i+1]); i++ {
		keys[i], keys[i+1] = keys[i+1], keys[i]
	}
	if invariants.Enabled {
		q.steps += uint64(max(i, from) - min(i, from))
	}
}

// Check verifies the structure of the whole queue. It costs O(n).
func (q *EventSet) Check() error {
	if n := q.back.Check(); n != 0 {
		return fmt.Errorf("ladder queue (%s): invariant %d of csrc/check.c is broken", q.impl, n)
	}
	late := q.late
	if late.TS != none && !late.Less(event.Key{TS: q.w.boundTS, Lo: q.w.boundLo}) {
		return fmt.Errorf("ladder queue (%s): the newest key is not before the bound", q.impl)
	}
	return nil
}

// Depth returns how many rungs the ladder has now.
func (q *EventSet) Depth() int { return q.back.Rungs() }

// Close releases the queue's memory.
func (q *EventSet) Close() {
	q.back.Free()
	*q = EventSet{w: &window{}, late: event.Key{TS: none}}
}

// Impls returns the implementations that this build has, the fastest first.
func Impls() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// MaxWindow is the largest window that can be requested, in keys.
const MaxWindow = windowCap / 2

// NewEventSet returns an empty set over the events of arena, with a window of about n keys, 0 to MaxWindow; 0
// selects the size that was measured to be fastest. impl is "c", "go", or "" for the faster of those that this
// build has. The order of events depends on neither. It is for the engine;
// other programs call [New].
func NewEventSet(arena *event.Arena, impl string, n int) (*EventSet, error) {
	n = min(max(n, 0), MaxWindow)
	switch {
	case impl == "go" || impl == "" && !csrc.Enabled:
		t := newTwin(arena, n)
		return &EventSet{w: &t.w, late: event.Key{TS: none}, arena: arena, back: t, impl: "go", size: n}, nil
	case impl == "" || impl == "c" && csrc.Enabled:
		back, w, ok := newC(arena, n)
		if !ok {
			return nil, ErrMemory
		}
		return &EventSet{w: w, late: event.Key{TS: none}, arena: arena, back: back, impl: "c", size: n}, nil
	case impl == "c":
		return nil,
			fmt.Errorf(
				"ross: --pq=c: this program was built without cgo: use --pq=go, or build with CGO_ENABLED=1 and a C compiler")
	}
	return nil, fmt.Errorf("ross: --pq=%s: unknown event queue: use c or go", impl)
}
