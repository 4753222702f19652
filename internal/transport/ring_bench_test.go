// What a ring costs: alone, and between two goroutines.

package transport_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/transport"
)

// BenchmarkKeys pushes and takes by one goroutine: the instructions alone.
func BenchmarkKeys(b *testing.B) {
	for _, batch := range []int{1, 4, 16, 256} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			r := transport.NewRing(1024, 2)
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
			r := transport.NewRing(4096, 2)
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
