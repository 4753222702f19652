// This file owns the tests of servers who are not there at first.

package resource_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/resource"
)

// booth opens at a time, or never.
type booth struct {
	Clerks  Servers[byte]    `ross:"clerks"`
	Windows [2]Servers[byte] `ross:"windows"` // LP 0 has a clerk at each
}

type opens struct{}

// opening returns the report of a run in which a customer comes to the clerks of each booth at time 1, and that of LP 1
// gets a clerk at a time.
func opening(t *testing.T, synch ross.Scheduler, at float64) string {
	t.Helper()
	var out bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.Output, cfg.End, cfg.ShortReport, cfg.Synch, cfg.Digest = &out, 10, true, synch, true
	sim, err := ross.Run(context.Background(), cfg, ross.Type[booth]{
		Name: "booth", LPs: 2, Saving: ross.SaveByLog,
		Init: func(s *booth, lp *ross.LP) {
			s.Clerks.Open(lp, Rules{Servers: NoServers})
			s.Windows[0].Open(lp, Rules{Servers: NoServers})
			s.Windows[1].Open(lp, Rules{Servers: 1})
			require.Zero(t, s.Clerks.Servers())
			ross.Send(lp, lp.ID(), 1, ross.None{})
			if lp.ID() == 1 {
				ross.Send(lp, lp.ID(), at, opens{})
			}
		},
		Event: ross.Events(
			ross.On(func(s *booth, lp *ross.LP, _ *ross.None) {
				s.Clerks.Request(lp, 'A')
				s.Windows[1].Request(lp, 'B')
			}),
			ross.On(func(s *booth, lp *ross.LP, _ *opens) {
				s.Clerks.SetServers(lp, 1)
				s.Clerks.Next(lp)
			}),
		),
	})
	require.NoError(t, err)
	require.NoError(t, sim.Close())
	return out.String()
}

// TestARunInWhichNobodyIsServedHasANote: only if customers wait, and no LP of the type has served any.
func TestARunInWhichNobodyIsServedHasANote(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.RollbackCheck} {
		report := opening(t, synch, 20)
		require.Contains(t, report,
			`Note: LP type "booth": customers wait in clerks (of LP 0, for one), and nobody has been served: `+
				`has it servers (Rules.Servers, SetServers)?`)
		require.NotContains(t, report, "windows")
		require.NotContains(t, opening(t, synch, 5), "Note: LP type")
	}
}
