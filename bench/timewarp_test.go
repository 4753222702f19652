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

// BenchmarkInstrumentation is the cost of collecting, compared with a run that collects
// nothing.
func BenchmarkInstrumentation(b *testing.B) {
	for _, c := range []struct {
		name    string
		collect func(*ross.Config)
	}{
		{"none", nil},
		{"gvt", func(c *ross.Config) { c.EngineStats = 1 }},
		{"gvt-kp-lp", func(c *ross.Config) { c.EngineStats, c.KPData, c.LPData = 1, 1, 1 }},
		{"rt", func(c *ross.Config) { c.EngineStats, c.RTInterval = 2, 10 }},
		{"vt", func(c *ross.Config) { c.EngineStats, c.VTInterval = 3, 1 }},
		{"trace-committed", func(c *ross.Config) { c.EventTrace = int(ross.TraceCommitted) }},
		{"trace-all", func(c *ross.Config) { c.EventTrace = int(ross.TraceAll) }},
		{"trace-unwritten", func(c *ross.Config) { c.EventTrace, c.DisableOutput = int(ross.TraceCommitted), 1 }},
	} {
		w := WorkloadB
		w.Synch, w.PEs, w.Collect = 3, 2, c.collect
		b.Run(c.name, w.Run)
	}
}
