// Progress lines of a run that goes on from a checkpoint.

package run_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

func TestLoadedRunHasNoProgressLinesOfBefore(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "half")
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 50)}, rosstest.Walkers())
	for _, synch := range []int{1, 3} {
		var out strings.Builder
		rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			rosstest.Walk(4, 100)(c)
			c.Synch, c.Output = ross.Scheduler(synch), &out
		}}, rosstest.Walkers())
		require.LessOrEqual(t, strings.Count(out.String(), "% complete"), 50)
	}
}
