// This file owns packets that go round a ring of nodes.

package sidebyside

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

const (
	nodes = 16
	link  = 1.0 // ms
)

// Node is the state of an LP. Time is in ms.
type Node struct {
	Delay stats.Tally `ross:"delay,ms"`
}

// The messages of a node.
type (
	Fresh  struct{} // the node makes a packet
	Packet struct {
		To   ross.LPID
		Born float64
	}
)

func (n *Node) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(10), Fresh{}) }

func (n *Node) Fresh(lp *ross.LP, _ *Fresh) {
	away := ross.LPID(lp.RNG().Integer(1, nodes-1))
	forward(lp, Packet{To: (lp.ID() + away) % nodes, Born: lp.Now()})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(10), Fresh{})
}

func (n *Node) Packet(lp *ross.LP, m *Packet) {
	if m.To == lp.ID() {
		n.Delay.Add(lp, lp.Now()-m.Born)
		return
	}
	forward(lp, *m)
}

func forward(lp *ross.LP, m Packet) { ross.Send(lp, (lp.ID()+1)%nodes, link, m) }

var ring = ross.Type[Node]{
	LPs:       nodes,
	Lookahead: link,
	Init:      (*Node).Init,
	Event:     ross.Events(ross.On((*Node).Fresh), ross.On((*Node).Packet)),
}

func Example_ring() {
	sim, err := ross.Run(context.Background(), ross.Config{Synch: ross.Optimistic, PEs: 2, End: 1000}, ring)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d packets, %.3f ms on average\n", table.Rows()[0].Count, table.Rows()[0].Mean)
	// Output: 1541 packets, 8.032 ms on average
}
