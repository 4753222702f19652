// This file tests the dump of statistics, which the library writes here.

package dump

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/stats"
)

// office is a state with statistics of all kinds.
type office struct {
	Calls stats.Series    `ross:"calls,calls,every=2"`
	Queue stats.Level     `ross:"queue,callers,every=2,q=0.5"`
	Talks stats.Histogram `ross:"talks,min"`
	Lost  stats.Counter   `ross:"lost"`
}

// written makes a run that writes its statistics, and returns their table and the name of the file.
func written(t *testing.T) (*stats.Table, string) {
	t.Helper()
	cfg := ross.Config{LPs: 2, End: 10, Statistics: ross.StatisticsInFiles}
	cfg.Instruments.Path = filepath.Join(t.TempDir(), "out")
	sim, err := ross.Run(t.Context(), cfg, ross.Type[office]{Name: "office",
		Init: func(_ *office, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: ross.On(func(s *office, lp *ross.LP, _ *ross.None) {
			s.Calls.Add(lp, 1)
			s.Queue.Set(lp, float64(int(lp.Now())%4))
			s.Talks.Add(lp, lp.Now()/3)
			ross.Send(lp, lp.ID(), 1, ross.None{})
		})})
	require.NoError(t, err)
	t.Cleanup(func() { sim.Close() })
	all, err := stats.Collect(sim)
	require.NoError(t, err)
	return all, filepath.Join(cfg.Instruments.Path, "ross-stats-statistics.json")
}

func TestStatisticsAreTables(t *testing.T) {
	all, path := written(t)
	dir := t.TempDir()
	rt.Good(t, Command, path, "-o", dir)
	read := func(part string) (rows [][]string) {
		text, err := os.ReadFile(filepath.Join(dir, "ross-stats-statistics-"+part+".csv"))
		require.NoError(t, err)
		_, rows = table(t, string(text))
		return rows
	}
	var rows, courses, bins, values [][]string
	line := func(r *stats.Row, numbers ...float64) []string {
		cells := []string{r.Group, r.Name, r.Unit, r.Kind}
		for _, x := range numbers {
			if math.IsNaN(x) {
				cells = append(cells, "NaN")
				continue
			}
			cells = append(cells, strconv.FormatFloat(x, 'g', -1, 64))
		}
		return cells
	}
	for _, r := range all.Rows() {
		rows = append(rows, line(&r, float64(r.LPs), float64(r.Count), r.Sum, r.Mean, r.StdDev, r.Min, r.Max, r.NonZero))
		for _, c := range r.Course {
			courses = append(courses, line(&r, c.Begin, c.End, float64(c.Count), c.Sum, c.Mean, c.Rate))
		}
		for _, b := range r.Bins {
			bins = append(bins, line(&r, b.Low, b.High, float64(b.Count)))
		}
		for _, v := range r.Values {
			values = append(values, line(&r, v.Least, v.Greatest, v.Share, v.UpTo))
		}
	}
	require.Equal(t, rows, read("rows"))
	require.Equal(t, courses, read("courses"))
	require.Len(t, courses, 10)
	require.Equal(t, bins, read("bins"))
	require.Equal(t, values, read("values"))
	require.NotEmpty(t, values)

	rt.Good(t, Command, path, "-o", filepath.Join(dir, "p"), "--format=parquet")
	text, err := os.ReadFile(filepath.Join(dir, "p-courses.parquet"))
	require.NoError(t, err)
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	require.EqualValues(t, 10, file.NumRows())
	require.Len(t, file.Root().Columns(), 10)
}

func TestStatisticsNeedAFolderAndWholeFiles(t *testing.T) {
	_, path := written(t)
	broken := filepath.Join(t.TempDir(), "ross-stats-statistics.json")
	require.NoError(t, os.WriteFile(broken, []byte("{"), 0o666))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{path}, 2, "each needs a separate output: name a folder or a prefix with -o"},
		{[]string{path, "--format=jsonl", "-o", "x"}, 2, "is JSON already: give csv or parquet"},
		{[]string{broken, "-o", t.TempDir()}, 1, "let the run write it again (--statistics=2)"},
	} {
		r := rt.Run(Command, c.args...)
		require.Equal(t, c.code, r.Status)
		require.Contains(t, r.Stderr, c.want)
	}
}
