// This file owns the first form of the model, which does not say how it is undone.

package firstmodel

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

const stations = 16

// Station is the state of an LP.
type Station struct {
	Bikes int64
	Lost  int64 // customers who found no bike
}

// The messages that a station receives.
type (
	Customer struct{} // wants a bike
	Bike     struct{} // comes back
)

func (s *Station) Init(lp *ross.LP) {
	s.Bikes = 2
	nextCustomer(lp)
}

func (s *Station) Customer(lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	ride(lp)
}

func (s *Station) Bike(_ *ross.LP, _ *ross.None, _ *Bike) { s.Bikes++ }

func nextCustomer(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Customer{}) }

// ride sends a bike to a random station.
func ride(lp *ross.LP) {
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Bike{})
}

var city = ross.Type[Station, ross.None]{
	Name: "station",
	Init: (*Station).Init,
	On:   []ross.Handler[Station]{ross.On((*Station).Customer), ross.On((*Station).Bike)},
}

// simulate runs a model. The caller closes the simulation.
func simulate(cfg ross.Config, model ross.LPType) (*ross.Simulation, error) {
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	if err = sim.Define(model); err == nil {
		err = sim.Run(context.Background())
	}
	return sim, err
}

// try is simulate for examples that are about the error.
func try(cfg ross.Config, model ross.LPType) error {
	sim, err := simulate(cfg, model)
	if sim != nil {
		_ = sim.Close()
	}
	return err
}

func Example() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	sim, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	fmt.Println(lost(sim), "customers found no bike")
	// Output: 744 customers found no bike
}

// lost returns how many customers found no bike, at all stations.
func lost(sim *ross.Simulation) int64 {
	n, _ := ross.Reduce(sim, func(_ *ross.LP, s *Station) int64 { return s.Lost }, func(a, b int64) int64 { return a + b })
	return n
}

func Example_optimistic() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	first, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	second, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer second.Close()
	fmt.Println(lost(second), "customers found no bike")
	a, b := first.Stats(), second.Stats()
	fmt.Println("same events:", *a.Digest == *b.Digest)
	fmt.Println("same states:", *a.StateDigest == *b.StateDigest)
	// Output:
	// 744 customers found no bike
	// same events: true
	// same states: true
}
