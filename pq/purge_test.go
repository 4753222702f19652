// What becomes of keys when cancelled events are dropped, and at the end of a rung.

package pq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/pq"
)

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
		q.Purge()
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
