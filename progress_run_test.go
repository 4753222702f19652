// Progress lines of a run that goes on from a checkpoint.

package ross

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadedRunHasNoProgressLinesOfBefore(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "half")
	runLeg(t, leg{to: cp, configure: walkConfig(4, 50)}, walkers())
	for _, synch := range []int{1, 3} {
		var out strings.Builder
		runLeg(t, leg{from: cp, mode: LoadInit, configure: func(c *Config) {
			walkConfig(4, 100)(c)
			c.Synch, c.Output = Scheduler(synch), &out
		}}, walkers())
		require.LessOrEqual(t, strings.Count(out.String(), "% complete"), 50)
	}
}
