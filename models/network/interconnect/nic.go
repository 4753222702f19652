// This file owns NIC: what a terminal sends and receives by.

package interconnect

import (
	"errors"
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// NIC is the network interface of a terminal, a field of the state of its LP. The zero NIC is ready.
type NIC struct {
	queue container.Queue[sending] // messages to be sent, the first one in part
	parts container.Map[part, int32]
	nic
	meter // with Config.Record
}

type nic struct {
	Free   float64 // when the link is free
	Number uint32  // of messages sent
	Used   int32   // flits on the link and in the buffer of the router
	Gone   int32   // flits of the packet that it sends, with Flits
	Waking bool    // an idle is on its way
}

// sending is a message to be sent.
type sending struct {
	packet       // the first one, but for Flits
	Left   int64 // bytes
}

// part is a message that has come in part.
type part struct {
	From   int32
	Number uint32
}

// delivery is the message by which a packet comes to its terminal.
type delivery struct{ packet }

// Message is a message that has come whole.
type Message struct {
	From, To int     // terminals
	Bytes    int64   // payload
	Tag      uint64  // given to Send
	Sent     float64 // virtual time of Send
	Hops     int     // links that its last packet has taken, with those to the terminals
}

// errReceiver means that a terminal has been sent a message that does not exist.
var errReceiver = errors.New("message for a terminal that does not exist")

// Handlers returns the handler of what a network sends to the LPs of terminals, for [ross.Events]: of returns the NIC
// in a state, and deliver is called for each message that has come whole. The type's Saving must be one in which the
// engine undoes what ross.Save has saved: SaveByLog, SaveByReverse if Reverse leaves the NIC alone, or SaveByDelta.
func Handlers[S any](n *Network, of func(s *S) *NIC, deliver func(s *S, lp *ross.LP, m Message)) ross.Handler[S] {
	arrives := ross.On(func(s *S, lp *ross.LP, m *delivery) {
		if of(s).receive(n, lp, &m.packet) {
			deliver(s, lp, Message{int(m.From), int(m.To), m.Bytes, m.Tag, m.Sent, int(m.Hops)})
		}
	})
	if n.Granularity == Messages {
		return arrives
	}
	return ross.Events(arrives, ross.On(func(s *S, lp *ross.LP, m *credit) {
		c := of(s)
		*ross.Write(lp, &c.Used) -= m.Flits
		c.pump(n, lp)
	}), ross.On(func(s *S, lp *ross.LP, _ *idle) {
		c := of(s)
		*ross.Write(lp, &c.Waking) = false
		c.pump(n, lp)
	}))
}

// TerminalLookahead returns the least time of what a terminal sends to its router, for [ross.Type.Lookahead]
// of types whose LPs send to others through their NIC only.
func (n *Network) TerminalLookahead() float64 { return n.kinds[terminal].head }

// Send sends a message of the given number of bytes to a terminal, which gets the tag with it. It waits until the
// messages before it have left. Call it from Init, PreRun or Event of the NIC's LP.
func (c *NIC) Send(n *Network, lp *ross.LP, to int, bytes int64, tag uint64) {
	if to < 0 || to >= n.Terminals() || bytes < 0 {
		lp.Fail(fmt.Errorf("%w: %d bytes to terminal %d: there are %d: %w", errReceiver, bytes, to, n.Terminals(),
			ross.ErrModel))
		return
	}
	w := ross.Write(lp, &c.nic)
	p := packet{From: int32(n.TerminalOf(lp.ID())), To: int32(to), Number: w.Number, Bytes: bytes, Tag: tag,
		Sent: lp.Now(), Hops: 1}
	w.Number++
	if n.Granularity == Messages {
		c.sendWhole(n, lp, p)
		return
	}
	c.queue.Push(lp, sending{p, bytes})
	c.pump(n, lp)
}

// flits returns the flits of some bytes, at least one.
func (n *Network) flits(bytes int64) int64 {
	return max(1, (bytes+int64(n.FlitBytes)-1)/int64(n.FlitBytes))
}

// sendWhole sends a message when the link is free. The nic has been saved.
func (c *NIC) sendWhole(n *Network, lp *ross.LP, p packet) {
	k, now := &n.kinds[terminal], lp.Now()
	flits := n.flits(p.Bytes)
	if p.Flits = int32(flits); int64(p.Flits) != flits {
		lp.Fail(fmt.Errorf("a message of %d bytes has more than 2^31 flits: %w", p.Bytes, ross.ErrModel))
		return
	}
	start := max(now, c.Free)
	if n.Record {
		m := ross.Write(lp, &c.meter)
		m.Leaving = leaving(m.Leaving, c.Free-now, k.flit) + p.Flits
		m.Flits += uint64(p.Flits)
	}
	c.Free = start + float64(k.flit*float64(flits))
	at, port := n.port(p.From)
	ross.Send(lp, at, start-now+k.head, arrival{p, c.Free - k.flit + k.head, port, 0})
}

// port returns the router of a terminal, and its port to it.
func (n *Network) port(terminal int32) (router ross.LPID, port uint16) {
	at := n.routerOf[terminal]
	return ross.LPID(at), uint16(n.net.Ports(int(at)) + int(terminal-n.first[at]))
}

// pump sends what it can: a packet, or with Flits a flit of one.
func (c *NIC) pump(n *Network, lp *ross.LP) {
	s := c.queue.At(lp, 0)
	if s == nil {
		return
	}
	now, k := lp.Now(), &n.kinds[terminal]
	if c.Free <= now {
		size := min(s.Left, int64(n.PacketBytes))
		p := s.packet
		p.Flits = int32(n.flits(size))
		leaving := p.Flits
		if n.Granularity == Flits {
			leaving = 1
		}
		if c.Used+leaving > k.buffer {
			if n.Record {
				c.standing(lp)
			}
			return
		}
		if n.Record {
			c.moves(lp, leaving)
		}
		w := ross.Write(lp, &c.nic)
		w.Used += leaving
		w.Free = now + float64(k.flit*float64(leaving))
		at, port := n.port(p.From)
		if c.Gone == 0 {
			ross.Send(lp, at, k.head, arrival{p, w.Free - k.flit + k.head, port, 0})
		} else {
			ross.Send(lp, at, k.head, flit{port, 0})
		}
		if w.Gone += leaving; w.Gone == p.Flits {
			w.Gone = 0
			*ross.Write(lp, &s.Left) -= size
			if s.Left == 0 {
				c.queue.Pop(lp)
			}
		}
	}
	if c.queue.Len() > 0 && !c.Waking {
		*ross.Write(lp, &c.Waking) = true
		ross.Send(lp, lp.ID(), c.Free-now, idle{})
	}
	if n.Record {
		c.standing(lp)
	}
}

// receive takes a packet, and reports whether its message is whole.
func (c *NIC) receive(n *Network, lp *ross.LP, p *packet) bool {
	if n.Granularity == Messages || p.Bytes <= int64(n.PacketBytes) {
		return true
	}
	id := part{p.From, p.Number}
	got := c.parts.Ensure(lp, id)
	if got == nil {
		return false
	}
	if *got++; int64(*got)*int64(n.PacketBytes) < p.Bytes {
		return false
	}
	c.parts.Delete(lp, id)
	return true
}

// Waiting returns the number of messages that have not left; a part of the first may have left.
func (c *NIC) Waiting() int { return c.queue.Len() }

// Sent returns the number of messages given to Send, modulo 2^32.
func (c *NIC) Sent() uint32 { return c.Number }
