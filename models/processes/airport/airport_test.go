// This file pins the model: in every scheduler, and against models/airport.

package airport

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

var tested = testkit.Program{Name: "airport", Run: func(args []string, stdout, stderr io.Writer) int {
	return Program().Main(args, stdout, stderr)
}}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: "--nplanes=2 --mean=3 --end=20", Ranks: 2,
		Short: testlevel.Is(testlevel.Some)})
}

// The planes draw the same numbers there.
func TestLandingsAreThoseOfTheHandlers(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	bin := t.TempDir() + "/airport"
	out, err := exec.Command("go", "build", "-o", bin, "../../airport").CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Chdir(t.TempDir())
	out, err = exec.Command(bin, "--end=500", "--states=states.txt").CombinedOutput()
	require.NoError(t, err, "%s", out)
	states, err := os.ReadFile("states.txt")
	require.NoError(t, err)
	want := regexp.MustCompile(`landings=(\d+)`).FindAllStringSubmatch(string(states), -1)
	require.Len(t, want, airports)

	p := Program()
	p.Config.End = 500
	sim, err := ross.New(p.Config)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	for i := range want {
		stays := &ross.StateOf[Airport](sim.LP(ross.LPID(i))).Runway.Stay
		require.Equal(t, want[i][1], fmt.Sprint(stays.Count()), "airport %d", i)
	}
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nplanes=65537", "--nplanes=65537: must be in [0, 65536]"},
		{"--mean=0", "--mean=0"},
		{"--mean=nan", "--mean=NaN"},
	})
}
