// This file owns the tests of the figures that follow from others.

package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDerivedFigures(t *testing.T) {
	s := Stats{
		Counters: Counters{EventsProcessed: 500, EventsRolledBack: 100, PrimaryRollBacks: 7, SecondaryRollBacks: 5},
		TotalPEs: 6, Ranks: 3, KPsPerPE: 16,
		SendLocRemote: 40, SendNetRemote: 10, Runtime: 0.5, NumGVT: 4, AllReduceCalls: 10,
	}
	require.EqualValues(t, 96, s.TotalKPs())
	require.EqualValues(t, 2, s.PEsPerRank())
	require.EqualValues(t, 12, s.RollBacks())
	require.EqualValues(t, 400, s.NetEvents())
	require.Equal(t, 800.0, s.EventRate())
	require.Equal(t, 75.0, s.Efficiency())
	require.Equal(t, 10.0, s.PercentLocRemote())
	require.Equal(t, 2.5, s.PercentNetRemote())
	require.Equal(t, 2.5, s.AverageReduction())
}

func TestEfficiencyIsANumberForEveryRun(t *testing.T) {
	for _, c := range []struct {
		name              string
		processed, undone uint64
		want              float64
	}{
		{"no events", 0, 0, 100},
		{"nothing undone", 10, 0, 100},
		{"as much undone as stayed", 10, 5, 0},
		{"more undone than stayed", 12, 9, -200},
		{"all undone", 10, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Stats{Counters: Counters{EventsProcessed: c.processed, EventsRolledBack: c.undone}}
			require.Equal(t, c.want, s.Efficiency())
		})
	}
}

func TestNothingIsDividedByZeroButTheAverageReduction(t *testing.T) {
	s := Stats{TotalPEs: 2, SendLocRemote: 1, SendNetRemote: 1}
	require.Zero(t, s.EventRate())
	require.Zero(t, s.PercentLocRemote())
	require.Zero(t, s.PercentNetRemote())
	require.EqualValues(t, 2, s.PEsPerRank())
	require.True(t, math.IsNaN(s.AverageReduction()))
}
