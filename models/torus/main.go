// Command torus simulates a network of nodes in an n-dimensional torus, through which processes send
// messages. It is the model torus of ROSS: its events are those of the original, in the same order
// and with the same times.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/internal/classic"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/places"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// The patterns of traffic.
const (
	uniform = iota
	neighbours
	diagonal
)

var patterns = map[string]int{"uniform": uniform, "nearest": neighbours, "diagonal": diagonal}

// params are the parameters of the model, by flag, and what follows from them.
type params struct {
	record    classic.Recorder
	dims      string
	interval  float64
	bytes     uint64
	injection float64
	bandwidth float64
	pattern   string

	grid
	traffic                      int
	head, creditTime, creditMean float64
	packets                      int64 // of a message
	limit                        int64 // packets of a process
	full                         int32 // chunks without credit that fill a port
	end                          float64
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return runWith(fullPort, args, stdout, stderr) }

// runWith is run with ports that the given number of chunks without credit fills.
func runWith(full int32, args []string, stdout, stderr io.Writer) int {
	return newProgram(full).Main(args, stdout, stderr)
}

// newProgram returns the program, with parameters of its own.
func newProgram(full int32) program.Program {
	p := params{dims: "4,4,4,4,2", interval: 200, bytes: 32, injection: 20000, bandwidth: 2, pattern: "uniform",
		full: full}
	cfg := ross.DefaultConfig()
	cfg.End = 10000
	return program.Program{
		Name: "torus", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Torus Model")
	g.String(&p.dims, "dims", "length of each dimension")
	g.Float64(&p.interval, "arrive_rate", "mean time between messages of a process")
	g.Uint64(&p.bytes, "mpi-message-size", "bytes of a message, which is sent in packets of 512")
	g.Float64(&p.injection, "injection_interval", "time for which a process sends, on average")
	g.Float64(&p.bandwidth, "link_bandwidth", "bandwidth of a link")
	g.String(&p.pattern, "traffic", "uniform, nearest or diagonal")
	classic.Ignored(g, "vc_size", "mem_factor")
	classic.Memory(g)
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) (err error) {
	if p.grid, err = parseGrid(p.dims); err != nil {
		return err
	}
	for _, o := range []struct {
		name string
		is   float64
	}{{"arrive_rate", p.interval}, {"injection_interval", p.injection}, {"link_bandwidth", p.bandwidth}} {
		if !(o.is > 0 && o.is <= math.MaxInt32) {
			return fmt.Errorf("option --%s=%g: must be above 0, and at most 2^31: %w", o.name, o.is, ross.ErrUsage)
		}
	}
	if p.bytes > 1<<20 {
		return fmt.Errorf("option --mpi-message-size=%d: must be at most 1 MiB: %w", p.bytes, ross.ErrUsage)
	}
	var ok bool
	if p.traffic, ok = patterns[p.pattern]; !ok {
		return fmt.Errorf("option --traffic=%s: must be uniform, nearest or diagonal: %w", p.pattern, ross.ErrUsage)
	}
	if err := p.distinct(); err != nil {
		return err
	}
	perByte := 1 / (p.bandwidth * 10 / float64(p.ports()))
	p.head = float64(float32(perByte * 32))
	p.creditTime = float64(float32(perByte * 8))
	p.creditMean = float64(float32(p.creditTime / 1000))
	p.packets = max(1, int64((p.bytes+packetSize-1)/packetSize))
	p.limit = int64(p.injection / p.interval)
	p.end = cfg.End
	p.place(cfg)
	p.record.Prepare(cfg)
	return nil
}

// distinct refuses what would have a node send to itself.
func (p *params) distinct() error {
	even := func(n int32) bool { return n%2 == 0 }
	switch {
	case p.traffic == uniform && p.nodes == 1:
		return fmt.Errorf("option --dims=%s: must have a length above 1, as a node does not send to itself: %w", p.dims,
			ross.ErrUsage)
	case p.traffic == neighbours && slices.Contains(p.size, 1):
		return fmt.Errorf(
			"option --dims=%s: must have no length of 1 with --traffic=nearest, in which a node is its own neighbour: %w",
			p.dims, ross.ErrUsage)
	case p.traffic == diagonal && !slices.ContainsFunc(p.size, even):
		return fmt.Errorf(
			"option --dims=%s: must have an even length with --traffic=diagonal, or the node in the middle is its own opposite: %w", p.dims, ross.ErrUsage)
	}
	return nil
}

// lookahead returns a promise for delays. All are at least one of the times: they are
// differences of times up to the end, and rounded.
func (p *params) lookahead(times ...float64) float64 {
	const relative, ofEnd = 1e-6, 1e-15
	return max(0, slices.Min(times)*(1-relative)-p.end*ofEnd)
}

// place puts each process on the PE of its node. So what goes to another PE goes through a link, and
// takes at least the time of a credit.
func (p *params) place(cfg *ross.Config) {
	n := uint64(p.nodes)
	cfg.NLP, cfg.LPs = 0, int(2*n)
	cfg.TypeMap = func(id ross.LPID) int { return int(uint64(id) / n) }
	cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{PE: func(id uint64) uint64 { return id % n * s.PEs / n }}, nil
	})
	cfg.ConsLookahead = p.lookahead(p.creditTime, p.head)
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	if err := sim.Define(p.node(), p.process()); err != nil || !places.Wanted(sim) {
		return err
	}
	return places.Write(sim, p.places())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	generated, err := ross.Reduce(sim, func(_ *ross.LP, n *node) int64 { return int64(n.Generated) },
		func(a, b int64) int64 { return a + b })
	if err != nil {
		return err
	}
	all, err := ross.Reduce(sim, func(_ *ross.LP, s *process) process { return *s }, func(a, b process) process {
		return process{Finished: a.Finished + b.Finished, Hops: a.Hops + b.Hops, Travel: a.Travel + b.Travel,
			Max: max(a.Max, b.Max)}
	})
	if err != nil {
		return err
	}
	classic.PrintNetwork(sim.Report(), classic.Network{
		Generated: generated, Packets: all.Finished, Messages: all.Finished, Hops: all.Hops, Travel: all.Travel, Max: all.Max,
	})
	return p.record.Finish(sim,
		classic.States(func(lp *ross.LP, n *node) string {
			waiting := 0
			for _, queue := range n.Waiting.All(lp) {
				waiting += queue.Len()
			}
			text := fmt.Appendf(nil, "node wait=%d", waiting)
			for _, k := range n.Ports[:p.ports()] {
				text = fmt.Appendf(text, " %d:%.17g:%.17g", k.Busy, k.Link, k.Credit)
			}
			return string(text)
		}),
		classic.States(func(_ *ross.LP, s *process) string {
			return fmt.Sprintf("mpi count=%d avail=%.17g", s.Count, s.Avail)
		}))
}
