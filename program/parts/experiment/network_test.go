// This file owns the queueing networks of the tests: the model, its stationary distribution, and exact results; the
// validation: intervals cover the exact results as often as the confidence says; and the tests of replications that are
// parallel runs, and of models that end early; and the examples of precision, journals, designs, warm-up and long runs.

package experiment_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/rng"
)

// station is a queue with servers in a network: customers arrive from outside at a rate (0: none), are
// served first come, first served, in exponential times, and go on to other stations with the
// probabilities of route. What these lack to 1 is the probability to leave.
type station struct {
	arrivals, service float64 // rates; of service, that of each server
	servers           int
	route             []float64
}

// network is an open Jackson network.
type network struct{ stations []station }

type queue struct {
	Customers  int
	Last, Area float64 // time of the last change; integral of Customers over time
	Served     int
}

type step struct{ Kind int }

const (
	arrives = iota // from outside
	comes          // from another station
	served
)

// run runs the network for a time and returns the mean number of customers at each station and the
// number served in a unit of time. The stations start with the given customers.
func (n *network) run(ctx context.Context, t *experiment.Trial, start []int, end float64) ([]queue, error) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End = int(len(n.stations)), 1, end
	cfg.MaxMemory = 64 << 20
	t.Configure(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	serve := func(lp *ross.LP) {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/n.stations[lp.ID()].service), step{served})
	}
	arrive := func(lp *ross.LP) {
		if rate := n.stations[lp.ID()].arrivals; rate > 0 {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/rate), step{arrives})
		}
	}
	err = sim.Define(ross.Type[queue]{
		Init: func(q *queue, lp *ross.LP) {
			q.Customers = start[lp.ID()]
			for range min(q.Customers, n.stations[lp.ID()].servers) {
				serve(lp)
			}
			arrive(lp)
		},
		Event: ross.On(func(q *queue, lp *ross.LP, m *step) {
			at := &n.stations[lp.ID()]
			q.Area += float64(q.Customers) * (lp.Now() - q.Last)
			q.Last = lp.Now()
			if m.Kind != served {
				if q.Customers++; q.Customers <= at.servers {
					serve(lp)
				}
				if m.Kind == arrives {
					arrive(lp)
				}
				return
			}
			q.Served++
			if q.Customers--; q.Customers >= at.servers {
				serve(lp)
			}
			if len(at.route) > 0 {
				u := lp.RNG().Unif()
				for next, p := range at.route {
					if u -= p; u < 0 {
						ross.Send(lp, ross.LPID(next), 0, step{comes})
						break
					}
				}
			}
		}),
		Final: func(q *queue, _ *ross.LP) { q.Area += float64(q.Customers) * (end - q.Last) },
	})
	if err != nil {
		return nil, err
	}
	if err := sim.Run(ctx); err != nil {
		return nil, err
	}
	var queues []queue
	for i := range n.stations {
		queues = append(queues, *ross.StateOf[queue](sim.LP(ross.LPID(i))))
	}
	return queues, nil
}

// flows returns the arrival rate of each station, by the traffic equations, in which each station passes its flow on.
func (n *network) flows() []float64 {
	flow := make([]float64, len(n.stations))
	for i, s := range n.stations {
		flow[i] = s.arrivals
	}
	for range 10_000 {
		next := make([]float64, len(flow))
		for i, s := range n.stations {
			next[i] += s.arrivals
			for j, p := range s.route {
				next[j] += flow[i] * p
			}
		}
		for i := range flow { // the mean of both converges even if flows oscillate
			flow[i] = (flow[i] + next[i]) / 2
		}
	}
	return flow
}

// weight returns the probability of k customers relative to that of none, at a station with a flow.
func (s *station) weight(flow float64, k int) float64 {
	w := 1.0
	for j := 1; j <= k; j++ {
		w *= flow / (s.service * float64(min(j, s.servers)))
	}
	return w
}

// starts returns a function that draws customers from the stationary distribution, which is a product:
// a run that starts with them needs no warm-up.
func (n *network) starts() (func(s *rng.Stream) []int, error) {
	flow := n.flows()
	var tables []*rng.Alias
	for i := range n.stations {
		var weights []float64
		for k := range 400 {
			weights = append(weights, n.stations[i].weight(flow[i], k))
		}
		table, err := rng.NewAlias(weights)
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	return func(s *rng.Stream) []int {
		var start []int
		for _, table := range tables {
			start = append(start, table.Draw(s))
		}
		return start
	}, nil
}

// erlangC returns the mean number of customers of an M/M/c queue.
func erlangC(arrivals, service float64, servers int) float64 {
	load := arrivals / service
	term, sum := 1.0, 0.0
	for k := range servers {
		sum += term
		term *= load / float64(k+1)
	}
	free := 1 - load/float64(servers)
	waits := term / free / (sum + term/free)
	return load + waits*(1-free)/free
}

// streamOf returns a stream for what the model draws before its run.
func streamOf(t *experiment.Trial) *rng.Stream {
	models, _ := rng.RunSeeds(t.Seed)
	s := rng.NewSeeder(models.Replication(t.Replication)).Stream(math.MaxUint32)
	return &s
}

// TestIntervalsCoverTheExactResultAtTheNominalRate has runs that are long enough for their means to be nearly normal:
// with runs of half the length fewer intervals cover.
func TestIntervalsCoverTheExactResultAtTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	open := &network{stations: []station{
		{arrivals: 0.5, service: 2, servers: 1, route: []float64{0, 0.6, 0.4}},
		{arrivals: 0.2, service: 1, servers: 2, route: []float64{0.3, 0, 0.2}},
		{service: 1.5, servers: 1, route: []float64{0, 0.1, 0}},
	}}
	require.InDelta(t, 1, erlangC(0.5, 1, 1), 1e-12)
	require.InDelta(t, 26./9, erlangC(2, 1, 3), 1e-12)
	exact := 0.0
	for i, flow := range open.flows() {
		exact += erlangC(flow, open.stations[i].service, open.stations[i].servers)
	}
	start, err := open.starts()
	require.NoError(t, err)
	const experiments = 40
	covered := 0
	for seed := range uint64(experiments) {
		results, err := experiment.Experiment{Name: "open Jackson network", Seed: seed + 1, Replications: 10,
			Run: func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
				const end = 400
				queues, err := open.run(ctx, trial, start(streamOf(trial)), end)
				sum := 0.0
				for _, q := range queues {
					sum += q.Area / end
				}
				return experiment.Responses{"customers": sum}, err
			}}.Do(context.Background())
		require.NoError(t, err)
		interval, err := results.Interval("customers", 0)
		require.NoError(t, err)
		if interval.Contains(exact) {
			covered++
		}
	}
	t.Logf("%d of %d", covered, experiments)
	require.InDelta(t, 0.95*experiments, covered, 3*math.Sqrt(0.95*0.05*experiments))
}

type hops struct{ Received, Sum int }

type packet struct{ Hops int }

// ring runs 8 LPs that send packets to each other at random.
func ring(synch ross.Scheduler, pes int) func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	return func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.MaxMemory = synch, pes, int(8/uint64(pes)), 2, 50, 64<<20
		t.Configure(&cfg)
		mean := t.Float("mean")
		var report strings.Builder
		cfg.Output = &report
		sim, err := ross.New(cfg)
		if err != nil {
			return nil, err
		}
		defer sim.Close()
		send := func(lp *ross.LP, hops int) {
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), 0.1+lp.RNG().Exponential(mean), packet{hops})
		}
		err = sim.Define(ross.Type[hops]{
			Init: func(_ *hops, lp *ross.LP) { send(lp, 0) },
			Event: ross.On(func(s *hops, lp *ross.LP, m *packet) {
				s.Received++
				s.Sum += m.Hops
				send(lp, m.Hops+1)
			}),
		})
		if err != nil {
			return nil, err
		}
		if err := sim.Run(ctx); err != nil {
			return nil, err
		}
		r := experiment.Responses{}
		for id := range ross.LPID(8) {
			s := ross.StateOf[hops](sim.LP(id))
			r["received"] += float64(s.Received)
			r["sum"] += float64(s.Sum * int(id+1))
		}
		return r, nil
	}
}

func TestParallelReplicationsGiveTheSameResultsAsThoseSideBySide(t *testing.T) {
	e := experiment.Experiment{Name: "ring", Seed: 11, Points: experiment.Grid(experiment.Over("mean", 0.5, 2.0)),
		Replications: 3,
		Run:          ring(ross.Sequential, 1)}
	want, err := e.Do(context.Background())
	require.NoError(t, err)
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{2, 4}, []int{2}) {
			e.Run, e.Workers = ring(synch, pes), 1
			got, err := e.Do(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, got, "synch %d, %d PEs", synch, pes)
		}
	}
	e.Run, e.Workers = ring(ross.Optimistic, 4), 2 // Configure makes them sequential
	got, err := e.Do(context.Background())
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A run that Ctrl-C cuts short returns the error of the context. Its results would be wrong.
func TestARunThatIsCutShortDoesNotCount(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	run := ring(ross.Sequential, 1)
	r, err := experiment.Experiment{Name: "ring", Points: experiment.Grid(experiment.Over("mean", 1.0)), Workers: 1,
		Run: func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
			if t.Replication == 2 {
				cancel()
			}
			return run(ctx, t)
		}}.Do(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "stopped after 2 of 10 replications")
	require.Equal(t, 2, r.Points[0].Replications)
}

// dice returns the mean of some throws: a model that needs no simulation. It draws from a stream of the
// seed and the replication.
func dice(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
	models, _ := rng.RunSeeds(t.Seed)
	stream := rng.NewSeeder(models.Replication(t.Replication)).Stream(0)
	sum := int64(0)
	for range t.Int("throws") {
		sum += stream.Integer(1, 6)
	}
	return experiment.Responses{"mean": float64(sum) / float64(t.Int("throws"))}, nil
}

// Each point gets replications until the interval of the mean is at most 2 % of it. With a journal, the
// experiment can be stopped at any time. Here, the second one finds all replications in it.
func ExampleExperiment_until() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	runs := 0
	e := experiment.Experiment{
		Name:   "dice",
		Points: experiment.Grid(experiment.Over("throws", 10, 100)),
		Run: func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
			runs++
			return dice(ctx, t)
		},
		Seed:    2026,
		Until:   []experiment.Precision{{Response: "mean", Relative: 0.02}},
		Journal: filepath.Join(folder, "dice.jsonl"),
		Workers: 1, // because of the variable runs
	}
	for range 2 {
		results, err := e.Do(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		for i, p := range results.Points {
			interval, _ := results.Interval("mean", i)
			fmt.Printf("%v: %v from %d replications\n", p.Point, interval, p.Replications)
		}
		fmt.Println(runs, "runs")
	}
	e.Seed = 2
	_, err = e.Do(context.Background())
	fmt.Println(err != nil, "- the journal has another seed")
	// Output:
	// throws=10: 3.4952 ± 0.068 from 231 replications
	// throws=100: 3.5344 ± 0.066 from 32 replications
	// 263 runs
	// throws=10: 3.4952 ± 0.068 from 231 replications
	// throws=100: 3.5344 ± 0.066 from 32 replications
	// 263 runs
	// true - the journal has another seed
}

// Four points in two ranges: each quarter of each range has one.
func ExampleLatinHypercube() {
	points, err := experiment.LatinHypercube(4, 1,
		experiment.Range{Name: "load", Low: 0, High: 1},
		experiment.Range{Name: "buffer", Low: 1, High: 1e4, Log: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range points {
		fmt.Printf("load %.3f, buffer %6.1f\n", p[0].Value, p[1].Value)
	}
	// Output:
	// load 0.812, buffer   55.5
	// load 0.461, buffer  120.1
	// load 0.663, buffer    4.0
	// load 0.198, buffer 4085.3
}

// One long run: MSER-5 leaves out the warm-up, and the rest is divided into batches.
func ExampleBatchMeans() {
	models, _ := rng.RunSeeds(5)
	stream := rng.NewSeeder(models).Stream(0)
	level, series := 100.0, []float64{} // it falls towards 10
	for range 5000 {
		level = 10 + 0.95*(level-10) + stream.Normal01()
		series = append(series, level)
	}
	warmup, ok := experiment.MSER5(series)
	b, err := experiment.BatchMeans(series[warmup:], 20, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("warm-up %d, %t\n%v from %d batches of %d, correlated: %t\n", warmup, ok, b.Interval, b.N, b.Size,
		b.Correlated())
	// Output:
	// warm-up 70, true
	// 9.832 ± 0.61 from 20 batches of 246, correlated: false
}

// The plot of Welch: the mean over runs, smoothed. It shows where the bias of the start ends.
func ExampleWelch() {
	runs := [][]float64{
		{9, 5, 4, 1, 2, 1, 2, 1},
		{11, 7, 2, 3, 2, 1, 2, 1},
	}
	fmt.Printf("%.2f\n", experiment.Welch(runs, 0))
	fmt.Printf("%.2f\n", experiment.Welch(runs, 1))
	// Output:
	// [10.00 6.00 3.00 2.00 2.00 1.00 2.00 1.00]
	// [10.00 6.33 3.67 2.33 1.67 1.67 1.33]
}

// The factor by which a standard error becomes half of an interval of 95 %.
func ExampleStudentT() {
	for _, replications := range []float64{2, 5, 10, 30, 1000} {
		fmt.Printf("%g replications: %.3f\n", replications, experiment.StudentT(0.975, replications-1))
	}
	// Output:
	// 2 replications: 12.706
	// 5 replications: 2.776
	// 10 replications: 2.262
	// 30 replications: 2.045
	// 1000 replications: 1.962
}
