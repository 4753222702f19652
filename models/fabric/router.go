// A router: input buffers, and outputs that send only what the other end has room for.

package main

import (
	"errors"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// These messages are about a port of the receiver.
type (
	packet struct {
		From, To, Number uint32 // hosts, and which of From's packets it is
		Flits            uint16 // its length: a flit passes a link in a nanosecond
		Hops             uint16
		Port             uint8 // at which it arrives
		Again            bool  // it has been sent before
		Born             float64
	}
	credit struct{ Port uint8 } // there is room for one more packet behind the port
	idle   struct{ Port uint8 } // the port has sent its packet
)

const maxBuffer = 64

var errOverflow = errors.New("a packet came without credit")

// router is the state of a router. Handlers change gates through ross.Write.
type router struct {
	Gates [maxPorts]gate
	In    [maxPorts]container.Queue[packet]

	Buffered stats.Level   `ross:"packets in buffers"`
	Passed   stats.Counter `ross:"packets passed on"`
}

// gate is a port without its buffer.
type gate struct {
	Want    uint8 // 1 + the output for which the first packet of the buffer waits, 0 without one
	Credits uint8 // packets for which there is room behind the output
	Busy    bool  // the output sends a packet
	Last    uint8 // input whose packet the output sent last
}

func routerType(p *params) ross.Type[router] {
	return ross.Type[router]{
		Name: "router", Label: p.label, Saving: ross.SaveByLog,
		NeverStops: true,
		Init: func(r *router, _ *ross.LP) {
			for i := range p.ports {
				r.Gates[i].Credits = uint8(p.buffer)
			}
		},
		Event: ross.Events(ross.On(p.packet), ross.On(p.credit), ross.On(p.idle)),
	}
}

func (p *params) packet(r *router, lp *ross.LP, m *packet) {
	r.Buffered.Add(lp, 1)
	in := &r.In[m.Port]
	in.Push(lp, *m)
	if in.Len() > int(p.buffer) {
		lp.Fail(errOverflow)
	}
	if in.Len() == 1 {
		p.head(r, lp, int(m.Port), m.To)
	}
}

func (p *params) credit(r *router, lp *ross.LP, m *credit) {
	ross.Write(lp, &r.Gates[m.Port]).Credits++
	p.serve(r, lp, int(m.Port))
}

func (p *params) idle(r *router, lp *ross.LP, m *idle) {
	ross.Write(lp, &r.Gates[m.Port]).Busy = false
	p.serve(r, lp, int(m.Port))
}

// head chooses an output for a packet that is now the first one of an input.
func (p *params) head(r *router, lp *ross.LP, in int, to uint32) {
	out := p.route(lp.ID(), to)
	ross.Write(lp, &r.Gates[in]).Want = uint8(out + 1)
	if p.may(r, in, out) {
		p.pass(r, lp, in, out)
	}
}

// may reports whether an output can send the packet of an input. A packet that enters a ring of
// the torus leaves room for another one, so that a ring never fills up and stands still (bubble
// flow control, Puente et al. 2001).
func (p *params) may(r *router, in, out int) bool {
	need := uint8(1)
	if out < p.links && in != out^1 {
		need = 2
	}
	return !r.Gates[out].Busy && r.Gates[out].Credits >= need
}

// serve has an output send a packet of the next input that waits for it, in turn.
func (p *params) serve(r *router, lp *ross.LP, out int) {
	if r.Gates[out].Busy || r.Gates[out].Credits == 0 {
		return
	}
	in := int(r.Gates[out].Last)
	for range p.ports {
		if in++; in >= p.ports {
			in = 0
		}
		if int(r.Gates[in].Want) == out+1 && p.may(r, in, out) {
			p.pass(r, lp, in, out)
			return
		}
	}
}

// pass sends the first packet of an input through an output.
func (p *params) pass(r *router, lp *ross.LP, in, out int) {
	m, _ := r.In[in].Pop(lp)
	r.Buffered.Add(lp, -1)
	r.Passed.Inc(lp)
	g := ross.Write(lp, &r.Gates[out])
	g.Busy, g.Last = true, uint8(in)
	g.Credits--
	m.Port = uint8(out ^ 1)
	m.Hops++
	ross.Send(lp, p.across(lp.ID(), out), p.latency+float64(m.Flits), m)
	ross.Send(lp, lp.ID(), float64(m.Flits), idle{uint8(out)})
	ross.Send(lp, p.across(lp.ID(), in), p.latency, credit{uint8(in ^ 1)})
	if next, ok := r.In[in].Peek(lp); ok {
		p.head(r, lp, in, next.To)
	} else {
		ross.Write(lp, &r.Gates[in]).Want = 0
	}
}
