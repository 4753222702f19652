// This file owns the line of docs/from-omnetpp.md: a source, queues one behind the other, and a sink, as a program with
// parameters from a file and studies.

package sidebyside

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/params"
	"github.com/ross-go/ross/program/parts/study"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// Line has the parameters of all modules. Time is in seconds.
type Line struct {
	file         params.File
	interarrival float64
	queues       []QueueParams
}

// QueueParams are the parameters of a queue.
type QueueParams struct{ Service float64 } // mean, s

const (
	length  = 3   // queues
	channel = 0.1 // delay of all channels, s
)

// Item is the message that goes from module to module.
type Item struct{ Born float64 }

// Source, Queue and Sink are the states of LPs.
type (
	Source struct{ Made int64 }
	Queue  struct {
		Server resource.Servers[Item] `ross:"server,s"`
	}
	Sink struct {
		Stay stats.Histogram `ross:"stay,s"`
	}
)

// What modules send themselves.
type (
	Make  struct{}
	Ready struct{ Ticket resource.Ticket }
)

func (l *Line) begin(_ *Source, lp *ross.LP) { l.next(lp) }

func (l *Line) next(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(l.interarrival), Make{})
}

func (l *Line) make(s *Source, lp *ross.LP, _ *Make) {
	s.Made++
	ross.Send(lp, lp.ID()+1, channel, Item{Born: lp.Now()})
	l.next(lp)
}

func (l *Line) open(q *Queue, lp *ross.LP) { q.Server.Open(lp, resource.Rules{Servers: 1}) }

func (l *Line) arrive(q *Queue, lp *ross.LP, m *Item) {
	if t, outcome := q.Server.Request(lp, *m); outcome == resource.Starts {
		l.serve(lp, t)
	}
}

func (l *Line) serve(lp *ross.LP, t resource.Ticket) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(l.queues[lp.ID()-1].Service), Ready{t})
}

func (l *Line) ready(q *Queue, lp *ross.LP, m *Ready) {
	item, next := q.Server.Release(lp, m.Ticket)
	ross.Send(lp, lp.ID()+1, channel, item)
	if next != 0 {
		l.serve(lp, next)
	}
}

func (s *Sink) Item(lp *ross.LP, m *Item) { s.Stay.Add(lp, lp.Now()-m.Born) }

func (l *Line) types() []ross.LPType {
	return []ross.LPType{
		ross.Type[Source]{LPs: 1, Lookahead: channel, Init: l.begin, Event: ross.On(l.make)},
		ross.Type[Queue]{
			LPs: length, Lookahead: channel, Init: l.open,
			Event: ross.Events(ross.On(l.arrive), ross.On(l.ready)),
		},
		ross.Type[Sink]{LPs: 1, Lookahead: channel, Event: ross.On((*Sink).Item)},
	}
}

// line returns the program. In a package main, main is os.Exit(line().Main(os.Args[1:], os.Stdout, os.Stderr)).
func line() program.Program {
	l := Line{interarrival: 2}
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = length+2, 10_000
	return program.Program{
		Name:   "line",
		Config: cfg,
		Parts:  []program.Part{study.Of(line)},
		Options: func(o *ross.Options, _ *ross.Config) {
			g := o.Group("Line")
			g.Float64(&l.interarrival, "interarrival", "mean time between two items, s")
			params.Option(g, &l.file, "params", "parameters of the queues")
		},
		Prepare: func(*ross.Config) (err error) {
			name := func(i int) string { return fmt.Sprintf("queue[%d]", i) }
			if l.queues, err = params.Each(&l.file, length, name, QueueParams{Service: 1}); err != nil {
				return err
			}
			return l.file.Done()
		},
		Build: func(sim *ross.Simulation) error { return sim.Define(l.types()...) },
	}
}

const lineParams = `
"queue[0].service": 0.5
"queue[*].service": 1
`

func Example_line() {
	dir, err := os.MkdirTemp("", "line")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "line.yaml")
	if err := os.WriteFile(file, []byte(lineParams), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	words := []string{"--end=5000", "--replications=10", "--vary=interarrival=2,1.5", "--results=server.Wait,stay"}
	fmt.Println("status", line().Main(append(words, "--params="+file), os.Stdout, os.Stdout))
	// Output:
	// line --params=sha256:2ddec3400e6fd2c36284c36e7c1c3d1f --end=5000
	// means with half widths of 95 % confidence intervals
	//
	// interarrival  server.Wait [s]  stay [s]     replications
	//            2  0.709 ± 0.049    5.02 ± 0.16            10
	//          1.5  1.386 ± 0.086    7.05 ± 0.27            10
	// status 0
}
