// This file owns Keep: servers that follow a calendar.

package calendar

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// Closing says what happens to customers in service when there are fewer servers than are busy. Where one shift follows
// another without a break, the next one takes over what the one before does, since only numbers count.
type Closing uint8

// The ways to close.
const (
	Finish    Closing = iota // servers finish what they do, although they are there no more
	Interrupt                // services begun with resource.Serve stop: resource.Servers.Left has what is left
)

// Staff is a field of a state next to its servers, with what statistics say of who is there. The part of those who are
// there that is busy is the mean of the servers' InService divided by that of There, if none finishes after closing.
type Staff struct {
	There stats.Level `ross:",servers"` // servers who are there
}

// Keep sets the number of servers to that of a calendar now, and returns the delay after which to call it again, +Inf
// if nothing changes any more. It sends nothing. The handler calls Next of the servers until it returns 0, and begins
// what these customers get. Init calls Open with resource.NoServers, and then Keep.
func Keep[C any](lp *ross.LP, s *resource.Servers[C], staff *Staff, c Calendar, how Closing) (next float64) {
	n := c.At(lp.Now())
	if n != s.Servers() {
		s.SetServers(lp, n)
		staff.There.Set(lp, float64(n))
	}
	for how == Interrupt && s.Evict(lp) != 0 {
	}
	return c.Delay(lp.Now())
}
