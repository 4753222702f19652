// This file pins what becomes of a run in which the engine itself panics: it ends, on all
// PEs and ranks, with an error that says whose fault it was.

package ross

import (
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/collect"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/transport"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// engineFaults break a PE in the middle of its run, so that a part of its loop panics, and
// does so again whenever it runs.
var engineFaults = map[string]func(pe *run.PE){
	"loop": func(*run.PE) { panic("broken") },
	"drain": func(pe *run.PE) { // a record that is shorter than an event, and stays in the channel
		r := transport.NewRing(1, 1)
		r.Push(1)
		pe.Channels.In[pe.ID-pe.Simulation.Base].Store(r)
	},
	"flush":         func(pe *run.PE) { pe.Channels.Dirty = append(pe.Channels.Dirty, 1<<20) },
	"begin of GVT":  func(pe *run.PE) { pe.Member = nil },
	"end of GVT":    func(pe *run.PE) { pe.Live = nil },
	"fossilCollect": func(pe *run.PE) { pe.Mine = []*kernel.KP{{PE: pe.Kernel(), History: kernel.History{Tail: 1, Head: 2}}} },
	"probe":         func(pe *run.PE) { pe.Probe = &collect.Probe{Points: []float64{1}} },
}

func TestAPanicOfTheEngineEndsTheRunOnAllPEs(t *testing.T) {
	for name, fault := range engineFaults {
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
			requireEngineFails(t, 1, fault, nil)
		})
	}
}

func TestAPanicOfTheEngineEndsTheRunOnAllRanks(t *testing.T) {
	for _, name := range []string{"loop", "drain", "end of GVT"} {
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
			requireEngineFails(t, 2, engineFaults[name], nil)
		})
	}
}

// A model that panics every time it is called must not keep the engine from telling that
// it has failed itself.
func TestAPanicOfTheEngineAfterOneOfTheModelEndsTheRun(t *testing.T) {
	modeltest.Watch(t)
	requireEngineFails(t, 1, engineFaults["drain"], func(lp *LP, _ uint64, _ *parcel) {
		if lp.ID() == loadLPs-1 {
			panic("the model's")
		}
	})
}

// requireEngineFails runs a load on 4 PEs of each rank, of which one gets broken.
func requireEngineFails(t *testing.T, ranks int, fault func(pe *run.PE), change func(*LP, uint64, *parcel)) {
	t.Helper()
	l := spreadLoad()
	l.change = change
	var once sync.Once
	sims, errs := l.runRanks(t, worldtest.New(ranks, testrand.Seed(t), 10), ranks, func(c *Config) {
		c.Synch, c.PEs, c.GVTInterval, c.FixedGVT, c.Output, c.End = 3, 4, 1, true, io.Discard, 1e6
		c.knobs.disturb = func(pe *run.PE) {
			if pe.ID == 1 && pe.Counts.GVTs > 3 {
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
