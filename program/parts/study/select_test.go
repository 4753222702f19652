// This file owns the tests of --select: the table, that where the runs are made does not matter, and what is refused.

package study

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
)

const best = "--vary=speed=0.9,1.19,1.195,1.2 --select=max:served --indifference=0.2 --results=served,time"

// selectedIn returns the replications and the selection of each row of a table, and the mean of a result.
func selectedIn(t *testing.T, table, result string) (replications []int, selected []bool, means []float64) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		for i, name := range rows[0] {
			switch name {
			case "selected":
				is, err := strconv.ParseBool(row[i])
				require.NoError(t, err)
				selected = append(selected, is)
			case result + " mean":
				x, err := strconv.ParseFloat(row[i], 64)
				require.NoError(t, err)
				means = append(means, x)
			case result + " n":
				n, err := strconv.Atoi(row[i])
				require.NoError(t, err)
				replications = append(replications, n)
			}
		}
	}
	return replications, selected, means
}

// Desks serve as many customers as their speed says, so the last point is the best. Its table is that of runs by hand.
func TestTheBestPointIsSelectedAndTheOthersGetNoMoreRuns(t *testing.T) {
	out, table := must(t, best)
	n, selected, means := selectedIn(t, table, "served")
	require.Equal(t, []bool{false, false, false, true}, selected)
	total := 0
	for i, speed := range []float64{0.9, 1.19, 1.195, 1.2} {
		var served []float64
		for replication := range uint64(n[i]) {
			served = append(served, direct(t, speed, 1, replication)["served"])
		}
		require.Equal(t, experiment.MeanInterval(served, 0.95).Mean, means[i])
		what := "left out"
		if selected[i] {
			what = "selected"
		}
		require.Regexp(t, fmt.Sprintf("(?m)^ *%g +%d  %s$", speed, n[i], what), out)
		total += n[i]
	}
	require.Less(t, n[0], n[3])
	require.Contains(t, out, "\nselected: speed=1.2, which has the greatest mean of served: ")
	require.Contains(t, out, fmt.Sprintf("\nwith 95 %% confidence, if all other means are less by 0.2 or more (--indifference)\n"+
		"%d runs in all\n", total))

	same := func(words string) {
		t.Helper()
		gotOut, gotTable := must(t, best+words)
		require.Equal(t, out, gotOut, words)
		require.Equal(t, table, gotTable, words)
	}
	same(" --workers=1")
	same(" --workers=5")
	journal := filepath.Join(t.TempDir(), "runs")
	same(" --journal=" + journal)
	content, err := os.ReadFile(journal)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(journal, content[:len(content)*2/3], 0o600))
	same(" --journal=" + journal)
	design := filepath.Join(t.TempDir(), "points.csv")
	require.NoError(t, os.WriteFile(design, []byte("speed\n0.9\n1.19\n1.195\n1.2\n"), 0o600))
	designed, _ := must(t, strings.Replace(best, "--vary=speed=0.9,1.19,1.195,1.2", "--design="+design, 1))
	require.Equal(t, out, designed)
}

func TestASelectionSaysIfNothingIsProven(t *testing.T) {
	out, table := must(t, best+" --max-replications=12")
	_, selected, _ := selectedIn(t, table, "served")
	require.NotContains(t, selected, true)
	require.Regexp(t, `nothing is proven: \d points are left after --max-replications=12\nbest so far: speed=1.\d+, which has `+
		`the greatest mean of served: `, out)
	require.Contains(t, out, "  not left out\n")
	require.Contains(t, out, "  best so far\n")
	require.NotContains(t, out, "precision")

	out, _ = must(t, "--vary=synch=1,3 --select=min:twice --indifference=1 --result=twice=2*time")
	require.Contains(t, out, "nothing is proven: 2 points differ by the same amount in all of their 10 runs, which does not "+
		"show how much this varies\nbest so far: synch=1, which has the least mean of twice: ")
}

func TestSelectionsThatAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	vary := "--vary=speed=1,2 --indifference=1 "
	for _, c := range [][2]string{
		{"--indifference=1 --replications=3", "option --indifference=1: is for --select; give --select=min:name with it"},
		{"--indifference=1", "option --indifference=1: is for a study"},
		{vary + "--select=time", "option --select=time: give min: or max: and the name of a result, such as"},
		{vary + "--select=least:time", "option --select=least:time: give min: or max:"},
		{vary + "--select=min:", "option --select=min:: give min: or max:"},
		{"--vary=speed=1,2 --select=min:time", "option --select=min:time: without --indifference nothing says how near"},
		{"--vary=speed=1,2 --select=min:time --indifference=-1", "option --indifference=-1: out of range; give a number above 0"},
		{"--vary=speed=1,2 --select=min:time --indifference=inf", "option --indifference=+Inf: out of range"},
		{vary + "--select=min:time --precision=0.1", "option --select=min:time: given together with --precision"},
		{vary + "--select=min:time --task=0/2 --journal=j", "option --select=min:time: given together with --task or --merge"},
		{vary + "--select=min:time --merge=.", "option --select=min:time: given together with --task or --merge"},
		{"--select=min:time --indifference=1", "option --select=min:time: 1 of 2 to 2000 points; give the values of an option"},
		{vary + "--select=min:time --confidence=0.5", "option --confidence=0.5: no more than the probability of a guess"},
		{vary + "--select=min:time --replications=1", "option --replications=1: out of range; give 2 to 16777216"},
		{vary + "--select=min:time --max-replications=5 --replications=6", "give at least as many as --replications"},
		{vary + "--select=min:tiem", "option --select: tiem is not a result; did you mean time? give one of events, load"},
		{"--replications=3 --vary=select=1,2", "a study does not vary --select"},
	} {
		status, out, errs := try(c[0])
		require.Equal(t, 2, status, "%s: %s%s", c[0], out, errs)
		require.Contains(t, errs, c[1], c[0])
	}
	status, _, errs := try(vary + "--select=min:rare")
	require.Equal(t, 1, status)
	require.Regexp(t, `response "rare" of Select is missing in replication \d+ of point speed=\d, which has `, errs)
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries)
}
