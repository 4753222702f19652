// This file owns the data of counters, tallies and levels.

package statistic

import "math"

// Counter counts.
type Counter struct{ N uint64 }

// Tally summarises numbers without keeping them (Welford, "Note on a method for calculating
// corrected sums of squares and products", Technometrics 4, 1962).
type Tally struct {
	N               uint64  // numbers
	Mean            float64 // of them
	M2              float64 // sum of the squares of their distances from the mean
	Least, Greatest float64
}

// Add adds a number.
func (t *Tally) Add(x float64) {
	t.N++
	if t.N == 1 {
		t.Mean, t.Least, t.Greatest = x, x, x
		return
	}
	d := x - t.Mean
	t.Mean += d / float64(t.N)
	t.M2 += float64(d * (x - t.Mean))
	if x < t.Least {
		t.Least = x
	}
	if x > t.Greatest {
		t.Greatest = x
	}
}

// Variance returns the sample variance, NaN for less than two numbers.
func (t *Tally) Variance() float64 {
	if t.N < 2 {
		return math.NaN()
	}
	return t.M2 / float64(t.N-1)
}

// Level is a value that changes at virtual times, such as the length of a queue.
type Level struct {
	Value           float64 // now
	Since           float64 // virtual time of its last change
	Area, lost      float64 // integral until then, and what rounding has taken from it
	Busy            float64 // time for which the value was not 0
	Least, Greatest float64 // among values that lasted
}

// Pass lets virtual time pass until now. from is the time at which the observation begins.
func (l *Level) Pass(now, from float64) {
	since := l.Since
	if since < from {
		since = from
	}
	if now > l.Since {
		l.Since = now
	}
	if now <= since {
		return
	}
	v, dt := l.Value, now-since
	if v < l.Least || since == from {
		l.Least = v
	}
	if v > l.Greatest || since == from {
		l.Greatest = v
	}
	if v != 0 {
		l.Busy += dt
		l.extend(float64(v * dt))
	}
}

// Set makes v the value from now on. from is the time at which the observation begins.
func (l *Level) Set(v, now, from float64) {
	l.Pass(now, from)
	l.Value = v
}

// Shift adds d to the value from now on.
func (l *Level) Shift(d, now, from float64) {
	l.Pass(now, from)
	l.Value += d
}

// extend adds to the integral, and keeps what is lost by rounding (Neumaier, ZAMM 54, 1974).
func (l *Level) extend(x float64) {
	sum := l.Area + x
	if math.Abs(l.Area) >= math.Abs(x) {
		l.lost += (l.Area - sum) + x
	} else {
		l.lost += (x - sum) + l.Area
	}
	l.Area = sum
}

// Integral returns the integral of the value until its last change.
func (l *Level) Integral() float64 { return l.Area + l.lost }

// Mean returns the average of the value over the time from the beginning of the observation
// until its last change, NaN if no time has passed.
func (l *Level) Mean(from float64) float64 {
	if l.Since <= from {
		return math.NaN()
	}
	return l.Integral() / (l.Since - from)
}
