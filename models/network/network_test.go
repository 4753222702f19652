// The program runs every shape, routing, granularity and job, and refuses what it cannot run.

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "network", Run: run, Prints: "Network: "}

// line is a run of a small dragonfly, near saturation with little room.
const line = "--shape=dragonfly:2,1,2 --jobs=hotspot --load=0.6 --packet=256 --buffer=512 --global-buffer=1024 --output=256 --end=2500 --warm-up=300 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	all := []string{
		"--jobs=alltoall:6,uniform --rounds=3 --heat",
		"--granularity=flits --routing=adaptive --jobs=hotspot:6,ring:4,barrier:2 --placement=random",
		"--granularity=messages --routing=valiant --jobs=doubling:4,stencil:2x2,permutation",
		"--shape=torus:3x2x2,1 --jobs=alltoall:6,neighbour:6",
	}
	for _, more := range testlevel.Pick(all, all[1:3], all[:1]) {
		modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line + more, Ranks: 2,
			Short: testlevel.Is(testlevel.Some)})
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+"--bytes=600 ", "", "--shape=dragonfly:2,1,1", "--routing=valiant", "--routing=adaptive",
		"--routing=adaptive --threshold=40",
		"--granularity=messages", "--granularity=flits", "--flit=16", "--packet=128", "--delay=40", "--output=1024",
		"--latency=9", "--bandwidth=20", "--buffer=300", "--global-latency=90", "--global-bandwidth=20",
		"--global-buffer=300",
		"--terminal-latency=9", "--terminal-bandwidth=20", "--terminal-buffer=300",
		"--jobs=uniform", "--jobs=hotspot:6", "--placement=random --jobs=hotspot:7",
		"--placement=random --placement-seed=3 --jobs=hotspot:7", "--load=0.5", "--bytes=500", "--hot=0.2")
	tested.DifferentWith(t, line+"--jobs=doubling:4 ", "", "--rounds=2", "--rounds=2 --compute=100", "--bytes=7000")
}

// routingsOf returns the routings that a shape has.
func routingsOf(shape string) []string {
	if name, _, _ := strings.Cut(shape, ":"); name == "tree" || name == "fattree" || name == "xgft" {
		return []string{"minimal", "random", "top"}
	}
	return []string{"minimal", "valiant", "adaptive"}
}

// TestAllShapesRun runs every shape with every routing that it has, and every job.
func TestAllShapesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.trace", []byte("ranks 2\n0 send 1 10\n1 recv 0\n"), 0o600))
	for _, shape := range []string{"torus:3x3,1", "mesh:3x2,2", "hypercube:3,1", "dragonfly:2,1,2", "dragonfly+:2,2,1,2,3",
		"tree:2,3", "fattree:4,2", "xgft:3x2,2", "slimfly:3,1"} {
		for _, routing := range routingsOf(shape) {
			out := tested.Play(t, "--end=300 --heat --shape="+shape+" --routing="+routing)
			require.Contains(t, out.Report, "Network: "+shape)
			require.Contains(t, out.Report, "heat map")
		}
	}
	for _, jobs := range []string{
		"uniform", "neighbour", "tornado", "transpose:9", "complement", "hotspot", "permutation", "adversarial",
		"alltoall:5,ring:3,doubling:8", "barrier:4,stencil:2x2x2,trace:a.trace", "stencil",
		"uniform:4,uniform:4,trace:a.trace,uniform",
	} {
		out := tested.Play(t, "--shape=dragonfly:2,2,2 --end=9000 --load=0.1 --jobs="+jobs)
		for job := range strings.SplitSeq(jobs, ",") {
			name, _, _ := strings.Cut(job, ":")
			require.Contains(t, out.Report, " "+name+" ", jobs)
		}
		require.NotContains(t, out.Report, " run", jobs)
	}
}

// TestJobsThatCannotGoOnEndTheProgramWithAnError runs a trace whose ranks wait for one another next to other traffic,
// and, to show the difference, one that a longer run ends.
func TestJobsThatCannotGoOnEndTheProgramWithAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t,
		os.WriteFile("bad.trace", []byte("ranks 2\n0 compute 300\n* recv 0\n0 recv 1\n0 send 0 1\n0 send 1 1\n1 send 0 1\n"),
			0o600))
	require.NoError(t, os.WriteFile("long.trace", []byte("ranks 2\n0 compute 1e9\n0 send 1 10\n1 recv 0\n"), 0o600))
	play := func(jobs, more string) (status int, report, errs string) {
		var out, err strings.Builder
		line := "--shape=dragonfly:2,1,2 --end=2500 --load=0.1 --heat --jobs=" + jobs + " " + more
		return run(strings.Fields(line), &out, &err), out.String(), err.String()
	}
	for _, more := range []string{"", "--synch=3 --pes=3", "--synch=2 --pes=2", "--jobs=trace:bad.trace --end=inf"} {
		status, report, errs := play("trace:bad.trace,uniform", more)
		require.Equal(t, 1, status)
		require.Equal(t,
			"network: workload: stuck: 2 of 2 ranks of trace wait for messages, and no message is on its way: rank 0 waits for rank 0 (tag 0): for itself\n", errs)
		require.Regexp(t, `(?m)^ *trace .* 2 stuck$`, report)
		require.Contains(t, report, "heat map")
	}
	status, report, errs := play("trace:long.trace,uniform", "")
	require.Zero(t, status)
	require.Empty(t, errs)
	require.Regexp(t, `(?m)^ *trace .* 2 run$`, report)
	require.Contains(t, report,
		"trace had not ended at 2500 ns: 2 of its 2 ranks ran, 1 of them waited for messages, and 0 messages were on their way: give the run a later end (Config.End, --end).")
}

func TestRoutesThatAreTooLongEndTheProgramWithAnError(t *testing.T) {
	var out, errs strings.Builder
	require.Equal(t, 1, run(strings.Fields("--shape=torus:8,1 --jobs=tornado --max-hops=4"), &out, &errs))
	require.Contains(t, errs.String(), "over 4 links, and it has not come")
	require.Zero(t, run(strings.Fields("--shape=torus:8,1 --jobs=tornado --max-hops=5 --end=500"), &out, &errs))
}

func TestLoadsAreWrittenToAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	tested.Play(t, line+"--links=loads.csv")
	rows := strings.Split(strings.TrimSpace(testkit.Content(t, "loads.csv")), "\n")
	require.Equal(t, "router,port,class,to,load", rows[0])
	require.Len(t, rows, 1+6*(1+1+2)) // of each router: a local, a global and two terminals
	require.Regexp(t, `^0,0,local,1,0\.\d+$`, rows[1])
	require.Regexp(t, `^5,3,terminal,11,0\.\d+$`, rows[24])
	require.NoFileExists(t, "loads.csv.part")

	var out, errs strings.Builder
	require.Equal(t, 2, run(strings.Fields(line+"--links=no/x.csv"), &out, &errs))
	require.Contains(t, errs.String(),
		"option --links=no/x.csv: no such file or directory: name a file in a folder that exists")
	require.Empty(t, out.String(), "nothing has run")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--shape=ring:4", `option --shape=ring:4: topology: unusable shape: "ring:4": give one of torus:LxLx..,TERMINALS`},
		{"--routing=best", "--routing=best: give minimal, valiant, adaptive, random or top"},
		{"--routing=top", "--routing=top: topology: unusable shape: random ports up in a *topology.Dragonfly: it is no tree"},
		{"--granularity=bits", "give messages, packets or flits"},
		{"--packet=0", "option --packet=0: must be 1 to 2^20"},
		{"--buffer=100", "Buffer of local links is 100: must be 512 bytes"},
		{"--latency=0", "Latency of local links is 0: must be above 0"},
		{"--delay=-1", "Delay is -1"},
		{"--output=-1", "option --output=-1: must be 0 to 2^31-1"},
		{"--flit=0", "option --flit=0: must be 1 to 2^20"},
		{"--max-hops=1", "option --max-hops=1: must be 2 to 2^31-1"},
		{"--placement=here", `placement "here"`},
		{"--jobs=dance", `"dance": give a pattern, adversarial`},
		{"--jobs=uniform:99999", "more ranks than there are terminals, 1056"},
		{"--jobs=uniform,ring", "two jobs without a number of ranks"},
		{"--jobs=trace:none", "no such file"},
		{"--load=0", "--load=0: must be above 0"},
		{"--bytes=0", "--bytes=0: must be 1 to 2^32"},
		{"--rounds=0", "--rounds=0: must be 1 to 2^20"},
		{"--hot=2", "--hot=2: must be 0 to 1"},
		{"--compute=-1", "--compute=-1: must be 0 to 10^12"},
	})
}
