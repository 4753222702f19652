// Queue: any values, against a slice that is sorted stably.

package pq

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

type entry struct {
	time float64
	name *int
}

// compare plays n random pushes and pops, with first as the number of the first Push.
func compare(t *testing.T, impl string, r *rand.Rand, first uint32, n int) {
	q, err := New[*int](impl)
	require.NoError(t, err)
	defer q.Close()
	q.next = first
	var model []entry // ascending
	now, spread := 0.0, []float64{0, 1, 1000, 1e300}[r.IntN(4)]
	take := func() {
		time, least, ok := q.Min()
		require.Equal(t, len(model) > 0, ok)
		popped, name, also := q.Pop()
		require.Equal(t, ok, also)
		if ok {
			require.Equal(t, model[0].time, popped)
			require.Same(t, model[0].name, name)
			require.Equal(t, popped, time)
			require.Same(t, name, least)
			now, model = time, model[1:]
		}
	}
	for i := range n {
		if r.IntN(9) < 4 || i > n/2 && r.IntN(3) > 0 {
			take()
			continue
		}
		e := entry{now + math.Trunc(spread*r.Float64()*4)/4, new(int)}
		if r.IntN(8) == 0 { // before what was popped last
			e.time = now * r.Float64()
		}
		require.NoError(t, q.Push(e.time, e.name))
		at, _ := slices.BinarySearchFunc(model, e, func(x, y entry) int {
			if x.time <= y.time {
				return -1
			}
			return 1
		})
		model = slices.Insert(model, at, e)
		require.Equal(t, len(model), q.Len())
	}
	for len(model) > 0 {
		take()
	}
	take()
	require.Zero(t, q.Len())
	require.NoError(t, q.Err())
	for _, v := range q.values {
		require.Nil(t, v, "the queue keeps a value that was popped from the collector")
	}
}

func TestAQueueIsASortedSlice(t *testing.T) {
	r := modeltest.Rand(t)
	for _, impl := range Impls() {
		for range testlevel.Times(60, 20) {
			compare(t, impl, r, 0, 3000)
		}
	}
}

// The number of a Push has 32 bits; after 2^32 of them values are numbered anew.
func TestValuesOfOneTimeKeepTheirOrderWhenNumbersEnd(t *testing.T) {
	r := modeltest.Rand(t)
	for _, impl := range Impls() {
		for range testlevel.Times(20, 8) {
			compare(t, impl, r, math.MaxUint32-uint32(r.IntN(900)), 3000)
		}
	}
}

func TestAQueueRefusesWhatHasNoPlaceInItsOrder(t *testing.T) {
	q, err := New[string]("")
	require.NoError(t, err)
	defer q.Close()
	for _, time := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -math.SmallestNonzeroFloat64} {
		require.ErrorContains(t, q.Push(time, "lost"), "give a finite time that is at least 0")
	}
	require.Zero(t, q.Len())
	for _, time := range []float64{math.MaxFloat64, math.Copysign(0, -1), 0, math.SmallestNonzeroFloat64} {
		require.NoError(t, q.Push(time, "kept"))
	}
	for _, want := range []float64{0, 0, math.SmallestNonzeroFloat64, math.MaxFloat64} {
		time, v, ok := q.Pop()
		require.True(t, ok)
		require.Equal(t, math.Float64bits(want), math.Float64bits(time))
		require.Equal(t, "kept", v)
	}
	_, err = New[string]("heap")
	require.ErrorContains(t, err, "heap: unknown event queue: use c or go")
}

// TestAQueueWithoutMemorySaysSo has the ladder fail as it does when the system refuses memory.
func TestAQueueWithoutMemorySaysSo(t *testing.T) {
	for _, impl := range Impls() {
		q, err := New[int](impl)
		require.NoError(t, err)
		require.NoError(t, q.Push(1, 1))
		q.set.w.failed = 1
		require.ErrorIs(t, q.Push(2, 2), ErrMemory)
		require.ErrorIs(t, q.Err(), ErrMemory)
		_, _, ok := q.Min()
		require.False(t, ok)
		_, _, ok = q.Pop()
		require.False(t, ok)
		q.Close()
	}
}
