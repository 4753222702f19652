// This file pins the model: in every scheduler, against the same model by hand (byhand_test.go), and against theory;
// and that studies with it do what the documents say.

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/stats"
)

var tested = testkit.Program{Name: "queueing", Run: run}

// line has 12 stations; it stores its checkpoint while customers wait and timers run.
const line = "--lps=12 --walk=0.25 --warm-up=10 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	all := []string{"--end=100", "--end=100 --patience=0 --urgent=0", "--end=80 --servers=1 --service=0.6 --patience=1"}
	for _, more := range testlevel.Pick(all, all[:1], []string{"--end=40"}) {
		modeltest.Run(t, modeltest.Model{Program: queueing, Args: line + more, Short: testlevel.Is(testlevel.Few)})
	}
}

// TestEveryParameterChangesTheRun shows that the comparisons can fail.
func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+"--end=40 ", "", "--servers=3", "--arrivals=0.7", "--service=1.1", "--leave=0.6",
		"--urgent=0.3", "--patience=4", "--seed=2")
}

// simulation runs a version of the model, which must not fail.
func simulation(t testing.TB, manual bool, configure func(p *params, cfg *ross.Config)) (*byHand, *ross.Simulation) {
	t.Helper()
	p, cfg := defaults()
	cfg.Statistics, cfg.MaxMemory = 0, 512<<20
	configure(&p, &cfg)
	require.NoError(t, p.prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	p.stations = int64(sim.TotalLPs())
	hand := &byHand{params: p, warmUp: cfg.WarmUp, end: cfg.End}
	if manual {
		require.NoError(t, sim.Define(hand.network()))
	} else {
		require.NoError(t, sim.Define(p.network()))
	}
	require.NoError(t, sim.Run(context.Background()))
	return hand, sim
}

func TestVersionByHandComputesTheSameStatistics(t *testing.T) {
	testkit.Schedulers(func(synch, pes int) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NKP, cfg.LPs, cfg.End, cfg.WarmUp = ross.Scheduler(synch), pes, 2, 12, 200, 30
			p.patience = 2
		}
		_, sim := simulation(t, false, configure)
		hand, byHand := simulation(t, true, configure)
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		row := func(name string) stats.Row {
			r, ok := table.Row("station", name)
			require.True(t, ok, name)
			return r
		}
		f := hand.total(byHand)
		st, byHandSt := sim.Summary(), byHand.Summary()
		require.Equal(t, st.NetEvents()+f.Missing, byHandSt.NetEvents(), "cancelled timers are no events")
		require.Equal(t, row("services").Count, f.Served)
		require.Equal(t, row("gave up").Count, f.Lost)
		require.Greater(t, f.Lost, uint64(100))
		for name, tally := range map[string]*testkit.Tally{"waiting time": &f.Wait, "waiting time of urgent": &f.Urgent,
			"time in network": &f.Stay} {
			r := row(name)
			tally.Same(t, name, r.Count, r.Mean, r.StdDev, r.Min, r.Max)
		}
		wait := row("waiting time")
		for _, q := range []float64{0.75, 0.9, 0.99} {
			require.InEpsilon(t, wait.Quantile(q), f.Bins.quantile(q, f.Wait.N), 0.05, "quantile %g", q)
		}
		for name, level := range map[string]*testkit.Level{"customers waiting": &f.Length, "servers busy": &f.Using} {
			r := row(name)
			level.Same(t, name, r.Mean, r.NonZero, r.Max)
		}
	})
}

// BenchmarkNetwork compares the two versions: runs of 256 stations and 400,000 events.
func BenchmarkNetwork(b *testing.B) {
	testkit.Versions(b, func(b *testing.B, byHand bool, synch, pes int) (float64, uint64) {
		_, sim := simulation(b, byHand, func(_ *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = ross.Scheduler(synch), pes, 256, 400
		})
		st := sim.Summary()
		require.NoError(b, sim.Close())
		return st.Runtime, st.NetEvents()
	})
}

// What the program refuses, before anything has run.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--lps=100000000", "--lps=100000000: must be at most 2^24"},
		{"--servers=0", "--servers=0: must be in [1, 2^30]"},
		{"--arrivals=0", "--arrivals=0: must be in [1e-09, 1e+09]"},
		{"--service=inf", "--service=+Inf: must be in"},
		{"--leave=1.5", "--leave=1.5: must be in [0, 1]"},
		{"--urgent=nan", "--urgent=NaN: must be in [0, 1]"},
		{"--patience=-1", "--patience=-1: must be in [0, 1e+09]"},
		{"--walk=-1", "--walk=-1: must be in [0, 1e+09]"},
	})
}

// TestMain runs the tests, or the program itself with the environment variable selfEnv.
func TestMain(m *testing.M) {
	if os.Getenv(selfEnv) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const selfEnv = "ROSS_TEST_QUEUEING"

// TestThePageOnStudiesRuns runs what docs/running.md says, with this program. models/mpitest has the part with mpirun,
// and the tests of rossreader make pages of journals and tables.
func TestThePageOnStudiesRuns(t *testing.T) {
	testlevel.Once(t, "a document, and programs that it runs")
	page, err := os.ReadFile("../../docs/running.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Studies\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "queueing"), []byte("#!/bin/sh\n"+selfEnv+"=1 exec '"+self+"' \"$@\"\n"), 0o700))
	shell := func(script string, env ...string) string {
		cmd := exec.Command("bash", "-euc", "go() { test \"$*\" = 'build ./models/queueing'; }\n"+script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", script, out)
		return string(out)
	}
	ran, compared := 0, 0
	journaled, merged := "", ""
	for rest := section; ; ran++ {
		_, block, found := strings.Cut(rest, "```sh\n")
		if !found {
			break
		}
		block, rest, _ = strings.Cut(block, "```")
		switch {
		case strings.Contains(block, "mpirun "), strings.Contains(block, "./rossreader report"):
		case strings.Contains(block, "#SBATCH --array=0-9\n"):
			for task := range 10 {
				out := shell(block, fmt.Sprint("SLURM_ARRAY_TASK_ID=", task), "SLURM_ARRAY_TASK_COUNT=10", "SLURM_ARRAY_TASK_MIN=0",
					"SLURM_ARRAY_TASK_STEP=1")
				require.Contains(t, out, fmt.Sprintf("task %d/10 is done", task))
			}
		case strings.Contains(block, "--merge="):
			merged = shell(block)
		case strings.Contains(block, "--journal="):
			journaled = shell(block)
			require.Equal(t, journaled, shell(block), "from the journal")
		default:
			out := shell(block)
			require.Contains(t, out, "confidence intervals")
			if shown, is := strings.CutPrefix(rest, "\n\n```\n"); is {
				shown, _, _ = strings.Cut(shown, "```")
				require.Equal(t, shown, out)
				compared++
			}
		}
	}
	require.Equal(t, []int{9, 2}, []int{ran, compared})
	require.Contains(t, merged, "servers")
	require.Equal(t, journaled, merged)
	for _, name := range []string{"waits.csv", "merged.csv"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
}

// Theory: stations are M/M/1 and M/M/c queues, also in a network, with priorities and with impatient customers.

// waiting returns the mean number of customers who wait in an M/M/c queue (Erlang C), where load
// is the mean number of busy servers.
func waiting(load float64, servers int) float64 {
	term, sum := 1.0, 0.0
	for k := range servers {
		sum += term
		term *= load / float64(k+1)
	}
	free := 1 - load/float64(servers)
	all := term / free / (sum + term/free) // the part of customers who wait
	return all * (1 - free) / free
}

// means returns a run of an experiment with such stations, whose responses are the means of statistics.
func means(set func(p *params), lps int, warmUp, end float64) func(context.Context, *experiment.Trial) (
	experiment.Responses, error) {
	return func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
		p, cfg := defaults()
		p.leave, p.patience, p.walk = 1, 0, 0
		set(&p)
		cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = lps, end, warmUp, 0, 64<<20
		trial.Configure(&cfg)
		if err := p.prepare(&cfg); err != nil {
			return nil, err
		}
		sim, err := ross.New(cfg)
		if err != nil {
			return nil, err
		}
		defer sim.Close()
		if err = p.build(sim); err == nil {
			err = sim.Run(ctx)
		}
		if err != nil {
			return nil, err
		}
		table, err := stats.Collect(sim)
		means := experiment.Responses{}
		for _, name := range []string{"customers waiting", "waiting time", "waiting time of urgent", "servers busy"} {
			row, _ := table.Row("station", name)
			means[name] = row.Mean
		}
		return means, err
	}
}

// TestIntervalsOfStationsCoverTheExactMeans has intervals that cover what Erlang's formula says at the nominal rate.
func TestIntervalsOfStationsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	for _, servers := range []int{1, 3} {
		load := 0.7 * float64(servers)
		length := waiting(load, servers)
		run := means(func(p *params) { p.servers, p.arrivals = uint64(servers), load }, 4, 100, 700)
		rosstest.Covers(t, 20, fmt.Sprintf("queueing, M/M/%d", servers), map[string]float64{
			"customers waiting": length, "waiting time": length / load, "servers busy": load,
		}, func(configure func(*ross.Config)) (map[string]float64, error) {
			var cfg ross.Config
			configure(&cfg)
			return run(context.Background(), &experiment.Trial{Seed: cfg.Seed, Replication: cfg.Replication})
		})
	}
}

// impatient returns the mean number of customers who wait in an M/M/1 queue whose customers give up.
func impatient(load, patience float64) (length float64) {
	term, sum := 1.0, 0.0
	for n := range 200 { // n customers are there
		sum += term
		length += term * max(float64(n)-1, 0)
		term *= load / (1 + float64(n)/patience)
	}
	return length / sum
}

func TestNetworksAndCustomersAreThoseOfTheory(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	for name, c := range map[string]struct {
		set   func(p *params)
		exact map[string]float64
	}{
		"Jackson": {func(p *params) { p.servers, p.leave, p.arrivals = 3, 0.5, 0.7*3/2 },
			map[string]float64{"customers waiting": waiting(2.1, 3), "servers busy": 2.1}},
		"Cobham": {func(p *params) { p.servers, p.urgent, p.arrivals = 1, 0.4, 0.7 },
			map[string]float64{"waiting time of urgent": 0.7 / (1 - 0.4*0.7), "customers waiting": waiting(0.7, 1)}},
		"Palm": {func(p *params) { p.servers, p.patience, p.arrivals = 1, 2, 0.9 },
			map[string]float64{"customers waiting": impatient(0.9, 2)}},
	} {
		e := experiment.Experiment{Name: name, Run: means(c.set, 8, 200, 3000), Seed: 14, Replications: 10, Confidence: 0.99}
		results, err := e.Do(context.Background())
		require.NoError(t, err)
		for response, want := range c.exact {
			got, err := results.Interval(response, 0)
			require.NoError(t, err)
			require.True(t, got.Contains(want), "%s: %s is %v, in theory %g", name, response, got, want)
			require.Less(t, got.Half, 0.1*want, "the interval says something")
		}
	}
}
