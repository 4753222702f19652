// This file pins the model: in every scheduler, and against models/hospital.

package hospital

import (
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

var tested = testkit.Program{Name: "hospital", Run: func(args []string, stdout, stderr io.Writer) int {
	return Program().Main(args, stdout, stderr)
}}

// line has hospitals in which patients leave, drive on, and find wards full.
const line = "--hospitals=3 --wards=2 --nurses=2 --doctors=3 --beds=4 --room=6 --rate=8 --stay=5 --patience=1 --warm-up=5 " +
	"--end=48"

func TestModelIsRightInEveryScheduler(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

// rows returns the rows of a table, by group and name, without the counters that only one of the two models has.
func rows(table string) map[string]string {
	all := map[string]string{}
	for row := range strings.Lines(table) {
		cells := regexp.MustCompile(`  +`).Split(strings.TrimSpace(row), -1)
		if len(cells) > 3 && cells[1] != "drove on" && cells[1] != "staff.Refused" {
			all[cells[0]+" "+cells[1]] = strings.Join(cells[2:], " ")
		}
	}
	return all
}

// The patients draw the same numbers there.
func TestResultsAreThoseOfTheHandlers(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	bin := t.TempDir() + "/hospital"
	out, err := exec.Command("go", "build", "-o", bin, "../../hospital").CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Chdir(t.TempDir())
	for _, options := range []string{line, "--end=400", "--end=400 --doctors=6 --room=0 --patience=0"} {
		out, err = exec.Command(bin, strings.Fields(options)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		want := rows(testkit.Table(t, string(out)))
		require.Greater(t, len(want), 40)
		require.Equal(t, want, rows(tested.Play(t, options).Table), options)
	}
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--hospitals=0", "--hospitals=0: must be in [1, 1048576]"},
		{"--wards=0", "--wards=0"},
		{"--nurses=0", "--nurses=0"},
		{"--doctors=-1", "--doctors=-1"},
		{"--beds=0", "--beds=0"},
		{"--room=-1", "--room=-1"},
		{"--rate=0", "--rate=0"},
		{"--swing=2", "--swing=2: must be in [0, 1]"},
		{"--nursing=nan", "--nursing=NaN"},
		{"--treatment=0", "--treatment=0"},
		{"--stay=inf", "--stay=+Inf"},
		{"--admit=1.5", "--admit=1.5"},
		{"--patience=-1", "--patience=-1"},
		{"--immediate=-0.1", "--immediate=-0.1"},
		{"--urgent=0.9", "--urgent=0.9: must be in [0, 0.85]"},
	})
}
