// Package ring has nodes that make packets, which go round a ring of links to another node.
package ring

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

const nodes, link = 16, 1.0 // ms

// Node is the state of an LP. Time is in ms.
type Node struct {
	proc.Processes
	Delay stats.Tally `ross:"delay,ms"`
}

func (n *Node) packets(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(10))
		proc.Go1(p, (*Node).packet, (p.LP().ID()+ross.LPID(p.RNG().Integer(1, nodes-1)))%nodes)
	}
}

func (n *Node) packet(p *proc.Self, to ross.LPID) {
	born := p.Now()
	for p.LP().ID() != to {
		n = proc.At[Node](p, (p.LP().ID()+1)%nodes, link)
	}
	n.Delay.Add(p.LP(), p.Now()-born)
}

// Program returns the model.
func Program() program.Program {
	node := proc.Type(ross.Type[Node]{Init: proc.Start((*Node).packets), Lookahead: link})
	return program.Program{
		Name: "ring", Config: ross.Config{LPs: nodes, End: 1000, Statistics: ross.StatisticsInReport},
		Build: func(sim *ross.Simulation) error { return sim.Define(node) },
	}
}
