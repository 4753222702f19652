// This file pins deltas of states of any size, and how wrong ones are found: by a check, and by the assertions of the
// build tag invariants. States lie at the ends of mapped memory, too: reading beyond them faults.

package delta

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// Round trips: whatever changes, Apply restores the earlier state, and the delta has
// the form that doc.go describes.

// seed is that of all random tests.
const seed = 5

// amounts are how many of n words an event changes, the last bytes of the state
// being a word, and whether wholly or in one byte each.
var amounts = []struct {
	words  func(n int) int
	wholly bool
}{
	{func(int) int { return 0 }, true},
	{func(int) int { return 1 }, false},
	{func(int) int { return 4 }, true},
	{func(n int) int { return n / 4 }, false},
	{func(n int) int { return n / 2 }, true},
	{func(n int) int { return n - n/8 }, false},
	{func(n int) int { return n }, true},
	{func(n int) int { return n }, false},
}

// event returns a random state of n bytes and what becomes of it when as many of its
// words change, wholly or in one byte each.
func event(r *rand.Rand, n, changed int, wholly bool) (before, after []byte) {
	before = make([]byte, n)
	fill(r, before)
	after = bytes.Clone(before)
	words := r.Perm((n + 7) / 8)
	for _, w := range words[:min(changed, len(words))] {
		word := after[w*8 : min(w*8+8, n)]
		if !wholly {
			word = word[r.IntN(len(word)):][:1]
		}
		for i := range word {
			word[i] ^= byte(1 + r.IntN(255))
		}
	}
	return before, after
}

func TestEverySizeComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 1))
	e := New(17)
	for n := range 601 {
		if testlevel.Is(testlevel.Few) && n > 64 && n%32 > 1 {
			continue
		}
		for a, amount := range amounts {
			before, after := event(r, n, amount.words((n+7)/8), amount.wholly)
			_, err := roundTrip(e, 17, r, before, after)
			require.NoError(t, err, "seed %d, size %d, amount %d", seed, n, a)
		}
	}
}

func TestLargeStatesComeBack(t *testing.T) {
	for _, size := range testlevel.Pick([]int{4 << 10, 32 << 10, 64 << 10, 1 << 20},
		[]int{4 << 10, 32 << 10, 64 << 10, 1 << 20}, []int{4 << 10, 64 << 10}) {
		r := rand.New(rand.NewPCG(seed, 2))
		e := New(17)
		forms := map[Kind]int{}
		for i, n := range []int{size - 9, size - 8, size - 1, size, size + 1, size + 7, size + 8} {
			for a, amount := range amounts {
				if size > 4<<10 && (i+a)%7 != 0 {
					continue // for time: each size and each amount once
				}
				before, after := event(r, n, amount.words((n+7)/8), amount.wholly)
				d, err := roundTrip(e, 17, r, before, after)
				require.NoError(t, err, "seed %d, size %d, amount %d", seed, n, a)
				forms[Form(d)]++
			}
		}
		require.Len(t, forms, 4, "size %d: not all forms: %v", size, forms)
	}
}

// From hardly to well compressible, through the quarter that LZ4 must save.
func TestLZ4StandsWhenItSavesAQuarter(t *testing.T) {
	testlevel.Once(t, "which form is the shortest")
	r := rand.New(rand.NewPCG(seed, 3))
	e := New(1)
	forms := map[Kind]int{}
	for zeros := range 400 {
		before, after := make([]byte, 8000), make([]byte, 8000)
		for i := range after {
			after[i] = byte(r.Uint32()) | 1
			if i%8 != 0 && i/8 < zeros*2 {
				after[i] = 0
			}
		}
		d, err := roundTrip(e, 1, r, before, after)
		require.NoError(t, err, "seed %d, zeros %d", seed, zeros)
		forms[Form(d)]++
	}
	require.Greater(t, forms[LZ4], 100)
	require.Greater(t, forms[Raw], 100)
}

// span is the words from first to before end.
func span(first, end int) (all []int) {
	for w := first; w < end; w++ {
		all = append(all, w)
	}
	return all
}

// Where one form ends and the next begins. A word that changes does so by 1.
func TestFormOfADelta(t *testing.T) {
	const tail = -1 // in place of a word: the last byte
	for _, c := range []struct {
		size    int
		changed []int
		form    Kind
		length  int
	}{
		{0, nil, None, 0},
		{1, nil, None, 0},
		{1, []int{tail}, Raw, 16},
		{7, []int{0}, Raw, 16},
		{8, nil, None, 0},
		{8, []int{0}, Raw, 16},
		{9, []int{0}, Raw, 24},
		{9, []int{tail}, ZeroRun, 16},
		{16, []int{1}, ZeroRun, 16},
		{16, []int{0, 1}, Raw, 24},
		{64, []int{7}, ZeroRun, 16},
		{64, span(0, 7), ZeroRun, 64}, // of 8 words none is stored for speed
		{64, span(0, 8), Raw, 72},
		{72, span(0, 7), ZeroRun, 64}, // of 9 the ninth is, from 8 on
		{72, span(1, 9), Raw, 80},
		{448, span(0, 48), ZeroRun, 8 + 48*8},
		{448, span(7, 56), Raw, 8 + 448},
		{448, []int{0, 55}, ZeroRun, 24}, // one group
		{455, []int{0}, ZeroRun, 24},
		{455, []int{tail}, ZeroRun, 16},
		{455, append(span(7, 56), tail), Raw, 8 + 456},
		{456, []int{56}, ZeroRun, 24}, // a header, and two groups
		{456, []int{0, 56}, ZeroRun, 40},
		{456, span(0, 57), Raw, 8 + 2*8 + 456},
		{457, []int{tail}, ZeroRun, 16},
		{457, []int{56}, ZeroRun, 32},
		{512*448 + 1, []int{tail}, ZeroRun, 16},
		{512 * 448, []int{254 * 56}, ZeroRun, 24},
		{512 * 448, []int{255 * 56}, ZeroRun, 24}, // skips as many as a byte holds
		{512 * 448, []int{256 * 56}, ZeroRun, 32},
		{512 * 448, []int{510 * 56}, ZeroRun, 32},
		{512 * 448, []int{511*56 + 55}, ZeroRun, 40},
		{512*448 + 1, []int{0, 257*56 + 3, tail}, ZeroRun, 8 + 16 + 8 + 16 + 8},
		{501 * 8, span(0, 501), Raw, 8 + 9*8 + 501*8}, // 4088 bytes
		{502 * 8, span(0, 502), LZ4, 0},               // 4096
		{8 << 10, span(100, 700), LZ4, 0},
	} {
		name := fmt.Sprintf("size %d, %d words", c.size, len(c.changed))
		before := bytes.Repeat([]byte{7}, c.size)
		after := bytes.Clone(before)
		for _, w := range c.changed {
			if w == tail {
				after[c.size-1]++
			} else {
				after[w*8]++
			}
		}
		d, err := roundTrip(New(17), 17, rand.New(rand.NewPCG(seed, 4)), before, after)
		require.NoError(t, err, name)
		require.Equal(t, c.form, Form(d), name)
		if c.form != LZ4 {
			require.Len(t, d, c.length, name)
		}
	}
}

// The picture in doc.go, as bytes: a header, two groups, a tail.
func TestBytesOfADelta(t *testing.T) {
	before, after := make([]byte, 459), make([]byte, 459)
	after[1*8+2], after[56*8+1], after[57*8] = 0xaa, 0xbb, 0xcc
	d, err := roundTrip(New(17), 17, rand.New(rand.NewPCG(seed, 5)), before, after)
	require.NoError(t, err)
	var want []byte
	for _, word := range []uint64{459<<8 | 2, 0b10 << 8, 0xaa0000, 0b1 << 8, 0xbb00, 0xcc} {
		want = binary.LittleEndian.AppendUint64(want, word)
	}
	require.Equal(t, want, d)
}

func TestMaxLenHoldsEveryWordAndItsGroups(t *testing.T) {
	for n, want := range map[int]int{0: 8, 1: 16, 8: 16, 9: 24, 448: 456, 455: 464, 456: 8 + 16 + 456, 897: 8 + 16 + 904,
		904: 8 + 24 + 904} {
		require.Equal(t, want, MaxLen(n), "%d bytes", n)
	}
}

// An LZ4 block needs no state of the encoder that made it.
func TestAnyEncoderAppliesADelta(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 6))
	before, after := event(r, 1<<14, 1<<11, false)
	d := make([]byte, MaxLen(len(before)))
	d = d[:New(17).Encode(d, at(before), at(after), uintptr(len(before)))]
	require.Equal(t, LZ4, Form(d))
	New(17).Apply(d, at(after), uintptr(len(after)))
	require.Equal(t, before, after)
}

// What lies outside of the range of the acceleration counts as its ends.
func TestKnobIsLZ4sAcceleration(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 7))
	before, after := event(r, 1<<15, 1<<12, false)
	lengths := map[int]bool{}
	for knob, as := range map[int]int{-5: 1, 0: 1, 1: 1, 17: 17, 65537: 65537, 1 << 30: 65537} {
		d, err := roundTrip(New(knob), as, r, before, after)
		require.NoError(t, err, "seed %d, knob %d", seed, knob)
		lengths[len(d)] = true
	}
	require.Len(t, lengths, 3)
}

func TestKindsHaveNames(t *testing.T) {
	for kind, name := range map[Kind]string{
		None: "none", Raw: "raw", ZeroRun: "zero-run", LZ4: "lz4", LZ4 + 1: "unknown",
	} {
		require.Equal(t, name, kind.String())
	}
}

// FuzzRoundTrip takes a pair of states as it is, and repeated so often that LZ4 is
// tried.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("a"), []byte("b"))
	f.Add([]byte("12345678"), []byte("12345679"))
	f.Add(bytes.Repeat([]byte{1}, 449), bytes.Repeat([]byte{2}, 20))
	f.Add(bytes.Repeat([]byte("ab"), 3000), bytes.Repeat([]byte("abc"), 2000))
	r := rand.New(rand.NewPCG(seed, 8))
	for _, n := range []int{70, 1000, 9000} {
		before, after := event(r, n, n/16, true)
		f.Add(before, after)
	}
	f.Fuzz(func(t *testing.T, before, after []byte) {
		n := len(before)
		common := min(n, len(after))
		after = append(after[:common:common], before[common:]...)
		times := 1 + 9000/(n+1)
		e, r := New(17), rand.New(rand.NewPCG(seed, uint64(n)))
		for _, count := range []int{1, times} {
			_, err := roundTrip(e, 17, r, bytes.Repeat(before, count), bytes.Repeat(after, count))
			require.NoError(t, err, "%d times", count)
		}
	})
}

// Deltas of small states, and copies and comparisons of short messages.

func TestSmallStatesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 11))
	e := New(17)
	for n := range 200 {
		require.Equal(t, n > 0 && n <= 64 && n%8 == 0, IsSmall(uintptr(n)), "%d bytes", n)
		if !IsSmall(uintptr(n)) {
			continue
		}
		for changed := range n/8 + 1 {
			before, after := event(r, n, changed, changed%2 == 0)
			was, is, d := newGuarded(r, before), newGuarded(r, after), newGuarded(r, make([]byte, MaxLen(n)))
			Begin(at(d.bytes), at(was.bytes), uintptr(n))
			End(at(d.bytes), at(is.bytes), uintptr(n))
			require.True(t, was.same() && is.same() && d.intact(), "%d bytes", n)
			require.Equal(t, Raw, Form(d.bytes))
			e.check(d.bytes, uintptr(n))
			e.Apply(d.bytes, at(is.bytes), uintptr(n))
			require.Equal(t, before, is.bytes, "%d bytes, %d words changed, seed %d", n, changed, seed)
		}
	}
}

// If a handler does not return, the state is restored by a delta made at that moment, whatever
// the handler has done until then.
func TestDeltaOfAStateThatDidNotChangeChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 12))
	state, _ := event(r, 64, 0, true)
	was, d := bytes.Clone(state), make([]byte, 72)
	Begin(at(d), at(state), 64)
	End(at(d), at(state), 64)
	New(17).Apply(d, at(state), 64)
	require.Equal(t, was, state)
}

func TestCopyAndSameOfAnySize(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 13))
	for n := range 140 {
		bytes := make([]byte, n)
		fill(r, bytes)
		g := newGuarded(r, make([]byte, n))
		from, to := newGuarded(r, bytes).bytes, g.bytes
		Copy(at(to), at(from), uintptr(n))
		require.True(t, g.intact(), "%d bytes", n)
		require.Equal(t, from, to)
		require.True(t, Same(at(to), at(from), uintptr(n)))
		for i := range n {
			to[i] ^= 1 << r.IntN(8)
			require.False(t, Same(at(to), at(from), uintptr(n)), "byte %d of %d", i, n)
			to[i] = from[i]
		}
	}
}

// Wrong deltas, as a bug of the engine would hand them to Apply: that of another
// state, a part of one, or one that something wrote to.

// words returns a delta of the given words, and of some bytes more.
func words(all []uint64, more ...byte) []byte {
	var d []byte
	for _, x := range all {
		d = binary.LittleEndian.AppendUint64(d, x)
	}
	return append(d, more...)
}

// packed returns the delta of a state of 8 KiB whose bytes all grew by 1.
func packed() []byte {
	before, after := bytes.Repeat([]byte{2}, 8<<10), bytes.Repeat([]byte{3}, 8<<10)
	d := make([]byte, MaxLen(len(before)))
	return d[:New(17).Encode(d, at(before), at(after), uintptr(len(before)))]
}

// resized returns what packed does, with a header that states as many bytes more.
func resized(more int64) []byte {
	d := packed()
	binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(d)+uint64(more)<<8)
	return d
}

const (
	raw     = uint64(Raw)
	zeroRun = uint64(ZeroRun)
	packing = uint64(LZ4)
)

var wrong = []struct {
	name  string
	size  uintptr
	delta []byte
	says  string
}{
	{"no kind", 64, words([]uint64{1 << 8, 5}), "kind 0"},
	{"no such kind", 64, words([]uint64{1<<8 | 4, 5}), "kind 4"},
	{"no words", 64, words([]uint64{1<<8 | zeroRun}), "delta of 8 bytes"},
	{"of a larger state", 8, words([]uint64{3<<8 | raw, 5, 6}), "delta of 24 bytes"},
	{"raw, but not all words", 64, words([]uint64{1<<8 | raw, 5}), "at most 72, and kind 1"},
	{"all words, but not raw", 16, words([]uint64{3<<8 | zeroRun, 5, 6}), "at most 24, and kind 2"},
	{"LZ4 in a small state", 64, words([]uint64{1<<8 | packing, 5}), "LZ4 block for a state of 64"},
	{"a word of a larger state", 16, words([]uint64{4<<8 | zeroRun, 5}), "group 0x4 for 2 words"},
	{"a word is missing", 64, words([]uint64{3<<8 | zeroRun, 5}), "with 16 bytes left"},
	{"a word too many", 64, words([]uint64{1<<8 | zeroRun, 5, 6}), "in a delta of 24"},
	{"a part of a word", 64, words([]uint64{1<<8 | zeroRun, 5}, 6), "in a delta of 17"},
	{"no change", 64, words([]uint64{0<<8 | zeroRun, 5}), "in a delta of 16"},
	{"no tail", 63, words([]uint64{1<<8 | zeroRun, 5}), "a tail of 8 in a delta of 16"},
	{"another size", 456, words([]uint64{464<<8 | zeroRun, 1 << 8, 5}), "delta of a state of 464 bytes"},
	{"a part of a tail", 457, words([]uint64{457<<8 | zeroRun}, 1, 2, 3), "3 bytes where a tail is"},
	{"a part of a header", 456, words([]uint64{456<<8 | zeroRun}, 1, 2), "2 bytes where a group begins"},
	{"a word of a group is missing", 456, words([]uint64{456<<8 | zeroRun, 6 << 8, 5}), "with 16 bytes left"},
	{"a word beyond the state", 456, words([]uint64{456<<8 | zeroRun, 2<<8 | 1, 5}), "group 0x2 for 1 words"},
	{"a group beyond the state", 456, words([]uint64{456<<8 | zeroRun, 1<<8 | 2, 5}), "group at word 112 of 57"},
	{"a group after the last", 456, words([]uint64{456<<8 | zeroRun, 1<<8 | 1, 5, 1 << 8, 5}), "group at word 112 of 57"},
	{"an empty group", 512 * 448, words([]uint64{512*448<<8 | zeroRun, 3, 1 << 8, 5}), "empty group that skips 3"},
	{"an empty group at the end", 512 * 448, words([]uint64{512*448<<8 | zeroRun, 255}), "empty group that skips 255"},
	{"LZ4 of more than there is", 8 << 10, words([]uint64{9000<<8 | packing, 5}), "LZ4 block of 9000 bytes"},
	{"LZ4 of a larger state", 5 << 10, packed(), "for a state of 5120"},
	{"LZ4 of a smaller state", 8<<10 + 9, packed(), "group 0xffff for 17 words"},
	{"LZ4 cut off", 8 << 10, packed()[:20], "broken LZ4 block of 20 bytes"},
	{"LZ4 of more than its header says", 8 << 10, resized(-8), "broken LZ4 block"},
	{"LZ4 of less than its header says", 8 << 10, resized(8), "broken LZ4 block"},
	{"no LZ4", 8 << 10, words([]uint64{8000<<8 | packing, 0xffff_ffff_ffff_ffff}), "broken LZ4 block"},
}

func TestWrongDeltasAreCaught(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, panicOf(func() { New(17).check(c.delta, c.size) }), c.says)
		})
	}
}

// They are close to the wrong ones.
func TestRightDeltasPassTheCheck(t *testing.T) {
	require.Empty(t, panicOf(func() {
		e := New(17)
		e.check(words([]uint64{1<<8 | zeroRun, 5}), 64)
		e.check(words([]uint64{0<<8 | zeroRun, 5}), 63)
		e.check(words([]uint64{3<<8 | raw, 5, 6}), 16)
		e.check(words([]uint64{456<<8 | zeroRun, 1<<8 | 1, 5}), 456)
		e.check(words([]uint64{457<<8 | zeroRun, 5}), 457)
		e.check(words([]uint64{512*448<<8 | zeroRun, 255, 1<<8 | 1, 5}), 512*448)
		e.check(packed(), 8<<10)
	}))
}

// panicOf returns what f panics with, "" if it does not.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// How the engine uses an encoder: a scratch copy, a delta, a rollback.

// An event changes two words of a state; a rollback takes the change back.
func Example() {
	type queue struct {
		Length, Served, Lost int64
		Wait                 [13]float64
	}
	state := queue{Length: 3, Served: 7}
	const size = unsafe.Sizeof(state)
	encoder := New(17)

	before := state // the scratch buffer
	state.Length--
	state.Served++

	buffer := make([]byte, MaxLen(int(size)))
	length := encoder.Encode(buffer, unsafe.Pointer(&before), unsafe.Pointer(&state), size)
	saved := buffer[:length]
	fmt.Printf("%d bytes of state, %d of delta, %s\n", size, len(saved), Form(saved))

	encoder.Apply(saved, unsafe.Pointer(&state), size)
	fmt.Println(state.Length, state.Served)
	// Output:
	// 128 bytes of state, 24 of delta, zero-run
	// 3 7
}

func TestApplyRefusesWrongDeltas(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("it is checked under the build tag invariants")
	}
	state := make([]byte, 512*448)
	for _, c := range wrong {
		said := panicOf(func() { New(17).Apply(c.delta, at(state), c.size) })
		require.Contains(t, said, c.says, c.name)
	}
	require.Equal(t, make([]byte, len(state)), state, "it was applied nevertheless")
}

func TestEncodeRefusesATooShortBuffer(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("it is checked under the build tag invariants")
	}
	before, after := make([]byte, 64), make([]byte, 64)
	said := panicOf(func() { New(17).Encode(make([]byte, 71), at(before), at(after), 64) })
	require.Contains(t, said, "a delta of 64 bytes into 71")
}

// page returns a page between two that cannot be touched.
func page(t *testing.T) []byte {
	t.Helper()
	size := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(all)) })
	require.NoError(t, unix.Mprotect(all[:size], unix.PROT_NONE))
	require.NoError(t, unix.Mprotect(all[2*size:], unix.PROT_NONE))
	return all[size : 2*size]
}

func TestNothingBeyondTheStatesIsTouched(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	r := rand.New(rand.NewPCG(seed, 11))
	e := New(17)
	was, is, dst := page(t), page(t), page(t)
	place := func(page []byte, n int, end bool) unsafe.Pointer {
		if end {
			page = page[len(page)-n:]
		}
		return at(page[:n:n])
	}
	for n := 1; n <= 600; n++ {
		for a, amount := range amounts {
			before, after := event(r, n, amount.words((n+7)/8), amount.wholly)
			for _, end := range []bool{false, true} {
				b, s := place(was, n, end), place(is, n, end)
				copy(unsafe.Slice((*byte)(b), n), before)
				copy(unsafe.Slice((*byte)(s), n), after)
				d := dst[len(dst)-MaxLen(n):]
				d = d[:e.Encode(d, b, s, uintptr(n))]
				d = dst[len(dst)-copy(dst[len(dst)-len(d):], d):]
				e.Apply(d, s, uintptr(n))
				require.True(t, bytes.Equal(before, unsafe.Slice((*byte)(s), n)), "seed %d, size %d, amount %d", seed, n, a)
			}
		}
	}
}
