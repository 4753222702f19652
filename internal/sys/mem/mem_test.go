// This file pins regions, budgets, and what a ceiling means for the process.

package mem

import (
	"bytes"
	"errors"
	"math"
	"os"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Regions and budgets.

func newRegion(t *testing.T, bytes uint64, budget *Budget) *Region {
	t.Helper()
	r, err := Reserve(bytes, budget)
	require.NoError(t, err)
	t.Cleanup(r.Release)
	return r
}

func TestARegionGrowsInPlaceAndIsZeroed(t *testing.T) {
	budget := NewBudget(math.MaxUint64)
	r := newRegion(t, 64<<20, budget)
	base := r.Base()
	require.Zero(t, uintptr(base)%hugePage)
	require.Zero(t, r.Committed())
	require.Zero(t, budget.Used(), "a reservation alone costs nothing")
	seen, growths := uintptr(0), 0
	for need := uintptr(1); need <= 40<<20; need += 100 << 10 {
		before := r.Committed()
		require.NoError(t, r.Grow(need))
		require.GreaterOrEqual(t, r.Committed(), need)
		require.Equal(t, base, r.Base())
		require.EqualValues(t, r.Committed(), budget.Used())
		if r.Committed() > before {
			growths++
		}
		grown := r.slice(seen, need)
		require.Len(t, grown, bytes.Count(grown, []byte{0}), "what is new below %d", need)
		copy(grown, bytes.Repeat([]byte{0xAA}, len(grown)))
		seen = need
	}
	require.Less(t, growths, 40, "growth by fixed steps")
	require.EqualValues(t, seen, bytes.Count(r.slice(0, seen), []byte{0xAA}), "bytes have changed")
	require.LessOrEqual(t, float64(r.Committed()), 1.3*40*(1<<20))
}

func TestGrowingToWhatIsThereDoesNothing(t *testing.T) {
	r := newRegion(t, 1<<20, nil)
	require.NoError(t, r.Grow(10))
	have := r.Committed()
	require.EqualValues(t, minGrow, have)
	require.NoError(t, r.Grow(have))
	require.NoError(t, r.Grow(0))
	require.Equal(t, have, r.Committed())
}

// TestGrowByTakesTheStepOrWhatIsNeeded grows a region from the size before to
// the size after: steps are rounded up to 64 KiB, and to 2 MiB from 16 MiB on.
func TestGrowByTakesTheStepOrWhatIsNeeded(t *testing.T) {
	for _, c := range []struct{ before, need, step, after uintptr }{
		{0, 1, 0, minGrow},
		{0, 1, 3*minGrow - 1, 3 * minGrow},
		{0, minGrow + 1, 0, 2 * minGrow},
		{4 * minGrow, 4 * minGrow, 9 * minGrow, 4 * minGrow}, // it is there
		{4 * minGrow, 4*minGrow + 1, 1, 5 * minGrow},
		{4 * minGrow, 4*minGrow + 1, 2 * minGrow, 6 * minGrow},
		{4 * minGrow, 9 * minGrow, 2 * minGrow, 9 * minGrow},
		{16 << 20, 16<<20 + 1, 1, 18 << 20},
		{16 << 20, 16<<20 + 1, 0, 16<<20 + minGrow},
		{60 << 20, 60<<20 + 1, 8 << 20, 64 << 20}, // up to what is reserved
	} {
		r := newRegion(t, 64<<20, nil)
		require.NoError(t, r.GrowBy(c.before, 0))
		require.Equal(t, c.before, r.Committed())
		require.NoError(t, r.GrowBy(c.need, c.step))
		require.Equal(t, c.after, r.Committed(), "%+v", c)
	}
}

func TestAStepThatTheBudgetRefusesIsCut(t *testing.T) {
	r := newRegion(t, 64<<20, NewBudget(6*minGrow))
	require.NoError(t, r.GrowBy(4*minGrow, 0))
	require.NoError(t, r.GrowBy(4*minGrow+1, 4*minGrow))
	require.EqualValues(t, 5*minGrow, r.Committed())
	require.ErrorIs(t, r.GrowBy(7*minGrow, 0), ErrLimit)
	require.EqualValues(t, 5*minGrow, r.Committed())
}

func TestARegionEndsAtItsReservation(t *testing.T) {
	r := newRegion(t, 3<<20, nil)
	require.EqualValues(t, 4<<20, r.Reserved())
	require.NoError(t, r.Grow(4<<20))
	err := r.Grow(4<<20 + 1)
	require.ErrorIs(t, err, ErrLimit)
	var limit *LimitError
	require.True(t, errors.As(err, &limit))
	require.Equal(t, LimitError{Limit: 4 << 20, Used: 4 << 20}, *limit)
}

// TestTheLastStretchBeforeTheLimitIsUsed grows until the budget ends it: the
// step that no longer fits is cut to what is needed.
func TestTheLastStretchBeforeTheLimitIsUsed(t *testing.T) {
	const limit = 1<<20 + 3*minGrow
	budget := NewBudget(limit)
	r := newRegion(t, 1<<30, budget)
	var err error
	for need := uintptr(1); err == nil; need += minGrow {
		err = r.Grow(need)
	}
	require.ErrorIs(t, err, ErrLimit)
	require.EqualError(t, err, "memory limit reached: 1245184 of 1245184 bytes in use")
	require.EqualValues(t, limit, r.Committed())
	require.EqualValues(t, limit, budget.Used())
	r.Release()
	require.Zero(t, budget.Used())
	require.EqualValues(t, limit, budget.Peak())
	require.EqualValues(t, limit, budget.Limit())
}

func TestRegionsShareABudget(t *testing.T) {
	budget := NewBudget(3 * minGrow)
	a, b := newRegion(t, 1<<20, budget), newRegion(t, 1<<20, budget)
	require.NoError(t, a.Grow(2*minGrow))
	require.NoError(t, b.Grow(1))
	require.ErrorIs(t, b.Grow(minGrow+1), ErrLimit)
	a.Release()
	require.NoError(t, b.Grow(minGrow+1))
}

func TestReleaseTwiceGivesBackOnce(t *testing.T) {
	budget := NewBudget(1 << 20)
	r := newRegion(t, 1<<20, budget)
	require.NoError(t, r.Grow(1))
	r.Release()
	r.Release()
	require.Zero(t, budget.Used())
	require.Equal(t, Region{}, *r)
	(*Region)(nil).Release()
	new(Region).Release()
}

// TestMuchMoreThanTheMachineHasCanBeReserved reserves a terabyte and uses both
// ends of what it grows to.
func TestMuchMoreThanTheMachineHasCanBeReserved(t *testing.T) {
	r := newRegion(t, 1<<40, nil)
	require.NoError(t, r.Grow(1<<20))
	*(*byte)(unsafe.Add(r.Base(), 1<<20-1)) = 1
}

// TestAReservationThatIsRefusedIsCut asks for more than the address space of
// any machine.
func TestAReservationThatIsRefusedIsCut(t *testing.T) {
	r := newRegion(t, 1<<60, nil)
	require.Less(t, r.Reserved(), uintptr(1<<60))
	require.GreaterOrEqual(t, r.Reserved(), uintptr(minGrow))
	require.NoError(t, r.Grow(minGrow))
	require.True(t, r.Cut())
	require.True(t, IsCut(r.Grow(r.Reserved()+1)), "the limit is not that of the budget")
	require.False(t, newRegion(t, 1<<20, nil).Cut())
}

func TestARegionReservesItsPartOfTheAddressSpaceAtMost(t *testing.T) {
	budget := NewBudget(math.MaxUint64)
	budget.Parts = 1 << 16
	r := newRegion(t, 1<<60, budget)
	require.LessOrEqual(t, uint64(r.Reserved()), AddressSpace()>>16)
	require.GreaterOrEqual(t, uint64(r.Reserved()), min(AddressSpace()>>17, most>>4))
	small := newRegion(t, 5000, budget)
	require.Less(t, small.Reserved(), uintptr(minGrow), "no more than is needed is reserved for a small one")
	require.NoError(t, small.Grow(5000))
}

func TestABudgetCountsWhatGrowsByItself(t *testing.T) {
	others := uint64(60)
	b := NewBudget(100)
	b.Others = func() uint64 { return others }
	require.NoError(t, b.Charge(40))
	require.Error(t, b.Charge(1))
	others = 150
	require.EqualValues(t, 190, b.Used(), "what has happened is not refused")
	others = 10
	require.NoError(t, b.Charge(50))
	require.EqualValues(t, 100, b.Used())
	require.EqualValues(t, 100, b.Peak())
}

func TestTheMachineHasMemory(t *testing.T) {
	require.Greater(t, Available(), uint64(16<<20))
}

func TestRegionsGrowByThePiecesOfTheirBudget(t *testing.T) {
	page := uintptr(os.Getpagesize())
	budget := NewBudget(minGrow)
	budget.Piece = page - 1 // rounded up to whole pages
	a, b := newRegion(t, 1<<20, budget), newRegion(t, 1<<20, budget)
	require.NoError(t, a.Grow(1))
	require.Equal(t, page, a.Committed())
	require.NoError(t, b.Grow(1), "small pieces leave some for others")
	require.EqualValues(t, 2*page, budget.Used())
}

func TestAShareLeavesSomeToTheOthers(t *testing.T) {
	whole := NewBudget(100)
	a, b := whole.Share(), whole.Share()
	a.SetAside(30)
	require.NoError(t, a.Charge(70))
	require.EqualValues(t, 70, b.Used())
	require.ErrorIs(t, a.Charge(1), ErrLimit)
	require.ErrorIs(t, a.Charge(math.MaxUint64), ErrLimit)
	require.NoError(t, b.Charge(30), "it leaves nothing")
	require.EqualValues(t, 100, a.Peak())
	a.Give(70)
	require.EqualValues(t, 30, whole.Used())
	require.NoError(t, whole.Spares(70))
	require.ErrorIs(t, whole.Spares(71), ErrLimit)
	a.SetAside(0)
	require.NoError(t, a.Charge(70))
}

// The program itself within a ceiling, and the limit on Go's heap.

func TestTheProgramCountsTowardsACeilingThatIsNotSmall(t *testing.T) {
	small, large := NewBudget(leastWhole-1), NewBudget(leastWhole)
	for _, b := range []*Budget{small, large} {
		b.CountProgram(2)
		b.CountBuffers(1 << 20)
	}
	require.Zero(t, small.ProgramBytes())
	require.GreaterOrEqual(t, large.ProgramBytes(), uint64(goBase+2*stackBytes+1<<20))
	require.LessOrEqual(t, large.ProgramBytes(), uint64(leastWhole/ownPart+1<<20))
	free := large.Free()
	require.EqualValues(t, leastWhole-large.ProgramBytes(), free)
	require.Error(t, large.Charge(free+1))
	require.NoError(t, large.Share().Charge(free))
	require.ErrorContains(t, large.Charge(1), "by the program itself")
	large.Take(5)
	require.EqualValues(t, free+5, large.Used(), "what is taken is not refused")
	require.EqualValues(t, free+5, large.Peak())
}

func TestTheHeapOfGoIsLimitedWhileThereIsABudget(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	require.EqualValues(t, math.MaxInt64, limit())
	b := NewBudget(leastWhole)
	b.Attach()
	first := limit()
	require.Less(t, first, int64(math.MaxInt64))
	r, err := Reserve(leastWhole, b)
	require.NoError(t, err)
	require.NoError(t, r.Grow(leastWhole/2))
	require.LessOrEqual(t, limit(), first-leastWhole/4, "what regions take is not left to the heap")
	r.Release()
	b.Detach()
	b.Detach()
	(*Budget)(nil).Detach()
	require.EqualValues(t, math.MaxInt64, limit())
	debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(math.MaxInt64)
	b.Attach()
	defer b.Detach()
	require.EqualValues(t, 1<<40, limit(), "the program has set its own")
}
