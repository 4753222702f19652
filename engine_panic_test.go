// This file pins what becomes of a run in which the engine itself panics: it ends, on all
// PEs and ranks, with an error that says whose fault it was.

package ross

import (
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/transport"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// engineFaults break a PE in the middle of its run, so that a part of its loop panics, and
// does so again whenever it runs.
var engineFaults = map[string]func(pe *PE){
	"loop": func(*PE) { panic("broken") },
	"drain": func(pe *PE) { // a record that is shorter than an event, and stays in the channel
		r := transport.NewRing(1, 1)
		r.Push(1)
		pe.ch.in[pe.id-pe.sim.base].Store(r)
	},
	"flush":         func(pe *PE) { pe.ch.dirty = append(pe.ch.dirty, 1<<20) },
	"begin of GVT":  func(pe *PE) { pe.member = nil },
	"end of GVT":    func(pe *PE) { pe.live = nil },
	"fossilCollect": func(pe *PE) { pe.kps = []KP{{pe: pe, hist: history{tail: 1, head: 2}}} },
	"probe":         func(pe *PE) { pe.probe = &probe{points: []float64{1}} },
}

func TestAPanicOfTheEngineEndsTheRunOnAllPEs(t *testing.T) {
	for name, fault := range engineFaults {
		t.Run(name, func(t *testing.T) {
			watch(t)
			requireEngineFails(t, 1, fault, nil)
		})
	}
}

func TestAPanicOfTheEngineEndsTheRunOnAllRanks(t *testing.T) {
	for _, name := range []string{"loop", "drain", "end of GVT"} {
		t.Run(name, func(t *testing.T) {
			watch(t)
			requireEngineFails(t, 2, engineFaults[name], nil)
		})
	}
}

// A model that panics every time it is called must not keep the engine from telling that
// it has failed itself.
func TestAPanicOfTheEngineAfterOneOfTheModelEndsTheRun(t *testing.T) {
	watch(t)
	requireEngineFails(t, 1, engineFaults["drain"], func(lp *LP, _ uint64, _ *parcel) {
		if lp.ID() == loadLPs-1 {
			panic("the model's")
		}
	})
}

// requireEngineFails runs a load on 4 PEs of each rank, of which one gets broken.
func requireEngineFails(t *testing.T, ranks int, fault func(pe *PE), change func(*LP, uint64, *parcel)) {
	t.Helper()
	l := spreadLoad()
	l.change = change
	var once sync.Once
	sims, errs := l.runRanks(t, worldtest.New(ranks, rand.Uint64(), 10), ranks, func(c *Config) {
		c.Synch, c.PEs, c.GVTInterval, c.FixedGVT, c.Output, c.End = 3, 4, 1, true, io.Discard, 1e6
		c.disturb = func(pe *PE) {
			if pe.id == 1 && pe.counts.GVTs > 3 {
				once.Do(func() { fault(pe) })
			}
		}
	})
	if change == nil {
		require.ErrorIs(t, errs[0], ErrEngine)
		require.ErrorContains(t, errs[0], "ross: PE 1: panic of the engine at time ")
	}
	for rank, err := range errs {
		require.Error(t, err)
		require.NotNil(t, sims[rank])
	}
}
