// This file pins runs against the original, where chunks go, and how they wait.

package main

import (
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
)

// Runs have the events and states of the original, in every scheduler.

var tested = testkit.Program{Name: "dragonfly", Run: run, Prints: "Dragonfly Network"}

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

func TestModelIsRightInEveryScheduler(t *testing.T) {
	isRight(t, originalLimits, line+"--routing=1")
	for _, traffic := range testlevel.Pick([]string{"2", "3", "4", "5", "6"}, []string{"5"}, []string{"5"}) {
		isRight(t, originalLimits, line+"--routing=2 --traffic="+traffic)
	}
}

// isRight requires that a run is right in every scheduler.
func isRight(t *testing.T, full limits, args string) {
	t.Helper()
	modeltest.Run(t, modeltest.Model{Program: func() program.Program { return newProgram(full) }, Args: args, Ranks: 2,
		Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=200 --routers=2 --channels=2 ", "--terminals=2", "--terminals=1",
		"--terminals=2 --routing=1", "--terminals=2 --traffic=2", "--terminals=2 --traffic=3", "--terminals=2 --traffic=4",
		"--terminals=2 --traffic=5", "--terminals=2 --traffic=6", "--terminals=2 --arrive_rate=90")
}

func TestAdaptiveRoutingIsMinimal(t *testing.T) {
	t.Chdir(t.TempDir())
	adaptive := tested.Play(t, line+"--routing=2")
	require.Equal(t, tested.Play(t, line).Digest, adaptive.Digest)
	require.Contains(t, adaptive.Table,
		" 20\n ADAPTIVE ROUTING STATS: 0 packets routed minimally 0 packets routed non-minimally \n *")
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

// Tests of where chunks go.

// sizes are routers, channels and terminals.
var sizes = [][3]uint64{{2, 2, 2}, {4, 2, 2}, {8, 4, 4}, {1, 2, 1}, {3, 4, 3}, {5, 6, 1}, {16, 8, 8}}

func sized(t *testing.T, size [3]uint64) *params {
	p := &params{network: network{perGroup: size[0], channels: size[1], terminals: size[2]}}
	require.NoError(t, p.make())
	return p
}

func TestThereIsOneGlobalLinkOnAWayBetweenTwoGroups(t *testing.T) {
	for _, size := range sizes {
		p := sized(t, size)
		for from := range p.routers {
			for to := range p.routers {
				at, far := from, 0
				for hops := 0; at != to && hops < 3; hops++ {
					port, next := p.hop(at, p.group(to), to)
					if port >= int8(p.perGroup) {
						far++
					}
					if global := p.group(at) != p.group(next); global != (port >= int8(p.perGroup)) {
						t.Fatalf("%v: port %d of router %d leads to %d", size, port, at, next)
					}
					at = next
				}
				if at != to || far > 1 || (far == 1) != (p.group(from) != p.group(to)) {
					t.Fatalf("%v: from %d to %d by %d global channels, in 3 steps to %d", size, from, to, far, at)
				}
			}
		}
	}
}

func TestPatternsAreAmongTerminals(t *testing.T) {
	for _, size := range sizes {
		p := sized(t, size)
		for _, p.traffic = range []uint64{transpose, neighbour, nearestRouter} {
			seen := map[int32]bool{}
			for end := range p.ends {
				dst := p.destination(nil, end)
				seen[dst] = true
				require.True(t, 0 <= dst && dst < p.ends, "%v: %d to %d", size, end, dst)
				switch p.traffic {
				case neighbour:
					require.Equal(t, p.routerOf(end), p.routerOf(dst))
				case nearestRouter:
					require.Equal(t, (p.routerOf(end)+1)%p.routers, p.routerOf(dst))
				}
			}
			require.Len(t, seen, int(p.ends), "%v: each terminal receives", size)
		}
	}
	p := sized(t, [3]uint64{2, 2, 2}) // 5 rows of 4 columns
	p.traffic = transpose
	require.EqualValues(t, 3*5+1, p.destination(nil, 1*4+3))
}

// Tests of chunks that wait for a credit, in a dragonfly whose ports are full soon. There is no run of
// the original to compare with.

// crowded is a run in which each of 20 processes sends 7 messages to the next group, and all arrive.
const crowded = "--routers=2 --channels=2 --terminals=2 --traffic=2 --arrive_rate=400 --end=20000 "

var narrow = testkit.Program{
	Name: "dragonfly", Prints: "Dragonfly Network",
	Run: func(args []string, stdout, stderr io.Writer) int {
		return runWith(narrowLimits, args, stdout, stderr)
	},
}

var narrowLimits = limits{2, 3, 4}

func TestChunksWaitForCredits(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, routing := range []string{"--routing=0", "--routing=1"} {
		crowd := narrow.Play(t, crowded+routing)
		require.NotEqual(t, tested.Play(t, crowded+routing).Digest, crowd.Digest, "waiting changes the run")
		found := regexp.MustCompile(` total finish: +140 and 140; \n total generate: +140;`).FindString(crowd.Report)
		require.NotEmpty(t, found, "all packets arrive:\n%s", crowd.Report)
	}
}

func TestStatesShowHowManyChunksWait(t *testing.T) {
	t.Chdir(t.TempDir())
	narrow.Play(t, crowded+"--end=1500 --states=states.txt")
	require.Regexp(t, `router wait=[1-9]`, testkit.Content(t, "states.txt"))
}

func TestWaitingIsUndone(t *testing.T) {
	for _, more := range testlevel.Pick([]string{"", "--routing=1"}, []string{"--routing=1 --end=1500"},
		[]string{"--end=1500"}) {
		isRight(t, narrowLimits, crowded+more)
	}
}
