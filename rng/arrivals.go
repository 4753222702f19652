// This file owns arrivals whose rate changes with time: Poisson processes by thinning, and by inversion of a table.

package rng

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/ross-go/ross/internal/num/interval"
	"github.com/ross-go/ross/internal/num/libm"
)

// maxThinned is the number of tries after which Thinning gives up: then the rate is some million times below its bound.
const maxThinned = 1 << 22

// Thinning draws the arrivals of a Poisson process whose rate is a function of time, by thinning (Lewis and Shedler,
// "Simulation of nonhomogeneous Poisson processes by thinning", Naval Research Logistics Quarterly 26, 1979): arrivals
// at the rate Most are drawn, and each is kept with probability Rate(t)/Most. A [RateTable] is faster, and needs one
// draw.
//
// Rate is called by all LPs that draw, so it depends on nothing but t and constants. It need not be continuous.
type Thinning struct {
	Rate func(t float64) float64 // arrivals per unit of time at t, 0 to Most
	Most float64                 // a bound of Rate, finite and above 0; the closer it is, the fewer draws are made
}

// Next draws the time from now to the next arrival, in two draws for each try. There are Most/Rate tries on average. It
// is +Inf if there is no arrival before until, such as the end of the run, which may be +Inf; do not send then. It is
// NaN, which an event's delay must not be, if Most or now is not usable, if a Rate is not in 0 to Most, or if 4 million
// tries found no arrival.
func (p Thinning) Next(s *Stream, now, until float64) (delay float64) {
	if !(p.Most > 0 && p.Most <= math.MaxFloat64) || p.Rate == nil || math.IsInf(now, 0) {
		return math.NaN()
	}
	for range maxThinned {
		delay -= libm.Log(s.Unif()) / p.Most
		t := now + delay
		if t >= until {
			return math.Inf(1)
		}
		rate := p.Rate(t)
		if !(rate >= 0 && rate <= p.Most) {
			return math.NaN()
		}
		if float64(s.Unif()*p.Most) < rate {
			return delay
		}
	}
	return math.NaN()
}

// RateTable draws the arrivals of a Poisson process whose rate is constant in each interval of a table, such as the
// hours of a day, by inversion: one draw for an arrival, whatever the rates are. Make it with [NewRateTable]; the zero
// value has no arrivals.
//
// Drawing does not change a RateTable. All LPs may share one.
type RateTable struct {
	begins []float64 // of the intervals; the first is 0
	rates  []float64
	before []float64 // the mean number of arrivals in a period before the interval
	period float64   // +Inf: the last interval has no end
	mean   float64   // number of arrivals in a period
	cycle  interval.Length
	parts  []interval.Length // begins, of a period that is repeated
}

// NewRateTable returns the process with rates[i] arrivals per unit of time from begins[i] to begins[i+1]. begins[0] is
// 0, and the others ascend. The table is repeated after the period, which is later than the last of begins. If it is
// +Inf, the last rate holds for ever. Rates are finite and at least 0. Rate i holds from the beginning of its interval
// on, and before that of the next one; in period n it begins at n times the period plus begins[i], as decimal numbers:
// at 0.3 for a period of 0.2 and a beginning of 0.1.
func NewRateTable(begins, rates []float64, period float64) (*RateTable, error) {
	n := len(begins)
	switch {
	case n == 0 || n != len(rates):
		return nil, fmt.Errorf("ross: table of rates: %d beginnings and %d rates: give one of each for an interval", n,
			len(rates))
	case begins[0] != 0:
		return nil, fmt.Errorf("ross: table of rates: the first interval begins at %g: let it begin at 0", begins[0])
	case !(period > begins[n-1]) || math.IsInf(begins[n-1], 0):
		return nil,
			fmt.Errorf("ross: table of rates: the period is %g, and the last interval begins at %g: give a later one, or +Inf",
				period, begins[n-1])
	}
	t := &RateTable{begins: slices.Clone(begins), rates: slices.Clone(rates), before: make([]float64, n), period: period}
	if !math.IsInf(period, 1) {
		t.cycle, t.parts = interval.Of(period), make([]interval.Length, n)
	}
	for i := range n {
		if !(rates[i] >= 0 && rates[i] <= math.MaxFloat64) {
			return nil, fmt.Errorf("ross: table of rates: rate %d is %g: give a finite number of 0 or more", i, rates[i])
		}
		end := period
		if i+1 < n {
			end = begins[i+1]
		}
		if !(end > begins[i]) {
			return nil,
				fmt.Errorf("ross: table of rates: interval %d begins at %g, and the next one at %g: give them in ascending order",
					i, begins[i], end)
		}
		if i > 0 && t.parts != nil {
			t.parts[i] = interval.Of(begins[i])
		}
		t.before[i] = t.mean
		if rates[i] > 0 {
			t.mean += float64(rates[i] * (end - begins[i]))
		}
	}
	if math.IsInf(t.mean, 1) && !math.IsInf(period, 1) {
		return nil, fmt.Errorf("ross: table of rates: more arrivals in a period than a float64 counts: give lower rates")
	}
	return t, nil
}

// place returns how many whole periods have passed at a time of 0 or more, the time in the present one, and the
// interval.
func (t *RateTable) place(at float64) (periods, in float64, i int) {
	begin := 0.0
	if at >= t.period && !math.IsInf(t.period, 1) {
		periods, begin, _ = t.cycle.Around(at)
	}
	i = sort.Search(len(t.begins), func(i int) bool { return begin+t.begins[i] > at }) - 1
	if i+1 < len(t.begins) && periods > 0 && t.cycle.Within(periods, t.parts[i+1]) <= at {
		i++
	}
	return periods, min(max(at-begin, t.begins[i]), t.period), i
}

// Rate returns the rate at a time. Before 0 it is 0.
func (t *RateTable) Rate(at float64) float64 {
	if len(t.begins) == 0 || !(at >= 0) || math.IsInf(at, 1) {
		return 0
	}
	_, _, i := t.place(at)
	return t.rates[i]
}

// Mean returns the mean number of arrivals from a time to a later one.
func (t *RateTable) Mean(from, to float64) float64 {
	from, to = max(from, 0), max(to, 0)
	switch {
	case len(t.begins) == 0 || !(to > from):
		return 0
	case math.IsInf(to, 1) && !math.IsInf(t.period, 1):
		if t.mean > 0 {
			return to
		}
		return 0
	}
	p, a, i := t.place(from)
	q, b, j := t.place(to)
	return float64((q-p)*t.arrivals(q != p)) + (t.upTo(b, j) - t.upTo(a, i))
}

// arrivals returns the number of arrivals in a period, 0 if it is not wanted: there may be no period.
func (t *RateTable) arrivals(wanted bool) float64 {
	if !wanted {
		return 0
	}
	return t.mean
}

// upTo returns the mean number of arrivals in a period up to a time in it, which is in interval i.
func (t *RateTable) upTo(in float64, i int) float64 {
	if t.rates[i] == 0 { // for an endless time, too
		return t.before[i]
	}
	return t.before[i] + float64(t.rates[i]*(in-t.begins[i]))
}

// Next draws the time from now to the next arrival, in one draw. now is a virtual time of 0 or more. It is +Inf if no
// arrival comes any more; do not send then.
func (t *RateTable) Next(s *Stream, now float64) (delay float64) {
	left := -libm.Log(s.Unif()) // arrivals that pass until then, on average
	if len(t.begins) == 0 || !(now >= 0) || math.IsInf(now, 1) || t.mean == 0 || math.IsInf(left, 1) {
		return math.Inf(1)
	}
	// The rest of the present period, interval by interval from here, so that no time is lost by rounding.
	_, at, i := t.place(now)
	for {
		end := t.period
		if i+1 < len(t.begins) {
			end = t.begins[i+1]
		}
		if rate := t.rates[i]; rate > 0 {
			if d := left / rate; d < end-at {
				return delay + d
			}
			left = max(left-float64(rate*(end-at)), 0)
		}
		if math.IsInf(end, 1) {
			return end
		}
		delay += end - at
		if at, i = end, i+1; i == len(t.begins) {
			at, i = 0, 0
			periods := math.Floor(left / t.mean)
			left -= float64(periods * t.mean)
			delay += float64(periods * t.period)
		}
	}
}
