// This file owns Course, the data of a time series: exact sums over intervals of virtual time.

package statistic

import "math"

// Limits of the number of intervals. When a series comes to more, they are joined in pairs.
const (
	fewIntervals  = 128     // of a series whose model does not say how long they are
	mostIntervals = 1 << 20 // of other series
)

// Course is a time series: what was recorded in each interval of virtual time.
type Course struct {
	Width float64   // of an interval, in virtual time; interval i begins at i * Width
	Most  int       // number of intervals from which on they are joined
	Steps []Stretch // by interval
	more  []*Sum    // by interval, what its Stretch does not hold; it may be shorter
	// Virtual times from one to before another are in interval at, which was the last one.
	from, until float64
	at          int
}

// Stretch is an interval of a Course.
type Stretch struct {
	N         uint64  // number of recordings
	High, Low float64 // their sum, if there is no more of it; Low is what rounding has taken from High
}

// mostHigh is the limit of what is in High and Low, far enough from the largest float64.
const mostHigh = 1e300

// NewCourse returns a Course with intervals of a length; 0 chooses it by the virtual time of
// the first recording.
func NewCourse(every, now float64) Course {
	if every > 0 {
		return Course{Width: every, Most: mostIntervals}
	}
	width := math.Ldexp(1, -20)
	if now > 0 {
		_, exp := math.Frexp(now) // now < 2^exp
		width = math.Ldexp(1, max(exp-3, -1000))
	}
	return Course{Width: width, Most: fewIntervals}
}

// Add records x at a virtual time.
func (c *Course) Add(x, now float64) {
	if now < c.from || now >= c.until {
		c.find(now)
	}
	c.Steps[c.at].N++
	c.add(c.at, x)
}

// add adds x to the sum of an interval. What rounding takes from a sum is known exactly (Knuth).
func (c *Course) add(at int, x float64) {
	s := &c.Steps[at]
	high := s.High + x
	if !(math.Abs(high) < mostHigh) {
		c.others(at).Add(x)
		return
	}
	part := high - s.High
	x = (s.High - (high - part)) + (x - part)
	low := s.Low + x
	part = low - s.Low
	if rest := (s.Low - (low - part)) + (x - part); rest != 0 {
		c.others(at).Add(rest)
	}
	s.High, s.Low = high, low
}

// others returns the rest of the sum of an interval, which it makes if necessary.
func (c *Course) others(at int) *Sum {
	if n := at + 1 - len(c.more); n > 0 {
		c.more = append(c.more, make([]*Sum, n)...)
	}
	if c.more[at] == nil {
		c.more[at] = new(Sum)
	}
	return c.more[at]
}

// AddTo adds the sum of an interval to another sum.
func (c *Course) AddTo(to *Sum, at int) {
	to.Add(c.Steps[at].High)
	to.Add(c.Steps[at].Low)
	if at < len(c.more) && c.more[at] != nil {
		to.Merge(c.more[at])
	}
}

// find makes the interval of a virtual time the last one.
func (c *Course) find(now float64) {
	for now/c.Width >= float64(c.Most) {
		c.join()
	}
	c.at = int(now / c.Width)
	if n := c.at + 1 - len(c.Steps); n > 0 {
		c.Steps = append(c.Steps, make([]Stretch, n)...)
	}
	c.from, c.until = now, float64(c.at+1)*c.Width
	for before := math.Nextafter(c.until, 0); int(before/c.Width) > c.at; before = math.Nextafter(c.until, 0) {
		c.until = before // because of rounding
	}
}

// join joins intervals in pairs.
func (c *Course) join() {
	half := (len(c.Steps) + 1) / 2
	old, more := c.Steps, c.more
	c.more = nil
	for i, s := range old {
		if to := i / 2; i%2 == 0 {
			c.Steps[to] = s
		} else {
			c.Steps[to].N += s.N
			c.add(to, s.High)
			c.add(to, s.Low)
		}
		if i < len(more) && more[i] != nil {
			c.others(i / 2).Merge(more[i])
		}
	}
	c.Steps, c.Width = old[:half], 2*c.Width
}
