// This file owns how tests build programs and run them: under mpirun, or as one process
// without it.

//go:build mpi && cgo && !purego

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
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/mpi/session"
	"github.com/ross-go/ross/internal/testlevel"
)

const (
	// buildEnv holds flags for go build.
	buildEnv = "ROSS_MPITEST_BUILD"
	// jobEnv is set in all processes of a job, to its number.
	jobEnv = "ROSS_MPITEST_JOB"
)

// bin is where the programs are.
var bin string

func TestMain(m *testing.M) { os.Exit(withPrograms(m.Run)) }

func withPrograms(run func() int) int {
	dir, err := os.MkdirTemp("", "ross-mpitest-")
	if err == nil {
		defer os.RemoveAll(dir)
		bin = dir
		flags := strings.Fields(cmp.Or(os.Getenv(buildEnv), "-tags=mpi"))
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
	if np > 0 {
		args = append(mpirun(np), args...)
	}
	j.ctx, j.cancel = context.WithTimeout(context.Background(), modeltest.Limit(t))
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

// wait waits until the job is over. It returns what all ranks have printed and the
// exit status, and fails if there are processes left.
func (j *job) wait() (out string, status int) {
	j.t.Helper()
	defer j.cancel()
	_ = j.cmd.Wait() // the status says it
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

// figure returns the value that a report has under a label, and that it has it once.
func figure(t testing.TB, report, label string) string {
	t.Helper()
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
