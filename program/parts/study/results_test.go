// This file owns the tests of the results that a study has, and of the notes of its runs.

package study

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// gauge records the times between its events.
type gauge struct {
	Plain  stats.Histogram `ross:"plain"`
	Chosen stats.Histogram `ross:"chosen,,q=0.25;0.999"`
}

// gauges returns a function that makes a program without Program.Results, and the number of events that were handled.
func gauges() (model func() program.Program, events *atomic.Int64) {
	events = new(atomic.Int64)
	model = func() program.Program {
		cfg := ross.DefaultConfig()
		cfg.LPs, cfg.End = 2, 50
		return program.Program{
			Name: "gauges", Config: cfg, Parts: []program.Part{Of(model)},
			Build: func(sim *ross.Simulation) error {
				return sim.Define(ross.Type[gauge]{
					Name: "gauge",
					Init: func(_ *gauge, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), ross.None{}) },
					Event: ross.On(func(g *gauge, lp *ross.LP, _ *ross.None) {
						events.Add(1)
						after := lp.RNG().Exponential(1)
						g.Plain.Add(lp, after)
						g.Chosen.Add(lp, after)
						ross.Send(lp, lp.ID(), after, ross.None{})
					}),
				})
			},
		}
	}
	return model, events
}

// gauged runs it with the words of a line.
func gauged(line string) (status int, out, errs string, events int64) {
	model, n := gauges()
	var o, e bytes.Buffer
	status = model().Main(strings.Fields(line), &o, &e)
	return status, o.String(), e.String(), n.Load()
}

// TestAStudyHasTheQuantilesOfASingleRun: those of the tag, of --quantiles, and the usual ones.
func TestAStudyHasTheQuantilesOfASingleRun(t *testing.T) {
	for words, want := range map[string]string{
		"":                        "chosen, chosen p25, chosen p99.9, plain, plain p50, plain p90, plain p99",
		" --quantiles=0.5,0.95,1": "chosen, chosen p100, chosen p50, chosen p95, plain, plain p100, plain p50, plain p95",
	} {
		status, out, errs, events := gauged("--replications=3 --results=what" + words)
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.Equal(t, "gauges: option --results: what is not a result; give one of "+want+"\n", errs)
		require.Zero(t, events, "it is known before a run")
		status, out, errs, _ = gauged("--replications=3" + words)
		require.Zero(t, status, errs)
		for name := range strings.SplitSeq(want, ", ") {
			require.Contains(t, out, "\n"+name+" ")
		}
		require.Equal(t, 4+len(strings.Split(want, ", ")), strings.Count(out, "\n"), out)
	}
	status, out, errs, _ := gauged("--replications=3 --quantiles=0.95 --results=chosne")
	require.Equal(t, 2, status, out+errs)
	require.Contains(t, errs, "did you mean chosen? give one of chosen, chosen p95, plain, plain p95\n")

	journal := filepath.Join(t.TempDir(), "j")
	status, _, errs, _ = gauged("--replications=3 --quantiles=0.9 --journal=" + journal)
	require.Zero(t, status, errs)
	status, _, errs, _ = gauged("--replications=3 --quantiles=0.8 --journal=" + journal)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "its name is gauges --quantiles=0.9, and that of this one is gauges --quantiles=0.8")
}

// TestAStudyPrintsEachNoteOfItsRunsOnce: among them that nothing is recorded, which the table says, too.
func TestAStudyPrintsEachNoteOfItsRunsOnce(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "j")
	status, out, errs, _ := gauged("--replications=5 --warm-up=70 --workers=2 --results=plain --journal=" + journal)
	require.Zero(t, status, errs)
	require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	require.Regexp(t, "^gauges: .*warm-up", errs)
	require.Regexp(t, "\nplain +NaN +NaN +0\nno run has recorded anything for plain; runs that the journal has from a command without its name may lack it\n$", out)

	status, again, errs, events := gauged("--replications=5 --warm-up=70 --workers=2 --results=plain --journal=" + journal)
	require.Zero(t, status, errs)
	require.Equal(t, out, again, "from the journal alone")
	require.Zero(t, events)
	status, _, errs, _ = gauged("--replications=5 --warm-up=70 --results=plian --journal=" + journal)
	require.Equal(t, 2, status)
	require.Equal(t,
		"gauges: option --results: plian is not a result; did you mean plain? give one of chosen, chosen p25, chosen p99.9, "+
			"plain, plain p50, plain p90, plain p99\n", errs)
	_, err := os.Stat("ross.csv")
	require.ErrorIs(t, err, os.ErrNotExist)

	// Notes that differ from run to run do not fill the terminal.
	var b bytes.Buffer
	n := notes{out: &b}
	for i := range 100 {
		_, err := n.Write([]byte("gauges: note " + strings.Repeat("x", i/2) + "\n"))
		require.NoError(t, err)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	require.Len(t, lines, mostNotes+2)
	require.Equal(t, "gauges: runs have more notes, which are not shown; a single run (--replication) shows its own\n",
		lines[mostNotes])
}
