// Allocations of an encoder. Assertions and AddressSanitizer allocate on their
// own, so builds with them do not have this test.

//go:build !invariants && !asan

package delta_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/delta"
	"github.com/ross-go/ross/internal/testalloc"
)

func TestNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 9))
	e := delta.New(17)
	for _, c := range []struct {
		size, changed int
		wholly        bool
		form          delta.Kind
	}{ // LZ4 first: it makes its table, and room for the largest state
		{1 << 17, 1 << 14, false, delta.LZ4},
		{1 << 14, 1 << 11, false, delta.LZ4},
		{1 << 14, 1 << 11, true, delta.Raw},
		{1 << 14, 9, true, delta.ZeroRun},
		{461, 20, true, delta.ZeroRun},
		{64, 1, true, delta.ZeroRun},
		{64, 8, true, delta.Raw},
		{64, 0, true, delta.None},
		{3, 1, true, delta.Raw},
	} {
		before, after := event(r, c.size, c.changed, c.wholly)
		d := make([]byte, delta.MaxLen(c.size))
		var length int
		life := func() {
			length = e.Encode(d, at(before), at(after), uintptr(c.size))
			e.Apply(d[:length], at(after), uintptr(c.size))
			e.Apply(d[:length], at(after), uintptr(c.size)) // and on again
		}
		if c.size == 1<<17 {
			life()
		}
		require.Zero(t, testalloc.PerRun(10, life), "%d bytes", c.size)
		require.Equal(t, c.form, delta.Form(d[:length]), "%d bytes", c.size)
	}
}

// 48 KiB of LZ4 are not for LPs with small states.
func TestSmallStatesNeedNoLZ4(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 10))
	before, after := event(r, 4000, 500, true)
	d := make([]byte, delta.MaxLen(len(before)))
	require.LessOrEqual(t, testalloc.PerRun(10, func() {
		e := delta.New(17)
		e.Apply(d[:e.Encode(d, at(before), at(after), uintptr(len(before)))], at(after), uintptr(len(before)))
	}), 1.0)
}
