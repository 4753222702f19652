// States as bytes: numbers take as many bytes as they need, so the size depends on
// the whole contents of a state.

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// append adds the exchange to b: each order as the difference from the one before it.
// No events are uncommitted then, so Gone is empty.
func (s *exchange) append(b []byte) []byte {
	b = binary.AppendVarint(b, int64(s.Last))
	b = binary.AppendVarint(b, s.Volume)
	for _, book := range s.Book {
		b = binary.AppendUvarint(b, uint64(len(book)))
		before := order{Price: s.Last}
		for _, o := range book {
			b = binary.AppendVarint(b, int64(o.ID-before.ID))
			b = binary.AppendUvarint(b, uint64(o.Trader))
			b = binary.AppendVarint(b, int64(o.Qty))
			b = binary.AppendVarint(b, int64(o.Price-before.Price))
			before = o
		}
	}
	return b
}

func (s *exchange) read(buf []byte) error {
	r := reader{b: buf}
	s.Last = int32(r.varint(math.MinInt32, math.MaxInt32))
	s.Volume = r.varint(math.MinInt64, math.MaxInt64)
	for i := range s.Book {
		n := r.count(4)
		s.Book[i] = make([]order, 0, n)
		before := order{Price: s.Last}
		for range n {
			o := order{ID: before.ID + uint64(r.varint(math.MinInt64, math.MaxInt64))}
			o.Trader = uint32(r.uvarint(math.MaxUint32))
			o.Qty = int32(r.varint(1, math.MaxInt32))
			o.Price = before.Price + int32(r.varint(math.MinInt32, math.MaxInt32))
			s.Book[i] = append(s.Book[i], o)
			before = o
		}
	}
	return r.end("exchange")
}

// append adds the trader to b, its orders by number: equal states have equal bytes.
func (s *trader) append(b []byte) []byte {
	b = binary.AppendVarint(b, s.Cash)
	b = binary.AppendVarint(b, s.Stock)
	b = binary.AppendUvarint(b, s.Orders)
	b = binary.AppendUvarint(b, uint64(len(s.Open)))
	before := uint64(0)
	for _, id := range slices.Sorted(maps.Keys(s.Open)) {
		o := s.Open[id]
		b = binary.AppendUvarint(b, id-before)
		b = binary.AppendUvarint(b, uint64(o.Exchange))
		b = binary.AppendVarint(b, int64(o.Left))
		b = binary.AppendUvarint(b, uint64(o.Side))
		before = id
	}
	return b
}

func (s *trader) read(buf []byte) error {
	r := reader{b: buf}
	s.Cash = r.varint(math.MinInt64, math.MaxInt64)
	s.Stock = r.varint(math.MinInt64, math.MaxInt64)
	s.Orders = r.uvarint(math.MaxUint64)
	n := r.count(4)
	s.Open = make(map[uint64]open, n)
	id := uint64(0)
	for range n {
		id += r.uvarint(math.MaxUint64)
		exchange, left := r.uvarint(math.MaxUint32), r.varint(1, math.MaxInt32)
		s.Open[id] = open{uint32(exchange), int32(left), side(r.uvarint(uint64(ask)))}
	}
	return r.end("trader")
}

var errState = errors.New("these are not the bytes of a state")

// reader reads numbers. After an error it returns zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) varint(least, most int64) int64 {
	v, n := binary.Varint(r.b)
	if r.bad = r.bad || n <= 0 || v < least || v > most; r.bad {
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) uvarint(most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if r.bad = r.bad || n <= 0 || v > most; r.bad {
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the number of items that follow, each of at least the given number of
// bytes.
func (r *reader) count(each int) int {
	return int(r.uvarint(uint64(len(r.b) / each)))
}

// end returns an error unless everything that was read is valid, and nothing is left.
func (r *reader) end(what string) error {
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("%s: %w", what, errState)
	}
	return nil
}
