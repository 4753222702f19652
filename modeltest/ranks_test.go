// This file pins what Check does on ranks: the same runs, and errors with rank and model. models/mpitest has the same
// under mpirun.

package modeltest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
)

func TestRightModelsPassOnRanks(t *testing.T) {
	m := types(smalls())
	m.Short = false
	alone, err := modeltest.Check(m)
	require.NoError(t, err)
	m.Ranks = 2
	report, err := modeltest.Check(m)
	require.NoError(t, err)
	require.Empty(t, report.LeftOut)
	require.Empty(t, report.Notes)
	several := 0
	for _, run := range alone.Runs {
		if strings.Contains(run, "--pes") && !strings.HasPrefix(run, "--synch=1") {
			several++
		}
	}
	on := 0
	for _, run := range report.Runs {
		if strings.HasPrefix(run, "2 ranks of ") {
			on++
		}
	}
	require.Greater(t, several, 10)
	require.Equal(t, several, on, "each run with PEs is made on ranks, too: %v", report.Runs)
}

// onTheLast returns a model in which an event of the last LP, which is on the last rank, does something wrong if there
// are ranks.
func onTheLast(wrong func(s *small, lp *ross.LP, m *hop)) modeltest.Model {
	n := smalls()
	n.Event = ross.On(func(s *small, lp *ross.LP, m *hop) {
		if s.add(lp, m); lp.ID() == nodes-1 && lp.PE().Simulation().Ranks() > 1 {
			wrong(s, lp, m)
		}
	})
	m := types(n)
	m.Ranks = 3
	return m
}

func TestErrorsOnRanksNameRankAndModel(t *testing.T) {
	byRank := types(smalls())
	byRank.Ranks = 2
	byRank.Results = func(sim *ross.Simulation) (any, error) { return sim.Ranks(), nil }
	for name, c := range map[string]struct {
		model modeltest.Model
		is    error
		want  []string
	}{
		"events": {onTheLast(func(_ *small, lp *ross.LP, _ *hop) { ross.Send(lp, 0, 1, hop{N: 7}) }), nil,
			[]string{"small, rank 0 of 3: ", "events: not as in the sequential run: the first event that differs is event", "LP 11 sent"}},
		"states": {onTheLast(func(s *small, lp *ross.LP, _ *hop) { *ross.Write(lp, &s.N) += 7000 }), nil, // messages have it modulo 1000
			[]string{"small, rank 2 of 3: ", "states at the end: not as in the sequential run: LP 11 (small): small.N is "}},
		"statistics": {onTheLast(func(s *small, lp *ross.LP, _ *hop) { s.Served.Add(lp, 7) }), nil,
			[]string{"small, rank 2 of 3: ", `statistics: not as in the sequential run: "LP 11, Served`}},
		"results": {byRank, nil, []string{"small, rank 0 of 2: ", `results: not as in the sequential run: "1" there, "2" here`}},
		"a panic": {onTheLast(func(*small, *ross.LP, *hop) { panic("no such luck") }), ross.ErrPanic, []string{"small, rank 2 of 3: ", "no such luck"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := modeltest.Check(c.model)
			require.ErrorIs(t, err, modeltest.ErrModel)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			for _, part := range append(c.want, " ranks of --synch=3") {
				require.ErrorContains(t, err, part)
			}
		})
	}
}

func TestNumbersOfRanksThatCannotBeAreErrors(t *testing.T) {
	m := types(smalls())
	for _, n := range []int{-1, 17} {
		m.Ranks = n
		_, err := modeltest.Check(m)
		require.ErrorContains(t, err, "modeltest: Model.Ranks=")
	}
}
