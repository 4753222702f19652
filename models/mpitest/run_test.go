//go:build linux || (mpi && cgo && !purego)

// This file owns how tests build programs and run them on ranks, and pins runs that go wrong.

package mpitest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rio"
)

// How tests build programs and run them: under mpirun, with --ranks, or as one process without either.

const (
	// launcherEnv is mpirun or --ranks, which start ranks. Without it mpirun does in a build with MPI.
	launcherEnv = "ROSS_MPITEST_LAUNCHER"
	// buildEnv holds flags for go build.
	buildEnv = "ROSS_MPITEST_BUILD"
	// jobEnv is set in all processes of a job, to its number.
	jobEnv = "ROSS_MPITEST_JOB"
)

// bin is where the programs are.
var bin string

// byThemselves says that programs start their ranks, which need no MPI (ross.Config.Ranks).
var byThemselves = cmp.Or(os.Getenv(launcherEnv), map[bool]string{true: "mpirun", false: "--ranks"}[mpi.Enabled]) == "--ranks"

// once is testlevel.Once for a test of what ranks do that a program starts, which runs at each level with these.
func once(t *testing.T, why string) {
	t.Helper()
	if !byThemselves {
		testlevel.Once(t, why)
	}
}

// needsMPI skips a test of what only MPI has.
func needsMPI(t *testing.T, what string) {
	t.Helper()
	if byThemselves {
		t.Skipf("ranks that a program starts have none of it: %s", what)
	}
}

func TestMain(m *testing.M) {
	if asRank {
		os.Exit(inMPI(m.Run))
	}
	if byThemselves && testlevel.Is(testlevel.Some) {
		os.Setenv(testlevel.Variable, "few") // under mpirun there are more
	}
	os.Exit(withPrograms(m.Run))
}

func withPrograms(run func() int) int {
	dir, err := os.MkdirTemp("", "ross-mpitest-")
	if err == nil {
		defer os.RemoveAll(dir)
		bin = dir
		flags := strings.Fields(os.Getenv(buildEnv))
		switch {
		case len(flags) > 0:
		case mpi.Enabled:
			flags = []string{"-tags=mpi"}
		default:
			flags = []string{"-ldflags=-w"} // linking takes longer than most tests
		}
		err = build(bin, flags, programs()...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// programs returns the packages of the programs that the tests run.
func programs() []string {
	all := []string{"../phold", "../zerotie", "../stress", "../queueing", "../runway", "./testdata/bad", "./testdata/several"}
	if testlevel.Is(testlevel.Few) {
		return all
	}
	return append(all, "../pholdio", "../market", "../fabric", "../airport", "../pcs", "../traffic", "../torus", "../dragonfly", "../raid", "../qhold", "../network")
}

// build makes programs of packages in a folder.
func build(dir string, flags []string, packages ...string) error {
	args := append([]string{"build", "-o", dir + string(filepath.Separator)}, flags...)
	if out, err := exec.Command("go", append(args, packages...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %v: %w\n%s", args, err, out)
	}
	return nil
}

// job is a program that was started, with all its ranks.
type job struct {
	t      testing.TB
	ctx    context.Context
	cancel func()
	cmd    *exec.Cmd
	id     string
	out    output
}

// jobs counts the jobs.
var jobs struct {
	sync.Mutex
	n int
}

// start starts np ranks of a program with mpirun. np 0 stands for one process without mpirun. The
// working directory is dir.
func start(t testing.TB, dir string, np int, args ...string) *job {
	t.Helper()
	return startWith(t, nil, dir, np, args...)
}

// unhurried has Open MPI's mpirun sleep for ten seconds between SIGTERM and SIGKILL, which it always does to the end, and
// not for one, in which a busy machine may store no checkpoint and print no report.
var unhurried = []string{"OMPI_MCA_odls_base_sigkill_timeout=10"}

// startWith is start with more in the environment.
func startWith(t testing.TB, env []string, dir string, np int, args ...string) *job {
	t.Helper()
	jobs.Lock()
	jobs.n++
	j := &job{t: t, id: fmt.Sprintf("%d-%d", os.Getpid(), jobs.n)}
	jobs.Unlock()
	args = together(np, args...)
	j.ctx, j.cancel = context.WithTimeout(context.Background(), testkit.Limit(t))
	j.cmd = exec.CommandContext(j.ctx, args[0], args[1:]...)
	j.cmd.Dir, j.cmd.Stdout, j.cmd.Stderr = dir, &j.out, &j.out
	j.cmd.Cancel = func() error { // ranks that outlive mpirun hold its output open
		j.killAll()
		return j.cmd.Process.Kill()
	}
	j.cmd.Env = append(session.Env(t, jobEnv+"="+j.id), env...)
	require.NoError(t, j.cmd.Start(), "mpirun: install Open MPI (libopenmpi-dev and openmpi-bin), as make test-mpi does")
	t.Cleanup(j.killAll)
	return j
}

// killAll ends what is left of the job.
func (j *job) killAll() {
	for _, pid := range j.processes() {
		kill(pid)
	}
}

var isOpenMPI = sync.OnceValue(func() bool {
	version, err := exec.Command("mpirun", "--version").Output()
	return err == nil && bytes.Contains(version, []byte("Open MPI"))
})

// mpirun returns the first words of a command line for np ranks.
func mpirun(np int) []string {
	words := []string{"mpirun", "-np", strconv.Itoa(np)}
	if isOpenMPI() {
		words = append(words, "--oversubscribe")
	}
	return words
}

// together returns the command line that runs a program on np ranks.
func together(np int, program ...string) []string {
	switch {
	case np == 0:
		return program
	case byThemselves:
		return append(slices.Clip(program), "--ranks="+strconv.Itoa(np))
	}
	return append(mpirun(np), program...)
}

// wait waits until the job is over. It returns what all ranks have printed and the
// exit status, and fails if there are processes left.
func (j *job) wait() (out string, status int) {
	j.t.Helper()
	defer j.cancel()
	_ = j.cmd.Wait() // the status shows it
	require.NoError(j.t, j.ctx.Err(), "%v hangs:\n%s", j.cmd.Args, &j.out)
	for len(j.processes()) > 0 { // the last of them are on their way out
		require.NoError(j.t, j.ctx.Err(), "%v has left processes:\n%s", j.cmd.Args, &j.out)
		time.Sleep(time.Millisecond)
	}
	return j.out.String(), j.cmd.ProcessState.ExitCode()
}

// run runs one of our programs, which must succeed, in a new folder, and returns what it
// printed.
func run(t testing.TB, np int, program string, args ...string) string {
	t.Helper()
	return runIn(t, t.TempDir(), np, program, args...)
}

func runIn(t testing.TB, dir string, np int, program string, args ...string) string {
	t.Helper()
	out, status := start(t, dir, np, append([]string{filepath.Join(bin, program)}, args...)...).wait()
	require.Zero(t, status, "%d ranks of %s %v:\n%s", np, program, args, out)
	return out
}

// output collects what a job prints, while it does.
type output struct {
	lock  sync.Mutex
	text  bytes.Buffer
	shows string // text that is waited for
	shown chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.text.Write(p)
	o.look()
	return len(p), nil
}

func (o *output) look() {
	if o.shown != nil && strings.Contains(o.text.String(), o.shows) {
		close(o.shown)
		o.shown = nil
	}
}

func (o *output) String() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.String()
}

// await waits until the job has printed a text.
func (j *job) await(text string) {
	j.t.Helper()
	shown := make(chan struct{})
	o := &j.out
	o.lock.Lock()
	o.shows, o.shown = text, shown
	o.look()
	o.lock.Unlock()
	select {
	case <-shown:
	case <-j.ctx.Done():
		out, _ := j.wait()
		require.Fail(j.t, "never printed", "%q in\n%s", text, out)
	}
}

// until returns when something is so, before which the job must not end.
func (j *job) until(is func() bool) {
	j.t.Helper()
	for looks := 0; !is(); looks++ {
		if looks%256 == 255 && len(j.processes()) == 0 || j.ctx.Err() != nil {
			out, _ := j.wait()
			require.Fail(j.t, "it has ended too early", "%v:\n%s", j.cmd.Args, out)
		}
		time.Sleep(50 * time.Microsecond)
	}
}

// ofAnyRank are lines that LPs of all ranks print; mpirun puts them anywhere, even into a line of the report.
var ofAnyRank = regexp.MustCompile(`(LPHASH|Storing Dummy|Found Dummy|EXCHANGE|TRADER) \d+ [^\n]*\n`)

// figure returns the value that a report has under a label, and that it has it once.
func figure(t testing.TB, report, label string) string {
	t.Helper()
	report = ofAnyRank.ReplaceAllString(report, "")
	lines := regexp.MustCompile(`(?m)^\t`+regexp.QuoteMeta(label)+` +(\S.*)$`).FindAllStringSubmatch(report, -1)
	require.Len(t, lines, 1, "%q in\n%s", label, report)
	return strings.TrimSpace(lines[0][1])
}

// count is figure of a number.
func count(t testing.TB, report, label string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(figure(t, report, label), 10, 64)
	require.NoError(t, err, report)
	return n
}

// Tests of runs that go wrong on one rank: they end on all ranks, and say why once.

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
		{"exit", `(?i)exit (code: +|status )3`, 3},
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
		{2, []string{"--here=store", "--others=run"}, `ross: Run: rank 1 calls Store of stored at the same time`},
		{4, []string{"--here=load", "--early", "--rank=0"}, `ross: Load of none in mode 1: ranks 1, 2 and 3 call Run at the same time`},
		{2, []string{"--here=load", "--early"}, `ross: Run: rank 1 calls Load of none in mode 1 at the same time`},
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

// TestRanksThatAProgramCannotStartAreRefused has command lines and environments with which there is nothing to start.
func TestRanksThatAProgramCannotStartAreRefused(t *testing.T) {
	phold := filepath.Join(bin, "phold")
	for _, c := range []struct {
		env, args, says string
		status          int
	}{
		{"OMPI_COMM_WORLD_SIZE=2", "--ranks=2 --synch=3", `option --ranks=2: OMPI_COMM_WORLD_SIZE in the environment says that mpirun`, 2},
		{"PMI_SIZE=1", "--ranks=2 --synch=3", `option --ranks=2: PMI_SIZE in the environment says that mpirun`, 2},
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
	once(t, "what mpirun does")
	for _, synch := range []int{2, 3} {
		for _, rank := range []int{0, 1} {
			t.Run(fmt.Sprintf("synch=%d/rank=%d", synch, rank), func(t *testing.T) {
				t.Parallel()
				j := endless(t, synch)
				require.NoError(t, syscall.Kill(j.rank(rank), syscall.SIGKILL))
				j.endsSaying(cmp.Or(map[bool]string{true: killedLine(rank, 0)}[byThemselves], `(?i)signal:? 9`))
			})
		}
	}
}

func TestASignalStopsARunWhichReportsWhatItHasDone(t *testing.T) {
	once(t, "what mpirun does")
	for _, synch := range []int{2, 3} {
		signal := map[int]syscall.Signal{2: syscall.SIGTERM, 3: syscall.SIGINT}[synch] // mpirun passes both on as SIGTERM
		t.Run(fmt.Sprintf("synch=%d/%v to mpirun", synch, signal), func(t *testing.T) {
			t.Parallel()
			j := endless(t, synch, unhurried...)
			require.NoError(t, j.cmd.Process.Signal(signal))
			j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`)
			count(t, j.out.String(), "Net Events Processed")
		})
		t.Run(fmt.Sprintf("synch=%d/to all that a program has started", synch), func(t *testing.T) {
			if !byThemselves {
				t.Skip("mpirun would get it, too")
			}
			t.Parallel()
			j := endless(t, synch)
			for _, pid := range j.processes() {
				_ = syscall.Kill(pid, syscall.SIGINT) // a rank may have ended
			}
			require.Equal(t, 128+int(syscall.SIGINT), j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`))
			count(t, j.out.String(), "Net Events Processed")
		})
		t.Run(fmt.Sprintf("synch=%d/to rank 1", synch), func(t *testing.T) {
			t.Parallel()
			j := endless(t, synch, unhurried...)
			require.NoError(t, syscall.Kill(j.rank(1), syscall.SIGINT))
			require.Equal(t, 128+int(syscall.SIGINT), j.endsSaying(`run stopped at time \S+ of 1e\+15: .*interrupted`))
			count(t, j.out.String(), "Net Events Processed")
		})
	}
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
	testlevel.Once(t, "what launchers do")
	for i, phase := range phases {
		for k, synch := range []string{"--synch=2", "--synch=3"} {
			for rank := range 2 {
				if rank != (i+k)%2 && phase.name != "run" { // each rank once in each phase, and in a run under both schedulers
					continue
				}
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
			prefix := filepath.Join(dir, "ranks")
			model := []string{"--lookahead=0.1", "--digest", "--io-name=ranks"}
			j := start(t, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, model...),
				"--nlp=2000", "--synch=3", "--pes=1", "--gvt-interval=1", "--end=1e15", "--io-interval=1e-6", "--io-keep=3", "--progress=off")...)
			// The second is whole, and a part of another one is there, which is not.
			j.until(func() bool {
				numbers, _ := rio.Numbers(prefix)
				return len(numbers) > 1 && numbers[len(numbers)-1] > 0 && half(dir)
			})
			j.killed(rank)

			newest, err := rio.Latest(prefix)
			require.NoError(t, err)
			cp, err := rio.Open(newest)
			require.NoError(t, err)
			require.NoError(t, cp.Verify())
			end := fmt.Sprintf("--end=%g", cp.Info().Clock+2)
			require.NoError(t, cp.Close())
			again := runIn(t, dir, 2, "phold", append(model, "--nlp=2000", "--synch=3", "--pes=1", "--io-restart=latest", end)...)
			one := run(t, 0, "phold", "--synch=1", "--nlp=4000", "--lookahead=0.1", "--digest", end)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
			require.NotEqual(t, count(t, one, "Net Events Processed"), count(t, again, "Net Events Processed"), "it began anew")
		})
	}
}

// half reports whether a file is there under a name that is not final.
func half(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".tmp") })
}
