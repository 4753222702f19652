// Wrong deltas, as a bug of the engine would hand them to Apply: that of another
// state, a part of one, or one that something wrote to.

package delta_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/delta"
)

// words returns a delta of the given words, and of some bytes more.
func words(all []uint64, more ...byte) []byte {
	var d []byte
	for _, x := range all {
		d = binary.LittleEndian.AppendUint64(d, x)
	}
	return append(d, more...)
}

// packed returns the delta of a state of 8 KiB of which all bytes grew by 1.
func packed() []byte {
	before, after := bytes.Repeat([]byte{2}, 8<<10), bytes.Repeat([]byte{3}, 8<<10)
	d := make([]byte, delta.MaxLen(len(before)))
	return d[:delta.New(17).Encode(d, at(before), at(after), uintptr(len(before)))]
}

// resized returns what packed does, with a header that says as many bytes more.
func resized(more int64) []byte {
	d := packed()
	binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(d)+uint64(more)<<8)
	return d
}

const (
	raw     = uint64(delta.Raw)
	zeroRun = uint64(delta.ZeroRun)
	packing = uint64(delta.LZ4)
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
	{"LZ4 that is none", 8 << 10, words([]uint64{8000<<8 | packing, 0xffff_ffff_ffff_ffff}), "broken LZ4 block"},
}

func TestWrongDeltasAreCaught(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, panicOf(func() { delta.New(17).Check(c.delta, c.size) }), c.says)
		})
	}
}

// They are close to the wrong ones.
func TestRightDeltasPassTheCheck(t *testing.T) {
	require.Empty(t, panicOf(func() {
		e := delta.New(17)
		e.Check(words([]uint64{1<<8 | zeroRun, 5}), 64)
		e.Check(words([]uint64{0<<8 | zeroRun, 5}), 63)
		e.Check(words([]uint64{3<<8 | raw, 5, 6}), 16)
		e.Check(words([]uint64{456<<8 | zeroRun, 1<<8 | 1, 5}), 456)
		e.Check(words([]uint64{457<<8 | zeroRun, 5}), 457)
		e.Check(words([]uint64{512*448<<8 | zeroRun, 255, 1<<8 | 1, 5}), 512*448)
		e.Check(packed(), 8<<10)
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
