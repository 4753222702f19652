// This file pins that diff names LPs by their labels, and by their ids alone if labels are missing or
// damaged.

package checkpoint

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLPsAreNamedByTheirLabels(t *testing.T) {
	stored := func(changed bool, label func(uint64) string) string {
		c := makeContent(6)
		c.label = label
		if changed {
			c.lps[3].Now, c.events[0].Recv = 9.75, 11.5
		}
		return c.saved(t, plain)
	}
	lines := func(a, b string) []string {
		all := differences(t, a, b)
		require.Len(t, all, 4)
		return all
	}
	desk := func(gid uint64) string { return fmt.Sprintf("desk (%d)", gid) }
	unnamed := lines(stored(false, nil), stored(true, nil))
	require.Contains(t, unnamed[0], "gid 3: ")
	require.Contains(t, unnamed[1], "for gid 0 at 10, ")
	require.Contains(t, unnamed[1], ", from gid 1 at ")

	a, b := stored(false, desk), stored(true, desk)
	named := lines(a, b)
	require.Contains(t, named[0], `gid 3 "desk (3)": last event at `)
	require.Contains(t, named[1], `for gid 0 "desk (0)" at 10, `)
	require.Contains(t, named[1], `, from gid 1 "desk (1)" at `)

	require.Equal(t, named, lines(stored(false, nil), b), "those of B serve if A has none")
	require.Contains(t, lines(stored(false, func(uint64) string { return "A" }), b)[0], `gid 3 "A": `)

	require.NoError(t, os.WriteFile(a+".rio-labels", []byte("id,label\n3,des"), 0o644))
	require.NoError(t, os.Remove(b+".rio-labels"))
	require.Equal(t, unnamed, lines(a, b), "damaged and missing labels are no trouble")
	require.Equal(t, 0, run("verify", a, b).Status)
}
