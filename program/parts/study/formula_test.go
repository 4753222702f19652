// This file owns the tests of --result.

package study

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
)

// TestFormulasAreComputedInEachRun: their means are those of the numbers of runs, and not numbers of means.
func TestFormulasAreComputedInEachRun(t *testing.T) {
	const words = "--replications=5 --vary=speed=1,2 --results=cost,twice --base=speed=1 " +
		"--result=cost=max(served,20)/time-sqrt(time) --result=twice=2*cost+0*\"load\""
	_, table := must(t, words)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"speed", "cost mean", "cost half width", "cost n", "twice mean"}, rows[0][:5])
	for i, speed := range []float64{1, 2} {
		var costs []float64
		for replication := range uint64(5) {
			r := direct(t, speed, 1, replication)
			costs = append(costs, max(r["served"], 20)/r["time"]-math.Sqrt(r["time"]))
		}
		mean, err := strconv.ParseFloat(rows[i+1][1], 64)
		require.NoError(t, err)
		require.InEpsilon(t, experiment.MeanInterval(costs, 0.95).Mean, mean, 1e-12)
		twice, err := strconv.ParseFloat(rows[i+1][4], 64)
		require.NoError(t, err)
		require.InEpsilon(t, 2*mean, twice, 1e-12)
	}
}

// TestAFormulaOfNothingIsNothing: runs without a number of a result have none of what is computed from it.
func TestAFormulaOfNothingIsNothing(t *testing.T) {
	status, out, errs := try("--replications=6 --end=3 --results=rare,much --result=much=rare*2")
	require.Zero(t, status, errs)
	rare, much := "", ""
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "rare "):
			rare = fields[len(fields)-1]
		case strings.HasPrefix(line, "much "):
			much = fields[len(fields)-1]
		}
	}
	require.NotEmpty(t, rare)
	require.NotEqual(t, "6", rare, "some runs have none")
	require.Equal(t, rare, much)
}

func TestWrongFormulasAreRefusedBeforeTheFirstRun(t *testing.T) {
	for _, c := range [][2]string{
		{"cost=3*serve", "serve is neither a result nor an option that is a number; did you mean served? give those of "},
		{"cost=3*(", "unexpected token EOF"},
		{"cost", "no formula; give a name and how it is computed"},
		{"=served", "no formula"},
		{"cost=served>3", "expected float64, but got bool"},
		{"cost=foo(served)", "unknown name foo"},
		{"served=1", "the model has a result of this name"},
	} {
		status, out, errs := try("--replications=3 --result=" + c[0])
		require.Equal(t, 2, status, c[0])
		require.Empty(t, out)
		require.Contains(t, errs, c[1], c[0])
	}
	status, _, errs := try("--replications=3 --result=a=served --result=a=time")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "a is computed twice")
	status, _, errs = try("--result=a=served")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "option --result=a=served: is for a study")
	status, _, errs = try("--replications=3 --result=a=1/(0*served)")
	require.NotZero(t, status)
	require.Contains(t, errs, fmt.Sprintf("response %q is +Inf", "a"))
}

// TestAJournalBelongsToItsFormulas: it has the numbers that were computed.
func TestAJournalBelongsToItsFormulas(t *testing.T) {
	journal := t.TempDir() + "/j"
	status, first, errs := try("--replications=3 --result=a=served --results=a --journal=" + journal)
	require.Zero(t, status, errs)
	status, again, errs := try("--replications=3 --result=a=served --results=a --journal=" + journal)
	require.Zero(t, status, errs)
	require.Equal(t, first, again)
	status, _, errs = try("--replications=3 --result=a=2*served --results=a --journal=" + journal)
	require.NotZero(t, status)
	require.Contains(t, errs, journal)
}
