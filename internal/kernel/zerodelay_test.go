// This file pins what an event without delay is, and where it comes in the order.

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// An event whose delay is lost in rounding comes after its cause: by its own tie-breaker, or, if that
// is less than its cause's, by the lineage of an event without delay. It is never lost.
func TestDelayThatIsLostInRoundingComesAfterItsCause(t *testing.T) {
	var signatures []ross.Signature
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1e6, word{})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			require.EqualValues(t, 1e6, lp.Now())
			require.EqualValues(t, len(signatures), m.N)
			signatures = append(signatures, lp.Signature())
			if m.N < 50 {
				ross.Send(lp, ross.LPID(m.N%4), 1e-300, word{N: m.N + 1})
			}
		},
	}
	cfg := rosstest.Small()
	cfg.End = 2e6
	rosstest.Run(t, cfg, typ)
	require.Len(t, signatures, 51)
	own := 0
	for i, s := range signatures[1:] {
		cause := signatures[i]
		require.Negative(t, cause.Compare(s), i)
		if len(s.Ties) == 1 {
			own++
			continue
		}
		require.Equal(t, cause.Ties, s.Ties[:len(s.Ties)-1], i)
		require.LessOrEqual(t, s.Ties[len(s.Ties)-1], cause.Ties[0], "its own tie-breaker would do")
	}
	require.Positive(t, own)
	require.Less(t, own, 20)
}

// Init and PreRun are no events: what they send at time 0 has no cause.
func TestEventAtTimeZeroFromInitHasOneTieBreaker(t *testing.T) {
	n := 0
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, 0, 0, word{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
			n++
			require.Len(t, lp.Signature().Ties, 1)
		},
	}
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, 4, n)
}

func TestChildWithoutDelayMayHaveTheSameOrAHigherPriorityValue(t *testing.T) {
	var got []int64
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.SendPriority(lp, 0, 1, 0.5, word{N: 0})
				ross.SendPriority(lp, 0, 1, 0.75, word{N: 2})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			got = append(got, m.N)
			if m.N == 0 {
				ross.SendPriority(lp, 1, 0, 1, word{N: 3})
				ross.SendPriority(lp, 2, 0, 0.5, word{N: 1})
			}
		},
	}
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, []int64{0, 1, 2, 3}, got)
}
