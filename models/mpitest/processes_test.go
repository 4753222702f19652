//go:build linux || (mpi && cgo && !purego)

// This file pins that processes (package proc) which travel and get messages are the same on ranks.

package mpitest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

func TestProcessesOnRanksAreThoseOfASequentialRun(t *testing.T) {
	one := run(t, 0, "gates", "--synch=1", "--digest")
	all := []shape{{3, 2, 2}, {2, 4, 1}, {3, 1, 2}, {3, 4, 1}, {2, 2, 2}}
	for _, s := range testlevel.Pick(all, all[:2], all[:1]) {
		t.Run(fmt.Sprintf("synch=%d/np=%d/pes=%d", s.synch, s.np, s.pes), func(t *testing.T) {
			t.Parallel() // starting takes longer than running
			got := run(t, s.np, "gates", fmt.Sprintf("--synch=%d", s.synch), fmt.Sprintf("--pes=%d", s.pes), "--digest")
			requireSameEvents(t, one, got)
			require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
			if s.np > 1 {
				require.NotZero(t, count(t, got, "Remote sends"), "ranks keep to themselves:\n%s", got)
			}
		})
	}
}
