//go:build linux || (mpi && cgo && !purego)

// This file pins runs that go wrong on one rank: they end on all ranks, and say why once.

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/topology"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rio"
)

// endsSaying requires that a job ends with a status that is not 0, and that what its
// ranks and mpirun print matches a pattern once.
func (j *job) endsSaying(pattern string) (status int) {
	j.t.Helper()
	out, status := j.wait()
	require.NotZero(j.t, status, out)
	require.Len(j.t, regexp.MustCompile(pattern).FindAllString(out, -1), 1, "%s in\n%s", pattern, out)
	return status
}

// on returns a command line that has the ranks run args, but one of them what a line of
// shell makes of them ("$@").
func on(rank int, line string, args ...string) []string {
	if byThemselves && rank == 0 { // the others have what it has
		return append([]string{"sh", "-c", line, "sh"}, args...)
	}
	script := fmt.Sprintf(`if [ "${%s:-$%s}" = %d ]; then %s; else exec "$@"; fi`, rankEnv[0], rankEnv[1], rank, line)
	return append([]string{"sh", "-c", script, "sh"}, args...)
}

func TestMistakesOnOneRankEndAll(t *testing.T) {
	for i, c := range []struct {
		do, says string
		status   int
	}{
		{"panic", `ross: rank 1: LP \d+ \(bad\) at time \S+: panic: no such luck`, 1},
		{"fail", `ross: rank 1: LP \d+ \(bad\) at time \S+: the model gave up: out of luck`, 1},
		{"initpanic", `ross: rank 1: LP \d+ \(bad\) at time 0: panic: no such luck`, 1},
		{"goexit", `ross: rank 1: LP \d+ \(bad\) at time \S+: panic: runtime.Goexit was called`, 1},
		{"leave", `ross: Define: rank 1 calls Close at the same time`, 1},
		{"quit", `not today`, 1},
		{"exit", `(?i)exit (code: +|status )3`, 3},
	} {
		if testlevel.Few.LeavesOut(c.do, "panic", "fail") {
			continue
		}
		t.Run(c.do, func(t *testing.T) {
			t.Parallel() // mpirun takes its time to end others
			how := [][]string{{"--synch=3", "--pes=2"}, {"--synch=2", "--pes=1"}}[i%2]
			args := append([]string{filepath.Join(bin, "bad"), "--do=" + c.do, "--rank=1", "--end=1e15"}, how...)
			require.Equal(t, c.status, start(t, t.TempDir(), 2, args...).endsSaying(c.says))
		})
	}
}

func TestRanksThatCallDifferentThingsEnd(t *testing.T) {
	testlevel.Once(t, "what ranks say, before and after they have run")
	for _, c := range []struct {
		ranks int
		args  []string
		says  string
	}{
		{2, []string{"--here=collect"}, `ross: Close: rank 1 calls stats.Collect at the same time`},
		{4, []string{"--here=collect", "--others=gather", "--rank=2"},
			`ross: Gather of a int64 for each main.state: rank 2 calls stats.Collect at the same time`},
		{2, []string{"--here=store", "--others=run"}, `ross: Run: rank 1 calls Store of stored at the same time`},
		{4, []string{"--here=load", "--early", "--rank=0"},
			`ross: Load of none in mode 1: ranks 1, 2 and 3 call Run at the same time`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			args := append([]string{filepath.Join(bin, "bad"), "--synch=3", "--end=5"}, c.args...)
			require.Equal(t, 1, start(t, t.TempDir(), c.ranks, args...).endsSaying(c.says))
		})
	}
	t.Run("the end of the process", func(t *testing.T) {
		t.Parallel()
		out, status := start(t, t.TempDir(), 2, filepath.Join(bin, "bad"), "--synch=3", "--do=vanish").wait()
		require.NotZero(t, status, out) // the launcher ends the others
	})
}

func TestRanksThatCannotRunTogetherAreRefused(t *testing.T) {
	needsMPI(t, "words and programs that differ")
	testlevel.Once(t, "what ranks say, before they run")
	plain := t.TempDir() // without MPI
	require.NoError(t, build(plain, nil, "../phold"))
	phold := filepath.Join(bin, "phold")
	program, err := os.ReadFile(phold)
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "phold") // runs as phold does
	require.NoError(t, os.WriteFile(other, append(program, 0), 0o755))
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"other --end": {on(1, `exec "$@" --end=60`, phold, "--synch=3"),
			`rank 1 differs from rank 0: option --end: 60 there, 100000 on rank 0`},
		"other program": {on(1, `shift; exec "`+other+`" "$@"`, phold, "--synch=3"),
			`rank 1 differs from rank 0: program SHA-256`},
		"sequential runs": {[]string{phold, "--synch=1"}, `option --synch=1: runs on one PE, and mpirun has started 2 ranks`},
		// Ranks without MPI do not know of each other, so each prints it.
		"without MPI on rank 0": {on(1, `exec true`, filepath.Join(plain, "phold"), "--synch=3"),
			`built without MPI; build it with -tags mpi`},
		"without MPI on rank 1": {on(0, `exec true`, filepath.Join(plain, "phold"), "--synch=3"),
			`built without MPI; build it with -tags mpi`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 2, start(t, t.TempDir(), 2, c.args...).endsSaying(c.says))
		})
	}
}

// TestRanksThatAProgramCannotStartAreRefused has command lines and environments with which there is nothing to start.
func TestRanksThatAProgramCannotStartAreRefused(t *testing.T) {
	phold := filepath.Join(bin, "phold")
	for _, c := range []struct {
		env, args, says string
		status          int
	}{
		{"OMPI_COMM_WORLD_SIZE=2", "--ranks=2 --synch=3",
			`option --ranks=2: OMPI_COMM_WORLD_SIZE in the environment says that mpirun`, 2},
		{"", "--ranks=0", `option --ranks=0: out of range; give 1 to 1024`, 2},
		{"", "--ranks=2 --synch=1", `option --ranks=2: --synch=1 runs on one PE; use --ranks=1, or --synch=3`, 2},
		{"", "--ranks=2 --synch=6", `option --ranks=2: --synch=6 runs on one PE`, 2},
	} {
		t.Run(c.args+c.env, func(t *testing.T) {
			t.Parallel()
			j := startWith(t, strings.Fields(c.env), t.TempDir(), 0, append([]string{phold}, strings.Fields(c.args)...)...)
			require.Equal(t, c.status, j.endsSaying(c.says))
		})
	}
	one := run(t, 0, "phold", "--synch=1", "--end=20", "--lps=3", "--digest")
	for _, ranks := range []string{"--ranks=1", "--ranks=5"} { // no others, and more than there are LPs
		requireSameEvents(t, one, run(t, 0, "phold", "--synch=3", "--end=20", "--lps=3", "--digest", ranks))
	}
}

func TestAnOutputThatCannotBeWrittenEndsAllRanks(t *testing.T) {
	testlevel.Once(t, "what ranks say, after they have run")
	t.Parallel()
	args := on(0, `exec "$@" >/dev/full`, filepath.Join(bin, "phold"), "--synch=3", "--end=1e15")
	start(t, t.TempDir(), 2, args...).endsSaying(`report is incomplete: .*no space left on device`)
}

// TestASignalStopsARunWhichReportsWhatItHasDone and leaves a checkpoint, from which other ranks continue.
func TestASignalStopsARunWhichReportsWhatItHasDone(t *testing.T) {
	once(t, "what mpirun does")
	for name, c := range map[string]struct {
		synch  int
		signal syscall.Signal
		to     func(j *job) []int
		status int // 0: that of mpirun, which passes SIGTERM on
	}{
		"to the launcher": {3, syscall.SIGTERM, func(j *job) []int { return []int{j.cmd.Process.Pid} }, 0},
		"to rank 1":       {2, syscall.SIGINT, func(j *job) []int { return []int{j.rank(1)} }, 128 + int(syscall.SIGINT)},
		"to all":          {2, syscall.SIGINT, (*job).processes, 128 + int(syscall.SIGINT)},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "to all" && !byThemselves {
				t.Skip("mpirun would get it, too")
			}
			t.Parallel()
			dir := t.TempDir()
			model := []string{"--lookahead=0.1", "--digest", "--io-name=ranks"}
			j := startWith(t, unhurried, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, model...),
				fmt.Sprintf("--synch=%d", c.synch), nlp(2), "--end=1e15", "--io-on-exit", "--io-interval=0.05",
				"--progress=off")...)
			j.until(func() bool { return stored(dir) > 0 })
			for _, pid := range c.to(j) {
				_ = syscall.Kill(pid, c.signal) // it may have ended
			}
			status := j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`)
			if c.status != 0 {
				require.Equal(t, c.status, status)
			}
			count(t, j.out.String(), "Net Events Processed")
			require.Len(t, regexp.MustCompile(`Checkpoint stored at time \S+: ranks-\d+\n`).FindAllString(j.out.String(), -1), 1)
			j.goesOn(dir, 3, append(model, nlp(3)), append(model, nlp(1)))
		})
	}
}

// TestRanksShareTheProcessorsOut that the launcher lets both of them use: none runs where the other one does.
func TestRanksShareTheProcessorsOut(t *testing.T) {
	says := "Placement of PEs, on Rank 0 *1 PE bound to cores: processors"
	all := topology.Here()
	several := all.Known && len(all.Cores) > 1
	if !several {
		says = "Placement of PEs, on Rank 0 *(none|1 PE bound to cores)"
	}
	require.Regexp(t, says, run(t, 2, "phold", "--synch=3", "--bind=cores", nlp(2), "--end=2"))
	if !several {
		return
	}
	j := startWith(t, unhurried, t.TempDir(), 2, filepath.Join(bin, "phold"), "--synch=3", "--bind=cores", nlp(2),
		"--end=1e15")
	of := func(rank int) (least topology.Set) { // the processors of the thread with the fewest
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", j.rank(rank)))
		for _, file := range files {
			text, _ := os.ReadFile(file) // the thread may have ended
			_, list, _ := strings.Cut(string(text), "Cpus_allowed_list:")
			list, _, _ = strings.Cut(list, "\n")
			if set, err := topology.ParseSet(list); err == nil && set != nil && (least == nil || set.Len() < least.Len()) {
				least = set
			}
		}
		return least
	}
	j.await("START PARALLEL OPTIMISTIC SIMULATION")
	j.until(func() bool { return len(of(0)) > 0 && len(of(1)) > 0 && !of(0).Meets(of(1)) })
	_ = syscall.Kill(j.cmd.Process.Pid, syscall.SIGTERM) // what it prints then, and its status, differ
	j.wait()
}

// stored returns how many checkpoints there are.
func stored(dir string) int {
	numbers, _ := rio.Numbers(filepath.Join(dir, "ranks"))
	return len(numbers)
}

// goesOn requires that ranks that continue from the last checkpoint for a little commit what one process does, with
// other words.
func (j *job) goesOn(dir string, np int, ranks, alone []string) {
	j.t.Helper()
	newest, err := rio.Latest(filepath.Join(dir, "ranks"))
	require.NoError(j.t, err)
	cp, err := rio.Open(newest)
	require.NoError(j.t, err)
	require.NoError(j.t, cp.Verify())
	end := fmt.Sprintf("--end=%g", cp.Info().Clock+2)
	require.NoError(j.t, cp.Close())
	again := runIn(j.t, dir, np, "phold", append(ranks, "--synch=3", "--io-restart=latest", end)...)
	one := run(j.t, 0, "phold", append(alone, "--synch=1", end)...)
	require.Equal(j.t, figure(j.t, one, "Committed Event Digest"), figure(j.t, again, "Committed Event Digest"))
	require.NotEqual(j.t, count(j.t, one, "Net Events Processed"), count(j.t, again, "Net Events Processed"),
		"it began anew")
}

// Tests of a rank that is killed, in each phase of a run: all end, the launcher says once which
// rank it was, and a run from the last checkpoint commits what one that was never stopped does.

// killedLine is what a launcher prints of a rank that was killed. MPICH names only its process.
func killedLine(rank, pid int) string {
	switch {
	case byThemselves && rank == 0:
		return `rank 0, which has started the others, is gone`
	case byThemselves:
		return fmt.Sprintf(`rank %d has been ended by signal 9 \(killed\)`, rank)
	}
	if isOpenMPI() {
		return fmt.Sprintf(`process rank %d with PID \d+ on node \S+ exited on signal 9`, rank)
	}
	return fmt.Sprintf(`PID %d RUNNING AT .*\n.*EXIT CODE: 9\n`, pid)
}

// phases are the ways in which testdata/bad waits on one rank, while the other one goes on.
var phases = []struct{ name, do, end string }{
	{"start", "defwait", "1e15"},
	{"init", "initwait", "1e15"},
	{"run", "wait", "1e15"},
	{"round", "roundwait", "1e15"},
	{"final", "finalwait", "20"},
}

func TestARankThatIsKilledInAnyPhaseEndsAll(t *testing.T) {
	once(t, "what launchers do")
	for i, phase := range phases {
		for k, synch := range []string{"--synch=2", "--synch=3"} {
			rank := (i + k) % 2 // each rank once in each phase
			t.Run(fmt.Sprintf("%s/%s/rank=%d", phase.name, synch, rank), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				j := start(t, dir, 2, filepath.Join(bin, "bad"), "--do="+phase.do,
					fmt.Sprintf("--rank=%d", rank), "--end="+phase.end, synch)
				j.await("bad: waits")
				j.killed(rank)
				require.NotContains(t, j.out.String(), "Net Events Processed")
				require.NotContains(t, j.out.String(), "nobody has killed it")
				require.NoFileExists(t, filepath.Join(dir, "ross.csv"))
			})
		}
	}
}

// killed kills a rank, and requires that all end and that one line names it.
func (j *job) killed(rank int) {
	j.t.Helper()
	pid := j.rank(rank)
	require.NoError(j.t, syscall.Kill(pid, syscall.SIGKILL))
	j.endsSaying(killedLine(rank, pid))
}

// A rank is killed while checkpoints are stored: one after the other, so that most of the time one
// is being written. What has a final name is whole.
func TestARankThatIsKilledWhileItStoresLeavesAWholeCheckpoint(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for _, rank := range []int{0, 1} {
		t.Run(fmt.Sprintf("rank=%d", rank), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := []string{"--lookahead=0.1", "--digest", "--io-name=ranks"}
			j := start(t, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, model...),
				"--nlp=2000", "--synch=3", "--pes=1", "--gvt-interval=1", "--end=1e15", "--io-interval=1e-6", "--io-keep=3",
				"--progress=off")...)
			// The second is whole, and a part of another one is there, which is not.
			j.until(func() bool { return stored(dir) > 1 && half(dir) })
			j.killed(rank)
			j.goesOn(dir, 2, append(model, "--nlp=2000"), append(model, "--nlp=4000"))
		})
	}
}

// half reports whether a file is there under a name that is not final.
func half(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".tmp") })
}
