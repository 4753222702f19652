// This file pins the rate of PHOLD's events: each of the events that an LP starts with is a renewal process, whose
// intervals have the mean --mean. So an LP has --start-events / --mean events in a unit of time.

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testlevel"
)

// renewals returns the mean number of events up to a time of a process with intervals of lookahead + an exponential time
// of mean delay: the sum over n of the probability that the n-th comes before it, which is that of n or more arrivals of a
// Poisson process in the time that n lookaheads leave.
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
		rosstest.Covers(t, fmt.Sprintf("phold, lookahead %g", lookahead), map[string]float64{"events per LP and time": exact},
			func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
				p := params{remote: 0.5, mean: mean, mult: 1, lookahead: lookahead, startEvents: population}
				cfg := ross.DefaultConfig()
				cfg.LPs, cfg.End, cfg.MaxMemory, cfg.Output = 32, end, 64<<20, io.Discard
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
				net := sim.Summary().Counters
				return experiment.Responses{"events per LP and time": float64(net.NetEvents()) / (32 * end)}, nil
			})
	}
}
