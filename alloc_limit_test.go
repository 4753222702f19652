// This file pins what becomes of a handler that asks for more memory than there can be.

package ross

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// excesses are requests beyond any memory, and how the error counts them.
var excesses = map[string]func(lp *LP) int{
	"2^40 words":              func(lp *LP) int { return Alloc[uint64](lp, 1<<40).Len() },
	"2^61 words, 2^64 bytes":  func(lp *LP) int { return Alloc[uint64](lp, 1<<61).Len() },
	"2^61 + 1 words, 8 bytes": func(lp *LP) int { return Alloc[uint64](lp, 1<<61+1).Len() },
	"all bytes":               func(lp *LP) int { return Alloc[byte](lp, math.MaxInt).Len() },
	"one large value":         func(lp *LP) int { return Alloc[[65 << 20]byte](lp, 1).Len() },
}

func TestMoreThanAllMemoryIsAnErrorThatIsUndone(t *testing.T) {
	for name, ask := range excesses {
		for _, saving := range []Saving{SaveByReverse, SaveByLog, SaveByDelta} {
			t.Run(name+"/"+saving.String(), func(t *testing.T) {
				modeltest.Watch(t)
				visit := func(lp *LP, open bool) {
					if !open {
						require.Zero(t, ask(lp))
					}
				}
				want, err := (&future{alone: true}).run(t, saving, sequentially, visit)
				require.NoError(t, err)
				f := newFuture()
				got, err := f.run(t, saving, func(*Config) {}, visit)
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
				modeltest.Watch(t)
				_, err := (&future{alone: true, shut: true}).run(t, SaveByLog, func(c *Config) {
					if c.Synch = Scheduler(synch); synch == 1 {
						sequentially(c)
					}
				}, func(lp *LP, open bool) { require.Zero(t, ask(lp)) })
				require.ErrorIs(t, err, ErrMemory)
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
				modeltest.Watch(t)
				taken := 0
				cfg := DefaultConfig()
				cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = Scheduler(synch), 1, 10, limit
				sim, err := New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(Type[door, seed]{
					Name: "glutton",
					Init: func(_ *door, lp *LP) { Send(lp, 0, 1, seed{}) },
					Event: func(_ *door, lp *LP, _ *Bits, _ *seed) {
						for taken = 0; taken < limit+8*n; taken += n {
							words := Alloc[byte](lp, n).Of(lp)
							if len(words) == 0 {
								break
							}
							require.Zero(t, words[0]+words[n-1])
							words[0], words[n-1] = 1, 1
						}
					},
					Reverse: func(*door, *LP, *Bits, *seed) {},
				}))
				err = sim.Run(context.Background())
				require.ErrorIs(t, err, ErrMemory)
				require.ErrorContains(t, err, "ross: LP 0 (glutton) at time 1: ")
				if n == 40<<20 { // a block is a power of two, so that none is not lent
					require.Equal(t, n, taken)
				} else {
					require.GreaterOrEqual(t, taken, limit+8*n)
				}
				require.LessOrEqual(t, sim.r.Locals[0].LentBytes, uint64(limit))
			})
		}
	}
}
