// This file owns the tests of studies that are read from what they left.

package studies

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// made is an experiment that has the name of a study.
func made(t *testing.T, journal string, task, tasks int) *experiment.Results {
	t.Helper()
	r, err := experiment.Experiment{Name: `queue --lps=16 "--kind=a b" "--result=cost=2 * wait" -- "in put"`, Seed: 9, Task: task,
		Tasks: tasks, Journal: journal, Replications: 4, Partial: true,
		Points: experiment.Grid(experiment.Over("servers", 3, 10, 2), experiment.Over("rule", "first in", "last")),
		Run: func(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
			wait := float64(t.Int("servers")) + float64(t.Replication*t.Replication)/7
			r := experiment.Responses{"wait": wait, "cost": 2 * wait}
			if t.Replication == 3 && t.Int("servers") == 10 {
				r["rare"] = 1
			}
			return r, nil
		}}.Do(context.Background())
	require.NoError(t, err)
	return r
}

func TestRunsFromACheckpointBranchOff(t *testing.T) {
	name := "desks --io-restart=a/warm-000000 (stored at time 8, 2026-01-31 10:00:00) --result=c=1 -- x"
	before, rest := command(wordsOf(name), 0, nil)
	require.Equal(t, []string{"desks", "--io-restart=a/warm-000000", "--io-branch"}, before)
	require.Equal(t, []string{"--", "x"}, rest)
}

// open opens a study that is there.
func open(t *testing.T, names ...string) *page.Study {
	t.Helper()
	s, inputs, err := Open(names, 0.95)
	require.NoError(t, err)
	require.NotNil(t, s)
	require.NotEmpty(t, inputs)
	require.NoError(t, s.Write(io.Discard))
	return s
}

// requireMeans compares the means with results whose points may be in another order.
func requireMeans(t *testing.T, s *page.Study, r *experiment.Results) {
	t.Helper()
	require.Len(t, s.Points, len(r.Points))
	require.Len(t, s.Results, len(r.Responses))
	for i, p := range s.Points {
		at := slices.IndexFunc(r.Points, func(o experiment.PointResult) bool {
			return fmt.Sprint(o.Point[0].Value, o.Point[1].Value) == fmt.Sprint(p.Values...)
		})
		require.GreaterOrEqual(t, at, 0, p.Values)
		require.Equal(t, 4, p.Replications)
		for k, name := range r.Responses {
			want, err := r.Interval(name, at)
			require.NoError(t, err)
			got := s.Results[k].Estimates[i]
			require.Equal(t, name, s.Results[k].Name)
			require.Equal(t, want.N, got.N)
			if want.N > 0 {
				require.Equal(t, [2]float64{want.Mean, want.Half}, [2]float64{got.Mean, got.Half})
			}
		}
	}
}

func TestAJournalGivesResultsAndCommandLines(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "queue.runs")
	r := made(t, journal, 0, 0)
	s := open(t, journal)
	requireMeans(t, s, r)
	require.Equal(t, "queue", s.Program)
	require.Equal(t, []any{2, "first in"}, s.Points[0].Values, "numbers ascend")
	require.Equal(t, []string{"queue", "--lps=16", "--kind=a b", "--seed=9", "--servers=2", "--rule=first in"}, s.Points[0].Command)
	require.Equal(t, []string{"--", "in put"}, s.Points[0].Rest)
	require.Len(t, s.Results[0].Estimates[0].Runs, 4)
	require.Contains(t, s.Notes[0], "Read from queue.runs.")

	parts := filepath.Join(dir, "parts")
	require.NoError(t, os.Mkdir(parts, 0o700))
	for task := range 3 {
		made(t, filepath.Join(parts, fmt.Sprintf("queue.%d-of-3", task)), task, 3)
	}
	merged := open(t, parts)
	merged.Notes = s.Notes
	require.Equal(t, s, merged)
	require.NoError(t, os.Remove(filepath.Join(parts, "queue.1-of-3")))
	_, _, err := Open([]string{parts}, 0.95)
	require.ErrorIs(t, err, experiment.ErrMissing)
	require.ErrorContains(t, err, "1/3")
}

// columns of a table as a study writes it.
func columns(r *experiment.Results) (names []string, rows [][]any) {
	names = []string{"servers", "rule"}
	for _, response := range r.Responses {
		names = append(names, response+" mean", response+" half width", response+" n")
	}
	names = append(names, "wait difference", "wait difference half width", "wait differs")
	for i, p := range r.Points {
		row := []any{int64(p.Point[0].Value.(int)), p.Point[1].Value}
		for _, response := range r.Responses {
			v, _ := r.Interval(response, i)
			if v.N == 0 {
				v.Mean, v.Half = math.NaN(), math.NaN()
			}
			row = append(row, v.Mean, v.Half, int64(v.N))
		}
		difference := math.NaN()
		if i%2 == 1 {
			difference = float64(i)
		}
		rows = append(rows, append(row, difference, difference/2, i%2 == 1))
	}
	return names, rows
}

func TestATableGivesMeansAndDifferences(t *testing.T) {
	dir := t.TempDir()
	r := made(t, "", 0, 0)
	names, rows := columns(r)
	text := filepath.Join(dir, "waits.csv")
	file, err := os.Create(text)
	require.NoError(t, err)
	out := csv.NewWriter(file)
	require.NoError(t, out.Write(names))
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			if x, is := v.(float64); is {
				v = strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+")
			}
			cells = append(cells, fmt.Sprint(v))
		}
		require.NoError(t, out.Write(cells))
	}
	out.Flush()
	require.NoError(t, file.Close())

	// The same as Parquet, with a writer that knows nothing of studies.
	group := parquet.Group{}
	for i, name := range names {
		switch rows[0][i].(type) {
		case int64:
			group[name] = parquet.Leaf(parquet.Int64Type)
		case float64:
			group[name] = parquet.Leaf(parquet.DoubleType)
		case bool:
			group[name] = parquet.Leaf(parquet.BooleanType)
		default:
			group[name] = parquet.String()
		}
	}
	schema := parquet.NewSchema("table", group)
	pq := filepath.Join(dir, "waits.parquet")
	file, err = os.Create(pq)
	require.NoError(t, err)
	w := parquet.NewGenericWriter[map[string]any](file, schema)
	for _, row := range rows {
		m := map[string]any{}
		for i, name := range names {
			m[name] = row[i]
		}
		_, err = w.Write([]map[string]any{m})
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, file.Close())

	s := open(t, text)
	requireMeans(t, s, r)
	require.Equal(t, "waits", s.Program)
	require.Empty(t, s.Points[0].Command)
	require.Contains(t, s.Notes[0], "has neither single replications nor command lines")
	wait := s.Results[slices.Index(r.Responses, "wait")]
	require.Len(t, wait.Differences, 3)
	require.Equal(t, 5, wait.Differences[2].Point)
	require.InDelta(t, 2.5, wait.Differences[2].Half, 0)
	require.Nil(t, wait.Estimates[0].Runs)

	rows2, err := readParquet(pq)
	require.NoError(t, err)
	rows1, err := readCSV(text)
	require.NoError(t, err)
	require.Len(t, rows2, len(rows1))
	for i, name := range rows1[0] { // the columns of this schema are sorted
		at := slices.Index(rows2[0], name)
		require.GreaterOrEqual(t, at, 0, name)
		for k := range rows1 {
			require.Equal(t, strings.TrimPrefix(rows1[k][i], "+"), strings.TrimPrefix(rows2[k][at], "+"))
		}
	}
}

func TestWhatIsNoStudyIsLeftToOthersOrNamed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	run := write("ross-stats-gvt.bin", "\x01\x02")
	journal := filepath.Join(dir, "a.runs")
	made(t, journal, 0, 0)
	for _, names := range [][]string{{run}, {dir}, {filepath.Join(dir, "none")}, {}} {
		s, _, err := Open(names, 0.95)
		require.NoError(t, err)
		require.Nil(t, s)
	}
	table := write("t.csv", "x,y mean,y half width,y n\n1,2,0.5,3\n")
	open(t, table)
	for says, names := range map[string][]string{
		"empty.csv: no rows: name a table that --table of a study has written":    {write("empty.csv", "")},
		"other.csv: no columns of a result":                                       {write("other.csv", "a,b\n1,2\n")},
		"bad.csv: row 1 of y: strconv":                                            {write("bad.csv", "x,y mean,y half width,y n\n1,2,z,3\n")},
		"ragged.csv: record on line 2":                                            {write("ragged.csv", "x,y\n1\n")},
		"no.parquet: ":                                                            {write("no.parquet", "PAR2")},
		"gone.csv: no such file":                                                  {filepath.Join(dir, "gone.csv")},
		"given together with " + journal + "; name one table of a study, or only": {journal, run},
		"t.csv: given together with " + table:                                     {table, table},
	} {
		_, _, err := Open(names, 0.95)
		require.ErrorContains(t, err, says)
	}
	_, _, err := Open([]string{journal}, 1)
	require.ErrorContains(t, err, "--confidence=1: out of range")
}
