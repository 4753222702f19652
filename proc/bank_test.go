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

// TestBankIsThatOfHandlers compares with what docs/from-simpy.md prints of the same bank, made of handlers.
func TestBankIsThatOfHandlers(t *testing.T) {
	sim, err := ross.Run(context.Background(), ross.Config{End: 10_000}, models.Banks(1))
	require.NoError(t, err)
	defer sim.Close()
	c := &ross.StateOf[models.Bank](sim.LP(0)).Counter
	require.EqualValues(t, 590, c.Wait.Count())
	require.InDelta(t, 2.8528, c.Wait.Mean(), 5e-5)
	require.EqualValues(t, 448, c.Reneged.Count())
}

func TestBankIsTheSameUnderEveryScheduler(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog} {
		proctest.Run(t, modeltest.Model{
			Config: ross.Config{End: 1000},
			Types: func() []ross.LPType {
				banks := models.Banks(4)
				banks.Saving = saving
				return []ross.LPType{banks}
			},
			Ranks: 2,
		})
	}
}

func TestEachConstructGoesOnAsItIsWritten(t *testing.T) {
	types := func() []ross.LPType { return []ross.LPType{models.ManyConstructs(3)} }
	proctest.Run(t, modeltest.Model{Config: ross.Config{End: 100}, Types: types, Ranks: 2})
	logs := map[bool]uint64{}
	for _, direct := range []bool{false, true} {
		hook.Direct.Store(direct)
		sim, err := ross.Run(context.Background(), ross.Config{End: 100}, types()...)
		hook.Direct.Store(false)
		require.NoError(t, err)
		state := ross.StateOf[models.Constructs](sim.LP(0))
		require.Zero(t, state.Living())
		logs[direct] = state.Log
		sim.Close()
	}
	require.Equal(t, logs[true], logs[false])
}
