// What a short-lived value costs: buddy.Objects, sync.Pool and Go's allocator.

package bench

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/ross-go/ross/buddy"
)

// BenchmarkPools has a thousand values in use, of which one after the other, in random order, is replaced by a new
// one that is zero.
func BenchmarkPools(b *testing.B) {
	pools[[64]byte](b)
	pools[[1024]byte](b)
}

const inUse = 1000

func pools[T any](b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	next := make([]int, increments)
	for i := range next {
		next[i] = r.IntN(inUse)
	}
	var zero T
	size := unsafe.Sizeof(zero)
	for _, impl := range buddy.Impls() {
		b.Run(fmt.Sprintf("impl=%s/size=%d", impl, size), func(b *testing.B) {
			pool, err := buddy.New(impl, 64<<20)
			if err != nil {
				b.Fatal(err)
			}
			defer pool.Close()
			values, err := buddy.NewObjects[T](pool)
			if err != nil {
				b.Fatal(err)
			}
			var used [inUse]*T
			for i := range used {
				used[i], _ = values.New()
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v := &used[next[i%increments]]
				values.Free(*v)
				if *v, err = values.New(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run(fmt.Sprintf("impl=sync.Pool/size=%d", size), func(b *testing.B) {
		pool := sync.Pool{New: func() any { return new(T) }}
		var used [inUse]*T
		for i := range used {
			used[i] = new(T)
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			v := &used[next[i%increments]]
			pool.Put(*v)
			*v = pool.Get().(*T)
			**v = zero
		}
	})
	b.Run(fmt.Sprintf("impl=new/size=%d", size), func(b *testing.B) {
		var used [inUse]*T
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			used[next[i%increments]] = new(T)
		}
	})
}
