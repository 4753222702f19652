//go:build linux || (mpi && cgo && !purego)

// This file owns how tests build programs and run them on ranks.

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
var byThemselves = cmp.Or(os.Getenv(launcherEnv),
	map[bool]string{true: "mpirun", false: "--ranks"}[mpi.Enabled]) == "--ranks"

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
	all := []string{"../phold", "../zerotie", "../stress", "../queueing", "./testdata/bad", "./testdata/several",
		"github.com/ross-go/ross/proc/internal/gates"}
	if testlevel.Is(testlevel.Few) {
		return all
	}
	return append(all, "../pholdio")
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

// unhurried has Open MPI's mpirun sleep for ten seconds between SIGTERM and SIGKILL, which it always does to the end,
// and not for one, in which a busy machine may store no checkpoint and print no report.
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

// await waits until the job has printed a text, which it must do before it ends.
func (j *job) await(text string) {
	j.t.Helper()
	shown := make(chan struct{})
	o := &j.out
	o.lock.Lock()
	o.shows, o.shown = text, shown
	o.look()
	o.lock.Unlock()
	for {
		select {
		case <-shown:
			return
		case <-j.ctx.Done():
		case <-time.After(100 * time.Millisecond):
			if len(j.processes()) > 0 {
				continue
			}
		}
		out, _ := j.wait()
		require.Contains(j.t, out, text, "%v has ended without", j.cmd.Args)
		return
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

// The processes of a job, as /proc shows them.

// rankEnv are the environment variables in which Open MPI and MPICH pass a rank its
// number.
var rankEnv = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}

// environment returns the variables of a process, as NAME=value, none if there is no
// such process any more.
func environment(pid int) []string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return strings.Split(string(text), "\x00")
}

// processes returns the processes of the job that are there, mpirun among them.
func (j *job) processes() (pids []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(j.t, err)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && slices.Contains(environment(pid), jobEnv+"="+j.id) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// rank returns the process of a rank. A wrapper of it has to exec it.
func (j *job) rank(n int) int {
	j.t.Helper()
	if byThemselves && n == 0 {
		return j.cmd.Process.Pid
	}
	for _, pid := range j.processes() {
		env := environment(pid)
		if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, fmt.Sprintf("ROSS_RANK=%d/", n)) }) {
			return pid
		}
		for _, name := range rankEnv {
			if slices.Contains(env, name+"="+strconv.Itoa(n)) {
				return pid
			}
		}
	}
	require.Fail(j.t, "no such rank", "%d of\n%s", n, &j.out)
	return 0
}

// kill ends a process that may have ended.
func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
