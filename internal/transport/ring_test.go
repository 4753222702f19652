// Rings, by one goroutine and by two.

package transport_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/transport"
)

// numbered returns keys with numbers from on.
func numbered(from, n int) []event.Key {
	keys := make([]event.Key, n)
	for i := range keys {
		keys[i] = event.Key{TS: uint64(from + i), Lo: ^uint64(from + i)}
	}
	return keys
}

func TestCapacityIsAPowerOfTwo(t *testing.T) {
	for _, c := range []struct{ n, want int }{
		{-1, 1}, {0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {64, 64}, {65, 128}, {1 << 12, 1 << 12}, {1<<12 + 1, 1 << 13},
	} {
		require.Equal(t, c.want, transport.NewRing(c.n).Cap(), "for %d keys", c.n)
	}
}

func TestARingOfOneKeyTakesTurns(t *testing.T) {
	r := transport.NewRing(1)
	for i := range 5 {
		require.Empty(t, r.Next())
		require.Equal(t, 1, r.Push(numbered(i, 3)), "the first of them")
		require.Zero(t, r.Push(numbered(9, 1)))
		require.Equal(t, numbered(i, 1), r.Next())
		require.Equal(t, numbered(i, 1), r.Next(), "until Take")
		r.Take(1)
	}
}

func TestPushingNothingIsNothing(t *testing.T) {
	r := transport.NewRing(2)
	require.Zero(t, r.Push(nil))
	require.Equal(t, 2, r.Push(numbered(0, 2)))
	require.Zero(t, r.Push(nil))
	require.Equal(t, numbered(0, 2), r.Next())
}

// TestNextEndsWhereTheBufferDoes wraps keys around the end of a ring of 8, from
// each place.
func TestNextEndsWhereTheBufferDoes(t *testing.T) {
	for from := range 8 {
		for n := 1; n <= 8; n++ {
			r := transport.NewRing(8)
			require.Equal(t, from, r.Push(numbered(0, from)))
			r.Take(from)
			require.Equal(t, n, r.Push(numbered(from, n)))
			first := min(n, 8-from)
			require.Equal(t, numbered(from, first), r.Next(), "%d keys at %d", n, from)
			r.Take(first)
			require.Equal(t, numbered(from+first, n-first), r.Next())
			r.Take(n - first)
			require.Empty(t, r.Next())
		}
	}
}

func TestAppendingToWhatNextReturnedLeavesTheRingAlone(t *testing.T) {
	r := transport.NewRing(4)
	r.Push(numbered(0, 1))
	keys := r.Next()
	r.Push(numbered(1, 1))
	_ = append(keys, event.Key{})
	require.Equal(t, numbered(0, 2), r.Next())
}

// TestARingIsAQueue compares a ring with a slice, through many laps.
func TestARingIsAQueue(t *testing.T) {
	for _, size := range []int{1, 2, 8, 64} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rng := newRand(t)
			r := transport.NewRing(size)
			var queue []event.Key
			for next := 0; next < 100*size; {
				keys := numbered(next, rng.IntN(size+2))
				pushed := r.Push(keys)
				require.Equal(t, min(len(keys), size-len(queue)), pushed)
				queue = append(queue, keys[:pushed]...)
				next += pushed
				got := r.Next()
				require.Equal(t, len(queue) > 0, len(got) > 0)
				n := rng.IntN(len(got) + 1)
				require.Equal(t, queue[:n], append(queue[:0:0], got[:n]...))
				r.Take(n)
				queue = queue[n:]
			}
		})
	}
}

// TestKeysKeepTheirOrderBetweenGoroutines has one goroutine push batches of
// random size and another take some of what it finds.
func TestKeysKeepTheirOrderBetweenGoroutines(t *testing.T) {
	const total = 100_000
	for _, size := range []int{1, 4, 64, 4096} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			producer, consumer := newRand(t), newRand(t)
			r := transport.NewRing(size)
			wrong := make(chan error, 1)
			go func() { wrong <- consume(r, consumer, total) }()
			all := numbered(0, total)
			for len(all) > 0 {
				n := r.Push(all[:producer.IntN(min(len(all), 2*size)+1)])
				if all = all[n:]; n == 0 {
					runtime.Gosched()
				}
			}
			require.NoError(t, <-wrong)
			require.Empty(t, r.Next())
		})
	}
}

func consume(r *transport.Ring, rng *rand.Rand, total int) (err error) {
	for next := 0; next < total; {
		keys := r.Next()
		n := rng.IntN(len(keys) + 1)
		for i, want := range numbered(next, n) {
			if keys[i] != want && err == nil {
				err = fmt.Errorf("key %d is %v, want %v", next+i, keys[i], want)
			}
		}
		r.Take(n)
		if next += n; n == 0 {
			runtime.Gosched()
		}
	}
	return err
}

// TestTakingMoreThanWaitsIsNoticed is about the engine's own assertions.
func TestTakingMoreThanWaitsIsNoticed(t *testing.T) {
	check := require.NotPanics
	if invariants.Enabled {
		check = require.Panics
	}
	r := transport.NewRing(4)
	r.Push(numbered(0, 2))
	r.Take(1)
	check(t, func() { r.Take(2) })
}

func newRand(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Example sends keys one way. What finds no room stays with the producer.
func Example() {
	r := transport.NewRing(2)
	unsent := []event.Key{{TS: 10}, {TS: 20}, {TS: 30}}
	for len(unsent) > 0 {
		n := r.Push(unsent) // by the producer
		unsent = unsent[n:]
		for keys := r.Next(); len(keys) > 0; keys = r.Next() { // by the consumer
			for _, k := range keys {
				fmt.Println(k.TS)
			}
			r.Take(len(keys))
		}
	}
	// Output:
	// 10
	// 20
	// 30
}
