// This file pins what becomes of events that must not be sent: Run returns an
// error that names the LP, its type, the time, the destination and the way out.

package ross_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

func TestBadSendEndsTheRunWithAnErrorThatNamesItAll(t *testing.T) {
	const (
		who    = "ross: LP 3 (once) at time 1.5: "
		delay  = ": bad delay: a delay must be finite and at least 0; likely cause"
		below  = delay + "s: a difference of times or its rounding, a distribution with negative values"
		nan    = delay + "s: 0/0, Inf-Inf, the root or logarithm of a negative number"
		inf    = delay + "s: a division by 0, the logarithm of 0"
		dest   = ": no such LP: ids go from 0 to 3"
		prio   = ": bad priority: a priority must be in [0, 1]"
		typing = ": wrong message type: send what its type's Event expects, rosstest.Word"
	)
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		want error
		text string
	}{
		"negative delay": {func(lp *ross.LP) { ross.Send(lp, 2, -0.25, word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -0.25" + below},
		"least negative delay": {func(lp *ross.LP) { ross.Send(lp, 2, -math.SmallestNonzeroFloat64, word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -5e-324" + below},
		"delay NaN": {func(lp *ross.LP) { ross.Send(lp, 2, math.NaN(), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay NaN" + nan},
		"delay Inf": {func(lp *ross.LP) { ross.Send(lp, 2, math.Inf(1), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay +Inf" + inf},
		"delay -Inf": {func(lp *ross.LP) { ross.Send(lp, 2, math.Inf(-1), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -Inf" + inf},
		"delay of an event filled in place": {func(lp *ross.LP) { ross.NewEvent[word](lp, 2, -1).N = 7 },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -1" + below},
		"destination just beyond": {func(lp *ross.LP) { ross.Send(lp, 4, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4" + dest},
		"destination far beyond": {func(lp *ross.LP) { ross.Send(lp, math.MaxUint64, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP -1" + dest},
		"destination below": {func(lp *ross.LP) { ross.Send(lp, lp.ID()-6, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP -3" + dest},
		"negative destination and delay": {func(lp *ross.LP) { ross.Send(lp, lp.ID()-4, -1, word{}) },
			ross.ErrDelay, "sent LP -1 an event (rosstest.Word) with delay -1" + below},
		"destination beyond 32 bits": {func(lp *ross.LP) { ross.Send(lp, 1<<32, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4294967296" + dest},
		"destination of an event after the end": {func(lp *ross.LP) { ross.Send(lp, 4, 1000, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4" + dest},
		"priority below 0": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, -0.5, word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority -0.5" + prio},
		"priority above 1": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, 1.5, word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority 1.5" + prio},
		"priority NaN": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, math.NaN(), word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority NaN" + prio},
		"before its own cause": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 0, 0.25, word{}) },
			ross.ErrOrder, "sent LP 2 an event (rosstest.Word) without delay and with priority 0.25, at priority 1 itself: " +
				"event would be before its sender's: give it at least the priority of the event that sends it, or a delay"},
		"before its own cause after a delay that is lost in rounding": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1e-300, 0.25, word{}) },
			ross.ErrOrder, "sent LP 2 an event (rosstest.Word) without delay and with priority 0.25, at priority 1 itself: " +
				"event would be before its sender's: give it at least the priority of the event that sends it, or a delay"},
		"message of a type never registered":       {func(lp *ross.LP) { ross.Send(lp, 2, 1, 7) }, ross.ErrMessageType, "sent LP 2 (once) an event (int)" + typing},
		"message of another type of the same size": {func(lp *ross.LP) { ross.Send(lp, 2, 1, struct{ N int64 }{}) }, ross.ErrMessageType, "sent LP 2 (once) an event (struct { N int64 })" + typing},
		"message of another type, filled in place": {func(lp *ross.LP) { ross.NewEvent[[3]int](lp, 2, 1)[2] = 1 }, ross.ErrMessageType, "sent LP 2 (once) an event ([3]int)" + typing},
		"message of another type, with a priority": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, 0.5, uint8(1)) }, ross.ErrMessageType, "sent LP 2 (once) an event (uint8)" + typing},
		"timer with a message of another type": {func(lp *ross.LP) { ross.After(lp, 1, 7) }, ross.ErrMessageType,
			"sent LP 3 (once) an event (int)" + typing},
		"timer with a negative delay":                  {func(lp *ross.LP) { ross.After(lp, -1, word{}) }, ross.ErrDelay, "sent LP 3 an event (rosstest.Word) with delay -1" + below},
		"timer with a bad priority":                    {func(lp *ross.LP) { ross.AfterPriority(lp, 1, 2, word{}) }, ross.ErrPriority, "set a timer with priority 2" + prio},
		"the first of several mistakes is what counts": {func(lp *ross.LP) { ross.Send(lp, 4, 1, word{}); ross.Send(lp, 2, -1, word{}) }, ross.ErrDestination, "sent an event (rosstest.Word) to LP 4" + dest},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Small(), rosstest.Once(c.do))
			require.EqualError(t, out.Err, who+c.text)
			assert.ErrorIs(t, out.Err, c.want)
			var me *ross.ModelError
			require.ErrorAs(t, out.Err, &me)
			assert.Equal(t, []any{ross.LPID(3), "once", 1.5}, []any{me.LP, me.Type, me.Time})
			assert.Equal(t, 1, ross.ExitCode(out.Err))
		})
	}
}

// A message is checked against the LP that gets it, not against all types.
func TestMessageOfAnotherLPsTypeIsRefused(t *testing.T) {
	type other struct{ A, B float64 }
	var do func(lp *ross.LP)
	first := rosstest.Once(func(lp *ross.LP) { do(lp) })
	second := ross.Type[none, other]{Name: "second", Event: func(*none, *ross.LP, *ross.Bits, *other) {}}
	cfg := rosstest.Small()
	cfg.TypeMap = func(gid ross.LPID) int { return int(1 - gid%2) }
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		text string
	}{
		"the sender's": {func(lp *ross.LP) { ross.Send(lp, 2, 1, word{}) }, "sent LP 2 (second) an event (rosstest.Word): wrong message type: send what its type's Event expects, ross_test.other"},
		"the other's":  {func(lp *ross.LP) { ross.Send(lp, 1, 1, other{}) }, "sent LP 1 (once) an event (ross_test.other): wrong message type: send what its type's Event expects, rosstest.Word"},
		"nobody's":     {func(lp *ross.LP) { ross.Send(lp, 2, 1, 1.0) }, "sent LP 2 (second) an event (float64): wrong message type: send what its type's Event expects, ross_test.other"},
	} {
		t.Run(name, func(t *testing.T) {
			do = c.do
			out := rosstest.Try(t, cfg, first, second)
			require.EqualError(t, out.Err, "ross: LP 3 (once) at time 1.5: "+c.text)
			require.ErrorIs(t, out.Err, ross.ErrMessageType)
		})
	}
	do = func(lp *ross.LP) { ross.Send(lp, 2, 1, other{}); ross.Send(lp, 1, 1, word{N: 1}) }
	require.Equal(t, 3, rosstest.Run(t, cfg, first, second).Net())
}

// outside is the error of a send by LP 3, which is at some time, to LP 2.
func outside(time string) string {
	return "ross: LP 3 (once) at time " + time + ": sent LP 2 an event (rosstest.Word): send outside a handler: send from Init, PreRun or Event of the LP itself"
}

func TestSendOutsideAHandlerIsRefused(t *testing.T) {
	send := func(lp *ross.LP) { ross.Send(lp, 2, 1, word{N: 1}) }
	nothing := func(*ross.LP) {}
	third := func(pe *ross.PE) { send(pe.LP(3)) }

	other := rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 0, 1, word{N: 1}) })
	other.Event = func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) { send(lp.PE().LP(3)) }
	other.Init = func(_ *none, lp *ross.LP) { ross.Send(lp, 0, 1, word{}) }
	commit := rosstest.Once(nothing)
	commit.Commit = func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) { send(lp) }
	final := rosstest.Once(nothing)
	final.Final = func(_ *none, lp *ross.LP) {
		if lp.ID() == 3 {
			send(lp)
		}
	}
	trace := rosstest.Once(nothing)
	trace.Trace = func(lp *ross.LP, _ ross.TraceKind, _ *word, _ []byte) bool { send(lp); return true }

	for name, c := range map[string]struct {
		typ  ross.LPType
		set  func(*ross.Config)
		time string
	}{
		"another LP's Event":    {other, func(*ross.Config) {}, "0"},
		"Commit":                {commit, func(*ross.Config) {}, "1.5"},
		"Final":                 {final, func(*ross.Config) {}, "1.5"},
		"Trace":                 {trace, func(c *ross.Config) { c.EventTrace = 1 }, "1.5"},
		"before the LPs' Init":  {rosstest.Once(nothing), func(c *ross.Config) { c.PE.PreLPInit = third }, "0"},
		"after the LPs' Init":   {rosstest.Once(nothing), func(c *ross.Config) { c.PE.PostLPInit = third }, "0"},
		"the PE's Final":        {rosstest.Once(nothing), func(c *ross.Config) { c.PE.Final = third }, "1.5"},
		"hook between events":   {rosstest.Once(nothing), func(c *ross.Config) { c.HookTrigger = ross.HookAt(1) }, "0"},
		"hook after the events": {rosstest.Once(nothing), func(c *ross.Config) { c.HookTrigger = ross.HookAt(2) }, "1.5"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			cfg.StatsPath = t.TempDir() + "/trace"
			cfg.GVTHook = func(pe *ross.PE, _ bool) { third(pe) }
			c.set(&cfg)
			out := rosstest.Try(t, cfg, c.typ)
			require.EqualError(t, out.Err, outside(c.time))
			require.ErrorIs(t, out.Err, ross.ErrOutsideHandler)
		})
	}
}

func TestSendFromMainBeforeRunIsReportedByRun(t *testing.T) {
	sim, _ := rosstest.Define(t, rosstest.Small(), rosstest.Once(func(*ross.LP) {}))
	ross.Send(sim.LP(3), 2, 1, word{})
	require.EqualError(t, sim.Run(context.Background()), outside("0"))
}

// There is no run any more that could return it.
func TestSendFromMainAfterRunIsReportedByClose(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), rosstest.Once(func(*ross.LP) {}))
	ross.Send(out.LP(3), 2, 1, word{})
	require.EqualError(t, out.Close(), outside("1.5"))
	require.NoError(t, out.Close())
}

func TestErrorOfAModelIsReportedOnceByRunAndNotByClose(t *testing.T) {
	out := rosstest.Try(t, rosstest.Small(), rosstest.Once(func(lp *ross.LP) { lp.Fail(assert.AnError) }))
	require.Error(t, out.Err)
	require.NoError(t, out.Close())
}
