package stats_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// run runs a model of one LP whose events are at the given virtual times.
func run[S any](end float64, times []float64, event func(s *S, lp *ross.LP, i int64)) *ross.Simulation {
	type step struct{ I int64 }
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, end
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	err = sim.Define(ross.Type[S, step]{
		Name: "server",
		Init: func(_ *S, lp *ross.LP) {
			for i, t := range times {
				ross.Send(lp, lp.ID(), t, step{int64(i)})
			}
		},
		Event: func(s *S, lp *ross.LP, _ *ross.Bits, m *step) { event(s, lp, m.I) },
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
	return sim
}

func ExampleCounter() {
	type server struct{ Lost stats.Counter }
	sim := run(10, []float64{1, 2, 3}, func(s *server, lp *ross.LP, _ int64) { s.Lost.Inc(lp) })
	defer sim.Close()
	fmt.Println(ross.StateOf[server](sim.LP(0)).Lost.Count())
	// Output: 3
}

func ExampleTally() {
	type server struct {
		Waiting stats.Tally `ross:"waiting time,s"`
	}
	sim := run(10, []float64{1, 2, 4}, func(s *server, lp *ross.LP, _ int64) { s.Waiting.Add(lp, lp.Now()) })
	defer sim.Close()
	w := &ross.StateOf[server](sim.LP(0)).Waiting
	fmt.Printf("%d numbers, mean %.3f, variance %.3f, %g to %g\n", w.Count(), w.Mean(), w.Variance(), w.Least(), w.Greatest())
	// Output: 3 numbers, mean 2.333, variance 2.333, 1 to 4
}

func ExampleLevel() {
	type server struct{ Queue stats.Level }
	sim := run(10, []float64{2, 6, 7}, func(s *server, lp *ross.LP, i int64) {
		s.Queue.Set(lp, []float64{1, 3, 0}[i]) // 0 until 2, 1 until 6, 3 until 7, then 0
	})
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	row, _ := table.Row("server", "Queue")
	fmt.Printf("mean %g, at most %g, busy for %g of the time\n", row.Mean, row.Greatest, row.NonZero)
	// Output: mean 0.7, at most 3, busy for 0.5 of the time
}

func ExampleHistogram() {
	type server struct{ Delay stats.Histogram }
	times := make([]float64, 1000)
	for i := range times {
		times[i] = float64(i + 1)
	}
	sim := run(2000, times, func(s *server, lp *ross.LP, _ int64) { s.Delay.Add(lp, lp.Now()) })
	defer sim.Close()
	lp := sim.LP(0)
	d := &ross.StateOf[server](lp).Delay
	fmt.Println(d.Quantile(lp, 0), d.Quantile(lp, 0.5), d.Quantile(lp, 0.99), d.Quantile(lp, 1)) // within 1/128
	// Output: 1 502 988 1000
}

func ExampleSeries() {
	type server struct {
		Load stats.Series `ross:"load,jobs,every=5"`
	}
	sim := run(20, []float64{1, 4, 6, 17}, func(s *server, lp *ross.LP, i int64) { s.Load.Add(lp, float64(i)) })
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	row, _ := table.Row("server", "load")
	for _, i := range row.Course {
		fmt.Printf("%g to %g: %d recordings, sum %g\n", i.Begin, i.End, i.Count, i.Sum)
	}
	// Output:
	// 0 to 5: 2 recordings, sum 1
	// 5 to 10: 1 recordings, sum 2
	// 10 to 15: 0 recordings, sum 0
	// 15 to 20: 1 recordings, sum 3
}

func ExampleCollectBy() {
	type server struct{ Jobs stats.Counter }
	sim := run(10, []float64{1, 2, 3}, func(s *server, lp *ross.LP, _ int64) { s.Jobs.Inc(lp) })
	defer sim.Close()
	table, err := stats.CollectBy(sim, func(lp *ross.LP) string { return fmt.Sprintf("site %d", lp.ID()/8) })
	if err == nil {
		err = table.WriteText(os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Statistics from time 0 to 10
	// group   statistic  kind     lps  count  sum  mean
	// site 0  Jobs       counter    1      3    3     3
}
