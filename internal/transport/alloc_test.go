// Keys cost no allocation. The engine's own assertions do allocate, and so does
// AddressSanitizer.

//go:build !invariants && !asan

package transport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testalloc"
	"github.com/ross-go/ross/internal/transport"
)

func TestKeysAllocateNothing(t *testing.T) {
	r := transport.NewRing(8, 2)
	keys := numbered(0, 5)
	require.Zero(t, testalloc.PerRun(100, func() {
		push(r, keys)
		for got := waiting(r); len(got) > 0; got = waiting(r) {
			r.Take(len(got))
		}
	}))
}
