// This file pins that events cost no allocation while the run goes on. The
// engine's own assertions do allocate, what their messages would say, and so does
// AddressSanitizer.

//go:build !invariants && !asan

package ross_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// holdModels are those that differ in what a send has to do.
var holdModels = map[string]func(events int) ross.LPType{
	"phold": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: m.N + 1})
		})
	},
	"in place": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.NewEvent[word](lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1)).N = m.N + 1
		})
	},
	"priorities": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.SendPriority(lp, rosstest.Anywhere(lp), float64(lp.RNG().Integer(1, 2)), lp.RNG().Unif(), word{N: m.N + 1})
		})
	},
	"zero delays": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			delay := 0.0
			if m.N%4 == 3 {
				delay = lp.RNG().Exponential(4)
			}
			ross.Send(lp, rosstest.Anywhere(lp), delay, word{N: m.N + 1})
		})
	},
	"large payloads": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *page) {
			ross.NewEvent[page](lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1)).Hop = m.Hop + 1
		})
	},
}

// mallocs returns how many allocations a run up to a time makes, and how many
// events it has.
func mallocs(t *testing.T, cfg ross.Config, typ ross.LPType) (n, events uint64) {
	t.Helper()
	sim, _ := rosstest.Define(t, cfg, typ)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, sim.Run(t.Context()))
	runtime.ReadMemStats(&after)
	st := sim.Stats()
	return after.Mallocs - before.Mallocs, st.NetEvents()
}

// A run of ten times the events makes the same allocations, but for a few while
// the queue's rungs find their sizes.
func TestEventsDoNotAllocate(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	for name, model := range holdModels {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small() // with the digest, which sees every event
			cfg.NLP, cfg.End = 32, 20
			few, fewEvents := mallocs(t, cfg, model(8))
			cfg.End = 200
			many, manyEvents := mallocs(t, cfg, model(8))
			require.Greater(t, manyEvents, 8*fewEvents)
			require.Less(t, int64(many)-int64(few), int64(300),
				"%d allocations for %d events, %d for %d", few, fewEvents, many, manyEvents)
		})
	}
}

// Handlers do not make what they get and send escape, either.
func TestSendDoesNotAllocate(t *testing.T) {
	var perSend map[string]float64
	typ := rosstest.Once(func(lp *ross.LP) {
		perSend = map[string]float64{
			"Send":         testing.AllocsPerRun(100, func() { ross.Send(lp, 0, 1, word{N: 1}) }),
			"past the end": testing.AllocsPerRun(100, func() { ross.Send(lp, 0, 1e9, word{N: 1}) }),
			"SendPriority": testing.AllocsPerRun(100, func() { ross.SendPriority(lp, 0, 1, 0.5, word{N: 1}) }),
			"NewEvent":     testing.AllocsPerRun(100, func() { ross.NewEvent[word](lp, 0, 1).N = 1 }),
			"no delay":     testing.AllocsPerRun(100, func() { ross.Send(lp, 0, 0, word{N: 1}) }),
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	for name, n := range perSend {
		require.Zero(t, n, name)
	}
	require.Len(t, perSend, 5)
}
