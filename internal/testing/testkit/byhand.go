// This file owns the statistics of models without package stats. same.go compares them
// with those of the models.

package testkit

import "math"

// ByHand is this file, seen from the folder of a model: its lines are lines of each model that
// uses it.
const ByHand = "../../internal/testing/testkit/byhand.go"

// Tally summarises numbers.
type Tally struct {
	N               uint64
	Mean, M2        float64
	Least, Greatest float64
}

// Add adds a number.
func (t *Tally) Add(x float64) {
	if t.N++; t.N == 1 {
		t.Least, t.Greatest = x, x
	}
	d := x - t.Mean
	t.Mean += d / float64(t.N)
	t.M2 += d * (x - t.Mean)
	t.Least, t.Greatest = min(t.Least, x), max(t.Greatest, x)
}

// Merge adds the numbers of another tally.
func (t *Tally) Merge(o *Tally) {
	if o.N == 0 {
		return
	}
	if t.N == 0 {
		*t = *o
		return
	}
	n, d := float64(t.N+o.N), o.Mean-t.Mean
	t.M2 += o.M2 + d*d*float64(t.N)*float64(o.N)/n
	t.Mean += d * float64(o.N) / n
	t.N += o.N
	t.Least, t.Greatest = min(t.Least, o.Least), max(t.Greatest, o.Greatest)
}

// StdDev returns the standard deviation.
func (t *Tally) StdDev() float64 { return math.Sqrt(t.M2 / float64(t.N-1)) }

// Level integrates a value over virtual time.
type Level struct {
	Value, Since  float64
	Area, NonZero float64 // integral, and time in which the value was not 0
	Greatest      float64
}

// Add changes the value. Only time after from counts.
func (l *Level) Add(now, change, from float64) {
	if d := now - max(l.Since, from); d > 0 {
		l.Area += l.Value * d
		l.Greatest = max(l.Greatest, l.Value)
		if l.Value != 0 {
			l.NonZero += d
		}
	}
	l.Value, l.Since = l.Value+change, now
}

// Merge adds the integrals of another level, divided by a time.
func (l *Level) Merge(o *Level, time float64) {
	l.Area += o.Area / time
	l.NonZero += o.NonZero / time
	l.Greatest = max(l.Greatest, o.Greatest)
}
