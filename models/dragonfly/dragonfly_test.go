// Runs have the events and states of the original, in every scheduler.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

var tested = modeltest.Program{Name: "dragonfly", Run: run, Prints: "Dragonfly Network"}

const (
	small = "--routers=2 --channels=2 --terminals=2 --end=250 --traffic=1 --routing=1 --mem_factor=1 "
	line  = "--routers=2 --channels=2 --terminals=2 --arrive_rate=90 --end=250 "
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	require.Contains(t, tested.LikeOriginal(t, "small", "--synch=1 "+small), `
Dragonfly Network Model Statistics 
	Number of nodes                                             20
 ****************** 
 total finish:         7 and 7; 
 total generate:       17; 
 total hops:           2.571429; 
 average travel time:  146.688687; 
Max latency is 212.350790
`)
	tested.LikeOriginal(t, "large", "--synch=1 --routers=4 --channels=2 --terminals=2 --end=700 --traffic=1 --routing=0")
}

func TestOptimisticRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "small", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2 "+small)
}

func TestEverySchedulerLeavesTheSame(t *testing.T) {
	tested.SameInEveryScheduler(t, line+"--routing=1 ")
	for _, traffic := range testlevel.Pick([]string{"2", "3", "4", "5", "6"}, []string{"2", "5"}, []string{"5"}) {
		tested.SameInEveryScheduler(t, line+"--routing=2 --traffic="+traffic+" ")
	}
}

func TestAllEventsAreTakenBack(t *testing.T) { tested.AllTakenBack(t, line+"--routing=1 ") }

func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) { tested.SameAfterRestart(t, line) }

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=200 --routers=2 --channels=2 ", "--terminals=2", "--terminals=1", "--terminals=2 --routing=1", "--terminals=2 --traffic=2", "--terminals=2 --traffic=3", "--terminals=2 --traffic=4", "--terminals=2 --traffic=5", "--terminals=2 --traffic=6", "--terminals=2 --arrive_rate=90")
}

func TestAdaptiveRoutingIsMinimal(t *testing.T) {
	t.Chdir(t.TempDir())
	adaptive := tested.Play(t, line+"--routing=2")
	require.Equal(t, tested.Play(t, line).Digest, adaptive.Digest)
	require.Contains(t, adaptive.Table, " 20\n ADAPTIVE ROUTING STATS: 0 packets routed minimally 0 packets routed non-minimally \n *")
}

// TestBisectionCrossesGlobalChannels sends to other groups only, so each packet passes two routers or
// more. The original draws a group that does not exist at times.
func TestBisectionCrossesGlobalChannels(t *testing.T) {
	t.Chdir(t.TempDir())
	one := "--routers=1 --channels=4 --terminals=2 --end=3000 " // a router is a group
	require.Contains(t, tested.Play(t, one+"--traffic=5").Report, " total hops:           2.000000; ")
	require.NotContains(t, tested.Play(t, one+"--traffic=1").Report, " total hops:           2.000000; ")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--routers=0", "--routers=0, --channels=4, --terminals=4: must be at least 1"},
		{"--channels=3", "--channels=3"},
		{"--terminals=0", "--terminals=0"},
		{"--routers=60", "at most 64 together"},
		{"--traffic=0", "--traffic=0: must be 1, uniform, to 6, nearest router"},
		{"--traffic=7", "--traffic=7: must be"},
		{"--routing=3", "--routing=3: must be 0, minimal"},
		{"--arrive_rate=0", "--arrive_rate=0: must be above 0"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "2107208", "--end=2000")
	tested.HasEvents(t, "123665", "--routers=4 --channels=2 --terminals=2 --routing=1 --end=1500")
	tested.HasEvents(t, "61373", "--routers=4 --channels=2 --terminals=2 --traffic=2 --end=1500")
}
