// Streams, by one goroutine and by two, and tables of peers.

package transport

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// stream returns the ends of a stream with a ring of the given number of words.
func stream(words int) (*StreamWriter, *StreamReader) {
	control, ring := make([]uint64, StreamControl), make([]uint64, words)
	w, r := NewStreamWriter(control, ring), NewStreamReader(control, ring)
	return &w, &r
}

// take reads a message.
func take(t *testing.T, r *StreamReader, want []uint64, note bool) {
	t.Helper()
	r.Look()
	for range 2 { // it stays until Take
		got, is, ok := r.Next()
		require.True(t, ok)
		require.Equal(t, note, is)
		require.Equal(t, want, slices.Clone(got)[:len(got):len(got)])
		require.Equal(t, len(got), cap(got), "appending leaves the ring alone")
	}
	r.Take()
}

func TestTheEndsOfStreamsFillWholeLines(t *testing.T) {
	require.Zero(t, unsafe.Sizeof(StreamWriter{})%128)
	require.Zero(t, unsafe.Sizeof(StreamReader{})%128)
}

// TestAnEmptyStreamTakesTheLongestMessageAnywhere puts messages of each length at each
// place of a ring.
func TestAnEmptyStreamTakesTheLongestMessageAnywhere(t *testing.T) {
	for size := LeastStream; size <= 32; size *= 2 {
		for from := range 2 * size {
			w, r := stream(size)
			require.Equal(t, size/2-1, w.Longest())
			for range from {
				require.True(t, w.Room(0))
				w.Note()
				take(t, r, []uint64{}, true)
			}
			require.False(t, w.Room(w.Longest()+1))
			for n := range w.Longest() + 1 {
				require.True(t, w.Room(n), "%d words at %d of %d", n, from, size)
				words := make([]uint64, n)
				for i := range words {
					words[i] = uint64(1000*n + i)
				}
				require.False(t, r.Look())
				w.Put(words)
				take(t, r, words, false)
				_, _, ok := r.Next()
				require.False(t, ok)
			}
		}
	}
}

func TestAStreamThatIsFullHasRoomWhenSomethingIsTaken(t *testing.T) {
	w, r := stream(8)
	for i := range uint64(4) {
		require.True(t, w.Room(1))
		w.Put([]uint64{i})
	}
	require.False(t, w.Room(0))
	r.Look()
	_, _, ok := r.Next()
	require.True(t, ok)
	require.False(t, w.Room(0), "until Take")
	r.Take()
	require.True(t, w.Room(1))
	require.False(t, w.Room(2))
	w.Put([]uint64{4})
	for i := range uint64(3) {
		words, _, ok := r.Next()
		require.True(t, ok)
		require.Equal(t, []uint64{i + 1}, words)
		r.Take()
	}
	_, _, ok = r.Next()
	require.False(t, ok, "what came after Look waits for the next")
	take(t, r, []uint64{4}, false)
}

// testStream compares a stream with a list. Of two bytes the first states how many words are
// put, if there is room for them, the second how many messages are taken.
func testStream(t *testing.T, size int, moves []byte) {
	w, r := stream(size)
	type message struct {
		words []uint64
		note  bool
	}
	var queue []message
	next := uint64(0)
	for ; len(moves) >= 2; moves = moves[2:] {
		n, note := int(moves[0])%(w.Longest()+2), moves[0] >= 240
		if note {
			n = 0
		}
		if room := w.Room(n); room {
			require.LessOrEqual(t, n, w.Longest())
			words := make([]uint64, n)
			for i := range words {
				words[i] = next
				next++
			}
			queue = append(queue, message{words, note})
			if note {
				w.Note()
			} else {
				w.Put(words)
			}
		} else {
			require.True(t, len(queue) > 0 || n > w.Longest(), "there is no room for %d words", n)
		}
		require.Equal(t, len(queue) > 0, r.Look())
		for range min(int(moves[1])%8, len(queue)) {
			take(t, r, queue[0].words, queue[0].note)
			queue = queue[1:]
		}
	}
}

func TestAStreamIsAQueue(t *testing.T) {
	for _, size := range []int{4, 8, 64, 1024} {
		rng := testrand.New(t)
		moves := make([]byte, 4000)
		for i := range moves {
			moves[i] = byte(rng.Uint32())
		}
		testStream(t, size, moves)
	}
}

func FuzzStream(f *testing.F) {
	f.Add(uint8(0), []byte{0, 1, 1, 1, 250, 0, 1, 3})
	f.Add(uint8(3), []byte{14, 0, 1, 1, 15, 1, 3, 7, 250, 1, 13, 1, 13, 0})
	f.Fuzz(func(t *testing.T, size uint8, moves []byte) { testStream(t, 4<<(size%8), moves) })
}

// TestAStreamBetweenGoroutinesLosesNothing has one write messages of random lengths, and
// one read them, some at a time.
func TestAStreamBetweenGoroutinesLosesNothing(t *testing.T) {
	const total = 50_000
	for _, size := range []int{4, 16, 128, 4096} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			writer, reader := testrand.New(t), testrand.New(t)
			w, r := stream(size)
			wrong := make(chan error, 1)
			go func() {
				var err error
				for next := uint64(0); next < total; {
					r.Look()
					words, note, ok := r.Next()
					if !ok || reader.IntN(16) == 0 {
						runtime.Gosched()
						continue
					}
					for range words {
						if words[0] != next && err == nil {
							err = fmt.Errorf("word %d is %d", next, words[0])
						}
						next++
						words = words[1:]
					}
					if note {
						next++
					}
					r.Take()
				}
				wrong <- err
			}()
			words := make([]uint64, w.Longest())
			for next := uint64(0); next < total; {
				n := min(writer.IntN(len(words)+1), int(total-next))
				if !w.Room(n) {
					runtime.Gosched()
					continue
				}
				if n == 0 {
					w.Note()
					next++
					continue
				}
				for i := range words[:n] {
					words[i] = next
					next++
				}
				w.Put(words[:n])
			}
			require.NoError(t, <-wrong)
			require.False(t, r.Look())
		})
	}
}

// TestMistakesWithStreamsAreNoticed is about the engine's own assertions.
func TestMistakesWithStreamsAreNoticed(t *testing.T) {
	if !invariants.Enabled {
		w, r := stream(8)
		w.Put([]uint64{1})
		take(t, r, []uint64{1}, false)
		return
	}
	require.Panics(t, func() { stream(12) })
	require.Panics(t, func() { stream(2) })
	w, r := stream(8)
	require.Panics(t, func() { w.Put(make([]uint64, 4)) })
	require.Panics(t, func() { r.Take() })
	control, ring := make([]uint64, StreamControl), []uint64{8 << 2, 0, 0, 0}
	bad := NewStreamReader(control, ring)
	control[0] = 3 // the tail
	bad.Look()
	require.Panics(t, func() { bad.Next() }, "the message is longer than what has been written")
}

// BenchmarkStream puts and takes messages by one goroutine, BenchmarkStreamBetween has one
// put and one take: as fast as it goes.
func BenchmarkStream(b *testing.B) {
	for _, n := range []int{9, 192} {
		b.Run(fmt.Sprintf("bytes=%d", 8*n), func(b *testing.B) {
			w, r := stream(8192)
			words := make([]uint64, n)
			for b.Loop() {
				if w.Room(n) {
					w.Put(words)
				}
				r.Look()
				if _, _, ok := r.Next(); ok {
					r.Take()
				}
			}
		})
	}
}

func BenchmarkStreamBetween(b *testing.B) {
	for _, n := range []int{9, 192, 2048} {
		b.Run(fmt.Sprintf("bytes=%d", 8*n), func(b *testing.B) {
			w, r := stream(8192)
			words, done := make([]uint64, n), make(chan uint64)
			b.SetBytes(int64(8 * n))
			go func() {
				sum := uint64(0)
				for i := 0; i < b.N; {
					if !r.Look() {
						runtime.Gosched()
					}
					for {
						words, _, ok := r.Next()
						if !ok {
							break
						}
						for _, v := range words {
							sum += v
						}
						r.Take()
						i++
					}
				}
				done <- sum
			}()
			for i := 0; i < b.N; {
				if w.Room(n) {
					w.Put(words)
					i++
				} else {
					runtime.Gosched()
				}
			}
			<-done
		})
	}
}

// ExampleStreamWriter sends words from one end of memory to the other. Each end could be a
// process.
func ExampleStreamWriter() {
	memory := make([]uint64, StreamControl+8)
	control, ring := memory[:StreamControl], memory[StreamControl:]
	w, r := NewStreamWriter(control, ring), NewStreamReader(control, ring)
	if text := binary.LittleEndian.Uint64([]byte("the ring")); w.Room(2) {
		w.Put([]uint64{text, 42})
	}
	r.Look()
	for words, _, ok := r.Next(); ok; words, _, ok = r.Next() {
		fmt.Println(string(binary.LittleEndian.AppendUint64(nil, words[0])), words[1])
		r.Take()
	}
	// Output:
	// the ring 42
}

func TestATableHasWhatWasSet(t *testing.T) {
	table := NewTable[int](1000)
	values := map[uint32]int{0: 5, 63: 6, 64: 7, 999: 8}
	for at, v := range values {
		table.Set(at, &v)
	}
	got := map[uint32]int{}
	for at, p := range table.All {
		got[at] = *p
		require.Same(t, p, table.At(at))
	}
	require.Equal(t, values, got)
	require.Nil(t, table.At(1))
	require.Nil(t, table.At(700))
}

// TestATableOfManyPeersIsSmall counts the bytes of a table for 4,096 ranks, with 24 of them met: less
// than a byte for each rank, and 512 for each page of those met.
func TestATableOfManyPeersIsSmall(t *testing.T) {
	const n = 4096
	table := NewTable[int](n)
	for peer := range uint32(24) {
		table.Set(peer*7, new(int))
	}
	bytes := uintptr(len(table.pages)) * unsafe.Sizeof(table.pages[0])
	require.LessOrEqual(t, bytes, uintptr(n/8))
	for _, page := range table.pages {
		if page != nil {
			bytes += unsafe.Sizeof(*page)
		}
	}
	require.LessOrEqual(t, bytes, uintptr(n))
}
