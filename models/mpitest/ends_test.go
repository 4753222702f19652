// Tests of runs that go wrong on one rank: they end on all ranks, and say why once.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
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
	script := fmt.Sprintf(`if [ "${%s:-$%s}" = %d ]; then %s; else exec "$@"; fi`, rankEnv[0], rankEnv[1], rank, line)
	return append([]string{"sh", "-c", script, "sh"}, args...)
}

func TestMistakesOnOneRankEndAll(t *testing.T) {
	for _, c := range []struct {
		do, says string
		status   int
	}{
		{"panic", `ross: rank 1: LP \d+ \(bad\) at time \S+: panic: no such luck`, 1},
		{"fail", `ross: rank 1: LP \d+ \(bad\) at time \S+: the model gave up: out of luck`, 1},
		{"initpanic", `ross: rank 1: LP \d+ \(bad\) at time 0: panic: no such luck`, 1},
		{"goexit", `ross: rank 1: LP \d+ \(bad\) at time \S+: panic: runtime.Goexit was called`, 1},
		{"leave", `ross: Define: rank 1 calls Close at the same time`, 1},
		{"quit", `not today`, 1},
		{"exit", `(?i)exit code: +3`, 3},
	} {
		if testlevel.Few.LeavesOut(c.do, "panic", "fail") {
			continue
		}
		for _, how := range [][]string{{"--synch=2", "--pes=1"}, {"--synch=3", "--pes=2"}} {
			t.Run(c.do+"/"+how[0], func(t *testing.T) {
				t.Parallel() // mpirun takes its time to end others
				args := append([]string{filepath.Join(bin, "bad"), "--do=" + c.do, "--rank=1", "--end=1e15"}, how...)
				require.Equal(t, c.status, start(t, t.TempDir(), 2, args...).endsSaying(c.says))
			})
		}
	}
}

func TestRanksThatCallDifferentThingsEnd(t *testing.T) {
	testlevel.Once(t, "what ranks say, before and after they have run")
	for _, c := range []struct {
		ranks int
		args  []string
		says  string
	}{
		{2, []string{"--here=gather"}, `ross: Close: rank 1 calls Gather of a int64 for each main.state at the same time`},
		{2, []string{"--here=collect"}, `ross: Close: rank 1 calls stats.Collect at the same time`},
		{2, []string{"--others=collect"}, `ross: stats.Collect: rank 1 calls Close at the same time`},
		{4, []string{"--here=collect", "--others=gather", "--rank=2"}, `ross: Gather of a int64 for each main.state: rank 2 calls stats.Collect at the same time`},
		{2, []string{"--here=store", "--others=run"}, `ross: Run: rank 1 calls StoreCheckpoint of stored at the same time`},
		{4, []string{"--here=initio", "--early", "--rank=0"}, `ross: InitIO: ranks 1, 2 and 3 call Run at the same time`},
		{2, []string{"--here=initio", "--early"}, `ross: Run: rank 1 calls InitIO at the same time`},
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
		"other --end":     {on(1, `exec "$@" --end=60`, phold, "--synch=3"), `rank 1 differs from rank 0: option --end: 60 there, 100000 on rank 0`},
		"other --nlp":     {on(1, `exec "$@" --nlp=4`, phold, "--synch=3"), `rank 1 differs from rank 0: option --nlp: 4 there, 8 on rank 0`},
		"other program":   {on(1, `shift; exec "`+other+`" "$@"`, phold, "--synch=3"), `rank 1 differs from rank 0: program SHA-256`},
		"unusable option": {[]string{phold, "--synch=3", "--lookahead=5"}, `phold: .*option --lookahead=5: must be in \[0, 1\]`},
		"sequential runs": {[]string{phold, "--synch=1"}, `option --synch=1: runs on one PE, and mpirun has started 2 ranks`},
		// Ranks without MPI do not know of each other, so each prints it.
		"without MPI on rank 0": {on(1, `exec true`, filepath.Join(plain, "phold"), "--synch=3"), `built without MPI; build it with -tags mpi`},
		"without MPI on rank 1": {on(0, `exec true`, filepath.Join(plain, "phold"), "--synch=3"), `built without MPI; build it with -tags mpi`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 2, start(t, t.TempDir(), 2, c.args...).endsSaying(c.says))
		})
	}
}

func TestAnOutputThatCannotBeWrittenEndsAllRanks(t *testing.T) {
	testlevel.Once(t, "what ranks say, after they have run")
	for _, synch := range []int{2, 3} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			t.Parallel()
			args := on(0, `exec "$@" >/dev/full`, filepath.Join(bin, "phold"), fmt.Sprintf("--synch=%d", synch), "--end=1e15")
			start(t, t.TempDir(), 2, args...).endsSaying(`report is incomplete: .*no space left on device`)
		})
	}
}

// endless starts a run of two ranks that does not end, and waits until it handles events.
func endless(t *testing.T, synch int, env ...string) *job {
	j := startWith(t, env, t.TempDir(), 2, filepath.Join(bin, "phold"), fmt.Sprintf("--synch=%d", synch), "--lookahead=0.1", "--end=1e15")
	j.await("*** START PARALLEL")
	return j
}

func TestAKilledRankEndsAll(t *testing.T) {
	testlevel.Once(t, "what mpirun does")
	for _, synch := range []int{2, 3} {
		for _, rank := range []int{0, 1} {
			t.Run(fmt.Sprintf("synch=%d/rank=%d", synch, rank), func(t *testing.T) {
				t.Parallel()
				j := endless(t, synch)
				require.NoError(t, syscall.Kill(j.rank(rank), syscall.SIGKILL))
				j.endsSaying(`(?i)signal:? 9`)
			})
		}
	}
}

func TestASignalStopsARunWhichReportsWhatItHasDone(t *testing.T) {
	testlevel.Once(t, "what mpirun does")
	for _, synch := range []int{2, 3} {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(fmt.Sprintf("synch=%d/%v to mpirun", synch, signal), func(t *testing.T) {
				t.Parallel()
				j := endless(t, synch, unhurried...)
				require.NoError(t, j.cmd.Process.Signal(signal))
				j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`)
				count(t, j.out.String(), "Net Events Processed")
			})
		}
		t.Run(fmt.Sprintf("synch=%d/to rank 1", synch), func(t *testing.T) {
			t.Parallel()
			j := endless(t, synch, unhurried...)
			require.NoError(t, syscall.Kill(j.rank(1), syscall.SIGINT))
			require.Equal(t, 128+int(syscall.SIGINT), j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`))
			count(t, j.out.String(), "Net Events Processed")
		})
	}
}
