// The commands by which ROSS tests its PHOLD, under mpirun as there.

//go:build mpi && cgo && !purego

package mpitest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

// TestROSSsOwnTestsRunOnRanks runs some of them to virtual time 12000, which is after the
// first sample at a virtual time. The test of phold has them all, on threads.
func TestROSSsOwnTestsRunOnRanks(t *testing.T) {
	testlevel.Once(t, "options, with digests as above")
	const until, sum = "--end=12000", "--digest"
	want := run(t, 0, "phold", "--synch=1", "--nlp=16", until, sum)
	for _, c := range modeltest.PHOLDCommands("") {
		switch c.Name {
		case "SCHED_Conservative", "SCHED_Realtime", "INST_OptLP", "INST_Model":
			t.Run(c.Name, func(t *testing.T) {
				got := run(t, c.Ranks, "phold", append(strings.Fields(c.Line), until, sum)...)
				for _, label := range []string{"Net Events Processed", "Committed Event Digest"} {
					require.Equal(t, figure(t, want, label), figure(t, got, label))
				}
			})
		}
	}
}
