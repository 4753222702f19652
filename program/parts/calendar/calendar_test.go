// This file compares calendars with an oracle that looks at each tick of a plan.

package calendar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// oracle is a Plan whose times are whole minutes.
type oracle Plan

// at returns how many servers there are in a minute.
func (o *oracle) at(minute int64) (servers int) {
	t := time.Duration(minute) * time.Minute
	for _, e := range o.Except {
		if e.From <= t && t < e.To {
			servers = e.Servers + 1
		}
	}
	if servers > 0 {
		return servers - 1
	}
	in := time.Duration((minute + int64(o.Start/time.Minute)) % int64(o.Period/time.Minute) * int64(time.Minute))
	for _, s := range o.Shifts {
		if s.From <= in && in < s.To || s.From <= in+o.Period && in+o.Period < s.To {
			servers += s.Servers
		}
	}
	return servers
}

// time returns the virtual time of a minute, rounded once.
func (o *oracle) time(minute int64) float64 {
	t, _ := big.NewRat(minute, 1).Mul(big.NewRat(minute, 1), big.NewRat(int64(time.Minute), int64(o.Unit))).Float64()
	return t
}

// minute returns the minute that a virtual time is in, which is near about.
func (o *oracle) minute(t float64, about int64) int64 {
	for o.time(about) > t {
		about--
	}
	for o.time(about+1) <= t {
		about++
	}
	return about
}

// randomPlan returns a plan of some minutes, with shifts that do not overlap unless they add.
func randomPlan(r *rand.Rand) Plan {
	minutes := func(n int) time.Duration { return time.Duration(r.IntN(n)) * time.Minute }
	p := Plan{Unit: []time.Duration{time.Second, 7 * time.Second, time.Minute, time.Hour, day, 3 * day}[r.IntN(6)]}
	n := 1 + r.IntN(60)
	p.Period = time.Duration(n) * time.Minute
	p.Start = minutes(n)
	at, first := minutes(n), time.Duration(0)
	for i := range r.IntN(5) {
		s := Shift{From: at, Servers: r.IntN(3), Adds: r.IntN(4) == 0}
		if i == 0 {
			first = at
		}
		s.To = min(at+time.Minute+minutes(8), first+p.Period)
		if s.To > s.From && s.From < p.Period {
			p.Shifts = append(p.Shifts, s)
		}
		at = s.To + minutes(4)
	}
	for range r.IntN(6) {
		from := minutes(300)
		p.Except = append(p.Except, Shift{From: from, To: from + time.Minute + minutes(100), Servers: r.IntN(3)})
	}
	return p
}

func TestCalendarsSayWhatThePlanSays(t *testing.T) {
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 1)
	for k := range testlevel.Times(100, 20) {
		p := randomPlan(r)
		c, err := New(p)
		require.NoError(t, err)
		o := oracle(p)
		most := 0
		for _, first := range []int64{0, int64(p.Period/time.Minute) * 10_000, 10_000 * 7 * 24 * 60} {
			length := int64(500)
			at := make([]int, length)
			open := int64(0) // minutes since first
			for i := range length {
				at[i] = o.at(first + i)
				most = max(most, at[i])
				tick := o.time(first + i)
				if got := c.At(tick); got != at[i] {
					t.Fatalf("plan %d: %d servers in minute %d, expected %d: %+v", k, got, first+i, at[i], p)
				}
				if got := c.At(math.Nextafter(tick, 0)); i > 0 && got != at[i-1] {
					t.Fatalf("plan %d: %d servers before minute %d, expected %d: %+v", k, got, first+i, at[i-1], p)
				}
				got, want := c.Open(o.time(first), tick), o.time(open)
				if math.Abs(got-want) > 1e-9*(1+o.time(first)) {
					t.Fatalf("plan %d: open for %v up to minute %d, expected %v: %+v", k, got, first+i, want, p)
				}
				if at[i] > 0 {
					open++
				}
			}
			for range 20 {
				i := r.Int64N(length)
				from := o.time(first+i) + float64(r.Float64()*(o.time(1)))*float64(r.IntN(2))
				i = o.minute(from, first+i) - first
				if i >= length {
					continue
				}
				next := i + 1
				for next < length && at[next] == at[i] {
					next++
				}
				if next < length {
					require.Equal(t, o.time(first+next), c.Next(from), "seed %d, plan %d: change after %v of %+v", seed, k, from, p)
					require.GreaterOrEqual(t, from+c.Delay(from), c.Next(from))
				}
				works(t, c, &o, r, from, first, i, at)
			}
		}
		require.LessOrEqual(t, most, c.Most())
	}
}

// works looks at the end of work that begins at from, in minute i of those with at servers, which begin with first.
func works(t *testing.T, c Calendar, o *oracle, r *rand.Rand, from float64, first, i int64, at []int) {
	t.Helper()
	whole := from == o.time(first+i)
	minutes := int64(r.IntN(60))
	work := o.time(minutes)
	if !whole {
		work = float64(work * r.Float64())
	}
	left, end := work, from
	exact := int64(-1) // the minute after which the work ends, if all is whole
	for k := i; ; k++ {
		if left <= 0 {
			break
		}
		if k == int64(len(at)) {
			return // it ends later
		}
		if at[k] == 0 {
			continue
		}
		begin := max(from, o.time(first+k))
		if there := o.time(first+k+1) - begin; there < left-1e-9*work && !whole {
			left -= there
			continue
		}
		if whole {
			if minutes--; minutes == 0 {
				exact = first + k + 1
				break
			}
			continue
		}
		end = begin + left
		break
	}
	got := c.End(from, work)
	switch {
	case work == 0:
		require.Equal(t, from, got)
	case whole && exact >= 0:
		want := o.time(exact)
		require.InDelta(t, want, got, 3e-16*want, "work of %v from %v of %+v", work, from, o)
	default:
		require.InDelta(t, work, c.Open(from, got), 1e-9*(1+from), "work of %v from %v of %+v", work, from, o)
		require.InDelta(t, end, got, 1e-9*(1+from), "work of %v from %v of %+v", work, from, o)
	}
	require.GreaterOrEqual(t, from+c.Takes(from, work), got)
	require.InDelta(t, got, from+c.Takes(from, work), 4e-16*got)
}

func TestWeeksBeginExactly(t *testing.T) {
	c := mustBe(t, `unit: h
		mon-fri 08:20-17:00: 3
		sat 09:00-12:00: 1`)
	for _, week := range []int64{0, 1, 52, 9_999, 10_000, 1_000_000} {
		hours := func(minutes int64) float64 { return float64(week*7*24*60+minutes) / 60 }
		opens, closes := hours(8*60+20), hours(17*60)
		require.Equal(t, 0, c.At(math.Nextafter(opens, 0)))
		require.Equal(t, 3, c.At(opens))
		require.Equal(t, opens, c.Next(hours(0)))
		require.Equal(t, closes, c.Next(opens))
		require.Equal(t, 3, c.At(math.Nextafter(closes, 0)))
		require.Equal(t, 0, c.At(closes))
		require.Equal(t, hours((24+8)*60+20), c.Next(closes))
		friday, monday := hours((4*24+16)*60), hours((7*24+14)*60)
		require.Equal(t, monday, c.End(friday, 9+40./60), "1 hour on Friday, 3 on Saturday")
		require.Equal(t, closes, c.End(hours(16*60), 1), "not at the next opening")
		require.Equal(t, hours((24+17)*60), c.End(hours(16*60), 9+40./60), "on Tuesday at closing")
		require.Equal(t, 46+1./3, c.Open(hours(0), hours(7*24*60)))
	}
	require.Equal(t, 10_000*(46+1./3), c.Open(0, 10_000*7*24))
	require.Equal(t, 3, c.Most())
}

// mustBe returns the calendar of a text that is right.
func mustBe(t testing.TB, text string) Calendar {
	c, err := Parse(text)
	require.NoError(t, err)
	return c
}

func TestCalendarsWithoutEndOrBeginning(t *testing.T) {
	var nobody Calendar
	inf := math.Inf(1)
	for _, c := range []Calendar{nobody, mustBe(t, "unit: s")} {
		require.Equal(t, 0, c.At(3))
		require.Equal(t, 0, c.Most())
		require.Equal(t, inf, c.Next(3))
		require.Equal(t, inf, c.Delay(3))
		require.Equal(t, inf, c.End(3, 1))
		require.Equal(t, 3., c.End(3, 0))
		require.Equal(t, 0., c.Open(0, inf))
	}
	c := mustBe(t, "unit: h; daily: 2")
	require.Equal(t, 2, c.At(-3))
	require.Equal(t, 2, c.At(1e300))
	require.Equal(t, inf, c.Next(3))
	require.Equal(t, inf, c.Open(3, inf))
	require.Equal(t, 0., c.Open(3, 3))
	a, b := 0.1, 0.2
	require.Equal(t, a+b, c.End(a, b), "as without a calendar")
	require.Equal(t, 1e300, c.End(1, 1e300))
	for _, work := range []float64{-1, math.NaN()} {
		require.True(t, math.IsNaN(c.End(3, work)))
		require.True(t, math.IsNaN(c.Takes(3, work)))
	}
	require.Equal(t, inf, c.End(3, inf))
	once := mustBe(t, "unit: h; except 10..12: 1")
	require.Equal(t, inf, once.Next(12))
	require.Equal(t, 12., once.End(11, 1))
	require.Equal(t, inf, once.End(11, 1.5))
	require.Equal(t, 2., once.Open(0, inf))
}
