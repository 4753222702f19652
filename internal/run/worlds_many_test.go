// What a rank takes when there are very many: whole engines, one for each rank, in one process.
//
//	ROSS_RANKS=4096 go test -v -run ManyEngines ./internal/run

package run_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/turns"
	"github.com/ross-go/ross/internal/world/worldtest"
)

const (
	manyLPs   = 4 // of each rank
	manyReach = 8 // an event goes to one of as many LPs

	manyMemory = 8 << 20 // bytes of each rank at most; it reserves address space for them

	restOfProcess = 256 << 10 // bytes by which the heap of the process may differ besides
)

// TestManyEnginesTakeTheSameMemoryEach has a model in which LPs send to their neighbours.
func TestManyEnginesTakeTheSameMemoryEach(t *testing.T) {
	worldsSeeClocks()
	few, many := largestWorld/4, testlevel.Times(largestWorld, largestWorld/2)
	if text, ok := os.LookupEnv("ROSS_RANKS"); ok {
		var err error
		many, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	least, _ := runMany(t, few)
	bytes, w := runMany(t, many)
	t.Logf("%d ranks: %d bytes of Go's heap each, and with %d: %d, %d turns", few, least, many, bytes, w.Turns())
	// A page of peers is 512 bytes, and 64 peers have one. The rest of the process, such as what
	// tests before this one left, weighs the more in the measure the fewer the ranks are.
	require.Less(t, bytes, least+least/50+uint64(many-few)/4+restOfProcess/uint64(few))
}

// runMany returns the bytes of Go's heap for each rank at the end of the run, when all ranks still have everything.
func runMany(t *testing.T, ranks int) (each uint64, w *turns.World) {
	t.Helper()
	before, during := liveHeap(), uint64(0)
	digests := map[uint64]int{}
	w = turns.Play(t, 1, func(tw *turns.World) {
		tw.Most = 1 << 40
		cluster := worldtest.New(ranks, 1, 0).WithTurns(tw)
		over := make(chan struct{})
		left := ranks
		for rank := range ranks {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = ross.Optimistic, manyLPs, 2, 10, true, manyMemory
			cfg = inWorld(cfg, cluster.Rank(rank), settings.Knobs{Turn: tw.Turn}, nil)
			tw.Go(settings.Main(rank), func() {
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				require.NoError(t, sim.Define(neighbours(uint64(ranks*manyLPs))))
				require.NoError(t, sim.Run(context.Background()))
				digests[*sim.Stats().Digest]++
				if left--; left == 0 {
					during = liveHeap()
					close(over)
				} else {
					<-over
					tw.Turn(settings.Main(rank), "over")
				}
				require.NoError(t, sim.Close())
			})
		}
	})
	require.Empty(t, w.Fault)
	require.Len(t, digests, 1)
	return (during - before) / uint64(ranks), w
}

func neighbours(lps uint64) ross.LPType {
	type state struct{ Events uint64 }
	send := func(lp *ross.LP, to uint64) { ross.Send(lp, ross.LPID(to%lps), 1+lp.RNG().Unif(), hop{}) }
	return ross.Type[state, hop]{
		Name: "neighbour", Saving: ross.SaveByDelta,
		Init: func(_ *state, lp *ross.LP) { send(lp, uint64(lp.ID())) },
		Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *hop) {
			ross.Save(lp, &s.Events)
			s.Events++
			send(lp, uint64(lp.ID())+uint64(lp.RNG().Integer(0, manyReach)))
		},
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
