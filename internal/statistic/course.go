// This file owns Course, the data of a time series: sums over intervals of virtual time.

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
	// Virtual times from one to before another are in interval at, which was the last one.
	from, until float64
	at          int
}

// Stretch is an interval of a Course.
type Stretch struct {
	N   uint64  // number of recordings
	Sum float64 // of them
}

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
	s := &c.Steps[c.at]
	s.N++
	s.Sum += x
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
	for i := range half {
		s := c.Steps[2*i]
		if 2*i+1 < len(c.Steps) {
			s.N, s.Sum = s.N+c.Steps[2*i+1].N, s.Sum+c.Steps[2*i+1].Sum
		}
		c.Steps[i] = s
	}
	c.Steps, c.Width = c.Steps[:half], 2*c.Width
}
