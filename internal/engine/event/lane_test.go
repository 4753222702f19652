// This file pins events on their way from one PE to another, and payloads that are kept as they were sent.

package event

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/mem"
)

// Lanes: slots that a sender books and a receiver fills.

func spaceOf(t *testing.T, n int, limit uint64) (*Space, *mem.Budget) {
	t.Helper()
	budget := mem.NewBudget(limit)
	s, err := NewSpace(n, 8, 0, budget)
	require.NoError(t, err)
	t.Cleanup(s.Release)
	return s, budget
}

// send takes an event of arena from to PE to, as the engine does.
func send(t *testing.T, s *Space, from, to int, time float64) (there uint32) {
	t.Helper()
	a, b := s.Arena(from), s.Arena(to)
	e, here := alloc(t, a)
	e.Time, e.State = time, Pending
	there = a.Book(uint32(to), here)
	way := make([]uint64, a.Stride()/8)
	a.CopyTo(way, here)
	a.Vacate(here, there)
	got := b.Arrive(there, way)
	require.Equal(t, time, got.Time)
	require.EqualValues(t, Pending, got.State)
	require.Same(t, b.At(there), got)
	return there
}

func TestABookedSlotIsTheReceiversAndGoesHome(t *testing.T) {
	s, _ := spaceOf(t, 3, math.MaxUint64)
	a, b := s.Arena(0), s.Arena(2)
	var there []uint32
	seen := make(map[uint32]bool)
	for i := range 200 {
		j := send(t, s, 0, 2, float64(i))
		require.False(t, seen[j])
		seen[j] = true
		there = append(there, j)
	}
	require.NoError(t, s.Check())
	require.EqualValues(t, 200+1, a.Peak(), "one slot for all that is sent, and one for each that arrived")
	for i, j := range there {
		require.Equal(t, float64(i), b.At(j).Time)
		b.Free(b.At(j), j)
		require.NoError(t, s.Check())
	}
	b.GiveBack()
	require.NoError(t, s.Check())
	for range 200 {
		require.True(t, seen[send(t, s, 0, 2, 0)], "slots are used again")
	}
	require.EqualValues(t, 200+1, a.Peak())
	require.NoError(t, s.Check())
}

func TestRangesOfArenasAndLanesAreApart(t *testing.T) {
	for _, c := range []struct {
		n         int
		maxEvents uint64
	}{{2, 0}, {2, 4000}, {3, 0}, {4, 1 << 14}, {5, 1 << 20}, {8, 0}, {17, 0}, {33, 1 << 12}} {
		t.Run(fmt.Sprint(c.n, " ", c.maxEvents), func(t *testing.T) {
			s, err := NewSpace(c.n, 8, c.maxEvents, mem.NewBudget(math.MaxUint64))
			require.NoError(t, err)
			defer s.Release()
			seen := make(map[uint32]bool)
			lanes := 0
			for from := range c.n {
				for to := range c.n {
					_, here := alloc(t, s.Arena(from))
					s.Arena(from).At(here).State = Pending
					require.False(t, seen[here])
					seen[here] = true
					if from == to {
						continue
					}
					j := s.Arena(from).Book(uint32(to), here)
					if j == here { // no address space for lanes
						continue
					}
					lanes++
					require.False(t, seen[j])
					seen[j] = true
					s.Arena(from).At(j).State = Pending // must be usable memory
				}
			}
			if c.maxEvents != 1<<12 {
				require.Equal(t, c.n*(c.n-1), lanes)
			}
			require.NoError(t, s.Check())
		})
	}
}

func TestAnEventKeepsItsSlotWhenMemoryIsShort(t *testing.T) {
	s, budget := spaceOf(t, 2, 1<<20)
	require.NoError(t, budget.Charge(600<<10))
	a, b := s.Arena(0), s.Arena(1)
	e, here := alloc(t, a)
	e.State = Pending
	there := a.Book(1, here)
	require.Equal(t, here, there)
	a.Vacate(here, there)
	require.EqualValues(t, Pending, e.State, "it has not moved")
	b.Free(e, there)
	b.GiveBack()
	require.True(t, a.TakeBack())
	require.NoError(t, s.Check())
	require.EqualValues(t, 1, a.Freed())
}

func TestACancelledBookingIsUsedNext(t *testing.T) {
	s, _ := spaceOf(t, 2, math.MaxUint64)
	a := s.Arena(0)
	e, here := alloc(t, a)
	e.State = Pending
	there := a.Book(1, here)
	require.NotEqual(t, here, there)
	a.Free(e, here)
	a.Cancel(there, here)
	a.Cancel(here, here) // it had no other slot
	require.NoError(t, s.Check())
	require.EqualValues(t, 2, a.Freed())
	require.Equal(t, there, a.Book(1, here))
}

func TestLineageAndBlockGoWithTheCopy(t *testing.T) {
	s, _ := spaceOf(t, 2, math.MaxUint64)
	a, b := s.Arena(0), s.Arena(1)
	e, here := alloc(t, a)
	e.State = Pending
	require.NoError(t, a.AllocBlock(e, 5000))
	bytes := unsafe.Slice((*byte)(Payload(e)), 5000)
	bytes[4999] = 42
	node, err := a.Lines.Extend(0, .5)
	require.NoError(t, err)
	e.Lineage = node
	there := a.Book(1, here)
	way := make([]uint64, a.Stride()/8)
	a.CopyTo(way, here)
	a.Vacate(here, there)
	got := b.Arrive(there, way)
	require.Equal(t, node, got.Lineage)
	require.Same(t, &bytes[0], (*byte)(Payload(got)))
	require.EqualValues(t, 42, bytes[4999])
	require.NoError(t, s.Check())
	b.Free(got, there)
	require.NoError(t, s.Check())
	require.Zero(t, a.Lines.Live()+b.Lines.Live())
}

// TestSlotsOfLanesServeWhenNothingElseIsLeft fills the memory, frees the slots of
// a lane, and lets both PEs use them for their own events.
func TestSlotsOfLanesServeWhenNothingElseIsLeft(t *testing.T) {
	s, budget := spaceOf(t, 2, 1<<20)
	a, b := s.Arena(0), s.Arena(1)
	lane := []uint32{send(t, s, 0, 1, 1), send(t, s, 0, 1, 2), send(t, s, 0, 1, 3)}
	require.NoError(t, budget.Charge(budget.Limit()-budget.Used()))
	for {
		e, _, err := a.Alloc()
		if err != nil {
			require.ErrorIs(t, err, mem.ErrLimit)
			break
		}
		e.State = Pending
	}
	for _, j := range lane {
		b.Free(b.At(j), j)
	}
	b.GiveBack()
	e, i := alloc(t, a)
	require.Contains(t, lane, i)
	e.State = Pending
	a.Share()
	for {
		e, _, err := b.Alloc()
		if err != nil {
			break
		}
		e.State = Pending
	}
	require.NoError(t, s.Check())
	require.Zero(t, a.Freed()+b.Freed(), "the two others too")
	a.Free(e, i)
	require.NoError(t, s.Check())
	require.EqualValues(t, 1, a.Freed())
	require.Equal(t, i, a.Book(1, 1))
}

func TestCheckFindsWhatIsBrokenInLanes(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(a *Arena, j uint32)
		want   string
	}{
		"cancelled twice": {func(a *Arena, j uint32) { a.Cancel(j, 0); a.Cancel(j, 0) }, "is free twice"},
		"lost":            {func(a *Arena, j uint32) { a.At(j).State = Free }, "accounted for"},
		"free but live":   {func(a *Arena, j uint32) { a.At(j).State = Pending; a.Cancel(j, 0) }, "has state 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := spaceOf(t, 2, math.MaxUint64)
			a := s.Arena(0)
			_, here := alloc(t, a)
			a.At(here).State = Pending
			j := a.Book(1, here)
			c.damage(a, j)
			require.ErrorContains(t, s.Check(), c.want)
		})
	}
}

// TestKeptPayloadStaysUntilTheSlotIsFreed writes to payloads, in slots and in blocks,
// that were kept, and uses their slots again.
func TestKeptPayloadStaysUntilTheSlotIsFreed(t *testing.T) {
	for _, size := range []uintptr{0, 1, 8, 12, 24, 25, 256, 300, 5000} {
		s, err := NewKeepingSpace(1, min(size, 24), 64, nil)
		require.NoError(t, err)
		a := s.Arena(0)
		bytes := func(p unsafe.Pointer) []byte { return unsafe.Slice((*byte)(p), size) }
		fill := func(p unsafe.Pointer, b byte) {
			for i := range bytes(p) {
				bytes(p)[i] = b
			}
		}
		want := func(b byte) (all []byte) {
			for range size {
				all = append(all, b)
			}
			return all
		}
		var live []*Event
		var index []uint32
		for round := range byte(3) {
			for range 5 {
				e, i, err := a.Alloc()
				require.NoError(t, err)
				e.State = Pending
				if size > a.Inline() {
					require.NoError(t, a.AllocBlock(e, size))
				}
				live, index = append(live, e), append(index, i)
			}
			for k, e := range live {
				fill(Payload(e), round+1)
				require.Equal(t, want(round+1), append([]byte(nil), bytes(a.Sent(e))...))
				require.NoError(t, a.Keep(e, size))
				fill(Payload(e), 100+byte(k))
			}
			for k, e := range live {
				require.NoError(t, a.Keep(e, size)) // when it is handled again
				require.Equal(t, want(round+1), append([]byte(nil), bytes(a.Sent(e))...), "%d bytes", size)
				require.Equal(t, want(100+byte(k)), append([]byte(nil), bytes(Payload(e))...))
				a.Free(e, index[k])
			}
			live, index = live[:0], index[:0]
		}
		require.Zero(t, a.Live())
		require.NoError(t, s.Check())
		s.Release()
	}
}

// A key orders as its event does: time first, then priority, then tie-breaker.
func ExampleKeyOf() {
	early := Event{Time: 1, Prio: 1, Tie: 0.9}
	urgent := Event{Time: 2, Prio: 0.5, Tie: 0.9}
	late := Event{Time: 2, Prio: 1, Tie: 0.1}
	a, b, c := KeyOf(&early, 7), KeyOf(&urgent, 8), KeyOf(&late, 9)
	fmt.Println(a.Less(b), b.Less(c), b.Same(c), c.Time(), c.Index())
	// Output: true true false 2 9
}

// An event without delay has the tie-breakers of its cause and one more: it comes
// after its cause, and siblings are ordered by the last one.
func ExampleLineages_Compare() {
	arena, err := NewArena(8, 1<<10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arena.Release()
	cause, _ := arena.Lines.Extend(0, 0.4)
	first, _ := arena.Lines.Extend(cause, 0.2)
	second, _ := arena.Lines.Extend(cause, 0.8)
	fmt.Println(arena.Lines.Compare(cause, first) < 0, arena.Lines.Compare(first, second) < 0)
	fmt.Println(arena.Lines.Append(nil, second))
	// Output:
	// true true
	// [0.4 0.8]
}
