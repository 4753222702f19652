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
	N     []uint64  // by interval: number of recordings
	Sum   []float64 // by interval: their sum
}

// newCourse returns a Course with intervals of a length; 0 chooses it by the virtual time of
// the first recording.
func newCourse(every, now float64) *Course {
	if every > 0 {
		return &Course{Width: every, Most: mostIntervals}
	}
	width := math.Ldexp(1, -20)
	if now > 0 {
		_, exp := math.Frexp(now) // now < 2^exp
		width = math.Ldexp(1, max(exp-3, -1000))
	}
	return &Course{Width: width, Most: fewIntervals}
}

// Add records x at a virtual time.
func (c *Course) Add(x, now float64) {
	at := now / c.Width
	for at >= float64(c.Most) {
		c.join()
		at = now / c.Width
	}
	i := int(at)
	for len(c.N) <= i {
		c.N, c.Sum = append(c.N, 0), append(c.Sum, 0)
	}
	c.N[i]++
	c.Sum[i] += x
}

// join joins intervals in pairs.
func (c *Course) join() {
	half := (len(c.N) + 1) / 2
	for i := range half {
		n, sum := c.N[2*i], c.Sum[2*i]
		if 2*i+1 < len(c.N) {
			n, sum = n+c.N[2*i+1], sum+c.Sum[2*i+1]
		}
		c.N[i], c.Sum[i] = n, sum
	}
	c.N, c.Sum, c.Width = c.N[:half], c.Sum[:half], 2*c.Width
}
