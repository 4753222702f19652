// This file pins where labels appear: in errors, also about other LPs and by other checks, in
// the report, and in the files with results.

package ross_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
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
	require.NoError(t, sim.Define(ross.Type[word, word]{
		Name: "router", Label: label,
		Init: func(_ *word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: func(s *word, lp *ross.LP, _ *ross.Bits, _ *word) {
			if lp.ID() == 2 {
				do(s, lp)
			}
		},
		Reverse: func(*word, *ross.LP, *ross.Bits, *word) {},
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
