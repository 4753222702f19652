// This file pins how many slots are there before a run needs them.

package event

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/mem"
)

func TestPreparedSlotsAreUsedWithoutMoreMemory(t *testing.T) {
	a := newArena(t, 8, nil)
	for range 100 {
		alloc(t, a)
	}
	require.EqualValues(t, 4900, a.Prepare(5000), "100 are used")
	bytes := a.Bytes()
	for i := range uint32(4900) {
		e, at := alloc(t, a)
		require.Equal(t, 101+i, at)
		require.EqualValues(t, Pending, e.State)
	}
	require.Equal(t, bytes, a.Bytes())
	require.NoError(t, a.Check())
}

func TestNoSlotsArePreparedThatAreThereOrThatNobodyAsksFor(t *testing.T) {
	a := newArena(t, 8, nil)
	bytes := a.Bytes()
	require.Zero(t, a.Prepare(0))
	for range 100 {
		alloc(t, a)
	}
	require.Zero(t, a.Prepare(100))
	require.Less(t, a.Bytes()-bytes, uint64(200*a.Stride())+1<<16)
	require.EqualValues(t, mostPrepared, a.Prepare(1<<31), "a long run can take the others")
}

func TestPreparedSlotsTakeAShareOfTheFreeMemoryOfAllPEs(t *testing.T) {
	budget := mem.NewBudget(8 << 20)
	s, err := NewSpace(4, 8, 0, budget)
	require.NoError(t, err)
	defer s.Release()
	free := budget.Free()
	for i := range 4 {
		n := s.Arena(i).Prepare(1 << 20)
		require.NotZero(t, n)
		require.LessOrEqual(t, n*uint64(s.Arena(i).Stride()), free/preparedShare/4)
	}
	require.NoError(t, budget.Charge(budget.Free()))
	require.Zero(t, s.Arena(0).Prepare(1<<20), "no memory is no error")
	require.NoError(t, s.Check())
}
