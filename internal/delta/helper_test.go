// Round trips between guard bytes, and their reference: a decoder and a measure
// of length that follow the text of doc.go word by word.

package delta_test

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/pierrec/lz4/v4"

	"github.com/ross-go/ross/internal/delta"
)

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
func roundTrip(e *delta.Encoder, knob int, r *rand.Rand, before, after []byte) ([]byte, error) {
	n := len(before)
	was, is := newGuarded(r, before), newGuarded(r, after)
	dst := newGuarded(r, make([]byte, delta.MaxLen(n)))
	length := e.Encode(dst.bytes, at(was.bytes), at(is.bytes), uintptr(n))
	if !was.same() || !is.same() || !dst.intact() || length < 0 || length > len(dst.bytes) {
		return nil, fmt.Errorf("Encode wrote where it must not, or %d bytes of %d", length, len(dst.bytes))
	}
	d := newGuarded(r, dst.bytes[:length])
	e.Apply(d.bytes, at(is.bytes), uintptr(n))
	if !bytes.Equal(is.bytes, before) {
		return nil, fmt.Errorf("the state is not what it was: %s delta of %d bytes", delta.Form(d.bytes), length)
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
	form, want := delta.Form(d), plainLen(x)
	plain, err := unpack(d, want)
	if err != nil {
		return err
	}
	if len(plain) != want {
		return fmt.Errorf("%s delta of %d bytes, which should have %d", form, len(plain), want)
	}
	if full := want == delta.MaxLen(len(x)); form != delta.LZ4 && full != (form == delta.Raw) || (want == 0) != (form == delta.None) {
		return fmt.Errorf("%s delta of %d bytes, at most %d", form, want, delta.MaxLen(len(x)))
	}
	if got := decode(plain, len(x)); !bytes.Equal(got, x) {
		return fmt.Errorf("the delta describes another change")
	}
	return comparePacked(form, len(d), knob, plain)
}

// comparePacked reports whether LZ4 was used where it saves a quarter, up to the
// bytes that it leaves unfilled.
func comparePacked(form delta.Kind, length, knob int, plain []byte) error {
	if len(plain) < 4096 {
		if form == delta.LZ4 {
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
	case form == delta.LZ4 && (size > limit || length != 8+size):
		return fmt.Errorf("%d bytes became %d, LZ4 makes %d", len(plain), length, size)
	case form != delta.LZ4 && size+16 < limit:
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
	if delta.Form(d) != delta.LZ4 {
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
