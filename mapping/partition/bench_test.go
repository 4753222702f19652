// This file owns the benchmark of the time that a division takes.

package partition

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/mapping"
)

// BenchmarkPartition divides a torus of three dimensions, that is three links for each LP, among 2
// PEs with 1 or 16 KPs. The time to make the graph from its links is measured apart.
func BenchmarkPartition(b *testing.B) {
	for _, side := range []int{10, 32, 100} {
		lps := side * side * side
		for _, order := range []string{"natural", "random"} {
			var permuted []int
			if order == "random" {
				permuted = rand.New(rand.NewPCG(1, 2)).Perm(lps)
			}
			name := fmt.Sprintf("lps=%d/ids=%s/", lps, order)
			b.Run(name+"step=graph", func(b *testing.B) {
				for b.Loop() {
					torus(b, permuted, side, side, side)
				}
			})
			for _, kps := range []uint64{1, 16} {
				b.Run(fmt.Sprintf("%sstep=map/kps=%d", name, kps), func(b *testing.B) {
					g := torus(b, permuted, side, side, side)
					b.ReportAllocs()
					var m *mapping.Map
					for b.Loop() {
						m = mustMap(mapping.NewCustom(2, uint64(lps), kps, g.Funcs(Options{})))
					}
					q, err := g.Quality(m)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(q.Cut, "cut")
				})
			}
		}
	}
}
