// This file owns the queueing networks of the tests: the model, its stationary distribution, and exact
// results.

package experiment_test

import (
	"context"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
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

// network is a Jackson network, or, if nobody arrives, a closed one with a number of customers.
type network struct {
	stations  []station
	customers int
}

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
	cfg.NLP, cfg.NKP, cfg.End = uint64(len(n.stations)), 1, end
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
	err = sim.Define(ross.Type[queue, step]{
		Init: func(q *queue, lp *ross.LP) {
			q.Customers = start[lp.ID()]
			for range min(q.Customers, n.stations[lp.ID()].servers) {
				serve(lp)
			}
			arrive(lp)
		},
		Event: func(q *queue, lp *ross.LP, _ *ross.Bits, m *step) {
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
		},
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

// flows returns the arrival rate of each station (for a closed network, relative to others), by the
// traffic equations, in which each station passes its flow on.
func (n *network) flows() []float64 {
	flow := make([]float64, len(n.stations))
	for i, s := range n.stations {
		flow[i] = s.arrivals
	}
	if n.customers > 0 {
		flow[0] = 1
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
	if n.customers > 0 {
		return n.closedStarts(flow)
	}
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

func (n *network) closedStarts(flow []float64) (func(s *rng.Stream) []int, error) {
	var states [][]int
	var weights []float64
	var fill func(state []int, left int, weight float64)
	fill = func(state []int, left int, weight float64) {
		i := len(state)
		if i == len(n.stations)-1 {
			states = append(states, append(append([]int{}, state...), left))
			weights = append(weights, weight*n.stations[i].weight(flow[i], left))
			return
		}
		for k := range left + 1 {
			fill(append(state, k), left-k, weight*n.stations[i].weight(flow[i], k))
		}
	}
	fill(nil, n.customers, 1)
	d, err := rng.NewDiscrete(states, weights)
	return d.Draw, err
}

// mva returns the mean number of customers at each station of a closed network of single servers, and
// the throughput of the first, by exact mean value analysis (Reiser and Lavenberg, 1980).
func (n *network) mva() (customers []float64, throughput float64) {
	visits := n.flows()
	customers = make([]float64, len(visits))
	for k := 1; k <= n.customers; k++ {
		cycle := 0.0
		times := make([]float64, len(visits))
		for i, s := range n.stations {
			times[i] = (1 + customers[i]) / s.service
			cycle += visits[i] / visits[0] * times[i]
		}
		throughput = float64(k) / cycle
		for i := range customers {
			customers[i] = throughput * visits[i] / visits[0] * times[i]
		}
	}
	return customers, throughput
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
