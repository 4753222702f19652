// This file pins the model in every scheduler.

package central

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

var tested = testkit.Program{Name: "central", Run: func(args []string, stdout, stderr io.Writer) int {
	return Program().Main(args, stdout, stderr)
}}

// line has jobs that wait for the CPU and for disks.
const line = "--terminals=6 --disks=2 --think=1 --end=20 --warm-up=2"

func TestModelIsRightInEveryScheduler(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
	t.Chdir(t.TempDir())
	table := tested.Play(t, line).Table
	for _, station := range []string{"CPU", "disk"} {
		require.Regexp(t, "(?m)^"+station+` +server\.Wait +s +tally +[0-9]+ +[0-9]+ +[1-9]`, table)
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+" ", "", "--terminals=7", "--disks=3", "--think=2", "--cpu=0.06", "--disk=0.13",
		"--leave=0.3", "--wire=0.02")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--terminals=0", "--terminals=0: must be in [1, 1048576]"},
		{"--disks=0", "--disks=0"},
		{"--think=0", "--think=0"},
		{"--cpu=nan", "--cpu=NaN"},
		{"--disk=inf", "--disk=+Inf"},
		{"--leave=0", "--leave=0: must be in [1e-06, 1]"},
		{"--leave=1.5", "--leave=1.5"},
		{"--wire=0", "--wire=0"},
	})
}
