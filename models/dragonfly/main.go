// Command dragonfly simulates a network of routers with the topology of a dragonfly (Kim, Dally, Scott
// and Abts, "Technology-driven, highly-scalable dragonfly topology", 2008), through whose terminals
// processes send messages. It is the model dragonfly of ROSS: its events are those of the original,
// in the same order and with the same times.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/internal/classic"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/places"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// Values of --routing.
const (
	nonMinimal = 1
	adaptive   = 2
)

// params are the parameters of the model, by flag, and what follows from them.
type params struct {
	record           classic.Recorder
	traffic, routing uint64
	interval         float64

	network
	limit                 int64 // messages of a process
	localMean             float64
	localTime, globalTime float64 // least times on links
	full                  limits
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return runWith(originalLimits, args, stdout, stderr)
}

// runWith is run with routers that have other limits.
func runWith(full limits, args []string, stdout, stderr io.Writer) int {
	return newProgram(full).Main(args, stdout, stderr)
}

// newProgram returns the program, with parameters of its own.
func newProgram(full limits) program.Program {
	p := params{traffic: uniform, interval: 200, full: full, network: network{perGroup: 8, channels: 4, terminals: 4}}
	cfg := ross.DefaultConfig()
	cfg.End = 5000
	return program.Program{
		Name: "dragonfly", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Dragonfly Model")
	g.Uint64(&p.perGroup, "routers", "routers of a group")
	g.Uint64(&p.channels, "channels", "global channels of a router, an even number")
	g.Uint64(&p.terminals, "terminals", "terminals of a router")
	g.Uint64(&p.traffic, "traffic",
		"1 uniform, 2 worst case: to the next group, 3 transpose\n4 nearest neighbour, 5 bisection, 6 nearest router")
	g.Uint64(&p.routing, "routing", "0 minimal, 1 non-minimal, 2 adaptive, which is minimal here")
	g.Float64(&p.interval, "arrive_rate", "mean time between messages of a process")
	classic.Ignored(g, "mem_factor")
	classic.Memory(g)
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if err := p.make(); err != nil {
		return err
	}
	if p.traffic < uniform || p.traffic > nearestRouter {
		return fmt.Errorf("option --traffic=%d: must be 1, uniform, to 6, nearest router; --help lists them: %w", p.traffic,
			ross.ErrUsage)
	}
	if p.routing > adaptive {
		return fmt.Errorf("option --routing=%d: must be 0, minimal, 1, non-minimal, or 2, adaptive: %w", p.routing,
			ross.ErrUsage)
	}
	if !(p.interval > 0 && p.interval <= math.MaxInt32) {
		return fmt.Errorf("option --arrive_rate=%g: must be above 0, and at most 2^31: %w", p.interval, ross.ErrUsage)
	}
	p.limit = int64(sendingTime / p.interval)
	p.localMean = p.interval / 200
	p.localTime, p.globalTime = linkTime(localBandwidth), linkTime(globalBandwidth)
	p.place(cfg)
	p.record.Prepare(cfg)
	return nil
}

// place puts terminals and processes on the PE of their router. So what goes to another PE takes at
// least the time of a credit.
func (p *params) place(cfg *ross.Config) {
	routers, ends, each := uint64(p.routers), uint64(p.ends), p.terminals
	cfg.NLP, cfg.LPs = 0, int(routers+2*ends)
	cfg.TypeMap = func(id ross.LPID) int {
		if uint64(id) < routers {
			return 0
		}
		return 1 + int((uint64(id)-routers)/ends)
	}
	cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{PE: func(id uint64) uint64 {
			if id >= routers {
				id = (id - routers) % ends / each
			}
			return id * s.PEs / routers
		}}, nil
	})
	cfg.ConsLookahead = creditTime * rounded
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	if err := sim.Define(p.router(), p.terminal(), p.process()); err != nil || !places.Wanted(sim) {
		return err
	}
	return places.Write(sim, p.places())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	all, err := ross.Reduce(sim, func(_ *ross.LP, t *terminal) classic.Network {
		return classic.Network{Generated: int64(t.Generated), Packets: t.Finished, Messages: t.Finished, Hops: t.Hops,
			Travel: t.Travel, Max: t.Max}
	}, func(a, b classic.Network) classic.Network {
		return classic.Network{
			Generated: a.Generated + b.Generated, Packets: a.Packets + b.Packets, Messages: a.Messages + b.Messages,
			Hops: a.Hops + b.Hops, Travel: a.Travel + b.Travel, Max: max(a.Max, b.Max),
		}
	})
	if err != nil {
		return err
	}
	w := sim.Report()
	fmt.Fprintf(w, "\nDragonfly Network Model Statistics \n\t%-50s %11d\n", "Number of nodes", p.ends)
	if p.routing == adaptive { // the original counts nothing either
		fmt.Fprintln(w, " ADAPTIVE ROUTING STATS: 0 packets routed minimally 0 packets routed non-minimally ")
	}
	classic.PrintDragonfly(w, all)
	ports := p.perGroup + p.channels + p.terminals
	return p.record.Finish(sim,
		classic.States(func(lp *ross.LP, r *router) string {
			waiting := 0
			for _, queue := range r.Waiting.All(lp) {
				waiting += queue.Len()
			}
			text := fmt.Appendf(nil, "router wait=%d", waiting)
			for _, k := range r.Ports[:ports] {
				text = fmt.Appendf(text, " %d:%.17g:%.17g", k.Busy, k.Out, k.Credit)
			}
			return string(text)
		}),
		classic.States(func(_ *ross.LP, t *terminal) string {
			return fmt.Sprintf("term vc=%d avail=%.17g cred=%.17g wait=0 pk=%d", t.Busy, t.Avail, t.Credit, t.Generated)
		}),
		classic.States(func(_ *ross.LP, s *process) string {
			return fmt.Sprintf("proc count=%d avail=%.17g", s.Count,
				s.Avail)
		}))
}
