// This file owns the examples of precision, journals, designs, warm-up and long runs.

package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/rng"
)

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
	fmt.Printf("warm-up %d, %t\n%v from %d batches of %d, correlated: %t\n", warmup, ok, b.Interval, b.N, b.Size, b.Correlated())
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
