// Parallel runs commit what a sequential run commits, whatever the scheduler, the
// number of PEs and KPs, the mapping and the settings of the engine.

package ross

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
)

// spread maps all loads' LPs to n PEs, some more than others.
func onPEs(n int) func(*Config) {
	return func(c *Config) {
		c.PEs, c.NLP = n, loadLPs/uint64(n)
		if loadLPs%n != 0 {
			c.Mapping, c.TotalLPs = mapping.Custom, loadLPs
			c.Custom.PE = func(gid uint64) uint64 { return gid * uint64(n) / loadLPs }
		}
	}
}

func TestParallelRunsCommitWhatASequentialOneDoes(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, synch := range testlevel.Pick([]int{2, 3, 5}, []int{2, 3}, []int{2, 3}) {
			for _, pes := range testlevel.Pick([]int{1, 2, 3, 8}, []int{1, 2, 4}, []int{1, 3}) {
				if name == "tied" && synch == 2 && (pes > 3 || testlevel.Is(testlevel.Few)) {
					continue // without lookahead each step of a chain takes a GVT
				}
				t.Run(fmt.Sprintf("%s/synch=%d/pes=%d", name, synch, pes), func(t *testing.T) {
					modeltest.Watch(t)
					require.Equal(t, want, l().digest(t, func(c *Config) {
						onPEs(pes)(c)
						c.Synch = Scheduler(synch)
						c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
					}))
				})
			}
		}
	}
}
