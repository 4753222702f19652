// This file owns the first example: a queue with one or two servers.

package experiment_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/experiment"
)

type counter struct {
	Waiting, Busy int
	Since         float64 // time of the last change
	Area          float64 // integral over time of the customers that wait
}

type event struct{ Leaves bool }

// simulate runs a queue with exponential arrivals and services. Streams 0 and 1 are for arrivals and
// services, so that all points see the same arrivals.
func simulate(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	load, servers := t.Float("load"), t.Int("servers")
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Streams.PerLP = 1, 2000, 2
	t.Configure(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	err = sim.Define(ross.Type[counter]{
		Init: func(_ *counter, lp *ross.LP) { ross.Send(lp, 0, lp.Stream(0).Exponential(1), event{}) },
		Event: ross.On(func(s *counter, lp *ross.LP, m *event) {
			s.Area += float64(s.Waiting) * (lp.Now() - s.Since)
			s.Since = lp.Now()
			if m.Leaves {
				s.Busy--
			} else {
				s.Waiting++
				ross.Send(lp, 0, lp.Stream(0).Exponential(1), event{})
			}
			if s.Waiting > 0 && s.Busy < servers {
				s.Waiting--
				s.Busy++
				ross.Send(lp, 0, lp.Stream(1).Exponential(load*float64(servers)), event{Leaves: true})
			}
		}),
	})
	if err != nil {
		return nil, err
	}
	if err := sim.Run(ctx); err != nil {
		return nil, err
	}
	return experiment.Responses{"waiting": ross.StateOf[counter](sim.LP(0)).Area / cfg.End}, nil
}

// A queue at two loads, with one server or with two that are half as fast. The waiting customers of an
// M/M/1 queue are 0.5 and 1.633 on average, those of an M/M/2 queue are 0.333 and 1.345. The second
// table shows what the loads and servers change, from the first point.
func Example() {
	e := experiment.Experiment{
		Name:         "queue",
		Points:       experiment.Grid(experiment.Over("load", 0.5, 0.7), experiment.Over("servers", 1, 2)),
		Run:          simulate,
		Seed:         2026,
		Replications: 20,
	}
	results, err := e.Do(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = results.Summary().WriteText(os.Stdout)
	differences, err := results.Differences(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = differences.WriteText(os.Stdout)
	// Output:
	// load  servers  response  replications     mean      half      low     high        sd  enough
	//  0.5        1  waiting             20  0.48217  0.025734  0.45644  0.50791  0.054986  true
	//  0.5        2  waiting             20  0.31847  0.020115  0.29835  0.33858  0.042978  true
	//  0.7        1  waiting             20   1.5799   0.11796    1.462   1.6979   0.25205  true
	//  0.7        2  waiting             20   1.3024    0.1038   1.1986   1.4062    0.2218  true
	// load  servers  response  replications  difference      half       low     high  different
	//  0.5        2  waiting             20     -0.1637  0.007503  -0.17121  -0.1562  true
	//  0.7        1  waiting             20      1.0978  0.095626    1.0021   1.1934  true
	//  0.7        2  waiting             20     0.82026  0.081925   0.73834  0.90219  true
}
