package stats_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

type gauge struct{ Level stats.Level }

type tank struct {
	gauge `ross:"."`
	Full  stats.Counter
}

type tanks struct {
	Oil tank `ross:"oil,l"`
	N   int
}

func TestStatisticsOfAnEmbeddedStructAreNamedAsItsOwn(t *testing.T) {
	sim, err := ross.Run(context.Background(), ross.Config{End: 10}, ross.Type[tanks]{LPs: 1,
		Init:  func(s *tanks, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: ross.On(func(s *tanks, lp *ross.LP, _ *ross.None) { s.Oil.Level.Set(lp, 3) }),
	})
	require.NoError(t, err)
	defer sim.Close()
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	row, ok := table.Row("tanks", "oil.Level")
	require.True(t, ok, "rows are %v", table)
	require.Equal(t, "l", row.Unit)
	require.InDelta(t, 2.7, row.Mean, 1e-12)
}
