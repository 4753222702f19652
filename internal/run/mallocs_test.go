//go:build !invariants && !asan

// No allocations: by events while the run goes on, and by a log that nobody wants. The engine's own assertions do
// allocate, what their messages would say, and so does AddressSanitizer.

package run_test

import (
	"context"
	"io"
	"log/slog"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testalloc"
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
			"Send":         testalloc.PerRun(100, func() { ross.Send(lp, 0, 1, word{N: 1}) }),
			"past the end": testalloc.PerRun(100, func() { ross.Send(lp, 0, 1e9, word{N: 1}) }),
			"SendPriority": testalloc.PerRun(100, func() { ross.SendPriority(lp, 0, 1, 0.5, word{N: 1}) }),
			"NewEvent":     testalloc.PerRun(100, func() { ross.NewEvent[word](lp, 0, 1).N = 1 }),
			"no delay":     testalloc.PerRun(100, func() { ross.Send(lp, 0, 0, word{N: 1}) }),
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	for name, n := range perSend {
		require.Zero(t, n, name)
	}
	require.Len(t, perSend, 5)
}

// A log that nobody wants allocates nothing.

func TestLogThatNobodyWantsAllocatesNothing(t *testing.T) {
	for name, set := range map[string]func(*ross.Config){
		"no handler": func(*ross.Config) {},
		"level": func(c *ross.Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError})
		},
		"LP": func(c *ross.Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, nil)
			c.ModelLogOnly = func(id ross.LPID, _ string) bool { return id == 1 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
				cfg.NLP, cfg.End = 2, 1
				set(cfg)
			}, quiet(func(*ross.LP, string) {}))
			require.NoError(t, errs[0])
			lp := sims[0].LP(0)
			n := 0
			require.Zero(t, testalloc.PerRun(100, func() {
				n++
				lp.Log().Info("nobody hears", "n", 3)
				lp.Log().LogAttrs(context.Background(), slog.LevelInfo, "nor this", slog.Int("n", n+1000), slog.Float64("at", lp.Now()))
			}))
		})
	}
}
