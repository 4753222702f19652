// This file pins that sums, means, deviations, integrals and ranks are those of exact arithmetic.

package statistic_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/testing/testalloc"
)

// precise is the precision of numbers that hold sums of squares of any float64 exactly.
const precise = 6000

// exact returns x as an exact number.
func exact(x float64) *big.Float { return new(big.Float).SetPrec(precise).SetFloat64(x) }

// rounded returns the float64 that is nearest to x.
func rounded(x *big.Float) float64 {
	v, _ := x.Float64()
	return v
}

// summary is what exact arithmetic gives for numbers.
type summary struct{ sum, mean, variance, deviation float64 }

func summarise(all []float64) summary {
	sum, squares := exact(0), exact(0)
	for _, x := range all {
		sum.Add(sum, exact(x))
	}
	n := exact(float64(len(all)))
	mean := new(big.Float).SetPrec(precise).Quo(sum, n)
	for _, x := range all {
		d := exact(x)
		d.Sub(d, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	s := summary{rounded(sum), rounded(mean), math.NaN(), math.NaN()}
	if len(all) > 1 {
		v := squares.Quo(squares, exact(float64(len(all)-1)))
		s.variance, s.deviation = rounded(v), rounded(new(big.Float).SetPrec(200).Sqrt(v))
	}
	return s
}

// within requires that x is want or one of its neighbours.
func within(t *testing.T, want, x float64, what string) {
	t.Helper()
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(x), what)
		return
	}
	require.True(t, want == x || math.Nextafter(want, x) == x, "%s is %g, exactly %g", what, x, want)
}

// hard are numbers that are awkward to sum.
var hard = map[string][]float64{
	"huge":      {1e308, -1e308, 1.7e308},
	"largest":   {math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
	"same":      {math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64},
	"least":     {5e-324, -5e-324, 1e-310, 0, math.Copysign(0, -1)},
	"all sizes": {1e308, 5e-324, -1, 0, 1, -1e308, 1e-200, 3},
	"rising":    {1e-300, 1e-200, 1e-100, 1, 1e100, 1e200, 1e300},
	"falling":   {1e300, 1e200, 1e100, 1, 1e-100, 1e-200, 1e-300, -1e300},
	"zeros":     {0, 0, 0},
	"one":       {-7.25},
	"shifted":   {1e15 + 0.125, 1e15, 1e15 - 0.125, 1e15 + 0.25},
}

// randomly returns numbers of a kind that r draws.
func randomly(r *rand.Rand) []float64 {
	n := 1 + r.IntN(300)
	all := make([]float64, n)
	offset, kind, sizes := r.Float64()*1e9, r.IntN(6), 1+r.IntN(1000)
	for i := range all {
		switch kind {
		case 0:
			all[i] = offset + r.NormFloat64()
		case 1:
			all[i] = wide(r)
		case 2:
			all[i] = float64(r.IntN(20))
		case 3:
			all[i] = r.ExpFloat64()
		case 4:
			all[i] = math.Ldexp(r.Float64()-0.5, r.IntN(2*sizes)-sizes)
		default:
			all[i] = math.Float64frombits(r.Uint64())
			if all[i]-all[i] != 0 {
				all[i] = -math.MaxFloat64
			}
		}
	}
	return all
}

func TestTalliesAreThoseOfExactArithmetic(t *testing.T) {
	r := draws(t)
	cases := map[string][]float64{}
	for i := range 300 {
		cases[fmt.Sprint(i)] = randomly(r)
	}
	for name, all := range hard {
		cases[name] = all
		cases[name+", often"] = slices.Repeat(all, 50)
	}
	for name, all := range cases {
		var y statistic.Tally
		var sum, squares statistic.Sum
		for _, x := range all {
			y.Add(x)
		}
		y.AddTo(&sum, &squares)
		want := summarise(all)
		require.Equal(t, want.sum, sum.Value(), name)
		within(t, want.mean, y.Mean(), name+": mean")
		within(t, want.variance, y.Variance(), name+": variance")
		within(t, want.deviation, y.StdDev(), name+": standard deviation")
		require.Equal(t, []float64{slices.Min(all), slices.Max(all)}, []float64{y.Least, y.Greatest})
	}
	var none statistic.Tally
	for _, x := range []float64{none.Mean(), none.Variance(), none.StdDev()} {
		require.True(t, math.IsNaN(x))
	}
}

func TestManyLargeNumbersFillNoWord(t *testing.T) {
	for _, x := range []float64{1, -1.9999999, 0x1p-30} {
		var y statistic.Tally
		y.Add(0x1p-32) // the others are at the upper end of the words, or beyond
		for range 1000 {
			y.Add(x * 0x1.fffffp0)
		}
		all := append(slices.Repeat([]float64{x * 0x1.fffffp0}, 1000), 0x1p-32)
		want := summarise(all)
		require.Equal(t, want.mean, y.Mean())
		require.Equal(t, want.variance, y.Variance())
	}
}

func TestSumsOfEitherSignStayShort(t *testing.T) {
	for _, x := range []float64{1, -1} {
		var sum statistic.Sum
		for range 1000 {
			var one statistic.Sum
			one.Add(x)
			sum.Merge(&one)
		}
		require.Equal(t, 1000*x, sum.Value())
		require.LessOrEqual(t, len(sum.Digit), 2)
	}
}

func TestSumsOfIntervalsAreExact(t *testing.T) {
	r := draws(t)
	cases := map[string][]float64{"cancels": slices.Repeat([]float64{1, 0x1p-60, 0x1p-120, -1, -0x1p-60}, 8)}
	for i := range 100 {
		cases[fmt.Sprint(i)] = randomly(r)
	}
	for name, all := range hard {
		cases[name] = all
	}
	for name, all := range cases {
		for _, joined := range []bool{false, true} {
			c := statistic.NewCourse(1, 0)
			c.Most = 4
			c.Add(0, 3)
			for i, x := range all {
				c.Add(x, float64(i%4))
			}
			parts := 4
			if joined {
				c.Add(0, 7) // intervals become twice as long
				parts = 2
			}
			for part := range parts {
				var sum statistic.Sum
				c.AddTo(&sum, part)
				var of []float64
				for i, x := range all {
					if i%4*parts/4 == part {
						of = append(of, x)
					}
				}
				require.Equal(t, summarise(append(of, 0)).sum, sum.Value(), "%s, %d of %d", name, part, parts)
			}
		}
	}
}

// change is a new value of a level.
type change struct{ at, value float64 }

func TestLevelsAreThoseOfExactArithmetic(t *testing.T) {
	r := draws(t)
	cases := map[string][]change{
		"huge":    {{0, 1e308}, {1.5, -1e308}, {7.25, 1.7e308}, {20, math.MaxFloat64}},
		"cancels": {{0, 1e300}, {20, -1e300}, {40, 1e-300}},
		"tiny":    {{0, 5e-324}, {0.1, 0}, {0.3, -5e-324}},
		"border": {{0, 0x1p60}, {0x1p-50, (1 + 0x1p-52) * 0x1p-22}, {0x1p-49 + 0x1p-101, -0x1p60},
			{0x1p-49 + 0x1p-50 + 0x1p-101, 0}},
		"apart": {{0x1p-1000, 3}, {0x1p-900, 0.1}, {1e-5, 1e9}, {49.9, 1e-9}},
	}
	for i := range 300 {
		var all []change
		values := randomly(r)
		for now := 0.0; len(all) < len(values); now += r.ExpFloat64() * math.Ldexp(1, r.IntN(30)-25) {
			all = append(all, change{now, values[len(all)]})
		}
		cases[fmt.Sprint(i)] = all
	}
	for name, all := range cases {
		for _, from := range []float64{0, 10} {
			until := 50 + all[len(all)-1].at
			var l statistic.Level
			store := &statistic.Store{From: from}
			for _, c := range all {
				store.Set(&l, c.value, c.at)
			}
			store.AddUp()
			integral, busy := exact(0), exact(0)
			least, greatest := math.Inf(1), math.Inf(-1)
			for i, c := range append([]change{{0, 0}}, all...) {
				end := until
				if i < len(all) {
					end = all[i].at
				}
				if begin := max(c.at, from); begin < end {
					dt := new(big.Float).SetPrec(precise).Sub(exact(end), exact(begin))
					integral.Add(integral, new(big.Float).SetPrec(precise).Mul(dt, exact(c.value)))
					if c.value != 0 {
						busy.Add(busy, dt)
					}
					least, greatest = min(least, c.value), max(greatest, c.value)
				}
			}
			span := new(big.Float).SetPrec(precise).Sub(exact(until), exact(from))
			require.Equal(t, rounded(integral.Quo(integral, span)), l.Mean(until, from), "%s from %g", name, from)
			o := l.Until(until, from)
			require.Equal(t, rounded(busy), o.One.Value(), name)
			require.Equal(t, []float64{least, greatest}, []float64{o.Least, o.Greatest}, name)
			store.Set(&l, l.Value, until)
			store.AddUp()
			require.Equal(t, rounded(integral), l.Mean(until, from), "%s: it may be set at the end", name)
		}
	}
	var l statistic.Level
	store := new(statistic.Store)
	require.True(t, math.IsNaN(l.Mean(1, 1)))
	require.True(t, store.Shift(&l, math.MaxFloat64, 1))
	require.False(t, store.Shift(&l, math.MaxFloat64, 2))
	require.Equal(t, []float64{math.MaxFloat64, 1}, []float64{l.Value, l.Since}, "what cannot be is not done")
}

// rankOf returns the least k of 1 to n for which the float64 nearest to k/n is at least q.
func rankOf(q float64, n uint64) uint64 {
	for k := uint64(1); k < n; k++ {
		if part, _ := big.NewRat(int64(k), int64(n)).Float64(); part >= q {
			return k
		}
	}
	return n
}

// numbered are n bins of one number each, 1 to n.
func numbered(n uint64) func(func(statistic.Bin) bool) {
	return func(yield func(statistic.Bin) bool) {
		for k := range n {
			if !yield(statistic.Bin{Low: float64(k + 1), High: float64(k + 1), N: 1}) {
				return
			}
		}
	}
}

func TestQuantilesHaveTheirRank(t *testing.T) {
	r := draws(t)
	require.Equal(t, 7.0, statistic.QuantileOf(numbered(100), 100, 0.07, 1, 100))
	for _, n := range []uint64{1, 2, 3, 7, 10, 49, 100, 1000} {
		for percent := range int64(100) {
			text := fmt.Sprintf("0.%02d", percent)
			q, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			exactly, _ := new(big.Rat).SetString(text)
			exactly.Mul(exactly, new(big.Rat).SetUint64(n))
			want := new(big.Int).Div(new(big.Int).Sub(new(big.Int).Add(exactly.Num(), exactly.Denom()), big.NewInt(1)),
				exactly.Denom()).Uint64()
			require.Equal(t, float64(max(want, 1)), statistic.QuantileOf(numbered(n), n, q, 1, float64(n)), "%s of %d", text, n)
		}
		for k := uint64(1); k <= n; k++ {
			require.Equal(t, float64(k), statistic.QuantileOf(numbered(n), n, float64(k)/float64(n), 1, float64(n)), "%d/%d", k,
				n)
		}
		for range 50 {
			q := r.Float64()
			if r.IntN(2) == 0 {
				q = math.Nextafter(float64(r.IntN(int(n)+1))/float64(n), float64(r.IntN(2)))
			}
			require.Equal(t, float64(rankOf(q, n)), statistic.QuantileOf(numbered(n), n, q, 1, float64(n)), "%g of %d", q, n)
		}
	}
	const many = 1<<60 + 1
	halves := func(yield func(statistic.Bin) bool) {
		_ = yield(statistic.Bin{Low: 1, High: 1, N: many / 2}) && yield(statistic.Bin{Low: 2, High: 2, N: many - many/2})
	}
	require.Equal(t, 1.0, statistic.QuantileOf(halves, many, 0.5, 1, 2), "the float64 nearest to 2^59 of them is 0.5")
	require.Equal(t, 2.0, statistic.QuantileOf(halves, many, math.Nextafter(0.5, 1), 1, 2))
	require.Equal(t, 1.0, statistic.QuantileOf(halves, many, 0x1p-80, 1, 2))
}

func TestARecordingAllocatesNothing(t *testing.T) {
	var y statistic.Tally
	var l statistic.Level
	c := statistic.NewCourse(1, 0)
	store := new(statistic.Store)
	now := 0.0
	record := func() {
		for _, x := range []float64{1, 1e-30, 1e10, -3, 0, 1e300, 5e-324} {
			now += 1 / (x*x + 3)
			store.Tally(&y, x)
			store.Set(&l, x, now)
			c.Add(x, 0)
		}
	}
	for range 20 {
		record()
	}
	require.Zero(t, testalloc.PerRun(1000, record))
}

// Ranks that are goroutines.

// meeting lets goroutines exchange bytes.
type meeting struct {
	lock  sync.Mutex
	cond  *sync.Cond
	all   [][]byte
	came  int
	round int
	last  [][]byte
}

func newMeeting(n int) *meeting {
	m := &meeting{all: make([][]byte, n)}
	m.cond = sync.NewCond(&m.lock)
	return m
}

// gather returns what sends bytes of a rank to all.
func (m *meeting) gather(rank int) func([]byte) ([][]byte, error) {
	return func(own []byte) ([][]byte, error) {
		m.lock.Lock()
		defer m.lock.Unlock()
		m.all[rank] = own
		round := m.round
		if m.came++; m.came == len(m.all) {
			m.last, m.all = m.all, make([][]byte, len(m.all))
			m.came = 0
			m.round++
			m.cond.Broadcast()
		}
		for m.round == round {
			m.cond.Wait()
		}
		return m.last, nil
	}
}
