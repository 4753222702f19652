// The cost of a delta in time and memory, compared with the plain copy of the
// state and LZ4 over the XOR of the whole state.

package delta_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/pierrec/lz4/v4"

	"github.com/ross-go/ross/internal/delta"
)

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
		e, dst := delta.New(17), make([]byte, delta.MaxLen(n))
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
		e := delta.New(17)
		var deltas [variants][]byte
		for i, p := range states {
			deltas[i] = make([]byte, delta.MaxLen(n))
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
// LZ4 and with it. Words become random reals, or are counters; of a third of them every third one is a counter that grows.
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
					e := delta.New(17)
					e.TryFrom(from)
					d, restored := make([]byte, delta.MaxLen(c.size)), at(make([]byte, c.size))
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
