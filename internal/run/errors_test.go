// This file pins how a parallel run ends that goes wrong: on all PEs, with the
// error of what a sequential run would have come to, and never by hanging.

package run_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/models/rosstest"
)

// onAll runs a test under each parallel scheduler, on 1, 2 and 4 PEs.
func onAll(t *testing.T, do func(t *testing.T, set func(*ross.Config))) {
	for _, synch := range []int{2, 3, 5} {
		for _, pes := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				modeltest.Watch(t)
				do(t, func(c *ross.Config) { c.Synch, c.PEs, c.NLP = ross.Scheduler(synch), pes, 4/uint64(pes) })
			})
		}
	}
}

// place is a part of a model in which LP 3 fails, and the time there.
type place struct {
	typ ross.LPType
	at  string
}

// places returns models that fail in each part of theirs that a PE's thread runs.
func places(fail func()) map[string]place {
	boom := func(lp *ross.LP) {
		if lp.ID() == 3 {
			fail()
		}
	}
	quiet := func() ross.Type[none, word] { return rosstest.Once(func(*ross.LP) {}) }
	inInit, inPreRun, inCommit := quiet(), quiet(), quiet()
	inInit.Init = func(_ *none, lp *ross.LP) { boom(lp) }
	inPreRun.PreRun = func(_ *none, lp *ross.LP) { boom(lp) }
	inCommit.Commit = func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) { boom(lp) }
	byReverse := rosstest.Once(boom)
	byReverse.Reverse = func(*none, *ross.LP, *ross.Bits, *word) {}
	byLog := rosstest.Once(boom)
	byLog.Saving = ross.SaveByLog
	return map[string]place{
		"Init":                     {inInit, "0"},
		"PreRun":                   {inPreRun, "0"},
		"Event, saved by deltas":   {rosstest.Once(boom), "1.5"},
		"Event, saved by a log":    {byLog, "1.5"},
		"Event, undone by Reverse": {byReverse, "1.5"},
		"Commit":                   {inCommit, "1.5"},
	}
}

// requireEnds shows that models end in each place with a panic, told once.
func requireEnds(t *testing.T, in map[string]place, with string) {
	for name, c := range in {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				out := rosstest.Try(t, cfg, c.typ)
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				require.Equal(t, 1, ross.ExitCode(out.Err))
				require.True(t, strings.HasPrefix(out.Err.Error(), "ross: LP 3 (once) at time "+c.at+": panic: "+with+": handler panicked"), "%v", out.Err)
				require.Equal(t, 1, strings.Count(out.Err.Error(), "handler panicked"), "told once")
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}

func TestParallelRunEndsWithThePanicOfAHandler(t *testing.T) {
	in := places(func() { panic("boom") })
	inFinal := rosstest.Once(func(*ross.LP) {})
	inFinal.Final = func(_ *none, lp *ross.LP) {
		if lp.ID() == 3 {
			panic("boom")
		}
	}
	in["Final"] = place{inFinal, "1.5"}
	requireEnds(t, in, "boom")
}

func TestParallelRunEndsWhenAHandlerEndsItsGoroutine(t *testing.T) {
	requireEnds(t, places(runtime.Goexit), "runtime.Goexit was called")
}

func TestParallelRunEndsWithTheMistakeOfAModel(t *testing.T) {
	const who = "ross: LP 3 (once) at time 1.5: "
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		want error
		text string
	}{
		"delay":       {func(lp *ross.LP) { ross.Send(lp, 0, -1, word{N: 1}) }, ross.ErrDelay, "sent LP 0 an event (rosstest.Word) with delay -1: bad delay: a delay must be finite and at least 0; likely causes: a difference of times or its rounding, a distribution with negative values"},
		"destination": {func(lp *ross.LP) { ross.Send(lp, 4, 1, word{N: 1}) }, ross.ErrDestination, "sent an event (rosstest.Word) to LP 4: no such LP: ids go from 0 to 3"},
		"priority":    {func(lp *ross.LP) { ross.SendPriority(lp, 0, 1, 2, word{N: 1}) }, ross.ErrPriority, "sent LP 0 an event (rosstest.Word) with priority 2: bad priority: a priority must be in [0, 1]"},
		"message":     {func(lp *ross.LP) { ross.Send(lp, 0, 1, none{}) }, ross.ErrMessageType, "sent LP 0 (once) an event (rosstest.None): wrong message type: send what its type's Event expects, rosstest.Word"},
		"the model's": {func(lp *ross.LP) { lp.Fail(assert.AnError) }, assert.AnError, "the model gave up: " + assert.AnError.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				out := rosstest.Try(t, cfg, rosstest.Once(c.do))
				require.ErrorIs(t, out.Err, c.want)
				text := c.text
				if cfg.Synch != ross.Conservative && (c.want == ross.ErrDelay || c.want == ross.ErrDestination) {
					text += "; if --synch=1 runs without this error, an event is not undone as it should be: --synch=6 finds it"
				}
				require.EqualError(t, out.Err, who+text)
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}

// TestNothingCanHaveBeenUndoneBeforeTheFirstEvent has mistakes in Init and PreRun, whose errors must not blame rollback.
func TestNothingCanHaveBeenUndoneBeforeTheFirstEvent(t *testing.T) {
	for name, spoil := range map[string]func(typ *ross.Type[none, word]){
		"Init": func(typ *ross.Type[none, word]) { typ.Init = func(*none, *ross.LP) { panic("no") } },
		"PreRun": func(typ *ross.Type[none, word]) {
			typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, 0, -1, word{}) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				typ := rosstest.Forever(rosstest.NoTick)
				spoil(&typ)
				out := rosstest.Try(t, cfg, typ)
				require.Error(t, out.Err)
				require.NotContains(t, out.Err.Error(), "--synch=6")
			})
		})
	}
}

func TestConservativeRunRefusesADelayBelowTheLookahead(t *testing.T) {
	modeltest.Watch(t)
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, 2, 2, 0.5
	out := rosstest.Try(t, cfg, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 0, 0.25, word{N: 1}) }))
	require.ErrorIs(t, out.Err, ross.ErrLookahead)
	require.EqualError(t, out.Err, "ross: LP 3 (once) at time 1.5: sent LP 0 on PE 0 an event (rosstest.Word) with delay 0.25, below the lookahead of 0.5: "+
		"lookahead violated: send with at least the lookahead, or lower --cons-lookahead to the least delay between PEs")
	rosstest.Run(t, cfg, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 2, 0.25, word{N: 1}) })) // on its own PE it may
}

func TestPanicOfAHookEndsAParallelRun(t *testing.T) {
	boom := func(pe *ross.PE) {
		if pe.ID() == pe.Simulation().PE(ross.PEID(pe.Simulation().NumPEs()-1)).ID() {
			panic("boom")
		}
	}
	for name, hook := range rosstest.Hooks(boom) {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				hook(&cfg)
				out := rosstest.Try(t, cfg, rosstest.Once(func(*ross.LP) {}))
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				require.ErrorContains(t, out.Err, "ross: panic in a hook at time ")
				require.Equal(t, 1, strings.Count(out.Err.Error(), "handler panicked"))
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}
