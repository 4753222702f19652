// Queue: the ladder as a priority queue of any values, for programs that have no events of this engine.

package pq

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/engine/event"
)

// Queue is a priority queue of values, ordered by time, and values of one time in the order of their
// [Queue.Push]. The time can be any finite number >= 0 by which something is ordered. Values are on the Go heap and
// may have any type; what the queue itself keeps, 16 bytes a value, is not, where no garbage collector scans it.
// A Queue is not safe for concurrent use.
//
// Push and Pop cost O(1) amortised for any distribution of times that is not adversarial, and O(log n) for one
// that is. They allocate only while the queue grows.
type Queue[V any] struct {
	set    *EventSet
	values []V      // by slot-1
	free   []uint32 // slots
	next   uint32   // among values of one time: the number of the next Push
}

// New returns an empty queue. impl is "c", "go", or "" for the faster of those that this build has; see [Impls].
// The queue has memory outside the Go heap until it is closed.
func New[V any](impl string) (*Queue[V], error) {
	// No two keys agree in 96 bits, so that no event is ever looked at.
	set, err := NewEventSet(&event.Arena{Lines: &event.Lineages{}}, impl, 0)
	if err != nil {
		return nil, err
	}
	return &Queue[V]{set: set}, nil
}

// Len returns the number of values.
func (q *Queue[V]) Len() int { return len(q.values) - len(q.free) }

// Bytes returns the memory outside the Go heap that the queue has.
func (q *Queue[V]) Bytes() uint64 { return q.set.Bytes() }

// Push adds a value at a time, which must be finite and at least 0. After an error the value is not in the queue.
// If the error is [ErrMemory], the queue is no longer usable: Pop then gives nothing.
func (q *Queue[V]) Push(time float64, v V) error {
	if !(time >= 0 && time <= math.MaxFloat64) {
		return fmt.Errorf("pq: a value at time %v: give a finite time that is at least 0", time)
	}
	if err := q.Err(); err != nil {
		return err
	}
	if q.next == math.MaxUint32 {
		q.renumber()
	}
	slot, err := q.store(v)
	if err != nil {
		return err
	}
	q.set.Push(event.Key{TS: math.Float64bits(time + 0), Lo: uint64(q.next)<<32 | uint64(slot)}) // -0 + 0 is 0
	q.next++
	return q.set.Err()
}

// store puts a value into a slot.
func (q *Queue[V]) store(v V) (slot uint32, err error) {
	if n := len(q.free); n > 0 {
		slot = q.free[n-1]
		q.free = q.free[:n-1]
		q.values[slot-1] = v
		return slot, nil
	}
	if len(q.values) == math.MaxUint32 {
		return 0, fmt.Errorf("pq: %d values are too many for one queue: use several", len(q.values))
	}
	q.values = append(q.values, v)
	return uint32(len(q.values)), nil
}

// Pop removes the value with the least time, of several the one that was pushed first. ok is false if the queue is
// empty, or has got no memory (see [Queue.Err]).
func (q *Queue[V]) Pop() (time float64, v V, ok bool) {
	k, ok := q.least()
	if !ok {
		return 0, v, false
	}
	i := k.Index() - 1
	v = q.values[i]
	var none V
	q.values[i] = none // what it points to may be collected
	q.free = append(q.free, i+1)
	return k.Time(), v, true
}

// Min returns the value that Pop would remove. ok is as that of Pop.
func (q *Queue[V]) Min() (time float64, v V, ok bool) {
	k, ok := q.least()
	if !ok {
		return 0, v, false
	}
	q.set.PutBack(k)
	return k.Time(), q.values[k.Index()-1], true
}

// least takes the least key out of the set. ok is false as for Pop.
func (q *Queue[V]) least() (k event.Key, ok bool) {
	k, ok = q.set.Pop()
	return k, ok && q.Err() == nil
}

// Err returns [ErrMemory] if the system has refused memory, so that values may be lost, and nil otherwise.
func (q *Queue[V]) Err() error { return q.set.Err() }

// renumber gives the values in the queue new numbers, from 0, in their order.
func (q *Queue[V]) renumber() {
	keys := make([]event.Key, 0, q.set.Len())
	for k, ok := q.set.Pop(); ok; k, ok = q.set.Pop() {
		keys = append(keys, k)
	}
	for i, k := range keys {
		q.set.Push(event.Key{TS: k.TS, Lo: uint64(i)<<32 | uint64(k.Index())})
	}
	q.next = uint32(len(keys))
}

// Close releases the queue's memory. The queue must not be used after that.
func (q *Queue[V]) Close() {
	q.set.Close()
	q.values, q.free, q.next = nil, nil, 0
}
