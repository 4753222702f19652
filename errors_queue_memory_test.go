// Events for which there is no memory: neither for the events, nor for their keys in the
// pending-event set.

package ross

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/pq"
)

// breedTooMany runs a model whose events become more and more until there is no room for
// them. event is called in each of them.
func breedTooMany(t *testing.T, synch, pes int, memory uint64, event func(*LP)) error {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.MaxMemory, cfg.NLP = Scheduler(synch), pes, memory, 1
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(Type[struct{}, loadMsg]{
		Name: "breeder", Saving: SaveByLog,
		Init: func(_ *struct{}, lp *LP) {
			if lp.ID() == 0 {
				Send(lp, 0, 1, loadMsg{})
			}
		},
		Event: func(_ *struct{}, lp *LP, _ *Bits, _ *loadMsg) {
			event(lp)
			for range 10 {
				Send(lp, 0, 1, loadMsg{})
			}
		},
	}))
	return sim.Run(context.Background())
}

func requireBredTooMany(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "ross: LP 0 (breeder) at time ")
	require.ErrorContains(t, err, "raise the limit of the address space (ulimit -v), or have fewer events pending")
}

// refusesKeys skips a test where keys are in Go's heap, whose end no program survives.
func refusesKeys(t *testing.T) {
	t.Helper()
	if !slices.Contains(pq.Impls(), "c") {
		t.Skip("the Go twin of the queue has its keys in Go's heap")
	}
}

// refuseKeys leaves the pending-event set of a PE as it is when the system has refused memory
// for keys.
func refuseKeys(pe *PE) {
	window := reflect.ValueOf(pe.r.Queue).Elem().FieldByName("w")
	failed, ok := window.Type().Elem().FieldByName("failed")
	if !ok {
		panic("the window of a queue has no field failed")
	}
	*(*uint32)(unsafe.Add(window.UnsafePointer(), failed.Offset)) = 1
}

func TestErrorsOfTheQueueNameTheLP(t *testing.T) {
	refusesKeys(t)
	for synch := 1; synch <= 6; synch++ {
		for pes := 1; pes <= 3; pes += 2 {
			if pes > 1 && synch != 2 && synch != 3 && synch != 5 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				n := 0
				requireBredTooMany(t, breedTooMany(t, synch, pes, 256<<20, func(lp *LP) {
					if n++; n == 1000 {
						refuseKeys(lp.PE())
					}
				}))
			})
		}
	}
}
