// What exchanges and traders have in common: the kinds of LPs, their messages, and the
// delays.

package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/ross-go/ross"
)

// params are the parameters of the model, by flag.
type params struct {
	rate        float64
	cancel      float64
	lookahead   float64
	credit      float64
	load, store string

	exchanges uint64 // on all PEs
}

// perExchange is the number of traders for each exchange, plus one.
const perExchange = 4

// kindOf returns the kind of an LP: an index into the types.
func kindOf(gid ross.LPID) int {
	if gid%perExchange == 0 {
		return 0
	}
	return 1
}

// Priorities: of the events of one time, cancellations come first. What an event sends
// without delay must not come before it.
const (
	prioCancel = 0.25
	prioOrder  = 0.5
	prioMatch  = 0.75
	prioReport = 0.875
	prioClose  = 1.0
)

// action is what a message is about.
type action uint8

const (
	actOrder  action = iota // to an exchange
	actCancel               // to an exchange
	actMatch                // an exchange's to itself: bids and asks cross
	actWake                 // a trader's to itself: it orders or cancels
	actFilled               // to a trader
	actGone                 // to a trader: its order was cancelled
	actClose                // to itself: the session is over, all orders are void
)

// side is where an order stands in a book.
type side uint8

const (
	bid side = iota
	ask
)

// request is a message to an exchange.
type request struct {
	ID     uint64 // of the order
	Trader uint32
	Qty    int32
	Offset int32 // how much worse than the last price
	Do     action
	Side   side
	Hops   uint16 // matches without delay before this one

	// What the handler leaves to be undone.
	At, N int32
}

// report is a message to a trader.
type report struct {
	ID    uint64
	Qty   int32
	Price int32
	Do    action
	Side  side

	Depth [8]int32 // quantities of the best orders on the other side

	// What the handler leaves to be undone: the order as it was. If the trader has
	// rolled back, a report that came too early may be about another order.
	Was open
}

// Bits that events leave for Reverse and Commit.
const (
	bitMoved = iota // an order was put into the book, a trade was made, a cancelled order was found
	bitBid          // the best bid is gone
	bitAsk          // the best ask is gone
	bitKnown        // the trader had the order
)

const (
	gridStep = 0.25 // of half of the arrivals of requests
	dayOf    = 8.0  // a trader's session
)

// choices and times are drawn from two streams.
const (
	choices = 0
	times   = 1
)

// latency draws the delay of a request; many arrive at the same time.
func (p *params) latency(lp *ross.LP) float64 {
	now, d := lp.Now(), p.lookahead+lp.Stream(times).Exponential(0.2)
	if lp.Stream(choices).Integer(0, 1) == 0 {
		d = math.Ceil((now+d)/gridStep)*gridStep - now
		for d < p.lookahead || now+d == now {
			d += gridStep
		}
	}
	return d
}

// reply draws the delay of a report, which may be the least there is.
func (p *params) reply(lp *ross.LP) float64 {
	if lp.Stream(choices).Integer(0, 3) == 0 {
		return p.lookahead
	}
	return p.lookahead + lp.Stream(times).Exponential(0.1)
}

var errKept = errors.New("market: orders that committed events took away are still there")

// audit ends a run with an error if Commit has not discarded what it should.
func audit(lp *ross.LP, kept int) {
	if kept > 0 {
		lp.Fail(fmt.Errorf("%w: %d", errKept, kept))
	}
}
