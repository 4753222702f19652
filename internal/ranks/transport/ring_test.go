// This file pins rings, and what they cost.

package transport

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// Rings, by one goroutine and by two.

// numbered returns keys with numbers from on.
func numbered(from, n int) []event.Key {
	keys := make([]event.Key, n)
	for i := range keys {
		keys[i] = event.Key{TS: uint64(from + i), Lo: ^uint64(from + i)}
	}
	return keys
}

// push puts as many keys as fit into a ring of records of two words, and returns
// how many.
func push(r *Ring, keys []event.Key) int {
	n := r.Room(len(keys))
	for i, k := range keys[:n] {
		w := r.Put(i)
		w[0], w[1] = k.TS, k.Lo
	}
	r.Push(n)
	return n
}

// waiting returns the keys that wait, without a copy.
func waiting(r *Ring) []event.Key {
	w := r.Next()
	return unsafe.Slice((*event.Key)(unsafe.Pointer(unsafe.SliceData(w))), len(w)/2)[: len(w)/2 : cap(w)/2]
}

func TestCapacityIsAPowerOfTwo(t *testing.T) {
	for _, c := range []struct{ n, want int }{
		{-1, 1}, {0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {64, 64}, {65, 128}, {1 << 12, 1 << 12},
		{1<<12 + 1, 1 << 13},
	} {
		require.Equal(t, c.want, NewRing(c.n, 2).Cap(), "for %d keys", c.n)
	}
}

func TestARingOfOneKeyTakesTurns(t *testing.T) {
	r := NewRing(1, 2)
	for i := range 5 {
		require.Empty(t, waiting(r))
		require.Equal(t, 1, push(r, numbered(i, 3)), "the first of them")
		require.Zero(t, push(r, numbered(9, 1)))
		require.Equal(t, numbered(i, 1), waiting(r))
		require.Equal(t, numbered(i, 1), waiting(r), "until Take")
		r.Take(1)
	}
}

func TestPushingNothingIsNothing(t *testing.T) {
	r := NewRing(2, 2)
	require.Zero(t, push(r, nil))
	require.Equal(t, 2, push(r, numbered(0, 2)))
	require.Zero(t, push(r, nil))
	require.Equal(t, numbered(0, 2), waiting(r))
}

// TestNextEndsWhereTheBufferDoes wraps keys around the end of a ring of 8, from
// each place.
func TestNextEndsWhereTheBufferDoes(t *testing.T) {
	for from := range 8 {
		for n := 1; n <= 8; n++ {
			r := NewRing(8, 2)
			require.Equal(t, from, push(r, numbered(0, from)))
			r.Take(from)
			require.Equal(t, n, push(r, numbered(from, n)))
			first := min(n, 8-from)
			require.Equal(t, numbered(from, first), waiting(r), "%d keys at %d", n, from)
			r.Take(first)
			require.Equal(t, numbered(from+first, n-first), waiting(r))
			r.Take(n - first)
			require.Empty(t, waiting(r))
		}
	}
}

func TestAppendingToWhatNextReturnedLeavesTheRingAlone(t *testing.T) {
	r := NewRing(4, 2)
	push(r, numbered(0, 1))
	keys := waiting(r)
	push(r, numbered(1, 1))
	_ = append(keys, event.Key{})
	require.Equal(t, numbered(0, 2), waiting(r))
}

// TestARingIsAQueue compares a ring with a slice, through many laps.
func TestARingIsAQueue(t *testing.T) {
	for _, size := range []int{1, 2, 8, 64} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rng := testrand.New(t)
			r := NewRing(size, 2)
			var queue []event.Key
			for next := 0; next < 100*size; {
				keys := numbered(next, rng.IntN(size+2))
				pushed := push(r, keys)
				require.Equal(t, min(len(keys), size-len(queue)), pushed)
				queue = append(queue, keys[:pushed]...)
				next += pushed
				got := waiting(r)
				require.Equal(t, len(queue) > 0, len(got) > 0)
				n := rng.IntN(len(got) + 1)
				require.Equal(t, queue[:n], append(queue[:0:0], got[:n]...))
				r.Take(n)
				queue = queue[n:]
			}
		})
	}
}

// TestKeysKeepTheirOrderBetweenGoroutines lets one goroutine push batches of random
// size and another take some of them.
func TestKeysKeepTheirOrderBetweenGoroutines(t *testing.T) {
	total := testlevel.Times(100_000, 30_000)
	for _, size := range []int{1, 4, 64, 4096} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			producer, consumer := testrand.New(t), testrand.New(t)
			r := NewRing(size, 2)
			wrong := make(chan error, 1)
			go func() { wrong <- consume(r, consumer, total) }()
			all := numbered(0, total)
			for len(all) > 0 {
				n := push(r, all[:producer.IntN(min(len(all), 2*size)+1)])
				if all = all[n:]; n == 0 {
					runtime.Gosched()
				}
			}
			require.NoError(t, <-wrong)
			require.Empty(t, waiting(r))
		})
	}
}

func consume(r *Ring, rng *rand.Rand, total int) (err error) {
	for next := 0; next < total; {
		keys := waiting(r)
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

// TestRecordsOfAnySizeStayWhole wraps records of several words around a ring of 4.
func TestRecordsOfAnySizeStayWhole(t *testing.T) {
	for _, words := range []int{1, 3, 8, 22} {
		r := NewRing(4, words)
		for i := range 20 {
			require.True(t, r.Empty())
			n := 1 + i%4
			require.Equal(t, n, r.Room(n))
			for k := range n {
				w := r.Put(k)
				require.Len(t, w, words)
				require.Equal(t, words, cap(w))
				for j := range w {
					w[j] = uint64(100*i + 10*k + j)
				}
			}
			require.True(t, r.Empty(), "until Push")
			r.Push(n)
			for k := 0; k < n; {
				got := r.Next()
				require.NotEmpty(t, got)
				for j, w := range got {
					require.EqualValues(t, 100*i+10*(k+j/words)+j%words, w)
				}
				r.Take(len(got) / words)
				k += len(got) / words
			}
		}
	}
}

// TestTouchLeavesWhatWaitsAlone touches records from each place of a ring of 4 with
// each number of keys in it.
func TestTouchLeavesWhatWaitsAlone(t *testing.T) {
	for from := range 4 {
		for n := range 5 {
			r := NewRing(4, 2)
			push(r, numbered(1, from))
			r.Take(from)
			require.Equal(t, n, push(r, numbered(100, n)))
			for k := range 9 {
				r.Touch(k)
			}
			var got []event.Key
			for keys := waiting(r); len(keys) > 0; keys = waiting(r) {
				got = append(got, keys...)
				r.Take(len(keys))
			}
			require.ElementsMatch(t, numbered(100, n), got, "%d keys at %d", n, from)
		}
	}
}

// TestPuttingBeyondTheRoomIsNoticed is about the engine's own assertions.
func TestPuttingBeyondTheRoomIsNoticed(t *testing.T) {
	check := require.NotPanics
	if invariants.Enabled {
		check = require.Panics
	}
	r := NewRing(4, 2)
	require.Equal(t, 3, push(r, numbered(0, 3)))
	require.NotPanics(t, func() { r.Put(0) })
	check(t, func() { r.Put(1) })
}

// TestTakingMoreThanWaitsIsNoticed is about the engine's own assertions.
func TestTakingMoreThanWaitsIsNoticed(t *testing.T) {
	check := require.NotPanics
	if invariants.Enabled {
		check = require.Panics
	}
	r := NewRing(4, 2)
	push(r, numbered(0, 2))
	r.Take(1)
	check(t, func() { r.Take(2) })
}

// Example sends records one way. What finds no room stays with the producer.
func Example() {
	r := NewRing(2, 1)
	unsent := []uint64{10, 20, 30}
	for len(unsent) > 0 {
		n := r.Room(len(unsent)) // by the producer
		for i, v := range unsent[:n] {
			r.Put(i)[0] = v
		}
		r.Push(n)
		unsent = unsent[n:]
		for came := r.Next(); len(came) > 0; came = r.Next() { // by the consumer
			for _, v := range came {
				fmt.Println(v)
			}
			r.Take(len(came))
		}
	}
	// Output:
	// 10
	// 20
	// 30
}

// What a ring costs: alone, and between two goroutines.

// BenchmarkKeys pushes and takes by one goroutine: the instructions alone.
func BenchmarkKeys(b *testing.B) {
	for _, batch := range []int{1, 4, 16, 256} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			r := NewRing(1024, 2)
			keys := make([]event.Key, batch)
			for n := 0; n < b.N; n += batch {
				push(r, keys)
				for got := waiting(r); len(got) > 0; got = waiting(r) {
					r.Take(len(got))
				}
			}
		})
	}
}

// BenchmarkKeysBetweenGoroutines has one goroutine push and one take. The time
// is that of one key, with the waiting for the slower of the two.
func BenchmarkKeysBetweenGoroutines(b *testing.B) {
	for _, batch := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			r := NewRing(4096, 2)
			done := make(chan uint64)
			go func() {
				sum := uint64(0)
				for n := 0; n < b.N; {
					keys := waiting(r)
					for i := range keys {
						sum += keys[i].TS
					}
					r.Take(len(keys))
					if n += len(keys); len(keys) == 0 {
						runtime.Gosched()
					}
				}
				done <- sum
			}()
			keys := make([]event.Key, batch)
			for n := 0; n < b.N; {
				pushed := push(r, keys[:min(batch, b.N-n)])
				if n += pushed; pushed == 0 {
					runtime.Gosched()
				}
			}
			<-done
		})
	}
}

func TestKeysAllocateNothing(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	r := NewRing(8, 2)
	keys := numbered(0, 5)
	require.Zero(t, testalloc.PerRun(100, func() {
		push(r, keys)
		for got := waiting(r); len(got) > 0; got = waiting(r) {
			r.Take(len(got))
		}
	}))
}
