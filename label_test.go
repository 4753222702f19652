// Where labels appear, and that an error has each once.

package ross_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/report"
)

// labelled runs a model of four LPs whose LP 2 does something at time 1.
func labelled(t *testing.T, set func(*ross.Config), label func(ross.LPID) string, do func(s *word, lp *ross.LP)) (*ross.Simulation, string, error) {
	t.Helper()
	var out bytes.Buffer
	cfg := rosstest.Small()
	cfg.Output = &out
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[word]{
		Name: "router", Label: label,
		Init: func(_ *word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(s *word, lp *ross.LP, _ *word) {
			if lp.ID() == 2 {
				do(s, lp)
			}
		}).Reverse(func(*word, *ross.LP, *word) {}),
	}))
	err = sim.Run(context.Background())
	return sim, out.String(), err
}

// grid is a label of LPs in two columns.
func grid(id ross.LPID) string { return fmt.Sprintf("router (%d,%d)", id/2, id%2) }

func TestErrorsNameTheLPsByTheirLabels(t *testing.T) {
	full := errors.New("buffer is full")
	for name, c := range map[string]struct {
		do   func(s *word, lp *ross.LP)
		says string
	}{
		"its own":    {func(_ *word, lp *ross.LP) { lp.Fail(full) }, `ross: LP 2 "router (1,0)" (router) at time 1: the model gave up: buffer is full`},
		"receiver":   {func(_ *word, lp *ross.LP) { ross.Send(lp, 3, -1, word{}) }, `LP 2 "router (1,0)" (router) at time 1: sent LP 3 "router (1,1)" an event (rosstest.Word) with delay -1`},
		"no such LP": {func(_ *word, lp *ross.LP) { ross.Send(lp, 9, 1, word{}) }, `sent an event (rosstest.Word) to LP 9: no such LP`},
		"a panic":    {func(_ *word, lp *ross.LP) { panic("ouch") }, `LP 2 "router (1,0)" (router) at time 1: panic: ouch`},
		"a message":  {func(_ *word, lp *ross.LP) { ross.Send(lp, 3, 1, none{}) }, `sent LP 3 "router (1,1)" (router) an event (rosstest.None)`},
		"priority":   {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 0, 1, 3, word{}) }, `sent LP 0 "router (0,0)" an event (rosstest.Word) with priority 3`},
	} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 4, 6} {
			t.Run(fmt.Sprint(name, "/synch=", synch), func(t *testing.T) {
				_, _, err := labelled(t, func(c *ross.Config) {
					if c.Synch = synch; synch == 2 || synch == 3 {
						c.PEs, c.NLP = 2, 2
					}
				}, grid, c.do)
				require.ErrorContains(t, err, c.says)
				var mistake *ross.ModelError
				require.ErrorAs(t, err, &mistake)
				require.Equal(t, grid(2), mistake.Label)
			})
		}
	}
}

func TestCheckOfRollbackNamesTheSenderByItsLabel(t *testing.T) {
	_, _, err := labelled(t, func(c *ross.Config) { c.Synch = 6 }, grid, func(s *word, _ *ross.LP) { s.N++ })
	require.ErrorContains(t, err, `LP 2 "router (1,0)" (router) at time 1: Reverse of the event that LP 2 sent at time 0 left`)
}

func TestLabelsAreInTheReportAndTheFiles(t *testing.T) {
	dir := t.TempDir()
	sim, out, err := labelled(t, func(c *ross.Config) { c.Dir = dir }, grid, func(_ *word, lp *ross.LP) { lp.Stop() })
	require.NoError(t, err)
	require.Regexp(t, `Stopped by LP +2 "router \(1,0\)"\n`, out)
	require.Equal(t, "router (0,1)", sim.LP(1).Label())
	text, err := os.ReadFile(filepath.Join(dir, report.LPStatsDir, "pe_0.txt"))
	require.NoError(t, err)
	require.Regexp(t, `LPID: 3\t-  Processing time: [0-9.e+-]+\t-  Events processed: \d\t-  Label: "router \(1,1\)"\n`, string(text))
}

// TestLabelsThatCannotBeShownDoNoHarm has one that panics, one that is empty, and one with
// characters that would break the line.
func TestLabelsThatCannotBeShownDoNoHarm(t *testing.T) {
	for says, label := range map[string]func(ross.LPID) string{
		`ross: LP 2 (router) at time 1: the`:               func(id ross.LPID) string { return []string{"too short"}[id] },
		`ross: LP 2 (router) at time 1: the model`:         func(ross.LPID) string { return "" },
		`ross: LP 2 "a\nb\x1b[31m\"c" (router) at time 1:`: func(ross.LPID) string { return "a\nb\x1b[31m\"c" },
	} {
		_, _, err := labelled(t, func(c *ross.Config) { c.Synch = 3 }, label, func(_ *word, lp *ross.LP) { lp.Fail(errors.New("no")) })
		require.ErrorContains(t, err, says)
	}
}

// An error of a labelled LP has its label once, whatever the LP did to itself,
// and the labels of others.

func TestErrorsHaveALabelOnce(t *testing.T) {
	self := func(delay float64) func(*word, *ross.LP) {
		return func(_ *word, lp *ross.LP) { ross.Send(lp, lp.ID(), delay, word{}) }
	}
	same := func(*ross.Config) {}
	for name, c := range map[string]struct {
		do   func(s *word, lp *ross.LP)
		set  func(*ross.Config)
		err  error
		says string
	}{
		"a delay":    {self(-1), same, ross.ErrDelay, "at time 1: sent LP 2 an event (rosstest.Word) with delay -1"},
		"a message":  {func(_ *word, lp *ross.LP) { ross.Send(lp, 2, 1, none{}) }, same, ross.ErrMessageType, "at time 1: sent LP 2 (router) an event (rosstest.None)"},
		"a priority": {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 2, 1, 3, word{}) }, same, ross.ErrPriority, "at time 1: sent LP 2 an event (rosstest.Word) with priority 3"},
		"an order":   {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 2, 0, 0.5, word{}) }, same, ross.ErrOrder, "at time 1: sent LP 2 an event (rosstest.Word) without delay"},
		"a timer":    {func(_ *word, lp *ross.LP) { ross.After(lp, -1, word{}) }, same, ross.ErrDelay, "at time 1: sent LP 2 an event (rosstest.Word) with delay -1"},
		"outside": {func(_ *word, lp *ross.LP) {
			other := lp.PE().LP(1)
			ross.Send(other, 1, 1, word{})
		}, same, ross.ErrOutsideHandler, `sent LP 1 an event (rosstest.Word): send outside a handler`},
		"a chain": {self(0), func(c *ross.Config) { c.MaxChain = 50 }, ross.ErrChain, "at time 1: sent LP 2 an event (rosstest.Word) without delay, after a chain of 50 of them"},
		"a chain without memory": {func(_ *word, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 0, word{})
			for range 8 {
				ross.Send(lp, lp.ID(), 1, word{})
			}
		}, func(c *ross.Config) { c.MaxChain, c.MaxMemory = 0, 1<<20 }, ross.ErrMemory, "events without delay from LP 2 at time 1"},
		"bits":    {func(*word, *ross.LP) { panic("bits") }, same, ross.ErrPanic, "panic: bits"},
		"a block": {func(_ *word, lp *ross.LP) { ross.Alloc[int64](lp, -1) }, same, ross.ErrSave, "allocated -1 values of int64"},
		"a free": {func(_ *word, lp *ross.LP) {
			b := ross.Alloc[int64](lp, 1)
			ross.Free(lp, b)
			ross.Free(lp, b)
		}, same, ross.ErrSave, "freed a block of 8 bytes that had already been freed"},
		"a save":       {func(_ *word, lp *ross.LP) { ross.Save(lp, new(int64)) }, func(c *ross.Config) { c.Synch = 3 }, ross.ErrSave, "saved 8 bytes elsewhere"},
		"an end":       {func(_ *word, lp *ross.LP) { lp.StopAfter(math.NaN()) }, same, ross.ErrDelay, "stopped the run after a delay of NaN"},
		"no lookahead": {func(_ *word, lp *ross.LP) { lp.Stop() }, cautious, ross.ErrLookahead, "stopped the run, but other PEs"},
		"too near":     {func(_ *word, lp *ross.LP) { ross.Send(lp, 0, 0.25, word{}) }, cautious, ross.ErrLookahead, `sent LP 0 "router (0,0)" on PE 0 an event (rosstest.Word) with delay 0.25`},
		"a rollback":   {func(s *word, _ *ross.LP) { s.N++ }, func(c *ross.Config) { c.Synch = 6 }, ross.ErrReverse, "Reverse of the event that LP 2 sent at time 0 left Word.N at 1"},
		"all rollbacks": {func(s *word, _ *ross.LP) { s.N++ }, func(c *ross.Config) { c.Synch = 4 }, ross.ErrReverse,
			"left Word.N at 1, it was 0 after Init"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := labelled(t, c.set, grid, c.do)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.says)
			var who ross.LPID = 2
			if name == "outside" {
				who = 1
			}
			require.ErrorContains(t, err, fmt.Sprintf("ross: LP %d %q (router)", who, grid(who)))
			require.Equal(t, 1, strings.Count(err.Error(), grid(who)), "%v", err)
		})
	}
}

// cautious has LPs 0 and 1 on one conservative PE and LPs 2 and 3 on another.
func cautious(c *ross.Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 2, 2, 0.5 }

func TestTimersOfOthersAreNamedByTheirLabels(t *testing.T) {
	var kept ross.Timer
	out := rosstest.Try(t, rosstest.Small(), ross.Type[none]{
		Name: "router", Label: grid,
		Init: func(_ *none, lp *ross.LP) {
			if timer := ross.After(lp, 1, word{}); lp.ID() == 1 {
				kept = timer
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			if lp.ID() != 1 {
				kept.Cancel(lp)
			}
		}),
	})
	require.ErrorIs(t, out.Err, ross.ErrTimer)
	require.ErrorContains(t, out.Err, `cancelled a timer of LP 1 "router (0,1)": timer cannot be cancelled`)
}
