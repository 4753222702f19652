// The hold model: a queue of constant size; each step takes the least key and
// puts it back later (Jones, "An empirical comparison of priority-queue and
// event-set implementations", CACM 29(4), 1986).

package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/internal/event"
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
