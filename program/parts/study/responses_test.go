// This file owns the tests of the results that a study has: details and numbers of recordings only where they are asked
// for, and rare things only where they have happened.

package study

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// crane is a state whose events are at 1, 2, 3 and so on.
type crane struct {
	Moves   stats.Tally   `ross:"moves"`
	Broken  stats.Counter `ross:"broken,,rare"`
	Fell    stats.Counter `ross:"fell,,rare"`
	Ropes   stats.Tally   `ross:"ropes,,detail"`
	Tension stats.Tally   `ross:"tension"`
}

// yard returns a program whose cranes break with a probability.
func yard() program.Program {
	breaks := 0.5
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = 2, 9.5
	return program.Program{
		Name: "yard", Config: cfg, Parts: []program.Part{Of(yard)},
		Options: func(o *ross.Options, _ *ross.Config) {
			o.Group("Yard").Float64(&breaks, "breaks", "probability that a crane breaks")
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[crane]{
				Name: "crane",
				Init: func(_ *crane, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
				Event: ross.On(func(c *crane, lp *ross.LP, _ *ross.None) {
					c.Moves.Add(lp, lp.Now())
					c.Ropes.Add(lp, 2)
					if lp.RNG().Unif() < breaks {
						c.Broken.Inc(lp)
					}
					ross.Send(lp, lp.ID(), 1, ross.None{})
				}),
			})
		},
	}
}

// yards runs the program, and returns what it prints.
func yards(t *testing.T, words ...string) string {
	t.Helper()
	var o, e bytes.Buffer
	status := yard().Main(append([]string{"--replications=3"}, words...), &o, &e)
	require.Zero(t, status, e.String())
	return o.String()
}

// resultsIn returns the first words of the lines of the table of one point, and the numbers behind them.
func resultsIn(out string) (names []string, means []string) {
	_, table, _ := strings.Cut(out, "result ")
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		f := strings.Fields(line)
		n := len(f) - 3
		names, means = append(names, strings.Join(f[:n], " ")), append(means, f[n])
	}
	return names, means
}

func TestAStudyHasWhatIsAskedForAndWhatHasHappened(t *testing.T) {
	for _, c := range []struct{ words, names, means string }{
		{"", "broken,moves", ""},
		{"--breaks=0", "moves", "5"},
		{"--breaks=0|--results=ropes,fell,moves n", "ropes,fell,moves n", "2,0,18"},
		{"--result=each=\"moves n\"/18*ropes*breaks|--results=each", "each", "1"},
		{"--result=rate=\"moves n\"/(end-\"warm-up\"-0.5)|--results=rate", "rate", "2"},
	} {
		names, means := resultsIn(yards(t, strings.FieldsFunc(c.words, func(r rune) bool { return r == '|' })...))
		require.Equal(t, c.names, strings.Join(names, ","), c.words)
		if c.means != "" {
			require.Equal(t, c.means, strings.Join(means, ","), c.words)
		}
	}
}

// TestFormulasHaveTheOptionsOfTheirPoint: each row has its own value of an option that is varied.
func TestFormulasHaveTheOptionsOfTheirPoint(t *testing.T) {
	out := yards(t, "--vary=breaks=0.25,0.5", "--result=twice=2*breaks", "--results=twice")
	require.Contains(t, out, "0.25  0.5 ± 0")
	require.Contains(t, out, " 0.5  1 ± 0")
}

func TestAJournalLacksWhatWasNotAskedFor(t *testing.T) {
	journal := "--journal=" + filepath.Join(t.TempDir(), "j")
	first := yards(t, journal)
	require.Equal(t, first, yards(t, journal))
	require.Contains(t, yards(t, journal, "--results=ropes"),
		"no run has recorded anything for ropes; runs that the journal has from a command without its name may lack it")
	require.NotContains(t, first, "fell", "rare, also by the journal")
}

func TestResponsesAreThoseOfAStudy(t *testing.T) {
	p := yard()
	sim, err := ross.New(p.Config)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(t.Context()))
	r, err := Responses(sim)
	require.NoError(t, err)
	require.Equal(t, []string{"broken", "fell", "moves"}, slices.Sorted(maps.Keys(r)))
	require.Equal(t, 5.0, r["moves"])
}
