// This file pins the model: against theory, against its plain form (plain_test.go), in every scheduler; and studies with
// it: the table is that of single runs, and the documents say what works.

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// Every scheduler leaves the events, states and statistics that the sequential one leaves, also
// after a restart from a checkpoint.

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
	tested.DifferentWith(t, line+"--end=40 ", "", "--servers=3", "--arrivals=0.7", "--service=1.1", "--leave=0.6", "--urgent=0.3", "--patience=4", "--seed=2")
}

// TestTheTransientMayBeLeftToACheckpoint stores after the transient, and starts from there with
// statistics that begin later: they are those of a run that never stopped.
func TestTheTransientMayBeLeftToACheckpoint(t *testing.T) {
	const stations = 12
	play := func(from, to string, synch ross.Scheduler, pes, nkp int, warmUp, end float64) string {
		p, cfg := defaults()
		require.NoError(t, p.prepare(&cfg))
		p.stations = stations
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			c.Synch, c.PEs, c.NLP, c.NKP, c.WarmUp, c.End = synch, pes, int(stations/pes), int(nkp), warmUp, end
			c.ConsLookahead, c.MaxMemory = cfg.ConsLookahead, 256<<20
		}}, p.network())
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		busy, _ := table.Row("station", "servers busy")
		require.Less(t, busy.Mean, float64(p.servers))
		var text bytes.Buffer
		require.NoError(t, table.WriteJSON(&text))
		return text.String()
	}
	want := play("", "", 1, 1, 4, 60, 120)
	for i, leg := range testlevel.Pick([][4]int{{1, 1, 3, 4}, {3, 2, 1, 1}, {2, 3, 3, 3}, {3, 4, 2, 2}}, [][4]int{{3, 2, 2, 2}}, [][4]int{{1, 1, 3, 2}}) {
		half := filepath.Join(t.TempDir(), "half")
		play("", half, ross.Scheduler(leg[0]), leg[1], 2, float64(10*i), 50)
		require.Equal(t, want, play(half, "", ross.Scheduler(leg[2]), leg[3], 3, 60, 120), "%d", leg)
	}
}

// The stations are what theory says: M/M/1 and M/M/c queues, and a Jackson network, in which each
// station is such a queue.

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

// table runs the model and returns its statistics.
func (p *params) table(ctx context.Context, cfg ross.Config) (*stats.Table, error) {
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
	return stats.Collect(sim)
}

// measure runs the network once with customers who never give up.
func measure(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	p, cfg := defaults()
	p.servers, p.leave, p.patience, p.walk = uint64(t.Int("servers")), t.Float("leave"), 0, 0
	p.arrivals = 0.7 * p.leave * float64(p.servers)
	cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = 8, 3000, 200, 0, 64<<20
	t.Configure(&cfg)
	table, err := p.table(ctx, cfg)
	if err != nil {
		return nil, err
	}
	length, _ := table.Row("station", "customers waiting")
	wait, _ := table.Row("station", "waiting time")
	using, _ := table.Row("station", "servers busy")
	return experiment.Responses{"length": length.Mean, "wait": wait.Mean, "using": using.Mean}, nil
}

func TestStationsAreQueuesOfTheory(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	e := experiment.Experiment{
		Name: "queueing", Run: measure, Seed: 14, Replications: 10, Confidence: 0.99,
		Points: experiment.Grid(experiment.Over("servers", 1, 3), experiment.Over("leave", 1.0, 0.5)),
	}
	results, err := e.Do(context.Background())
	require.NoError(t, err)
	for i, servers := range []int{1, 1, 3, 3} {
		load := 0.7 * float64(servers)
		length := waiting(load, servers)
		for response, want := range map[string]float64{"length": length, "wait": length / load, "using": load} {
			got, err := results.Interval(response, i)
			require.NoError(t, err)
			require.True(t, got.Contains(want), "%v: %s is %v, in theory %g", e.Points[i], response, got, want)
			require.Less(t, got.Half, 0.1*want, "the interval says something")
		}
	}
}

// The model and its plain form compute the same, and what the tools save in lines and cost in speed.

// simulation runs one of the two forms of the model, which must not fail.
func simulation(t testing.TB, plain bool, configure func(*params, *ross.Config)) (*plainModel, *ross.Simulation) {
	t.Helper()
	p, cfg := defaults()
	cfg.Statistics, cfg.MaxMemory = 0, 512<<20
	configure(&p, &cfg)
	require.NoError(t, p.prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	p.stations = int64(sim.TotalLPs())
	pm := &plainModel{params: p, warmUp: cfg.WarmUp, end: cfg.End}
	if plain {
		require.NoError(t, sim.Define(pm.network()))
	} else {
		require.NoError(t, sim.Define(p.network()))
	}
	require.NoError(t, sim.Run(context.Background()))
	return pm, sim
}

func TestPlainFormComputesTheSame(t *testing.T) {
	for _, how := range testlevel.Pick([]ross.Scheduler{1, 3, 6}, []ross.Scheduler{3}, []ross.Scheduler{3}) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.LPs, cfg.End, cfg.WarmUp = how, 10, 200, 30
			if p.patience = 2; how == ross.Optimistic {
				cfg.PEs, cfg.NKP, cfg.Tuning.Batch = 3, 2, 2
			}
		}
		_, tools := simulation(t, false, configure)
		pm, plain := simulation(t, true, configure)
		table, err := stats.Collect(tools)
		require.NoError(t, err)
		row := func(name string) stats.Row {
			r, ok := table.Row("station", name)
			require.True(t, ok, name)
			return r
		}
		f := pm.total(plain)
		st, sp := tools.Summary(), plain.Summary()
		require.Equal(t, st.NetEvents()+f.Missing, sp.NetEvents(), "cancelled timers are no events")
		require.Equal(t, row("services").Count, f.Served)
		require.Equal(t, row("gave up").Count, f.Lost)
		require.Greater(t, f.Lost, uint64(100))
		for name, got := range map[string]*testkit.Tally{"waiting time": &f.Wait, "waiting time of urgent": &f.Urgent, "time in network": &f.Stay} {
			r := row(name)
			got.Same(t, name, r.Count, r.Mean, r.StdDev, r.Min, r.Max)
		}
		wait := row("waiting time")
		for _, q := range []float64{0.75, 0.9, 0.99} {
			require.InEpsilon(t, wait.Quantile(q), f.Bins.quantile(q, f.Wait.N), 0.05, "quantile %g", q)
		}
		for name, got := range map[string]*testkit.Level{"customers waiting": &f.Length, "servers busy": &f.Using} {
			r := row(name)
			got.Same(t, name, r.Mean, r.NonZero, r.Max)
		}
	}
}

func TestModelIsShorterThanItsPlainForm(t *testing.T) {
	testlevel.Once(t, "lengths of files")
	model, plain := testkit.Lines(t, "queueing.go"), testkit.Lines(t, "plain_test.go", testkit.ByHand)
	require.Less(t, model*100, plain*60, "%d and %d lines", model, plain)
}

// BenchmarkNetwork compares the two forms: a run of 256 stations.
func BenchmarkNetwork(b *testing.B) {
	testkit.Versions(b, func(b *testing.B, plain bool, synch, pes int) float64 {
		_, sim := simulation(b, plain, func(_ *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = ross.Scheduler(synch), pes, 256, 400
		})
		st := sim.Summary()
		_ = sim.Close()
		return st.EventRate()
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
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
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

// single makes one run by itself, and returns the means in the file of its statistics, or what counters have counted.
func single(t *testing.T, line string) map[string]float64 {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields(line+" --statistics=2 --progress=off --stats-path="+dir+"/s"), &out, &errs), "%s", &errs)
	files, err := filepath.Glob(dir + "/s*/*statistics.json")
	require.NoError(t, err)
	require.Len(t, files, 1)
	content, err := os.ReadFile(files[0])
	require.NoError(t, err)
	var table struct {
		Rows []struct {
			Statistic, Kind string
			Sum, Mean       float64
		}
	}
	require.NoError(t, json.Unmarshal(content, &table))
	means := map[string]float64{}
	for _, row := range table.Rows {
		if means[row.Statistic] = row.Mean; row.Kind == "counter" {
			means[row.Statistic] = row.Sum
		}
	}
	return means
}

// cells returns the cells of a study's table by point, column and name.
func cells(t *testing.T, line string, more ...string) []map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	var out, errs bytes.Buffer
	require.Zero(t, run(slices.Concat(strings.Fields(line), more, []string{"--progress=off", "--table=" + path}), &out, &errs), "%s", &errs)
	require.Empty(t, errs.String())
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var all []map[string]string
	for _, row := range rows[1:] {
		cell := map[string]string{}
		for i, name := range rows[0] {
			cell[name] = row[i]
		}
		all = append(all, cell)
	}
	return all
}

const small = "--lps=6 --end=60 --warm-up=10 --seed=5"

// TestAStudyIsTheMeanOfSingleRuns computes means and half widths of three runs as a textbook does.
func TestAStudyIsTheMeanOfSingleRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	const student = 4.302652729749464 // of two degrees of freedom, at 0.975
	got := cells(t, small+" --replications=3 --vary=servers=1..2")
	require.Len(t, got, 2)
	for i, cell := range got {
		require.Equal(t, strconv.Itoa(i+1), cell["servers"])
		var runs []map[string]float64
		for replication := range 3 {
			runs = append(runs, single(t, fmt.Sprintf("%s --servers=%d --replication=%d", small, i+1, replication)))
		}
		require.Len(t, runs[0], 7)
		for name := range runs[0] {
			sum, squares := 0.0, 0.0
			for _, r := range runs {
				sum += r[name]
			}
			for _, r := range runs {
				squares += (r[name] - sum/3) * (r[name] - sum/3)
			}
			number := func(column string) float64 {
				x, err := strconv.ParseFloat(cell[name+column], 64)
				require.NoError(t, err, name+column)
				return x
			}
			require.InEpsilon(t, sum/3, number(" mean"), 1e-12, name)
			require.InEpsilon(t, student*math.Sqrt(squares/2/3), number(" half width"), 1e-9, name)
			require.Equal(t, "3", cell[name+" n"])
		}
	}
}

// TestAStudyIsAnExperiment compares a study until a precision is reached with package experiment.
func TestAStudyIsAnExperiment(t *testing.T) {
	e := experiment.Experiment{
		Name: "by hand", Seed: 5, Workers: 1, Points: experiment.Grid(experiment.Over("servers", 2, 3), experiment.Over("patience", 0.0, 2.5)),
		Until: []experiment.Precision{{Response: "waiting time", Relative: 0.2}}, Replications: 4, MaxReplications: 60,
		Run: func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
			p, cfg := defaults()
			p.servers, p.patience = uint64(trial.Int("servers")), trial.Float("patience")
			cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics = 6, 60, 10, 0
			trial.Configure(&cfg)
			table, err := p.table(ctx, cfg)
			if err != nil {
				return nil, err
			}
			wait, _ := table.Row("station", "waiting time")
			return experiment.Responses{"waiting time": wait.Mean}, nil
		},
	}
	want, err := e.Do(context.Background())
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	got := cells(t, small+" --replications=4 --precision=0.2 --max-replications=60 --vary=servers=2,3 --vary=patience=0,2.5", "--results=waiting time")
	require.Len(t, got, 4)
	for i, cell := range got {
		interval, err := want.Interval("waiting time", i)
		require.NoError(t, err)
		require.Equal(t, strconv.FormatFloat(interval.Mean, 'g', -1, 64), cell["waiting time mean"])
		require.Equal(t, strconv.FormatFloat(interval.Half, 'g', -1, 64), cell["waiting time half width"])
		require.Equal(t, strconv.Itoa(interval.N), cell["waiting time n"])
	}
}

// TestThePageOnStudiesRuns runs what docs/running.md says, with this program. models/mpitest has the part with mpirun.
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
	require.NoError(t, os.WriteFile(filepath.Join(dir, "queueing"), []byte("#!/bin/sh\n"+selfEnv+"=1 exec '"+self+"' \"$@\"\n"), 0o700))
	shell := func(script string, env ...string) string {
		cmd := exec.Command("bash", "-euc", "go() { test \"$*\" = 'build ./models/queueing'; }\n"+script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", script, out)
		return string(out)
	}
	ran := 0
	journaled, merged := "", ""
	for rest := section; ; ran++ {
		_, block, found := strings.Cut(rest, "```sh\n")
		if !found {
			break
		}
		block, rest, _ = strings.Cut(block, "```")
		switch {
		case strings.Contains(block, "mpirun "):
		case strings.Contains(block, "#SBATCH --array=0-9\n"):
			for task := range 10 {
				out := shell(block, fmt.Sprint("SLURM_ARRAY_TASK_ID=", task), "SLURM_ARRAY_TASK_COUNT=10", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_STEP=1")
				require.Contains(t, out, fmt.Sprintf("task %d/10 is done", task))
			}
		case strings.Contains(block, "--merge="):
			merged = shell(block)
		case strings.Contains(block, "--journal="):
			journaled = shell(block)
			require.Equal(t, journaled, shell(block), "from the journal")
		default:
			require.Contains(t, shell(block), "confidence intervals")
		}
	}
	require.Equal(t, 5, ran)
	require.Contains(t, merged, "servers")
	require.Equal(t, journaled, merged)
	for _, name := range []string{"waits.csv", "merged.csv"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
}

// Theory: intervals of experiments with stations cover what Erlang's formula says at the nominal rate.

func TestIntervalsOfStationsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	for _, servers := range []int{1, 3} {
		load := 0.7 * float64(servers)
		length := waiting(load, servers)
		rosstest.Covers(t, 20, fmt.Sprintf("queueing, M/M/%d", servers), map[string]float64{
			"customers waiting": length, "waiting time": length / load, "servers busy": load,
		}, func(configure func(*ross.Config)) (map[string]float64, error) {
			p, cfg := defaults()
			p.servers, p.leave, p.patience, p.walk, p.arrivals = uint64(servers), 1, 0, 0, load
			cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = 4, 700, 100, 0, 64<<20
			configure(&cfg)
			table, err := p.table(context.Background(), cfg)
			if err != nil {
				return nil, err
			}
			means := map[string]float64{}
			for _, name := range []string{"customers waiting", "waiting time", "servers busy"} {
				row, _ := table.Row("station", name)
				means[name] = row.Mean
			}
			return means, nil
		})
	}
}
