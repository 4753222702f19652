// This file pins that checkpoints carry containers, whatever layout loads them.

package container_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// leg runs a part of a run of a shop and returns its digests.
func leg(t *testing.T, saving ross.Saving, from, to string, synch, pes int, end float64) [2]uint64 {
	t.Helper()
	modeltest.Watch(t)
	sh := newShop(t, shopLPs, random)
	sh.blind = true // the books are not stored
	sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
		c.Synch, c.PEs, c.End, c.NLP, c.NKP, c.ConsLookahead = ross.Scheduler(synch), pes, end, shopLPs/uint64(pes), 2, 0.01
	}}, sh.model(saving))
	return [2]uint64{*sim.Stats().Digest, *sim.Stats().StateDigest}
}

func TestCheckpointsCarryContainers(t *testing.T) {
	const half, end = 20, 40
	for _, saving := range testlevel.Pick(savings, savings[2:], savings[2:]) {
		t.Run(saving.String(), func(t *testing.T) {
			want := leg(t, saving, "", "", 1, 1, end)
			for i, run := range testlevel.Pick([][4]int{{1, 1, 1, 1}, {1, 1, 3, 4}, {3, 3, 2, 2}, {3, 2, 1, 1}, {6, 1, 3, 1}}, [][4]int{{3, 3, 3, 2}}, [][4]int{{3, 3, 3, 2}}) {
				cp := filepath.Join(t.TempDir(), fmt.Sprint(i))
				leg(t, saving, "", cp, run[0], run[1], half)
				require.Equal(t, want, leg(t, saving, cp, "", run[2], run[3], end), "--synch=%d --pes=%d, then --synch=%d --pes=%d", run[0], run[1], run[2], run[3])
			}
		})
	}
}
