// The order of bounds, against signatures written out in full.

package gvt_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
)

// signature is a bound written out: the oracle of the order.
type signature struct {
	time, prio float64
	ties       []float64
	after      bool
}

func (s *signature) compare(o *signature) int {
	after := func(s *signature) int {
		if s.after {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(s.time, o.time), cmp.Compare(s.prio, o.prio), slices.Compare(s.ties, o.ties), after(s)-after(o))
}

// makeEvent returns an event of a signature; it owns its lineage.
func (s *signature) makeEvent(t testing.TB, lines *event.Lineages) *event.Event {
	node := uint32(0)
	for _, tie := range s.ties[1:] {
		child, err := lines.Extend(node, tie)
		require.NoError(t, err)
		lines.Drop(node)
		node = child
	}
	return &event.Event{Time: s.time, Prio: s.prio, Tie: s.ties[0], Lineage: node}
}

func (s *signature) bound(e *event.Event) gvt.Bound {
	b := gvt.Of(e)
	b.After = s.after
	return b
}

func newArena(t testing.TB) *event.Arena {
	t.Helper()
	a, err := event.NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	t.Cleanup(a.Release)
	return a
}

// ascending is signatures in their order; each differs from the one before it
// in what its comment says.
var ascending = []signature{
	{0, 0, []float64{0}, false},
	{0, 0, []float64{0}, true},                                       // just after it
	{0, 0, []float64{0, 0}, false},                                   // a descendant, even with a tie-breaker of 0
	{0, 0, []float64{math.Nextafter(0, 1)}, false},                   // tie-breaker, below the prefix
	{0, 0, []float64{0.25}, false},                                   // tie-breaker, in the prefix
	{0, 0.3, []float64{0.9}, false},                                  // priority off the grid
	{0, math.Nextafter(0.3, 1), []float64{0.1}, false},               // priority, below the prefix: the tie-breaker counts less
	{0, math.Nextafter(0.3, 1), []float64{0.1, 0.7}, false},          // lineage
	{0, math.Nextafter(0.3, 1), []float64{0.1, 0.8}, false},          // its last
	{0, math.Nextafter(0.3, 1), []float64{0.1, 0.8}, true},           // just after that
	{0, math.Nextafter(0.3, 1), []float64{0.1, 0.8, 0.1, 0}, false},  // which is before its descendants
	{0, math.Nextafter(0.3, 1), []float64{0.1, 0.8, 0.2}, false},     // they are ordered by their ancestors
	{0, math.Nextafter(0.3, 1), []float64{0.2}, false},               // and all before what does not descend from it
	{0, 1, []float64{0}, false},                                      // priority on the grid
	{0, 1, []float64{1}, false},                                      // the largest tie-breaker
	{math.SmallestNonzeroFloat64, 0, []float64{0}, false},            // time
	{1, 0, []float64{0}, false},                                      //
	{math.Nextafter(1, 2), 0, []float64{0}, false},                   // its last bit
	{math.MaxFloat64, 1, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}, true}, // the last
}

func TestBoundsAreOrderedAsTheirSignatures(t *testing.T) {
	a := newArena(t)
	bounds := make([]gvt.Bound, len(ascending))
	for i := range ascending {
		bounds[i] = ascending[i].bound(ascending[i].makeEvent(t, a.Lines))
		require.False(t, bounds[i].IsMax())
		require.Equal(t, ascending[i].time, bounds[i].Time())
	}
	bounds = append(bounds, gvt.Max)
	for i := range bounds {
		for j := range bounds {
			got := bounds[i].Compare(&bounds[j], a.Lines)
			require.Equal(t, cmp.Compare(i, j), cmp.Compare(got, 0), "%d and %d: %+v, %+v", i, j, bounds[i], bounds[j])
		}
	}
}

// TestEqualLineagesOfOtherNodesAreEqual has two chains of the same
// tie-breakers, as two equal random draws would give.
func TestEqualLineagesOfOtherNodesAreEqual(t *testing.T) {
	a := newArena(t)
	s := signature{2, 1, []float64{0.5, 0.25, 0.5}, false}
	e, f := s.makeEvent(t, a.Lines), s.makeEvent(t, a.Lines)
	require.NotEqual(t, e.Lineage, f.Lineage)
	b, c := gvt.Of(e), gvt.Of(f)
	require.Zero(t, b.Compare(&c, a.Lines))
	require.False(t, b.Passed(f, a.Lines))
	require.True(t, b.Reached(f, a.Lines))
}

func TestMaxIsTheTimeOfROSSWithoutEvents(t *testing.T) {
	b := gvt.Max
	require.True(t, b.IsMax())
	require.Equal(t, math.MaxFloat64, b.Time())
	require.Zero(t, b.Compare(&gvt.Max, nil), "needs no lineages")
}

func TestPassedIsBeforeAndReachedIsNotAfter(t *testing.T) {
	a := newArena(t)
	for i := range ascending {
		b := ascending[i].bound(ascending[i].makeEvent(t, a.Lines))
		for j := range ascending {
			if ascending[j].after {
				continue // no event
			}
			e := ascending[j].makeEvent(t, a.Lines)
			c := ascending[j].compare(&ascending[i])
			require.Equal(t, c < 0, b.Passed(e, a.Lines), "bound %d, event %d", i, j)
			require.Equal(t, c <= 0, b.Reached(e, a.Lines), "bound %d, event %d", i, j)
		}
	}
	last := ascending[len(ascending)-1].makeEvent(t, a.Lines)
	require.True(t, gvt.Max.Passed(last, a.Lines), "everything is before Max")
}

// FuzzBounds compares bounds made of few values, so that they agree in parts,
// with their signatures: a lexicographic order, hence a total one.
func FuzzBounds(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 3, 0x1b, 1, 1, 4, 0x1b, 0, 1, 3, 0x1b, 0})
	f.Add([]byte{2, 5, 0xff, 0, 2, 5, 0x7f, 0, 2, 5, 0xbf, 1})
	a := newArena(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var sigs []signature
		var bounds []gvt.Bound
		for ; len(data) >= 4 && len(sigs) < 8; data = data[4:] {
			s := decode(data)
			sigs = append(sigs, s)
			bounds = append(bounds, s.bound(s.makeEvent(t, a.Lines)))
		}
		for i := range bounds {
			for j := range bounds {
				got, want := cmp.Compare(bounds[i].Compare(&bounds[j], a.Lines), 0), sigs[i].compare(&sigs[j])
				if got != want {
					t.Fatalf("%+v and %+v: Compare is %d, want %d", sigs[i], sigs[j], got, want)
				}
			}
		}
		for i := range bounds {
			a.Lines.Drop(bounds[i].Node)
		}
		require.Zero(t, a.Lines.Live())
	})
}

func decode(b []byte) signature {
	times := []float64{0, math.SmallestNonzeroFloat64, 1, math.Nextafter(1, 2)}
	prios := []float64{0, 0.25, 0.3, math.Nextafter(0.3, 1), 0.5, 1}
	ties := []float64{0, 0.5, math.Nextafter(0.5, 1), 1}
	s := signature{time: times[b[0]%4], prio: prios[b[1]%6], after: b[3]&1 != 0}
	for n, i := 1+b[3]>>1%4, 0; i < int(n); i++ {
		s.ties = append(s.ties, ties[b[2]>>(2*i)%4])
	}
	return s
}

func ExampleBound_Passed() {
	a, err := event.NewArena(8, 1<<10, nil)
	if err != nil {
		panic(err)
	}
	defer a.Release()
	early, late := &event.Event{Time: 3, Prio: 1, Tie: 0.25}, &event.Event{Time: 3, Prio: 1, Tie: 0.75}
	bound := gvt.Of(late) // GVT, if late is the least event not yet handled
	fmt.Println(bound.Time(), bound.Passed(early, a.Lines), bound.Passed(late, a.Lines), bound.Reached(late, a.Lines))
	// Output: 3 true false true
}
