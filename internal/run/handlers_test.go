// This file tests what is measured of events by the types of their messages.

package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

type (
	ping  struct{ N uint64 }
	pong  struct{ N uint64 }
	never struct{ N uint64 }
)

// One in some events is timed, whatever its message is: the shares of the types of messages are those of the events.
func TestEventsAreTimedByTheirMessages(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		t.Run(synch.String(), func(t *testing.T) {
			testkit.Watch(t)
			cfg := rosstest.Small()
			cfg.Synch, cfg.NLP, cfg.End, cfg.ConsLookahead = synch, 256, 1000, 0.5
			if synch != ross.Sequential {
				cfg.PEs = 2
			}
			typ := ross.Type[rosstest.Word]{Name: "court",
				Init: func(_ *rosstest.Word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1+lp.RNG().Unif(), ping{}) },
				Event: ross.Events(
					ross.On(func(_ *rosstest.Word, lp *ross.LP, m *ping) { // three pings are followed by a pong
						if m.N%4 == 3 {
							ross.Send(lp, lp.ID(), 1, pong(*m))
						} else {
							ross.Send(lp, lp.ID(), 1, ping{m.N + 1})
						}
					}),
					ross.On(func(_ *rosstest.Word, lp *ross.LP, m *pong) { ross.Send(lp, lp.ID(), 1, ping{m.N + 1}) }),
					ross.On(func(*rosstest.Word, *ross.LP, *never) {}),
				)}
			out := rosstest.Run(t, cfg, typ)
			handlers := out.RunInfo().Result.Handlers
			timed, seconds := map[string]uint64{}, map[string]float64{}
			for _, h := range handlers {
				require.Equal(t, "court", h.Type)
				require.Positive(t, h.Timed, "the others are left out")
				timed[h.Message], seconds[h.Message] = h.Timed, h.Seconds
			}
			require.Len(t, handlers, 2)
			const pings, pongs = "run_test.ping", "run_test.pong"
			all := timed[pings] + timed[pongs]
			require.Greater(t, all, uint64(30), "of %d events", out.Summary().EventsProcessed)
			require.Less(t, all, out.Summary().EventsProcessed)
			require.Positive(t, seconds[pings])
			if all > 200 { // the standard deviation is less than 3 %
				require.InDelta(t, 0.2, float64(timed[pongs])/float64(all), 0.15, "a pong for four pings")
			}
		})
	}
}
