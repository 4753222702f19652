// This file pins that events are named by the labels of their LPs.

package chrome

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	lpnames "github.com/ross-go/ross/internal/labels"
)

func TestEventsAreNamedByTheLabelsOfLPs(t *testing.T) {
	dir := typical().Write(t)
	unnamed := count(run(t, dir), "X", "LP 3")
	require.NotZero(t, unnamed)
	f, err := os.Create(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix))
	require.NoError(t, err)
	require.NoError(t, lpnames.Write(f, 4, func(id uint64) string {
		if id == 3 {
			return `router "3"`
		}
		return ""
	}))
	require.NoError(t, f.Close())
	events := run(t, dir)
	require.Equal(t, unnamed, count(events, "X", `LP 3 "router \"3\""`))
	require.Zero(t, count(events, "X", "LP 3"))
	require.NotZero(t, count(events, "X", "LP 2"))
}
