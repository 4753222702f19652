package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/internal/hook"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/proc/proctest"
)

// TestModels runs each model as it is written and generated, under every scheduler, on ranks, and from checkpoints.
func TestModels(t *testing.T) {
	airport := &models.Airport{Gates: 3, Planes: 2, Walk: 0.25}
	for name, m := range map[string]modeltest.Model{
		"shops":   {Config: ross.Config{End: 60}, Types: func() []ross.LPType { return []ross.LPType{models.Shops(3)} }},
		"halls":   {Config: ross.Config{End: 40}, Types: func() []ross.LPType { return []ross.LPType{models.Halls(3)} }},
		"quays":   {Config: ross.Config{End: 60}, Types: func() []ross.LPType { return []ross.LPType{models.Quays(4)} }},
		"ferries": {Config: ross.Config{End: 80}, Types: func() []ross.LPType { return []ross.LPType{models.Ferries(3)} }},
		"dice":    {Config: ross.Config{End: 20}, Types: func() []ross.LPType { return []ross.LPType{models.DiceType(3, 3)} }},
		"desks":   {Config: ross.Config{End: 150}, Types: models.DeskTypes},
		"inns":    {Config: ross.Config{End: 40}, Types: models.Inns},
		"gates":   {Config: ross.Config{End: 200}, Types: airport.Airports},
	} {
		t.Run(name, func(t *testing.T) {
			m.Ranks = 2
			proctest.Run(t, m)
		})
	}
}

// bothWays runs a model sequentially, as it is written and generated, and returns the state of its first LP.
func bothWays[S any](t *testing.T, cfg ross.Config, types func() []ross.LPType) (written, generated S) {
	t.Helper()
	for _, direct := range []bool{true, false} {
		hook.Direct.Store(direct)
		sim, err := ross.Run(context.Background(), cfg, types()...)
		hook.Direct.Store(false)
		require.NoError(t, err)
		if direct {
			written = *ross.StateOf[S](sim.LP(0))
		} else {
			generated = *ross.StateOf[S](sim.LP(0))
		}
		sim.Close()
	}
	return written, generated
}

func TestStatesAreThoseOfTheSource(t *testing.T) {
	written, generated := bothWays[models.Hall](t, ross.Config{End: 200},
		func() []ross.LPType { return []ross.LPType{models.Halls(1)} })
	require.Equal(t, written.Count, generated.Count)
	for i, n := range generated.Count {
		require.NotZero(t, n, "the model does not reach count %d", i)
	}
	before, after := bothWays[models.Quay](t, ross.Config{End: 400},
		func() []ross.LPType { return []ross.LPType{models.Quays(1)} })
	require.Equal(t, before.Count, after.Count)
	for i, n := range after.Count {
		require.NotZero(t, n, "the model does not reach count %d", i)
	}
	early, late := bothWays[models.Ferry](t, ross.Config{End: 400},
		func() []ross.LPType { return []ross.LPType{models.Ferries(1)} })
	require.Equal(t, early.Count, late.Count)
	for i, n := range late.Count {
		require.NotZero(t, n, "the model does not reach count %d", i)
	}
	airport := &models.Airport{Gates: 3, Planes: 2, Walk: 0.25}
	from, to := bothWays[models.Gate](t, ross.Config{End: 200}, airport.Airports)
	require.Equal(t, from.Sum, to.Sum)
	require.Equal(t, from.Arrived, to.Arrived)
	require.NotZero(t, to.Arrived)
	cheap, plain := bothWays[models.Inn](t, ross.Config{End: 200}, models.Inns)
	require.Equal(t, cheap.Reason, plain.Reason)
	require.Equal(t, cheap.Paid, plain.Paid)
	for i, n := range plain.Reason {
		require.NotZero(t, n, "the model does not reach reason %d", i)
	}
}
