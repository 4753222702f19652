// This file owns a model with parameters, which are not in its states.

package firstmodel

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
)

// Fleet holds the parameters of a city, which no handler changes.
type Fleet struct {
	Bikes int64   // of each station at the beginning
	Ride  float64 // mean length of a ride, in hours
}

func (f *Fleet) city() ross.Type[Station, ross.None] {
	return ross.Type[Station, ross.None]{
		Name: "station",
		Init: f.begin,
		On:   []ross.Handler[Station]{ross.On(f.customer), ross.On((*Station).Bike)},
	}
}

func (f *Fleet) customer(s *Station, lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(f.Ride), Bike{})
}

func (f *Fleet) begin(s *Station, lp *ross.LP) {
	s.Bikes = f.Bikes
	nextCustomer(lp)
}

func Example_parameters() {
	dir, err := os.MkdirTemp("", "bikes")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End = stations, 100
	cfg.IOName, cfg.IOVirtualInterval = filepath.Join(dir, "bikes"), 60
	for range 2 {
		fleet := Fleet{Bikes: 2, Ride: 1.5}
		sim, err := simulate(cfg, fleet.city())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(lost(sim), "customers found no bike")
		_ = sim.Close()
		cfg.IORestart = "latest"
	}
	// Output:
	// 744 customers found no bike
	// 744 customers found no bike
}
