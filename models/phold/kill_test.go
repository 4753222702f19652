// Runs that are killed or stopped, and continue from their checkpoints.

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/rio"
)

// child names the variable that makes the test binary the program: it holds the words of its
// command line.
const child = "ROSS_PHOLD_CHILD"

func TestMain(m *testing.M) {
	if args := os.Getenv(child); args != "" {
		os.Exit(run(strings.Fields(args), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// process is the program in a separate process.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

func launch(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Dir, p.Env = dir, append(os.Environ(), child+"="+strings.Join(args, " "))
	p.Stdout, p.Stderr = &p.out, &p.errs
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

var digestLine = regexp.MustCompile(`Committed Event Digest +(\S+)`)

// digest waits for the end of the process.
func (p *process) digest(t *testing.T) string {
	t.Helper()
	require.NoError(t, p.Wait(), "%s%s", &p.out, &p.errs)
	m := digestLine.FindStringSubmatch(p.out.String())
	require.NotNil(t, m, "%s", &p.out)
	return m[1]
}

// awaitCheckpoint returns when there is one whose number is at least n.
func awaitCheckpoint(t *testing.T, p *process, prefix string, n uint64) {
	t.Helper()
	for {
		numbers, err := rio.Numbers(prefix)
		require.NoError(t, err)
		if last := len(numbers) - 1; last >= 0 && numbers[last] >= n && rio.Exists(rio.Numbered(prefix, numbers[last])) {
			return
		}
		require.NoError(t, p.Process.Signal(syscall.Signal(0)), "it has ended without a checkpoint: %s%s", &p.out, &p.errs)
		time.Sleep(time.Millisecond)
	}
}

// shapesOfRuns spread 128 LPs.
var shapesOfRuns = []string{
	"--synch=1 --nlp=128 --nkp=3", "--synch=3 --pes=2 --nlp=64 --nkp=16 --io-files=2", "--synch=2 --pes=2 --nlp=64 --nkp=1 --io-compress",
	"--synch=3 --pes=4 --nlp=32 --nkp=4 --io-files=3",
}

const sameRun = "--start-events=8 --remote=0.25 --lookahead=0.1 --cons-lookahead=0.1 --end=%g --digest --io-name=run --progress=off"

// far is an end that no run comes to before it is stopped: after some 10^9 events.
const far = 1e6

// kills is how many processes are killed, ROSS_KILLS if that is set.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("ROSS_KILLS")); err == nil {
		return n
	}
	return 3
}

// TestKilledRunsGoOnFromAWholeCheckpoint kills runs at random moments, soon after one of their
// first checkpoints, of which there is one every 10 ms.
func TestKilledRunsGoOnFromAWholeCheckpoint(t *testing.T) {
	seed := testrand.Seed(t)
	dice := rand.New(rand.NewPCG(seed, 1))
	for i := range kills() {
		dir := t.TempDir()
		prefix := filepath.Join(dir, "run")
		first, second := shapesOfRuns[i%len(shapesOfRuns)], shapesOfRuns[dice.IntN(len(shapesOfRuns))]
		p := launch(t, dir, first, fmt.Sprintf(sameRun, far), "--io-interval=0.01")
		awaitCheckpoint(t, p, prefix, dice.Uint64N(5))
		time.Sleep(time.Duration(dice.Int64N(2e7)))
		require.NoError(t, p.Process.Kill())
		require.Error(t, p.Wait())
		newest, err := rio.Latest(prefix)
		require.NoError(t, err)
		cp, err := rio.Open(newest)
		require.NoError(t, err)
		same := fmt.Sprintf(sameRun, cp.Info().Clock+100)
		require.NoError(t, cp.Close())
		again := launch(t, dir, second, same, "--io-restart=latest")
		require.Equal(t, launch(t, t.TempDir(), shapesOfRuns[0], same).digest(t), again.digest(t), "%s, then %s", first, second)
		require.Contains(t, again.out.String(), "Restart at time ")
	}
}

func TestSignalLeavesACheckpoint(t *testing.T) {
	same := fmt.Sprintf(sameRun, far)
	for i, shape := range shapesOfRuns {
		t.Run(shape, func(t *testing.T) {
			dir := t.TempDir()
			p := launch(t, dir, shape, same, "--io-on-exit --io-interval=0.01")
			awaitCheckpoint(t, p, filepath.Join(dir, "run"), 0)
			require.NoError(t, p.Process.Signal(syscall.SIGTERM))
			err := p.Wait()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 128+int(syscall.SIGTERM), exit.ExitCode(), "%s%s", &p.out, &p.errs)
			stored := regexp.MustCompile(`Checkpoint stored at time (\S+): (run-\d+)\n`).FindStringSubmatch(p.out.String())
			require.NotNil(t, stored, "%s", &p.out)
			at, err := strconv.ParseFloat(stored[1], 64)
			require.NoError(t, err)
			newest, err := rio.Latest(filepath.Join(dir, "run"))
			require.NoError(t, err)
			require.Equal(t, stored[2], filepath.Base(newest))
			files, err := filepath.Glob(filepath.Join(dir, "run-*.rio-md"))
			require.NoError(t, err)
			require.NotEmpty(t, files) // the first may be of the very moment at which the run stops
			require.LessOrEqual(t, len(files), int(ross.DefaultConfig().IOKeep))

			// To a little beyond it, there is one digest.
			end := at + 50
			little := fmt.Sprintf(sameRun, end)
			want := launch(t, t.TempDir(), shapesOfRuns[0], little).digest(t)
			got := launch(t, dir, shapesOfRuns[(i+1)%len(shapesOfRuns)], little, "--io-restart=latest").digest(t)
			require.Equal(t, want, got)
		})
	}
}
