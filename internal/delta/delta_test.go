// Round trips: whatever changes, Apply restores the earlier state, and the delta has
// the form that doc.go describes.

package delta_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/delta"
	"github.com/ross-go/ross/internal/testlevel"
)

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
	e := delta.New(17)
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
	for _, size := range testlevel.Pick([]int{4 << 10, 32 << 10, 64 << 10, 1 << 20}, []int{4 << 10, 32 << 10, 64 << 10, 1 << 20}, []int{4 << 10, 64 << 10}) {
		r := rand.New(rand.NewPCG(seed, 2))
		e := delta.New(17)
		forms := map[delta.Kind]int{}
		for i, n := range []int{size - 9, size - 8, size - 1, size, size + 1, size + 7, size + 8} {
			for a, amount := range amounts {
				if size > 4<<10 && (i+a)%7 != 0 {
					continue // for time: each size and each amount once
				}
				before, after := event(r, n, amount.words((n+7)/8), amount.wholly)
				d, err := roundTrip(e, 17, r, before, after)
				require.NoError(t, err, "seed %d, size %d, amount %d", seed, n, a)
				forms[delta.Form(d)]++
			}
		}
		require.Len(t, forms, 4, "size %d: not all forms: %v", size, forms)
	}
}

// From hardly to well compressible, through the quarter that LZ4 must save.
func TestLZ4StandsWhenItSavesAQuarter(t *testing.T) {
	testlevel.Once(t, "which form is the shortest")
	r := rand.New(rand.NewPCG(seed, 3))
	e := delta.New(1)
	forms := map[delta.Kind]int{}
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
		forms[delta.Form(d)]++
	}
	require.Greater(t, forms[delta.LZ4], 100)
	require.Greater(t, forms[delta.Raw], 100)
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
		form    delta.Kind
		length  int
	}{
		{0, nil, delta.None, 0},
		{1, nil, delta.None, 0},
		{1, []int{tail}, delta.Raw, 16},
		{7, []int{0}, delta.Raw, 16},
		{8, nil, delta.None, 0},
		{8, []int{0}, delta.Raw, 16},
		{9, []int{0}, delta.Raw, 24},
		{9, []int{tail}, delta.ZeroRun, 16},
		{16, []int{1}, delta.ZeroRun, 16},
		{16, []int{0, 1}, delta.Raw, 24},
		{64, []int{7}, delta.ZeroRun, 16},
		{64, span(0, 7), delta.ZeroRun, 64}, // of 8 words none is stored for speed
		{64, span(0, 8), delta.Raw, 72},
		{72, span(0, 7), delta.ZeroRun, 64}, // of 9 the ninth is, from 8 on
		{72, span(1, 9), delta.Raw, 80},
		{448, span(0, 48), delta.ZeroRun, 8 + 48*8},
		{448, span(7, 56), delta.Raw, 8 + 448},
		{448, []int{0, 55}, delta.ZeroRun, 24}, // one group
		{455, []int{0}, delta.ZeroRun, 24},
		{455, []int{tail}, delta.ZeroRun, 16},
		{455, append(span(7, 56), tail), delta.Raw, 8 + 456},
		{456, []int{56}, delta.ZeroRun, 24}, // a header, and two groups
		{456, []int{0, 56}, delta.ZeroRun, 40},
		{456, span(0, 57), delta.Raw, 8 + 2*8 + 456},
		{457, []int{tail}, delta.ZeroRun, 16},
		{457, []int{56}, delta.ZeroRun, 32},
		{512*448 + 1, []int{tail}, delta.ZeroRun, 16},
		{512 * 448, []int{254 * 56}, delta.ZeroRun, 24},
		{512 * 448, []int{255 * 56}, delta.ZeroRun, 24}, // skips as many as a byte holds
		{512 * 448, []int{256 * 56}, delta.ZeroRun, 32},
		{512 * 448, []int{510 * 56}, delta.ZeroRun, 32},
		{512 * 448, []int{511*56 + 55}, delta.ZeroRun, 40},
		{512*448 + 1, []int{0, 257*56 + 3, tail}, delta.ZeroRun, 8 + 16 + 8 + 16 + 8},
		{501 * 8, span(0, 501), delta.Raw, 8 + 9*8 + 501*8}, // 4088 bytes
		{502 * 8, span(0, 502), delta.LZ4, 0},               // 4096
		{8 << 10, span(100, 700), delta.LZ4, 0},
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
		d, err := roundTrip(delta.New(17), 17, rand.New(rand.NewPCG(seed, 4)), before, after)
		require.NoError(t, err, name)
		require.Equal(t, c.form, delta.Form(d), name)
		if c.form != delta.LZ4 {
			require.Len(t, d, c.length, name)
		}
	}
}

// The picture in doc.go, as bytes: a header, two groups, a tail.
func TestBytesOfADelta(t *testing.T) {
	before, after := make([]byte, 459), make([]byte, 459)
	after[1*8+2], after[56*8+1], after[57*8] = 0xaa, 0xbb, 0xcc
	d, err := roundTrip(delta.New(17), 17, rand.New(rand.NewPCG(seed, 5)), before, after)
	require.NoError(t, err)
	var want []byte
	for _, word := range []uint64{459<<8 | 2, 0b10 << 8, 0xaa0000, 0b1 << 8, 0xbb00, 0xcc} {
		want = binary.LittleEndian.AppendUint64(want, word)
	}
	require.Equal(t, want, d)
}

func TestMaxLenHoldsEveryWordAndItsGroups(t *testing.T) {
	for n, want := range map[int]int{0: 8, 1: 16, 8: 16, 9: 24, 448: 456, 455: 464, 456: 8 + 16 + 456, 897: 8 + 16 + 904, 904: 8 + 24 + 904} {
		require.Equal(t, want, delta.MaxLen(n), "%d bytes", n)
	}
}

// An LZ4 block needs no state of the encoder that made it.
func TestAnyEncoderAppliesADelta(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 6))
	before, after := event(r, 1<<14, 1<<11, false)
	d := make([]byte, delta.MaxLen(len(before)))
	d = d[:delta.New(17).Encode(d, at(before), at(after), uintptr(len(before)))]
	require.Equal(t, delta.LZ4, delta.Form(d))
	delta.New(17).Apply(d, at(after), uintptr(len(after)))
	require.Equal(t, before, after)
}

// What lies outside of the range of the acceleration counts as its ends.
func TestKnobIsLZ4sAcceleration(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 7))
	before, after := event(r, 1<<15, 1<<12, false)
	lengths := map[int]bool{}
	for knob, as := range map[int]int{-5: 1, 0: 1, 1: 1, 17: 17, 65537: 65537, 1 << 30: 65537} {
		d, err := roundTrip(delta.New(knob), as, r, before, after)
		require.NoError(t, err, "seed %d, knob %d", seed, knob)
		lengths[len(d)] = true
	}
	require.Len(t, lengths, 3)
}

func TestKindsHaveNames(t *testing.T) {
	for kind, name := range map[delta.Kind]string{
		delta.None: "none", delta.Raw: "raw", delta.ZeroRun: "zero-run", delta.LZ4: "lz4", delta.LZ4 + 1: "unknown",
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
		e, r := delta.New(17), rand.New(rand.NewPCG(seed, uint64(n)))
		for _, count := range []int{1, times} {
			_, err := roundTrip(e, 17, r, bytes.Repeat(before, count), bytes.Repeat(after, count))
			require.NoError(t, err, "%d times", count)
		}
	})
}
