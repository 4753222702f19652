// This file pins that intervals of experiments with stations cover what Erlang's formula says at the nominal rate.

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestIntervalsOfStationsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	for _, servers := range []int{1, 3} {
		load := 0.7 * float64(servers)
		length := waiting(load, servers)
		rosstest.Covers(t, fmt.Sprintf("queueing, M/M/%d", servers), map[string]float64{
			"customers waiting": length, "waiting time": length / load, "servers busy": load,
		}, func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
			p, cfg := defaults()
			p.servers, p.leave, p.patience, p.walk, p.arrivals = uint64(servers), 1, 0, 0, load
			cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = 4, 700, 100, 0, 64<<20
			trial.Configure(&cfg)
			table, err := p.table(ctx, cfg)
			if err != nil {
				return nil, err
			}
			means := experiment.Responses{}
			for _, name := range []string{"customers waiting", "waiting time", "servers busy"} {
				row, _ := table.Row("station", name)
				means[name] = row.Mean
			}
			return means, nil
		})
	}
}
