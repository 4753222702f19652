package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScalingEndsWhereTheEfficiencyIsLowAndForTheLargestReason(t *testing.T) {
	one := point{PEs: 1, Rate: 10, GVT: 0.01}
	good := point{PEs: 2, Rate: 18, GVT: 0.02}
	for _, c := range []struct {
		name   string
		points []point
		pes    int
		reason string
	}{
		{"no run", nil, 0, ""},
		{"only one PE", []point{one}, 0, ""},
		{"none on one PE", []point{good, {PEs: 4, Rate: 1}}, 0, ""},
		{"nothing committed on one PE", []point{{PEs: 1}, good}, 0, ""},
		{"all good", []point{one, good, {PEs: 4, Rate: 29}}, 0, ""},
		{"at the limit", []point{one, {PEs: 4, Rate: 28}}, 0, ""},
		{"rollback", []point{one, good, {PEs: 4, Rate: 16, Undone: 0.5, Idle: 0.1}}, 4, byRollback},
		{"GVT", []point{one, good, {PEs: 4, Rate: 16, Undone: 0.1, GVT: 0.4}}, 4, byGVT},
		{"idle", []point{one, good, {PEs: 4, Rate: 16, Idle: 0.5, GVT: 0.1}}, 4, byIdling},
		{"idle because others have the processors", []point{one, good, {PEs: 4, Rate: 16, Idle: 0.5, Waited: 0.4}}, 4,
			byProcessors},
		{"idle while a bound PE has no processor", []point{one, {PEs: 2, Rate: 8, Idle: 0.29, Waited: 0.25}}, 2, byProcessors},
		{"memory", []point{one, good, {PEs: 4, Rate: 16, Undone: 0.05, GVT: 0.1, Idle: 0.1}}, 4, byMemory},
		{"what one PE has as well counts little", []point{{PEs: 1, Rate: 10, GVT: 0.3}, {PEs: 2, Rate: 12, GVT: 0.35}}, 2,
			byMemory},
		{"the first of two, whatever their order", []point{{PEs: 8, Rate: 16, Idle: 0.8}, {PEs: 4, Rate: 16, GVT: 0.6}, one},
			4, byGVT},
		{"nothing at all", []point{one, {PEs: 2}}, 2, byMemory},
	} {
		v, ended := judge(c.points)
		require.Equal(t, c.pes != 0, ended, c.name)
		require.Equal(t, c.pes, v.PEs, c.name)
		require.Equal(t, c.reason, v.Reason, c.name)
		if ended {
			require.Less(t, v.Efficiency, leastEfficiency, c.name)
			require.NotContains(t, v.String(), "NaN", c.name)
			require.NotEmpty(t, v.String(), c.name)
		}
	}
}

func TestAVerdictHasTheFiguresThatItIsBasedOn(t *testing.T) {
	v, ended := judge([]point{{PEs: 1, Rate: 10}, {PEs: 4, Rate: 10, Undone: 0.25, Idle: 0.2}})
	require.True(t, ended)
	require.InDelta(t, 0.25, v.Efficiency, 1e-9)
	require.InDelta(t, 0.2, v.Costs[byIdling], 1e-9)
	require.InDelta(t, 0.25*0.8, v.Costs[byRollback], 1e-9)
	require.InDelta(t, 0.75-0.2-0.2, v.Costs[byMemory], 1e-9)
	// Four PEs, busy for 0.8 of the time, commit 3 of 4 events that they handle: an event takes 0.24 us instead of 0.1.
	require.InDelta(t, 2.4, v.Slower, 1e-9)
	require.Contains(t, v.String(), "an event takes 2.4 times as long as on one PE")
}
