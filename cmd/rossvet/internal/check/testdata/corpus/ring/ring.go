// Package ring has hosts on a network, whose handlers are given to package interconnect.
package ring

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/interconnect"
)

type host struct {
	interconnect.NIC
	Got   int64
	Peers map[int]bool
}

type tick struct{}

var delivered int64

type program struct {
	n     *interconnect.Network
	known map[int]bool
	most  int64
}

func (p *program) wrong() ross.LPType {
	return ross.Type[host]{
		Saving: ross.SaveByLog,
		Event:  ross.Events(interconnect.Handlers(p.n, nicOf, p.deliver), ross.On(p.tick)),
	}
}

func nicOf(h *host) *interconnect.NIC { return &h.NIC }

func (p *program) deliver(h *host, lp *ross.LP, m interconnect.Message) {
	h.Got += m.Bytes // want `h.Got is changed without ross.Save or ross.Write`
	delivered++      // want `a handler writes the variable delivered`
	p.most = m.Bytes // want `a handler writes p.most: p is the same for all LPs`
}

func (p *program) tick(h *host, lp *ross.LP, _ *tick) {
	for to := range p.known {
		h.Send(p.n, lp, to, 64, 0) // want `a send \(Send\) in a loop over a map`
	}
}

func (p *program) right() ross.LPType {
	return ross.Type[host]{
		Saving: ross.SaveByLog,
		Event: ross.Events(interconnect.Handlers(p.n, nicOf, func(h *host, lp *ross.LP, m interconnect.Message) {
			*ross.Write(lp, &h.Got) += m.Bytes
			h.Send(p.n, lp, m.From, 64, m.Tag)
		}), ross.On(func(h *host, lp *ross.LP, _ *tick) {
			h.Send(p.n, lp, 3, 64, 0)
			ross.After(lp, 1, tick{})
		})),
	}
}

var _ = []any{(*program).wrong, (*program).right}
