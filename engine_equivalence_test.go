// The digest of the committed events: the same however a run is set up, another
// one if any event is another.

package ross

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

func TestLoadsAreLargeEnoughToMatter(t *testing.T) {
	for name, l := range loads {
		var times []float64
		longest := 0
		l := l()
		l.commit = func(_ *loadState, lp *LP, _ *Bits, _ *loadMsg) {
			sig := lp.Signature()
			times, longest = append(times, sig.Time), max(longest, len(sig.Ties))
		}
		_, events := l.run(t, nil)
		require.InDelta(t, 10000*loadStart, events, 1000*loadStart, name)
		slices.Sort(times)
		if l.tied {
			require.Len(t, slices.Compact(times), 3)
			require.Greater(t, longest, 50)
		} else {
			require.Greater(t, len(slices.Compact(times)), 9900*loadStart)
		}
	}
}

func TestDigestDoesNotDependOnTheQueue(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range pq.Impls() {
			for _, window := range []int{1, 2, 7, 48, 128} {
				t.Run(fmt.Sprintf("%s/pq=%s/window=%d", name, impl, window), func(t *testing.T) {
					require.Equal(t, want, l().digest(t, func(c *Config) { c.PQ, c.knobs.Window = impl, window }))
				})
			}
		}
	}
}

// TestDigestDoesNotDependOnTheOrderOfInsertion has LPs initialised in random
// orders, and start events sent by PreRun, after those of all other LPs.
func TestDigestDoesNotDependOnTheOrderOfInsertion(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range pq.Impls() {
			for _, inPreRun := range []int{0, loadStart / 2, loadStart} {
				t.Run(fmt.Sprintf("%s/pq=%s/pre-run=%d", name, impl, inPreRun), func(t *testing.T) {
					order := permutation(t)
					other := l()
					other.inPreRun = inPreRun
					require.Equal(t, want, other.digest(t, func(c *Config) {
						c.PQ, c.knobs.InitOrder = impl, func(i int) int { return order[i] }
					}))
				})
			}
		}
	}
}

func TestDigestDoesNotDependOnTheSetUp(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		order := permutation(t)
		for what, configure := range map[string]func(*Config){
			"event trace": func(c *Config) { c.EventTrace, c.StatsPath = 1, filepath.Join(t.TempDir(), "trace") },
			"discarded trace": func(c *Config) {
				c.EventTrace, c.DisableOutput, c.StatsPath = 3, 1, filepath.Join(t.TempDir(), "trace")
			},
			"1 KP":        func(c *Config) { c.NKP = 1 },
			"4 KPs":       func(c *Config) { c.NKP = 4 },
			"64 KPs":      func(c *Config) { c.NKP = 64 },
			"round robin": func(c *Config) { c.Mapping = mapping.RoundRobin },
			"custom mapping": func(c *Config) {
				c.Mapping = mapping.Custom
				c.Custom = mapping.CustomFuncs{
					PE:    func(uint64) uint64 { return 0 },
					Local: func(gid uint64) uint64 { return uint64(order[gid]) },
				}
			},
			"first sizes": func(c *Config) { c.EventsPerPE, c.ExtraMem = 1, 1<<20 },
			"hook": func(c *Config) {
				c.HookTrigger = HookAt(1)
				c.GVTHook = func(pe *PE, _ bool) { pe.SetHookTrigger(HookAt(pe.GVT() + 1)) }
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) { require.Equal(t, want, l().digest(t, configure)) })
		}
	}
}

func TestDigestDoesNotDependOnCommitHandlers(t *testing.T) {
	for name, l := range loads {
		other := l()
		committed := uint64(0)
		other.commit = func(*loadState, *LP, *Bits, *loadMsg) { committed++ }
		digest, events := other.run(t, nil)
		require.Equal(t, plainDigest(t, name), digest, name)
		require.Equal(t, events, committed, name)
	}
}

func TestDigestDoesNotDependOnPadding(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, dirt := range []byte{0x01, 0xFF} {
			other := l()
			other.dirt = dirt
			digest, events := other.run(t, nil)
			require.Equal(t, want, digest, name)
			require.Greater(t, other.dirty, int(events/10), "too few messages carried dirt in their padding")
		}
	}
}

// TestDigestSeesAChangeOfOneEvent alters a single one of all the events.
func TestDigestSeesAChangeOfOneEvent(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for what, change := range map[string]func(lp *LP, p *parcel){
			"destination":   func(_ *LP, p *parcel) { p.dst = (p.dst + 1) % loadLPs },
			"time":          func(_ *LP, p *parcel) { p.delay += 1e-12 },
			"tie-breaker":   func(lp *LP, _ *parcel) { lp.k.Core.Unif() },
			"priority":      func(_ *LP, p *parcel) { p.msg.class = (p.msg.class + 1) % uint8(len(classes)) },
			"payload":       func(_ *LP, p *parcel) { p.msg.value ^= 1 << 63 },
			"payload's end": func(_ *LP, p *parcel) { p.msg.tail ^= 1 },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				other := l()
				changed := 0
				other.change = func(lp *LP, n uint64, p *parcel) {
					if lp.ID() == 700 && n == loadStart {
						change(lp, p)
						changed++
					}
				}
				require.NotEqual(t, want, other.digest(t, nil))
				require.Equal(t, 1, changed)
			})
		}
	}
}

func TestDigestSeesOtherParameters(t *testing.T) {
	testlevel.Once(t, "that digests differ")
	for name, l := range loads {
		want := plainDigest(t, name)
		for what, configure := range map[string]func(*Config){
			"seeds of the model":  func(c *Config) { c.Seeds = [4]uint64{11111111, 22222222, 33333333, 44444445} },
			"seeds of the engine": func(c *Config) { c.CoreSeeds = [4]uint64{55555555, 66666666, 77777777, 88888889} },
			"seed of the run":     func(c *Config) { c.Seed = 1 },
			"replication":         func(c *Config) { c.Replication = 1 },
			"end":                 func(c *Config) { c.End -= 1e-3 },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				if l().tied && what == "end" {
					configure = func(c *Config) { c.End-- }
				}
				require.NotEqual(t, want, l().digest(t, configure))
			})
		}
	}
}

// TestDigestTakesInEachPartOfAnEvent looks at a single event: what must count
// and what must not.
func TestDigestTakesInEachPartOfAnEvent(t *testing.T) {
	typ, err := spreadLoad().lpType().lpType()
	require.NoError(t, err)
	arena, err := event.NewArena(unsafe.Sizeof(loadMsg{}), 16, nil)
	require.NoError(t, err)
	defer arena.Release()
	chain := func(ties ...float64) (node uint32) {
		for _, tie := range ties {
			node, err = arena.Lines.Extend(node, tie)
			require.NoError(t, err)
		}
		return node
	}
	first, second := chain(0.3, 0.4), chain(0.3, 0.4)
	digest := func(change func(e *event.Event, m *loadMsg)) uint64 {
		e, i, err := arena.Alloc()
		require.NoError(t, err)
		defer arena.Free(e, i)
		*e = event.Event{Time: 1, Tie: 0.5, SendTime: 0.5, Src: 3, Prio: 1, Dst: 4, Lineage: first, State: event.Running}
		m := (*loadMsg)(event.Payload(e))
		m.class, m.value, m.tail = 1, 2, 3
		change(e, m)
		defer func() { e.Lineage = 0 }() // the chains are used again
		pe := &kernel.PE{}
		pe.Arena, pe.Run = arena, &kernel.Run{Messages: typ.Messages}
		return pe.DigestEvent(&kernel.LP{PE: pe}, e)
	}
	same := digest(func(*event.Event, *loadMsg) {})
	for what, change := range map[string]func(e *event.Event, m *loadMsg){
		"time":               func(e *event.Event, _ *loadMsg) { e.Time = 2 },
		"sender":             func(e *event.Event, _ *loadMsg) { e.Src = 2 },
		"priority":           func(e *event.Event, _ *loadMsg) { e.Prio = 0 },
		"tie-breaker":        func(e *event.Event, _ *loadMsg) { e.Tie = 0.25 },
		"last of lineage":    func(e *event.Event, _ *loadMsg) { e.Lineage = chain(0.3, 0.5) },
		"length of lineage":  func(e *event.Event, _ *loadMsg) { e.Lineage = chain(0.3) },
		"no lineage":         func(e *event.Event, _ *loadMsg) { e.Lineage = 0 },
		"first field":        func(_ *event.Event, m *loadMsg) { m.class = 2 },
		"middle field":       func(_ *event.Event, m *loadMsg) { m.value = 1 << 60 },
		"last field":         func(_ *event.Event, m *loadMsg) { m.tail = 1 << 15 },
		"fields interchange": func(_ *event.Event, m *loadMsg) { m.class, m.value = 2, 1 },
	} {
		require.NotEqual(t, same, digest(change), what)
	}
	for what, change := range map[string]func(e *event.Event, m *loadMsg){
		"padding":                func(_ *event.Event, m *loadMsg) { padding(m)[3] = 0xEE },
		"local index":            func(e *event.Event, _ *loadMsg) { e.Dst = 9 },
		"bits":                   func(e *event.Event, _ *loadMsg) { e.Bits = 9 },
		"node, with equal ties":  func(e *event.Event, _ *loadMsg) { e.Lineage = second },
		"time at which was sent": func(e *event.Event, _ *loadMsg) { e.SendTime = 0 },
	} {
		require.Equal(t, same, digest(change), what)
	}
}
