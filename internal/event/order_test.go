// The order of events, and the part of it in keys.

package event_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/modeltest"
)

// priorities and ties are those at which Prefix changes its ways, and any.
var priorities = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return 0 },
	func(*rand.Rand) float64 { return 1 },
	func(*rand.Rand) float64 { return math.SmallestNonzeroFloat64 },
	func(*rand.Rand) float64 { return math.Nextafter(1, 0) },
	func(r *rand.Rand) float64 { return float64(r.IntN(129)) / 128 },
	func(r *rand.Rand) float64 { return math.Nextafter(float64(1+r.IntN(127))/128, float64(r.IntN(2))) },
	func(r *rand.Rand) float64 { return r.Float64() },
	func(r *rand.Rand) float64 { return 0.3 + 1e-9*r.Float64() },
}

var ties = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return 0 },
	func(*rand.Rand) float64 { return 1 }, // rounding may give it, though the generator's range excludes it
	func(*rand.Rand) float64 { return math.Nextafter(1, 0) },
	func(r *rand.Rand) float64 { return r.Float64() },
	func(r *rand.Rand) float64 { return float64(r.IntN(1<<23)) / (1 << 23) },
	func(r *rand.Rand) float64 { return 0.7 + 1e-9*r.Float64() },
}

func pick(r *rand.Rand, from []func(*rand.Rand) float64) float64 { return from[r.IntN(len(from))](r) }

func TestPrefixNeverContradictsPriorityAndTie(t *testing.T) {
	r := modeltest.Rand(t)
	for range 400000 {
		p, q := pick(r, priorities), pick(r, priorities)
		x, y := pick(r, ties), pick(r, ties)
		if r.IntN(2) == 0 {
			q = p
		}
		if p > q || p == q && x > y {
			p, q, x, y = q, p, y, x
		}
		if event.Prefix(p, x) > event.Prefix(q, y) {
			t.Fatalf("(%v, %v) is before (%v, %v), but its prefix is not: %#x, %#x",
				p, x, q, y, event.Prefix(p, x), event.Prefix(q, y))
		}
	}
}

func TestPrefixTellsTiesApartOnTheGridOfPriorities(t *testing.T) {
	for cell := range 129 {
		p := float64(cell) / 128
		require.Less(t, event.Prefix(p, 0.5), event.Prefix(p, 0.5+1.0/(1<<22)), "priority %v", p)
		if cell > 0 {
			require.Less(t, event.Prefix(math.Nextafter(p, 0), 1), event.Prefix(p, 0), "priority %v", p)
		}
	}
}

// randomEvent fills an event from few values, so that two of them often agree
// in some parts of the signature and all that follows.
func randomEvent(t *testing.T, r *rand.Rand, a *event.Arena, lineages []lineage) event.Key {
	e, i, err := a.Alloc()
	require.NoError(t, err)
	*e = event.Event{
		Time: []float64{0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64}[r.IntN(4)],
		Prio: []float64{0, 0.3, 0.3 + 1e-12, 1}[r.IntN(4)],
		Tie:  []float64{0, 0.5, 0.5 + 1e-12, math.Nextafter(1, 0)}[r.IntN(4)],
		Dst:  uint32(r.IntN(2)), Src: uint64(r.IntN(2)), SendTime: float64(r.IntN(2)),
		Lineage: lineages[r.IntN(len(lineages))].node, State: event.Pending,
	}
	return event.KeyOf(e, i)
}

func TestKeysAndCompareGiveOneTotalOrder(t *testing.T) {
	r := modeltest.Rand(t)
	a := newArena(t, 8, nil)
	f := newForest(a)
	for range 20 {
		f.extend(t, r.IntN(len(f.all)), float64(r.IntN(2)))
	}
	var keys []event.Key
	for range 500 {
		keys = append(keys, randomEvent(t, r, a, f.all))
	}
	same := 0
	for range 50000 {
		x, y, z := keys[r.IntN(500)], keys[r.IntN(500)], keys[r.IntN(500)]
		c := a.Compare(a.At(x.Index()), a.At(y.Index()))
		require.Equal(t, c < 0, a.Compare(a.At(y.Index()), a.At(x.Index())) > 0)
		switch {
		case !x.Same(y): // the keys alone decide, as the events do
			require.Equal(t, x.Less(y), c < 0)
			require.NotZero(t, c)
		case c != 0:
			require.Equal(t, c < 0, a.Less(x, y))
			same++
		default:
			require.Equal(t, x.Less(y), a.Less(x, y))
		}
		require.Equal(t, x != y, a.Less(x, y) != a.Less(y, x), "of two keys one is first")
		if a.Less(x, y) && a.Less(y, z) {
			require.True(t, a.Less(x, z), "%+v, %+v, %+v", x, y, z)
		}
	}
	require.Greater(t, same, 1000, "too few pairs had keys that only the events order")
}

// TestEachPartOfASignatureDecidesInItsTurn changes one part after the other, the
// later ones all against it.
func TestEachPartOfASignatureDecidesInItsTurn(t *testing.T) {
	a := newArena(t, 8, nil)
	f := newForest(a)
	f.extend(t, 0, 0.5)
	f.extend(t, 1, 0.1)
	f.extend(t, 0, 0.6)
	less, longer, more := f.all[1].node, f.all[2].node, f.all[3].node
	x := event.Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 1, SendTime: 1}
	for _, c := range []struct {
		what string
		y    event.Event
	}{
		{"time", event.Event{Time: 2}},
		{"priority", event.Event{Time: 1, Prio: 0.6}},
		{"tie-breaker", event.Event{Time: 1, Prio: 0.5, Tie: 0.6}},
		{"lineage", event.Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: more}},
		{"receiver", event.Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 2}},
		{"sender", event.Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 2}},
		{"send time", event.Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 1, SendTime: 2}},
	} {
		require.Negative(t, a.Compare(&x, &c.y), c.what)
		require.Positive(t, a.Compare(&c.y, &x), c.what)
	}
	require.Zero(t, a.Compare(&x, &x))
	shorter := x
	shorter.Lineage, shorter.Dst = less, 9
	require.Negative(t, a.Compare(&shorter, &x), "a lineage is before those that extend it")
	require.Equal(t, 1.0, event.KeyOf(&x, 7).Time())
	require.EqualValues(t, 7, event.KeyOf(&x, 7).Index())
}
