// A host: it sends packets to others, and again those that are not answered in time.

package main

import (
	"errors"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// A host receives these messages, packets, credits and idle.
type (
	generate struct{}                // a packet is to be sent
	answer   struct{ Number uint32 } // the packet has arrived
	late     struct{ Number uint32 } // the packet has not been answered in time
)

const (
	maxFlits  = 16 // of a packet
	maxWindow = 64
)

var errLate = errors.New("a timer of an answered packet was not cancelled")

// host is the state of a host.
type host struct {
	link
	Backlog container.Queue[packet]       // to be sent
	Open    container.Map[uint32, flight] // packets without answer, by number

	Latency    stats.Histogram `ross:"latency,ns"`
	Hops       stats.Tally     `ross:"hops"`
	Throughput stats.Series    `ross:"throughput,flits,every=100"`
	Damaged    stats.Counter   `ross:"packets damaged"`
	Resent     stats.Counter   `ross:"packets sent again"`
	Duplicates stats.Counter   `ross:"answers to duplicates"`
}

// flight is a packet without answer.
type flight struct {
	packet
	Timer ross.Timer // sends it again
}

// link is what handlers change through ross.Write.
type link struct {
	Numbers uint32 // of packets so far
	Credits uint8  // packets for which the router has room
	Busy    bool
}

func hostType(p *params) ross.Type[host] {
	return ross.Type[host]{
		Name: "host", Label: p.label, Saving: ross.SaveByLog,
		NeverStops: true,
		Init: func(h *host, lp *ross.LP) {
			h.Credits = uint8(p.buffer)
			ross.Send(lp, lp.ID(), p.interval(lp), generate{})
		},
		Event: ross.Events(ross.On(p.generate), ross.On(p.receive), ross.On(p.answer), ross.On(p.late), ross.On(p.room),
			ross.On(p.sent)),
	}
}

// interval draws the time between packets, whose mean length is (maxFlits + 1) / 2.
func (p *params) interval(lp *ross.LP) float64 {
	return lp.RNG().Exponential((maxFlits + 1) / 2.0 / p.load)
}

func (p *params) generate(h *host, lp *ross.LP, _ *generate) {
	l := ross.Write(lp, &h.link)
	l.Numbers++
	hosts := int64(p.lps) / int64(p.group) * int64(p.hosts)
	other := lp.RNG().Integer(0, hosts-1)
	h.Backlog.Push(lp, packet{
		From: uint32(lp.ID()), To: uint32(other/int64(p.hosts)*int64(p.group) + 1 + other%int64(p.hosts)),
		Number: l.Numbers, Flits: uint16(lp.RNG().Integer(1, maxFlits)), Born: lp.Now(),
	})
	ross.Send(lp, lp.ID(), p.interval(lp), generate{})
	p.inject(h, lp)
}

// inject sends a packet to the router, if there is one, and room for it.
func (p *params) inject(h *host, lp *ross.LP) {
	if h.Credits == 0 || h.Busy {
		return
	}
	m, ok := h.Backlog.Peek(lp)
	for ok && m.Again && !h.Open.Has(lp, m.Number) { // it was answered in the meantime
		h.Backlog.Pop(lp)
		m, ok = h.Backlog.Peek(lp)
	}
	if !ok || !m.Again && h.Open.Len() >= int(p.window) {
		return
	}
	h.Backlog.Pop(lp)
	l := ross.Write(lp, &h.link)
	l.Busy = true
	l.Credits--
	h.Open.Put(lp, m.Number, flight{m, ross.After(lp, p.timeout, late{m.Number})})
	m.Port = uint8(p.links + int(lp.ID())%p.group - 1)
	ross.Send(lp, lp.ID()/ross.LPID(p.group)*ross.LPID(p.group), p.latency+float64(m.Flits), m)
	ross.Send(lp, lp.ID(), float64(m.Flits), idle{})
}

// receive receives a packet, for which there is always room. The answer takes another network.
func (p *params) receive(h *host, lp *ross.LP, m *packet) {
	ross.Send(lp, lp.ID()/ross.LPID(p.group)*ross.LPID(p.group), p.latency,
		credit{uint8(p.links + int(lp.ID())%p.group - 1)})
	if lp.RNG().Unif() < p.loss {
		h.Damaged.Inc(lp)
		return
	}
	h.Latency.Add(lp, lp.Now()-m.Born)
	h.Hops.Add(lp, float64(m.Hops))
	h.Throughput.Add(lp, float64(m.Flits))
	ross.Send(lp, ross.LPID(m.From), p.latency*float64(m.Hops+1), answer{m.Number})
}

func (p *params) answer(h *host, lp *ross.LP, m *answer) {
	f, ok := h.Open.Get(lp, m.Number)
	if !ok {
		h.Duplicates.Inc(lp)
		return
	}
	f.Timer.Cancel(lp)
	h.Open.Delete(lp, m.Number)
	p.inject(h, lp)
}

func (p *params) late(h *host, lp *ross.LP, m *late) {
	f, ok := h.Open.Get(lp, m.Number)
	if !ok {
		lp.Fail(errLate)
		return
	}
	h.Resent.Inc(lp)
	f.Again = true
	h.Backlog.PushFront(lp, f.packet)
	p.inject(h, lp)
}

func (p *params) room(h *host, lp *ross.LP, _ *credit) {
	ross.Write(lp, &h.link).Credits++
	p.inject(h, lp)
}

func (p *params) sent(h *host, lp *ross.LP, _ *idle) {
	ross.Write(lp, &h.link).Busy = false
	p.inject(h, lp)
}
