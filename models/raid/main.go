// Command raid simulates file servers whose disks fail, are replaced and rebuilt. It is the model raid
// of ROSS: its events are those of the original, in the same order and with the same times, as long
// as the original loses none.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/internal/classic"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag.
type params struct {
	record  classic.Recorder
	servers uint64
	distro  uint64
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{servers: 64, distro: 3}
	cfg := ross.DefaultConfig()
	cfg.End = 10e6
	return program.Program{
		Name: "raid", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("RAID Model")
	g.Uint64(&p.servers, "nfs", "file servers, each with 4 controllers of 8 disks")
	g.Uint64(&p.distro, "disk-distro",
		"how long disks live: 0 uniform, 1 exponential,\n2 to 6 Weibull with shape 0.1, 0.5, 1, 5, 10")
	classic.Memory(g)
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if p.servers < 1 || p.servers > 1<<24 {
		return fmt.Errorf("option --nfs=%d: must be 1 to 2^24: %w", p.servers, ross.ErrUsage)
	}
	if p.distro >= 2+uint64(len(shapes)) {
		return fmt.Errorf("option --disk-distro=%d: must be 0 to 6: %w", p.distro, ross.ErrUsage)
	}
	cfg.NLP, cfg.LPs, cfg.TypeMap = 0, int(p.servers*group), typeOf
	cfg.ConsLookahead = 0 // controllers tell their servers at once
	p.record.Prepare(cfg)
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	return sim.Define(p.types()...)
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	add := func(a, b int64) int64 { return a + b }
	failures, err := ross.Reduce(sim, func(_ *ross.LP, s *disk) int64 { return int64(s.Failures) }, add)
	if err != nil {
		return err
	}
	rebuilds, err := ross.Reduce(sim, func(_ *ross.LP, s *controller) int64 { return int64(s.Rebuilds) }, add)
	if err != nil {
		return err
	}
	lost, err := ross.Reduce(sim, func(_ *ross.LP, s *controller) int64 {
		if s.Condition == failed {
			return 1
		}
		return 0
	}, add)
	if err != nil {
		return err
	}
	blocks, err := ross.Reduce(sim, func(_ *ross.LP, s *server) int64 { return s.Blocks }, add)
	if err != nil {
		return err
	}
	loads, err := ross.Gather(sim, func(_ *ross.LP, s *load) load { return *s })
	if err != nil {
		return err
	}
	var all load
	for _, l := range loads { // in the order of the original, since the sums depend on it
		all.Idle += l.Idle
		all.Busy += l.Busy
	}
	w := sim.Report()
	fmt.Fprintf(w, "\nTotal disk failures: %d\n", failures)
	fmt.Fprintf(w, "Total RAID rebuilds: %d\n", rebuilds)
	fmt.Fprintf(w, "Total RAID failures: %d\n", lost)
	fmt.Fprintf(w, "Total blocks read/written: %d\n", blocks)
	fmt.Fprintf(w, "Total time spent idling: %.5f\n", all.Idle)
	fmt.Fprintf(w, "Total time spent reading/writing: %.5f\n", all.Busy)
	if all.Busy > 0 {
		fmt.Fprintf(w, "Total average throughput: %.5f\n", float64(blocks)/all.Busy)
	}
	return p.record.Finish(sim,
		classic.States(func(_ *ross.LP, s *load) string {
			return fmt.Sprintf("io mode=%d idle=%.17g busy=%.17g", s.Mode, s.Idle, s.Busy)
		}),
		classic.States(func(_ *ross.LP, s *server) string {
			return fmt.Sprintf("server mode=%d ts=%.17g bw=%.17g blocks=%d good=%d rebuild=%d fail=%d",
				s.Mode, s.Stamp, s.bandwidth(), s.Blocks, s.Good, s.Rebuilding, s.Bad)
		}),
		classic.States(func(_ *ross.LP, s *controller) string {
			return fmt.Sprintf("ctl cond=%d rebuilds=%d", s.Condition, s.Rebuilds)
		}),
		classic.States(func(_ *ross.LP, s *disk) string { return fmt.Sprintf("disk failures=%d", s.Failures) }))
}
