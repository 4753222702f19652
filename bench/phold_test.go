package bench

import "testing"

func BenchmarkPhold(b *testing.B) {
	for _, size := range []struct{ lps, events int }{
		{16, 1}, {1 << 10, 1}, {1 << 10, 16}, {1 << 12, 16}, {1 << 16, 16}, {1 << 20, 1},
	} {
		for _, impl := range []string{"floor", "std", "c", "go"} {
			p := Phold{Impl: impl, LPs: size.lps, Events: size.events}
			b.Run(p.String(), p.Run)
		}
	}
}
