// Command network simulates an interconnection network under load: any shape of package topology,
// with the routers, links and interfaces of package interconnect and the jobs of package workload.
package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/models/network/workload"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/places"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag, and what is made of them.
type params struct {
	shape, routing, granularity string
	threshold, maxHops          int
	local, global, terminal     interconnect.Link
	flit, packet, output        int
	delay                       float64

	jobs, placement string
	seed, bytes     uint64
	load, fraction  float64
	rounds          uint64
	compute         float64
	heat            bool
	links           string
	net             *interconnect.Network
	work            *workload.Workload
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	d := interconnect.Defaults(nil)
	p := params{
		shape: "dragonfly:8,4,4", routing: "minimal", granularity: "packets",
		local: d.Links[topology.Local], global: d.Links[topology.Global], terminal: d.Terminal,
		flit: d.FlitBytes, packet: d.PacketBytes, output: d.Output, delay: d.Delay,
		jobs: "uniform", placement: "contiguous", bytes: 512, load: 0.5, fraction: 0.1, rounds: 1,
	}
	cfg := ross.DefaultConfig()
	cfg.End = 20000
	return program.Program{
		Name: "network", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare,
		Build: p.build, Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Network")
	g.String(&p.shape, "shape", "shape of the network and its numbers, such as dragonfly:8,4,4; see the README")
	g.String(&p.routing, "routing", "minimal, valiant or adaptive (UGAL-L); of trees: minimal, random or top")
	g.Int(&p.threshold, "threshold", "flits by which adaptive routing prefers the minimal way")
	g.Int(&p.maxHops, "max-hops",
		"links that a packet may take before the run ends with an error; 0: ten times what the shape needs, and 100")
	g.String(&p.granularity, "granularity", "what travels as one event: messages, packets or flits")
	g.Int(&p.flit, "flit", "bytes of a flit")
	g.Int(&p.packet, "packet", "bytes of a packet at most")
	g.Float64(&p.delay, "delay", "time that a router takes, in ns")
	g.Int(&p.output, "output", "bytes of a virtual channel of an output, with packets")
	link := func(l *interconnect.Link, prefix, of string) {
		g.Float64(&l.Latency, prefix+"latency", "latency of links "+of+", in ns")
		g.Float64(&l.Bandwidth, prefix+"bandwidth", "bandwidth of links "+of+", in GB/s")
		g.Int(&l.Buffer, prefix+"buffer", "bytes of a virtual channel behind links "+of)
	}
	link(&p.local, "", "between routers")
	link(&p.global, "global-", "between groups")
	link(&p.terminal, "terminal-", "to and from terminals")
	g = o.Group("Jobs")
	g.String(&p.jobs, "jobs",
		"jobs and their ranks, such as uniform:64,stencil:4x4x4; one of them may do without a\nnumber, and has the other terminals; see the README")
	g.String(&p.placement, "placement", "ranks on terminals: contiguous, round-robin or random")
	g.Uint64(&p.seed, "placement-seed", "number from which random placements and permutations are drawn")
	g.Float64(&p.load, "load", "share of its link's time for which a rank sends, for patterns")
	g.Uint64(&p.bytes, "bytes", "bytes of a message; of the vector, for all-reduce")
	g.Float64(&p.fraction, "hot", "share of the messages that go to the hot spot")
	g.Uint64(&p.rounds, "rounds", "how often programs do what they do")
	g.Float64(&p.compute, "compute", "time that ranks compute in each round, in ns")
	g.Bool(&p.heat, "heat", "print the loads of the links and a heat map")
	g.File(&p.links, "links", "file for the load of each link, as CSV")
	g.MayVary("heat", "links")
}

// routing returns the routing of a name.
func routing(name string, shape topology.Network) (topology.Routing, error) {
	switch name {
	case "minimal":
		return topology.NewMinimal(shape), nil
	case "valiant", "adaptive":
		return topology.NewValiant(shape)
	case "random":
		return topology.NewRandomUp(shape)
	case "top":
		return topology.NewRandomTop(shape)
	}
	return nil, errors.New("give minimal, valiant, adaptive, random or top")
}

// prepare makes the network and the jobs.
func (p *params) prepare(cfg *ross.Config) error {
	if err := p.check(); err != nil {
		return err
	}
	shape, err := topology.Parse(p.shape)
	if err != nil {
		return usage("shape", p.shape, err)
	}
	c := interconnect.Config{
		Threshold: p.threshold, Terminal: p.terminal, FlitBytes: p.flit, PacketBytes: p.packet, Delay: p.delay,
		Output: p.output, MaxHops: p.maxHops, Record: cfg.Instruments.Model&ross.SampleByVirtualTime != 0,
	}
	for class := range c.Links {
		c.Links[class] = p.local
	}
	c.Links[topology.Global] = p.global
	if c.Routing, err = routing(p.routing, shape); err != nil {
		return usage("routing", p.routing, err)
	}
	c.Adaptive = p.routing == "adaptive"
	if c.Granularity, err = interconnect.ParseGranularity(p.granularity); err != nil {
		return usage("granularity", p.granularity, err)
	}
	if p.net, err = interconnect.New(c); err != nil {
		return fmt.Errorf("%w: %w", ross.ErrUsage, err)
	}
	placement, err := workload.ParsePlacement(p.placement)
	if err != nil {
		return usage("placement", p.placement, err)
	}
	jobs, err := p.parseJobs(shape)
	if err != nil {
		return usage("jobs", p.jobs, err)
	}
	if p.work, err = workload.New(p.net, jobs, placement, p.seed); err != nil {
		return usage("jobs", p.jobs, err)
	}
	p.net.Place(cfg)
	return nil
}

// check looks at numbers whose options have other names than the settings of package interconnect, and at what only
// some jobs use.
func (p *params) check() error {
	for _, o := range []struct {
		fits       bool
		name, must string
		value      any
	}{
		{p.maxHops == 0 || p.maxHops >= 2 && p.maxHops <= math.MaxInt32, "max-hops", "2 to 2^31-1, or 0", p.maxHops},
		{p.flit >= 1 && p.flit <= 1<<20, "flit", "1 to 2^20", p.flit},
		{p.packet >= 1 && p.packet <= 1<<20, "packet", "1 to 2^20", p.packet},
		{p.output >= 0 && p.output <= math.MaxInt32, "output", "0 to 2^31-1", p.output},
		{p.load > 0 && p.load <= 1, "load", "above 0 and at most 1", p.load},
		{p.bytes >= 1 && p.bytes <= 1<<32, "bytes", "1 to 2^32", p.bytes},
		{p.fraction >= 0 && p.fraction <= 1, "hot", "0 to 1", p.fraction},
		{p.rounds >= 1 && p.rounds <= 1<<20, "rounds", "1 to 2^20", p.rounds},
		{p.compute >= 0 && p.compute <= 1e12, "compute", "0 to 10^12 ns", p.compute},
	} {
		if !o.fits {
			return fmt.Errorf("option --%s=%v: must be %s: %w", o.name, o.value, o.must, ross.ErrUsage)
		}
	}
	return nil
}

// usage returns the error about an option.
func usage(name, value string, err error) error {
	return fmt.Errorf("option --%s=%s: %w: %w", name, value, err, ross.ErrUsage)
}

// build defines the LPs, and says where they are.
func (p *params) build(sim *ross.Simulation) error {
	if err := sim.Define(p.net.Router(), p.work.Host()); err != nil || !places.Wanted(sim) {
		return err
	}
	return places.Write(sim, p.places())
}

// finish prints the results.
func (p *params) finish(sim *ross.Simulation) error {
	results, stuck := p.work.Results(sim)
	if stuck != nil && !errors.Is(stuck, workload.ErrStuck) {
		return stuck
	}
	if err := p.show(sim, results); err != nil {
		return err
	}
	if sim.Rank() > 0 {
		return nil // all ranks have found the same, and the first one says so
	}
	return stuck
}

// show prints and writes results.
func (p *params) show(sim *ross.Simulation, results []workload.Result) error {
	w := sim.Report()
	fmt.Fprintf(w, "\nNetwork: %s, %d routers, %d terminals, %s routing, %s\n\n", p.shape, p.net.Shape().Routers(),
		p.net.Terminals(), p.routing, p.granularity)
	if err := workload.WriteResults(w, results); err != nil {
		return err
	}
	if !p.heat && p.links == "" {
		return nil
	}
	return p.loads(sim, w, until(results))
}

// until returns the time until which links were used: when the last job was over, or the run.
func until(results []workload.Result) (last float64) {
	for _, r := range results {
		last = max(last, r.Until)
	}
	return last
}

// loads prints and writes the loads of the links.
func (p *params) loads(sim *ross.Simulation, w io.Writer, until float64) error {
	loads, err := p.net.Loads(sim, until)
	if err != nil {
		return err
	}
	if p.heat {
		fmt.Fprintln(w)
		if err := loads.WriteText(w); err != nil {
			return err
		}
	}
	if p.links == "" || sim.Rank() != 0 {
		return nil
	}
	if err := atomicfile.Write(p.links, loads.WriteCSV); err != nil {
		return fmt.Errorf("--links=%s: %w: %s", p.links, err, atomicfile.Remedy(err, "name another file"))
	}
	return nil
}
