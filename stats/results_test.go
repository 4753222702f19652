// This file owns the tests of the choice of statistics in a report: those of --results, and rare things only where they
// have happened. Files have all.

package stats_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/stats"
)

// ambulance is a state in which one thing never happens, and one that may not happen does.
type ambulance struct {
	Beds   stats.Level
	Wait   stats.Histogram  `ross:"wait,h"`
	Died   stats.Counter    `ross:"died,patients,rare"`
	Fled   stats.Counter    `ross:"fled,patients,rare"`
	Called stats.Counter    `ross:"called"`
	Doors  [2]stats.Counter `ross:",,rare,names=front;back,total=all doors"`
	Crew   struct {
		Asleep stats.Level
		Awake  stats.Level
		Tea    stats.Tally
		Coffee stats.Tally
	} `ross:"crew,,rare"`
	Each [2]struct {
		Trips stats.Counter `ross:",,detail"`
	} `ross:"each"`
}

func ambulances(name string) ross.Type[ambulance] {
	return ross.Type[ambulance]{Name: name, Init: func(s *ambulance, lp *ross.LP) {
		s.Beds.Set(lp, 3)
		s.Wait.Add(lp, 2)
		s.Fled.Inc(lp)
		s.Doors[1].Inc(lp)
		s.Crew.Asleep.Set(lp, 0)
		s.Crew.Awake.Set(lp, 2)
		s.Crew.Coffee.Add(lp, 0)
		s.Each[1].Trips.Inc(lp)
	}, Event: ross.On(func(*ambulance, *ross.LP, *struct{}) {})}
}

// shown returns the first two columns of the table in a report.
func shown(t *testing.T, report string) (rows []string) {
	t.Helper()
	_, table, found := strings.Cut(report, "Statistics from time")
	require.True(t, found, report)
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		rows = append(rows, strings.Join(strings.Fields(line)[:2], " "))
	}
	return rows
}

func TestAReportShowsTheStatisticsWithTheNamesThatAreGiven(t *testing.T) {
	for results, want := range map[string][]string{
		"":                         {"a Beds", "a wait", "a fled", "a called", "a Doors[back]", "a all", "a crew.Awake", "a crew.Coffee"},
		"each[1].Trips":            {"a each[1].Trips"},
		"wait,died":                {"a wait", "a died"},
		"a Beds":                   {"a Beds"},
		"wait p95,all doors":       {"a wait", "a all"},
		"Doors[front],a all doors": {"a Doors[front]", "a all"},
	} {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.Instruments.Path = 1, 1, filepath.Join(t.TempDir(), "out")
		cfg.Statistics = ross.StatisticsInFiles
		if results == "" {
			cfg.Statistics |= ross.StatisticsInReport
		} else {
			cfg.Results = strings.Split(results, ",")
		}
		out := rosstest.Run(t, cfg, ambulances("a"))
		require.Equal(t, want, shown(t, out.Report), results)
		files, err := filepath.Glob(filepath.Join(cfg.Instruments.Path, "*.json"))
		require.NoError(t, err)
		all := ""
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			all += string(text)
		}
		for _, name := range []string{"Beds", "wait", "died", "fled", "called", "Doors[front]", "all doors", "crew.Asleep",
			"crew.Tea", "each[0].Trips"} {
			require.Contains(t, all, `"statistic": "`+name+`"`)
		}
	}
}

func TestResultsThatNoTypeHasAreRefusedBeforeTheRun(t *testing.T) {
	for name, want := range map[string]string{
		"wiat":   `ross: option --results: "wiat" is not a statistic; did you mean "wait"? give names of `,
		"b wait": `ross: option --results: "b wait" is not a statistic; did you mean "a wait"? give names of `,
	} {
		cfg := rosstest.Small()
		cfg.Results = []string{"Beds", name}
		require.EqualError(t, define(t, cfg, ambulances("a")), want+"--statistics=1, or leave it out")
	}
	cfg := rosstest.Small()
	cfg.Results = []string{"x"}
	plain := ross.Type[struct{ N int }]{Name: "a", Event: ross.On(func(*struct{ N int }, *ross.LP, *struct{}) {})}
	require.EqualError(t, define(t, cfg, plain),
		"ross: option --results=x: no LP type has statistics (package stats) in its state; leave it out")
}

// define returns the error of Define.
func define(t *testing.T, cfg ross.Config, types ...ross.LPType) error {
	t.Helper()
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	return sim.Define(types...)
}
