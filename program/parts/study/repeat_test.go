// Journals say how their runs were made, and single runs are made again from what they say.

package study

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
)

func TestRunsAreRepeatedFromTheirJournal(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	status, _, errs := try("--replications=5 --vary=speed=1,2 --journal=" + first)
	require.Zero(t, status, errs)
	j, err := experiment.ReadJournal(first)
	require.NoError(t, err)
	require.Len(t, j.Records, 10)
	require.Len(t, j.Origins, 1)
	o := j.Origins[0]
	require.Equal(t, []string{os.Args[0], "--replications=5", "--vary=speed=1,2", "--journal=" + first}, o.Command)
	require.Equal(t, j.Program, o.Build.SHA256)
	require.Empty(t, o.Inputs, "the journal is written")
	var o2, e2 bytes.Buffer
	status = desks().Main([]string{"--replications=5", "--vary=speed=1,2", "--journal=" + second,
		"--repeat=3 speed=2",
		"--repeat=0 speed=1", "--synch=3", "--pes=2"}, &o2, &e2)
	require.Zero(t, status, e2.String())
	require.Equal(t, "2 runs are made again; "+second+" has their results\n", o2.String())
	again, err := experiment.ReadJournal(second)
	require.NoError(t, err)
	require.Len(t, again.Records, 2)
	for _, is := range again.Records {
		for _, was := range j.Records {
			if is.Point == was.Point && is.Replication == was.Replication {
				is.Line = was.Line
				require.Equal(t, was, is)
			}
		}
	}
}

func TestACommandIsInTheJournalOnce(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "runs")
	for _, c := range []struct{ replications, origins string }{{"2", "a"}, {"2", "a"}, {"3", "ab"}, {"2", "aba"}} {
		status, _, errs := try("--replications=" + c.replications + " --journal=" + journal)
		require.Zero(t, status, errs)
		j, err := experiment.ReadJournal(journal)
		require.NoError(t, err)
		require.Len(t, j.Origins, len(c.origins))
	}
}

func TestWhatCannotBeRepeatedIsRefused(t *testing.T) {
	dir := t.TempDir()
	used := filepath.Join(dir, "used")
	status, _, errs := try("--replications=2 --journal=" + used)
	require.Zero(t, status, errs)
	for _, c := range []struct {
		words  []string
		status int
		want   string
	}{
		{[]string{"--replications=2", "--repeat=1"}, 2, "option --repeat=\"1 (no parameters)\": its " +
			"results are written to a journal"},
		{[]string{"--repeat=1"}, 2, "option --repeat=\"1 (no parameters)\": is for a study; give " +
			"--replications=20 with it"},
		{[]string{"--replications=2", "--repeat=x"}, 2, "no run; give its replication and its point"},
		{[]string{"--replications=2", "--repeat=1 speed=9", "--journal=" + dir + "/new"}, 1,
			"there is no point speed=9: give one of the 1"},
		{[]string{"--replications=2", "--repeat=1", "--journal=" + used}, 1,
			"it has replications already: name a new file"},
		{[]string{"--replications=2", "--record=run"}, 2, "option --record=run: records a single run, and " +
			"the journal of a study has"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, c.status, desks().Main(c.words, &out, &errs), errs.String())
		require.Contains(t, errs.String(), c.want)
	}
}
