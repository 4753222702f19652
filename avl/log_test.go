package avl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/testrand"
)

// logged is an event of a Log, as a map has it.
type logged struct {
	at   uint64
	sent float64
}

// TestLogFindsWhatAMapFinds compares a Log with a map: events of several sources come, some are looked up, new and
// old ones, and GVT passes some.
func TestLogFindsWhatAMapFinds(t *testing.T) {
	for _, impl := range avl.Impls() {
		for _, sources := range []int{1, 2, 7, 300} {
			t.Run(fmt.Sprintf("%s,%d", impl, sources), func(t *testing.T) {
				r := testrand.New(t)
				room := []int{0, 64, 1024}[sources%3]
				l, err := avl.NewLog(room, impl)
				require.NoError(t, err)
				defer l.Close()
				has := map[[2]uint64]logged{}
				var keys [][2]uint64
				last := make([]uint64, sources)
				gvt, now := 0.0, 0.0
				for i := range last {
					last[i] = 1<<32 - 1000 + r.Uint64N(2000)
				}
				for range 20_000 {
					now += r.ExpFloat64()
					s := r.IntN(sources)
					last[s] += 1 + r.Uint64N(3)
					e := logged{r.Uint64(), now + 1000*r.ExpFloat64()}
					if r.IntN(4) == 0 {
						e.sent = gvt
					}
					l.Add(uint32(s), last[s], e.at, e.sent)
					k := [2]uint64{uint64(s), last[s]}
					has[k] = e
					keys = append(keys, k)
					for r.IntN(8) == 0 {
						k := keys[len(keys)-1-int(float64(len(keys))*r.Float64()*r.Float64()*r.Float64())]
						if e, ok := has[k]; ok && e.sent >= gvt { // others are not looked for
							at, sent, ok := l.Find(uint32(k[0]), k[1])
							require.True(t, ok, "event %d of source %d", k[1], k[0])
							require.Equal(t, e, logged{at, sent})
						}
						if r.IntN(8) == 0 {
							_, _, ok := l.Find(uint32(k[0]), k[1]^1<<50)
							require.False(t, ok)
						}
					}
					if l.Due() && r.IntN(8) == 0 || r.IntN(2000) == 0 {
						gvt = now - 100*r.Float64()
						for _, e := range has { // the time at which one was sent
							gvt = max(gvt, min(e.sent, now))
							break
						}
						l.Sweep(gvt)
						kept := 0
						for k, e := range has {
							if e.sent < gvt {
								delete(has, k)
							} else {
								kept++
							}
						}
						require.Equal(t, kept, l.Len(), "what was sent before GVT goes, and nothing else")
						require.LessOrEqual(t, l.Room(), 4*max(2*kept, room, 2))
					}
				}
				s := l.Steps()
				if sources == 1 {
					require.Positive(t, s.Sorted)
					require.Zero(t, s.Tree)
				} else {
					require.Positive(t, s.New)
					require.Positive(t, s.Tree)
					require.Positive(t, s.Built)
				}
			})
		}
	}
}

func TestLogOfAnUnknownImplementationIsRefused(t *testing.T) {
	_, err := avl.NewLog(0, "splay")
	require.ErrorContains(t, err, "splay: unknown implementation: use c or go")
}

// TestLogFindsWithoutMemoryForItsTree has a budget that refuses the nodes, has them, and refuses more of them.
func TestLogFindsWithoutMemoryForItsTree(t *testing.T) {
	for _, impl := range avl.Impls() {
		budget, full := mem.NewBudget(1<<30), true
		budget.Refuse = func(uint64) bool { return full }
		l, err := avl.NewChargedLog(64, impl, budget)
		require.NoError(t, err)
		add := func(from, to uint64) {
			for i := from; i < to; i++ {
				l.Add(uint32(i%3), i, 10*i, float64(i))
			}
		}
		find := func(first, n uint64) {
			for i := first; i < n; i += 11 {
				at, sent, ok := l.Find(uint32(i%3), i)
				require.True(t, ok, "event %d of %d", i, n)
				require.Equal(t, logged{10 * i, float64(i)}, logged{at, sent})
				_, _, ok = l.Find(uint32(i+1)%3, i)
				require.False(t, ok)
			}
		}
		add(0, 1000)
		find(0, 1000)
		require.Zero(t, l.Steps().Tree)
		require.Zero(t, budget.Used())
		full = false
		find(0, 1000)
		require.Positive(t, l.Steps().Tree)
		used := budget.Used()
		require.Positive(t, used)
		require.Equal(t, used, l.Charged())
		full = true
		add(1000, 20_000)
		find(0, 20_000)
		l.Sweep(5000)
		find(5000, 20_000)
		require.Equal(t, used, budget.Used())
		l.Close()
		require.Zero(t, budget.Used(), "the budget has its memory back")
	}
}

// TestALargeLogGrowsSlowly because twice the memory of much is much.
func TestALargeLogGrowsSlowly(t *testing.T) {
	l, err := avl.NewLog(2, "")
	require.NoError(t, err)
	defer l.Close()
	for i := range uint64(1_000_000) {
		l.Add(0, i, i, 1)
		require.LessOrEqual(t, l.Room(), max(2*l.Len(), 2, l.Len()+l.Len()/4+1<<16))
	}
}
