// This file pins the numbers: against exact arithmetic, against the definition, and against
// other ways of merging.

package statistic_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/num/interval"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// draws returns a generator whose seed is printed if the test fails.
func draws(t *testing.T) *rand.Rand { return testrand.New(t) }

// wide returns a number of any sign and of very different sizes.
func wide(r *rand.Rand) float64 {
	return math.Ldexp(r.Float64()-0.5, r.IntN(120)-60)
}

func TestSumsAreExactInAnyOrder(t *testing.T) {
	r := draws(t)
	for range 200 {
		all := []float64{math.MaxFloat64 / 4, math.SmallestNonzeroFloat64, -math.MaxFloat64 / 4, 0}
		for range r.IntN(50) {
			all = append(all, wide(r))
		}
		want := summarise(all).sum
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		parts := make([]statistic.Sum, 3)
		for _, x := range all {
			parts[r.IntN(3)].Add(x)
		}
		var sum statistic.Sum
		for i := range parts {
			sum.Merge(&parts[i])
		}
		require.Equal(t, want, sum.Value())
	}
	var none statistic.Sum
	require.Zero(t, none.Value())
	require.True(t, math.IsNaN(none.Over(0)))
	var third statistic.Sum
	third.AddProduct(3, 0.1)
	require.Equal(t, 0.1, third.Over(3), "the product is not rounded")
}

func TestQuantilesAreWithinTheBound(t *testing.T) {
	r := draws(t)
	for range 30 {
		var b statistic.Bins
		all := make([]float64, 1+r.IntN(300))
		for i := range all {
			if all[i] = wide(r); r.IntN(20) == 0 {
				all[i] = 0
			}
			b.Add(all[i], 1)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.001, 0.1, 0.5, 0.77, 0.99, 1} {
			want := all[rankOf(q, uint64(len(all)))-1]
			got := statistic.QuantileOf(b.All(), uint64(len(all)), q, all[0], all[len(all)-1])
			require.LessOrEqual(t, math.Abs(got-want), statistic.MaxError*math.Abs(want), "q %g of %d", q, len(all))
		}
	}
	require.True(t, math.IsNaN(statistic.QuantileOf(new(statistic.Bins).All(), 0, 0.5, 0, 0)))
}

func TestBinsHoldTheirNumbers(t *testing.T) {
	r := draws(t)
	for _, x := range []float64{wide(r), -wide(r), 1, 2, -1, 1.5, math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, 0} {
		var b statistic.Bins
		b.Add(x, 3)
		for bin := range b.All() {
			require.EqualValues(t, 3, bin.N)
			switch {
			case x > 0:
				require.True(t, bin.Low <= x && (x < bin.High || x == math.MaxFloat64), "%g in %v", x, bin)
			case x < 0:
				require.True(t, bin.Low < x && x <= bin.High || x == -math.MaxFloat64, "%g in %v", x, bin)
			}
			var again statistic.Bins
			again.Add(bin.Middle(), 3)
			require.Equal(t, slices.Collect(b.All()), slices.Collect(again.All()), "the middle is in the bin")
		}
	}
}

func TestBinsCountAsFarAsTheyMust(t *testing.T) {
	for _, parts := range [][]uint64{{1, 65534, 1}, {65535, 65535}, {65536}, {1 << 63, 1}, {3, 1 << 40}, {1, 1<<64 - 2}} {
		var b, whole statistic.Bins
		sum := uint64(0)
		for _, n := range parts {
			sum += n
			b.Add(1.5, n)
			b.Add(1.75, 2)
			b.Add(-40, n)
		}
		want := map[float64]uint64{1.5: sum, 1.75: 2 * uint64(len(parts)), -40: sum}
		whole.Merge(&b)
		for _, bins := range []*statistic.Bins{&b, &whole} {
			got := map[float64]uint64{}
			for bin := range bins.All() {
				got[map[bool]float64{true: bin.Low, false: bin.High}[bin.High > 0]] = bin.N
			}
			require.Equal(t, want, got, "%d", parts)
		}
	}
}

func TestBinsCountEveryNumber(t *testing.T) {
	r := draws(t)
	for round := range 60 {
		var b, merged statistic.Bins
		want := map[uint64]uint64{} // by the first bits of the number
		for range 400 {
			x := wide(r)
			if round%2 == 0 { // mostly near each other
				x = math.Ldexp(1+r.Float64(), r.IntN(40)-20)
			}
			if x == 0 || math.Abs(x) < 0x1p-1022 {
				continue
			}
			if r.IntN(5) == 0 {
				x = -x
			}
			n := uint64(1)
			if r.IntN(4) == 0 {
				n = uint64(r.IntN(70000))
			}
			b.Add(x, n)
			if n > 0 {
				want[math.Float64bits(x)>>46] += n
			}
		}
		merged.Merge(&b)
		for _, bins := range []*statistic.Bins{&b, &merged} {
			got, last := map[uint64]uint64{}, math.Inf(-1)
			for bin := range bins.All() {
				require.Greater(t, bin.Middle(), last, "bins come in their order")
				last = bin.Middle()
				got[math.Float64bits(last)>>46] += bin.N
			}
			require.Equal(t, want, got)
		}
	}
}

func TestIntervalsBeginAtMultiplesOfTheirLength(t *testing.T) {
	r := draws(t)
	for range 50 {
		every := math.Ldexp(r.Float64()+0.01, r.IntN(20)-10)
		b, l := statistic.NewCourse(every, 0), interval.Of(every)
		n := map[int]uint64{}
		for now := 0.0; now < 300*every; {
			b.Add(1, now)
			i := int(now / every)
			for ; l.Begin(float64(i)) > now; i-- {
			}
			for ; l.Begin(float64(i+1)) <= now; i++ {
			}
			n[i]++
			switch r.IntN(3) {
			case 0:
				now += every * r.Float64()
			case 1: // on a border or next to it
				now = math.Nextafter(math.Ceil(now/every)*every, float64(r.IntN(2))*2*(now+every))
			default:
				now = math.Nextafter(now, math.Inf(1))
			}
		}
		for i, s := range b.Steps {
			require.Equal(t, n[i], s.N, "interval %d of %g", i, every)
		}
	}
}

// TestJoinedIntervalsBeginWhereTheyDidBefore records in the middle of 0.1, 0.3 and the like, and at their multiples.
func TestJoinedIntervalsBeginWhereTheyDidBefore(t *testing.T) {
	r := draws(t)
	for _, every := range []float64{0.1, 0.3, 0.01, 1.0 / 3, 0.123456789012345, 1e-9, 1e7} {
		c := statistic.NewCourse(every, 0)
		c.Most = 8
		var times []float64
		for k := range 2000 {
			n := float64(k)
			now := []float64{n * every, n / math.Round(1/every), (n + r.Float64()) * every,
				math.Nextafter(n*every, 0)}[r.IntN(4)]
			if now-now != 0 {
				continue
			}
			c.Add(1, now)
			times = append(times, now)
		}
		l := interval.Of(every).Times(c.Width() / every)
		n := make([]uint64, len(c.Steps))
		for _, now := range times {
			i, _, _ := l.Around(now)
			n[int(i)]++
		}
		for i, s := range c.Steps {
			require.Equal(t, n[i], s.N, "interval %d of %g, from %g on", i, every, l.Begin(float64(i)))
		}
	}
}

// state has a statistic of each kind.
type state struct {
	Counter struct{ D statistic.Counter }
	Tally   struct{ D statistic.Tally }
	Level   struct{ D statistic.Level }
	Bins    struct{ D statistic.Histogram }
	Auto    struct{ D statistic.Series }
	Every   struct{ D statistic.Series } `ross:"every,,every=0.1"`
}

// lps returns states with random recordings, and their Store.
func lps(t *testing.T, r *rand.Rand, n int) ([]state, *statistic.Store, []statistic.Field) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[state]())
	require.NoError(t, err)
	store := &statistic.Store{From: 1}
	states := make([]state, n)
	ops := []statistic.Op{statistic.OpCount, statistic.OpTally, statistic.OpSet, statistic.OpBin, statistic.OpTime,
		statistic.OpTime}
	for i := range states {
		now := 0.0
		for range r.IntN(200) {
			now += r.Float64()
			k := r.IntN(len(fields))
			word := math.Float64bits(wide(r))
			if ops[k] == statistic.OpCount {
				word = 2
			}
			store.Apply(ops[k], unsafe.Pointer(&states[i]), fields[k].Off, word, now, &fields)
		}
	}
	store.AddUp()
	return states, store, fields
}

// jsonOf returns the table of states that were merged on ranks, in a random order.
func jsonOf(t *testing.T, r *rand.Rand, ranks int, states []state, store *statistic.Store,
	fields []statistic.Field) string {
	t.Helper()
	order := r.Perm(len(states))
	tables := make([]string, ranks)
	meet := newMeeting(ranks)
	done := make(chan error, ranks)
	for rank := range ranks {
		go func() {
			table, err := statistic.Collect(meet.gather(rank),
				statistic.Span{From: 1, Until: math.Inf(1), Last: float64(300 + rank - ranks)},
				func(yield func(statistic.Subject) bool) {
					for i, k := range order {
						if i%ranks == rank &&
							!yield(statistic.Subject{Group: fmt.Sprint(k % 2), Order: uint64(k % 2), Fields: fields,
								State: unsafe.Pointer(&states[k]), Store: store}) {
							return
						}
					}
				})
			if err == nil {
				var b bytes.Buffer
				err = table.WriteJSON(&b)
				tables[rank] = b.String()
			}
			done <- err
		}()
	}
	for range ranks {
		require.NoError(t, <-done)
	}
	for _, other := range tables {
		require.Equal(t, tables[0], other, "all ranks have the same table")
	}
	return tables[0]
}

func TestTheSignOfZeroReachesAllRanks(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[state]())
	require.NoError(t, err)
	store := &statistic.Store{From: 1}
	states := make([]state, 1)
	for i := range fields {
		if fields[i].Kind == statistic.KindTally {
			store.Apply(statistic.OpTally, unsafe.Pointer(&states[0]), fields[i].Off, math.Float64bits(math.Copysign(0, -1)), 2,
				&fields)
		}
	}
	store.AddUp()
	for ranks := 1; ranks <= 2; ranks++ {
		require.Contains(t, jsonOf(t, draws(t), ranks, states, store, fields), "\"min\": -0,\n   \"max\": -0")
	}
}

func TestMergingHasTheSameBitsInAnyOrder(t *testing.T) {
	r := draws(t)
	states, store, fields := lps(t, r, 20)
	want := jsonOf(t, r, 1, states, store, fields)
	for ranks := 1; ranks <= 4; ranks++ {
		require.Equal(t, want, jsonOf(t, r, ranks, states, store, fields))
	}
	var table struct{ Rows []struct{ Count uint64 } }
	require.NoError(t, json.Unmarshal([]byte(want), &table))
	require.Len(t, table.Rows, 2*len(fields))
	for _, row := range table.Rows {
		require.Positive(t, row.Count)
	}
}

func TestACheckpointKeepsAllBits(t *testing.T) {
	r := draws(t)
	states, store, fields := lps(t, r, 10)
	other := &statistic.Store{From: 1}
	again := make([]state, len(states))
	for i := range states {
		b := slices.Clone(store.Bytes(unsafe.Pointer(&states[i]), fields))
		require.NoError(t, other.Load(b, unsafe.Pointer(&again[i]), fields, statistic.KeepAll))
		require.Equal(t, b, other.Bytes(unsafe.Pointer(&again[i]), fields))
		require.Error(t, other.Load(b[:len(b)-1], unsafe.Pointer(new(state)), fields, statistic.KeepAll))
		require.Error(t, other.Load(append(b, 0), unsafe.Pointer(new(state)), fields, statistic.KeepAll))
		require.Error(t, other.Load(b[1:], unsafe.Pointer(new(state)), fields, statistic.KeepAll))
		for _, keep := range []statistic.Keep{statistic.KeepValues, statistic.KeepLevels} {
			var anew, want state
			anew.Tally.D.N, anew.Bins.D.At, anew.Auto.D.At = 1, 99, 99 // the model's Deserialize may leave anything
			require.NoError(t, other.Load(b, unsafe.Pointer(&anew), fields, keep))
			want.Level.D.Value = states[i].Level.D.Value
			if keep == statistic.KeepLevels {
				want.Level.D.Since = states[i].Level.D.Since
			}
			require.Equal(t, want, anew)
		}
	}
	require.Equal(t, jsonOf(t, r, 1, states, store, fields), jsonOf(t, r, 1, again, other, fields))
}

func TestACheckpointOfVersion1IsTakenAsExact(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[state]())
	require.NoError(t, err)
	words := func(kind statistic.Kind, all ...any) []byte {
		b := []byte{byte(kind)}
		for _, x := range all {
			b, err = binary.Append(b, binary.LittleEndian, x)
			require.NoError(t, err)
		}
		return b
	}
	old := func(mean, value float64) []byte {
		return slices.Concat(
			words(statistic.KindCounter, uint64(9)),
			words(statistic.KindTally, uint64(3), mean, 0.5, -1.0, 1.0),
			words(statistic.KindLevel, value, 8.0, 1.0, 0x1.8p-53, 3.0, 0.0, 4.0),
			words(statistic.KindHistogram, uint64(2), 0.5, 0.125, 0.25, 0.75, uint64(2), 0.25, uint64(1), 0.75, uint64(1)),
			words(statistic.KindSeries, uint64(128), 2.0, uint64(2), uint64(1), 0.1, uint64(2), 0.7),
			words(statistic.KindSeries, uint64(0)))
	}
	var s state
	store := &statistic.Store{From: 4}
	require.NoError(t, store.Load(old(0.1, 2), unsafe.Pointer(&s), fields, statistic.KeepAll))
	require.EqualValues(t, 9, s.Counter.D.N)
	require.Equal(t, []any{uint64(3), -1.0, 1.0, 0.1, 0.25}, []any{s.Tally.D.N, s.Tally.D.Least, s.Tally.D.Greatest,
		s.Tally.D.Mean(), s.Tally.D.Variance()})
	require.Equal(t, []float64{2, 8, 0, 4}, []float64{s.Level.D.Value, s.Level.D.Since, s.Level.D.Least,
		s.Level.D.Greatest})
	require.Equal(t, (1+0x1p-52)/4, s.Level.D.Mean(8, 4), "with what rounding had taken from the integral")
	require.Equal(t, 3.0, s.Level.D.Until(8, 4).One.Value())
	require.Equal(t, []float64{0.5, 0.125}, []float64{s.Bins.D.Mean(), s.Bins.D.Variance()})
	require.Equal(t, 0.251953125, statistic.QuantileOf(store.BinsOf(&s.Bins.D).All(), 2, 0.5, 0.25, 0.75))
	require.Equal(t, []statistic.Stretch{{N: 1, High: 0.1}, {N: 2, High: 0.7}}, store.CourseOf(&s.Auto.D).Steps)
	require.Nil(t, store.CourseOf(&s.Every.D))
	s.Tally.D.Add(0.3) // it goes on
	require.InDelta(t, 0.15, s.Tally.D.Mean(), 1e-17)

	require.Equal(t, statistic.ErrLost, store.Load(old(math.Inf(1), 2), unsafe.Pointer(&s), fields, statistic.KeepAll))
	require.NoError(t, store.Load(old(math.Inf(1), 2), unsafe.Pointer(&s), fields, statistic.KeepLevels))
	require.Zero(t, s.Tally.D)
	for _, keep := range []statistic.Keep{statistic.KeepAll, statistic.KeepLevels, statistic.KeepValues} {
		require.Equal(t, statistic.ErrInfinite, store.Load(old(0.1, math.Inf(-1)), unsafe.Pointer(&s), fields, keep))
	}
}

func TestFieldsHaveNamesAndUnits(t *testing.T) {
	type port struct {
		Delay struct{ D statistic.Tally }
		Wait  struct{ D statistic.Tally } `ross:"waiting time,s"`
		Free  int
	}
	type good struct {
		Ports [2]port `ross:"port"`
		N     int     `json:"n"`
		Far   []port
		Load  struct{ D statistic.Series } `ross:",jobs,every=10"`
		Odd   int                          `ross:"anything, at all, goes"`
	}
	fields, err := statistic.FieldsOf(reflect.TypeFor[good]())
	require.NoError(t, err)
	var names []string
	for _, f := range fields {
		names = append(names, fmt.Sprintf("%s|%s|%v|%g", f.Name, f.Unit, f.Kind, f.Every))
	}
	require.Equal(t, []string{"port[0].Delay||tally|0", "port[0].waiting time|s|tally|0", "port[1].Delay||tally|0",
		"port[1].waiting time|s|tally|0", "Load|jobs|series|10"}, names)

	for want, typ := range map[string]reflect.Type{
		`two statistics are named "a"`: reflect.TypeFor[struct {
			A struct{ D statistic.Tally } `ross:"a"`
			B struct{ D statistic.Tally } `ross:"a"`
		}](),
		`the tag of A: every= wants a virtual time above 0`: reflect.TypeFor[struct {
			A struct{ D statistic.Series } `ross:",,every=-1"`
		}](),
		`A is more than 4 GiB after the beginning of the state: put it before what is large`: reflect.TypeFor[struct {
			Large [5 << 30]byte
			A     struct{ D statistic.Tally }
		}](),
		`the tag of A: every= is for a Series`: reflect.TypeFor[struct {
			A struct{ D statistic.Tally } `ross:",,every=1"`
		}](),
		`the tag of A: of= is for a resource.Level or resource.Store`: reflect.TypeFor[struct {
			A struct{ D statistic.Counter } `ross:",,of=litres"`
		}](),
		`the tag of A: "x" has no meaning`: reflect.TypeFor[struct {
			A struct{ D statistic.Tally } `ross:",s,x"`
		}](),
	} {
		_, err := statistic.FieldsOf(typ)
		require.ErrorContains(t, err, want)
	}
}

func Example() {
	// What PEs have counted is added up in any order, and rounded once.
	var a, b statistic.Sum
	a.Add(1e100)
	a.Add(1)
	b.Add(-1e100)
	b.Merge(&a)
	fmt.Println(b.Value())

	var bins statistic.Bins
	for i := range 1000 {
		bins.Add(float64(i), 1)
	}
	fmt.Println(statistic.QuantileOf(bins.All(), 1000, 0.5, 0, 999)) // 499, within 1/128
	// Output:
	// 1
	// 498
}
