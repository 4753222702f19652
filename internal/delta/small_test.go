// This file pins deltas of small states, and copies and comparisons of short messages.

package delta_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/delta"
)

func TestSmallStatesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 11))
	e := delta.New(17)
	for n := range 200 {
		require.Equal(t, n > 0 && n <= 64 && n%8 == 0, delta.IsSmall(uintptr(n)), "%d bytes", n)
		if !delta.IsSmall(uintptr(n)) {
			continue
		}
		for changed := range n/8 + 1 {
			before, after := event(r, n, changed, changed%2 == 0)
			was, is, d := newGuarded(r, before), newGuarded(r, after), newGuarded(r, make([]byte, delta.MaxLen(n)))
			delta.Begin(at(d.bytes), at(was.bytes), uintptr(n))
			delta.End(at(d.bytes), at(is.bytes), uintptr(n))
			require.True(t, was.same() && is.same() && d.intact(), "%d bytes", n)
			require.Equal(t, delta.Raw, delta.Form(d.bytes))
			e.Check(d.bytes, uintptr(n))
			e.Apply(d.bytes, at(is.bytes), uintptr(n))
			require.Equal(t, before, is.bytes, "%d bytes, %d words changed, seed %d", n, changed, seed)
		}
	}
}

// If a handler does not return, the state is restored by a delta made at that moment, whatever
// the handler has done until then.
func TestDeltaOfAStateThatDidNotChangeChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 12))
	state, _ := event(r, 64, 0, true)
	was, d := bytes.Clone(state), make([]byte, 72)
	delta.Begin(at(d), at(state), 64)
	delta.End(at(d), at(state), 64)
	delta.New(17).Apply(d, at(state), 64)
	require.Equal(t, was, state)
}

func TestCopyAndSameOfAnySize(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 13))
	for n := range 140 {
		bytes := make([]byte, n)
		fill(r, bytes)
		g := newGuarded(r, make([]byte, n))
		from, to := newGuarded(r, bytes).bytes, g.bytes
		delta.Copy(at(to), at(from), uintptr(n))
		require.True(t, g.intact(), "%d bytes", n)
		require.Equal(t, from, to)
		require.True(t, delta.Same(at(to), at(from), uintptr(n)))
		for i := range n {
			to[i] ^= 1 << r.IntN(8)
			require.False(t, delta.Same(at(to), at(from), uintptr(n)), "byte %d of %d", i, n)
			to[i] = from[i]
		}
	}
}
