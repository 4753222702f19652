package proc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc/internal/hook"
	"github.com/ross-go/ross/proc/internal/models"
)

// reportOf runs a model and returns its report.
func reportOf(t *testing.T, cfg ross.Config, types ...ross.LPType) (report string, err error) {
	t.Helper()
	var out strings.Builder
	cfg.Output = &out
	sim, err := ross.Run(context.Background(), cfg, types...)
	if err == nil {
		require.NoError(t, sim.Close())
	}
	return out.String(), err
}

// TestTheReportNamesProcessesThatCanNeverGoOn has two that wait for one another, one that waits for one of them, and
// one that waits for a server of a process that has ended. The list is that of this text, in every scheduler.
func TestTheReportNamesProcessesThatCanNeverGoOn(t *testing.T) {
	const want = `Processes at the end: 4 of 5 that have begun
  models.Stuck.asks    1  waits for a server of Desk      stuck.go:55  since 0.25
  models.Stuck.eater   1  waits for a server of Forks[0]  stuck.go:36  since 1, held by models.Stuck.eater #1 at stuck.go:36
  models.Stuck.eater   1  waits for a server of Forks[1]  stuck.go:36  since 1, held by models.Stuck.eater #2 at stuck.go:36
  models.Stuck.friend  1  waits for the end of a process  stuck.go:44  since 0.5

Note: some processes can never go on, or have kept what others wait for:
  LP 0: models.Stuck.eater #1 waits for a server of Forks[1] at stuck.go:36 since 1, held by process models.Stuck.eater #2 at stuck.go:36, which cannot go on either
  LP 0: models.Stuck.eater #2 waits for a server of Forks[0] at stuck.go:36 since 1, held by process models.Stuck.eater #1 at stuck.go:36, which cannot go on either
  LP 0: models.Stuck.friend #3 waits for the end of a process at stuck.go:44 since 0.5, that of process models.Stuck.eater #1 at stuck.go:36, which cannot go on either
  LP 0: models.Stuck.asks #5 waits for a server of Desk at stuck.go:55 since 0.25, held by process models.Stuck.forgets #4, which has ended
  LP 0: process models.Stuck.forgets #4 has ended, and nobody has released the server of Desk that it had: release it, with defer if the process may be killed
`
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic, ross.RollbackCheck} {
		report, err := reportOf(t, ross.Config{End: 100, Synch: synch, ConsLookahead: 1}, models.StuckOnes(1, false))
		require.NoError(t, err)
		require.Contains(t, report, want, synch)
	}
	hook.Direct.Store(true)
	defer hook.Direct.Store(false)
	report, err := reportOf(t, ross.Config{End: 100}, models.StuckOnes(1, false))
	require.NoError(t, err)
	require.Contains(t, report, want, "as coroutines")
}

// TestWhatMayStillHappenIsNotCalledStuck has a process that waits for a signal: nobody may fire it any more when no
// event is left, and in a bank that goes on no one is stuck.
func TestWhatMayStillHappenIsNotCalledStuck(t *testing.T) {
	report, err := reportOf(t, ross.Config{End: 100}, models.StuckOnes(1, true))
	require.NoError(t, err)
	require.Contains(t, report, "models.Stuck.hopes #6 waits for signal Never at stuck.go:59 since 0, and no event is left\n")
	report, err = reportOf(t, ross.Config{End: 100}, models.StuckOnes(1, true), models.Banks(1))
	require.NoError(t, err)
	require.NotContains(t, report, "hopes #6")
	require.Contains(t, report, "LP 0: models.Stuck.eater #1")
	report, err = reportOf(t, ross.Config{End: 100}, models.Banks(2))
	require.NoError(t, err)
	require.NotContains(t, report, "never go on")
	require.Contains(t, report, " that have begun\n  models.Bank.")
}

// TestWhoTravelsWithAServerIsNotCalledGone has a traveller with a server at home, one who waits for it, and one who
// could travel, but ends with a server. Nobody knows that the traveller comes back, but as long as there are events he
// may. Another one travels on with what it got where it came to.
func TestWhoTravelsWithAServerIsNotCalledGone(t *testing.T) {
	const list = "Note: some processes can never go on, or have kept what others wait for:\n"
	const ended = "  LP 0: process models.Errand.stays #3 has ended, and nobody has released the server of Shop that it had: " +
		"release it, with defer if the process may be killed\n"
	for end, want := range map[float64]string{
		0.5: "",
		5:   list + ended,
		100: list + "  LP 0: models.Errand.asks #2 waits for a server of Desk at stuck.go:122 since 2, held by " +
			"process models.Errand.takes #1, which has ended or is at another LP\n" +
			"  LP 0: process models.Errand.takes #1 has ended or is at another LP, and nobody has released the server of " +
			"Desk that it had: let it come back, and release it here\n" + ended +
			"  LP 1: process models.Errand.rounds #1 has ended or is at another LP, and nobody has released the server of " +
			"Shop that it had: let it come back, and release it here\n",
	} {
		for _, way := range []string{"generated", "as written", "checked"} {
			cfg, errands := ross.Config{End: end}, models.Errands()
			if way == "checked" {
				cfg.Synch, errands.Saving = ross.RollbackCheck, ross.SaveByLog
			}
			hook.Direct.Store(way == "as written")
			report, err := reportOf(t, cfg, errands)
			hook.Direct.Store(false)
			require.NoError(t, err)
			require.Contains(t, report, " that have begun\n")
			_, note, _ := strings.Cut(report, list)
			if note, _, _ = strings.Cut(note, "\n\n"); note != "" {
				note = list + note + "\n"
			}
			require.Equal(t, want, note, "end %g, %s", end, way)
		}
	}
}

// TestLongListsAreCut names ten of the processes that can never go on.
func TestLongListsAreCut(t *testing.T) {
	report, err := reportOf(t, ross.Config{End: 100, ShortReport: true}, models.StuckOnes(7, false))
	require.NoError(t, err)
	require.Contains(t, report, "LP 1: process models.Stuck.forgets #4 has ended, and nobody")
	require.NotContains(t, report, "LP 2")
	require.Contains(t, report, "\n  and 25 more\n")
	require.NotContains(t, report, "Processes at the end")
}

// TestErrorsOfTheCheckNameProcessLineAndVariable has a process that reads something else than its state.
func TestErrorsOfTheCheckNameProcessLineAndVariable(t *testing.T) {
	models.Outside.Store(0)
	_, err := reportOf(t, ross.Config{End: 10, Synch: ross.RollbackCheck}, models.Drifts())
	require.ErrorIs(t, err, ross.ErrReverse)
	require.ErrorContains(t, err, "(process models.Drift.drifts #1 from stuck.go:85), left ")
	require.ErrorContains(t, err, "miles of process models.Drift.drifts #1 at stuck.go:87 at 2, it was 1")
}

// TestWatchSaysWhatProcessesDo shows lines of a bank.
func TestWatchSaysWhatProcessesDo(t *testing.T) {
	var texts []string
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		text, err := reportOf(t, ross.Config{End: 60, Synch: synch, ShortReport: true, Watch: "0"}, models.Banks(1))
		require.NoError(t, err)
		text = text[strings.Index(text, "Watch: "):]
		texts = append(texts, text[:strings.Index(text, "\nRun ")])
	}
	require.Equal(t, texts[0], texts[1])
	require.Contains(t, texts[0], "  goes on   models.Bank.source #1: bank.go:23, sleeps since ")
	require.Contains(t, texts[0], "  began     models.Bank.customer #3: bank.go:30, waits for a server of Counter since ")
	require.Contains(t, texts[0], " {needs:5.836588070903169 patience:9.00322731867187 turn:0}\n")
	require.Contains(t, texts[0], "  ended     models.Bank.customer #2: it was at bank.go:34, sleeps since ")
	require.Contains(t, texts[0], "  changed   Counter: 1 of 1 busy, 1 wait -> 1 of 1 busy, 0 wait\n")
	require.NotContains(t, texts[0], "visits")
	require.NotContains(t, texts[0], "Processes.")
}
