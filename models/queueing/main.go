// Command queueing is an open network of queues: stations with several servers, urgent and other
// customers, and customers who give up. It shows the tools for models: several messages, timers,
// containers and statistics, and a model without a Reverse handler.
package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/parquet"
	"github.com/ross-go/ross/program/parts/study"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return queueing().Main(args, stdout, stderr)
}

// queueing returns the program, with parameters of its own.
func queueing() program.Program {
	p, cfg := defaults()
	return program.Program{
		Name: "queueing", Parts: append(parts.All(), study.Of(queueing, parquet.Tables)), Config: cfg, Options: p.options,
		Prepare: p.prepare, Build: p.build,
	}
}

// defaults returns the parameters and the configuration of a run without options: 64 stations
// whose servers are busy for 0.7 of the time. The report ends with the statistics.
func defaults() (params, ross.Config) {
	p := params{servers: 2, arrivals: 0.8, service: 1, leave: 0.5, urgent: 0.2, patience: 10, walk: 0.5}
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.WarmUp, cfg.Statistics = 64, 1000, 100, ross.StatisticsInReport
	return p, cfg
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Queueing Model")
	cfg.RegisterLPs(g) // every LP is a station
	g.Uint64(&p.servers, "servers", "servers of each station")
	g.Float64(&p.arrivals, "arrivals", "customers from outside for each station and unit of time")
	g.Float64(&p.service, "service", "mean time of a service")
	g.Float64(&p.leave, "leave", "probability to leave after a service, else to go to a random station")
	g.Float64(&p.urgent, "urgent", "share of customers who are served before others")
	g.Float64(&p.patience, "patience", "mean time after which a waiting customer gives up; 0: they wait for ever")
	g.Float64(&p.walk, "walk", "time to go to another station, the lookahead of --synch=2")
}

func (p *params) build(sim *ross.Simulation) error {
	p.stations = int64(sim.TotalLPs())
	return sim.Define(p.network())
}

// prepare checks the model's parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	switch {
	case cfg.NLP > 1<<24 || cfg.LPs > 1<<24:
		return fmt.Errorf("option --nlp=%d, --lps=%d: must be at most 2^24: %w", cfg.NLP, cfg.LPs, ross.ErrUsage)
	case p.servers < 1 || p.servers > 1<<30:
		return fmt.Errorf("option --servers=%d: must be in [1, 2^30]: %w", p.servers, ross.ErrUsage)
	}
	if err := cmp.Or(
		cmdline.InRange("arrivals", p.arrivals, 1e-9, 1e9),
		cmdline.InRange("service", p.service, 1e-9, 1e9),
		cmdline.InRange("leave", p.leave, 0, 1),
		cmdline.InRange("urgent", p.urgent, 0, 1),
		cmdline.InRange("patience", p.patience, 0, 1e9),
		cmdline.InRange("walk", p.walk, 0, 1e9),
	); err != nil {
		return err
	}
	cfg.ConsLookahead = p.walk
	return nil
}
