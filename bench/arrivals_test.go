// What an event from another process costs: in a Log, and in a map of Go that forgets what GVT has passed.

package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/avl"
)

// BenchmarkArrivals has events come from some sources, of which 512 are not committed at a time. One in 50 is
// searched for: nine of ten among the last 64, one anywhere.
func BenchmarkArrivals(b *testing.B) {
	const live, every, rounds = 512, 256, 1 << 14
	for _, sources := range []int{1, 4, 64} {
		type arrival struct {
			source uint32
			id     uint64
			find   int // this many before it; 0: none
		}
		r := rand.New(rand.NewPCG(7, 7))
		script, last := make([]arrival, rounds), make([]uint64, sources)
		for i := range script {
			s := r.IntN(sources)
			last[s]++
			script[i] = arrival{source: uint32(s), id: last[s]}
			if i > live && r.IntN(50) == 0 {
				script[i].find = 1 + r.IntN(64)
				if r.IntN(10) == 0 {
					script[i].find = 1 + r.IntN(live-1)
				}
			}
		}
		for _, impl := range avl.Impls() {
			b.Run(fmt.Sprintf("sources=%d/%s", sources, impl), func(b *testing.B) {
				for n := 0; n < b.N; n += rounds {
					l, err := avl.NewLog(1024, impl)
					if err != nil {
						b.Fatal(err)
					}
					for i := range script {
						a := &script[i]
						l.Add(a.source, a.id, uint64(i), float64(i))
						if a.find > 0 {
							if at, _, ok := l.Find(script[i-a.find].source, script[i-a.find].id); !ok || at != uint64(i-a.find) {
								b.Fatal("not found")
							}
						}
						if i%every == 0 && l.Due() {
							l.Sweep(float64(i - live))
						}
					}
					l.Close()
				}
			})
		}
		b.Run(fmt.Sprintf("sources=%d/map", sources), func(b *testing.B) {
			type key struct {
				source uint32
				id     uint64
			}
			for n := 0; n < b.N; n += rounds {
				m, oldest := map[key]uint32{}, 0
				for i := range script {
					a := &script[i]
					m[key{a.source, a.id}] = uint32(i)
					if a.find > 0 {
						if at, ok := m[key{script[i-a.find].source, script[i-a.find].id}]; !ok || at != uint32(i-a.find) {
							b.Fatal("not found")
						}
					}
					if i%every == 0 {
						for ; oldest < i-live; oldest++ {
							delete(m, key{script[oldest].source, script[oldest].id})
						}
					}
				}
			}
		})
	}
}
