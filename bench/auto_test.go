package bench

import "testing"

// BenchmarkAuto measures runs of the length given by -benchtime: 100000x, 1000000x, 10000000x.
func BenchmarkAuto(b *testing.B) {
	for _, a := range AutoCells() {
		b.Run(a.String(), a.Run)
	}
}
