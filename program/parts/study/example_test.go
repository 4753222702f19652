// A model with a study: the program and what it prints.

package study_test

import (
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/study"
	"github.com/ross-go/ross/stats"
)

// station is a station for rented bikes.
type station struct {
	Bikes int64
	Lost  stats.Counter `ross:"lost"` // customers who found no bike
	There stats.Level   `ross:"bikes there"`
}

// The messages of a station.
type (
	customer struct{} // wants a bike
	bike     struct{} // comes back
)

const stations = 16

func (s *station) customer(lp *ross.LP, _ *customer) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), customer{})
	if s.Bikes == 0 {
		s.Lost.Inc(lp)
		return
	}
	s.Bikes--
	s.There.Add(lp, -1)
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, stations-1)), 0.5+lp.RNG().Exponential(1.5), bike{})
}

func (s *station) bike(lp *ross.LP, _ *bike) {
	s.Bikes++
	s.There.Add(lp, 1)
}

// bikes returns the program, with a variable of its own for the option.
func bikes() program.Program {
	n := 2
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.ConsLookahead = stations, 100, 0.5
	return program.Program{
		Name:   "bikes",
		Config: cfg,
		Parts:  []program.Part{study.Of(bikes)},
		Options: func(o *ross.Options, _ *ross.Config) {
			o.Group("City").Int(&n, "bikes", "bikes of a station at the beginning")
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[station]{
				Name: "station",
				Init: func(s *station, lp *ross.LP) {
					s.Bikes = int64(n)
					s.There.Set(lp, float64(n))
					ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), customer{})
				},
				Event: ross.Events(ross.On((*station).customer), ross.On((*station).bike)),
			})
		},
	}
}

// How many bikes does a city need? In a program, main is os.Exit(bikes().Main(os.Args[1:], os.Stdout, os.Stderr)).
func Example() {
	fmt.Println("status", bikes().Main([]string{"--replications=10", "--vary=bikes=2..6:2"}, os.Stdout, os.Stdout))
	// Output:
	// bikes
	// means with half widths of 95 % confidence intervals
	//
	// bikes  bikes there    lost      replications
	//     2  1.000 ± 0.022  758 ± 22            10
	//     4  2.517 ± 0.044  409 ± 21            10
	//     6  4.355 ± 0.061  259 ± 39            10
	// status 0
}
