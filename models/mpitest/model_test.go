// This file pins tests of package modeltest under mpirun: this test binary is started again, on two ranks; programs
// with several simulations, and studies; and the memory of ranks.

//go:build linux || (mpi && cgo && !purego)

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/stats"
)

// asRank says that mpirun has started this test binary.
var asRank = ranks.Launcher() != ""

// inMPI runs tests that use ranks one after the other.
func inMPI(run func() int) int {
	end, err := ross.KeepMPI()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status := run()
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// courier is the state of a small model; it carries letters to others.
type (
	courier struct {
		Carried int64
		Away    stats.Tally
	}
	letter struct{ N int64 }
)

// couriers returns a model that is right, unless wrong is what the last courier does on ranks.
func couriers(wrong func(s *courier, lp *ross.LP)) modeltest.Model {
	const n = 12
	step := func(s *courier, lp *ross.LP, m *letter) {
		if *ross.Write(lp, &s.Carried) += m.N; wrong != nil && lp.ID() == n-1 && lp.PE().Simulation().Ranks() > 1 {
			wrong(s, lp)
		}
		away := 0.1 + lp.RNG().Exponential(1)
		s.Away.Add(lp, away)
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, n-1)), away, letter{s.Carried % 100})
	}
	return modeltest.Model{
		Config: ross.Config{End: 20},
		Short:  true,
		Types: func() []ross.LPType {
			return []ross.LPType{ross.Type[courier]{LPs: n, Lookahead: 0.1, Saving: ross.SaveByLog,
				Init: func(_ *courier, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, letter{1}) }, Event: ross.On(step)}}
		},
	}
}

// models are those of the ranks, with what an error of them says.
var models = []struct {
	name, says string
	model      modeltest.Model
}{
	{"right", "", couriers(nil)},
	{"right again", "", couriers(nil)}, // MPI is kept
	{"state", "modeltest: courier, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8: " +
		"states at the end: not as in the sequential run: LP 11 (courier): courier.Carried is ",
		couriers(func(s *courier, lp *ross.LP) { *ross.Write(lp, &s.Carried) += 100 })},
	{"panic", "no such luck", couriers(func(*courier, *ross.LP) { panic("no such luck") })},
}

func TestModelsAreTestedOnRanks(t *testing.T) {
	needsMPI(t, "package modeltest in each rank")
	if !asRank {
		out, status := start(t, t.TempDir(), 2, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+t.Name()+"$",
			"-test.timeout="+testkit.RankLimit(t).String()).wait()
		require.Zero(t, status, out)
		for _, m := range models {
			require.Equal(t, 2, strings.Count(out, "--- PASS: "+t.Name()+"/"+strings.ReplaceAll(m.name, " ", "_")+" ("),
				"%s on both ranks:\n%s", m.name, out)
		}
		return
	}
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			report, err := modeltest.Check(m.model)
			if m.says != "" {
				require.ErrorIs(t, err, modeltest.ErrModel)
				require.ErrorContains(t, err, m.says)
				return
			}
			require.NoError(t, err)
			require.Empty(t, report.LeftOut)
			require.NotContains(t, strings.Join(report.Notes, " "), "no event went from one PE to another")
			on := 0
			for _, run := range report.Runs {
				if strings.HasPrefix(run, "2 ranks of --synch=") {
					on++
				}
			}
			require.Greater(t, on, 3, report.Runs)
		})
	}
}

// studies over ranks: what docs/running.md says of them.

func TestAStudyOverRanksHasTheTableOfOneProcess(t *testing.T) {
	page, err := os.ReadFile("../../docs/running.md")
	require.NoError(t, err)
	_, words, found := strings.Cut(string(page), "\nmpirun -np 2 ./queueing ")
	require.True(t, found)
	words, _, _ = strings.Cut(words, "\n")
	args := strings.Fields(words)
	require.Contains(t, args, "--synch=3")
	dir := t.TempDir()
	ranks := runIn(t, dir, 2, "queueing", append(args, "--workers=2", "--table=ranks.csv")...)
	require.Equal(t, 1, strings.Count(ranks, "servers  "+"customers waiting"), "one rank prints:\n%s", ranks)
	one := runIn(t, dir, 0, "queueing", append(args, "--synch=1", "--pes=1", "--workers=3", "--journal=",
		"--table=one.csv")...)
	require.Equal(t, one, ranks)
	again := runIn(t, dir, 0, "queueing", append(args, "--table=again.csv")...) // from the journal of the ranks
	require.Equal(t, one, again)
	content := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, 60, strings.Count(content("ranks.runs"), `{"point":`), "a line for each run, once")
	require.Equal(t, content("one.csv"), content("ranks.csv"))
	require.Equal(t, content("one.csv"), content("again.csv"))
}

func TestASelectionAndAWarmUpOverRanksAreThoseOfOneProcess(t *testing.T) {
	args := []string{"--lps=8", "--end=200", "--warm-up=0", "--arrivals=0.9", "--patience=0", "--vary=urgent=0,0.4,0.8",
		"--select=min:time in network", "--indifference=1.5", "--find-warm-up=customers waiting"}
	dir := t.TempDir()
	ranks := runIn(t, dir, 2, "queueing", append(args, "--synch=3", "--workers=2")...)
	require.Contains(t, ranks, "\nselected: urgent=")
	require.Contains(t, ranks, "\nwarm-up of \"customers waiting\" by MSER-5")
	require.Equal(t, runIn(t, dir, 0, "queueing", args...), ranks)

	job := start(t, dir, 2, filepath.Join(bin, "queueing"), "--synch=3", "--replications=3", "--find-warm-up=customers")
	out, status := job.wait()
	require.Equal(t, 2, status)
	require.Equal(t, 1, strings.Count(out, "customers is not a result; give one of "), "one rank prints:\n%s", out)
}

// Tests of programs with more than one simulation: one after the other on all ranks, and
// at one time on parts of the ranks.

var digestLine = regexp.MustCompile(`(?m)^simulation \d+: .*$`)

// digests returns the lines in which testdata/several prints what its simulations
// committed.
func digests(out string) []string {
	lines := digestLine.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

// sequentially returns the lines of both simulations, run as one process each.
func sequentially(t *testing.T) []string {
	t.Helper()
	want := digests(run(t, 0, "several", "--do=series", "--synch=1", "--nlp=24"))
	require.Len(t, want, 2)
	require.NotEqual(t, want[0][len("simulation 0"):], want[1][len("simulation 1"):], "they are to differ")
	return want
}

func TestHalvesOfTheRanksRunSimulationsOfTheirOwnAtOneTime(t *testing.T) {
	needsMPI(t, "communicators")
	want := sequentially(t)
	for _, c := range []struct{ np, synch, pes int }{{4, 2, 1}, {4, 3, 1}, {2, 3, 2}} {
		t.Run(fmt.Sprintf("np=%d/synch=%d/pes=%d", c.np, c.synch, c.pes), func(t *testing.T) {
			t.Parallel()
			out := run(t, c.np, "several", "--do=halves", fmt.Sprintf("--nlp=%d", 24/(c.np/2*c.pes)),
				fmt.Sprintf("--synch=%d", c.synch), fmt.Sprintf("--pes=%d", c.pes))
			require.Equal(t, want, digests(out), out)
		})
	}
}

func TestASecondSimulationNeedsMPIToBeKept(t *testing.T) {
	needsMPI(t, "an end of MPI, which comes with that of a simulation")
	testlevel.Once(t, "what ranks say, before they run")
	start(t, t.TempDir(), 2, filepath.Join(bin, "several"), "--do=series", "--nlp=12", "--synch=3").
		endsSaying(`(?s)simulation 0: .*keep it \(ross.KeepMPI\)`)
}

func TestSimulationsRunOneAfterTheOther(t *testing.T) {
	testlevel.Once(t, "that MPI is kept")
	want := sequentially(t)
	for _, do := range map[bool][]string{false: {"kept", "held"}, true: {"series", "kept"}}[byThemselves] {
		t.Run(do, func(t *testing.T) {
			require.Equal(t, want, digests(run(t, 2, "several", "--do="+do, "--nlp=12", "--synch=3")))
		})
	}
}

// The promise of --max-memory on ranks: it is a ceiling on the memory of each.

// TestARankStaysUnderItsCeiling runs PHOLD on two ranks, and once more with checkpoints and a trace, at a ceiling of
// a quarter more than it took without. Ranks cannot do with a quarter of it: GVT comes so often that there is little to
// do without.
func TestARankStaysUnderItsCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory is resident")
	files := []string{"--io-virtual-interval=5", "--event-trace=1", "--io-name=ranks"}
	var ceiling, free uint64
	// otherwise there is nothing to do without: how much events take depends on when ranks run
	for float64(free) <= 1.2*float64(ceiling) {
		ceiling, free = slices.Max(residentRanks(t))*5/4, slices.Max(residentRanks(t, files...))
		require.Greater(t, ceiling, uint64(64<<20))
	}
	for rank, got := range residentRanks(t, append(files, fmt.Sprintf("--max-memory=%d", ceiling))...) {
		t.Logf("rank %d: %d of %d bytes, %.2f, and %d without a ceiling", rank, got, ceiling, float64(got)/float64(ceiling),
			free)
		require.Less(t, float64(got), 1.15*float64(ceiling), "rank %d", rank)
	}
}

// residentRanks runs PHOLD and returns the most memory that each of two ranks had.
func residentRanks(t *testing.T, args ...string) []uint64 {
	t.Helper()
	j := start(t, t.TempDir(), 2,
		append([]string{filepath.Join(bin, "phold"), "--synch=3", "--pes=1",
			fmt.Sprintf("--nlp=%d", testlevel.Times(300000, 120000)),
			"--nkp=64", "--end=20", "--progress=off"}, args...)...)
	j.await("START PARALLEL")
	most := make([]uint64, 2)
	over := make(chan struct{})
	seen := make(chan struct{})
	pids := []int{j.rank(0), j.rank(1)}
	go func() {
		defer close(seen)
		for {
			for rank, pid := range pids {
				most[rank] = max(most[rank], highWater(pid))
			}
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	out, status := j.wait()
	close(over)
	<-seen
	require.Zero(t, status, "%s", out)
	return most
}

// highWater returns the most memory that a process has had so far, in bytes, and 0 if it is no longer there.
func highWater(pid int) uint64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.ParseUint(number, 10, 64)
	return kib << 10
}
