// This file owns the tests of the parts: the steps of a round, one at a time, and the order of bounds, against
// signatures written out in full. A round allocates nothing.

package gvt_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/stretchr/testify/require"
)

// at returns the bound of an event at a time.
func at(time float64) gvt.Bound { return gvt.Of(&event.Event{Time: time, Prio: 1}, 0) }

func members(g *gvt.Group, n int) []*gvt.Member {
	ms := make([]*gvt.Member, n)
	for i := range ms {
		ms[i] = g.Member(i)
	}
	return ms
}

func TestASingleMemberNeedsNobody(t *testing.T) {
	g := gvt.NewGroup(1, nil)
	m := g.Member(0)
	for round := range uint64(5) {
		require.Equal(t, round, g.Round())
		require.False(t, m.Begun())
		require.Equal(t, gvt.Idle, m.Poll())
		require.True(t, m.Start())
		require.True(t, m.Begun())
		require.False(t, m.Busy())
		require.Equal(t, gvt.Cut, m.Poll())
		m.PassCut()
		require.True(t, m.Busy())
		require.Equal(t, gvt.ReportDue, m.Poll())
		m.Report(at(float64(round)), uint32(round), 0)
		require.Equal(t, gvt.Done, m.Poll())
		require.Equal(t, gvt.Report{Bound: at(float64(round)), Flags: uint32(round)}, m.Result(nil))
		require.False(t, m.Busy())
	}
	require.EqualValues(t, 5, g.Round())
}

func TestNoPEReportsBeforeAllHavePassedTheFirstCut(t *testing.T) {
	ms := members(gvt.NewGroup(3, nil), 3)
	require.True(t, ms[1].Start())
	for _, m := range ms {
		require.Equal(t, gvt.Cut, m.Poll())
	}
	ms[2].PassCut()
	ms[0].PassCut()
	require.Equal(t, gvt.Idle, ms[0].Poll())
	require.Equal(t, gvt.Idle, ms[2].Poll())
	require.Equal(t, gvt.Cut, ms[1].Poll())
	ms[1].PassCut()
	for _, m := range ms {
		require.Equal(t, gvt.ReportDue, m.Poll())
	}
}

func TestNoPEHasAResultBeforeAllHaveReported(t *testing.T) {
	ms := members(gvt.NewGroup(2, nil), 2)
	require.True(t, ms[0].Start())
	ms[0].PassCut()
	ms[1].PassCut()
	ms[1].Report(at(4), 0, 0)
	require.Equal(t, gvt.Idle, ms[1].Poll())
	require.Equal(t, gvt.ReportDue, ms[0].Poll())
	ms[0].Report(at(3), 0, 0)
	require.Equal(t, gvt.Done, ms[0].Poll())
	require.Equal(t, gvt.Done, ms[1].Poll())
}

// TestANextRoundWaitsForTheResultOfTheLast has one member rush ahead: the
// reports of the round before must stay until the other has read them.
func TestANextRoundWaitsForTheResultOfTheLast(t *testing.T) {
	ms := members(gvt.NewGroup(2, nil), 2)
	ms[0].Start()
	for _, m := range ms {
		m.PassCut()
	}
	ms[0].Report(at(5), 0, 0)
	ms[1].Report(at(6), 0, 0)
	require.Equal(t, 5.0, timeOf(ms[0].Result(nil)))
	require.False(t, ms[1].Start(), "its round is not over")
	require.True(t, ms[0].Start())
	ms[0].PassCut()
	require.Equal(t, gvt.Idle, ms[0].Poll(), "ms[1] has not read the reports")
	require.Equal(t, gvt.Done, ms[1].Poll(), "the last round first")
	require.Equal(t, 5.0, timeOf(ms[1].Result(nil)))
	require.True(t, ms[1].Begun())
	require.Equal(t, gvt.Cut, ms[1].Poll())
}

func TestOneRoundAtATime(t *testing.T) {
	ms := members(gvt.NewGroup(2, nil), 2)
	require.True(t, ms[0].Start())
	require.False(t, ms[0].Start())
	require.False(t, ms[1].Start())
	ms[0].PassCut()
	require.False(t, ms[0].Start())
	require.False(t, ms[1].Start())
	require.True(t, ms[1].Begun())
}

// TestTheResultIsTheLeastReportAndAllFlags has equal bounds too: the lowest id
// is named.
func TestTheResultIsTheLeastReportAndAllFlags(t *testing.T) {
	after := at(2)
	after.After()
	for _, c := range []struct {
		name  string
		told  [3]gvt.Bound
		from  uint32
		flags [3]uint32
		all   uint32
	}{
		{"first", [3]gvt.Bound{at(1), at(2), at(3)}, 0, [3]uint32{1, 0, 0}, 1},
		{"last", [3]gvt.Bound{gvt.Max, at(2), at(1)}, 2, [3]uint32{0, 2, 4}, 6},
		{"equal", [3]gvt.Bound{at(7), at(5), at(5)}, 1, [3]uint32{8, 8, 0}, 8},
		{"just after", [3]gvt.Bound{after, at(3), at(2)}, 2, [3]uint32{0, 0, 1 << 30}, 1 << 30},
		{"covered by some", [3]gvt.Bound{at(1), at(2), at(3)}, 0, [3]uint32{gvt.Covered, gvt.Covered | 1, 0}, 1},
		{"covered by all", [3]gvt.Bound{at(1), at(2), at(3)}, 0, [3]uint32{gvt.Covered, gvt.Covered | 1, gvt.Covered},
			gvt.Covered | 1},
		{"no events", [3]gvt.Bound{gvt.Max, gvt.Max, gvt.Max}, 0, [3]uint32{0, 0, 0}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ms := members(gvt.NewGroup(3, nil), 3)
			ms[2].Start()
			for _, m := range ms {
				m.PassCut()
			}
			for i, m := range ms {
				m.Report(c.told[i], c.flags[i], int64(10*i+1))
			}
			for _, m := range ms {
				require.Equal(t, gvt.Report{Bound: c.told[c.from], Flags: c.all, From: c.from, Balance: 1 + 11 + 21}, m.Result(nil))
			}
		})
	}
}

// TestStepsOutOfOrderAreNoticed is about the engine's own assertions.
func TestStepsOutOfOrderAreNoticed(t *testing.T) {
	check := require.NotPanics
	if invariants.Enabled {
		check = require.Panics
	}
	ms := members(gvt.NewGroup(2, nil), 2)
	ms[0].Start()
	ms[0].PassCut()
	check(t, func() { ms[0].Report(at(1), 0, 0) }, "ms[1] has not passed its cut")
}

// round has members without events go through a round.
func round(ms []*gvt.Member) {
	ms[0].Start()
	for _, m := range ms {
		m.PassCut()
	}
	for _, m := range ms {
		m.Report(gvt.Max, 0, 0)
	}
	for _, m := range ms {
		m.Result(nil)
	}
}

func timeOf(r gvt.Report) float64 { return r.Time() }

func BenchmarkRound(b *testing.B) {
	for _, n := range []int{1, 2, 8} {
		b.Run(fmt.Sprintf("pes=%d", n), func(b *testing.B) {
			ms := members(gvt.NewGroup(n, nil), n)
			for b.Loop() {
				round(ms)
			}
		})
	}
}

func BenchmarkBegun(b *testing.B) {
	m := gvt.NewGroup(1, nil).Member(0)
	for b.Loop() {
		if m.Begun() {
			b.Fatal("nobody has begun a round")
		}
	}
}

// Example runs a round of two PEs in one goroutine. The second has sent an
// event at 4 that the first has not received yet: without the minimum of what
// is sent, no report would include it.
func Example() {
	group := gvt.NewGroup(2, nil)
	pes := []*gvt.Member{group.Member(0), group.Member(1)}
	least := []gvt.Bound{at(7), at(5)}    // pending
	sent := []gvt.Bound{gvt.Max, gvt.Max} // since the first cut
	pes[0].Start()
	for over := 0; over < 2; {
		for i, pe := range pes {
			switch pe.Poll() {
			case gvt.Cut:
				pe.PassCut()
				if i == 1 {
					sent[i] = at(4)
				}
			case gvt.ReportDue:
				b := least[i]
				if sent[i].Compare(&b, nil) < 0 {
					b = sent[i]
				}
				pe.Report(b, 0, 0)
			case gvt.Done:
				fmt.Println("GVT for PE", i, "is", timeOf(pe.Result(nil)))
				over++
			}
		}
	}
	// Output:
	// GVT for PE 0 is 4
	// GVT for PE 1 is 4
}

// signature is a bound written out: the oracle of the order.
type signature struct {
	time, prio float64
	ties       []float64
	after      bool // of all events of the signature, whatever follows
	pe, dst    uint32
	src        uint64
	sent       float64
}

func (s *signature) compare(o *signature) int {
	after := func(s *signature) int {
		if s.after {
			return 1
		}
		return 0
	}
	c := cmp.Or(cmp.Compare(s.time, o.time), cmp.Compare(s.prio, o.prio), slices.Compare(s.ties, o.ties),
		after(s)-after(o))
	if c != 0 || s.after {
		return c
	}
	return cmp.Or(cmp.Compare(s.pe, o.pe), cmp.Compare(s.dst, o.dst), cmp.Compare(s.src, o.src),
		cmp.Compare(s.sent, o.sent))
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
	return &event.Event{Time: s.time, Prio: s.prio, Tie: s.ties[0], Lineage: node, Dst: s.dst, Src: s.src,
		SendTime: s.sent}
}

func (s *signature) bound(e *event.Event) gvt.Bound {
	b := gvt.Of(e, s.pe)
	if s.after {
		b.After()
	}
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
	{time: 0, prio: 0, ties: []float64{0}},
	{time: 0, prio: 0, ties: []float64{0}, after: true}, // just after it
	// a descendant, even with a tie-breaker of 0
	{time: 0, prio: 0, ties: []float64{0, 0}},
	// tie-breaker, below the prefix
	{time: 0, prio: 0, ties: []float64{math.Nextafter(0, 1)}},
	// tie-breaker, in the prefix
	{time: 0, prio: 0, ties: []float64{0.25}},
	{time: 0, prio: 0.3, ties: []float64{0.9}}, // priority off the grid
	// priority, below the prefix: the tie-breaker counts less
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1}},
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1, 0.7}},              // lineage
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1, 0.8}},              // its last
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1, 0.8}, after: true}, // just after that
	// which is before its descendants
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1, 0.8, 0.1, 0}},
	// they are ordered by their ancestors
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.1, 0.8, 0.2}},
	// and all before what does not descend from it
	{time: 0, prio: math.Nextafter(0.3, 1), ties: []float64{0.2}},
	{time: 0, prio: 1, ties: []float64{0}},                                           // priority on the grid
	{time: 0, prio: 1, ties: []float64{0}, sent: 0.5},                                // time of sending
	{time: 0, prio: 1, ties: []float64{0}, src: 1},                                   // sender
	{time: 0, prio: 1, ties: []float64{0}, dst: 1},                                   // receiver
	{time: 0, prio: 1, ties: []float64{0}, dst: math.MaxUint32, src: math.MaxUint64}, //
	{time: 0, prio: 1, ties: []float64{0}, pe: 1},                                    // its PE
	// after all events of the signature
	{time: 0, prio: 1, ties: []float64{0}, after: true},
	{time: 0, prio: 1, ties: []float64{0, 0}},                                                 //
	{time: 0, prio: 1, ties: []float64{1}},                                                    // the largest tie-breaker
	{time: math.SmallestNonzeroFloat64, prio: 0, ties: []float64{0}},                          // time
	{time: 1, prio: 0, ties: []float64{0}},                                                    //
	{time: math.Nextafter(1, 2), prio: 0, ties: []float64{0}},                                 // its last bit
	{time: math.MaxFloat64, prio: 1, ties: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}, after: true}, // the last
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

// TestBeforeIsBeforeEventsThatAreNotLess also asks for priorities and tie-breakers that no
// event has.
func TestBeforeIsBeforeEventsThatAreNotLess(t *testing.T) {
	inf := math.Inf(1)
	numbers := []float64{-inf, -1, math.Copysign(0, -1), 0, 0.25, 0.3, math.Nextafter(0.3, 1), 1, math.Nextafter(1, 2), 2,
		300, inf}
	within := numbers[2:8]
	for _, time := range []float64{-1, 0, 3} {
		for _, prio := range numbers {
			for _, tie := range numbers {
				b := gvt.Before(time, prio, tie)
				for _, p := range within {
					for _, d := range within {
						for _, at := range []float64{0, 3, 4} {
							e := &event.Event{Time: at, Prio: p, Tie: d}
							want := cmp.Or(cmp.Compare(at, time), cmp.Compare(p, prio), cmp.Compare(d, tie)) < 0
							require.Equal(t, want, b.Passed(e, 0, nil), "event %g %g %g, bound %g %g %g", at, p, d, time, prio, tie)
						}
					}
				}
			}
		}
	}
}

// TestEqualLineagesOfOtherNodesAreEqual has two chains of the same
// tie-breakers, as two equal random draws would give.
func TestEqualLineagesOfOtherNodesAreEqual(t *testing.T) {
	a := newArena(t)
	s := signature{time: 2, prio: 1, ties: []float64{0.5, 0.25, 0.5}}
	e, f := s.makeEvent(t, a.Lines), s.makeEvent(t, a.Lines)
	require.NotEqual(t, e.Lineage, f.Lineage)
	b, c := gvt.Of(e, 0), gvt.Of(f, 0)
	require.Zero(t, b.Compare(&c, a.Lines))
	require.False(t, b.Passed(f, 0, a.Lines))
	require.True(t, b.Reached(f, 0, a.Lines))
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
			require.Equal(t, c < 0, b.Passed(e, ascending[j].pe, a.Lines), "bound %d, event %d", i, j)
			require.Equal(t, c <= 0, b.Reached(e, ascending[j].pe, a.Lines), "bound %d, event %d", i, j)
		}
	}
	last := ascending[len(ascending)-1].makeEvent(t, a.Lines)
	require.True(t, gvt.Max.Passed(last, math.MaxUint32, a.Lines), "everything is before Max")
}

// FuzzBounds compares bounds made of few values, so that they agree in parts,
// with their signatures: a lexicographic order, hence a total one.
func FuzzBounds(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 3, 0x1b, 1, 1, 4, 0x1b, 0, 1, 3, 0x1b, 0})
	f.Add([]byte{2, 5, 0xff, 0, 2, 5, 0x7f, 0, 2, 5, 0xbf, 1})
	f.Add([]byte{0x12, 5, 1, 0, 0x22, 5, 1, 0, 0x0a, 5, 1, 0, 6, 5, 1, 0})
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
	s := signature{time: times[b[0]%4], prio: prios[b[1]%6], after: b[3]&1 != 0,
		pe: uint32(b[0] >> 2 & 1), dst: uint32(b[0] >> 3 & 1), src: uint64(b[0] >> 4 & 1), sent: float64(b[0] >> 5 & 1)}
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
	bound := gvt.Of(late, 0) // GVT, if late is the least event not yet handled
	fmt.Println(bound.Time(), bound.Passed(early, 0, a.Lines), bound.Passed(late, 0, a.Lines),
		bound.Reached(late, 0, a.Lines))
	// Output: 3 true false true
}

// TestStopsAreAfterAllOfTheirSignature has events, a call of the hook and stops of one
// signature, and a descendant.
func TestStopsAreAfterAllOfTheirSignature(t *testing.T) {
	a := newArena(t)
	last := signature{time: 3, prio: 1, ties: []float64{0.5}, dst: math.MaxUint32, src: math.MaxUint64,
		pe: math.MaxUint32 - 1}
	child := signature{time: 3, prio: 1, ties: []float64{0.5, 0}}
	e := last.makeEvent(t, a.Lines)
	bounds := []gvt.Bound{last.bound(e), last.bound(e), last.bound(e), last.bound(e),
		child.bound(child.makeEvent(t, a.Lines))}
	bounds[1].After()
	bounds[2].StopBy(0)
	bounds[3].StopBy(7)
	for i := range bounds[1:] {
		require.Negative(t, bounds[i].Compare(&bounds[i+1], a.Lines))
		require.Equal(t, i+1 == 1, bounds[i+1].IsAfter())
		lp, ok := bounds[i+1].StoppedBy()
		require.Equal(t, i+1 == 2 || i+1 == 3, ok)
		if i+1 == 3 {
			require.EqualValues(t, 7, lp)
		}
	}
	require.True(t, bounds[2].Passes(child.makeEvent(t, a.Lines), 0, a.Lines))
	require.False(t, bounds[2].Passes(e, last.pe, a.Lines))
	_, ok := gvt.Max.StoppedBy()
	require.False(t, ok)
}

// TestStopsAtATimeAreBeforeIt has the place at which a run ends at a time among events, and
// announcements of it, which order as they are numbered.
func TestStopsAtATimeAreBeforeIt(t *testing.T) {
	a := newArena(t)
	latest := signature{time: 2, prio: 1, ties: []float64{0.99}, dst: math.MaxUint32, src: math.MaxUint64,
		pe: math.MaxUint32 - 1}
	earliest := signature{time: 3, prio: 0, ties: []float64{1e-9}}
	before, after := latest.makeEvent(t, a.Lines), earliest.makeEvent(t, a.Lines)
	told := latest.bound(before)
	told.Announce(0, 8, 3)
	again := latest.bound(before)
	again.Announce(1, 2, 2.5)
	bounds := []gvt.Bound{latest.bound(before), told, again, gvt.StopAt(3, 0), gvt.StopAt(3, 7), earliest.bound(after)}
	for i := range bounds[1:] {
		require.Negative(t, bounds[i].Compare(&bounds[i+1], a.Lines), "%d", i)
	}
	for i := range bounds {
		lp, at, ok := bounds[i].Announced()
		require.Equal(t, i == 1 || i == 2, ok)
		if ok {
			require.Equal(t, []any{[]uint64{8, 2}[i-1], []float64{3, 2.5}[i-1]}, []any{lp, at})
		}
		lp, ok = bounds[i].StoppedBy()
		require.Equal(t, i == 3 || i == 4, ok)
		if ok {
			require.Equal(t, []uint64{0, 7}[i-3], lp)
			require.EqualValues(t, 3, bounds[i].Time())
			require.False(t, bounds[i].IsAfter())
		}
	}
	_, _, ok := gvt.Max.Announced()
	require.False(t, ok)
}

func TestARoundAllocatesNothing(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	ms := members(gvt.NewGroup(2, nil), 2)
	require.Zero(t, testalloc.PerRun(100, func() { round(ms) }))
}
