// This file owns the comparison of models made of processes with the programs of this folder, which are made of handlers
// and draw the same numbers.

package sidebyside

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	processdesk "github.com/ross-go/ross/models/processes/desk"
	processepidemic "github.com/ross-go/ross/models/processes/epidemic"
	processphold "github.com/ross-go/ross/models/processes/phold"
	processring "github.com/ross-go/ross/models/processes/ring"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// play runs a program as it is without options.
func play(t *testing.T, p program.Program) *ross.Simulation {
	t.Helper()
	sim, err := ross.New(p.Config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

func TestProcessesGiveTheNumbersOfHandlers(t *testing.T) {
	t.Parallel()
	t.Run("desk", func(t *testing.T) {
		t.Parallel()
		want := &ross.StateOf[Desk](simulate(t, 10_000, desk).LP(0)).Clerks
		got := &ross.StateOf[processdesk.Desk](play(t, processdesk.Program()).LP(0)).Clerks
		require.Equal(t, want.Wait.Count(), got.Wait.Count())
		near(t, want.Wait.Mean(), got.Wait.Mean())
	})
	t.Run("epidemic", func(t *testing.T) {
		t.Parallel()
		want, got := simulate(t, 365, epidemic), play(t, processepidemic.Program())
		sick := int64(0)
		for i := range ross.LPID(places) {
			w, g := ross.StateOf[Place](want.LP(i)), ross.StateOf[processepidemic.Place](got.LP(i))
			require.Equal(t, [3]int64{w.Well, w.Sick, w.Over}, [3]int64{g.Well, g.Sick, g.Over}, "place %d", i)
			sick += w.Over
		}
		require.Positive(t, sick)
	})
	t.Run("phold", func(t *testing.T) {
		t.Parallel()
		want, got := simulate(t, 100, phold), play(t, processphold.Program())
		for i := range ross.LPID(members) {
			require.Equal(t, ross.StateOf[Member](want.LP(i)).Received,
				ross.StateOf[processphold.Member](got.LP(i)).Received, "LP %d", i)
		}
	})
	t.Run("ring", func(t *testing.T) {
		t.Parallel()
		var delays [2]stats.Row
		for i, sim := range []*ross.Simulation{simulate(t, 1000, ring), play(t, processring.Program())} {
			table, err := stats.Collect(sim)
			require.NoError(t, err)
			delays[i] = table.Rows()[0]
		}
		require.Equal(t, delays[0].Count, delays[1].Count)
		near(t, delays[0].Mean, delays[1].Mean)
	})
}
