// This file owns the tests of --base.

package study

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/experiment"
)

// TestDifferencesAreThoseOfRunsByHand compares with single runs that have the same random numbers: each speed with
// speed 1.5 under the same scheduler, four comparisons in all.
func TestDifferencesAreThoseOfRunsByHand(t *testing.T) {
	out, table := must(t, line+" --base=speed=1.50 --results=time,served")
	require.Contains(t, out, "\ndifferences from --base=speed=1.50 in runs with the same random numbers")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	seen := 0
	for _, row := range rows[1:] {
		number := func(name string) float64 {
			x, err := strconv.ParseFloat(row[column[name]], 64)
			require.NoError(t, err, name)
			return x
		}
		for _, result := range []string{"time", "served"} {
			if number("speed") == 1.5 {
				require.True(t, math.IsNaN(number(result+" difference")))
				require.Equal(t, "false", row[column[result+" differs"]])
				continue
			}
			var differences, before, after []float64
			for i := range uint64(6) {
				synch := ross.Scheduler(number("synch"))
				b, a := direct(t, 1.5, synch, i)[result], direct(t, number("speed"), synch, i)[result]
				before, after, differences = append(before, b), append(after, a), append(differences, a-b)
			}
			want := experiment.MeanInterval(differences, 1-0.05/4)
			require.InEpsilon(t, want.Mean, number(result+" difference"), 1e-12)
			require.InEpsilon(t, want.Half, number(result+" difference half width"), 1e-9)
			require.Equal(t, strconv.FormatBool(!want.Contains(0)), row[column[result+" differs"]])
			apart := math.Hypot(experiment.MeanInterval(before, 0.95).SD, experiment.MeanInterval(after, 0.95).SD)
			require.Regexp(t, "(?m)^ *"+row[column["speed"]]+" +"+row[column["synch"]]+" +"+result+" .* "+
				strconv.FormatFloat(apart/want.SD, 'g', 2, 64)+" times$", out)
			seen++
		}
	}
	require.Equal(t, 8, seen)
	out, _ = must(t, line+" --base=synch=1 --results=time")
	require.NotContains(t, out, "makes no interval narrower", "points are equal")
	out, _ = must(t, "--replications=6 --vary=kind=plain,slow --base=kind=plain --results=time")
	require.Contains(t, out, "\npairing makes no interval narrower by more than a tenth: it does if each source")
}

func TestWhatIsNoBaseIsRefused(t *testing.T) {
	for _, c := range [][2]string{
		{line + " --base=speed=3", "option --base=speed=3: --speed is not varied to 3; give one of the values of --vary=speed=1..2:0.5"},
		{line + " --base=kind=plain", "option --base=kind=plain: --kind is not varied; give one of speed, synch"},
		{line + " --base=speed", "option --base=speed: no value; give an option that is varied with one of its values"},
		{line + " --base=speed=1,speed=2", "option --base=speed=1,speed=2: speed is there twice; give one value"},
		{"--replications=3 --base=speed=1", "--speed is not varied; give one of those of --vary"},
		{"--base=speed=1", "option --base=speed=1: is for a study"},
		{line + " --base=speed=1 --journal=j --task=0/2", "but a task has no table; give --base with --merge"},
	} {
		status, _, errs := try(c[0])
		require.Equal(t, 2, status, c[0])
		require.Contains(t, errs, c[1])
	}
}
