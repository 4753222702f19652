// Runs have the events and states of the original, in every scheduler.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

var tested = modeltest.Program{Name: "torus", Run: run, Prints: " ******************"}

const (
	small = "--dims=4,2,2,2,2 --end=170 --mem_factor=1 "
	line  = "--dims=3,2,4 --arrive_rate=50 --end=200 "
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "small", "--synch=1 "+small)
	require.Contains(t, tested.LikeOriginal(t, "large", "--synch=1 --end=220"), `
 ****************** 
 total packets finished:         79 and 79; 
 total MPI messages finished:         79; 
 total generate:       574; 
 total hops:           3.924051; 
 average travel time:  115.546654; 
Max latency is 211.812211
`)
}

func TestOptimisticRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "small", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2 "+small)
}

func TestEverySchedulerLeavesTheSame(t *testing.T) {
	tested.SameInEveryScheduler(t, line)
	tested.SameInEveryScheduler(t, line+"--traffic=nearest --mpi-message-size=1500 ")
	tested.SameInEveryScheduler(t, line+"--traffic=diagonal ")
}

func TestAllEventsAreTakenBack(t *testing.T) { tested.AllTakenBack(t, line) }

func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) { tested.SameAfterRestart(t, line) }

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=150 ", line, "--dims=2,3,4 --arrive_rate=50", "--dims=3,2,4 --arrive_rate=60", "--dims=3,2,4 --arrive_rate=50 --mpi-message-size=513",
		"--dims=3,2,4 --arrive_rate=50 --link_bandwidth=3", "--dims=3,2,4 --arrive_rate=50 --traffic=nearest", "--dims=3,2,4 --arrive_rate=50 --traffic=diagonal", "--dims=3,2,4 --arrive_rate=50 --injection_interval=60")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--dims=4,0", "--dims=4,0: must be 1 to 8 lengths"},
		{"--dims=1,2,3,4,5,6,7,8,9", "must be 1 to 8 lengths"},
		{"--dims=5000,5000", "at most 2^24 nodes"},
		{"--arrive_rate=0", "--arrive_rate=0: must be above 0"},
		{"--link_bandwidth=nan", "--link_bandwidth=NaN: must be above 0"},
		{"--injection_interval=-1", "--injection_interval=-1: must be above 0"},
		{"--mpi-message-size=2000000", "--mpi-message-size=2000000: must be at most 1 MiB"},
		{"--traffic=some", "--traffic=some: must be uniform, nearest or diagonal"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "804357", "--end=2000")
	tested.HasEvents(t, "31497", "--dims=4,2,2,2,2 --traffic=nearest --end=2000")
}
