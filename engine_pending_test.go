// This file pins how much memory an event takes while it is pending.

package ross_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// hold returns a model of n LPs whose number of events stays as it is. send
// sends the next event.
func hold[M any](events int, send func(lp *ross.LP, m *M)) ross.Type[none, M] {
	return ross.Type[none, M]{
		Name: "hold",
		Init: func(_ *none, lp *ross.LP) {
			var m M
			for range events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), m)
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *M) { send(lp, m) },
	}
}

// page is a message that does not fit into an event.
type page struct {
	Hop   int64
	Bytes [992]byte
}

var errEnough = errors.New("enough events")

// Beside its payload an event takes at most 160 bytes, all in all: slot, key,
// buckets, and what the pools hold in reserve.
func TestPendingEventTakesAtMost160BytesBesideItsPayload(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const lps, events = 1024, 1 << 20
	for _, pq := range []string{"", "go"} {
		t.Run("pq="+pq, func(t *testing.T) {
			left := 3_000_000 // some turns of the whole queue
			cfg := rosstest.Small()
			cfg.NLP, cfg.PQ, cfg.Digest = lps, pq, false
			cfg.MaxMemory = 1 << 30
			out := rosstest.Try(t, cfg, hold(events/lps, func(lp *ross.LP, m *word) {
				ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: m.N + 1})
				if left--; left == 0 {
					lp.Fail(errEnough)
				}
			}))
			require.ErrorIs(t, out.Err, errEnough)
			peak := out.PeakEvents()
			require.GreaterOrEqual(t, peak, uint64(events))
			require.LessOrEqual(t, float64(out.EngineBytes())/float64(peak), 160.0+8)
		})
	}
}

// The limit holds a fraction of what the run would take if it gave nothing back.
func TestMemoryOfHandledEventsIsUsedAgain(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.MaxMemory = 32, 2<<20
	out := rosstest.Run(t, cfg, hold(8, func(lp *ross.LP, m *page) {
		delay := lp.RNG().Exponential(1)
		if m.Hop%2 == 0 {
			delay = 0
		}
		ross.NewEvent[page](lp, rosstest.Anywhere(lp), delay).Hop = m.Hop + 1
	}))
	require.Greater(t, uint64(out.Net())*1000, 10*cfg.MaxMemory)
}
