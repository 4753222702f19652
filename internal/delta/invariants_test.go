// What the assertions of the build tag invariants catch, where the engine calls.

//go:build invariants

package delta_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/delta"
)

func TestApplyRefusesWrongDeltas(t *testing.T) {
	state := make([]byte, 512*448)
	for _, c := range wrong {
		said := panicOf(func() { delta.New(17).Apply(c.delta, at(state), c.size) })
		require.Contains(t, said, c.says, c.name)
	}
	require.Equal(t, make([]byte, len(state)), state, "it was applied nevertheless")
}

func TestEncodeRefusesATooShortBuffer(t *testing.T) {
	before, after := make([]byte, 64), make([]byte, 64)
	said := panicOf(func() { delta.New(17).Encode(make([]byte, 71), at(before), at(after), 64) })
	require.Contains(t, said, "a delta of 64 bytes into 71")
}
