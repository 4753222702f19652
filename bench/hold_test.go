package bench

import "testing"

func BenchmarkHold(b *testing.B) {
	for _, dist := range []string{"exp", "uniform", "bimodal", "equal", "farther"} {
		for _, n := range []int{16, 192, 1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 22} {
			for _, impl := range []string{"c", "go", "heap4", "std"} {
				h := Hold{Impl: impl, N: n, Dist: dist}
				b.Run(h.String(), h.Run)
			}
		}
	}
}
