// The steps of a round, one at a time.

package gvt_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
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

func TestNobodyTellsBeforeAllHavePassedTheFirstCut(t *testing.T) {
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

func TestNobodyHasAResultBeforeAllHaveTold(t *testing.T) {
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
		{"just after", [3]gvt.Bound{after, at(3), at(2)}, 2, [3]uint32{0, 0, 1 << 31}, 1 << 31},
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
