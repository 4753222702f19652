// This file pins which quantiles tables have, what the names of elements and the sums over arrays are, and the table
// with a line for each LP, against what a naive loop over the LPs gives.

package stats_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/stats"
)

// ward has arrays with names and sums; what it has recorded is also in slices.
type ward struct {
	Wait [3]stats.Histogram `ross:"wait,h,q=0.25;0.5;0.95,names=low;mid;high,total=all waits"`
	Lost [2]stats.Counter   `ross:"lost,,total=lost"`
	Beds [2]stats.Level     `ross:",beds,names=a;b,total=beds"`
	Desk [2]tills           `ross:",,total=desks"`
	Own  stats.Tally
}

type tills struct {
	Took stats.Histogram `ross:"took"`
}

type visit struct{ _ int64 }

// wards returns the model. record, if not nil, is called for each event.
func wards(record func(lp *ross.LP, i int, x float64)) ross.Type[ward] {
	return ross.Type[ward]{
		Name:  "ward",
		Label: func(gid ross.LPID) string { return fmt.Sprintf("ward %d", gid) },
		Init:  func(_ *ward, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, visit{}) },
		Event: ross.On(func(s *ward, lp *ross.LP, _ *visit) {
			i, x := int(lp.RNG().Integer(0, 2)), lp.RNG().Exponential(1)
			s.Wait[i].Add(lp, x)
			s.Lost[i/2].Add(lp, uint64(i))
			s.Beds[i/2].Add(lp, x)
			s.Desk[i/2].Took.Add(lp, x)
			s.Own.Add(lp, x)
			ross.Send(lp, (lp.ID()+1)%shopLPs, 1+x/2, visit{})
			if record != nil {
				record(lp, i, x)
			}
		}),
	}
}

// wardRun runs wards, and returns the table of the run and that of its LPs.
func wardRun(t *testing.T, cfg ross.Config, record func(*ross.LP, int, float64)) (all, lps *stats.Table) {
	t.Helper()
	out := rosstest.Run(t, cfg, wards(record))
	all, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	lps, err = stats.CollectLPs(out.Simulation)
	require.NoError(t, err)
	return all, lps
}

func TestSumsOverArraysAreThoseOfANaiveLoop(t *testing.T) {
	waits := map[string][]float64{} // by LP, and "" for all
	lost := map[string]uint64{}
	all, lps := wardRun(t, shopping(1, 1, 4, 0), func(lp *ross.LP, i int, x float64) {
		for _, who := range []string{"", strconv.Itoa(int(lp.ID()))} {
			waits[who] = append(waits[who], x)
			lost[who] += uint64(i)
		}
	})
	check := func(table *stats.Table, group, who string, n uint64) {
		row, ok := table.Row(group, "all waits")
		require.True(t, ok)
		sorted := slices.Clone(waits[who])
		sort.Float64s(sorted)
		require.EqualValues(t, len(sorted), row.Count)
		require.Equal(t, n, row.LPs)
		require.Equal(t, sorted[0], row.Min)
		require.Equal(t, sorted[len(sorted)-1], row.Max)
		require.Equal(t, []float64{0.25, 0.5, 0.95}, row.Quantiles)
		for _, q := range row.Quantiles {
			k := int(math.Ceil(q * float64(len(sorted))))
			require.InEpsilon(t, sorted[k-1], row.Quantile(q), 1.0/128)
		}
		row, _ = table.Row(group, "lost")
		require.Equal(t, float64(lost[who]), row.Sum)
		require.Equal(t, float64(lost[who])/float64(n), row.Mean)
		beds, mean := 0.0, 0.0
		for _, name := range []string{"Beds[a]", "Beds[b]"} {
			row, ok = table.Row(group, name)
			require.True(t, ok)
			beds, mean = beds+row.Sum, mean+row.Mean
		}
		row, _ = table.Row(group, "beds")
		require.InEpsilon(t, beds, row.Sum, 1e-14)
		require.InEpsilon(t, mean, row.Mean, 1e-14)
		require.True(t, math.IsNaN(row.NonZero) && math.IsNaN(row.Max) && math.IsNaN(row.Min))
		row, _ = table.Row(group, "desks.took")
		require.EqualValues(t, len(sorted), row.Count)
		require.Equal(t, n, row.LPs)
		require.Equal(t, []float64{0.5, 0.9, 0.99}, row.Quantiles)
	}
	check(all, "ward", "", shopLPs)
	for id := range shopLPs {
		check(lps, strconv.Itoa(id), strconv.Itoa(id), 1)
	}
	var names []string
	for _, row := range all.Rows() {
		names = append(names, row.Name)
	}
	require.Equal(t, []string{"wait[low]", "wait[mid]", "wait[high]", "all waits", "lost[0]", "lost[1]", "lost",
		"Beds[a]", "Beds[b]", "beds", "Desk[0].took", "Desk[1].took", "desks.took", "Own"}, names)
}

// cellsOf returns the wide form of a table, by the first cell and the name of the column.
func cellsOf(t *testing.T, table *stats.Table) (cells map[string]map[string]string, order []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, table.WriteWideCSV(&b))
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	cells = map[string]map[string]string{}
	for _, line := range lines[1:] {
		of := map[string]string{}
		for i, name := range lines[0] {
			require.NotContains(t, of, name, "two columns of one name")
			of[name] = line[i]
		}
		cells[line[0]], order = of, append(order, line[0])
	}
	return cells, order
}

func TestTheWideFormHasTheFiguresOfTheRows(t *testing.T) {
	all, lps := wardRun(t, shopping(1, 1, 4, 0), nil)
	figure := func(row stats.Row) map[string]float64 {
		of := map[string]float64{"mean": row.Mean, "stddev": row.StdDev, "min": row.Min, "max": row.Max,
			"nonzero": row.NonZero}
		for q, name := range map[float64]string{0.25: "p25", 0.5: "p50", 0.95: "p95"} {
			of[name] = row.Quantile(q)
		}
		return of
	}
	for _, table := range []*stats.Table{all, lps} {
		cells, order := cellsOf(t, table)
		n := 0
		for _, row := range table.Rows() {
			for name, x := range figure(row) {
				cell, ok := cells[row.Group][row.Name+"."+name]
				if !ok || math.IsNaN(x) {
					require.Empty(t, cell)
					continue
				}
				require.Equal(t, x, mustFloat(t, cell))
				n++
			}
			if cell, ok := cells[row.Group][row.Name+".count"]; ok {
				require.Equal(t, strconv.FormatUint(row.Count, 10), cell)
			}
		}
		require.Greater(t, n, 30*len(order))
	}
	cells, order := cellsOf(t, lps)
	for id := range shopLPs {
		require.Equal(t, strconv.Itoa(id), order[id])
		require.Equal(t, "ward", cells[order[id]]["type"])
		require.Equal(t, fmt.Sprintf("ward %d", id), cells[order[id]]["label"])
	}
	cells, _ = cellsOf(t, all)
	require.Equal(t, strconv.Itoa(shopLPs), cells["ward"]["lps"])
}

func TestTablesOfLPsAreTheSameForAllSchedulers(t *testing.T) {
	want := ""
	for _, run := range []struct {
		synch    ross.Scheduler
		pes, nkp int
	}{{1, 1, 4}, {2, 2, 4}, {3, 3, 1}, {3, 4, 3}, {6, 1, 4}} {
		_, lps := wardRun(t, shopping(run.synch, run.pes, run.nkp, 7.5), nil)
		var b bytes.Buffer
		require.NoError(t, lps.WriteWideCSV(&b))
		require.NoError(t, lps.WriteJSON(&b))
		if want == "" {
			want = b.String()
		}
		require.Equal(t, want, b.String())
	}
}

func TestARunWritesTheFileOfLPs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	cfg := shopping(3, 2, 4, 0)
	cfg.Statistics, cfg.Instruments.Path, cfg.Instruments.Prefix, cfg.Quantiles = ross.StatisticsOfLPs, dir, "mine",
		[]float64{1, 0.125}
	out := rosstest.Run(t, cfg, wards(nil))
	lps, err := stats.CollectLPs(out.Simulation)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, lps.WriteWideCSV(&want))
	got, err := os.ReadFile(filepath.Join(dir, "mine-statistics-lps.csv"))
	require.NoError(t, err)
	require.Equal(t, want.String(), string(got))
	_, err = os.Stat(filepath.Join(dir, "mine-statistics.csv"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTheQuantilesOfARunReplaceThoseOfTheModel(t *testing.T) {
	cfg := shopping(1, 1, 4, 0)
	cfg.Quantiles = []float64{0.999, 0.07, 0.5}
	all, _ := wardRun(t, cfg, nil)
	var b bytes.Buffer
	require.NoError(t, all.WriteCSV(&b))
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"nonzero", "p7", "p50", "p99.9"}, lines[0][11:])
	for i, row := range all.Rows() {
		if row.Kind != "histogram" {
			require.Equal(t, []string{"", "", ""}, lines[i+1][12:])
			continue
		}
		require.Equal(t, []float64{0.07, 0.5, 0.999}, row.Quantiles)
		for k, q := range row.Quantiles {
			require.Equal(t, row.Quantile(q), mustFloat(t, lines[i+1][12+k]))
		}
	}
}

func TestTagsOfQuantilesAndArraysAreRead(t *testing.T) {
	define := func(model ross.LPType) error {
		sim, err := ross.New(rosstest.Small())
		require.NoError(t, err)
		defer sim.Close()
		return sim.Define(model)
	}
	for want, err := range map[string]error{
		"the tag of x: q= wants 1 to 64 numbers from 0 to 1": define(tagged[struct {
			X stats.Histogram `ross:"x,,q=0.5;90"`
		}]()),
		"the tag of x: q= is for a Histogram or a Level": define(tagged[struct {
			X stats.Tally `ross:"x,,q=0.5"`
		}]()),
		"the tag of x: names= has 2 names, and the array has 3 elements": define(tagged[struct {
			X [3]stats.Tally `ross:"x,,names=a;b"`
		}]()),
		`the tag of x: names= has the name "a"`: define(tagged[struct {
			X [2]stats.Tally `ross:"x,,names=a;a"`
		}]()),
		"the tag of x: names= and total= are for an array": define(tagged[struct {
			X stats.Tally `ross:"x,,total=all"`
		}]()),
		"the tag of x: total= wants the name": define(tagged[struct {
			X [2]stats.Tally `ross:"x,,total="`
		}]()),
		"total= is in an array that has a sum": define(tagged[struct {
			X [2]struct {
				Y [2]stats.Tally `ross:"y,,total=b"`
			} `ross:"x,,total=a"`
		}]()),
		`two statistics are named "Y"`: define(tagged[struct {
			X [2]stats.Tally `ross:"x,,total=Y"`
			Y stats.Tally
		}]()),
	} {
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err, want)
	}
}

// tagged returns a type with a state.
func tagged[S any]() ross.LPType {
	return ross.Type[S]{Event: ross.On(func(*S, *ross.LP, *visit) {})}
}

// A line for each LP, with the elements of an array by name and their sum.
func ExampleTable_WriteWideCSV() {
	type desk struct {
		Served [2]stats.Counter `ross:"served,,names=young;old,total=all"`
		Time   stats.Histogram  `ross:"time,min,q=0.5"`
	}
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = 2, 4
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[desk]{
		Init: func(_ *desk, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, visit{}) },
		Event: ross.On(func(s *desk, lp *ross.LP, _ *visit) {
			s.Served[lp.ID()].Inc(lp)
			s.Time.Add(lp, lp.Now()*2)
			ross.Send(lp, lp.ID(), 1, visit{})
		}),
	}); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	table, err := stats.CollectLPs(sim)
	if err != nil {
		log.Fatal(err)
	}
	_ = table.WriteWideCSV(os.Stdout)
	// Output:
	// lp,type,label,served[young].count,served[old].count,all.count,time.count,time.mean,time.stddev,time.min,time.max,time.p50
	// 0,desk,,3,0,3,3,4,2,2,6,4.03125
	// 1,desk,,0,3,3,3,4,2,2,6,4.03125
}
