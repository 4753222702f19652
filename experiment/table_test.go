// This file owns the tests of tables.

package experiment

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"
)

func someTable() *Table {
	return &Table{
		Columns: []string{"load", "n", "policy", "mixed", "fast", "level"},
		Rows: [][]any{
			{0.5, 1, "fifo", 1, true, 2},
			{1. / 3, 20, `a "b", c`, "two", false, 2.5},
			{math.Inf(1), -3, "\u00e9", true, true, 3},
		},
	}
}

func TestTableAsText(t *testing.T) {
	var out strings.Builder
	require.NoError(t, someTable().WriteText(&out))
	require.Equal(t, ""+
		"   load   n  policy    mixed  fast   level\n"+
		"    0.5   1  fifo          1  true       2\n"+
		"0.33333  20  a \"b\", c    two  false    2.5\n"+
		"   +Inf  -3  \u00e9          true  true       3\n", out.String())
}

func TestTableAsCSV(t *testing.T) {
	var out strings.Builder
	require.NoError(t, someTable().WriteCSV(&out))
	require.Equal(t, ""+
		"load,n,policy,mixed,fast,level\n"+
		"0.5,1,fifo,1,true,2\n"+
		"0.3333333333333333,20,\"a \"\"b\"\", c\",two,false,2.5\n"+
		"Inf,-3,\u00e9,true,true,3\n", out.String())
	require.ErrorIs(t, someTable().WriteCSV(full{}), errFull)
	require.ErrorIs(t, someTable().WriteText(full{}), errFull)
	require.ErrorIs(t, someTable().WriteParquet(full{}), errFull)
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestTableAsParquet(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, someTable().WriteParquet(&out))
	type row struct {
		Load   float64 `parquet:"load"`
		N      int64   `parquet:"n"`
		Policy string  `parquet:"policy"`
		Mixed  string  `parquet:"mixed"`
		Fast   bool    `parquet:"fast"`
		Level  float64 `parquet:"level"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	require.Equal(t, []row{{0.5, 1, "fifo", "1", true, 2}, {1. / 3, 20, `a "b", c`, "two", false, 2.5}, {math.Inf(1), -3, "\u00e9", "true", true, 3}}, rows)
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	require.Equal(t, someTable().Columns, names, "in their order")

	for _, columns := range [][]string{{"a", "a"}, {"a", "b,c"}, {"a", `"`}, {"a", ""}, {"-", "a"}} {
		err := (&Table{Columns: columns}).WriteParquet(&out)
		require.ErrorContains(t, err, "ross: results as Parquet: column ")
	}
	out.Reset()
	require.NoError(t, (&Table{Columns: []string{"a"}}).WriteParquet(&out))
	require.Positive(t, out.Len())
}

func TestTablesOfResults(t *testing.T) {
	e := Experiment{Name: "test", Points: Grid(Over("scale", 1.0, 2.0), Over("mean", 7)), Replications: 2,
		Run: func(_ context.Context, t *Trial) (Responses, error) {
			return Responses{"x": t.Float("scale") * (1 + float64(t.Replication)), "b": 5}, nil
		}}
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	half := StudentT(0.975, 1) / 2
	require.Equal(t, []string{"scale", "parameter mean", "response", "replications", "mean", "half", "low", "high", "sd", "enough"}, r.Summary().Columns)
	rows := r.Summary().Rows
	require.Len(t, rows, 4)
	require.Equal(t, []any{1.0, 7, "b", 2, 5.0, 0.0, 5.0, 5.0, 0.0, true}, rows[0])
	require.Equal(t, []any{1.0, 7, "x", 2, 1.5}, rows[1][:5])
	require.InDelta(t, half, rows[1][5], 1e-12)
	require.InDelta(t, 3-2*half, rows[3][6], 1e-12)
	require.InDelta(t, 3+2*half, rows[3][7], 1e-12)

	d, err := r.Differences(1)
	require.NoError(t, err)
	require.Equal(t, []string{"scale", "mean", "response", "replications", "difference", "half", "low", "high", "different"}, d.Columns)
	require.Equal(t, []any{1.0, 7, "b", 2, 0.0, 0.0, 0.0, 0.0, false}, d.Rows[0])
	require.Equal(t, []any{1.0, 7, "x", 2, -1.5}, d.Rows[1][:5])
	require.Len(t, d.Rows, 2)

	require.Equal(t, &Table{
		Columns: []string{"scale", "mean", "replication", "b", "x"},
		Rows:    [][]any{{1.0, 7, 0, 5.0, 1.0}, {1.0, 7, 1, 5.0, 2.0}, {2.0, 7, 0, 5.0, 2.0}, {2.0, 7, 1, 5.0, 4.0}},
	}, r.Replications())
}
