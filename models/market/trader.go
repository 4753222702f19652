// A trader: it orders, cancels, and keeps its orders until they are settled, or until
// its session is over.

package main

import (
	"hash/crc32"
	"slices"

	"github.com/ross-go/ross"
)

// open is an order that is not settled yet.
type open struct {
	Exchange uint32
	Left     int32
	Side     side
}

// trader is the state of a trader.
type trader struct {
	Cash   int64
	Stock  int64
	Orders uint64          // sent
	Open   map[uint64]open // by number of the order
	// Maps that the ends of sessions took away, for Reverse. Commit discards them.
	Gone []map[uint64]open
}

func traderType(p *params) ross.Type[trader] {
	return ross.Type[trader]{
		Name:       "trader",
		NeverStops: true,
		Init: func(s *trader, lp *ross.LP) {
			s.Open = map[uint64]open{}
			p.wake(lp)
			ross.SendPriority(lp, lp.ID(), dayOf, prioClose, report{Do: actClose})
		},
		Event: ross.OnUndo(func(s *trader, lp *ross.LP, bits *ross.Bits, m *report) { s.handle(p, lp, bits, m) }).Reverse(
			func(s *trader, lp *ross.LP, bits *ross.Bits, m *report) {
				s.undo(lp, bits, m)
				m.Was = open{}
			}).Commit(func(s *trader, _ *ross.LP, _ *ross.Bits, m *report) {
			if m.Do == actClose {
				s.Gone = slices.Delete(s.Gone, 0, 1)
			}
		}),
		Final: func(s *trader, lp *ross.LP) {
			audit(lp, len(s.Gone))
			what := ""
			if code, is := lp.Suspended(); is {
				what = " broke, with stock " + sign(code)
			}
			lp.Printf("TRADER %d cash %d, stock %d, %d of %d orders open, %08x%s\n",
				lp.ID(), s.Cash, s.Stock, len(s.Open), s.Orders, crc32.ChecksumIEEE(s.append(nil)), what)
		},
		SerializedSize: func(s *trader, _ *ross.LP) int { return len(s.append(nil)) },
		Serialize:      func(s *trader, _ *ross.LP, buf []byte) { s.append(buf[:0]) },
		Deserialize:    func(s *trader, _ *ross.LP, buf []byte) error { return s.read(buf) },
	}
}

func sign(code int) string {
	if code < 0 {
		return "below 0"
	}
	return "of 0 or more"
}

// wake makes the trader act again.
func (p *params) wake(lp *ross.LP) {
	ross.SendPriority(lp, lp.ID(), lp.Stream(times).Exponential(1/p.rate), prioOrder, report{Do: actWake})
}

func (s *trader) handle(p *params, lp *ross.LP, bits *ross.Bits, m *report) {
	switch m.Do {
	case actWake:
		s.act(p, lp, bits)
		p.wake(lp)
	case actClose:
		s.Gone = append(s.Gone, s.Open)
		s.Open = map[uint64]open{}
		ross.SendPriority(lp, lp.ID(), dayOf, prioClose, report{Do: actClose})
	case actGone:
		s.settle(bits, m)
	case actFilled:
		s.settle(bits, m)
		s.pay(m, 1)
		if float64(-s.Cash) > p.credit {
			lp.Suspend(true, int(s.Stock))
		}
	}
}

// act orders, or cancels one of the newest orders.
func (s *trader) act(p *params, lp *ross.LP, bits *ross.Bits) {
	r := lp.Stream(choices)
	if r.Unif() < p.cancel {
		id := orderID(lp, max(s.Orders, 16)-r.Ulong(0, 15))
		if o, ok := s.Open[id]; ok {
			ross.SendPriority(lp, ross.LPID(o.Exchange), p.latency(lp), prioCancel,
				request{ID: id, Trader: uint32(lp.ID()), Do: actCancel, Side: o.Side})
		}
		return
	}
	bits.Set(bitMoved)
	s.Orders++
	id := orderID(lp, s.Orders)
	o := open{Side: side(r.Integer(0, 1)), Left: int32(r.Integer(1, 10))}
	// The first exchanges are the busiest.
	o.Exchange = uint32(float64(p.exchanges)*r.Unif()*r.Unif()) * perExchange
	s.Open[id] = o
	ross.SendPriority(lp, ross.LPID(o.Exchange), p.latency(lp), prioOrder, request{
		ID: id, Trader: uint32(lp.ID()), Qty: o.Left, Offset: int32(r.Geometric(0.1)) - 2, Do: actOrder, Side: o.Side,
	})
}

// settle takes from an order what a report is about.
func (s *trader) settle(bits *ross.Bits, m *report) {
	o, ok := s.Open[m.ID]
	if !ok {
		return // of another session
	}
	bits.Set(bitKnown)
	m.Was = o
	if o.Left -= m.Qty; o.Left > 0 {
		s.Open[m.ID] = o
		return
	}
	delete(s.Open, m.ID)
}

// pay pays for a trade; for -1 it undoes that.
func (s *trader) pay(m *report, times int64) {
	qty := times * int64(m.Qty)
	if m.Side == ask {
		qty = -qty
	}
	s.Stock += qty
	s.Cash -= qty * int64(m.Price)
}

func (s *trader) undo(lp *ross.LP, bits *ross.Bits, m *report) {
	switch m.Do {
	case actWake:
		if bits.Get(bitMoved) {
			delete(s.Open, orderID(lp, s.Orders))
			s.Orders--
		}
	case actClose:
		n := len(s.Gone) - 1
		s.Open = s.Gone[n]
		s.Gone = s.Gone[:n]
	case actFilled:
		s.pay(m, -1)
		s.unsettle(bits, m)
	case actGone:
		s.unsettle(bits, m)
	}
}

// unsettle undoes settle.
func (s *trader) unsettle(bits *ross.Bits, m *report) {
	if bits.Get(bitKnown) {
		s.Open[m.ID] = m.Was
	}
}

// orderID numbers the orders of all traders.
func orderID(lp *ross.LP, n uint64) uint64 { return uint64(lp.ID())<<32 | n }
