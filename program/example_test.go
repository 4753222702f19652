// A whole program: a model with an option, and what it prints after the run.

package program_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
)

// station is a station for rented bikes.
type station struct{ Bikes, Lost int64 }

// The messages of a station.
type (
	customer struct{} // wants a bike
	bike     struct{} // comes back
)

const stations = 16

func (s *station) customer(lp *ross.LP, _ *customer) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), customer{})
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, stations-1)), 0.5+lp.RNG().Exponential(1.5), bike{})
}

func (s *station) bike(*ross.LP, *bike) { s.Bikes++ }

// city returns the type of stations that have bikes at the beginning.
func city(bikes int64) ross.LPType {
	return ross.Type[station]{
		Name: "station",
		Init: func(s *station, lp *ross.LP) {
			s.Bikes = bikes
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), customer{})
		},
		Event: ross.Events(ross.On((*station).customer), ross.On((*station).bike)),
	}
}

// run is all that a program does: its main is os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)).
func run(args []string, stdout, stderr io.Writer) int {
	bikes := 2
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.ConsLookahead = stations, 100, 0.5
	return program.Program{
		Name:   "bikes",
		Config: cfg,
		Options: func(o *ross.Options, _ *ross.Config) {
			o.Group("City").Int(&bikes, "bikes", "bikes of a station at the beginning")
		},
		Prepare: func(*ross.Config) error {
			if bikes < 0 {
				return fmt.Errorf("option --bikes=%d: must be 0 or more: %w", bikes, ross.ErrUsage)
			}
			return nil
		},
		Build: func(sim *ross.Simulation) error { return sim.Define(city(int64(bikes))) },
		Finish: func(sim *ross.Simulation) error {
			lost, err := ross.Reduce(sim, func(_ *ross.LP, s *station) int64 { return s.Lost },
				func(a, b int64) int64 { return a + b })
			fmt.Fprintln(sim.Report(), lost, "customers found no bike")
			return err
		},
	}.Main(args, stdout, stderr)
}

func Example() {
	var report strings.Builder // of some 100 lines
	fmt.Println("status", run([]string{"--bikes=3", "--synch=3", "--pes=2"}, &report, os.Stdout))
	fmt.Print(report.String()[strings.LastIndex(strings.TrimSpace(report.String()), "\n")+1:])
	fmt.Println("status", run([]string{"--bikes=-1"}, &report, os.Stdout))
	// Output:
	// status 0
	// 532 customers found no bike
	// bikes: option --bikes=-1: must be 0 or more: unusable settings: see --help
	// status 2
}
