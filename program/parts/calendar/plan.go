// This file owns Plan and New: what a Calendar is made of.

package calendar

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ross-go/ross/internal/sys/usage"
)

// Week is the period of a Plan that gives none.
const Week = 7 * 24 * time.Hour

// Plan is what [New] makes a Calendar of. Durations stand for virtual time: Unit is one unit of it.
type Plan struct {
	Unit   time.Duration // of virtual time, such as time.Hour
	Period time.Duration // after which the shifts repeat themselves, 0: a Week
	Start  time.Duration // what time of the period virtual time 0 is, 0 to Period
	Shifts []Shift       // from the beginning of the period; To may be in the next one
	Except []Shift       // from virtual time 0; they override the shifts, and later ones those before them
}

// Shift is a number of servers for a time. The times of a plan are those of its period.
type Shift struct {
	From, To time.Duration // from From on, and before To
	Servers  int
	// Adds says that Servers is how many more there are than others say, or, below 0, how many fewer. Shifts that
	// overlap are an error otherwise. Exceptions do not add.
	Adds bool
	text string // of the entry that it is from
}

// MaxServers is the largest number of servers that a Calendar has at a time.
const MaxServers = math.MaxInt32

// New returns the Calendar of a plan.
func New(p Plan) (Calendar, error) {
	if p.Period == 0 {
		p.Period = Week
	}
	switch {
	case p.Unit <= 0:
		return Calendar{}, failed("", "unit of virtual time is %v: give one above 0, such as time.Hour", p.Unit)
	case p.Period < 0:
		return Calendar{}, failed("", "period is %v: give one above 0", p.Period)
	case p.Start < 0 || p.Start >= p.Period:
		return Calendar{}, failed("", "start is %v: give a time of the period, 0 to before %v", p.Start, p.Period)
	}
	tick := gcd(gcd(int64(p.Unit), int64(p.Period)), int64(p.Start))
	for i, s := range p.Shifts {
		switch {
		case s.From < 0 || s.From >= p.Period || s.To <= s.From || s.To-s.From > p.Period:
			return Calendar{}, failed(name("shift", i, s),
				"from %v to %v: let it begin within the period of %[3]v, and end later, by %[3]v at most", s.From, s.To, p.Period)
		case max(s.Servers, -s.Servers) > MaxServers || s.Servers < 0 && !s.Adds:
			return Calendar{}, failed(name("shift", i, s), "%d servers: give 0 to %d", s.Servers, MaxServers)
		}
		tick = gcd(gcd(tick, int64(s.From)), int64(s.To))
	}
	for i, s := range p.Except {
		switch {
		case s.From < 0 || s.To <= s.From:
			return Calendar{}, failed(name("exception", i, s), "from %v to %v: let it end later, and begin at 0 or later",
				s.From, s.To)
		case s.Servers < 0 || s.Servers > MaxServers || s.Adds:
			return Calendar{}, failed(name("exception", i, s), "%+d servers: give 0 to %d, without a sign",
				s.Servers, MaxServers)
		}
		tick = gcd(gcd(tick, int64(s.From)), int64(s.To))
	}
	if int64(p.Unit)/tick >= last || int64(p.Period)/tick >= last/4 {
		return Calendar{}, failed("", "a unit of %v, a period of %v and times such as %v: give rounder times",
			p.Unit, p.Period, time.Duration(tick))
	}
	c := &plan{ticks: float64(int64(p.Unit) / tick), start: int64(p.Start) / tick, period: int64(p.Period) / tick}
	if err := c.addShifts(p.Shifts, tick); err != nil {
		return Calendar{}, err
	}
	c.addExceptions(p.Except, tick)
	for _, s := range c.steps {
		c.most = max(c.most, s.servers)
	}
	for _, e := range c.except {
		c.most = max(c.most, e.servers)
	}
	return Calendar{c}, nil
}

// gcd returns the greatest number that divides both: one is above 0, and neither below.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// failed returns an error about an entry, or the whole plan.
func failed(entry, format string, args ...any) error {
	if entry != "" {
		entry += ": "
	}
	return usage.Errorf("calendar: %s%s", entry, fmt.Sprintf(format, args...))
}

// name returns what a shift is called in errors.
func name(what string, i int, s Shift) string {
	if s.text != "" {
		return s.text
	}
	return fmt.Sprintf("%s %d", what, i+1)
}

// edge is where a shift begins or ends.
type edge struct {
	at     int64
	shift  int
	begins bool
}

// addShifts makes steps of the shifts.
func (c *plan) addShifts(shifts []Shift, tick int64) error {
	var edges []edge
	for i, s := range shifts {
		from, to := int64(s.From)/tick, int64(s.To)/tick
		edges = append(edges, edge{from, i, true}, edge{min(to, c.period), i, false})
		if to > c.period {
			edges = append(edges, edge{0, i, true}, edge{to - c.period, i, false})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	sum, adds := int64(0), 0 // adds is the last that does
	var active []int         // that do not add
	c.steps = []step{{}}
	for i := 0; i < len(edges); {
		at := edges[i].at
		for ; i < len(edges) && edges[i].at == at; i++ {
			e := edges[i]
			s := &shifts[e.shift]
			if e.begins {
				sum += int64(s.Servers)
			} else {
				sum -= int64(s.Servers)
			}
			switch {
			case s.Adds:
				adds = e.shift
			case e.begins:
				active = append(active, e.shift)
			default:
				k := slices.Index(active, e.shift)
				active = slices.Delete(active, k, k+1)
			}
		}
		switch {
		case len(active) > 1:
			slices.Sort(active)
			a, b := active[0], active[1]
			return failed(name("shift", b, shifts[b]),
				"overlaps with %s: let one end when the other begins, or write %+d for that many more or fewer",
				name("shift", a, shifts[a]), max(shifts[b].Servers, 1))
		case at == c.period:
		case sum < 0:
			return failed(name("shift", adds, shifts[adds]), "leaves %d servers at some time: take away fewer", sum)
		case sum > MaxServers:
			return failed(name("shift", adds, shifts[adds]), "makes %d servers at some time: %d is the most", sum, MaxServers)
		case at == 0:
			c.steps[0].servers = int(sum)
		case int(sum) != c.steps[len(c.steps)-1].servers:
			c.steps = append(c.steps, step{at: at, servers: int(sum)})
		}
	}
	for i := range c.steps {
		s, end := &c.steps[i], c.period
		if i+1 < len(c.steps) {
			end = c.steps[i+1].at
		}
		s.before = c.open
		if s.servers > 0 {
			c.open += end - s.at
		}
	}
	return nil
}

// addExceptions makes spans of the exceptions; later ones override those before them.
func (c *plan) addExceptions(shifts []Shift, tick int64) {
	order := make([]int, len(shifts))
	var edges []int64
	for i, s := range shifts {
		order[i] = i
		edges = append(edges, int64(s.From)/tick, int64(s.To)/tick)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(shifts[a].From, shifts[b].From) })
	slices.Sort(edges)
	edges = slices.Compact(edges)
	var active latest
	for i, from := range edges {
		for len(order) > 0 && int64(shifts[order[0]].From)/tick <= from {
			heap.Push(&active, order[0])
			order = order[1:]
		}
		for len(active) > 0 && int64(shifts[active[0]].To)/tick <= from {
			heap.Pop(&active)
		}
		if len(active) == 0 || from >= last {
			continue
		}
		to, servers := min(edges[i+1], last), shifts[active[0]].Servers
		if n := len(c.except); n > 0 && c.except[n-1].to == from && c.except[n-1].servers == servers {
			c.except[n-1].to = to
			continue
		}
		c.except = append(c.except, span{from: from, to: to, servers: servers})
	}
	for i := range c.except {
		e := &c.except[i]
		e.gained = c.gained
		c.gained -= c.planned(e.to) - c.planned(e.from)
		if e.servers > 0 {
			c.gained += e.to - e.from
		}
	}
}

// latest is a heap of exceptions, the last one first.
type latest []int

func (l latest) Len() int           { return len(l) }
func (l latest) Less(i, j int) bool { return l[i] > l[j] }
func (l latest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *latest) Push(x any)        { *l = append(*l, x.(int)) }
func (l *latest) Pop() any {
	n := len(*l) - 1
	x := (*l)[n]
	*l = (*l)[:n]
	return x
}
