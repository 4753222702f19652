// This file pins profiles of levels: against sums of fractions over a list of all changes, whatever the order of LPs
// and ranks is, after moves to other PEs, and after checkpoints.

package statistic_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/num/statistic"
)

// pond is a state with a level of each kind of profile.
type pond struct {
	Plain struct{ D statistic.Level }
	Every struct{ D statistic.Level } `ross:",,every=0.3"`
	Parts struct{ D statistic.Level } `ross:",,q=0;0.25;0.5;0.9;1"`
	Both  struct{ D statistic.Level } `ross:",,every=1.7,q=0.5"`
}

// shift is a value that a level has from a time on.
type shift struct{ at, value float64 }

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// lasted calls each for all values other than 0, with the time for which they lasted within an interval.
func lasted(all []shift, from, until float64, each func(value float64, time *big.Rat)) {
	for i, c := range all {
		end := until
		if i+1 < len(all) {
			end = min(all[i+1].at, until)
		}
		if begin := max(c.at, from); begin < end {
			each(c.value, new(big.Rat).Sub(rat(end), rat(begin)))
		}
	}
}

// over returns a fraction divided by a time, for n LPs, as a float.
func over(x *big.Rat, until, from float64, n int) float64 {
	span := new(big.Rat).Sub(rat(until), rat(from))
	f, _ := new(big.Rat).Quo(x, span.Mul(span, big.NewRat(int64(n), 1))).Float64()
	return f
}

// requireCourse compares the intervals of a row with those of a list of changes for each LP.
func requireCourse(t *testing.T, lps [][]shift, every, from, until float64, row *statistic.Row) {
	t.Helper()
	at := 0
	for i := 0; ; i++ {
		begin, end := float64(i)*every, float64(i+1)*every
		if at < len(row.Course) && math.Abs(row.Course[at].Begin-begin) < 1e-9 {
			begin, end = row.Course[at].Begin, row.Course[at].End // decimal ones
		}
		if end <= from {
			continue
		}
		if begin >= until {
			break
		}
		low, high := max(begin, from), min(end, until)
		sum := new(big.Rat)
		for _, all := range lps {
			lasted(all, low, high, func(v float64, dt *big.Rat) { sum.Add(sum, dt.Mul(dt, rat(v))) })
		}
		require.Less(t, at, len(row.Course))
		got := row.Course[at]
		require.Equal(t, over(sum, high, low, len(lps)), got.Mean, "interval from %g", begin)
		require.Equal(t, over(sum, high, low, 1), got.Sum)
		require.EqualValues(t, len(lps), got.Count)
		at++
	}
	require.Len(t, row.Course, at)
}

// requireValues compares the times of values with those of the list.
func requireValues(t *testing.T, lps [][]shift, from, until float64, row *statistic.Row) {
	t.Helper()
	times := map[float64]*big.Rat{}
	for _, all := range lps {
		lasted(all, from, until, func(v float64, dt *big.Rat) {
			if times[v] == nil {
				times[v] = new(big.Rat)
			}
			times[v].Add(times[v], dt)
		})
	}
	var order []float64
	for v := range times {
		order = append(order, v)
	}
	slices.Sort(order)
	var want []statistic.Share
	below := new(big.Rat)
	for _, v := range order {
		below.Add(below, times[v])
		want = append(want, statistic.Share{Least: v, Greatest: v, Share: over(times[v], until, from, len(lps)),
			UpTo: over(below, until, from, len(lps))})
	}
	require.Equal(t, want, row.Values)
	for _, q := range []float64{0, 0.01, 0.3, 0.5, 0.77, 1} {
		i := slices.IndexFunc(want, func(s statistic.Share) bool { return s.UpTo >= q })
		require.Equal(t, order[i], row.Quantile(q), "quantile %g", q)
	}
	require.True(t, math.IsNaN(row.Quantile(1.5)))
}

func TestProfilesOfLevelsAreExact(t *testing.T) {
	r := draws(t)
	fields, err := statistic.FieldsOf(reflect.TypeFor[pond]())
	require.NoError(t, err)
	require.Len(t, fields, 4)
	for range 15 {
		from := float64(r.IntN(3)) * 1.1
		until := from + 0.5 + 20*r.Float64()
		ponds := make([]pond, 1+r.IntN(4))
		lps := make([][]shift, len(ponds))
		stores := []*statistic.Store{{From: from}, {From: from}}
		of := make([]int, len(ponds))
		for i := range ponds {
			lps[i] = []shift{{0, 0}}
			for now := 0.0; ; {
				if r.IntN(4) > 0 { // several changes at a time, too
					now += r.ExpFloat64()
				}
				if now >= until {
					break
				}
				v := float64(r.IntN(130) - 4)
				if r.IntN(3) == 0 {
					v = 0
				}
				lps[i] = append(lps[i], shift{now, v})
				p := unsafe.Pointer(&ponds[i])
				for k := range fields {
					require.True(t, stores[of[i]].Apply(statistic.OpSet, p, fields[k].Off, math.Float64bits(v), now, &fields))
				}
				for _, s := range stores {
					s.AddUp()
				}
				switch r.IntN(8) {
				case 0:
					stores[of[i]].MoveTo(stores[1-of[i]], p, fields)
					of[i] = 1 - of[i]
				case 1:
					b := bytes.Clone(stores[of[i]].Bytes(p, fields))
					ponds[i] = pond{}
					require.NoError(t, stores[of[i]].Load(b, p, fields, statistic.KeepAll))
					require.Equal(t, b, stores[of[i]].Bytes(p, fields))
					for range 5 {
						require.Error(t, stores[of[i]].Load(b[:r.IntN(len(b))], unsafe.Pointer(new(pond)), fields, statistic.KeepAll))
					}
				}
			}
		}
		table := pondsOf(t, r, ponds, stores, of, fields, from, until)
		require.Nil(t, table.Rows[0].Course)
		require.Nil(t, table.Rows[0].Values)
		require.Nil(t, table.Rows[1].Values)
		require.Nil(t, table.Rows[2].Course)
		requireCourse(t, lps, 0.3, from, until, &table.Rows[1])
		requireValues(t, lps, from, until, &table.Rows[2])
		requireCourse(t, lps, 1.7, from, until, &table.Rows[3])
		requireValues(t, lps, from, until, &table.Rows[3])
		require.Equal(t, []float64{0, 0.25, 0.5, 0.9, 1}, table.Rows[2].Quantiles)
		require.Equal(t, table.Rows[0].Mean, table.Rows[3].Mean)
	}
}

// pondsOf collects the statistics of ponds in some order, from two ranks or from one.
func pondsOf(t *testing.T, r *rand.Rand, ponds []pond, stores []*statistic.Store, of []int, fields []statistic.Field,
	from, until float64) *statistic.Table {
	t.Helper()
	order := r.Perm(len(ponds))
	span := statistic.Span{From: from, Until: until}
	collect := func(gather statistic.Gather, lps []int) *statistic.Table {
		table, err := statistic.Collect(gather, span, func(yield func(statistic.Subject) bool) {
			for _, i := range lps {
				s := statistic.Subject{Group: "pond", Fields: fields, State: unsafe.Pointer(&ponds[i]), Store: stores[of[i]]}
				if !yield(s) {
					return
				}
			}
		})
		require.NoError(t, err)
		return table
	}
	one := collect(nil, order)
	cut := r.IntN(len(ponds) + 1)
	var first []byte
	collect(func(own []byte) ([][]byte, error) { first = own; return [][]byte{own}, nil }, order[:cut])
	two := collect(func(own []byte) ([][]byte, error) { return [][]byte{first, own}, nil }, order[cut:])
	a, err := json.Marshal(jsonTable(t, one))
	require.NoError(t, err)
	b, err := json.Marshal(jsonTable(t, two))
	require.NoError(t, err)
	require.Equal(t, string(a), string(b), "one rank and two")
	return one
}

// jsonTable returns a table as JSON, which has all bits.
func jsonTable(t *testing.T, table *statistic.Table) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	return b.String()
}

func TestALevelThatIsNeverSetHasAProfileOfZero(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[pond]())
	require.NoError(t, err)
	table := pondsOf(t, draws(t), make([]pond, 2), []*statistic.Store{{}}, []int{0, 0}, fields, 0, 3.4)
	require.Equal(t, []statistic.Share{{0, 0, 1, 1}}, table.Rows[3].Values)
	require.Len(t, table.Rows[3].Course, 2)
	require.Zero(t, table.Rows[3].Course[1].Mean)
}

// A run that starts from a checkpoint with a later warm-up observes what a run with this warm-up does.
func TestAProfileBeginsAnewWithALaterWarmUp(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[pond]())
	require.NoError(t, err)
	whole, first, later := &statistic.Store{From: 5}, &statistic.Store{}, &statistic.Store{From: 5}
	var want, before, after pond
	set := func(store *statistic.Store, p *pond, now, v float64) {
		for i := range fields {
			require.True(t, store.Apply(statistic.OpSet, unsafe.Pointer(p), fields[i].Off, math.Float64bits(v), now, &fields))
		}
		store.AddUp()
	}
	for now := range 4 {
		set(whole, &want, float64(now), float64(now%3)+2)
		set(first, &before, float64(now), float64(now%3)+2)
	}
	b := first.Bytes(unsafe.Pointer(&before), fields)
	require.NoError(t, later.Load(b, unsafe.Pointer(&after), fields, statistic.KeepLevels))
	for _, until := range []float64{6, 9} {
		require.Equal(t,
			jsonTable(t, pondsOf(t, draws(t), []pond{want}, []*statistic.Store{whole}, []int{0}, fields, 5, until)),
			jsonTable(t, pondsOf(t, draws(t), []pond{after}, []*statistic.Store{later}, []int{0}, fields, 5, until)))
		set(whole, &want, until+1, 7)
		set(later, &after, until+1, 7)
	}
}

func TestValuesOfABinAreTogether(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[pond]())
	require.NoError(t, err)
	var p pond
	store := &statistic.Store{}
	for i, v := range []float64{1000, 1001, -5e-324, 1e300, math.MaxFloat64, 1000} {
		require.True(t, store.Apply(statistic.OpSet, unsafe.Pointer(&p), fields[2].Off, math.Float64bits(v), float64(i),
			&fields))
	}
	store.AddUp()
	table := pondsOf(t, draws(t), []pond{p}, []*statistic.Store{store}, []int{0}, fields, 0, 6)
	row := &table.Rows[2]
	require.Equal(t, []statistic.Share{{-5e-324, -5e-324, 1. / 6, 1. / 6}, {1000, 1001, 0.5, 4. / 6},
		{1e300, 1e300, 1. / 6, 5. / 6}, {math.MaxFloat64, math.MaxFloat64, 1. / 6, 1}}, row.Values)
	require.InEpsilon(t, 1000.5, row.Quantile(0.5), statistic.MaxError)
	require.Equal(t, 1e300, row.Quantile(0.8))
}

// Intervals are joined where there would be more than 2^20, and integrals of small numbers lose nothing.
func TestIntervalsOfALevelAreJoined(t *testing.T) {
	fields, err := statistic.FieldsOf(reflect.TypeFor[pond]())
	require.NoError(t, err)
	ponds := make([]pond, 2)
	store := &statistic.Store{}
	set := func(i int, at, v float64) {
		require.True(t, store.Apply(statistic.OpSet, unsafe.Pointer(&ponds[i]), fields[1].Off, math.Float64bits(v), at,
			&fields))
	}
	set(0, 0, 1e-310)
	set(0, 0.6, 0)
	set(0, 1000, 2)
	set(0, 1001, 0)
	set(1, 900_000, 6)
	store.AddUp()
	table, err := statistic.Collect(nil, statistic.Span{Until: 1e6}, func(yield func(statistic.Subject) bool) {
		for i := range ponds {
			if !yield(statistic.Subject{Group: "pond", Fields: fields[1:2], State: unsafe.Pointer(&ponds[i]), Store: store}) {
				return
			}
		}
	})
	require.NoError(t, err)
	course := table.Rows[0].Course
	width := course[0].End
	require.Equal(t, 1.2, width, "0.3 doubled twice")
	require.GreaterOrEqual(t, course[len(course)-1].End, 1e6)
	require.Equal(t, 1e-310*0.6/(2*width), course[0].Mean)
	sum := 0.0
	for _, c := range course {
		sum += c.Mean * (min(c.End, 1e6) - c.Begin)
	}
	require.InEpsilon(t, 300_001.0, sum, 1e-9)
}
