// This file pins that containers do what slices and maps do, in every scheduler, however often
// events are rolled back, and in all ways of undoing.

package container_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// shopLPs is a multiple of 1, 2, 3 and 4.
const shopLPs = 12

// savings are the ways of undoing events.
var savings = []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta}

// trade runs a shop and returns its digests.
func trade(t *testing.T, saving ross.Saving, end float64, configure func(*ross.Config)) (digests [2]uint64, undone uint64) {
	t.Helper()
	modeltest.Watch(t)
	sh := newShop(t, shopLPs, random)
	cfg := rosstest.Small()
	cfg.End, cfg.NKP, cfg.MaxMemory, cfg.ConsLookahead = end, 1, 256<<20, 0.01
	configure(&cfg)
	cfg.NLP = shopLPs / uint64(max(cfg.PEs, 1))
	out := rosstest.Run(t, cfg, sh.model(saving))
	require.Zero(t, sh.wrong.Load(), "results differ from those of the books")
	st := out.Stats()
	return [2]uint64{*st.Digest, *st.StateDigest}, st.EventsRolledBack
}

func TestContainersAreWhatSlicesAndMapsAre(t *testing.T) {
	for _, saving := range savings {
		t.Run(saving.String(), func(t *testing.T) {
			want, _ := trade(t, saving, 60, func(*ross.Config) {})
			undone := uint64(0)
			trades := func(run [3]int) {
				got, n := trade(t, saving, 60, func(c *ross.Config) {
					c.Synch, c.PEs, c.NKP, c.Batch, c.GVTInterval = ross.Scheduler(run[0]), run[1], uint64(run[2]), 4, 64
					c.Balance = "off" // one PE alone rolls nothing back
				})
				require.Equal(t, want, got, "--synch=%d --pes=%d --nkp=%d", run[0], run[1], run[2])
				undone += n
			}
			for _, run := range testlevel.Pick([][3]int{{2, 2, 1}, {3, 1, 2}, {3, 2, 1}, {3, 2, 6}, {3, 3, 2}, {3, 4, 1}, {3, 4, 3}},
				[][3]int{{3, 2, 2}, {3, 4, 1}}, [][3]int{{3, 4, 1}}) {
				trades(run)
			}
			modeltest.Until(t, "something was rolled back", func() bool {
				if undone == 0 {
					trades([3]int{3, 4, 1})
				}
				return undone > 0
			})
		})
	}
}

func TestContainersPassTheChecksOfRollback(t *testing.T) {
	for _, saving := range savings {
		for synch, end := range map[int]float64{4: 30, 6: 8} {
			t.Run(fmt.Sprintf("%s/synch=%d", saving, synch), func(t *testing.T) {
				set := func(c *ross.Config) { c.NKP = 3 }
				want, _ := trade(t, saving, end, set)
				got, _ := trade(t, saving, end, func(c *ross.Config) {
					set(c)
					c.Synch = ross.Scheduler(synch)
				})
				if synch == 6 { // at the end of the other, nothing has happened
					require.Equal(t, want, got)
				}
			})
		}
	}
}
