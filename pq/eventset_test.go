// This file owns the tests of EventSet by its API: conformance and fuzzing; the order of events with equal keys, by
// the comparison in C and the one in Go; what becomes of keys when cancelled events are dropped, and at the end of a
// rung; allocations; and the examples.

package pq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/pqtest"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/pq"
	"github.com/stretchr/testify/require"
)

func TestConformance(t *testing.T) {
	for _, impl := range pq.Impls() {
		t.Run(impl, func(t *testing.T) { pqtest.Run(t, impl) })
	}
}

func FuzzQueue(f *testing.F) {
	f.Add([]byte{0, 1, 0xe0, 2, 0xe1, 3, 0xe6, 0, 0xc4, 9, 0xe7, 0})
	f.Add([]byte{0xe4, 1, 0xe4, 200, 0xe6, 0, 0xe4, 100, 0xe1, 1})
	f.Add([]byte{0xe2, 7, 0xe3, 90, 0xe3, 10, 0xe5, 3, 0xc6, 0, 0xe0, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range pq.Impls() {
			pqtest.Fuzz(t, impl, data)
		}
	})
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	arena, err := event.NewArena(8, 1<<10, nil)
	require.NoError(t, err)
	defer arena.Release()
	_, err = pq.NewEventSet(arena, "splay", 0)
	require.ErrorContains(t, err, "--pq=splay: unknown event queue: use c or go")
	if !csrc.Enabled {
		_, err = pq.NewEventSet(arena, "c", 0)
		require.ErrorContains(t, err, "built without cgo")
	}
}

// TestTheQueueOrdersEqualKeysAsCompareDoes pushes events that agree in all 96
// bits of their keys, so that the queue has nothing but their signatures to go
// by, and which often share one part of these or another. With the C queue this
// is the test of csrc/order.c against internal/engine/event.
func TestTheQueueOrdersEqualKeysAsCompareDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for _, impl := range pq.Impls() {
		for _, n := range []int{40, 90, 2500} { // a window's worth, one bucket's, a heap's
			t.Run(fmt.Sprintf("%s/n=%d", impl, n), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(n)))
				arena, err := event.NewArena(8, 1<<14, nil)
				require.NoError(t, err)
				defer arena.Release()
				q, err := pq.NewEventSet(arena, impl, 0)
				require.NoError(t, err)
				defer q.Close()

				lineages := growTree(t, arena, r)
				var keys []event.Key
				for range n {
					k := addTied(t, arena, r, lineages)
					require.True(t, len(keys) == 0 || k.Same(keys[0]))
					keys = append(keys, k)
					q.Push(k)
				}
				require.NoError(t, q.Check())
				slices.SortFunc(keys, func(x, y event.Key) int {
					if arena.Less(x, y) {
						return -1
					}
					return 1
				})
				for i, want := range keys {
					got, ok := q.Pop()
					require.True(t, ok)
					require.Equal(t, *arena.At(want.Index()), *arena.At(got.Index()), "event %d", i)
					require.Equal(t, want, got)
				}
			})
		}
	}
}

// growTree returns nodes of lineages. Many of them part late, at equal
// tie-breakers, or not at all.
func growTree(t *testing.T, arena *event.Arena, r *rand.Rand) []uint32 {
	nodes := []uint32{0}
	for range 600 {
		parent := nodes[r.IntN(len(nodes))]
		if r.IntN(3) > 0 {
			parent = nodes[len(nodes)-1]
		}
		node, err := arena.Lines.Extend(parent, float64(r.IntN(3))/4)
		require.NoError(t, err)
		nodes = append(nodes, node)
	}
	return nodes
}

// addTied makes an event of one time and prefix. Parts of its signature are
// drawn from few values, so that each later part decides some of the pairs.
func addTied(t *testing.T, arena *event.Arena, r *rand.Rand, lineages []uint32) event.Key {
	e, i, err := arena.Alloc()
	require.NoError(t, err)
	prio := 0.3
	if r.IntN(4) == 0 {
		prio += 1e-12 // the same prefix
	}
	*e = event.Event{
		Time: 5, Prio: prio, Tie: float64(r.IntN(3)) / 4, Lineage: lineages[r.IntN(len(lineages))],
		Dst: uint32(r.IntN(2)), Src: uint64(r.IntN(2)), SendTime: float64(r.IntN(2)), State: event.Pending,
	}
	return event.KeyOf(e, i)
}

// arenaOf returns an arena, and a function that makes a key of it.
func arenaOf(t *testing.T) (*event.Arena, func(time, tie float64) event.Key) {
	t.Helper()
	arena, err := event.NewArena(8, 1<<20, nil)
	require.NoError(t, err)
	t.Cleanup(arena.Release)
	return arena, func(time, tie float64) event.Key {
		e, i, err := arena.Alloc()
		require.NoError(t, err)
		e.Fill(time, tie, 0, 0, 1)
		return event.KeyOf(e, i)
	}
}

func TestPurgeDropsCancelledEventsAlone(t *testing.T) {
	for _, impl := range pq.Impls() {
		arena, key := arenaOf(t)
		q, err := pq.NewEventSet(arena, impl, 0)
		require.NoError(t, err)
		defer q.Close()
		for i := range 200 {
			k := key(float64(2+i), 0.5)
			if i%3 == 1 {
				arena.At(k.Index()).State = event.Cancelled
			}
			q.Push(k)
		}
		first, ok := q.Pop()
		require.True(t, ok)
		q.Push(first) // into the window
		q.Push(key(1, 0.5))
		require.EqualValues(t, 201, q.Len(), impl)
		q.Purge(nil)
		require.EqualValues(t, 201-67, q.Len(), impl)
		require.EqualValues(t, 201-67, arena.Live(), impl)
		for i := -1; i < 200; i++ {
			if i%3 == 1 {
				continue
			}
			k, ok := q.Pop()
			require.True(t, ok)
			require.Equal(t, float64(2+i), k.Time(), impl)
		}
		require.Zero(t, q.Len())
	}
}

// TestKeysAtTheEndOfARungKeepTheirOrder has two keys of one time beyond many that are close together,
// at each distance at which the rung of these may end: one from the beginning, and an earlier one
// that comes when the rung has been made.
func TestKeysAtTheEndOfARungKeepTheirOrder(t *testing.T) {
	const dense = 256
	for _, impl := range pq.Impls() {
		arena, _ := arenaOf(t)
		for far := uint64(dense); far < 8*dense; far++ {
			q, err := pq.NewEventSet(arena, impl, 0)
			require.NoError(t, err)
			const from = 0x3ff0000000000000
			for i := range uint64(dense) {
				q.Push(event.Key{TS: from + i, Lo: 7<<32 | (i + 1)})
			}
			late := event.Key{TS: from + far, Lo: 9<<32 | dense + 1}
			soon := event.Key{TS: from + far, Lo: 8<<32 | dense + 2}
			q.Push(late)
			var last event.Key
			for range dense / 2 { // by then the rung has been made
				last, _ = q.Pop()
			}
			q.Push(soon)
			for k, ok := q.Pop(); ok; k, ok = q.Pop() {
				require.True(t, last.Less(k), "%s: %d after the first key", impl, far)
				last = k
			}
			require.Equal(t, late, last)
			q.Close()
		}
	}
}

// A long list of keys does not keep its memory when they have gone to buckets, and all keys still come in order.
func TestALongTopGivesItsMemoryBack(t *testing.T) {
	testlevel.Once(t, "memory of millions of keys")
	const n = 5 << 20
	for _, impl := range pq.Impls() {
		arena, _ := arenaOf(t)
		q, err := pq.NewEventSet(arena, impl, 0)
		require.NoError(t, err)
		defer q.Close()
		random := rand.New(rand.NewPCG(1, 2))
		for i := range uint64(n) {
			q.Push(event.Key{TS: math.Float64bits(1+random.Float64())&^0xff | i&0xff, Lo: i<<32 | 1})
		}
		last, ok := q.Pop()
		require.True(t, ok)
		// A key takes 16 bytes in the list, with room for half as many again, and without the list some 40.
		require.Less(t, q.Bytes(), uint64(45*n), impl)
		wrong := 0
		for k, ok := q.Pop(); ok; k, ok = q.Pop() {
			if !last.Less(k) {
				wrong++
			}
			last = k
		}
		require.Zero(t, wrong, impl)
		require.Zero(t, q.Len(), impl)
		require.NoError(t, q.Check(), impl)
	}
}

func TestAnEmptyQueueShrinks(t *testing.T) {
	for _, impl := range pq.Impls() {
		arena, key := arenaOf(t)
		q, err := pq.NewEventSet(arena, impl, 0)
		require.NoError(t, err)
		defer q.Close()
		first := q.Bytes()
		var keys []event.Key
		for i := range 5000 {
			keys = append(keys, key(float64(i%977), 0.5))
			q.Push(keys[i])
		}
		full := q.Bytes()
		q.Shrink()
		require.Equal(t, full, q.Bytes(), "%s: it is not empty", impl)
		for range 2 { // it is a queue as before
			for range keys {
				_, ok := q.Pop()
				require.True(t, ok)
			}
			require.Zero(t, q.Len())
			require.Greater(t, q.Bytes(), 2*first, impl)
			q.Shrink()
			require.Equal(t, first, q.Bytes(), impl)
			_, ok := q.Pop()
			require.False(t, ok)
			for _, k := range keys {
				q.Push(k)
			}
			require.NoError(t, q.Check())
		}
	}
}

// A queue of any values: least time first, and values of one time in the order in which they were pushed.
func Example() {
	q, err := pq.New[string]("")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer q.Close()

	for _, call := range []struct {
		minute float64
		name   string
	}{{9, "school"}, {2.5, "plumber"}, {9, "bakery"}, {0, "home"}} {
		if err := q.Push(call.minute, call.name); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(q.Push(-1, "too late"))
	for minute, name, ok := q.Pop(); ok; minute, name, ok = q.Pop() {
		fmt.Println(minute, name)
	}
	// Output:
	// pq: a value at time -1: give a finite time that is at least 0
	// 0 home
	// 2.5 plumber
	// 9 school
	// 9 bakery
}

// The pending-event set of a PE sorts keys of events in an arena. Equal times are ordered by priority,
// equal priorities by tie-breaker. A cancelled event is dropped when it becomes the least.
func ExampleEventSet() {
	arena, err := event.NewArena(8, 1<<10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arena.Release()
	set, err := pq.NewEventSet(arena, "", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()

	push := func(time, prio, tie float64) *event.Event {
		e, i, err := arena.Alloc()
		if err != nil {
			panic(err)
		}
		e.Time, e.Prio, e.Tie, e.State = time, prio, tie, event.Pending
		set.Push(event.KeyOf(e, i))
		return e
	}
	push(2, 1, 0.3)
	push(1, 1, 0.7)
	push(1, 1, 0.2)
	push(1, 0.5, 0.9)
	push(1.5, 1, 0.1).State = event.Cancelled

	for k, ok := set.Min(); ok; k, ok = set.Min() {
		set.Pop()
		e := arena.At(k.Index())
		fmt.Println(e.Time, e.Prio, e.Tie)
		arena.Free(e, k.Index())
	}
	// Output:
	// 1 0.5 0.9
	// 1 1 0.2
	// 1 1 0.7
	// 2 1 0.3
}

func TestNoAllocationPerEvent(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	for _, impl := range pq.Impls() {
		h := pqtest.NewHarness(t, impl)
		q := h.Queue
		push := func(time float64) {
			e, i, err := h.Arena.Alloc()
			require.NoError(t, err)
			e.Time, e.Prio, e.State = time, 1, event.Pending
			q.Push(event.KeyOf(e, i))
		}
		for i := range 5000 {
			push(float64(i%97) / 97)
		}
		hold := func() {
			k, _ := q.Pop()
			h.Free(k)
			push(k.Time() + 0.3 + float64(k.TS%1000)/1000)
		}
		for range 40000 { // until pools and buckets have their size
			hold()
		}
		require.Zero(t, testalloc.PerRun(20000, hold), impl)
	}
}
