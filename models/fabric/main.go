// Command fabric simulates a torus of routers, with hosts that send one another packets: a model
// of the network of a parallel computer. It shows how a model has several types of LPs, messages
// of different sizes, timers, buffers and statistics.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/places"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag.
type params struct {
	dims                         string
	hosts, buffer, window        uint64
	load, latency, timeout, loss float64

	torus
}

// defaults returns the parameters and settings of a command line without options.
func defaults() (params, ross.Config) {
	p := params{dims: "10x10x10x5", hosts: 1, buffer: 4, window: 16, load: 0.2, latency: 10, timeout: 1000, loss: 0.001}
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Statistics = 2000, ross.StatisticsInReport
	return p, cfg
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p, cfg := defaults()
	return program.Program{
		Name: "fabric", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare,
		Build: func(sim *ross.Simulation) error {
			if err := sim.Define(routerType(&p), hostType(&p)); err != nil || !places.Wanted(sim) {
				return err
			}
			return places.Write(sim, p.places())
		},
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Fabric Model")
	g.String(&p.dims, "dims", "lengths of the torus, such as 16x16x8; they and --hosts say how many LPs there are")
	g.Uint64(&p.hosts, "hosts", "hosts at each router")
	g.Uint64(&p.buffer, "buffer", "packets for which an input port has room")
	g.Uint64(&p.window, "window", "packets of a host that may be unanswered")
	g.Float64(&p.load, "load", "share of its link's time for which a host wants to send")
	g.Float64(&p.latency, "latency", "time that a link takes, in ns; also the lookahead")
	g.Float64(&p.timeout, "timeout", "time after which an unanswered packet is sent again, in ns")
	g.Float64(&p.loss, "loss", "probability that a packet arrives damaged")
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) (err error) {
	for _, o := range []struct {
		fits       bool
		name, must string
		value      any
	}{
		{p.hosts >= 1 && p.hosts <= maxHosts, "hosts", fmt.Sprint("1 to ", maxHosts), p.hosts},
		// With one slot a torus without deadlock is impossible.
		{p.buffer >= 2 && p.buffer <= maxBuffer, "buffer", fmt.Sprint("2 to ", maxBuffer), p.buffer},
		{p.window >= 1 && p.window <= maxWindow, "window", fmt.Sprint("1 to ", maxWindow), p.window},
		{p.load > 0 && p.load <= 1, "load", "above 0 and at most 1", p.load},
		{p.latency >= 0 && p.latency <= math.MaxFloat32, "latency", "a number of ns of at least 0", p.latency},
		{p.timeout > 0 && p.timeout <= math.MaxFloat32, "timeout", "a number of ns above 0", p.timeout},
		{p.loss >= 0 && p.loss < 1, "loss", "at least 0 and below 1", p.loss},
	} {
		if !o.fits {
			return fmt.Errorf("option --%s=%v: must be %s: %w", o.name, o.value, o.must, ross.ErrUsage)
		}
	}
	p.torus, err = parseTorus(p.dims, int(p.hosts))
	cfg.LPs, cfg.TypeMap, cfg.ConsLookahead = int(p.lps), p.kindOf, p.latency
	return err
}
