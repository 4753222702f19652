// Exact event traces: the cause of each event, found from the file alone, is the one that the model knows, whatever the
// scheduler, and executions that were undone are known.

package run_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

// tokens is a model in which most events of an LP have equal times, and many no delay. Each message carries the number
// that its cause had at its LP, and gets its own when it is handled.
type (
	tokens  struct{ Handled uint64 }
	token   struct{ Cause, Own, Left uint64 }
	answers struct{ Cause, Own, Left uint64 } // the same with another name
)

const tokenLPs = 12

func tokenType() ross.LPType {
	send := func(lp *ross.LP, cause, left uint64) {
		to := ross.LPID(lp.RNG().Integer(0, tokenLPs-1))
		delay := [...]float64{0, 1, 1, 2}[lp.RNG().Integer(0, 3)]
		if delay == 0 {
			to = lp.ID() // so that a chain stays where it is, and ties meet
		}
		if lp.RNG().Integer(0, 3) == 0 {
			ross.Send(lp, to, delay, answers{Cause: cause, Left: left})
			return
		}
		ross.Send(lp, to, delay, token{Cause: cause, Left: left})
	}
	handle := func(s *tokens, lp *ross.LP, own *uint64, left uint64) {
		s.Handled++
		if *own = s.Handled; left == 0 {
			return
		}
		if lp.ID() == 5 && s.Handled == 60 {
			lp.Suspend(false, 1) // the events that come after it draw nothing
		}
		for range lp.RNG().Integer(1, 2) {
			send(lp, s.Handled, left-1)
		}
		if left%4 == 1 { // timers change the handler of their LP
			timer := ross.After(lp, 1, token{Cause: s.Handled, Left: left - 1})
			if lp.RNG().Integer(0, 1) == 0 {
				timer.Cancel(lp)
			}
		}
		if left%3 == 0 {
			ross.Send(lp, lp.ID(), 1e6, token{}) // beyond the end: it draws, and is not delivered
		}
	}
	trace := func(buf []byte, own, cause uint64) bool {
		binary.LittleEndian.PutUint64(buf, own)
		binary.LittleEndian.PutUint64(buf[8:], cause)
		return true
	}
	return ross.Type[tokens]{
		Name: "tokens", TraceLayout: "own:u64,cause:u64",
		Init: func(_ *tokens, lp *ross.LP) {
			for range 2 {
				send(lp, 0, 9)
			}
		},
		Event: ross.Events(
			ross.On(func(s *tokens, lp *ross.LP, m *token) { handle(s, lp, &m.Own, m.Left) }).Trace(
				func(_ *ross.LP, _ ross.TraceKind, m *token, buf []byte) bool { return trace(buf, m.Own, m.Cause) }),
			ross.On(func(s *tokens, lp *ross.LP, m *answers) { handle(s, lp, &m.Own, m.Left) }).Trace(
				func(_ *ross.LP, _ ross.TraceKind, m *answers, buf []byte) bool { return trace(buf, m.Own, m.Cause) })),
	}
}

// happened is an event of a trace, whatever its scheduler, and what tells it from all others.
type happened struct {
	src, dest  uint32
	x          instr.Exact
	own, cause uint64
}

// exactEvents returns the events of a trace that stayed, and how many executions were undone.
func exactEvents(t *testing.T, dir string) (stayed map[happened]bool, undone int) {
	t.Helper()
	events, err := instr.ReadTrace(filepath.Join(dir, "ross-stats-evtrace.bin"))
	require.NoError(t, err)
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	require.Equal(t, instr.ExactLayout, info.Exact)
	layout, err := info.Types[0].Layout(instr.KindEvent)
	require.NoError(t, err)
	require.Equal(t, 16+instr.ExactSize, layout.Size())
	times := map[happened]int{}
	for _, e := range events {
		require.Len(t, e.Payload, layout.Size())
		x, ok := instr.GetExact(e.Payload)
		require.True(t, ok)
		require.Equal(t, []float32{e.SendTS, e.RecvTS}, []float32{float32(x.SendTS), float32(x.RecvTS)})
		require.Contains(t, []string{"run_test.token", "run_test.answers"}, info.Messages[x.Message])
		h := happened{e.Src, e.Dest, x, binary.LittleEndian.Uint64(e.Payload), binary.LittleEndian.Uint64(e.Payload[8:])}
		h.x.What = instr.ExactHandled
		switch x.What {
		case instr.ExactHandled:
			times[h]++
		case instr.ExactUndone:
			times[h]--
			undone++
		}
	}
	stayed = map[happened]bool{}
	for h, n := range times {
		require.Contains(t, []int{0, 1}, n, "an execution is undone after it was recorded, and the last one stays")
		if n == 1 {
			stayed[h] = true
		}
	}
	return stayed, undone
}

// checkCauses finds the cause of each event by the numbers that its sender drew.
func checkCauses(t *testing.T, stayed map[happened]bool) (tied int) {
	t.Helper()
	type moment struct {
		lp   uint32
		time float64
	}
	at := map[moment][]happened{}
	for h := range stayed {
		at[moment{h.dest, h.x.RecvTS}] = append(at[moment{h.dest, h.x.RecvTS}], h)
	}
	for h := range stayed {
		found, candidates := uint64(0), at[moment{h.src, h.x.SendTS}]
		for _, c := range candidates {
			var g rng.CLCG4
			g.SetState(rng.State{C: c.x.Stream})
			for range c.x.Draws {
				if g.Unif() == h.x.Tie {
					require.Zero(t, found, "no two events can be the cause")
					found = c.own
				}
			}
		}
		require.Equal(t, h.cause, found)
		if len(candidates) > 1 {
			tied++
		}
	}
	return tied
}

func TestAnExactTraceNamesTheCauseOfEachEvent(t *testing.T) {
	var want map[happened]bool
	run := func(t *testing.T, kind ross.TraceKind, ranks, pes int, synch ross.Scheduler,
		set ...func(*ross.Config)) (undone int) {
		testkit.Watch(t)
		dir := filepath.Join(t.TempDir(), "trace")
		_, errs := runOnRanks(t, worldtest.New(ranks, 0, 0), ranks, func(_ int, c *ross.Config) {
			c.Synch, c.PEs, c.LPs, c.NKP, c.End, c.Output, c.ConsLookahead = synch, pes, tokenLPs, 3, 30, io.Discard, 1
			c.Instruments.Trace, c.Instruments.TraceExact, c.Instruments.Path = kind, true, dir
			for _, set := range set {
				set(c)
			}
			if synch == ross.Optimistic {
				c.Tuning.Batch, c.Tuning.GVTInterval = 2, 4
				knobsOf(c).Disturb = harass(t, pes, 0.3)
				if ranks > 1 {
					knobsOf(c).Disturb = nil
				}
			}
		}, tokenType())
		for _, err := range errs {
			require.NoError(t, err)
		}
		got, undone := exactEvents(t, dir)
		if want == nil {
			want = got
			require.Greater(t, len(want), 1000)
			require.Greater(t, checkCauses(t, want), 500, "events whose sender has handled others at the same time")
		}
		require.Equal(t, want, got)
		return undone
	}
	for _, kind := range []ross.TraceKind{ross.TraceAll, ross.TraceCommitted} {
		require.Zero(t, run(t, kind, 1, 1, ross.Sequential))
		for _, pes := range testlevel.Pick([]int{1, 2, 3, 4}, []int{1, 2, 4}, []int{2}) {
			t.Run(fmt.Sprintf("kind=%d/pes=%d", kind, pes), func(t *testing.T) {
				require.Zero(t, run(t, kind, 1, pes, ross.Conservative))
				undone := run(t, kind, 1, pes, ross.Optimistic)
				require.Equal(t, kind == ross.TraceAll, undone > 0, "%d executions undone", undone)
			})
		}
		for name, set := range map[string]func(*ross.Config){
			"digest": func(c *ross.Config) { c.Digest = true },
			"watch":  func(c *ross.Config) { c.Watch = "1,5" },
		} {
			for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
				t.Run(fmt.Sprintf("kind=%d/%s/synch=%d", kind, name, synch), func(t *testing.T) { run(t, kind, 1, 1, synch, set) })
			}
		}
		t.Run(fmt.Sprintf("kind=%d/2 ranks", kind), func(t *testing.T) { run(t, kind, 2, 2, ross.Optimistic) })
	}
}

// TestAnExactTraceOfStragglersHasTheirTimes, and one without the option has no block.
func TestAnExactTraceOfStragglersHasTheirTimes(t *testing.T) {
	for _, exact := range []bool{true, false} {
		testkit.Watch(t)
		dir := filepath.Join(t.TempDir(), "trace")
		traced(t, int(ross.TraceRollbacks), func(c *ross.Config) {
			onPEs(2)(c)
			c.Synch, c.Instruments.TraceExact, knobsOf(c).Disturb = ross.Optimistic, exact, harass(t, 2, 0.3)
			c.Tuning.Batch, c.Instruments.Path = 2, dir
		})
		for _, e := range rosstest.ReadTrace(t, dir) {
			x, ok := instr.GetExact(e.Payload)
			if require.Equal(t, exact, ok); exact {
				require.Equal(t, instr.ExactLate, x.What)
				require.Zero(t, x.Draws)
			}
		}
	}
}

// TestAnExactTraceAllocatesNothing for an event: of 20 stretches of 1000 events at least one takes fewer than 100
// allocations, those of what the engine does now and then.
func TestAnExactTraceAllocatesNothing(t *testing.T) {
	if invariants.Enabled || racetest.Slow {
		t.Skip("what watches memory allocates on its own")
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		for _, kind := range []ross.TraceKind{ross.TraceAll, ross.TraceCommitted} {
			least, last, n := uint64(math.MaxUint64), uint64(0), 0
			cfg := ross.DefaultConfig()
			cfg.LPs, cfg.End, cfg.Synch = 1, 21_000, synch
			cfg.Instruments.Trace, cfg.Instruments.TraceExact, cfg.Instruments.Discard = kind, true, true
			cfg.Instruments.Path = filepath.Join(t.TempDir(), "trace")
			rosstest.Run(t, cfg, rosstest.Forever(func(*ross.LP) {
				if n++; n%1000 == 0 {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					if last > 0 {
						least = min(least, m.Mallocs-last)
					}
					runtime.ReadMemStats(&m)
					last = m.Mallocs
				}
			}))
			require.Less(t, least, uint64(100), "scheduler %d, trace %d", synch, kind)
		}
	}
}
