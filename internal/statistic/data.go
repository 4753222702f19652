// This file owns the data of counters, tallies and levels.

package statistic

import "math"

// Counter counts.
type Counter struct{ N uint64 }

// Tally summarises numbers without keeping them: with their exact sum and that of their squares.
type Tally struct {
	N               uint64 // numbers
	Least, Greatest float64
	*Exact          // nil without numbers
	_               uint64
}

// Add adds a number.
func (t *Tally) Add(x float64) {
	if t.N++; t.N == 1 {
		t.Least, t.Greatest, t.Exact = x, x, new(Exact)
	}
	if x < t.Least {
		t.Least = x
	}
	if x > t.Greatest {
		t.Greatest = x
	}
	t.Exact.Add(x, x)
}

// sums returns the sum of the numbers and that of their squares.
func (t *Tally) sums() *Sums {
	var s Sums
	t.AddTo(&s.One, &s.Two)
	return &s
}

// Mean returns the mean, NaN without numbers.
func (t *Tally) Mean() float64 { return t.sums().One.Over(t.N) }

// Variance returns the sample variance, NaN for less than two numbers.
func (t *Tally) Variance() float64 {
	s := t.sums()
	return Variance(t.N, &s.One, &s.Two)
}

// StdDev returns the sample standard deviation, NaN for less than two numbers.
func (t *Tally) StdDev() float64 {
	s := t.sums()
	return StdDev(t.N, &s.One, &s.Two)
}

// Level is a value that changes at virtual times, such as the length of a queue. Its Exact holds the
// time for which the value was not 0, and the integral, until the last change.
type Level struct {
	Value           float64 // now
	Since           float64 // virtual time of its last change
	Least, Greatest float64 // among values that lasted
	*Exact                  // nil as long as the value is 0
	_               [2]uint64
}

// move lets virtual time pass until now, apart from the sums. from is the time at which the
// observation begins. It returns since when the value has lasted, and whether time has passed.
func (l *Level) move(now, from float64) (since float64, lasted bool) {
	since = l.Since
	if since < from {
		since = from
	}
	if now > l.Since {
		l.Since = now
	}
	if now <= since {
		return since, false
	}
	v := l.Value
	if v < l.Least || since == from {
		l.Least = v
	}
	if v > l.Greatest || since == from {
		l.Greatest = v
	}
	return since, true
}

// Pass lets virtual time pass until now. from is the time at which the observation begins.
func (l *Level) Pass(now, from float64) {
	since, lasted := l.move(now, from)
	if !lasted || l.Value == 0 {
		return
	}
	if l.Exact == nil {
		l.Exact = new(Exact)
	}
	dt := now - since
	l.Add(dt, l.Value)
	less := dt - now // what rounding has taken from dt (Knuth)
	if rest := (now - (dt - less)) - (since + less); rest != 0 {
		l.Add(rest, l.Value)
	}
}

// Set makes v the value from now on. from is the time at which the observation begins.
func (l *Level) Set(v, now, from float64) {
	l.Pass(now, from)
	l.Value = v
}

// Shift adds d to the value from now on. It reports false, and does nothing, if the value would not be
// finite.
func (l *Level) Shift(d, now, from float64) bool {
	v := l.Value + d
	if v-v != 0 {
		return false
	}
	l.Set(v, now, from)
	return true
}

// Observed is what a level has come to.
type Observed struct {
	Sums            // the time for which the value was not 0, and the integral
	Least, Greatest float64
}

// Until returns what the level comes to from one virtual time until another, which is not before its
// last change. It is nil if no time has passed.
func (l *Level) Until(until, from float64) *Observed {
	end := *l
	since, lasted := end.move(until, from)
	if end.Since <= from {
		return nil
	}
	o := &Observed{Least: end.Least, Greatest: end.Greatest}
	l.AddTo(&o.One, &o.Two)
	if lasted && l.Value != 0 {
		o.One.Add(until)
		o.One.Add(-since)
		o.Two.AddProduct(l.Value, until)
		o.Two.AddProduct(l.Value, -since)
	}
	return o
}

// Mean returns the average of the value from one virtual time until another, which is not before its
// last change, NaN if no time has passed.
func (l *Level) Mean(until, from float64) float64 {
	o := l.Until(until, from)
	if o == nil || until <= from {
		return math.NaN()
	}
	return o.Two.OverSpan(until, from, 1)
}
