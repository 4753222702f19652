// The program itself within a ceiling, and the limit on Go's heap.

package mem

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

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
