// This file pins that a run stops at its memory limit, whatever it fills the
// memory with, and says how to go on.

package ross_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

const memoryText = `^ross: LP \d \(\w+\) at time [0-9.e+-]+: sent an event, with \d+ pending(, in a chain of \d+ events without delay from LP \d at time [0-9.]+)?: ` +
	`memory limit reached: \d+ of \d+ bytes in use: raise --max-memory, or have fewer events pending$`

// requireMemoryLimit runs a model that never stops growing.
func requireMemoryLimit(t *testing.T, typ ross.LPType) {
	t.Helper()
	cfg := rosstest.Small()
	cfg.Digest = false
	cfg.MaxMemory = 4 << 20
	out := rosstest.Try(t, cfg, typ)
	require.ErrorIs(t, out.Err, ross.ErrMemory)
	require.Regexp(t, memoryText, out.Err.Error())
	st := out.Stats()
	assert.Contains(t, out.Report, "Net Events Processed")
	// The set of pending events is measured now and then and not refused, so
	// that the limit may be passed by what one look misses.
	assert.Less(t, st.MemoryAllocated, 2*cfg.MaxMemory)
}

func TestMemoryLimitStopsAModelThatExplodes(t *testing.T) {
	requireMemoryLimit(t, ross.Type[none, word]{
		Name: "breeder",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
			for range 3 {
				ross.Send(lp, lp.ID(), 0.01, word{})
			}
		},
	})
}

func TestMemoryLimitStopsAHandlerThatSendsForEver(t *testing.T) {
	sent := 0
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) {
		for range 1 << 17 {
			ross.Send(lp, 0, 1, word{N: 1})
			sent++
		}
	}))
	require.Equal(t, 1<<17, sent, "the handler goes on after the first error")
}

func TestMemoryLimitStopsAnEndlessChainWithoutDelay(t *testing.T) {
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, lp.ID(), 0, word{}) }))
}

func TestMemoryLimitStopsLargePayloads(t *testing.T) {
	type page struct{ Bytes [5000]byte }
	requireMemoryLimit(t, ross.Type[none, page]{
		Name: "pages",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, page{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *page) {
			for range 2 {
				ross.NewEvent[page](lp, lp.ID(), 0.5).Bytes[4999] = 1
			}
		},
	})
}

func TestMemoryLimitRefusesAPayloadThatNeverFits(t *testing.T) {
	type huge struct{ Bytes [8 << 20]byte }
	requireMemoryLimit(t, ross.Type[none, huge]{
		Name: "huge",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.NewEvent[huge](lp, 0, 1).Bytes[0] = 1
			}
		},
		Event: func(*none, *ross.LP, *ross.Bits, *huge) {},
	})
}

func TestMoreLPsOrKPsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP = 1 << 31
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nlp")

	cfg = rosstest.Small()
	cfg.NKP = 1 << 31
	err = defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nkp")
}

func TestMorePEsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP = 3, 1<<23, 1
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --pes")
}
