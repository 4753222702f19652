// This file owns Calendar: what it says about times.

package calendar

import (
	"math"
	"sort"
)

// Calendar says how many servers there are at which virtual time. It does not change, and all LPs may share one; it is
// a parameter of a model, and not part of a state. The zero Calendar has nobody at any time.
type Calendar struct{ plan *plan }

// plan is a Calendar in ticks from virtual time 0.
type plan struct {
	ticks  float64 // in a unit of virtual time
	start  int64   // where in the period virtual time 0 is
	period int64
	steps  []step // of the period, the first at 0; neighbours differ
	open   int64  // ticks of the period with servers
	except []span // in ascending order, apart from each other or with different numbers
	gained int64  // open ticks of all exceptions, less those that the plan has there
	most   int
}

// step is where in the period a number of servers begins.
type step struct {
	at      int64
	servers int
	before  int64 // open ticks of the period before
}

// span is an exception.
type span struct {
	from, to int64
	servers  int
	gained   int64 // like that of the plan, of the exceptions before this one
}

// last is the tick after which nothing changes: float64 has all whole numbers up to it.
const last = 1 << 53

// at returns the virtual time of a tick.
func (p *plan) at(tick int64) float64 {
	if tick >= last {
		return math.Inf(1)
	}
	return float64(tick) / p.ticks
}

// tick returns the last tick at or before a virtual time.
func (p *plan) tick(t float64) int64 {
	about := t * p.ticks
	switch {
	case !(about > 0):
		return 0
	case about >= last-1:
		return last - 1
	}
	tick := int64(about)
	for p.at(tick) > t {
		tick--
	}
	for p.at(tick+1) <= t {
		tick++
	}
	return tick
}

// exception returns the number of the first exception that ends after a tick.
func (p *plan) exception(tick int64) int {
	return sort.Search(len(p.except), func(i int) bool { return p.except[i].to > tick })
}

// step returns the step of the plan that a place in the period is in.
func (p *plan) step(in int64) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].at > in }) - 1
}

// segment returns the number of servers at a tick, and a tick up to which it is the same at least.
func (p *plan) segment(tick int64) (servers int, end int64) {
	i := p.exception(tick)
	if i < len(p.except) && p.except[i].from <= tick {
		return p.except[i].servers, p.except[i].to
	}
	end = last
	if i < len(p.except) {
		end = p.except[i].from
	}
	in := (tick + p.start) % p.period
	s := p.step(in)
	switch {
	case len(p.steps) == 1:
	case s+1 < len(p.steps):
		end = min(end, tick+p.steps[s+1].at-in)
	default:
		end = min(end, tick+p.period-in)
	}
	return p.steps[s].servers, end
}

// until returns the first tick after a tick at which stop says so of the number of servers, or last.
func (p *plan) until(tick int64, stop func(servers int) bool) int64 {
	_, tick = p.segment(tick)
	repeats := tick // from then on nothing is new after a period
	if n := len(p.except); n > 0 {
		repeats = max(repeats, p.except[n-1].to)
	}
	for tick < last && tick-repeats <= p.period {
		servers, end := p.segment(tick)
		if stop(servers) {
			return tick
		}
		tick = end
	}
	return last
}

func isOpen(servers int) bool   { return servers > 0 }
func isClosed(servers int) bool { return servers == 0 }

// planned returns how many ticks with servers the plan has from virtual time 0 up to a tick.
func (p *plan) planned(tick int64) int64 { return p.ofPeriods(tick+p.start) - p.ofPeriods(p.start) }

// ofPeriods returns how many ticks with servers the plan has in a time that begins with a period.
func (p *plan) ofPeriods(ticks int64) int64 {
	in := ticks % p.period
	s := &p.steps[p.step(in)]
	open := ticks/p.period*p.open + s.before
	if s.servers > 0 {
		open += in - s.at
	}
	return open
}

// opened returns how many ticks with servers there are from virtual time 0 up to a tick.
func (p *plan) opened(tick int64) int64 {
	i := p.exception(tick)
	if i == len(p.except) {
		return p.planned(tick) + p.gained
	}
	e := &p.except[i]
	if e.from >= tick {
		return p.planned(tick) + e.gained
	}
	open := p.planned(e.from) + e.gained
	if e.servers > 0 {
		open += tick - e.from
	}
	return open
}

// nth returns the tick with servers before which n others are from virtual time 0 on, or last. It is not before from.
func (p *plan) nth(n, from int64) int64 {
	ends := func(tick int64) bool { return p.opened(tick+1) > n }
	low, wide := from, max(n-p.opened(from), 1)
	for low+wide < last && !ends(low+wide) {
		low, wide = low+wide, 2*wide
	}
	high := min(low+wide, last-1)
	tick := low + int64(sort.Search(int(high-low), func(i int) bool { return ends(low + int64(i)) }))
	if !ends(tick) {
		return last
	}
	return tick
}

// At returns how many servers there are at a virtual time. Before 0 it is that of 0.
func (c Calendar) At(t float64) int {
	if c.plan == nil {
		return 0
	}
	servers, _ := c.plan.segment(c.plan.tick(t))
	return servers
}

// Most returns the largest number of servers that there ever are.
func (c Calendar) Most() int {
	if c.plan == nil {
		return 0
	}
	return c.plan.most
}

// Next returns the first virtual time after t at which there are more or fewer servers than at t, or +Inf.
func (c Calendar) Next(t float64) float64 {
	if c.plan == nil {
		return math.Inf(1)
	}
	tick := c.plan.tick(t)
	now, _ := c.plan.segment(tick)
	return c.plan.at(c.plan.until(tick, func(servers int) bool { return servers != now }))
}

// Delay returns the delay of an event that is sent at a virtual time now and comes at the next change: now plus it is
// not before Next(now), and exactly then as a rule. It is +Inf if nothing changes any more; do not send then.
func (c Calendar) Delay(now float64) float64 { return delay(now, c.Next(now)) }

// delay returns the least delay from now with which an event is not before a time.
func delay(now, at float64) float64 {
	d := at - now
	for now+d < at {
		d = math.Nextafter(d, math.Inf(1))
	}
	return d
}

// Open returns for how much of the time between two virtual times there are servers.
func (c Calendar) Open(from, to float64) float64 {
	p := c.plan
	if p == nil || !(to > from) {
		return 0
	}
	from = max(from, 0)
	if math.IsInf(to, 1) {
		if p.open > 0 {
			return to
		}
		to = p.at(last - 1)
	}
	if !(to > from) {
		return 0
	}
	a, b := p.tick(from), p.tick(to)
	first, _ := p.segment(a)
	if first > 0 && to <= p.at(p.until(a, isClosed)) {
		return to - from
	}
	open := 0.0
	if a == b {
		return open // closed, or the line above
	}
	if first > 0 {
		open = p.at(a+1) - from
	}
	open += float64(p.opened(b)-p.opened(a+1)) / p.ticks
	if servers, _ := p.segment(b); servers > 0 {
		open += to - p.at(b)
	}
	return open
}

// End returns when work ends that begins at a virtual time, takes a time of 0 or more, and stands still while there are
// no servers: the first time to which Open is that long. It is +Inf if it never ends, and NaN for a work of NaN.
// Work of 10 hours that begins on Friday an hour before closing ends on Monday or Tuesday. Work that ends at a closing
// time ends then, and not at the next opening, also if sums of floats make it two floats longer.
func (c Calendar) End(from, work float64) float64 {
	p := c.plan
	switch {
	case !(work >= 0) || math.IsNaN(from):
		return math.NaN()
	case work == 0:
		return from
	case p == nil || math.IsInf(work, 1) || math.IsInf(from, 1):
		return math.Inf(1)
	}
	from = max(from, 0)
	tick := p.tick(from)
	if servers, _ := p.segment(tick); servers == 0 {
		tick = p.until(tick, isOpen)
		from = p.at(tick)
	}
	if tick >= last || from+work <= p.at(p.until(tick, isClosed)) {
		return from + work
	}
	// The work as if it had begun with the tick, in whole ticks and a rest.
	all := from - p.at(tick) + work
	if !(all*p.ticks < last-1) {
		return math.Inf(1)
	}
	whole := p.tick(all)
	rest := all - p.at(whole)
	n := p.opened(tick) + whole
	// The time since the tick is only known to the distance of floats.
	if apart := max(from, all); rest <= 2*(math.Nextafter(apart, math.Inf(1))-apart) {
		return p.at(min(p.nth(max(n-1, 0), tick)+1, last))
	}
	end := p.nth(n, tick)
	return min(p.at(end)+rest, p.at(min(end+1, last)))
}

// Takes returns how long work takes that begins at a virtual time and stands still while there are no servers: the
// delay of the event at its end, which is not before End.
func (c Calendar) Takes(now, work float64) float64 {
	end := c.End(now, work)
	if math.IsInf(end, 1) || math.IsNaN(end) {
		return end
	}
	return delay(now, end)
}
