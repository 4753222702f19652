// This file pins that --synch=4 undoes whole runs of a model in which all happens
// that an engine has to undo, and that it names what a wrong Reverse leaves.

package ross

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// debugKitchen runs the kitchen forward and back, with a change of its types.
func debugKitchen(t *testing.T, set func(*Config), change func([]LPType)) (*kitchen, *Simulation, error) {
	t.Helper()
	k := newKitchen(false)
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.Digest, cfg.RNGsPerLP, cfg.TypeMap = kitchenLPs, 6, 4, true, 3, k.typeOf
	cfg.Output, cfg.MaxMemory = io.Discard, 100<<20
	set(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	types := k.types()[:cookNever]
	change(types)
	require.NoError(t, sim.Define(types...))
	return k, sim, sim.Run(context.Background())
}

func TestDebugUndoesTheKitchen(t *testing.T) {
	started, before, err := debugKitchen(t, func(c *Config) { c.End = 1e-9 }, func([]LPType) {})
	require.NoError(t, err)
	for name, set := range map[string]func(*Config){
		"as it is": func(*Config) {},
		"1 KP":     func(c *Config) { c.NKP = 1 },
		"64 KPs":   func(c *Config) { c.NKP = 64 },
		"long":     func(c *Config) { c.End = kitchenEnd },
		"LZ4":      func(c *Config) { c.LZ4Knob = 1 },
		"hook": func(c *Config) {
			c.HookTrigger, c.GVTHook = HookWhenModelCalls(), func(*PE, bool) { t.Error("the hook ran") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
			k, sim, err := debugKitchen(t, set, func([]LPType) {})
			require.NoError(t, err)
			st := sim.Stats()
			require.Greater(t, st.EventsRolledBack, uint64(200))
			require.Zero(t, st.NetEvents())
			require.Zero(t, *st.Digest)
			require.Equal(t, make([][]uint64, kitchenLPs), k.commits)
			require.Equal(t, started.finals, k.finals, "states as after Init")
			require.Equal(t, liveBlocks(before), liveBlocks(sim))
			require.Equal(t, liveBlocks(sim), sim.r.Locals[0].Pool.Live(), "blocks")
			require.NoError(t, sim.r.Locals[0].Pool.Check())
			for i := range LPID(kitchenLPs) {
				require.Zero(t, sim.LP(i).Now())
			}
		})
	}
}

func TestDebugNamesTheFieldThatAReverseOfTheKitchenForgets(t *testing.T) {
	for field, forget := range map[string]func(s *reverseCook, before reverseCook){
		"reverseCook.Handled": func(s *reverseCook, was reverseCook) { s.Handled = was.Handled },
		"reverseCook.Sum":     func(s *reverseCook, was reverseCook) { s.Sum = was.Sum },
		"reverseCook.Sent":    func(s *reverseCook, was reverseCook) { s.Sent = was.Sent },
	} {
		t.Run(field, func(t *testing.T) {
			modeltest.Watch(t)
			_, _, err := debugKitchen(t, func(c *Config) { c.End = kitchenEnd }, func(types []LPType) {
				right := types[cookReverse].(Type[reverseCook, order8])
				wrong := right
				wrong.Reverse = func(s *reverseCook, lp *LP, bits *Bits, m *order8) {
					was := *s
					right.Reverse(s, lp, bits, m)
					if lp.ID() == 12 {
						forget(s, was)
					}
				}
				types[cookReverse] = wrong
			})
			require.ErrorIs(t, err, ErrReverse)
			require.Regexp(t, `^ross: LP 12 \(reverse\) at time 0: the rollback of all events \(\d+\) left (Suspended\(\) .*; )?`+field+` at \d+, it was 0 after Init`, err.Error())
		})
	}
}

func TestDebugRunsOnOnePE(t *testing.T) {
	for pes := 2; pes <= 4; pes++ {
		cfg := DefaultConfig()
		cfg.Synch, cfg.PEs = 4, pes
		_, err := New(cfg)
		require.ErrorIs(t, err, ErrUsage)
		require.ErrorContains(t, err, fmt.Sprintf("--pes=%d: --synch=4 runs on one PE; use --pes=1", pes))
	}
}
