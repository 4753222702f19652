// The cost of a block: Alloc and Free, compared with Go's make and a free list
// for each size class.

package buddy_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
)

// classes keeps freed blocks in a slice for each power of two, and never gives
// them to another: the least that a pool can do.
type classes [48][]unsafe.Pointer

func (c *classes) alloc(n uintptr) unsafe.Pointer {
	k := bits.Len64(uint64(n - 1))
	list := c[k]
	if len(list) == 0 {
		return unsafe.Pointer(unsafe.SliceData(make([]byte, 1<<k)))
	}
	p := list[len(list)-1]
	c[k] = list[:len(list)-1]
	return p
}

func (c *classes) free(p unsafe.Pointer, n uintptr) {
	k := bits.Len64(uint64(n - 1))
	c[k] = append(c[k], p)
}

// inUse is how many blocks live while one after the other is replaced.
const inUse = 1000

// replace measures a Free and an Alloc: of the block that came last (hot), or
// of any.
func replace(b *testing.B, sizes []uintptr, hot bool, alloc func(uintptr) unsafe.Pointer, free func(unsafe.Pointer, uintptr)) {
	r := rand.New(rand.NewPCG(1, 2))
	var live [1024]held
	var which [4096]uint16
	for i := range which {
		if !hot {
			which[i] = uint16(r.IntN(inUse))
		}
	}
	for i := range inUse {
		n := sizes[i%len(sizes)]
		live[i] = held{alloc(n), n}
	}
	for i := 0; b.Loop(); i++ {
		x := &live[which[i&4095]&1023]
		free(x.p, x.n)
		x.n = sizes[i&(len(sizes)-1)]
		x.p = alloc(x.n)
	}
	for _, x := range live[:inUse] {
		free(x.p, x.n)
	}
}

// pair measures Alloc and Free of one hot block, called directly.
func pair(b *testing.B, p *buddy.Pool, n uintptr) {
	for b.Loop() {
		x, _ := p.Alloc(n)
		p.Free(x, n)
	}
}

func BenchmarkPool(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	mixed, deltas := make([]uintptr, 4096), make([]uintptr, 4096)
	for i := range mixed {
		mixed[i] = 1 + uintptr(r.UintN(1<<r.UintN(14)))
		deltas[i] = 16 + uintptr(r.UintN(200))
	}
	for _, c := range []struct {
		name  string
		sizes []uintptr
		hot   bool
	}{
		{"64/hot", []uintptr{64}, true},
		{"64", []uintptr{64}, false},
		{"256", []uintptr{256}, false},
		{"4096", []uintptr{4096}, false},
		{"16384", []uintptr{16384}, false},
		{"deltas", deltas, false}, // 16 to 215 bytes
		{"mixed", mixed, false},   // 1 to 8192 bytes, small ones more often
	} {
		for _, impl := range append(buddy.Impls(), "make", "classes") {
			b.Run(fmt.Sprintf("impl=%s/size=%s", impl, c.name), func(b *testing.B) {
				switch impl {
				case "make":
					b.ReportAllocs()
					replace(b, c.sizes, c.hot,
						func(n uintptr) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]byte, n))) },
						func(unsafe.Pointer, uintptr) {})
				case "classes":
					var k classes
					replace(b, c.sizes, c.hot, k.alloc, k.free)
				default:
					p, err := buddy.NewCharged(impl, 0, 1<<30, nil)
					require.NoError(b, err)
					defer p.Close()
					replace(b, c.sizes, c.hot,
						func(n uintptr) unsafe.Pointer { x, _ := p.Alloc(n); return x }, p.Free)
				}
			})
		}
	}
}

// BenchmarkPair is what a handler pays that calls the pool directly.
func BenchmarkPair(b *testing.B) {
	for _, impl := range buddy.Impls() {
		for _, n := range []uintptr{64, 1000, 8192} {
			b.Run(fmt.Sprintf("impl=%s/size=%d", impl, n), func(b *testing.B) {
				p, err := buddy.NewCharged(impl, 16, 1<<30, nil)
				require.NoError(b, err)
				defer p.Close()
				pair(b, p, n)
			})
		}
	}
}
