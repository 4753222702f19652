// This file pins PHOLD: against ROSS, checked by two schedulers, killed and continued, and its command line; and the
// promise of --max-memory: it is a ceiling on the memory of the process.

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/rio"
)

// PHOLD against what ROSS printed for the same command lines:
// testdata/<set>/cmd.txt is the command, the csv files are its event trace, and
// the report is testdata/<set>/stats.txt of package report.

var tested = testkit.Program{Name: "phold", Run: run}

// figure returns the line of a report that begins with a label.
func figure(t *testing.T, report, label string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(label) + ` .*$`).FindString(report)
	require.NotEmpty(t, line, "the report has no %q", label)
	return line
}

var progress = regexp.MustCompile(`(?m)^(GVT #.*) at .*\.\n(AVL tree size: .*)$`)

// progressLines returns the progress lines of a report but for the clock time.
func progressLines(report string) []string {
	var lines []string
	for _, m := range progress.FindAllStringSubmatch(report, -1) {
		lines = append(lines, m[1]+", "+m[2])
	}
	return lines
}

// sets are those of ROSS, and how many LPs each has. The last one is of two ranks.
var sets = map[string]int{"ties-default": 8, "lookahead01": 8, "ties-remote1": 8, "stagger": 8, "startevents4": 6,
	"opt2-la01": 8}

// requireFigures requires that two reports have the same in lines with these labels.
func requireFigures(t *testing.T, want, got string, labels ...string) {
	t.Helper()
	for _, label := range labels {
		require.Equal(t, figure(t, want, label), figure(t, got, label))
	}
}

func TestSequentialRunsAreThoseOfROSS(t *testing.T) {
	hows := [][]string{{"--synch=6", "--event-trace=3"}}
	for _, impl := range pq.Impls() {
		hows = append(hows, []string{"--synch=1", "--pq=" + impl, "--event-trace=1"},
			[]string{"--synch=1", "--pq=" + impl, "--event-trace=3"})
	}
	for set, lps := range sets {
		byDest, report := testkit.Reference(t, set, "trace_by_dest.csv"), testkit.Report(t, set)
		var inOrder []testkit.Record // opt2-la01 has none, and has rolled back events past the end
		if set != "opt2-la01" {
			inOrder = testkit.Reference(t, set, "trace.csv")
		}
		for _, how := range hows {
			t.Run(set+"/"+strings.Join(how, ","), func(t *testing.T) {
				got, out := tested.Like(t, set, append(how, fmt.Sprintf("--nlp=%d", lps))...)
				require.NoError(t, testkit.Compare(testkit.ByDest(got), byDest))
				requireFigures(t, report, out, "Net Events Processed")
				if inOrder == nil {
					return
				}
				require.NoError(t, testkit.Compare(got, inOrder))
				require.Greater(t, len(progressLines(report)), 90)
				require.Equal(t, progressLines(report), progressLines(out))
				requireFigures(t, report, out, "Total Events Scheduled Past End Time")
			})
		}
	}
}

func TestParallelRunsAreThoseOfROSS(t *testing.T) {
	for set, lps := range sets {
		byDest, report := testkit.Reference(t, set, "trace_by_dest.csv"), testkit.Report(t, set)
		for _, synch := range []string{"2", "3", "5"} {
			t.Run(set+"/synch="+synch, func(t *testing.T) {
				got, out := tested.Like(t, set, "--event-trace=3", "--cons-lookahead=0.1", "--synch="+synch, "--pes=2",
					fmt.Sprintf("--nlp=%d", lps/2))
				require.NoError(t, testkit.Compare(testkit.ByDest(got), byDest))
				requireFigures(t, report, out, "Net Events Processed")
			})
		}
	}
}

// TestOtherParametersGiveOtherTraces shows that the comparison can fail.
func TestOtherParametersGiveOtherTraces(t *testing.T) {
	const set = "ties-default"
	want := testkit.Reference(t, set, "trace.csv")
	for _, more := range [][]string{
		{"--remote=0.26"},
		{"--lookahead=0.999999"},
		{"--core-rng-seed1=5", "--core-rng-seed2=6", "--core-rng-seed3=7", "--core-rng-seed4=8"},
		{"--rng-seed1=5", "--rng-seed2=6", "--rng-seed3=7", "--rng-seed4=8"},
	} {
		t.Run(more[0], func(t *testing.T) {
			got, _ := tested.Like(t, set, more...)
			require.ErrorContains(t, testkit.Compare(got, want), "differ at record")
		})
	}
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: "--start-events=4 --lookahead=0.1 --end=100",
		Short: testlevel.Is(testlevel.Few)})
}

// The commands by which ROSS tests its PHOLD. All of them have to run here.

// wholeEnv, set to 1, has the commands run as they are, to virtual time 100000, which
// takes a minute. Otherwise they end soon after the first sample at a virtual time.
const wholeEnv = "ROSS_PHOLD_WHOLE"

// TestROSSsOwnTestsRunAndAgree runs mpirun -np 2 as --pes=2. PHOLD with the default options
// has one event for each LP and unit of time, the last of them at the end, and what
// is on 8 LPs of 2 PEs is what 16 LPs do in a sequential run.
func TestROSSsOwnTestsRunAndAgree(t *testing.T) {
	end := 12_000
	if os.Getenv(wholeEnv) == "1" {
		end = 100_000
	}
	until := fmt.Sprintf("--end=%d", end)
	digests := map[int]string{}
	for ranks, nlp := range map[int]string{0: "8", 2: "16"} {
		_, digests[ranks] = command(t, "--synch=1", "--nlp="+nlp, until)
	}
	require.NotEqual(t, digests[0], digests[2])
	require.Len(t, testkit.PHOLDCommands(""), 18)
	for _, c := range testkit.PHOLDCommands("") {
		t.Run(c.Name, func(t *testing.T) {
			lps := 8 * max(c.Ranks, 1)
			args := append(strings.Fields(c.Line), until)
			if c.Ranks > 0 {
				args = append(args, "--pes="+strconv.Itoa(c.Ranks))
			}
			events, digest := command(t, args...)
			if c.Synch() == "4" { // everything is undone in the end
				require.Zero(t, events)
			} else {
				require.Equal(t, lps*(end-1), events)
				require.Equal(t, digests[c.Ranks], digest)
			}
			require.Equal(t, filesOf(c), collected(t))
			if strings.Contains(c.Line, "--event-trace=1") { // each execution, in buffers of any size
				trace, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
				require.NoError(t, err)
				require.GreaterOrEqual(t, len(trace), events)
				require.True(t, c.Ranks > 0 || len(trace) == events)
			}
		})
	}
}

// command runs phold in a new folder. It returns the net events and the digest.
func command(t *testing.T, args ...string) (events int, digest string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run(append(args, "--digest", "--max-memory=200M"), &out, &errs), "%v: %s", args, &errs)
	require.Empty(t, errs.String())
	require.NotContains(t, out.String(), "\nNote: ")
	events, err := strconv.Atoi(strings.Fields(figure(t, out.String(), "Net Events Processed"))[3])
	require.NoError(t, err)
	if events == 0 { // everything was undone, and there is no digest
		require.NotContains(t, out.String(), "Committed Event Digest")
		return 0, ""
	}
	return events, figure(t, out.String(), "Committed Event Digest")
}

// filesOf returns what a command collects.
func filesOf(c testkit.Command) (names []string) {
	has := func(option string) bool { return strings.Contains(c.Line+" ", option+" ") }
	if has("--disable-output=1") {
		return nil
	}
	for _, kind := range []struct {
		name string
		is   bool
	}{
		{"analysis-lps", has("--engine-stats=4") || has("--model-stats=4")},
		{"evtrace", strings.Contains(c.Line, "--event-trace=")},
		{"gvt", has("--engine-stats=4")}, {"memory", has("--engine-stats=4")}, {"model", has("--model-stats=4")},
		{"rt", has("--engine-stats=4")},
		{"vt", has("--engine-stats=4") && has("--model-stats=4")},
	} {
		if kind.is {
			names = append(names, "ross-stats-"+kind.name+".bin")
		}
	}
	return names
}

// collected returns the names of the files that a run has left.
func collected(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("stats-output/*.bin*")
	require.NoError(t, err)
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	return names
}

// Runs that are killed or stopped, and continue from their checkpoints.

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
	"--synch=1 --nlp=128 --nkp=3", "--synch=3 --pes=2 --nlp=64 --nkp=16 --io-files=2",
	"--synch=2 --pes=2 --nlp=64 --nkp=1 --io-compress",
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
// first checkpoints: there is one every 10 ms.
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
		require.Equal(t, launch(t, t.TempDir(), shapesOfRuns[0], same).digest(t), again.digest(t), "%s, then %s", first,
			second)
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
			require.LessOrEqual(t, len(files), int(ross.DefaultConfig().Checkpoints.Keep))

			// To a little beyond it, there is one digest.
			end := at + 50
			little := fmt.Sprintf(sameRun, end)
			want := launch(t, t.TempDir(), shapesOfRuns[0], little).digest(t)
			got := launch(t, dir, shapesOfRuns[(i+1)%len(shapesOfRuns)], little, "--io-restart=latest").digest(t)
			require.Equal(t, want, got)
		})
	}
}

// What the program refuses, before anything has run.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--lookahead=1.5", "--lookahead=1.5: must be in [0, 1]"},
		{"--lookahead=nan", "must be in [0, 1]"},
		{"--mean=0.5", "--mean=0.5: must be finite and at least --lookahead, which is 1"},
		{"--mean=inf", "must be finite"},
		{"--remote=-0.1", "--remote=-0.1: must be in [0, 1]"},
		{"--mult=-1", "--mult=-1: must be in [0, 1e6]"},
		{"--start-events=5000000000", "must be at most 2^32"},
	})
}

// Theory: the rate of PHOLD's events. Each of the events that an LP starts with is a renewal process, whose
// intervals have the mean --mean. So an LP has --start-events / --mean events in a unit of time.

// renewals returns the mean number of events up to a time of a process with intervals of lookahead + an exponential
// time of mean delay: the sum over n of the probability that the n-th comes before it, which is that of n or more
// arrivals of a Poisson process in the time that n lookaheads leave.
func renewals(until, lookahead, delay float64) (sum float64) {
	for n := 1; until > float64(n)*lookahead; n++ {
		rest := (until - float64(n)*lookahead) / delay
		term, fewer := math.Exp(-rest), 0.0
		for k := range n {
			fewer += term
			term *= rest / float64(k+1)
		}
		if sum += 1 - fewer; 1-fewer < 1e-12 {
			break
		}
	}
	return sum
}

func TestIntervalsCoverTheRateOfEvents(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const end, population = 50.0, 4
	for _, lookahead := range []float64{0, 0.5} {
		const mean = 2.0
		exact := population * renewals(end, lookahead, mean-lookahead) / end
		rosstest.Covers(t, 20, fmt.Sprintf("phold, lookahead %g", lookahead),
			map[string]float64{"events per LP and time": exact},
			func(configure func(*ross.Config)) (map[string]float64, error) {
				p := params{remote: 0.5, mean: mean, mult: 1, lookahead: lookahead, startEvents: population}
				cfg := ross.DefaultConfig()
				cfg.LPs, cfg.End, cfg.MaxMemory, cfg.Output = 32, end, 64<<20, io.Discard
				configure(&cfg)
				if err := p.prepare(&cfg); err != nil {
					return nil, err
				}
				sim, err := ross.New(cfg)
				if err != nil {
					return nil, err
				}
				defer sim.Close()
				if err = p.build(sim); err == nil {
					err = sim.Run(context.Background())
				}
				if err != nil {
					return nil, err
				}
				net := sim.Summary().Counters
				return map[string]float64{"events per LP and time": float64(net.NetEvents()) / (32 * end)}, nil
			})
	}
}

// TestTheProcessStaysUnderItsCeiling runs PHOLD at a quarter of what it takes without a ceiling on
// one PE, whose optimism nothing limits, and stores checkpoints and a trace meanwhile.
func TestTheProcessStaysUnderItsCeiling(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("systems give the greatest resident size in units of their own")
	}
	testlevel.Once(t, "how much memory is resident")
	bin := filepath.Join(t.TempDir(), "phold")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	resident := func(pes int, args ...string) uint64 {
		cmd := exec.Command(bin, append([]string{"--synch=3", "--nkp=64", "--gvt-interval=10000000", "--end=40",
			fmt.Sprintf("--pes=%d", pes), fmt.Sprintf("--nlp=%d", 100000/pes)}, args...)...)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return uint64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
	}
	ceiling := resident(1) / 4
	require.Greater(t, ceiling, uint64(100<<20))
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{2}, nil) {
		got := resident(pes, fmt.Sprintf("--max-memory=%d", ceiling), "--io-virtual-interval=15", "--event-trace=1")
		t.Logf("%d PEs: %d of %d bytes, %.2f", pes, got, ceiling, float64(got)/float64(ceiling))
		require.Less(t, float64(got), 1.15*float64(ceiling), "%d PEs", pes)
	}
}
