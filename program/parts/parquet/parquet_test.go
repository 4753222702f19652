// What other programs read in the files.

package parquet

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
)

func someTable() *experiment.Table {
	return &experiment.Table{
		Columns: []string{"load", "n", "policy", "mixed", "fast", "level"},
		Rows: [][]any{
			{0.5, 1, "fifo", 1, true, 2},
			{1. / 3, 20, `a "b", c`, "two", false, 2.5},
			{math.Inf(1), -3, "\u00e9", true, true, 3},
		},
	}
}

func TestTableAsParquet(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Write(someTable(), &out))
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
	require.Equal(t, []row{{0.5, 1, "fifo", "1", true, 2}, {1. / 3, 20, `a "b", c`, "two", false, 2.5},
		{math.Inf(1), -3, "\u00e9", "true", true, 3}}, rows)
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	require.Equal(t, someTable().Columns, names, "in their order")

	for _, columns := range [][]string{{"a", "a"}, {"a", "b,c"}, {"a", `"`}, {"a", ""}, {"-", "a"}} {
		err := Write(&experiment.Table{Columns: columns}, &out)
		require.ErrorContains(t, err, "ross: results as Parquet: column ")
	}
	out.Reset()
	require.NoError(t, Write(&experiment.Table{Columns: []string{"a"}}, &out))
	require.Positive(t, out.Len())
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAnOutputThatTakesNothing(t *testing.T) {
	require.ErrorIs(t, Write(someTable(), full{}), errFull)
}
