package bench

import (
	"testing"

	"github.com/ross-go/ross"
)

func BenchmarkTimeWarp(b *testing.B) {
	for _, w := range []TimeWarp{WorkloadB, WorkloadA} {
		for _, mode := range []struct{ synch, pes int }{{1, 1}, {3, 1}, {2, 2}, {3, 2}} {
			w.Synch, w.PEs = mode.synch, mode.pes
			b.Run(w.String(), w.Run)
		}
	}
}

func BenchmarkSaving(b *testing.B) {
	for _, pes := range []int{1, 2} {
		for _, how := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
			s := Saving{How: how, PEs: pes}
			b.Run(s.String(), s.Run)
		}
	}
}
