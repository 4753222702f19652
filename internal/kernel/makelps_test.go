// This file pins the making of LPs: how many they are, and how many goroutines fill them in, changes
// nothing about them.

package kernel_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rng"
)

func TestManyLPsAreMadeAsFewAre(t *testing.T) {
	const lps = 150_001
	type own struct{ _ uint64 }
	first := ross.Type[own, word]{Name: "first", Event: func(*own, *ross.LP, *ross.Bits, *word) {}}
	second := first
	second.Name = "second"
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		for _, types := range []int{1, 2} {
			t.Run(fmt.Sprintf("%v, %d types", kind, types), func(t *testing.T) {
				cfg := rosstest.Small()
				cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.NLP, cfg.NKP, cfg.Mapping, cfg.RNGsPerLP = 3, 2, lps, 0, 7, kind, 2
				if types > 1 {
					cfg.TypeMap = func(id ross.LPID) int { return int(id) % 3 / 2 }
				}
				sim, _ := rosstest.Define(t, cfg, []ross.LPType{first, second}[:types]...)
				streams := rng.NewSeeder(rng.DefaultSeeds)
				layout, err := mapping.NewEven(kind, 2, lps, 7)
				require.NoError(t, err)
				var inKP [2][7]uint64
				states := map[*own]bool{}
				for gid := range uint64(lps) {
					lp := sim.LP(ross.LPID(gid))
					pe, local := layout.Locate(gid)
					kp := layout.KP(pe, local)
					inKP[pe][kp]++
					same := lp.ID() == ross.LPID(gid) && lp.PE() == sim.PE(ross.PEID(pe)) && lp.Local() == int(local) && lp.KP() == lp.PE().KP(int(kp)) &&
						*lp.Stream(0) == streams.Stream(2*gid) && *lp.Stream(1) == streams.Stream(2*gid+1) && lp.Stream(2) == nil
					require.True(t, same, "LP %d", gid)
					require.Equal(t, types > 1 && gid%3 == 2, lp.TypeName() == "second", "LP %d", gid)
					states[ross.StateOf[own](lp)] = true
				}
				for pe := range inKP {
					for kp, n := range inKP[pe] {
						require.Equal(t, n, sim.PE(ross.PEID(pe)).KP(kp).NumLPs())
					}
				}
				require.Len(t, states, lps, "each LP has a state of its own")
			})
		}
	}
}

// A run of 10 million LPs takes 10 MB more for each byte.
func TestAnLPTakesTwoCacheLines(t *testing.T) {
	require.EqualValues(t, 128, kernel.LPSize)
	require.EqualValues(t, 168, unsafe.Sizeof(kernel.KP{}))
}
