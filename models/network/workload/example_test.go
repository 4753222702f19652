package workload_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/models/network/workload"
)

// How long does an all-reduce of 64 KiB take on a dragonfly, by a ring and by recursive doubling?
func Example() {
	for _, job := range []struct {
		name string
		make func(ranks int, bytes int64, r workload.Rounds) (workload.Program, error)
	}{{"ring", workload.RingAllReduce}, {"recursive doubling", workload.DoublingAllReduce}} {
		program, err := job.make(64, 1<<16, workload.Rounds{Count: 1})
		if err != nil {
			log.Fatal(err)
		}
		end, err := run(workload.Job{Name: job.name, Ranks: 64, Program: program})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.0f us\n", job.name, end/1000)
	}
	// Output:
	// ring: 21 us
	// recursive doubling: 74 us
}

// run runs a job alone and returns when it ends.
func run(job workload.Job) (end float64, err error) {
	dragonfly, err := topology.NewDragonfly(4, 2, 2)
	if err != nil {
		return 0, err
	}
	net, err := interconnect.New(interconnect.Defaults(topology.NewMinimal(dragonfly)))
	if err != nil {
		return 0, err
	}
	w, err := workload.New(net, []workload.Job{job}, workload.Contiguous, 0)
	if err != nil {
		return 0, err
	}
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Output = 1e9, io.Discard
	net.Place(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		return 0, err
	}
	defer sim.Close()
	if err := sim.Define(net.Router(), w.Host()); err != nil {
		return 0, err
	}
	if err := sim.Run(context.Background()); err != nil {
		return 0, err
	}
	results, err := w.Results(sim)
	if err != nil {
		return 0, err
	}
	return results[0].End, nil
}
