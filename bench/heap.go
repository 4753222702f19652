// The heaps with which the ladder queue is compared.

package bench

import (
	"container/heap"

	"github.com/ross-go/ross/internal/event"
)

// heap4 is a 4-ary heap of keys, the strongest simple priority queue for small
// entries: half the depth of a binary heap, four children in one cache line.
type heap4 struct{ h []event.Key }

func (q *heap4) push(k event.Key) {
	q.h = append(q.h, k)
	h := q.h
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) >> 2
		if !k.Less(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = k
}

func (q *heap4) pop() event.Key {
	h := q.h
	least := h[0]
	n := len(h) - 1
	k := h[n]
	h = h[:n]
	q.h = h
	i := 0
	for {
		c := 4*i + 1
		if c >= n {
			break
		}
		m := c
		for j := c + 1; j < min(c+4, n); j++ {
			if h[j].Less(h[m]) {
				m = j
			}
		}
		if !h[m].Less(k) {
			break
		}
		h[i] = h[m]
		i = m
	}
	if n > 0 {
		h[i] = k
	}
	return least
}

// stdHeap is container/heap as most Go simulators use it.
type stdHeap []event.Key

func (h stdHeap) Len() int           { return len(h) }
func (h stdHeap) Less(i, j int) bool { return h[i].Less(h[j]) }
func (h stdHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *stdHeap) Push(x any)        { *h = append(*h, x.(event.Key)) }
func (h *stdHeap) Pop() any {
	old := *h
	k := old[len(old)-1]
	*h = old[:len(old)-1]
	return k
}

func (h *stdHeap) push(k event.Key) { heap.Push(h, k) }
func (h *stdHeap) pop() event.Key   { return heap.Pop(h).(event.Key) }
