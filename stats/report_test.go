// This file pins what a run shows of its statistics by itself.

package stats_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

func TestTheReportShowsTheTable(t *testing.T) {
	for _, synch := range []ross.Scheduler{1, 3} {
		cfg := shopping(synch, 1, 4, 0)
		cfg.Statistics = 1
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
	cfg.Statistics, cfg.StatsPath, cfg.StatsPrefix = 2, dir, "mine"
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
	cfg.Statistics = 1
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
	require.Equal(t, len(rows)+2, strings.Count(text.String(), "\n"))
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
			c.IOAsROSS = asROSS
		}
	}
	before := rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: configure(false)}, shops(ross.SaveByDelta))
	after := rosstest.RunLeg(t, rosstest.Leg{From: name, Mode: ross.LoadInit, Configure: configure(true)}, shops(ross.SaveByDelta))
	table, err := stats.Collect(after)
	require.NoError(t, err)
	row, _ := table.Row("shop", "waiting time")
	require.EqualValues(t, after.Stats().NetEvents(), row.Count, "only the events of the second run")
	require.NotEqual(t, before.Stats().NetEvents(), after.Stats().NetEvents())
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
