//go:build mpi

// This file owns the tests of models on several ranks: those of ROSS, and the network.

package mpitest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

func TestModelsLeaveTheSameOnRanks(t *testing.T) {
	testlevel.Once(t, "handlers of models, which do on ranks what they do on PEs")
	for program, args := range map[string][]string{
		"airport":   {"--nplanes=2", "--mean=3", "--end=40"},
		"pcs":       {"--cells-x=5", "--cells-y=4", "--end=3000"},
		"traffic":   {"--cells-x=6", "--cells-y=4", "--vps-x=3", "--vps-y=2", "--end=20"},
		"torus":     {"--dims=3,2,4", "--arrive_rate=50", "--end=200"},
		"dragonfly": {"--routers=2", "--channels=2", "--terminals=2", "--arrive_rate=90", "--routing=1", "--end=250"},
		"raid":      {"--nfs=5", "--disk-distro=2", "--end=9000"},
		"network":   {"--shape=dragonfly:2,1,2", "--jobs=ring:4,uniform", "--routing=adaptive", "--heat", "--end=2000"},
		"qhold":     {"--lps=24", "--population=5", "--remote=0.3", "--end=1e11"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			args = append(args, "--digest")
			one := run(t, 0, program, args...)
			for _, layout := range [][2]int{{3, 1}, {3, 2}, {2, 1}} {
				got := run(t, 2, program, append([]string{fmt.Sprintf("--synch=%d", layout[0]), fmt.Sprintf("--pes=%d", layout[1])}, args...)...)
				requireSameEvents(t, one, got)
				require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
			}
		})
	}
}
