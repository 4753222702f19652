// GVT allocates nothing. The engine's own assertions do, and so does
// AddressSanitizer.

//go:build !invariants && !asan

package gvt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
)

func TestARoundAllocatesNothing(t *testing.T) {
	ms := members(gvt.NewGroup(2, nil), 2)
	require.Zero(t, testing.AllocsPerRun(100, func() { round(ms) }))
}
