// The hold model: a queue of constant size; each step takes the least key and puts it back later (Jones, "An empirical
// comparison of priority-queue and event-set implementations", CACM 29(4), 1986). The ladder queue is compared with
// the heaps that are here.

package bench

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/pq"
)

// Hold is one cell of the hold-model table.
type Hold struct {
	Impl string // c, go (the ladder), heap4, std
	N    int    // pending keys
	Dist string // of the time from a key's end to its next: see Distributions
}

func (h Hold) String() string { return fmt.Sprintf("impl=%s/n=%d/dist=%s", h.Impl, h.N, h.Dist) }

// Distributions are the increments of the hold model, mean about 1.
var Distributions = map[string]func(r *rand.Rand) float64{
	"exp":     func(r *rand.Rand) float64 { return r.ExpFloat64() },
	"uniform": func(r *rand.Rand) float64 { return 2 * r.Float64() },
	"bimodal": func(r *rand.Rand) float64 {
		if r.IntN(10) == 0 {
			return 9.5 + r.Float64()
		}
		return 0.05 + 0.01*r.Float64()
	},
	"equal": func(*rand.Rand) float64 { return 0 },
	// Each key goes behind all others: increments are larger than the spread.
	"farther": func(r *rand.Rand) float64 { return 4 },
}

const increments = 1 << 14 // drawn before the clock starts

// Run measures one hold operation: a pop and a push.
func (h Hold) Run(b *testing.B) {
	r := rand.New(rand.NewPCG(uint64(h.N), 1))
	next := Distributions[h.Dist]
	inc := make([]float64, increments)
	tie := make([]uint64, increments)
	for i := range inc {
		inc[i], tie[i] = next(r), uint64(r.Uint32())<<32
	}
	start := make([]event.Key, h.N)
	for i := range start {
		t := next(r)
		switch h.Dist {
		case "equal":
			t = 1
		case "farther":
			t = 4 * float64(i) / float64(h.N)
		}
		start[i] = event.Key{TS: math.Float64bits(t), Lo: uint64(r.Uint32())<<32 | uint64(i+1)}
	}
	later := func(k event.Key, i int) event.Key {
		i &= increments - 1
		return event.Key{TS: math.Float64bits(k.Time() + inc[i]), Lo: tie[i] | uint64(uint32(k.Lo))}
	}
	warm := h.N + 1000
	// One loop for each type: a shared one would call the heaps through an
	// interface or a dictionary, which the ladder does not.
	switch h.Impl {
	case "heap4":
		q := &heap4{}
		for _, k := range start {
			q.push(k)
		}
		for i := range warm {
			q.push(later(q.pop(), i))
		}
		for i := 0; b.Loop(); i++ {
			q.push(later(q.pop(), i))
		}
	case "std":
		q := &stdHeap{}
		for _, k := range start {
			q.push(k)
		}
		for i := range warm {
			q.push(later(q.pop(), i))
		}
		for i := 0; b.Loop(); i++ {
			q.push(later(q.pop(), i))
		}
	default:
		q, free := h.ladder(b)
		defer free()
		for _, k := range start {
			q.Push(k)
		}
		for i := range warm {
			k, _ := q.Pop()
			q.Push(later(k, i))
		}
		for i := 0; b.Loop(); i++ {
			k, _ := q.Pop()
			q.Push(later(k, i))
		}
	}
}

// ladder returns a ladder queue over an arena whose events are all alike, so
// that keys decide, as in the heaps.
func (h Hold) ladder(b *testing.B) (*pq.EventSet, func()) {
	arena, err := event.NewArena(8, uint64(h.N)+1, nil)
	if err != nil {
		b.Fatal(err)
	}
	for range h.N + 1 {
		if _, _, err := arena.Alloc(); err != nil {
			b.Fatal(err)
		}
	}
	q, err := pq.NewEventSet(arena, h.Impl, 0)
	if err != nil {
		b.Fatal(err)
	}
	return q, func() {
		q.Close()
		arena.Release()
	}
}

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
