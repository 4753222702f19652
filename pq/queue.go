// Queue: what a PE does with its pending-event set, once per event. All of it
// is in Go and touches only the window; the ladder behind it, in C or in Go,
// is called once per window.

package pq

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
)

// ErrMemory says that the system refused memory for the queue's keys.
var ErrMemory = errors.New("ross: pending-event set: the system has no more memory for keys: free memory or lower the number of pending events")

// Queue is a pending-event set: a priority queue of the keys of events that
// live in one arena. It is not safe for concurrent use.
//
// Push and Pop cost O(1) amortised for any distribution of times that is not
// adversarial, and O(log n) for those that are. Times are any finite float64
// >= 0. Keys of events with equal signatures come in a fixed order.
type Queue struct {
	w     *window
	arena *event.Arena
	back  ladder
	impl  string
	steps uint64 // keys that insert moved; counted as twin.step does
}

// window is the part of the ladder that Push and Pop use. The C twin is
// ross_window in csrc/ladder.h; a test compares the layouts.
type window struct {
	keys             unsafe.Pointer // *event.Key, descending: keys[n-1] is the least
	n, cap           uint32
	boundTS, boundLo uint64         // keys at or beyond it go to the stage
	stage            unsafe.Pointer // *event.Key
	staged, stageCap uint32
	tieMin           event.Key // if tie: the least key of the tie heap
	tie              uint32
	failed           uint32
	far              uint64 // keys neither in the window nor staged
	bytes            uint64 // memory that the queue holds
}

// ladder is what is behind the window.
type ladder interface {
	Refill()
	Flush()
	Spill()
	Check() int
	Rungs() int
	Free()
}

const keySize = unsafe.Sizeof(event.Key{})

func at(base unsafe.Pointer, i uint32) *event.Key {
	return (*event.Key)(unsafe.Add(base, uintptr(i)*keySize))
}

// Impl returns "c" or "go": which implementation the queue is.
func (q *Queue) Impl() string { return q.impl }

// Len returns how many keys the queue holds, those of cancelled events that
// have not surfaced included.
func (q *Queue) Len() uint64 { return uint64(q.w.n) + uint64(q.w.staged) + q.w.far }

// Bytes returns the memory that the queue holds for keys and buckets.
func (q *Queue) Bytes() uint64 { return q.w.bytes }

// Err returns ErrMemory when the system refused memory; what the queue holds
// is then void.
func (q *Queue) Err() error {
	if q.w.failed != 0 {
		return ErrMemory
	}
	return nil
}

// Window returns the keys that come next, the least last, until Push or Refill
// change them. A scheduler reads them to bring events and LPs near before they
// are needed.
func (q *Queue) Window() []event.Key { return unsafe.Slice(at(q.w.keys, 0), q.w.n) }

// Push adds a key. The event must be filled in before: keys that agree in 96
// bits are ordered by their events.
func (q *Queue) Push(k event.Key) {
	w := q.w
	if k.TS < w.boundTS || k.TS == w.boundTS && k.Lo < w.boundLo {
		q.insert(k)
		return
	}
	*at(w.stage, w.staged) = k
	w.staged++
	if w.staged == w.stageCap {
		q.back.Flush()
	}
}

// Pop removes the least key. ok is false when the queue is empty. The event
// may be Cancelled: the caller then frees it and pops again.
func (q *Queue) Pop() (k event.Key, ok bool) {
	if q.w.n == 0 {
		q.back.Refill()
	}
	return q.PopWindow()
}

// Empty reports whether the window is empty: after Refill, whether the queue is.
func (q *Queue) Empty() bool { return q.w.n == 0 }

// Refill makes the next keys the window, if it is empty. Pop does it by itself;
// a scheduler that wants to know what it costs calls it.
func (q *Queue) Refill() { q.back.Refill() }

// PopWindow is Pop without Refill: ok is false when the window is empty. It is
// small enough to be inlined.
func (q *Queue) PopWindow() (k event.Key, ok bool) {
	w := q.w
	if w.n == 0 {
		return k, false
	}
	w.n--
	return *at(w.keys, w.n), true
}

// Min returns the least key of an event that is not cancelled. Cancelled
// events before it are freed: they must not hold back GVT.
func (q *Queue) Min() (k event.Key, ok bool) {
	for {
		if k, ok = q.Pop(); !ok {
			return k, false
		}
		e := q.arena.At(k.Index())
		if e.State != event.Cancelled {
			q.w.n++ // the key is still there
			return k, true
		}
		q.arena.Free(e, k.Index())
	}
}

// insert adds a key that belongs into the window.
func (q *Queue) insert(k event.Key) {
	w := q.w
	if w.tie != 0 && k.Same(w.tieMin) && !q.arena.Less(k, w.tieMin) {
		q.stageTie(k)
		return
	}
	n := w.n
	if n == w.cap {
		q.back.Spill()
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
}

// settle moves the key at i to its place among those that agree with it in 96
// bits.
func (q *Queue) settle(i, last uint32) {
	keys := unsafe.Slice(at(q.w.keys, 0), last+1)
	from := i
	for ; i > 0 && keys[i].Same(keys[i-1]) && q.arena.Less(keys[i-1], keys[i]); i-- {
		keys[i], keys[i-1] = keys[i-1], keys[i]
	}
	for ; i < last && keys[i].Same(keys[i+1]) && q.arena.Less(keys[i], keys[i+1]); i++ {
		keys[i], keys[i+1] = keys[i+1], keys[i]
	}
	if invariants.Enabled {
		q.steps += uint64(max(i, from) - min(i, from))
	}
}

// stageTie stages a key that agrees with those in the tie heap and is beyond
// the least of them.
func (q *Queue) stageTie(k event.Key) {
	w := q.w
	*at(w.stage, w.staged) = k
	w.staged++
	if w.staged == w.stageCap {
		q.back.Flush()
	}
}

// Check verifies the structure of the whole queue. It costs O(n).
func (q *Queue) Check() error {
	if n := q.back.Check(); n != 0 {
		return fmt.Errorf("ladder queue (%s): invariant %d of csrc/check.c is broken", q.impl, n)
	}
	return nil
}

// Depth returns how many rungs the ladder has now.
func (q *Queue) Depth() int { return q.back.Rungs() }

// Close gives the queue's memory back.
func (q *Queue) Close() {
	q.back.Free()
	*q = Queue{w: &window{}}
}
