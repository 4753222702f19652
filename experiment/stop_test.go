// This file owns the tests of the number of replications.

package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers returns how many of the values a point uses, taken in in a given order.
func numbers(t *testing.T, e Experiment, values []float64, order []int) (n int, enough bool) {
	t.Helper()
	e.Name, e.Run = "test", nothing
	set, err := e.withDefaults()
	require.NoError(t, err)
	s := &series{early: map[uint64]Responses{}}
	for _, i := range order {
		s.add(set, uint64(i), Responses{"x": values[i]})
	}
	return len(s.prefix), s.decided && s.met
}

func upTo(n int) (order []int) {
	for i := range n {
		order = append(order, i)
	}
	return order
}

func TestReplicationsUntilAnIntervalIsNarrow(t *testing.T) {
	// Half widths of 0, 2, 0, 2, ... at 95 % around 1: 2.484 with three values, then
	// 1.837, 1.360, 1.150, 0.989, 0.894, 0.813, 0.754, 0.701, 0.664. The mean of an even number is 1.
	values := make([]float64, 200)
	for i := range values {
		values[i] = float64(i % 2 * 2)
	}
	absolute := func(half float64) []Precision { return []Precision{{Response: "x", Absolute: half}} }
	for _, c := range []struct {
		e      Experiment
		n      int
		enough bool
	}{
		{Experiment{Replications: 7}, 7, true},
		{Experiment{}, 10, true},
		{Experiment{Until: absolute(1.2), Replications: 3, LookAhead: -1}, 6, true},
		{Experiment{Until: absolute(1.2), Replications: 3}, 11, true},
		{Experiment{Until: absolute(1.2), Replications: 3, LookAhead: 2}, 8, true},
		{Experiment{Until: absolute(1.2), Replications: 8, LookAhead: 2}, 10, true},
		{Experiment{Until: absolute(1.2)}, 15, true},
		{Experiment{Until: absolute(1.2), Replications: 3, MaxReplications: 7}, 7, true},
		{Experiment{Until: absolute(1.2), Replications: 3, MaxReplications: 5}, 5, false},
		{Experiment{Until: []Precision{{Response: "x", Absolute: 2}, {Response: "x", Relative: 0.72}}, Replications: 3, LookAhead: -1}, 12, true},
		{Experiment{Until: []Precision{{Response: "x", Absolute: 1.2, Relative: 0.1}}, Replications: 3, LookAhead: -1}, 6, true},
		{Experiment{Until: absolute(1e-9), MaxReplications: 150}, 150, false},
		// Reached at 117, where the look-ahead of 4 % is 5.
		{Experiment{Until: absolute(0.1842), LookAhead: 4}, 122, true},
	} {
		n, enough := numbers(t, c.e, values, upTo(len(values)))
		require.Equal(t, c.n, n, "%+v", c.e)
		require.Equal(t, c.enough, enough, "%+v", c.e)
	}
	// A precision reached by chance does not hold in the look-ahead.
	lucky := append([]float64{1, 1, 1, 1}, values...)
	n, enough := numbers(t, Experiment{Until: absolute(0.5), Replications: 3, LookAhead: 3}, lucky, upTo(100))
	require.True(t, enough)
	require.Greater(t, n, 10)
	n, _ = numbers(t, Experiment{Until: absolute(0.5), Replications: 3, LookAhead: -1}, lucky, upTo(100))
	require.Equal(t, 3, n)
}

func TestTheDecisionDoesNotDependOnTheOrderInWhichReplicationsEnd(t *testing.T) {
	values := make([]float64, 60)
	for i := range values {
		values[i] = float64(i * i % 7)
	}
	e := Experiment{Until: []Precision{{Response: "x", Relative: 0.3}}, Replications: 3}
	want, enough := numbers(t, e, values, upTo(60))
	require.True(t, enough)
	require.Less(t, want, 60)
	order := upTo(60)
	for step := range 60 {
		if step%2 == 1 && step%3 != 0 && step%5 != 0 { // it has no common divisor with 60
			for i := range order {
				order[i] = i * step % 60
			}
			got, enough := numbers(t, e, values, order)
			require.True(t, enough)
			require.Equal(t, want, got)
		}
	}
}
