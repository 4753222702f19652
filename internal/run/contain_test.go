// What becomes of a mistake in a future that never happens: nothing. A mistake that does happen is reported once.

package run_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testkit"
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

func (f *future) types(saving ross.Saving, visit func(lp *ross.LP, open bool)) ross.LPType {
	typ := ross.Type[door]{
		Name: "door", Saving: saving,
		Init: func(_ *door, lp *ross.LP) {
			switch lp.ID() {
			case 0:
				for i := range 5 {
					ross.Send(lp, 0, float64(5+i), seed{visitDoor})
				}
			case 1:
				ross.Send(lp, 1, 1, seed{goThere})
			}
		},
		Event: ross.On(func(s *door, lp *ross.LP, m *seed) {
			ross.Save(lp, s)
			switch m.Kind {
			case goThere:
				for !f.alone && f.early.Load() == 0 {
					runtime.Gosched()
				}
				if !f.shut {
					ross.Send(lp, 0, 1, seed{openDoor})
				}
			case openDoor:
				s.Open = true
			default:
				s.Visits++
				lp.Printf("visit at %g\n", lp.Now())
				ross.Send(lp, 1, 0.5, seed{openDoor})
				if !s.Open {
					f.early.Add(1)
				}
				visit(lp, s.Open)
			}
		}),
	}
	if saving == ross.SaveByReverse {
		typ.Event = typ.Event.(ross.EventHandler[door, seed]).Reverse(func(s *door, _ *ross.LP, m *seed) {
			switch m.Kind {
			case openDoor:
				s.Open = false
			case visitDoor:
				s.Visits--
			}
		})
	}
	return typ
}

// run runs the model on two PEs.
func (f *future) run(t testing.TB, saving ross.Saving, set func(*ross.Config), visit func(lp *ross.LP, open bool)) (digest uint64, err error) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.Digest, cfg.MaxMemory = 1, 20, 3, 2, true, 64<<20
	cfg.Output = io.Discard
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(f.types(saving, visit)))
	err = sim.Run(context.Background())
	if err == nil {
		requireNoLeak(t, sim)
		requireClean(t, sim)
		require.EqualValues(t, 5, ross.StateOf[door](sim.LP(0)).Visits)
	}
	return *sim.Summary().Digest, err
}

func sequentially(c *ross.Config) { c.Synch, c.PEs, c.NLP = 1, 1, 2 }

// mustBeOpen is the model's mistake.
func mustBeOpen(lp *ross.LP, open bool) {
	if !open {
		lp.RNG().Unif()
		panic("it is shut")
	}
}

func TestPanicInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta} {
		want, err := (&future{alone: true}).run(t, saving, sequentially, mustBeOpen)
		require.NoError(t, err)
		for name, set := range map[string]func(*ross.Config){
			"plain":          func(*ross.Config) {},
			"batch of 1":     func(c *ross.Config) { c.Tuning.Batch = 1 },
			"GVT every time": func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 1, 1, true },
			"tiny rings":     func(c *ross.Config) { knobsOf(c).RingSize = 1 },
			"real time":      func(c *ross.Config) { c.Synch, c.Tuning.GVTInterval = 5, 1 },
			"disturbed":      func(c *ross.Config) { *disturbOf(c) = harass(t, 2, 0.05) },
		} {
			t.Run(saving.String()+"/"+name, func(t *testing.T) {
				testkit.Watch(t)
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
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		for _, synch := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprintf("%s/synch=%d", saving, synch), func(t *testing.T) {
				testkit.Watch(t)
				var out strings.Builder
				_, err := (&future{alone: true, shut: true}).run(t, saving, func(c *ross.Config) {
					if c.Synch, c.Output = ross.Scheduler(synch), &out; synch == 1 {
						sequentially(c)
					}
				}, mustBeOpen)
				require.ErrorIs(t, err, ross.ErrPanic)
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
	testkit.Watch(t)
	f := newFuture()
	_, err := f.run(t, ross.SaveByReverse, func(*ross.Config) {}, mustBeOpen)
	require.ErrorIs(t, err, ross.ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time 5: panic: it is shut")
}

func TestFailInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	fail := func(lp *ross.LP, open bool) {
		if !open {
			lp.Fail(assert.AnError)
		}
	}
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			testkit.Watch(t)
			want, err := (&future{alone: true}).run(t, saving, sequentially, fail)
			require.NoError(t, err)
			f := newFuture()
			got, err := f.run(t, saving, func(*ross.Config) {}, fail)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Positive(t, f.early.Load())
		})
	}
}

func TestPanicInReverseEndsTheRun(t *testing.T) {
	testkit.Watch(t)
	f := newFuture()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.MaxMemory = 1, 20, 3, 2, 64<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	typ := f.types(ross.SaveByReverse, func(*ross.LP, bool) {}).(ross.Type[door])
	typ.Event = typ.Event.(ross.EventHandler[door, seed]).Reverse(func(*door, *ross.LP, *seed) { panic("no way back") })
	require.NoError(t, sim.Define(typ))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, ross.ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time ")
	require.ErrorContains(t, err, "panic: no way back")
	require.Equal(t, 1, strings.Count(err.Error(), "handler panicked"))
}

// TestNowAfterTheRunIsThatOfTheLastCommittedEvent has an LP whose last event is
// cancelled long after the one before it was committed.
func TestNowAfterTheRunIsThatOfTheLastCommittedEvent(t *testing.T) {
	want, _ := finalTimes(t, func(*ross.Config) {})
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
		for _, synch := range testlevel.Pick([]int{2, 3, 5}, []int{2, 3, 5}, []int{3}) {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				got, sim := finalTimes(t, func(c *ross.Config) {
					c.Synch, c.PEs, c.NLP, c.Tuning.GVTInterval = ross.Scheduler(synch), pes, int(kitchenLPs/uint64(pes)), 1
					c.ConsLookahead = 0
					if synch != 2 {
						*disturbOf(c) = harass(t, pes, 0.2)
					}
				})
				require.Equal(t, want, got)
				if synch != 2 {
					require.Positive(t, sim.Summary().EventsRolledBack)
				}
			})
		}
	}
}

// finalTimes runs the kitchen and returns the times of its LPs after the run.
func finalTimes(t *testing.T, set func(*ross.Config)) (times []float64, sim *ross.Simulation) {
	t.Helper()
	_, sim = cook(t, true, 8, set)
	for i := range ross.LPID(kitchenLPs) {
		times = append(times, sim.LP(i).Now())
	}
	return times, sim
}

// What becomes of a handler that asks for more memory than there can be.

// excesses are requests beyond any memory, and how the error counts them.
var excesses = map[string]func(lp *ross.LP) int{
	"2^40 words":              func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<40).Len() },
	"2^61 words, 2^64 bytes":  func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<61).Len() },
	"2^61 + 1 words, 8 bytes": func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<61+1).Len() },
	"all bytes":               func(lp *ross.LP) int { return ross.Alloc[byte](lp, math.MaxInt).Len() },
	"one large value":         func(lp *ross.LP) int { return ross.Alloc[[65 << 20]byte](lp, 1).Len() },
}

func TestMoreThanAllMemoryIsAnErrorThatIsUndone(t *testing.T) {
	for name, ask := range excesses {
		for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
			t.Run(name+"/"+saving.String(), func(t *testing.T) {
				testkit.Watch(t)
				visit := func(lp *ross.LP, open bool) {
					if !open {
						require.Zero(t, ask(lp))
					}
				}
				want, err := (&future{alone: true}).run(t, saving, sequentially, visit)
				require.NoError(t, err)
				f := newFuture()
				got, err := f.run(t, saving, func(*ross.Config) {}, visit)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Positive(t, f.early.Load(), "nothing was asked for too early")
			})
		}
	}
}

func TestMoreThanAllMemoryIsToldWhenItHappens(t *testing.T) {
	for name, ask := range excesses {
		for _, synch := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", name, synch), func(t *testing.T) {
				testkit.Watch(t)
				_, err := (&future{alone: true, shut: true}).run(t, ross.SaveByLog, func(c *ross.Config) {
					if c.Synch = ross.Scheduler(synch); synch == 1 {
						sequentially(c)
					}
				}, func(lp *ross.LP, open bool) { require.Zero(t, ask(lp)) })
				require.ErrorIs(t, err, ross.ErrMemory)
				require.ErrorContains(t, err, "ross: LP 0 (door) at time 5: allocated ")
				require.ErrorContains(t, err, "bytes each, and the limit is 67108864 bytes: memory limit reached: ask for less, or raise --max-memory")
			})
		}
	}
}

// A block that would be allowed and finds no memory is lent to a handler which is going to be
// undone, as long as all that is lent is no more than the run may have.
func TestABlockThatFindsNoMemoryIsLent(t *testing.T) {
	const limit = 64 << 20
	for _, n := range []int{10_000, 1 << 20, 40 << 20} {
		for _, synch := range []int{1, 3} {
			t.Run(fmt.Sprintf("bytes=%d/synch=%d", n, synch), func(t *testing.T) {
				testkit.Watch(t)
				taken := 0
				cfg := ross.DefaultConfig()
				cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Scheduler(synch), 1, 10, limit
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(ross.Type[door]{
					Name: "glutton",
					Init: func(_ *door, lp *ross.LP) { ross.Send(lp, 0, 1, seed{}) },
					Event: ross.On(func(_ *door, lp *ross.LP, _ *seed) {
						for taken = 0; taken < limit+8*n; taken += n {
							words := ross.Alloc[byte](lp, n).Of(lp)
							if len(words) == 0 {
								break
							}
							require.Zero(t, words[0]+words[n-1])
							words[0], words[n-1] = 1, 1
						}
					}).Reverse(func(*door, *ross.LP, *seed) {}),
				}))
				err = sim.Run(context.Background())
				require.ErrorIs(t, err, ross.ErrMemory)
				require.ErrorContains(t, err, "ross: LP 0 (glutton) at time 1: ")
				if n == 40<<20 { // a block is a power of two, so that none is not lent
					require.Equal(t, n, taken)
				} else {
					require.GreaterOrEqual(t, taken, limit+8*n)
				}
				require.LessOrEqual(t, runOf(sim).Locals[0].LentBytes, uint64(limit))
			})
		}
	}
}
