// This file pins where the seed comes from.

package testrand

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// noted is a test that keeps what is logged, and whether it failed.
type noted struct {
	testing.TB
	text   string
	failed bool
}

func (n *noted) Helper()                         {}
func (n *noted) Logf(format string, args ...any) { n.text += fmt.Sprintf(format, args...) }
func (n *noted) Fatalf(format string, args ...any) {
	n.failed = true
	n.Logf(format, args...)
}

func TestTheSeedIsToldAndCanBeGiven(t *testing.T) {
	first := &noted{TB: t}
	seed := Seed(first)
	require.Equal(t, fmt.Sprintf("ROSS_SEED=%d", seed), first.text)
	t.Setenv(Variable, fmt.Sprint(seed))
	require.Equal(t, seed, Seed(t))
	require.Equal(t, Of(seed, 0).Uint64(), New(t).Uint64())
	t.Setenv(Variable, "0x10")
	require.EqualValues(t, 16, Seed(t))
	t.Setenv(Variable, "sixteen")
	wrong := &noted{TB: t}
	Seed(wrong)
	require.True(t, wrong.failed)
	require.Contains(t, wrong.text, "give a whole number")
}

func TestSequencesOfASeedDiffer(t *testing.T) {
	all := Several(7, 3)
	require.NotEqual(t, all[0].Uint64(), all[1].Uint64())
	require.Equal(t, Of(7, 2).Uint64(), all[2].Uint64())
}
