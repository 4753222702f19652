// This file pins the model: in every scheduler, and against the same model for SimPy.

package port

import (
	"context"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
	"github.com/ross-go/ross/stats"
)

var tested = testkit.Program{Name: "port", Run: func(args []string, stdout, stderr io.Writer) int {
	return Program().Main(args, stdout, stderr)
}}

// line has ships that wait for cranes, cranes that wait for crews, full blocks, and trucks that leave.
const line = "--ports=2 --blocks=3 --cranes=3 --trucks=8 --lanes=1 --room=20 --lasts=2 --end=20"

func TestModelIsRightInEveryScheduler(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
	t.Chdir(t.TempDir())
	table := tested.Play(t, line).Table
	for _, positive := range []string{`Cranes\.WaitGet +h +tally`, `Crews\.Wait +h +tally`, `Boxes\.WaitPut +h +tally`} {
		require.Regexp(t, "(?m) "+positive+" +[0-9]+ +[0-9]+ +[1-9]", table)
	}
	for _, counter := range []string{`Port +Left`, `Block +Left`} {
		require.Regexp(t, "(?m)^"+counter+" +counter +[0-9]+ +[1-9]", table)
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+" ", "", "--ports=3", "--blocks=4", "--cranes=4", "--crews=2", "--trucks=9", "--lanes=2",
		"--room=30", "--lasts=3")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--ports=0", "--ports=0: must be in [1, 1048576]"},
		{"--blocks=0", "--blocks=0"},
		{"--cranes=1", "--cranes=1: must be in [2, 1048576]"},
		{"--crews=0", "--crews=0"},
		{"--trucks=0", "--trucks=0"},
		{"--lanes=0", "--lanes=0"},
		{"--room=0", "--room=0"},
		{"--lasts=0", "--lasts=0"},
	})
}

// simpy has what docs/sidebyside/simpy/port.py printed with SimPy 3.0.11 and the seeds 1 to 20: mean and standard
// deviation.
var simpy = map[string][2]float64{
	"Wait[feeder]":  {0.599, 0.2123},
	"Stay[feeder]":  {4.5465, 0.4783},
	"Wait[panamax]": {0.862, 0.425},
	"Stay[panamax]": {10.231, 0.8848},
	"Wait[mega]":    {7.146, 3.4941},
	"Stay[mega]":    {26.523, 3.9916},
	"Dwell":         {14.105, 3.8816},
}

const simpySeeds = 20

func TestResultsAreThoseOfSimPy(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const seeds = 10
	samples := map[string][]float64{}
	for seed := range uint64(seeds) {
		p := Program()
		cfg := p.Config
		cfg.Replication = seed + 1
		require.NoError(t, p.Prepare(&cfg))
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, p.Build(sim))
		require.NoError(t, sim.Run(context.Background()))
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		for _, row := range table.Rows() {
			if _, known := simpy[row.Name]; known {
				samples[row.Name] = append(samples[row.Name], row.Mean)
			}
		}
		stored, _ := table.Row("Block", "Boxes.WaitPut")
		fetched, _ := table.Row("Block", "Dwell")
		there := 0
		for id := 2; id < sim.TotalLPs(); id++ { // after the ports
			there += ross.StateOf[Block](sim.LP(ross.LPID(id))).Boxes.Len()
		}
		require.EqualValues(t, stored.Count, there+int(fetched.Count), "boxes")
		require.NoError(t, sim.Close())
	}
	for name, is := range simpy {
		require.Len(t, samples[name], seeds)
		mean, variance := 0., 0.
		for _, x := range samples[name] {
			mean += x / seeds
		}
		for _, x := range samples[name] {
			variance += (x - mean) * (x - mean) / (seeds - 1)
		}
		t.Logf("%s: %.3f, SimPy %.3f", name, mean, is[0])
		require.InDelta(t, is[0], mean, 3*math.Sqrt(variance/seeds+is[1]*is[1]/simpySeeds), name)
	}
}
