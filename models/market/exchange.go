// An exchange: a book of orders, which match if a bid is not below an ask.

package main

import (
	"cmp"
	"hash/crc32"
	"slices"

	"github.com/ross-go/ross"
)

// order stands in a book.
type order struct {
	ID     uint64
	Trader uint32
	Qty    int32
	Price  int32
}

// exchange is the state of an exchange. Each side of the book has its best order at its
// end; among orders at one price, the oldest.
type exchange struct {
	Book   [2][]order
	Last   int32 // price
	Volume int64
	// Orders that events took out of the book, for Reverse. Commit discards them.
	Gone []order
}

const (
	firstPrice = 1000
	lowest     = 1
	highest    = 1 << 20
	maxMatches = 12 // without delay, one after the other
	tick       = 1.0 / 1024
)

func exchangeType(p *params) ross.Type[exchange] {
	return ross.Type[exchange]{
		Name:       "exchange",
		NeverStops: true,
		Init: func(s *exchange, lp *ross.LP) {
			s.Last = firstPrice
			ross.SendPriority(lp, lp.ID(), session(lp.ID()), prioClose, request{Do: actClose})
		},
		Event: ross.OnUndo(func(s *exchange, lp *ross.LP, bits *ross.Bits, m *request) { s.handle(p, lp, bits, m) }).Reverse(
			func(s *exchange, _ *ross.LP, bits *ross.Bits, m *request) {
				s.undo(bits, m)
				m.At, m.N = 0, 0 // the digest covers all of a committed message
			}).Commit(func(s *exchange, _ *ross.LP, bits *ross.Bits, m *request) {
			s.Gone = slices.Delete(s.Gone, 0, taken(bits, m))
		}),
		Final: func(s *exchange, lp *ross.LP) {
			audit(lp, len(s.Gone))
			lp.Printf("EXCHANGE %d last %d, volume %d, %d bids, %d asks, %08x\n",
				lp.ID(), s.Last, s.Volume, len(s.Book[bid]), len(s.Book[ask]), crc32.ChecksumIEEE(s.append(nil)))
		},
		SerializedSize: func(s *exchange, _ *ross.LP) int { return len(s.append(nil)) },
		Serialize:      func(s *exchange, _ *ross.LP, buf []byte) { s.append(buf[:0]) },
		Deserialize:    func(s *exchange, _ *ross.LP, buf []byte) error { return s.read(buf) },
	}
}

// session returns how long an exchange keeps orders: some books are emptied before they
// have many.
func session(gid ross.LPID) float64 { return float64(int(4) << (gid / perExchange % 4)) }

func (s *exchange) handle(p *params, lp *ross.LP, bits *ross.Bits, m *request) {
	switch m.Do {
	case actOrder:
		s.enter(lp, bits, m)
	case actCancel:
		s.cancel(p, lp, bits, m)
	case actMatch:
		s.match(p, lp, bits, m)
	case actClose:
		m.At, m.N = int32(len(s.Book[bid])), int32(len(s.Book[ask]))
		s.Gone = append(append(s.Gone, s.Book[bid]...), s.Book[ask]...)
		s.Book[bid], s.Book[ask] = s.Book[bid][:0], s.Book[ask][:0]
		ross.SendPriority(lp, lp.ID(), session(lp.ID()), prioClose, request{Do: actClose})
	}
}

// enter puts an order into the book.
func (s *exchange) enter(lp *ross.LP, bits *ross.Bits, m *request) {
	o := order{m.ID, m.Trader, m.Qty, s.Last - m.Offset}
	if m.Side == ask {
		o.Price = s.Last + m.Offset
	}
	o.Price = min(max(o.Price, lowest), highest)
	book := s.Book[m.Side]
	at, _ := slices.BinarySearchFunc(book, o, func(a, b order) int {
		if m.Side == ask {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a.Price, b.Price), 1) // before those at its price
	})
	bits.Set(bitMoved)
	m.At = int32(at)
	s.Book[m.Side] = slices.Insert(book, at, o)
	if s.crosses() {
		ross.SendPriority(lp, lp.ID(), 0, prioMatch, request{Do: actMatch})
	}
}

// crosses reports whether two orders match.
func (s *exchange) crosses() bool {
	b, a := len(s.Book[bid]), len(s.Book[ask])
	return b > 0 && a > 0 && s.Book[bid][b-1].Price >= s.Book[ask][a-1].Price
}

// match makes the best orders trade, at the middle of their prices.
func (s *exchange) match(p *params, lp *ross.LP, bits *ross.Bits, m *request) {
	if !s.crosses() {
		return
	}
	b, a := &s.Book[bid][len(s.Book[bid])-1], &s.Book[ask][len(s.Book[ask])-1]
	bits.Set(bitMoved)
	m.At, m.N = s.Last, min(b.Qty, a.Qty)
	s.Last = (a.Price + b.Price) / 2
	s.Volume += int64(m.N)
	b.Qty -= m.N
	a.Qty -= m.N
	s.tell(p, lp, b, bid, m.N)
	s.tell(p, lp, a, ask, m.N)
	if b.Qty == 0 {
		bits.Set(bitBid)
		s.takeBest(bid)
	}
	if a.Qty == 0 {
		bits.Set(bitAsk)
		s.takeBest(ask)
	}
	if !s.crosses() {
		return
	}
	if m.Hops < maxMatches {
		ross.SendPriority(lp, lp.ID(), 0, prioMatch, request{Do: actMatch, Hops: m.Hops + 1})
	} else { // a chain without delay has an end
		ross.SendPriority(lp, lp.ID(), tick, prioMatch, request{Do: actMatch})
	}
}

func (s *exchange) takeBest(on side) {
	n := len(s.Book[on]) - 1
	s.Gone = append(s.Gone, s.Book[on][n])
	s.Book[on] = s.Book[on][:n]
}

// giveBest undoes takeBest.
func (s *exchange) giveBest(on side) {
	n := len(s.Gone) - 1
	s.Book[on] = append(s.Book[on], s.Gone[n])
	s.Gone = s.Gone[:n]
}

// tell reports a trade to one of the two.
func (s *exchange) tell(p *params, lp *ross.LP, o *order, on side, qty int32) {
	r := report{ID: o.ID, Qty: qty, Price: s.Last, Do: actFilled, Side: on}
	s.show(&r, 1-on)
	ross.SendPriority(lp, ross.LPID(o.Trader), p.reply(lp), prioReport, r)
}

// show adds the best orders of a side to a report.
func (s *exchange) show(r *report, on side) {
	book := s.Book[on]
	for i := range min(len(book), len(r.Depth)) {
		r.Depth[i] = book[len(book)-1-i].Qty
	}
}

// cancel takes an order out of the book, if it is still there.
func (s *exchange) cancel(p *params, lp *ross.LP, bits *ross.Bits, m *request) {
	book := s.Book[m.Side]
	at := slices.IndexFunc(book, func(o order) bool { return o.ID == m.ID })
	if at < 0 {
		return
	}
	bits.Set(bitMoved)
	m.At = int32(at)
	r := report{ID: m.ID, Qty: book[at].Qty, Price: s.Last, Do: actGone, Side: m.Side}
	s.Gone = append(s.Gone, book[at])
	s.Book[m.Side] = slices.Delete(book, at, at+1)
	s.show(&r, 1-m.Side)
	ross.SendPriority(lp, ross.LPID(m.Trader), p.reply(lp), prioReport, r)
}

// taken returns how many orders an event has put into Gone.
func taken(bits *ross.Bits, m *request) (n int) {
	switch {
	case m.Do == actClose:
		n = int(m.At + m.N)
	case m.Do == actCancel && bits.Get(bitMoved):
		n = 1
	case m.Do == actMatch:
		for _, bit := range []uint{bitBid, bitAsk} {
			if bits.Get(bit) {
				n++
			}
		}
	}
	return n
}

func (s *exchange) undo(bits *ross.Bits, m *request) {
	switch {
	case m.Do == actClose:
		at := len(s.Gone) - taken(bits, m)
		s.Book[bid] = append(s.Book[bid], s.Gone[at:][:m.At]...)
		s.Book[ask] = append(s.Book[ask], s.Gone[at+int(m.At):]...)
		s.Gone = s.Gone[:at]
	case !bits.Get(bitMoved):
	case m.Do == actOrder:
		s.Book[m.Side] = slices.Delete(s.Book[m.Side], int(m.At), int(m.At)+1)
	case m.Do == actCancel:
		n := len(s.Gone) - 1
		s.Book[m.Side] = slices.Insert(s.Book[m.Side], int(m.At), s.Gone[n])
		s.Gone = s.Gone[:n]
	case m.Do == actMatch:
		if bits.Get(bitAsk) {
			s.giveBest(ask)
		}
		if bits.Get(bitBid) {
			s.giveBest(bid)
		}
		s.Book[bid][len(s.Book[bid])-1].Qty += m.N
		s.Book[ask][len(s.Book[ask])-1].Qty += m.N
		s.Volume -= int64(m.N)
		s.Last = m.At
	}
}
