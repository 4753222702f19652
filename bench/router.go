// This file owns Router: the cost of undoing events of LPs with large states.

package bench

import (
	"fmt"
	"testing"

	"github.com/ross-go/ross"
)

// Router is one cell of the table of large states: a torus of routers of 2.7 KB. An event
// changes eight fields in four or five cache lines of a router.
type Router struct {
	How ross.Saving // SaveByReverse, SaveByLog or SaveByDelta
	LPs int
	PEs int
}

func (r Router) String() string {
	return fmt.Sprintf("saving=%v/lps=%d/pes=%d", r.How, r.LPs, r.PEs)
}

const (
	routerPorts   = 12
	routerSlots   = 22
	routerWidth   = 32 // LPs of a row of the torus
	routerPackets = 8  // for each LP
)

// routerState is a state of 2,656 bytes.
type routerState struct {
	head  routerHead
	_     [5]uint64
	ports [routerPorts]routerPort
}

type routerHead struct {
	forwarded, hops uint64
	last            float64
}

type routerPort struct {
	routerLink
	queue [routerSlots]uint64
}

type routerLink struct {
	credits [4]int32
	tail    uint32
	until   float64
	sent    uint64
}

// routerMsg is a packet. The last fields hold what Reverse needs.
type routerMsg struct {
	packet uint64
	hops   uint16
	in     uint8
	out    uint8
	slot   uint64
	until  float64
	last   float64
}

// event forwards a packet: it arrives in a slot of its port and takes a credit of the port
// through which it leaves, which is busy until then.
func (r Router) event(s *routerState, lp *ross.LP, m *routerMsg) {
	o := uint8(lp.RNG().Integer(0, routerPorts-1))
	head, in, out := &s.head, &s.ports[m.in], &s.ports[o]
	slot, class := &in.queue[in.tail%routerSlots], m.packet%4
	switch r.How {
	case ross.SaveByLog:
		ross.Write(lp, head)
		ross.Write(lp, slot)
		ross.Write(lp, &in.tail)
		ross.Write(lp, &out.routerLink)
	case ross.SaveByReverse:
		m.out, m.slot, m.until, m.last = o, *slot, out.until, head.last
	}
	now := lp.Now()
	head.forwarded++
	head.hops += uint64(m.hops)
	head.last = now
	*slot = m.packet
	in.tail++
	out.credits[class]--
	out.until = max(out.until, now) + 0.001
	out.sent++
	next := (int(lp.ID()) + [...]int{1, routerWidth, -1, -routerWidth}[o%4] + r.LPs) % r.LPs
	ross.Send(lp, ross.LPID(next), lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead,
		routerMsg{packet: m.packet, hops: m.hops + 1, in: o})
}

func (r Router) reverse(s *routerState, _ *ross.LP, m *routerMsg) {
	head, in, out := &s.head, &s.ports[m.in], &s.ports[m.out]
	out.sent--
	out.until = m.until
	out.credits[m.packet%4]++
	in.tail--
	in.queue[in.tail%routerSlots] = m.slot
	head.last = m.last
	head.hops -= uint64(m.hops)
	head.forwarded--
}

func (r Router) model() ross.Type[routerState] {
	model := ross.Type[routerState]{
		Name:   "router",
		Saving: r.How,
		Init: func(_ *routerState, lp *ross.LP) {
			for i := range uint64(routerPackets) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead,
					routerMsg{packet: uint64(lp.ID())*routerPackets + i})
			}
		},
	}
	handler := ross.On(r.event)
	if r.How == ross.SaveByReverse {
		handler = handler.Reverse(r.reverse)
	}
	model.Event = handler
	return model
}

// Run measures one committed event.
func (r Router) Run(b *testing.B) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = 3, r.PEs, int(r.LPs/r.PEs)
	run(b, cfg, r.LPs*routerPackets, r.model())
}
