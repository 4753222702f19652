// This file pins that labels are there, and that nothing depends on them.

package rio

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLabelsStandBesideTheCheckpointAndNothingNeedsThem(t *testing.T) {
	c := named(1, "desk", small)
	name := c.saved(t, false)
	labels := func(wanted func(uint64) bool) map[uint64]string {
		ck, err := Open(name)
		require.NoError(t, err)
		defer ck.Close()
		return ck.Labels(wanted)
	}
	text, err := os.ReadFile(name + ".rio-labels")
	require.NoError(t, err)
	require.Equal(t, "id,label\n0,desk (0)\n1,desk (1)\n2,desk (2)\n3,desk (3)\n", string(text))
	require.Equal(t, map[uint64]string{2: "desk (2)"}, labels(func(gid uint64) bool { return gid == 2 }))

	require.NoError(t, os.WriteFile(name+".rio-labels", text[:len(text)-3], 0o644))
	requireSame(t, name, c)
	require.Empty(t, labels(nil))
	require.NoError(t, os.Remove(name+".rio-labels"))
	requireSame(t, name, c)
	require.Empty(t, labels(nil))
}
