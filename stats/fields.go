// This file owns the statistics that a state may have as fields.

package stats

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/run/inside"
)

// finite reports whether x is a number, and not infinite.
func finite(x float64) bool { return x-x == 0 }

// noCopy has go vet find copies of statistics, which would be taken for others.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Counter counts what happens. It takes 8 bytes.
type Counter struct {
	_ noCopy
	d statistic.Counter `ross:"-"`
}

// Inc counts one more.
func (c *Counter) Inc(lp *ross.LP) { c.Add(lp, 1) }

// Add counts n more.
func (c *Counter) Add(lp *ross.LP, n uint64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&c.d)) {
		c.d.N += n
		return
	}
	k.Record(statistic.OpCount, unsafe.Pointer(&c.d), n)
}

// Count returns the number counted by committed events. It wraps around after 2^64 - 1.
func (c *Counter) Count() uint64 { return c.d.Read().N }

// Tally summarises numbers, such as waiting times: how many, mean, variance, least and greatest. It
// holds their exact sum and that of their squares, so mean and variance are those of exact arithmetic,
// rounded once. It takes 40 bytes in the state. Outside of it, it takes 64 from the first number on, and
// some hundred more if numbers differ by a factor of 10^9 or more; these do not count for
// Config.MaxMemory.
type Tally struct {
	_ noCopy
	d statistic.Tally `ross:"-"`
}

// Add records x, which is finite.
func (t *Tally) Add(lp *ross.LP, x float64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&t.d)) && finite(x) {
		k.PE.Figures.Tally(&t.d, x)
		return
	}
	k.Record(statistic.OpTally, unsafe.Pointer(&t.d), math.Float64bits(x))
}

// Count returns how many numbers committed events have recorded.
func (t *Tally) Count() uint64 { return t.d.Read().N }

// Mean returns the mean, NaN without numbers.
func (t *Tally) Mean() float64 { return t.d.Read().Mean() }

// Variance returns the sample variance, NaN for less than two numbers. It is +Inf if it is beyond the
// largest float64.
func (t *Tally) Variance() float64 { return t.d.Read().Variance() }

// StdDev returns the sample standard deviation, NaN for less than two numbers.
func (t *Tally) StdDev() float64 { return t.d.Read().StdDev() }

// Min returns the least number, NaN without numbers.
func (t *Tally) Min() float64 { d := t.d.Read(); return orNaN(d.N, d.Least) }

// Max returns the greatest number, NaN without numbers.
func (t *Tally) Max() float64 { d := t.d.Read(); return orNaN(d.N, d.Greatest) }

// orNaN returns x, or NaN if it is the summary of no numbers.
func orNaN(n uint64, x float64) float64 {
	if n == 0 {
		return math.NaN()
	}
	return x
}

// Level follows a value that holds from one virtual time to another, such as the length of a
// queue, and integrates it over the time, exactly. It is 0 until it is set. It takes 56 bytes in the
// state. Outside of it, it takes 64 as soon as it has not been 0 for a time, and some hundred more if
// values or times differ very much; these do not count for Config.MaxMemory.
//
// The tag `ross:"queue,customers,every=60,q=0.5;0.9"` has it keep more: with every= its average in each interval of
// virtual time, as a Series has intervals, and with q= the time for which it had each value, so that it knows
// quantiles over time. Each takes 24 bytes for an interval up to the last one in which the value was not 0, and 80
// for each value. A recording then takes longer. Tags of a struct, such as a resource, hold for the levels in it.
type Level struct {
	_ noCopy
	d statistic.Level `ross:"-"`
}

// Set makes v, which is finite, the value from lp.Now() on.
func (l *Level) Set(lp *ross.LP, v float64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&l.d)) && finite(v) && l.d.At != 0 {
		k.PE.Figures.Set(&l.d, v, k.Now)
		return
	}
	k.Record(statistic.OpSet, unsafe.Pointer(&l.d), math.Float64bits(v))
}

// Add changes the value by d, which is finite, as the new value is, from lp.Now() on.
func (l *Level) Add(lp *ross.LP, d float64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&l.d)) && l.d.At != 0 && k.PE.Figures.Shift(&l.d, d, k.Now) {
		return
	}
	k.Record(statistic.OpShift, unsafe.Pointer(&l.d), math.Float64bits(d))
}

// Value returns the value that committed events have given to the level.
func (l *Level) Value() float64 { return l.d.Read().Value }

// Mean returns the average of the value of lp's level over virtual time, from Config.WarmUp to
// until, NaN if until is not later. until is not before the last change.
func (l *Level) Mean(lp *ross.LP, until float64) float64 {
	return l.d.Read().Mean(until, inside.LP(lp).PE.Run.Set.WarmUp)
}

// Histogram is a Tally that also counts the numbers by size, so that it knows quantiles. Bins
// are at most 1/64 of their numbers wide, and a quantile is therefore wrong by at most 1/128
// (0.8 %) of itself, apart from numbers below 2.3e-308, which have fewer digits. A Histogram takes 48
// bytes in the state. Outside of it, it takes what a Tally takes, and half a KiB to 2 KiB for positive numbers, as much
// again if there are negative ones, and half a KiB for each power of two that is far from the others or has a bin with
// 256 numbers. These do not count for Config.MaxMemory.
type Histogram struct {
	_ noCopy
	d statistic.Histogram `ross:"-"`
}

// Add records x, which is finite.
func (h *Histogram) Add(lp *ross.LP, x float64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&h.d)) && finite(x) && h.d.At > 0 {
		k.PE.Figures.Bin(&h.d, x)
		return
	}
	k.Record(statistic.OpBin, unsafe.Pointer(&h.d), math.Float64bits(x))
}

// Count returns how many numbers committed events have recorded.
func (h *Histogram) Count() uint64 { return h.d.Read().N }

// Mean returns the mean, NaN without numbers. It is computed from the numbers, not from the
// bins.
func (h *Histogram) Mean() float64 { return h.d.Read().Mean() }

// StdDev returns the sample standard deviation, NaN for less than two numbers.
func (h *Histogram) StdDev() float64 { return h.d.Read().StdDev() }

// Min returns the least number, NaN without numbers.
func (h *Histogram) Min() float64 { d := h.d.Read(); return orNaN(d.N, d.Least) }

// Max returns the greatest number, NaN without numbers.
func (h *Histogram) Max() float64 { d := h.d.Read(); return orNaN(d.N, d.Greatest) }

// Quantile returns the number at or below which the part q, 0 to 1, of the numbers of lp's
// histogram lies: 0.5 is the median. It is within 1/128 of the k-th smallest number, where k is the
// least whole number above 0 for which k/Count, rounded to a float64, is at least q: for 0.07 of 100
// numbers it is 7. It is exact for q = 0 and 1, and NaN without numbers.
func (h *Histogram) Quantile(lp *ross.LP, q float64) float64 {
	d := h.d.Read()
	if d.N == 0 {
		return math.NaN()
	}
	return statistic.QuantileOf(inside.LP(lp).PE.Figures.BinsOf(d).All(), d.N, q, d.Least, d.Greatest)
}

// Series adds numbers up by intervals of virtual time, such as the packets of each second. The
// tag `ross:"load,packets,every=10"` makes the intervals 10 long; there may be a million of
// them. Without every= there are at most 128, whose length is a power of two. If there are
// more, they are joined in pairs. A recording is in the interval with Begin <= t < End ([Interval]). A time that is a
// sum of many lengths, such as now + 0.1 in each of many events, may be rounded to just before an interval. A Series
// takes 8 bytes in the state, and outside of it 128, and 24 for each interval up to the last one with a recording and
// at least for 16; these do not count for Config.MaxMemory.
type Series struct {
	_ noCopy
	d statistic.Series `ross:"-"`
}

// Add records x, which is finite, in the interval of lp.Now().
func (s *Series) Add(lp *ross.LP, x float64) {
	k := inside.LP(lp)
	if k.Direct(unsafe.Pointer(&s.d)) && finite(x) && s.d.At > 0 {
		k.PE.Figures.Time(&s.d, x, k.Now)
		return
	}
	k.Record(statistic.OpTime, unsafe.Pointer(&s.d), math.Float64bits(x))
}
