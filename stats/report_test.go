// This file pins what a run shows of its statistics by itself, also when its context stops it; and what a restart
// gives when the warm-up is another one than that of the checkpoint, or when an earlier version has stored it. And it
// has the examples of single statistics.

package stats_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/stats"
)

func TestTheReportShowsTheTable(t *testing.T) {
	for _, synch := range []ross.Scheduler{1, 3} {
		cfg := shopping(synch, 1, 4, 0)
		cfg.Statistics = ross.StatisticsInReport
		out := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
		table, err := stats.Collect(out.Simulation)
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, table.WriteText(&text))
		require.Contains(t, out.Report, text.String())
	}
}

func TestARunWritesFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	cfg := shopping(3, 2, 4, 0)
	cfg.Statistics, cfg.Instruments.Path, cfg.Instruments.Prefix = ross.StatisticsInFiles, dir, "mine"
	out := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
	require.NotContains(t, out.Report, "Statistics from time")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "two of statistics, and run.json")
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	for suffix, write := range map[string]func(*bytes.Buffer) error{
		".csv":  func(b *bytes.Buffer) error { return table.WriteCSV(b) },
		".json": func(b *bytes.Buffer) error { return table.WriteJSON(b) },
	} {
		got, err := os.ReadFile(filepath.Join(dir, "mine-statistics"+suffix))
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, write(&want))
		require.Equal(t, want.String(), string(got))
	}
}

func TestAModelWithoutStatisticsIsTold(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Statistics = ross.StatisticsInReport
	out := rosstest.Run(t, cfg, rosstest.Forever(rosstest.NoTick))
	require.Contains(t, out.Report, "Note: --statistics has nothing to show")
}

func TestTheFormsOfATableAgree(t *testing.T) {
	out := rosstest.Run(t, shopping(1, 1, 4, 0), shops(ross.SaveByDelta))
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	var c, j, text bytes.Buffer
	require.NoError(t, table.WriteCSV(&c))
	require.NoError(t, table.WriteJSON(&j))
	require.NoError(t, table.WriteText(&text))
	lines, err := csv.NewReader(&c).ReadAll()
	require.NoError(t, err)
	var object struct {
		Rows []struct {
			Mean  *float64
			Count uint64
			Bins  []struct{ N uint64 }
		}
	}
	require.NoError(t, json.Unmarshal(j.Bytes(), &object))
	rows := table.Rows()
	require.Len(t, lines, len(rows)+1)
	require.Len(t, object.Rows, len(rows))
	body, courses, _ := strings.Cut(text.String(), "\nOver the time")
	require.Equal(t, len(rows)+2, strings.Count(body, "\n"))
	require.Equal(t, 3, strings.Count(courses, "\n"), "the heading and two series")
	for i, row := range rows {
		require.Equal(t, row.Name, lines[i+1][1])
		mean, err := strconv.ParseFloat(lines[i+1][7], 64)
		require.NoError(t, err)
		require.Equal(t, row.Mean, mean)
		require.Equal(t, row.Mean, *object.Rows[i].Mean)
		require.Equal(t, row.Count, object.Rows[i].Count)
		if row.Kind == "histogram" {
			n := uint64(0)
			for _, b := range row.Bins {
				n += b.Count
			}
			require.Equal(t, row.Count, n)
			require.InEpsilon(t, row.Quantile(0.9), mustFloat(t, lines[i+1][13]), 1e-15)
		} else {
			require.True(t, math.IsNaN(row.Quantile(0.5)))
		}
	}
}

func mustFloat(t *testing.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

func TestLoadingAsROSSBeginsStatisticsAnew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cp")
	configure := func(asROSS bool) func(*ross.Config) {
		return func(c *ross.Config) {
			*c = shopping(1, 1, 4, 0)
			c.Checkpoints.AsROSS = asROSS
		}
	}
	before := rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: configure(false)}, shops(ross.SaveByDelta))
	after := rosstest.RunLeg(t, rosstest.Leg{From: name, Mode: ross.LoadInit, Configure: configure(true)},
		shops(ross.SaveByDelta))
	table, err := stats.Collect(after)
	require.NoError(t, err)
	row, _ := table.Row("shop", "waiting time")
	require.EqualValues(t, after.Summary().NetEvents(), row.Count, "only the events of the second run")
	require.NotEqual(t, before.Summary().NetEvents(), after.Summary().NetEvents())
}

func TestATypeWithoutANameIsFoundByThatOfItsState(t *testing.T) {
	model := shops(ross.SaveByDelta)
	model.Name = ""
	out := rosstest.Run(t, shopping(1, 1, 4, 0), model)
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	want, ok := table.Row("shop", "Busy")
	require.True(t, ok)
	got, ok := table.Row("stats_test.shop", "Busy")
	require.True(t, ok, "as in earlier versions")
	require.Equal(t, want.Mean, got.Mean)
	require.Equal(t, "shop", got.Group)
	_, ok = table.Row("other.shop", "Busy")
	require.False(t, ok)
}

// runUntilStopped runs a model without an end in which an event calls stop.
func runUntilStopped(t *testing.T, synch ross.Scheduler, pes int, stop func(cancel context.CancelFunc, lp *ross.LP)) (
	sim *ross.Simulation, report, dir string, err error) {
	cfg := shopping(synch, pes, 2, 0)
	cfg.End, cfg.Statistics, cfg.Instruments.Path = 1e15, ross.StatisticsInReport|ross.StatisticsInFiles, filepath.Join(
		t.TempDir(), "statistics")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sim, text := rosstest.Define(t, cfg, ticking(func(s *ticker, lp *ross.LP) {
		s.Count.Inc(lp)
		if lp.ID() == 0 && lp.Now() >= 100 {
			stop(cancel, lp)
		}
	}, nil))
	err = sim.Run(ctx)
	return sim, text.String(), cfg.Instruments.Path, err
}

func TestAStoppedRunKeepsItsStatistics(t *testing.T) {
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
	}{{ross.Sequential, 1}, {ross.Conservative, 2}, {ross.Optimistic, 1}, {ross.Optimistic, 2},
		{ross.OptimisticRealTime, 2}, {ross.RollbackCheck, 1}, {ross.Auto, 2}} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d", c.synch, c.pes), func(t *testing.T) {
			sim, report, dir, err := runUntilStopped(t, c.synch, c.pes, func(cancel context.CancelFunc, _ *ross.LP) { cancel() })
			require.ErrorIs(t, err, context.Canceled)
			table, err := stats.Collect(sim)
			require.NoError(t, err)
			row, ok := table.Row("ticker", "Count")
			require.True(t, ok)
			st := sim.Summary()
			require.EqualValues(t, st.NetEvents(), row.Count, "each event counts one")
			require.Positive(t, row.Count)
			require.Contains(t, report, fmt.Sprintf("Statistics from time 0 to %g\n", table.Until()))
			require.Contains(t, report, fmt.Sprint(row.Count))

			text, err := os.ReadFile(filepath.Join(dir, "ross-stats-statistics.json"))
			require.NoError(t, err)
			var written struct{ Until float64 }
			require.NoError(t, json.Unmarshal(text, &written))
			require.Equal(t, table.Until(), written.Until)
			text, err = os.ReadFile(filepath.Join(dir, "ross-stats-statistics.csv"))
			require.NoError(t, err)
			require.Contains(t, string(text), fmt.Sprint("ticker,Count,,counter,", row.LPs, ",", row.Count, ","))
		})
	}
}

// TestAMistakeLeavesNoStatistics has a run fail: what was committed may be wrong.
func TestAMistakeLeavesNoStatistics(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		_, report, dir, err := runUntilStopped(t, synch, 1, func(cancel context.CancelFunc, lp *ross.LP) {
			ross.Send(lp, lp.ID(), -1, job{})
			if synch == ross.Sequential { // an optimistic run may stop before this event is committed
				cancel()
			}
		})
		require.ErrorIs(t, err, ross.ErrDelay)
		require.NotContains(t, report, "Statistics from")
		require.NoFileExists(t, filepath.Join(dir, "ross-stats-statistics.json"))
	}
}

// leg is a part of a run of shops.
type leg struct {
	synch    ross.Scheduler
	pes, nkp int
	warmUp   float64
	end      float64
}

func (l leg) configure(c *ross.Config) {
	*c = shopping(l.synch, l.pes, l.nkp, l.warmUp)
	c.End = l.end
}

// tryFrom starts shops from a checkpoint.
func tryFrom(t *testing.T, name string, mode ross.LoadMode, configure func(*ross.Config), types ...ross.LPType) (
	rosstest.Outcome, error) {
	t.Helper()
	cfg := rosstest.Small()
	configure(&cfg)
	sim, report := rosstest.Define(t, cfg, types...)
	require.NoError(t, sim.Load(name, mode))
	err := sim.Run(context.Background())
	return rosstest.Outcome{Simulation: sim, Report: report.String(), Err: err}, err
}

func TestStatisticsBeginAtTheWarmUpOfTheRestart(t *testing.T) {
	layouts := []struct {
		synch    ross.Scheduler
		pes, nkp int
	}{{1, 1, 4}, {3, 2, 2}, {2, 3, 1}, {3, 3, 1}, {ross.Auto, 2, 2}}
	for _, before := range []float64{4, 13, 14} { // the last ones begin after the checkpoint
		for i, warmUp := range []float64{13, 13.7, 20} {
			run := layouts[(i+int(before))%len(layouts)]
			to := layouts[(i+int(before)+1)%len(layouts)]
			t.Run(fmt.Sprintf("%g then %g, %v to %v", before, warmUp, run, to), func(t *testing.T) {
				want := tableOf(t, rosstest.RunLeg(t, rosstest.Leg{Configure: leg{1, 1, 4, warmUp, 30}.configure},
					shops(ross.SaveByDelta)))
				name := filepath.Join(t.TempDir(), "cp")
				rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: leg{run.synch, run.pes, run.nkp, before, 13}.configure},
					shops(ross.SaveByDelta))
				out, err := tryFrom(t, name, ross.LoadInit, leg{to.synch, to.pes, to.nkp, warmUp, 30}.configure,
					shops(ross.SaveByDelta))
				require.NoError(t, err)
				require.Equal(t, want, tableOf(t, out.Simulation))
				note := fmt.Sprintf("statistics begin at time %g: those of checkpoint %s, which began at %g, are left out", warmUp,
					name, before)
				require.Equal(t, before != warmUp, strings.Contains(out.Report, note), out.Report)

				// And once more: what was stored before the warm-up goes on, or begins even later.
				again := filepath.Join(t.TempDir(), "again")
				rosstest.RunLeg(t, rosstest.Leg{From: name, Mode: ross.LoadInit, To: again,
					Configure: leg{to.synch, to.pes, to.nkp, warmUp, 16}.configure}, shops(ross.SaveByDelta))
				last := rosstest.RunLeg(t,
					rosstest.Leg{From: again, Mode: ross.LoadInit, Configure: leg{run.synch, run.pes, run.nkp, warmUp, 30}.configure},
					shops(ross.SaveByDelta))
				require.Equal(t, want, tableOf(t, last))
			})
		}
	}
}

func TestAWarmUpBeforeTheCheckpointIsTheStoredOne(t *testing.T) {
	for _, before := range testlevel.Pick([]float64{0, 4, 20}, []float64{4}, []float64{4}) {
		name := filepath.Join(t.TempDir(), "cp")
		t.Run("store", func(t *testing.T) {
			rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: leg{1, 1, 4, before, 13}.configure}, shops(ross.SaveByDelta))
		})
		for _, warmUp := range []float64{0, 3.5, 4, 12.999999, math.Nextafter(13, 0)} {
			for _, pes := range []int{1, 3} {
				t.Run(fmt.Sprintf("%g then %g, %d PEs", before, warmUp, pes), func(t *testing.T) {
					_, err := tryFrom(t, name, ross.LoadInit, leg{3, pes, 2, warmUp, 30}.configure, shops(ross.SaveByDelta))
					if warmUp == before {
						require.NoError(t, err)
						return
					}
					require.ErrorIs(t, err, ross.ErrCheckpoint)
					require.ErrorContains(t, err,
						fmt.Sprintf("ross: checkpoint %s: its statistics begin at time %g and not at --warm-up=%g, ", name, before,
							warmUp))
					require.ErrorContains(t, err,
						fmt.Sprintf("give --warm-up=%g, with which they go on, or 13 or a later time, at which they begin anew", before))
				})
			}
		}
		t.Run("as ROSS", func(t *testing.T) {
			out, err := tryFrom(t, name, ross.LoadInit, func(c *ross.Config) {
				leg{1, 1, 4, 3, 30}.configure(c)
				c.Checkpoints.AsROSS = true
			}, shops(ross.SaveByDelta))
			require.NoError(t, err, "the clock begins anew, and the statistics")
			require.NotContains(t, out.Report, "are left out")
		})
	}
}

func TestWithoutStatisticsAWarmUpMayChange(t *testing.T) {
	type none struct{ N uint64 }
	typ := ross.Type[none]{Name: "none", Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *job) { ross.Send(lp, lp.ID(), 1, job{}) })}
	name := filepath.Join(t.TempDir(), "cp")
	rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: leg{1, 1, 4, 2, 13}.configure}, typ)
	_, err := tryFrom(t, name, ross.LoadInit, leg{1, 1, 4, 3, 30}.configure, typ)
	require.NoError(t, err)
}

func TestLPsMayBeAheadOfACheckpoint(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "cp")
	for _, run := range []leg{{synch: 1, pes: 1}, {synch: 2, pes: 3}, {synch: 3, pes: 3}} {
		run.nkp, run.end = 2, 9
		t.Run("store", func(t *testing.T) {
			rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) {
				run.configure(c)
				c.Checkpoints.VirtualInterval, c.Checkpoints.Name = 5, prefix
			}}, shops(ross.SaveByDelta))
		})
		name, err := rio.Latest(prefix)
		require.NoError(t, err)
		cp, err := rio.Open(name)
		require.NoError(t, err)
		clock := cp.Info().Clock
		require.NoError(t, cp.Close())
		for _, warmUp := range []float64{clock, clock + 0.01, clock + 0.02, clock + 0.05, clock + 0.1} {
			t.Run(fmt.Sprint(run, " then ", warmUp), func(t *testing.T) {
				next := run
				next.warmUp, next.end = warmUp, 12
				out, err := tryFrom(t, name, ross.LoadInit, next.configure, shops(ross.SaveByDelta))
				if err != nil {
					require.Less(t, warmUp, clock+0.1, "that is how far a conservative run may be ahead")
					_, text, found := strings.Cut(err.Error(), "or a time after ")
					require.True(t, found, "%v", err)
					_, err := fmt.Sscanf(text, "%g", &next.warmUp)
					require.NoError(t, err)
					require.GreaterOrEqual(t, next.warmUp, warmUp)
					next.warmUp = math.Nextafter(next.warmUp, 99)
					out, err = tryFrom(t, name, ross.LoadInit, next.configure, shops(ross.SaveByDelta))
					require.NoError(t, err)
				}
				require.Equal(t, tableOf(t, rosstest.RunLeg(t, rosstest.Leg{Configure: next.configure}, shops(ross.SaveByDelta))),
					tableOf(t, out.Simulation))
			})
		}
	}
}

// setAhead stores a checkpoint again, with another virtual time of the last event of an LP.
func setAhead(t *testing.T, name, to string, gid uint64, now float64) {
	t.Helper()
	cp, err := rio.Open(name)
	require.NoError(t, err)
	defer cp.Close()
	var parts []*rio.Part
	for i := range cp.Entries() {
		c, err := cp.Read(i)
		require.NoError(t, err)
		p := new(rio.Part)
		var lp rio.LP
		for ok, err := c.NextLP(&lp); ok; ok, err = c.NextLP(&lp) {
			require.NoError(t, err)
			if lp.GID == gid {
				lp.Now = now
			}
			p.Data = rio.AppendLP(p.Data, &lp)
			p.Index = append(p.Index, rio.IndexEntry{GID: lp.GID, Size: uint64(len(lp.State))})
			p.LPs++
		}
		var e rio.Event
		for ok, err := c.NextEvent(&e); ok; ok, err = c.NextEvent(&e) {
			require.NoError(t, err)
			p.Data = rio.AppendEvent(p.Data, &e)
			p.Events++
		}
		parts = append(parts, p)
	}
	info := cp.Info()
	require.NoError(t, rio.Save(to, info, parts, make([]int, len(parts)), rio.Options{Files: 1}))
}

func TestALPAheadOfACheckpointHasToBeBeforeTheWarmUp(t *testing.T) {
	dir := t.TempDir()
	name, ahead := filepath.Join(dir, "cp"), filepath.Join(dir, "ahead")
	rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: leg{1, 1, 4, 2, 13}.configure}, shops(ross.SaveByDelta))
	setAhead(t, name, ahead, 7, 13.5)
	for warmUp, right := range map[float64]bool{2: true, 12: false, 13: false, 13.25: false, 13.5: false,
		math.Nextafter(13.5, 14): true, 20: true} {
		for _, pes := range []int{1, 3} {
			t.Run(fmt.Sprintf("%g, %d PEs", warmUp, pes), func(t *testing.T) {
				_, err := tryFrom(t, ahead, ross.LoadInit, leg{3, pes, 2, warmUp, 30}.configure, shops(ross.SaveByDelta))
				if right {
					require.NoError(t, err, "%g", warmUp)
					return
				}
				require.ErrorContains(t, err,
					fmt.Sprintf(
						"its statistics begin at time 2 and not at --warm-up=%g, and what was recorded between that and time 13.5 is not known by itself", warmUp))
				require.ErrorContains(t, err,
					"give --warm-up=2, with which they go on, or a time after 13.5, at which they begin anew")
			})
		}
	}
}

func TestJobsOfACheckpointHaveTheirWarmUps(t *testing.T) {
	name := filepath.Join(t.TempDir(), "all")
	typ := ticking(func(s *ticker, lp *ross.LP) { s.Tally.Add(lp, lp.Now()) }, nil)
	configure := func(lps uint64, warmUp, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			*c = rosstest.Small()
			c.NLP, c.WarmUp, c.End = int(lps), warmUp, end
		}
	}
	for _, warmUp := range []float64{4, 6} {
		sim := rosstest.RunLeg(t, rosstest.Leg{Configure: configure(4, warmUp, 10.5)}, typ)
		require.NoError(t, sim.Store(name, ross.Appending()))
	}
	for _, warmUp := range []float64{4, 6} {
		_, err := tryFrom(t, name, ross.LoadInit, configure(8, warmUp, 20), typ)
		require.ErrorContains(t, err, fmt.Sprintf("its statistics begin at time %g and not at --warm-up=%g", 10-warmUp,
			warmUp))
	}
	out, err := tryFrom(t, name, ross.LoadInit, configure(8, 12, 20), typ)
	require.NoError(t, err)
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	row, _ := table.Row("ticker", "Tally")
	require.EqualValues(t, 8*8, row.Count)
}

func TestACheckpointOfAnEarlierVersionIsLoaded(t *testing.T) {
	numbers := []float64{0.1, 0.7, 1e6 + 0.3}
	configure := func(warmUp float64) func(*ross.Config) {
		return func(c *ross.Config) { c.NLP, c.NKP, c.End, c.WarmUp, c.MaxMemory = recorders, 2, 50, warmUp, 64<<20 }
	}
	table := func(sim *ross.Simulation) map[string]stats.Row {
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		rows := map[string]stats.Row{}
		for _, r := range table.Rows() {
			rows[r.Name] = r
		}
		return rows
	}
	name := filepath.Join("testdata", "earlier", "earlier")
	out, err := tryFrom(t, name, ross.LoadInit, configure(2), recording(numbers))
	require.NoError(t, err)
	require.Contains(t, out.Report, "Note: checkpoint "+name+
		": its statistics are of an earlier version: until there, sums, means and deviations are what that version has rounded")
	whole := table(rosstest.RunLeg(t, rosstest.Leg{Configure: configure(2)}, recording(numbers)))
	for field, got := range table(out.Simulation) {
		want := whole[field]
		require.Equal(t, []any{want.Count, want.Bins, want.LPs}, []any{got.Count, got.Bins, got.LPs}, field)
		for i, x := range []float64{want.Sum, want.Mean, want.StdDev, want.NonZero, want.Min, want.Max} {
			y := []float64{got.Sum, got.Mean, got.StdDev, got.NonZero, got.Min, got.Max}[i]
			require.Equal(t, math.IsNaN(x), math.IsNaN(y))
			require.True(t, math.IsNaN(x) || math.Abs(x-y) <= 1e-14*math.Abs(x), "%s: %d: %g, %g", field, i, x, y)
		}
	}
	_, err = tryFrom(t, name, ross.LoadInit, configure(3), recording(numbers))
	require.ErrorContains(t, err, "its statistics begin at time 2 and not at --warm-up=3")

	name = filepath.Join("testdata", "earlier", "lost")
	numbers = []float64{1e308, -1e308, 1.7e308}
	_, err = tryFrom(t, name, ross.LoadInit, configure(2), recording(numbers))
	require.ErrorContains(t, err, "its statistics are of an earlier version, which has lost sums of very large numbers")
	require.ErrorContains(t, err, "give --warm-up=17 or a later time, at which they begin anew")
	out, err = tryFrom(t, name, ross.LoadInit, configure(17), recording(numbers))
	require.NoError(t, err)
	want := tableOf(t, rosstest.RunLeg(t, rosstest.Leg{Configure: configure(17)}, recording(numbers)))
	require.Equal(t, want, tableOf(t, out.Simulation))
}

// run runs a model of one LP whose events are at the given virtual times.
func run[S any](end float64, times []float64, event func(s *S, lp *ross.LP, i int64)) *ross.Simulation {
	type step struct{ I int64 }
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, end
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	err = sim.Define(ross.Type[S]{
		Name: "server",
		Init: func(_ *S, lp *ross.LP) {
			for i, t := range times {
				ross.Send(lp, lp.ID(), t, step{int64(i)})
			}
		},
		Event: ross.On(func(s *S, lp *ross.LP, m *step) { event(s, lp, m.I) }),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
	return sim
}

func ExampleCounter() {
	type server struct{ Lost stats.Counter }
	sim := run(10, []float64{1, 2, 3}, func(s *server, lp *ross.LP, _ int64) { s.Lost.Inc(lp) })
	defer sim.Close()
	fmt.Println(ross.StateOf[server](sim.LP(0)).Lost.Count())
	// Output: 3
}

func ExampleTally() {
	type server struct {
		Waiting stats.Tally `ross:"waiting time,s"`
	}
	sim := run(10, []float64{1, 2, 4}, func(s *server, lp *ross.LP, _ int64) { s.Waiting.Add(lp, lp.Now()) })
	defer sim.Close()
	w := &ross.StateOf[server](sim.LP(0)).Waiting
	fmt.Printf("%d numbers, mean %.3f, variance %.3f, %g to %g\n", w.Count(), w.Mean(), w.Variance(), w.Min(), w.Max())
	// Output: 3 numbers, mean 2.333, variance 2.333, 1 to 4
}

func ExampleLevel() {
	type server struct{ Queue stats.Level }
	sim := run(10, []float64{2, 6, 7}, func(s *server, lp *ross.LP, i int64) {
		s.Queue.Set(lp, []float64{1, 3, 0}[i]) // 0 until 2, 1 until 6, 3 until 7, then 0
	})
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	row, _ := table.Row("server", "Queue")
	fmt.Printf("mean %g, at most %g, busy for %g of the time\n", row.Mean, row.Max, row.NonZero)
	// Output: mean 0.7, at most 3, busy for 0.5 of the time
}

func ExampleHistogram() {
	type server struct{ Delay stats.Histogram }
	times := make([]float64, 1000)
	for i := range times {
		times[i] = float64(i + 1)
	}
	sim := run(2000, times, func(s *server, lp *ross.LP, _ int64) { s.Delay.Add(lp, lp.Now()) })
	defer sim.Close()
	lp := sim.LP(0)
	d := &ross.StateOf[server](lp).Delay
	fmt.Println(d.Quantile(lp, 0), d.Quantile(lp, 0.5), d.Quantile(lp, 0.99), d.Quantile(lp, 1)) // within 1/128
	// Output: 1 502 988 1000
}

func ExampleSeries() {
	type server struct {
		Load stats.Series `ross:"load,jobs,every=5"`
	}
	sim := run(20, []float64{1, 4, 6, 17}, func(s *server, lp *ross.LP, i int64) { s.Load.Add(lp, float64(i)) })
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	row, _ := table.Row("server", "load")
	for _, i := range row.Course {
		fmt.Printf("%g to %g: %d recordings, sum %g\n", i.Begin, i.End, i.Count, i.Sum)
	}
	// Output:
	// 0 to 5: 2 recordings, sum 1
	// 5 to 10: 1 recordings, sum 2
	// 10 to 15: 0 recordings, sum 0
	// 15 to 20: 1 recordings, sum 3
}

func ExampleCollectBy() {
	type server struct{ Jobs stats.Counter }
	sim := run(10, []float64{1, 2, 3}, func(s *server, lp *ross.LP, _ int64) { s.Jobs.Inc(lp) })
	defer sim.Close()
	table, err := stats.CollectBy(sim, func(lp *ross.LP) string { return fmt.Sprintf("site %d", lp.ID()/8) })
	if err == nil {
		err = table.WriteText(os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Statistics from time 0 to 10
	// group   statistic  kind     lps  count  sum  mean
	// site 0  Jobs       counter    1      3    3     3
}
