// This file owns what deltas cost, in time and in allocations, and the guarded round trips of the tests.

package delta

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/pierrec/lz4/v4"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
)

// The cost of a delta in time and memory, compared with the plain copy of the
// state and LZ4 over the XOR of the whole state.

// variants is how many pairs of states a benchmark goes through: as from LP to
// LP, it is not always the same words that change.
const variants = 16

// pair is a state before and after an event.
type pair struct{ before, after unsafe.Pointer }

// changes are what events do to the words of a state: one of them, few or all
// become random reals, or all are counters that grow by 1.
var changes = []struct {
	name string
	do   func(r *rand.Rand, state []byte)
}{
	{"1", func(r *rand.Rand, s []byte) { setReal(r, s, r.IntN(len(s)/8)) }},
	{"few", func(r *rand.Rand, s []byte) {
		for range 4 {
			setReal(r, s, r.IntN(len(s)/8))
		}
	}},
	{"all", func(r *rand.Rand, s []byte) {
		for i := range len(s) / 8 {
			setReal(r, s, i)
		}
	}},
	{"count", func(_ *rand.Rand, s []byte) {
		for i := range len(s) / 8 {
			word := s[i*8:]
			binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)+1)
		}
	}},
}

func setReal(r *rand.Rand, state []byte, word int) {
	binary.LittleEndian.PutUint64(state[word*8:], math.Float64bits(r.ExpFloat64()))
}

// pairs makes states of n bytes and lets an event happen to each.
func pairs(n int, change func(*rand.Rand, []byte)) (all [variants]pair) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range all {
		before := make([]byte, n)
		for w := range n / 8 {
			binary.LittleEndian.PutUint64(before[w*8:], uint64(r.IntN(1000)))
		}
		after := append([]byte(nil), before...)
		change(r, after)
		all[i] = pair{at(before), at(after)}
	}
	return all
}

// at is where b begins.
func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// eachSize runs a benchmark of each size and change.
func eachSize(b *testing.B, impl string, bench func(b *testing.B, n int, states [variants]pair)) {
	for _, n := range []int{8, 64, 256, 1 << 10, 4 << 10, 32 << 10} {
		for _, c := range changes {
			b.Run(fmt.Sprintf("impl=%s/size=%d/changed=%s", impl, n, c.name), func(b *testing.B) {
				bench(b, n, pairs(n, c.do))
			})
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	eachSize(b, "delta", func(b *testing.B, n int, states [variants]pair) {
		e, dst := New(17), make([]byte, MaxLen(n))
		i, sum := 0, 0
		for b.Loop() {
			p := &states[i%variants]
			sum += e.Encode(dst, p.before, p.after, uintptr(n))
			i++
		}
		report(b, sum, i)
	})
	eachSize(b, "copy", func(b *testing.B, n int, states [variants]pair) {
		dst := make([]byte, n)
		i, sum := 0, 0
		for b.Loop() {
			sum += save(dst, states[i%variants].before, n)
			i++
		}
		report(b, sum, i)
	})
	eachSize(b, "lz4", func(b *testing.B, n int, states [variants]pair) {
		packer, scratch := lz4.CompressorCCompat{Acceleration: 17}, make([]byte, n)
		dst := make([]byte, lz4.CompressBlockBound(n))
		i, sum := 0, 0
		for b.Loop() {
			p := &states[i%variants]
			xor(scratch, p.before, p.after)
			size, err := packer.CompressBlock(scratch, dst)
			if err != nil {
				b.Fatal(err)
			}
			sum += size
			i++
		}
		report(b, sum, i)
	})
}

// Applying a delta twice changes nothing, so the same state serves again.
func BenchmarkApply(b *testing.B) {
	eachSize(b, "delta", func(b *testing.B, n int, states [variants]pair) {
		e := New(17)
		var deltas [variants][]byte
		for i, p := range states {
			deltas[i] = make([]byte, MaxLen(n))
			deltas[i] = deltas[i][:e.Encode(deltas[i], p.before, p.after, uintptr(n))]
		}
		for i := 0; b.Loop(); i++ {
			e.Apply(deltas[i%variants], states[i%variants].after, uintptr(n))
		}
	})
	eachSize(b, "copy", func(b *testing.B, n int, states [variants]pair) {
		for i := 0; b.Loop(); i++ {
			p := &states[i%variants]
			save(unsafe.Slice((*byte)(p.after), n), p.before, n)
		}
	})
}

func report(b *testing.B, sum, n int) { b.ReportMetric(float64(sum)/float64(n), "bytes/delta") }

// save is state saving by copying.
//
//go:noinline
func save(dst []byte, state unsafe.Pointer, n int) int {
	return copy(dst, unsafe.Slice((*byte)(state), n))
}

// xor puts the XOR of two states into dst.
func xor(dst []byte, before, after unsafe.Pointer) {
	a, b := unsafe.Slice((*uint64)(before), len(dst)/8), unsafe.Slice((*uint64)(after), len(dst)/8)
	for i := range a {
		binary.LittleEndian.PutUint64(dst[i*8:], a[i]^b[i])
	}
}

// BenchmarkThreshold shows what a lower length would cost from which LZ4 is tried: a delta is made and applied, without
// LZ4 and with it. Words become random reals, or are counters; of a third of them every third one is a counter that
// grows.
func BenchmarkThreshold(b *testing.B) {
	third := func(_ *rand.Rand, s []byte) {
		for i := 0; i < len(s)/8; i += 3 {
			word := s[i*8:]
			binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)+1)
		}
	}
	for _, length := range []int{768, 1 << 10, 2 << 10, 4 << 10, 8 << 10} {
		for _, c := range []struct {
			name   string
			size   int // of the state, for a delta of about that length
			change func(*rand.Rand, []byte)
		}{{"reals", length, changes[2].do}, {"counters", length, changes[3].do}, {"third", 3 * length, third}} {
			states := pairs(c.size, c.change)
			for name, from := range map[string]int{"never": math.MaxInt, "tried": 0} {
				b.Run(fmt.Sprintf("delta=%d/%s/lz4=%s", length, c.name, name), func(b *testing.B) {
					e := New(17)
					e.least = uintptr(from)
					d, restored := make([]byte, MaxLen(c.size)), at(make([]byte, c.size))
					sum, i := 0, 0
					for ; b.Loop(); i++ {
						s := &states[i%variants]
						n := e.Encode(d, s.before, s.after, uintptr(c.size))
						e.Apply(d[:n], restored, uintptr(c.size))
						sum += n
					}
					report(b, sum, i)
				})
			}
		}
	}
}

// Round trips between guard bytes, and their reference: a decoder and a measure
// of length that follow the text of doc.go word by word.

// guard is how many bytes stand before and behind each buffer.
const guard = 24

// guarded is a buffer at any alignment, between bytes that must not be written.
// They are random, so that code that reads them gets other results.
type guarded struct{ bytes, around, saved []byte }

func newGuarded(r *rand.Rand, content []byte) guarded {
	at := guard + r.IntN(8)
	around := make([]byte, at+len(content)+guard)
	fill(r, around[:at])
	fill(r, around[at+len(content):])
	g := guarded{bytes: around[at : at+len(content) : at+len(content)], around: around}
	copy(g.bytes, content)
	g.saved = bytes.Clone(around)
	return g
}

func fill(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// intact reports whether only the buffer was written.
func (g guarded) intact() bool {
	copy(g.saved[len(g.saved)-guard-len(g.bytes):], g.bytes)
	return g.same()
}

// same reports whether nothing was written.
func (g guarded) same() bool { return bytes.Equal(g.saved, g.around) }

// roundTrip makes the delta of two states of one size and applies it. It returns
// the delta, and an error when anything is not as doc.go has it.
func roundTrip(e *Encoder, knob int, r *rand.Rand, before, after []byte) ([]byte, error) {
	n := len(before)
	was, is := newGuarded(r, before), newGuarded(r, after)
	dst := newGuarded(r, make([]byte, MaxLen(n)))
	length := e.Encode(dst.bytes, at(was.bytes), at(is.bytes), uintptr(n))
	if !was.same() || !is.same() || !dst.intact() || length < 0 || length > len(dst.bytes) {
		return nil, fmt.Errorf("Encode wrote where it must not, or %d bytes of %d", length, len(dst.bytes))
	}
	d := newGuarded(r, dst.bytes[:length])
	e.Apply(d.bytes, at(is.bytes), uintptr(n))
	if !bytes.Equal(is.bytes, before) {
		return nil, fmt.Errorf("the state is not what it was: %s delta of %d bytes", Form(d.bytes), length)
	}
	if !d.same() || !is.intact() {
		return nil, fmt.Errorf("Apply wrote beyond the state")
	}
	return d.bytes, compare(d.bytes, knob, before, after)
}

// compare reports whether d has the form and the content that doc.go describes.
func compare(d []byte, knob int, before, after []byte) error {
	x := make([]byte, len(before))
	subtle.XORBytes(x, before, after)
	form, want := Form(d), plainLen(x)
	plain, err := unpack(d, want)
	if err != nil {
		return err
	}
	if len(plain) != want {
		return fmt.Errorf("%s delta of %d bytes, which should have %d", form, len(plain), want)
	}
	if full := want == MaxLen(len(x)); form != LZ4 && full != (form == Raw) || (want == 0) != (form == None) {
		return fmt.Errorf("%s delta of %d bytes, at most %d", form, want, MaxLen(len(x)))
	}
	if got := decode(plain, len(x)); !bytes.Equal(got, x) {
		return fmt.Errorf("the delta describes another change")
	}
	return comparePacked(form, len(d), knob, plain)
}

// comparePacked reports whether LZ4 was used where it saves a quarter, up to the
// bytes that it leaves unfilled.
func comparePacked(form Kind, length, knob int, plain []byte) error {
	if len(plain) < 4096 {
		if form == LZ4 {
			return fmt.Errorf("LZ4 for %d bytes", len(plain))
		}
		return nil
	}
	packer := lz4.CompressorCCompat{Acceleration: knob}
	size, err := packer.CompressBlock(plain[8:], make([]byte, lz4.CompressBlockBound(len(plain))))
	if err != nil {
		return err
	}
	limit := (len(plain) - 8 + 1) * 3 / 4
	switch {
	case form == LZ4 && (size > limit || length != 8+size):
		return fmt.Errorf("%d bytes became %d, LZ4 makes %d", len(plain), length, size)
	case form != LZ4 && size+16 < limit:
		return fmt.Errorf("no LZ4 where it makes %d of %d bytes", size, len(plain))
	}
	return nil
}

// plainLen returns the length of the delta of change x before LZ4.
func plainLen(x []byte) int {
	length, skipped, n := 0, 0, len(x)/8*8
	for at := 0; at < n; at += 56 * 8 {
		group := x[at:min(at+56*8, n)]
		changed, words := 0, len(group)/8
		for w := range words {
			if binary.LittleEndian.Uint64(group[w*8:]) != 0 {
				changed++
			}
		}
		switch {
		case changed == 0:
			skipped++
			continue
		case words > 8 && changed*8 >= words*7:
			changed = words
		}
		if skipped > 0 {
			length += (skipped - 1) / 255 * 8
		}
		length, skipped = length+8+changed*8, 0
	}
	header := 8 // also in place of the group that did not change
	if n <= 56*8 && length > 0 {
		header = 0
	}
	if bytes.Count(x, []byte{0}) == len(x) {
		return 0
	}
	return header + length + (len(x)+7)/8*8 - n
}

// unpack returns delta d as it was before LZ4.
func unpack(d []byte, want int) ([]byte, error) {
	if Form(d) != LZ4 {
		return d, nil
	}
	size := int(binary.LittleEndian.Uint64(d) >> 8)
	plain := make([]byte, max(want, 8+size))
	copy(plain, d[:8])
	got, err := lz4.UncompressBlock(d[8:], plain[8:8+size])
	if err != nil || got != size {
		return nil, fmt.Errorf("an LZ4 block of %d bytes instead of %d: %w", got, size, err)
	}
	return plain[:8+size], nil
}

// decode returns the change of n bytes that a delta describes.
func decode(plain []byte, n int) []byte {
	x := make([]byte, (n+7)/8*8)
	if len(plain) == 0 {
		return x[:n]
	}
	if n%8 != 0 {
		copy(x[n/8*8:], plain[len(plain)-8:])
		plain = plain[:len(plain)-8]
	}
	large := n/8 > 56
	if large {
		plain = plain[8:]
	}
	for at := 0; len(plain) > 0; {
		m := binary.LittleEndian.Uint64(plain) >> 8
		if large {
			at += int(plain[0]) * 56 * 8
		}
		plain = plain[8:]
		for b := m; b != 0; b &= b - 1 {
			copy(x[at+bits.TrailingZeros64(b)*8:], plain[:8])
			plain = plain[8:]
		}
		if m != 0 {
			at += 56 * 8
		}
	}
	return x[:n]
}

func TestNoAllocation(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	r := rand.New(rand.NewPCG(seed, 9))
	e := New(17)
	for _, c := range []struct {
		size, changed int
		wholly        bool
		form          Kind
	}{ // LZ4 first: it makes its table, and room for the largest state
		{1 << 17, 1 << 14, false, LZ4},
		{1 << 14, 1 << 11, false, LZ4},
		{1 << 14, 1 << 11, true, Raw},
		{1 << 14, 9, true, ZeroRun},
		{461, 20, true, ZeroRun},
		{64, 1, true, ZeroRun},
		{64, 8, true, Raw},
		{64, 0, true, None},
		{3, 1, true, Raw},
	} {
		before, after := event(r, c.size, c.changed, c.wholly)
		d := make([]byte, MaxLen(c.size))
		var length int
		life := func() {
			length = e.Encode(d, at(before), at(after), uintptr(c.size))
			e.Apply(d[:length], at(after), uintptr(c.size))
			e.Apply(d[:length], at(after), uintptr(c.size)) // and on again
		}
		if c.size == 1<<17 {
			life()
		}
		require.Zero(t, testalloc.PerRun(10, life), "%d bytes", c.size)
		require.Equal(t, c.form, Form(d[:length]), "%d bytes", c.size)
	}
}

// 48 KiB of LZ4 are not for LPs with small states.
func TestSmallStatesNeedNoLZ4(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	r := rand.New(rand.NewPCG(seed, 10))
	before, after := event(r, 4000, 500, true)
	d := make([]byte, MaxLen(len(before)))
	require.LessOrEqual(t, testalloc.PerRun(10, func() {
		e := New(17)
		e.Apply(d[:e.Encode(d, at(before), at(after), uintptr(len(before)))], at(after), uintptr(len(before)))
	}), 1.0)
}
