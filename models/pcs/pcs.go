// The model: what a cell does with the calls of portables.

package main

import (
	"fmt"
	"math"

	"github.com/ross-go/ross"
)

const (
	channels  = 10 // of a cell, for calls that begin in it or come to it
	reserve   = 0  // further ones, for calls that come to it
	portables = 16 // that begin in each cell

	// Mean times between moves and between calls of a portable, and of a call.
	moves, calls, talk = 4500, 360, 180
)

// The numbers that the original gives its events.
const (
	kindNextCall = iota + 6
	kindCompletion
	kindMoveIn
	kindMoveOut
)

// cell is the state of an LP.
type cell struct {
	Normal, Reserve int32 // free channels
	counts
}

// counts are what is added up over all cells.
type counts struct {
	Attempts, Blocks, Busy, Handoffs int32
}

// portable is a telephone, on its way in a message. Times are virtual times, and those that are never
// reached are infinite.
type portable struct {
	Completion float64 // of its call
	Next       float64 // next call
	Move       float64 // when it leaves the cell
	Channel    int32   // of its call: none, normal, reserved
}

// The kinds of channels.
const (
	none = iota
	normal
	reserved
)

// The messages of a cell, each about a portable.
type (
	nextCall   struct{ portable } // begins a call
	completion struct{ portable } // ends its call
	moveIn     struct{ portable } // comes to the cell during a call
	moveOut    struct{ portable } // leaves the cell during a call
)

// undo undoes an event with an M.
func undo[M any](c *cell, _ *ross.LP, was *cell, _ *M) { *c = *was }

func (p *params) cell() ross.Type[cell] {
	return ross.Type[cell]{
		Name:       "cell",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("cell %d, %d", id%p.columns, id/p.columns) },
		Init:       p.init,
		Event: ross.Events(
			ross.OnUndo(p.nextCall).Reverse(undo),
			ross.OnUndo(p.complete).Reverse(undo),
			ross.OnUndo(p.moveIn).Reverse(undo),
			ross.OnUndo(p.moveOut).Reverse(undo),
		),
	}
}

func (p *params) init(c *cell, lp *ross.LP) {
	c.Normal, c.Reserve = channels, reserve
	for range portables {
		move := lp.RNG().Exponential(moves)
		next := lp.RNG().Exponential(calls)
		p.idle(lp, portable{Completion: math.Inf(1), Next: next, Move: move})
	}
}

func (p *params) nextCall(c *cell, lp *ross.LP, was *cell, m *nextCall) {
	p.record.Event(lp, kindNextCall)
	*was = *c
	t := m.portable
	c.Attempts++
	if c.Normal == 0 {
		c.Blocks++
		t.Next += lp.RNG().Exponential(calls)
		p.idle(lp, t)
		return
	}
	c.Normal--
	t.Channel = normal
	t.Completion = lp.RNG().Exponential(talk) + t.Next
	t.Next += lp.RNG().Exponential(calls)
	p.busy(c, lp, t)
}

func (p *params) complete(c *cell, lp *ross.LP, was *cell, m *completion) {
	p.record.Event(lp, kindCompletion)
	*was = *c
	t := m.portable
	c.give(&t)
	t.Completion = math.Inf(1)
	p.idle(lp, t)
}

func (p *params) moveIn(c *cell, lp *ross.LP, was *cell, m *moveIn) {
	p.record.Event(lp, kindMoveIn)
	*was = *c
	t := m.portable
	t.Move += lp.RNG().Exponential(moves)
	switch {
	case c.Normal > 0:
		c.Normal--
		t.Channel = normal
	case c.Reserve > 0:
		c.Reserve--
		t.Channel = reserved
	default:
		c.Handoffs++
		t.Completion = math.Inf(1)
		p.idle(lp, t)
		return
	}
	p.busy(c, lp, t)
}

func (p *params) moveOut(c *cell, lp *ross.LP, was *cell, m *moveOut) {
	p.record.Event(lp, kindMoveOut)
	*was = *c
	t := m.portable
	c.give(&t)
	send(lp, p.neighbour(lp.ID(), lp.RNG().Integer(0, 3)), t.Move, moveIn{t})
}

// give gives the channel of a call back.
func (c *cell) give(t *portable) {
	switch t.Channel {
	case normal:
		c.Normal++
	case reserved:
		c.Reserve++
	}
	t.Channel = none
}

// idle sends a portable without a call to where its next call begins. As in the original, that is
// the cell before the last one to which it moves until then.
func (p *params) idle(lp *ross.LP, t portable) {
	at, to := lp.ID(), lp.ID()
	for t.Next >= t.Move {
		at = to
		to = p.neighbour(at, lp.RNG().Integer(0, 3))
		t.Move += lp.RNG().Exponential(moves)
		if t.Move >= t.Next {
			break
		}
	}
	send(lp, at, t.Next, nextCall{t})
}

// busy sends a portable with a call what comes first: the end of the call or a move. Calls to it
// until then find it busy.
func (p *params) busy(c *cell, lp *ross.LP, t portable) {
	for t.Next <= t.Completion && t.Next < t.Move {
		c.Busy++
		c.Attempts++
		t.Next += lp.RNG().Exponential(calls)
	}
	if t.Completion < t.Next && t.Completion < t.Move {
		send(lp, lp.ID(), t.Completion, completion{t})
	} else {
		send(lp, lp.ID(), t.Move, moveOut{t})
	}
}

// send sends a message that arrives at a virtual time, or at once if that is past.
func send[M any](lp *ross.LP, to ross.LPID, at float64, m M) {
	ross.Send(lp, to, max(0, at-lp.Now()), m)
}

// neighbour returns the cell in a direction. The edges of the grid are joined.
func (p *params) neighbour(id ross.LPID, direction int64) ross.LPID {
	x, y := id%p.columns, id/p.columns
	switch direction {
	case 0:
		x = (x + p.columns - 1) % p.columns
	case 1:
		x = (x + 1) % p.columns
	case 2:
		y = (y + p.rows - 1) % p.rows
	default:
		y = (y + 1) % p.rows
	}
	return y*p.columns + x
}
