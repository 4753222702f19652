// This file tests results of models in comparisons.

package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// onlyStatistics writes a folder with the description and the statistics of a run, and nothing else.
func onlyStatistics(t *testing.T, rows string) string {
	dir := t.TempDir()
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "shop", Synch: 1, PEs: 1, Ranks: 1, State: instr.RunComplete,
		Result: &instr.RunResult{Runtime: 1, NetEvents: 10, Processed: 10}}
	require.NoError(t, info.Write(dir))
	require.True(t, json.Valid([]byte(rows)), rows)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-statistics.json"), []byte(rows), 0o644))
	return dir
}

func TestResultsOfBothRunsAreCompared(t *testing.T) {
	own := onlyStatistics(t, `{"from": 0, "until": 9, "rows": [
		{"group": "desk", "statistic": "wait", "unit": "s", "kind": "histogram", "count": 30, "mean": 4, "stddev": 2, "min": 1, "max": 9,
		 "bins": [{"low": 0, "high": 4, "n": 10}, {"low": 4, "high": 12, "n": 20}]},
		{"group": "desk", "statistic": "served", "kind": "counter", "count": 30, "sum": 30},
		{"group": "desk", "statistic": "new", "kind": "counter", "count": 3, "sum": 3}]}`)
	base := onlyStatistics(t, `{"from": 0, "until": 9, "rows": [
		{"group": "desk", "statistic": "served", "kind": "counter", "count": 30, "sum": 30},
		{"group": "desk", "statistic": "wait", "unit": "s", "kind": "histogram", "count": 1200, "mean": 5, "stddev": 3, "min": 0, "max": 16,
		 "bins": [{"low": 0, "high": 8, "n": 900}, {"low": 8, "high": 16, "n": 300}]},
		{"group": "desk", "statistic": "old", "kind": "counter", "count": 7, "sum": 7}]}`)
	f, b := load(t, own), load(t, base)
	one, err := f.statisticsOf()
	require.NoError(t, err)
	other, err := b.statisticsOf()
	require.NoError(t, err)
	rows := resultsBeside(one, other)
	require.Equal(t, []result{
		{Group: "desk", Statistic: "wait", Unit: "s", Run: "4", Base: "5", Difference: "-1", Percent: "-20 %", RunCount: "30",
			BaseCount: "1,200", RunDev: "2", BaseDev: "3", RunLeast: "1", RunGreatest: "9", BaseLeast: "0", BaseGreatest: "16"},
		{Group: "desk", Statistic: "served", Run: "30", Base: "30", Difference: "none", RunCount: "30", BaseCount: "30"},
		{Group: "desk", Statistic: "new", Run: "3", Base: "–", RunCount: "3", BaseCount: "–"},
		{Group: "desk", Statistic: "old", Run: "–", Base: "7", RunCount: "–", BaseCount: "7"},
	}, rows)

	var page strings.Builder
	require.NoError(t, f.writeBeside(b, &page))
	require.Contains(t, page.String(), `<table id="results">`)
	assembled, err := f.assemble(b)
	require.NoError(t, err)
	var text strings.Builder
	assembled.Comparison.print("out.html", &text)
	require.Contains(t, text.String(), "  Statistics of the model: 4, and 3 of them differ.\n")
	all := besideCharts(one.charts(), other.charts(), "own", "base")
	require.Len(t, all, 1, "both histograms are in one chart")
	c := all[0]
	require.Equal(t, []string{"own", "base"}, c.Names)
	for _, bins := range [][][3]num{c.Bins, c.Other} {
		area := 0.0
		for _, bin := range bins {
			area += float64((bin[1] - bin[0]) * bin[2])
		}
		require.InDelta(t, 100, area, 1e-9, "areas are shares")
	}
}
