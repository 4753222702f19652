// C models on ranks, which the first of them starts, or in a build with MPI mpirun, have the events and states of a
// sequential run.

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// result is what a run computes, on any number of ranks.
type result struct{ digest, events, states string }

// compute runs a model. Each of several nodes writes a file of states.
func compute(t *testing.T, path, line string) (result, string) {
	t.Helper()
	old, err := filepath.Glob("states.txt*")
	require.NoError(t, err)
	for _, name := range old {
		require.NoError(t, os.Remove(name))
	}
	status, out, errs := play(t, path, line+" --digest --states=states.txt")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	files, err := filepath.Glob("states.txt*")
	require.NoError(t, err)
	var states []string
	for _, name := range files {
		states = append(states, strings.Split(strings.TrimSpace(testkit.Content(t, name)), "\n")...)
	}
	slices.Sort(states)
	return result{testkit.Figure(t, out, "Committed Event Digest"), testkit.Figure(t, out, "Net Events Processed"),
		strings.Join(states, "\n")}, out
}

// onRanks are the runs that are compared with the sequential one.
func onRanks() []string {
	return testlevel.Pick(
		[]string{"--synch=3 --ranks=2", "--synch=3 --ranks=2 --pes=2 --batch=2 --gvt-interval=2", "--synch=3 --ranks=3",
			"--synch=3 --ranks=3 --pes=2 --nkp=2", "--synch=5 --ranks=2 --gvt-interval=1"},
		[]string{"--synch=3 --ranks=2 --pes=2 --batch=2 --gvt-interval=2", "--synch=3 --ranks=3"},
		[]string{"--synch=3 --ranks=3 --batch=2 --gvt-interval=2"})
}

// conservative are those that need a lookahead.
func conservative() []string {
	return testlevel.Pick([]string{"--synch=2 --ranks=2", "--synch=2 --ranks=2 --pes=2", "--synch=2 --ranks=3"},
		[]string{"--synch=2 --ranks=2 --pes=2"}, []string{"--synch=2 --ranks=2"})
}

func TestModelsOnRanksHaveTheEventsAndStatesOfOneProcess(t *testing.T) {
	for _, c := range []struct {
		model, line string
		lookahead   bool
		ends        string
	}{
		{"airport", "--end=30 --nplanes=1", false, "Number of planes 1024\n"},
		{"torus", "--end=170", false,
			" total generate:       52; \n total hops:           2.400000; \n average travel time:  78.318714; \nMax latency is 117.413592\n"},
		{"kitchen", "", true, ""},
		{"ledger", "", true, ""},
		{"frozen", "", true, "node 0: 8 calls\n"},
	} {
		if mpi.Enabled && testlevel.Is(testlevel.Few) && (c.model == "torus" || c.model == "kitchen") {
			continue // airport has many LPs, and ledger large messages
		}
		t.Run(c.model, func(t *testing.T) {
			path := compile(t, c.model)
			t.Chdir(t.TempDir())
			want, out := compute(t, path, c.line+" --synch=1")
			require.Contains(t, out, c.ends)
			lines := onRanks()
			if c.lookahead {
				lines = append(lines, conservative()...)
			}
			for _, line := range lines {
				got, out := compute(t, path, c.line+" "+line)
				require.Equal(t, want, got, line)
				require.Contains(t, out, c.ends, line)
			}
		})
	}
}

// Their number of LPs is that of a node.
func TestModelsWithLPsOfEachNode(t *testing.T) {
	phold, qhold := compile(t, "phold"), compile(t, "qhold")
	t.Chdir(t.TempDir())
	digest := func(path, line string) string {
		status, out, errs := play(t, path, line+" --digest")
		require.Zero(t, status, "%s: %s%s", line, out, errs)
		if path == qhold {
			require.Contains(t, out, "globalHash: ")
		}
		return testkit.Figure(t, out, "Committed Event Digest")
	}
	want := digest(phold, "--synch=1 --nlp=12 --end=100 --lookahead=0.1")
	for _, line := range append(onRanks(), conservative()...) {
		each := map[bool]string{true: "4", false: "6"}[strings.Contains(line, "--ranks=3")]
		require.Equal(t, want, digest(phold, "--end=100 --lookahead=0.1 --nlp="+each+" "+line), line)
	}
	require.Equal(t, digest(qhold, "--synch=1 --nlp_per_pe=16 --end=20000000000"),
		digest(qhold, "--synch=3 --ranks=2 --nlp_per_pe=8 --end=20000000000"))
}

// With one PE in each process no static variable is shared. final of all nodes adds up together. Types may be in memory
// of malloc, and a node may have no LPs.
func TestStaticVariablesAreThoseOfARank(t *testing.T) {
	path := compile(t, "nodes")
	t.Chdir(t.TempDir())
	_, out, _ := play(t, path, "--synch=1 --digest")
	require.Contains(t, out, "nodes 1, events 178, by states 178\n")
	want := testkit.Figure(t, out, "Committed Event Digest")
	for line, says := range map[string]string{
		"--synch=3 --ranks=2":            "nodes 2, events 178, by states 178\n",
		"--synch=2 --ranks=3 --spread=1": "nodes 3, events 178, by states 178\n",
		"--synch=3 --ranks=2 --spread=3": "nodes 2, events 178, by states 0\n",
	} {
		status, out, errs := play(t, path, line+" --digest")
		require.Zero(t, status, "%s: %s", line, errs)
		require.Contains(t, out, says, line)
		require.Equal(t, want, testkit.Figure(t, out, "Committed Event Digest"), line)
	}
}

// init of the model says how long samples are, and final frees what they are made from: the last ones are from before
// it.
func TestSamplesOfModelsOnRanks(t *testing.T) {
	path := compile(t, "nodes")
	for _, line := range []string{"--synch=3", "--synch=3 --ranks=2"} {
		t.Chdir(t.TempDir())
		status, _, errs := play(t, path, line+" --model-stats=1 --num-gvt=1")
		require.Zero(t, status, errs)
		require.EqualValues(t, 178, lastSamples(t, "stats-output"), "the last samples are of the final states")
	}
}

// lastSamples adds up the last sample of each LP.
func lastSamples(t *testing.T, folder string) (sum uint64) {
	last := map[uint32]uint64{}
	for _, r := range testkit.Records(t, folder, "model") {
		require.Len(t, r.Model.Payload, 16)
		last[r.Model.LP] = binary.LittleEndian.Uint64(r.Model.Payload)
		require.Equal(t, last[r.Model.LP], binary.LittleEndian.Uint64(r.Model.Payload[8:]))
	}
	for _, n := range last {
		sum += n
	}
	return sum
}

// collected is what the files of a run say that is the same on any number of ranks.
type collected struct {
	trace  []string         // committed events, with the data of the model
	points []string         // the model's samples at virtual times
	events map[uint32]int64 // committed events of each LP, by the samples of the engine
	last   uint64
}

// collect runs testdata/nodes.c with everything that is collected, and reads it.
func collect(t *testing.T, path, line string) (c collected) {
	t.Helper()
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path,
		line+" --event-trace=3 --model-stats=4 --engine-stats=4 --kp-data=1 --lp-data=1 --num-gvt=1 --vt-interval=4 --vt-samp-end=20")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	for _, r := range testkit.Records(t, "stats-output", "evtrace") {
		if e := r.Event; e.Dest < 12 { // samples at virtual times are events of others
			c.trace = append(c.trace, fmt.Sprintf("LP %2d at %v: from %d at %v: %x", e.Dest, e.RecvTS, e.Src, e.SendTS,
				e.Payload))
		}
	}
	slices.SortStableFunc(c.trace, func(a, b string) int { return strings.Compare(a[:5], b[:5]) })
	for _, r := range testkit.Records(t, "stats-output", "analysis-lps") {
		v := r.VTModel
		require.Len(t, v.Payload, 24)
		require.Equal(t, v.LP, binary.LittleEndian.Uint64(v.Payload[16:]))
		c.points = append(c.points, fmt.Sprintf("LP %d at %v: %x", v.LP, v.TS, v.Payload))
	}
	slices.Sort(c.points)
	for _, mode := range []string{"gvt", "rt", "vt"} {
		events := map[uint32]int64{}
		for _, r := range testkit.Records(t, "stats-output", mode) {
			if r.Kind == instr.KindLP {
				events[r.LP.LP] += int64(r.LP.Processed) - int64(r.LP.RolledBack)
			}
		}
		if c.events != nil {
			require.Equal(t, c.events, events, "%s: %s", line, mode)
		}
		c.events = events
	}
	c.last = lastSamples(t, "stats-output")
	return c
}

func TestWhatRanksCollectIsThatOfOneProcess(t *testing.T) {
	path := compile(t, "nodes", "-DUSE_RIO")
	want := collect(t, path, "--synch=1")
	require.Len(t, want.points, 4*12)
	require.EqualValues(t, 178, want.last)
	for _, line := range slices.DeleteFunc(append(onRanks(), testlevel.Pick(conservative(), nil, nil)...),
		func(line string) bool { return strings.Contains(line, "--pes=2") }) {
		require.Equal(t, want, collect(t, path, line), line)
	}
}

// The part of a state that is elsewhere is stored by functions of the model, on three ranks, and loaded on others.
func TestModelsStoreOnRanksAndLoadOnOthers(t *testing.T) {
	path := compile(t, "nodes", "-DUSE_RIO")
	t.Chdir(t.TempDir())
	digest := func(line, says string) string {
		status, out, errs := play(t, path, line+" --digest")
		require.Zero(t, status, "%s: %s", line, errs)
		require.Contains(t, out, "by states "+says+"\n", line)
		return testkit.Figure(t, out, "Committed Event Digest")
	}
	want := digest("--synch=1", "178")
	digest("--synch=3 --ranks=3 --io=1 --end=11", "105")
	for _, line := range testlevel.Pick([]string{"--synch=1", "--synch=3 --ranks=2", "--synch=3 --ranks=4",
		"--synch=2 --ranks=2"}, nil, []string{"--synch=1", "--synch=3 --ranks=4"}) {
		require.Equal(t, want, digest(line+" --io=2 --io-as-ross=0", "178"), line)
	}
	require.Equal(t, want, digest("--synch=3 --ranks=3 --batch=2 --gvt-interval=2 --io-virtual-interval=5", "178"))
	for _, line := range testlevel.Pick([]string{"--synch=1", "--synch=3 --ranks=2", "--synch=3 --ranks=4",
		"--synch=2 --ranks=2"}, nil, []string{"--synch=3 --ranks=2"}) {
		require.Equal(t, want, digest(line+" --io-restart=latest --model-stats=1 --num-gvt=1", "178"), line)
		require.EqualValues(t, 178, lastSamples(t, "stats-output"), "%s: the function that loads says how long samples are",
			line)
	}
}

func TestMistakesOnRanksEndAllOfThem(t *testing.T) {
	path := compile(t, "nodes")
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		line      string
		status    int // 0: any other one
		out, errs string
	}{
		{"--synch=3 --ranks=2 --spread=1 --crash=1", 134, "", "its event handler has called abort"},
		{"--synch=3 --ranks=2 --spread=1 --crash=2", 3, "",
			"nodes: ranks: rank 1 has ended with exit status 3: see what it has printed\n"},
		{"--synch=3 --ranks=2 --crash=3", 1, "LP 1 gives up (LP 1 at ",
			"nodes: ranks: rank 0, which has started the others, is gone"},
		{"--synch=3 --ranks=2 --spread=1 --crash=4", 1,
			"MPI_Barrier: called by a handler of LP 1: ranks do not handle the same events",
			"rank 1 has ended with exit status 1"},
		{"--synch=3 --ranks=3 --spread=2", 1, "",
			"nodes: tw_define_lps: LP 9 is on ranks 0 and 1: unusable model: let each be on one\n"},
		{"--synch=3 --ranks=2 --cut=1", 1,
			"rank 0 calls MPI_Barrier and rank 1 a reduction at the same time: let all ranks make the same calls\n", ""},
		{"--synch=1 --ranks=2", 2, "", "nodes: option --ranks=2: --synch=1 runs on one PE; use --ranks=1, or --synch=3\n"},
		{"--synch=3 --ranks=2 --bogus=1", 2, "", "option --bogus=1: unknown"},
		{"--synch=3 --ranks=2 --pes=2 --cons-lookahead=x", 2, "", "option --cons-lookahead=x"},
	} {
		t.Run(c.line, func(t *testing.T) {
			status, out, errs := play(t, path, c.line)
			require.Equal(t, c.status, status, "%s%s", out, errs)
			require.Contains(t, out, c.out)
			require.Contains(t, errs, c.errs)
			require.LessOrEqual(t, strings.Count(errs, "nodes: "), 1, "one rank says it: %s", errs)
		})
	}
	const without = "OMPI_COMM_WORLD_SIZE=2: mpirun has started several of this program, and the library was built without MPI"
	if _, err := exec.LookPath("mpirun"); err == nil && !testlevel.Is(testlevel.Few) {
		cmd := exec.CommandContext(t.Context(), "mpirun", "--oversubscribe", "-np", "2", path, "--synch=3")
		cmd.Env = session.Env(t)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), without)
	}
	t.Setenv("NODES_PART", "2")
	status, out, errs := play(t, path, "--synch=3 --ranks=3")
	require.Equal(t, 2, status, out)
	require.Regexp(t, "tw_comm_set: a communicator of [12] of 3 ranks: .* use mpirun, and a library with MPI", errs)
	t.Setenv("NODES_PART", "")
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	status, _, errs = play(t, path, "--synch=3")
	require.Equal(t, 2, status)
	require.Contains(t, errs, without)
}

func TestMistakesUnderMpirunEndAllRanks(t *testing.T) {
	if !mpi.Enabled {
		t.Skip("mpirun is for builds with MPI (-tags mpi)")
	}
	path := compile(t, "nodes", "-DUSE_RIO")
	t.Chdir(t.TempDir())
	type mistake struct{ line, says string }
	first := []mistake{
		{"--synch=3 --ranks=2 --spread=1 --crash=1", "its event handler has called abort"},
		{"--synch=3 --ranks=3 --spread=1 --crash=2", "exit code"},
	}
	all := append([]mistake{
		{"--synch=3 --ranks=2 --crash=3", "LP 1 gives up\n"},
		{"--synch=3 --ranks=3 --spread=2", "tw_define_lps: LP 9 is on ranks 0 and 1: unusable model: let each be on one\n"},
		{"--synch=1 --ranks=2", "nodes: option --synch=1: "},
		{"--synch=3 --ranks=2 --bogus=1", "option --bogus=1: unknown"},
	}, first...)
	for _, c := range testlevel.Pick(all, nil, first) {
		t.Run(c.line, func(t *testing.T) {
			status, out, errs := play(t, path, c.line)
			require.NotZero(t, status, "%s%s", out, errs)
			require.Contains(t, out+errs, c.says)
		})
	}
	cmd := exec.CommandContext(t.Context(), path, "--synch=3", "--ranks=2")
	cmd.Env = session.Env(t)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "option --ranks=2: the library was built with MPI, which counts ranks itself")
}

// The first two processes run a simulation, and the third one another one, at the same time.
func TestPartsOfTheProcessesRunModels(t *testing.T) {
	if !mpi.Enabled {
		t.Skip("parts of the processes need MPI (-tags mpi)")
	}
	path := compile(t, "nodes", "-DUSE_RIO")
	t.Chdir(t.TempDir())
	_, out, _ := play(t, path, "--synch=1 --digest")
	want := testkit.Figure(t, out, "Committed Event Digest")
	t.Setenv("NODES_PART", "2")
	status, out, errs := play(t, path, "--synch=3 --digest --ranks=3")
	require.Zero(t, status, errs)
	require.Contains(t, out, "nodes 2, events 178, by states 178\n")
	require.Contains(t, out, "nodes 1, events 178, by states 178\n")
	require.Equal(t, 2, strings.Count(out, want), "both have the digest of a sequential run: %s", out)
}

func TestHooksOnRanksAreCalledTogether(t *testing.T) {
	path := compile(t, "kitchen")
	t.Chdir(t.TempDir())
	for _, hook := range []string{" --hook=1", " --hook=2"} {
		want, out := compute(t, path, "--synch=1"+hook)
		hooks := hookLines.FindAllString(out, -1)
		require.NotEmpty(t, hooks)
		for _, line := range onRanks() {
			got, out := compute(t, path, line+hook)
			require.Equal(t, want, got, line+hook)
			require.Equal(t, hooks, hookLines.FindAllString(out, -1), line+hook)
		}
	}
}

// A run that stores its checkpoints on some ranks goes on, on others.
func TestCheckpointsOfCModelsLoadOnOtherRanks(t *testing.T) {
	path := compile(t, "ledger")
	t.Chdir(t.TempDir())
	want, _ := compute(t, path, "--synch=1")
	runs := testlevel.Pick([][2]string{{"--synch=3 --ranks=2", "--synch=3 --ranks=3"},
		{"--synch=1", "--synch=2 --ranks=2 --pes=2"}, {"--synch=3 --ranks=3", "--synch=1"}},
		nil, [][2]string{{"--synch=3 --ranks=2", "--synch=3 --ranks=3"}})
	for _, run := range runs {
		old, err := filepath.Glob("ckpt*")
		require.NoError(t, err)
		for _, name := range old {
			require.NoError(t, os.Remove(name))
		}
		compute(t, path, run[0]+" --io-virtual-interval=20")
		got, out := compute(t, path, run[1]+" --io-restart=latest")
		require.Contains(t, out, "Restart at time ", run)
		require.Equal(t, want.states, got.states, run)
		require.Equal(t, want.digest, got.digest, run)
	}
}

// Every operation is compared with a loop over what all ranks have.
func TestTheMPIOfRanks(t *testing.T) {
	path := compile(t, "ranks")
	for _, n := range testlevel.Pick([]string{"1", "2", "3", "5"}, []string{"1", "3"}, []string{"3"}) {
		t.Chdir(t.TempDir())
		status, out, errs := play(t, path, "--ranks="+n)
		require.Zero(t, status, errs)
		require.NotRegexp(t, lines, out)
		require.Contains(t, out, "ranks "+n+"\n")
		require.Equal(t, "abcdefgh"[:n[0]-'0'], testkit.Content(t, "letters"))
	}
}
