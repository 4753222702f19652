// This file owns what resources say of themselves: in --watch, and wherever a model prints them.

package resource

import (
	"fmt"
	"strconv"
)

// String says how the servers are: "2 of 3 busy, 4 wait".
func (s *Servers[C]) String() string {
	return fmt.Sprintf("%d of %d busy, %d wait", s.Busy(), s.Servers(), s.Len())
}

// IsBrief is for --watch, which shows String in place of what Servers hold.
func (s *Servers[C]) IsBrief() {}

// String says how the pool is: "2 of 6 busy, 1 out of order, 4 wait".
func (p *Pool[C, M]) String() string {
	out := ""
	if p.numbers.down > 0 {
		out = strconv.Itoa(p.Down()) + " out of order, "
	}
	if p.numbers.away > 0 {
		out += strconv.Itoa(int(p.numbers.away)) + " away, "
	}
	return fmt.Sprintf("%d of %d busy, %s%d wait", p.numbers.inUse, p.Members(), out, p.Len())
}

// IsBrief is for --watch, which shows String in place of what a Pool holds.
func (p *Pool[C, M]) IsBrief() {}

// String says how the store is: "3 items, 0 wait to get, 2 to put".
func (s *Store[T, W]) String() string {
	getters, putters := s.Waiting()
	return fmt.Sprintf("%d items, %d wait to get, %d to put", s.Len(), getters, putters)
}

// IsBrief is for --watch, which shows String in place of what a Store holds.
func (s *Store[T, W]) IsBrief() {}

// String says how the level is: "2.5 of 10, 0 wait to get, 1 to put".
func (l *Level[W]) String() string {
	getters, putters := l.Waiting()
	return fmt.Sprintf("%g of %g, %d wait to get, %d to put", l.Now(), l.Capacity(), getters, putters)
}

// IsBrief is for --watch, which shows String in place of what a Level holds.
func (l *Level[W]) IsBrief() {}

// String says how the store is, as that of a Store does.
func (s *FilterStore[T, W]) String() string {
	getters, putters := s.Waiting()
	return fmt.Sprintf("%d items, %d wait to get, %d to put", s.Len(), getters, putters)
}

// IsBrief is for --watch, which shows String in place of what a FilterStore holds.
func (s *FilterStore[T, W]) IsBrief() {}
