// This file pins what becomes of a mistake in a future that never happens: nothing;
// and that a mistake which does happen is told once.

package ross

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

// future is a model in which PE 0 is certain to run ahead into what never happens:
// its LP 0 is a door that has to be open when somebody comes, at times 5 to 9. LP 1,
// on PE 1, opens it at time 2, but only when it has been tried too early.
type future struct {
	early atomic.Int32 // visits to a door that was shut
	alone bool         // nobody waits
	shut  bool         // nobody opens it
}

type door struct {
	Open   bool
	Visits uint64
}

func newFuture() *future { return &future{} }

const (
	visitDoor = iota
	openDoor
	goThere
)

func (f *future) types(saving Saving, visit func(lp *LP, open bool)) LPType {
	typ := Type[door, seed]{
		Name: "door", Saving: saving,
		Init: func(_ *door, lp *LP) {
			switch lp.ID() {
			case 0:
				for i := range 5 {
					Send(lp, 0, float64(5+i), seed{visitDoor})
				}
			case 1:
				Send(lp, 1, 1, seed{goThere})
			}
		},
		Event: func(s *door, lp *LP, _ *Bits, m *seed) {
			Save(lp, s)
			switch m.Kind {
			case goThere:
				for !f.alone && f.early.Load() == 0 {
					runtime.Gosched()
				}
				if !f.shut {
					Send(lp, 0, 1, seed{openDoor})
				}
			case openDoor:
				s.Open = true
			default:
				s.Visits++
				lp.Printf("visit at %g\n", lp.Now())
				Send(lp, 1, 0.5, seed{openDoor})
				if !s.Open {
					f.early.Add(1)
				}
				visit(lp, s.Open)
			}
		},
	}
	if saving == SaveByReverse {
		typ.Reverse = func(s *door, _ *LP, _ *Bits, m *seed) {
			switch m.Kind {
			case openDoor:
				s.Open = false
			case visitDoor:
				s.Visits--
			}
		}
	}
	return typ
}

// run runs the model on two PEs.
func (f *future) run(t testing.TB, saving Saving, set func(*Config), visit func(lp *LP, open bool)) (digest uint64, err error) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.Digest, cfg.MaxMemory = 1, 20, 3, 2, true, 64<<20
	cfg.Output = io.Discard
	set(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(f.types(saving, visit)))
	err = sim.Run(context.Background())
	if err == nil {
		requireNoLeak(t, sim)
		requireClean(t, sim)
		require.EqualValues(t, 5, StateOf[door](sim.LP(0)).Visits)
	}
	return *sim.Stats().Digest, err
}

func sequentially(c *Config) { c.Synch, c.PEs, c.NLP = 1, 1, 2 }

// mustBeOpen is the model's mistake.
func mustBeOpen(lp *LP, open bool) {
	if !open {
		lp.RNG().Unif()
		panic("it is shut")
	}
}

func TestPanicInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	for _, saving := range []Saving{SaveByLog, SaveByDelta} {
		want, err := (&future{alone: true}).run(t, saving, sequentially, mustBeOpen)
		require.NoError(t, err)
		for name, set := range map[string]func(*Config){
			"plain":          func(*Config) {},
			"batch of 1":     func(c *Config) { c.Batch = 1 },
			"GVT every time": func(c *Config) { c.GVTInterval, c.Batch, c.FixedGVT = 1, 1, true },
			"tiny rings":     func(c *Config) { c.knobs.RingSize = 1 },
			"real time":      func(c *Config) { c.Synch, c.GVTInterval = 5, 1 },
			"disturbed":      func(c *Config) { c.knobs.disturb = harass(t, 2, 0.05) },
		} {
			t.Run(saving.String()+"/"+name, func(t *testing.T) {
				modeltest.Watch(t)
				f := newFuture()
				got, err := f.run(t, saving, set, mustBeOpen)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Positive(t, f.early.Load(), "nothing was tried too early")
			})
		}
	}
}

func TestPanicThatHappensIsToldOnce(t *testing.T) {
	for _, saving := range []Saving{SaveByReverse, SaveByLog, SaveByDelta} {
		for _, synch := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprintf("%s/synch=%d", saving, synch), func(t *testing.T) {
				modeltest.Watch(t)
				var out strings.Builder
				_, err := (&future{alone: true, shut: true}).run(t, saving, func(c *Config) {
					if c.Synch, c.Output = Scheduler(synch), &out; synch == 1 {
						sequentially(c)
					}
				}, mustBeOpen)
				require.ErrorIs(t, err, ErrPanic)
				assert.True(t, strings.HasPrefix(err.Error(), "ross: LP 0 (door) at time 5: panic: it is shut: handler panicked: see the stack:\n"), "%v", err)
				assert.Equal(t, 1, strings.Count(err.Error(), "handler panicked"))
				assert.Contains(t, err.Error(), "mustBeOpen", "the stack")
				assert.NotContains(t, out.String(), "visit at 6", "the run went on")
			})
		}
	}
}

// Nobody knows what an event has left undone that Reverse would have to undo.
func TestPanicWhereReverseUndoesEndsTheRunAtOnce(t *testing.T) {
	modeltest.Watch(t)
	f := newFuture()
	_, err := f.run(t, SaveByReverse, func(*Config) {}, mustBeOpen)
	require.ErrorIs(t, err, ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time 5: panic: it is shut")
}

func TestFailInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	fail := func(lp *LP, open bool) {
		if !open {
			lp.Fail(assert.AnError)
		}
	}
	for _, saving := range []Saving{SaveByReverse, SaveByLog, SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			modeltest.Watch(t)
			want, err := (&future{alone: true}).run(t, saving, sequentially, fail)
			require.NoError(t, err)
			f := newFuture()
			got, err := f.run(t, saving, func(*Config) {}, fail)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Positive(t, f.early.Load())
		})
	}
}

func TestPanicInReverseEndsTheRun(t *testing.T) {
	modeltest.Watch(t)
	f := newFuture()
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.MaxMemory = 1, 20, 3, 2, 64<<20
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	typ := f.types(SaveByReverse, func(*LP, bool) {}).(Type[door, seed])
	typ.Reverse = func(*door, *LP, *Bits, *seed) { panic("no way back") }
	require.NoError(t, sim.Define(typ))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time ")
	require.ErrorContains(t, err, "panic: no way back")
	require.Equal(t, 1, strings.Count(err.Error(), "handler panicked"))
}

// TestNowAfterTheRunIsThatOfTheLastCommittedEvent has an LP whose last event is
// cancelled long after the one before it was committed.
func TestNowAfterTheRunIsThatOfTheLastCommittedEvent(t *testing.T) {
	want, _ := finalTimes(t, func(*Config) {})
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
		for _, synch := range testlevel.Pick([]int{2, 3, 5}, []int{2, 3, 5}, []int{3}) {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				modeltest.Watch(t)
				got, sim := finalTimes(t, func(c *Config) {
					c.Synch, c.PEs, c.NLP, c.GVTInterval = Scheduler(synch), pes, kitchenLPs/uint64(pes), 1
					c.ConsLookahead = 0
					if synch != 2 {
						c.knobs.disturb = harass(t, pes, 0.2)
					}
				})
				require.Equal(t, want, got)
				if synch != 2 {
					require.Positive(t, sim.Stats().EventsRolledBack)
				}
			})
		}
	}
}

// finalTimes runs the kitchen and returns the times of its LPs after the run.
func finalTimes(t *testing.T, set func(*Config)) (times []float64, sim *Simulation) {
	t.Helper()
	_, sim = cook(t, true, 8, set)
	for i := range LPID(kitchenLPs) {
		times = append(times, sim.LP(i).Now())
	}
	return times, sim
}
