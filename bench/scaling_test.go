package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// BenchmarkScaling measures the points of scaling.svg: run it with -benchtime 2000000x.
func BenchmarkScaling(b *testing.B) {
	for _, s := range ScalingCells() {
		b.Run(s.String(), s.Run)
	}
}

// Points at one value differ in the scheduler only: with fewer LPs and events, they commit as
// many events.
func TestScalingSchedulersCommitTheSameEvents(t *testing.T) {
	type value struct {
		by string
		at float64
	}
	want := map[value]int64{}
	for _, s := range ScalingCells() {
		v := value{s.By, s.At}
		if s.By == "pes" {
			v.at = 0 // one simulation, on more and more PEs
		}
		require.Zero(t, s.LPs%s.PEs, s)
		require.Positive(t, s.Events, s)
		s.LPs, s.Events = min(s.LPs, 64), min(s.Events, 2)
		cfg := s.config()
		cfg.End = 5
		sim, err := ross.New(cfg)
		require.NoError(t, err, s)
		require.NoError(t, sim.Define(s.model()), s)
		require.NoError(t, sim.Run(context.Background()), s)
		n := int64(sim.Stats().NetEvents())
		require.NoError(t, sim.Close(), s)
		require.Positive(t, n, s)
		if s.Synch == ross.Sequential {
			want[v] = n
		}
		require.Equal(t, want[v], n, s)
	}
}
