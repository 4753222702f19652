// Package pqtest is the conformance suite of pending-event sets: the same
// tests for every implementation, against a sorted slice.
//
// A test of an implementation is one line:
//
//	func TestC(t *testing.T) { pqtest.Run(t, "c") }
package pqtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/pq"
)

// Harness is a queue together with its model: a slice of the same events, kept
// sorted by event.Arena.Less.
type Harness struct {
	t     testing.TB
	Arena *event.Arena
	Queue *pq.EventSet
	model []event.Key // descending
	ops   int
	every int // operations between checks of the whole structure
}

// NewHarness makes an empty queue of an implementation.
func NewHarness(t testing.TB, impl string) *Harness {
	arena, err := event.NewArena(8, 1<<22, nil)
	require.NoError(t, err)
	q, err := pq.NewEventSet(arena, impl, 0)
	require.NoError(t, err)
	h := &Harness{t: t, Arena: arena, Queue: q, every: 97}
	t.Cleanup(func() {
		q.Close()
		arena.Release()
	})
	return h
}

// Add makes an event and pushes it. lineage is a node that the event takes a
// reference of, 0 for none.
func (h *Harness) Add(time, prio, tie float64, lineage uint32) event.Key {
	e, i, err := h.Arena.Alloc()
	require.NoError(h.t, err)
	*e = event.Event{Time: time, Tie: tie, Prio: prio, Lineage: lineage, Dst: i, State: event.Pending}
	k := event.KeyOf(e, i)
	h.Queue.Push(k)
	at, _ := slices.BinarySearchFunc(h.model, k, func(x, y event.Key) int {
		if h.Arena.Less(y, x) {
			return -1
		}
		return 1
	})
	h.model = slices.Insert(h.model, at, k)
	h.check()
	return k
}

// Pop pops and compares with the model. It returns the key popped.
func (h *Harness) Pop() (event.Key, bool) {
	k, ok := h.Queue.Pop()
	for ok && h.Arena.At(k.Index()).State == event.Cancelled {
		h.Arena.Free(h.Arena.At(k.Index()), k.Index())
		k, ok = h.Queue.Pop()
	}
	require.Equal(h.t, len(h.model) > 0, ok, "after %d operations", h.ops)
	if ok {
		want := h.model[len(h.model)-1]
		h.model = h.model[:len(h.model)-1]
		if k != want {
			h.t.Fatalf("after %d operations: popped %+v, want %+v", h.ops, *h.Arena.At(k.Index()), *h.Arena.At(want.Index()))
		}
		h.check()
	}
	return k, ok
}

// Free gives a popped event back.
func (h *Harness) Free(k event.Key) { h.Arena.Free(h.Arena.At(k.Index()), k.Index()) }

// Cancel marks the j-th pending event, counted from the least.
func (h *Harness) Cancel(j int) {
	at := len(h.model) - 1 - j
	h.Arena.At(h.model[at].Index()).State = event.Cancelled
	h.model = slices.Delete(h.model, at, at+1)
}

// Purge drops the cancelled events, and those for which dead returns true.
func (h *Harness) Purge(dead func(e *event.Event) bool) {
	before, n := h.Queue.Len(), len(h.model)
	h.Queue.Purge(dead)
	h.model = slices.DeleteFunc(h.model, func(k event.Key) bool { return h.Arena.At(k.Index()).State == event.Free })
	require.EqualValues(h.t, len(h.model), h.Queue.Len(), "of %d keys, %d of them not cancelled", before, n)
	h.check()
}

// Len returns how many events are pending and not cancelled.
func (h *Harness) Len() int { return len(h.model) }

// Drain pops everything and verifies that nothing is left.
func (h *Harness) Drain() {
	for {
		k, ok := h.Pop()
		if !ok {
			break
		}
		h.Free(k)
	}
	require.Zero(h.t, h.Queue.Len())
	require.NoError(h.t, h.Queue.Check())
	require.NoError(h.t, h.Arena.Check())
}

func (h *Harness) check() {
	if h.ops++; h.ops%h.every == 0 {
		require.NoError(h.t, h.Queue.Check(), "after %d operations", h.ops)
	}
}

// distributions of the time from now to a new event, by what they attack.
var distributions = map[string]func(r *rand.Rand, now float64) float64{
	"exponential": func(r *rand.Rand, now float64) float64 { return now + r.ExpFloat64() },
	"lookahead":   func(r *rand.Rand, now float64) float64 { return now + 0.1 + 0.9*r.ExpFloat64() },
	"uniform":     func(r *rand.Rand, now float64) float64 { return now + 2*r.Float64() },
	"bimodal": func(r *rand.Rand, now float64) float64 {
		if r.IntN(10) == 0 {
			return now + 1000 + r.Float64()
		}
		return now + r.Float64()
	},
	"all equal":      func(*rand.Rand, float64) float64 { return 1 },
	"whole numbers":  func(r *rand.Rand, now float64) float64 { return math.Floor(now) + float64(r.IntN(4)) },
	"huge range":     func(r *rand.Rand, _ float64) float64 { return math.Pow(10, 600*r.Float64()-300) },
	"subnormal":      func(r *rand.Rand, _ float64) float64 { return math.Float64frombits(r.Uint64N(1 << 20)) },
	"any bits":       func(r *rand.Rand, _ float64) float64 { return math.Float64frombits(r.Uint64N(0x7ff0000000000000)) },
	"clusters":       func(r *rand.Rand, _ float64) float64 { return float64(r.IntN(5)) + 1e-15*float64(r.IntN(3)) },
	"ever nearer":    func(_ *rand.Rand, now float64) float64 { return math.Nextafter(now, 0) },
	"ever farther":   func(_ *rand.Rand, now float64) float64 { return now + 1e6 },
	"one far, dense": func(r *rand.Rand, now float64) float64 { return now + 1e-9*r.Float64() },
}

// Run runs the whole suite on an implementation.
func Run(t *testing.T, impl string) {
	t.Run("distributions", func(t *testing.T) { testDistributions(t, impl) })
	t.Run("priorities without room for tie-breakers", func(t *testing.T) { testTiedPriority(t, impl) })
	t.Run("zero-delay bursts", func(t *testing.T) { testLineages(t, impl) })
	t.Run("insertion order does not matter", func(t *testing.T) { testInsertionOrder(t, impl) })
	t.Run("cancelled events never surface", func(t *testing.T) { testCancel(t, impl) })
	t.Run("of equal signatures the later ones are tied", func(t *testing.T) { testTies(t, impl) })
	t.Run("what is sent again does not tie with what was cancelled", func(t *testing.T) { testNoTies(t, impl) })
	t.Run("descending insertion stays shallow", func(t *testing.T) { testDescending(t, impl) })
	t.Run("empty", func(t *testing.T) { testEmpty(t, impl) })
}

// testDistributions plays hold, growth and decline for every distribution.
func testDistributions(t *testing.T, impl string) {
	for name, next := range distributions {
		for _, n := range testlevel.Pick([]int{1, 16, 33, 200, 3000}, []int{1, 16, 33, 200, 3000}, []int{1, 33, 1000}) {
			t.Run(fmt.Sprintf("%s/n=%d", name, n), func(t *testing.T) {
				h := NewHarness(t, impl)
				h.every = 61 + n/4
				r := rand.New(rand.NewPCG(uint64(n), 7))
				prio := []float64{1, 1, 1, 0.25, 0.3, 0}
				now := 0.0
				if name == "ever nearer" {
					now = 1
				}
				push := func() { h.Add(next(r, now), prio[r.IntN(len(prio))], r.Float64(), 0) }
				for range n {
					push()
				}
				for range 3 * n {
					k, _ := h.Pop()
					now = k.Time()
					h.Free(k)
					push()
				}
				for range 2 * n {
					if r.IntN(3) == 0 {
						push()
					} else if k, ok := h.Pop(); ok {
						now = k.Time()
						h.Free(k)
					}
				}
				h.Drain()
			})
		}
	}
}

// testTiedPriority has many events of one time and one priority off the grid, so that all keys
// agree in 96 bits and only the events give the order.
func testTiedPriority(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		h.Add(5, 0.3, r.Float64(), 0)
	}
	for range 4000 {
		k, _ := h.Pop()
		h.Free(k)
		h.Add(5, 0.3, r.Float64(), 0)
		if r.IntN(50) == 0 {
			h.Add(4+2*r.Float64(), 0.3, r.Float64(), 0)
		}
	}
	h.Drain()
}

// testLineages grows zero-delay trees: children share their parent's
// tie-breakers and come right after it.
func testLineages(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		h.Add(float64(r.IntN(3)), 1, r.Float64(), 0)
	}
	left := testlevel.Times(6000, 2000)
	for {
		k, ok := h.Pop()
		if !ok {
			break
		}
		e := h.Arena.At(k.Index())
		children := r.IntN(4)
		if r.IntN(200) == 0 {
			children = 400
		}
		for range min(children, left) {
			node, err := h.Arena.Lines.Extend(e.Lineage, r.Float64())
			require.NoError(t, err)
			h.Add(e.Time, e.Prio, e.Tie, node)
			left--
		}
		h.Free(k)
	}
	require.Zero(t, left)
	require.Zero(t, h.Arena.Lines.Live(), "lineage nodes leaked")
	h.Drain()
}

// testInsertionOrder pushes one set of events in several orders; the order out
// must be the same, equal signatures included.
func testInsertionOrder(t *testing.T, impl string) {
	r := rand.New(rand.NewPCG(5, 6))
	type sig struct {
		time, prio, tie float64
		src             uint64
	}
	var all []sig
	for i := range 3000 {
		s := sig{float64(r.IntN(300)) / 8, float64(r.IntN(3)) / 2, float64(r.IntN(4)) / 4, uint64(i)}
		all = append(all, s)
	}
	var first []uint64
	for range 4 {
		arena, err := event.NewArena(8, 1<<20, nil)
		require.NoError(t, err)
		q, err := pq.NewEventSet(arena, impl, 0)
		require.NoError(t, err)
		for _, s := range all {
			e, i, err := arena.Alloc()
			require.NoError(t, err)
			*e = event.Event{Time: s.time, Prio: s.prio, Tie: s.tie, Src: s.src, State: event.Pending}
			q.Push(event.KeyOf(e, i))
		}
		require.NoError(t, q.Check())
		var order []uint64
		for k, ok := q.Pop(); ok; k, ok = q.Pop() {
			order = append(order, arena.At(k.Index()).Src)
		}
		if first == nil {
			first = order
		}
		require.Equal(t, first, order)
		q.Close()
		arena.Release()
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
}

// testTies pops events of equal signature: those that were in the queue together with one before them are Tied.
func testTies(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	r := rand.New(rand.NewPCG(11, 12))
	now, tied, ties := 0.0, map[uint32]bool{}, 0
	nodes := []uint32{0}
	for i := range 4 {
		node, err := h.Arena.Lines.Extend(nodes[i/2], 0.25*float64(1+i%2))
		require.NoError(t, err)
		nodes = append(nodes, node)
	}
	pop := func() {
		k, ok := h.Pop()
		if !ok {
			return
		}
		now = k.Time()
		e := h.Arena.At(k.Index())
		require.Equal(t, tied[k.Index()], e.State == event.Tied, "after %d operations", h.ops)
		if e.State == event.Tied {
			ties++
		}
		delete(tied, k.Index())
		for j := len(h.model) - 1; j >= 0; j-- {
			o := h.Arena.At(h.model[j].Index())
			if o.Time != e.Time || o.Prio != e.Prio || o.Tie != e.Tie || h.Arena.Lines.Compare(o.Lineage, e.Lineage) != 0 {
				break
			}
			tied[h.model[j].Index()] = true
		}
		h.Free(k)
	}
	for range testlevel.Times(30_000, 4_000) {
		switch n := r.IntN(10); {
		case n < 4 || h.Len() > 3000:
			pop()
		case n < 5: // a group that is too large for the window
			for range r.IntN(40) {
				h.Add(now+1, 1, 0.5, 0)
			}
		default:
			node := nodes[r.IntN(len(nodes))]
			h.Arena.Lines.Keep(node)
			h.Add(now+float64(r.IntN(6))/4, float64(1+r.IntN(2))/2, float64(r.IntN(3))/4, node)
		}
	}
	for h.Len() > 0 {
		pop()
	}
	require.Greater(t, ties, 300)
}

// testNoTies cancels an event and pushes it again, as a rollback does that sends the same once more: no ties.
func testNoTies(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	for i := range 300 {
		for range 3 {
			h.Add(float64(i), 1, 0.5, 0)
			h.Cancel(h.Len() - 1)
		}
		h.Add(float64(i), 1, 0.5, 0)
	}
	for h.Len() > 0 {
		k, _ := h.Pop()
		require.EqualValues(t, event.Pending, h.Arena.At(k.Index()).State)
		h.Free(k)
	}
}

func testCancel(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	r := rand.New(rand.NewPCG(8, 9))
	now := 0.0
	for range 20000 {
		switch {
		case h.Len() < 500 || r.IntN(3) == 0:
			h.Add(now+r.ExpFloat64(), 1, r.Float64(), 0)
		case r.IntN(2) == 0:
			h.Cancel(r.IntN(h.Len()))
		default:
			k, _ := h.Pop()
			now = k.Time()
			h.Free(k)
		}
		if r.IntN(500) == 0 {
			h.Purge(func(e *event.Event) bool { return e.Tie < 0.2 })
		}
		if k, ok := h.Queue.Min(); ok {
			require.Equal(t, h.model[len(h.model)-1], k)
		}
	}
	h.Drain()
	require.Zero(t, h.Arena.Live())
}

// testDescending pushes every key before all others, which must neither
// deepen the ladder without bound nor cost O(n) each.
func testDescending(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	h.every = 1 << 30
	q := h.Queue
	n := testlevel.Times(200_000, 40_000)
	for i := n; i > 0; i-- {
		e, j, err := h.Arena.Alloc()
		require.NoError(t, err)
		*e = event.Event{Time: float64(i), Prio: 1, State: event.Pending}
		q.Push(event.KeyOf(e, j))
		if i == n-300 { // so that there are rungs to spill upon
			k, _ := q.Pop()
			h.Free(k)
		}
	}
	require.Less(t, q.Depth(), 40)
	require.NoError(t, q.Check())
	last := 0.0
	for range n - 1 {
		k, ok := q.Pop()
		require.True(t, ok)
		require.Less(t, last, k.Time())
		last = k.Time()
		h.Free(k)
	}
	h.Drain()
}

func testEmpty(t *testing.T, impl string) {
	h := NewHarness(t, impl)
	for range 3 {
		_, ok := h.Queue.Pop()
		require.False(t, ok)
		_, ok = h.Queue.Min()
		require.False(t, ok)
		h.Add(1, 1, 0.5, 0)
		h.Drain()
	}
}

// Fuzz decodes operations from bytes and plays them against the model: two
// bytes an operation. It is the body of a fuzz target.
func Fuzz(t *testing.T, impl string, data []byte) {
	h := NewHarness(t, impl)
	h.every = 13
	now := 0.0
	for ; len(data) >= 2; data = data[2:] {
		op, x := data[0], float64(data[1])
		n := 1 << (op >> 5) // bursts: most structure appears with many keys
		for range n {
			switch op & 7 {
			case 0:
				h.Add(now+x/16, 1, x/256, 0)
			case 1:
				h.Add(now, float64(data[1]&3)/3, x/256, 0)
			case 2:
				h.Add(math.Float64frombits(math.Float64bits(now)+uint64(data[1])), 1, x/256, 0)
			case 3:
				h.Add(math.Pow(2, 7.9*x-1000), 1, x/256, 0) // finite for every byte
			case 4:
				node, err := h.Arena.Lines.Extend(0, x/256)
				require.NoError(t, err)
				h.Add(now, 1, 0.5, node)
			case 5:
				if h.Len() > 0 {
					h.Cancel(int(data[1]) % h.Len())
				}
			default:
				if k, ok := h.Pop(); ok {
					now = k.Time()
					h.Free(k)
				}
			}
		}
	}
	h.Drain()
}
