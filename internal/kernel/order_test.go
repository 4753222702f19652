// This file pins what a signature has of its event: time, priority, tie-breaker.

package kernel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rng"
)

func TestSignatureIsThatOfTheEventBeingHandled(t *testing.T) {
	typ := rosstest.Once(func(lp *ross.LP) {
		s := lp.Signature()
		require.Equal(t, 1.5, s.Time)
		require.EqualValues(t, ross.DefaultPriority, s.Priority)
		g := rosstest.Core(rng.DefaultCoreSeeds, 1, 4, 1)
		require.Equal(t, []float64{g.Unif()}, s.Ties)
	})
	zero := func(_ *none, lp *ross.LP) { require.Zero(t, lp.Signature()) }
	typ.PreRun, typ.Final = zero, zero
	typ.Commit = func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) { require.Equal(t, 1.5, lp.Signature().Time) }
	require.Equal(t, 1, rosstest.Run(t, rosstest.Small(), typ).Net())
}

func TestPrioritiesAtTheEdgesAreTaken(t *testing.T) {
	var got []int64
	typ := rosstest.Once(func(lp *ross.LP) {
		for i, p := range []float64{1, math.Nextafter(1, 0), 0.5, math.SmallestNonzeroFloat64, 0} {
			ross.SendPriority(lp, 0, 1, p, word{N: int64(5 - i)})
		}
	})
	inner := typ.Event
	typ.Event = func(s *none, lp *ross.LP, b *ross.Bits, m *word) {
		got = append(got, m.N)
		inner(s, lp, b, m)
	}
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, []int64{0, 1, 2, 3, 4, 5}, got)
}
