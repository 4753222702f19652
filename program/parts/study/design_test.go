// This file owns the tests of --design.

package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// file returns the path of a file with a text.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "points.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestADesignHasThePointsOfVary(t *testing.T) {
	const rest = " --replications=4 --results=time,served"
	_, varied := must(t, "--vary=speed=1,2 --vary=synch=1,3 --base=speed=1"+rest)
	all := file(t, "# points\n\ufeffspeed, --synch\n1,1\n1,3\n2,1\n2,3\n")
	_, table := must(t, "--vary=speed=1,2 --vary=synch=1,3"+rest)
	_, same := must(t, "--design="+all+rest)
	require.Equal(t, table, same)
	_, mixed := must(t, "--design="+file(t, "speed\n1\n2\n")+" --vary=synch=1,3"+rest)
	require.Equal(t, table, mixed)
	synch := file(t, "synch\n1\n3\n") // in front: the columns are in another order
	out, _ := must(t, "--design="+synch+" --vary=speed=1,2 --base=speed=1"+rest)
	require.Contains(t, out, "\ndifferences from --base=speed=1 ")
	require.NotEmpty(t, varied)
}

func TestWrongDesignsAreRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"speed\n", "no points; give a line of names of options, and a line of values for each point"},
		{"", "no points"},
		{"speed,synch\n1\n", "line 2: wrong number of fields; give each line as many values as the first has names"},
		{"speed,synch\n1,\n", "line 2: nothing in column 2; give a value"},
		{"speed,speed\n1,1\n", "speed has two columns; give one"},
		{"sped\n1\n", "the program has no option --sped; see --help"},
		{"seed\n1\n", "a study does not vary --seed"},
		{"speed\n1\n2\n1\n", "points 1 and 3 are the same; give each once"},
		{"speed\n1\n0\n", "point speed=0: "},
		{"speed\n\"1\n", "line 2: "},
	} {
		status, out, errs := try("--replications=3 --design=" + file(t, c[0]))
		require.Equal(t, 2, status, c[0])
		require.Empty(t, out)
		require.Contains(t, errs, c[1], c[0])
	}
	status, _, errs := try("--replications=3 --vary=speed=1,2 --design=" + file(t, "speed\n1\n"))
	require.Equal(t, 2, status)
	require.Contains(t, errs, "speed is varied too (--vary); leave it out in one of them")
	status, _, errs = try("--replications=3 --design=nosuch.csv")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "option --design=nosuch.csv: open nosuch.csv: ")
	status, _, errs = try("--design=nosuch.csv")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "is for a study")
}
