// This file tests Parquet by reading it back.

package dump

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
)

func openParquet(t *testing.T, path string) *parquet.File {
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	stat, err := file.Stat()
	require.NoError(t, err)
	p, err := parquet.OpenFile(file, stat.Size())
	require.NoError(t, err)
	return p
}

// rowsOf reads a file back as structs.
func rowsOf[T any](t *testing.T, path string) (rows []T) {
	r := parquet.NewGenericReader[T](openParquet(t, path))
	defer r.Close()
	rows = make([]T, r.NumRows())
	n, err := r.Read(rows)
	if err != nil {
		require.ErrorIs(t, err, io.EOF)
	}
	require.Len(t, rows, n)
	return rows
}

type eventRow struct {
	Src     uint32  `parquet:"source_lp"`
	Dest    uint32  `parquet:"destination_lp"`
	Send    float32 `parquet:"virtual_send_time"`
	Recv    float32 `parquet:"virtual_recv_time"`
	Real    float32 `parquet:"real_time"`
	Size    uint32  `parquet:"model_data_size"`
	Payload []byte  `parquet:"payload"`
}

func TestParquetOfATraceOfSeveralRowGroupsIsItsBytes(t *testing.T) {
	for _, path := range []string{rt.File("cons2-payload-evtrace.bin"), writeTrace(t, 200_000, 4)} {
		out := filepath.Join(t.TempDir(), "x.parquet")
		rt.Good(t, Command, path, "--format=parquet", "-o", out)
		rows := rowsOf[eventRow](t, out)
		events := rt.Events(t, path)
		require.Len(t, rows, len(events))
		for i, e := range events {
			r := &rows[i]
			same := r.Src == e.Src && r.Dest == e.Dest && r.Send == e.Send && r.Recv == e.Recv && r.Real == e.Real &&
				int(r.Size) == len(e.Payload) && string(r.Payload) == string(e.Payload)
			require.True(t, same, "record %d: %v, not %v", i, r, e)
		}
		groups := openParquet(t, out).RowGroups()
		require.Len(t, groups, (len(events)*6+groupCells-1)/groupCells)
		for _, g := range groups {
			require.LessOrEqual(t, g.NumRows(), int64(groupCells/6+1))
		}
	}
}

func TestParquetOfSamplesHasOneFileForEachKind(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	path := rt.File("opt2-rt.bin")
	rt.Good(t, Command, path, "--format=parquet", "-o", prefix+".parquet")
	type row struct {
		TS         float64 `parquet:"virtual_time"`
		Real       float64 `parquet:"real_time"`
		PE         uint32  `parquet:"pe_id"`
		Processed  uint32  `parquet:"events_processed"`
		Efficiency float32 `parquet:"efficiency"`
	}
	for flag, kind := range []string{"pe", "kp", "lp"} {
		rows := rowsOf[row](t, prefix+"-"+kind+".parquet")
		at := 0
		for _, r := range rt.Samples(t, path) {
			if int(r.Flag) == flag {
				want := row{r.TS, r.Real, r.Words[0], r.Words[1+flag], r.Float([]int{13, 10, 10}[flag])}
				require.Equal(t, want, rows[at])
				at++
			}
		}
		require.Len(t, rows, at)
	}
	var names []string
	for _, c := range openParquet(t, prefix+"-pe.parquet").Schema().Columns() {
		names = append(names, c[0])
	}
	require.Equal(t, "virtual_time", names[0], "the columns are in the order of the record")
	require.Equal(t, "lz4_time", names[len(names)-1])
}

func TestParquetPayloadsAsNumbersMayBeMissing(t *testing.T) {
	type row struct {
		Size  uint32  `parquet:"model_data_size"`
		Low   *uint32 `parquet:"payload_0"`
		High  *uint32 `parquet:"payload_1"`
		Recv  float32 `parquet:"virtual_recv_time"`
		Other uint32  `parquet:"source_lp"`
	}
	path := rt.File("cons2-payload-evtrace.bin")
	out := filepath.Join(t.TempDir(), "x.parquet")
	rt.Good(t, Command, path, "--format=parquet", "--payload=u32", "-o", out)
	rows := rowsOf[row](t, out)
	for i, e := range rt.Events(t, path) {
		require.Equal(t, e.Recv, rows[i].Recv)
		if len(e.Payload) == 0 {
			require.Nil(t, rows[i].Low)
			require.Nil(t, rows[i].High)
			continue
		}
		require.EqualValues(t, e.Payload[0], *rows[i].Low)
		require.Zero(t, *rows[i].High)
	}
}

func TestParquetOfModelsAtVirtualTimes(t *testing.T) {
	type row struct {
		TS      float64 `parquet:"virtual_time"`
		LP      uint64  `parquet:"lp_id"`
		Payload []byte  `parquet:"payload"`
	}
	out := filepath.Join(t.TempDir(), "x.parquet")
	rt.Good(t, Command, rt.File("cons2-payload-analysis-lps.bin"), "--kind=vt-model", "--format=parquet", "-o", out)
	rows := rowsOf[row](t, out)
	require.Len(t, rows, 40)
	for _, r := range rows { // this model's second number is the time
		bits := uint64(0)
		for i, b := range r.Payload[8:] {
			bits |= uint64(b) << (8 * i)
		}
		require.Equal(t, r.TS, math.Float64frombits(bits))
		require.Less(t, r.LP, uint64(8))
	}
}

func TestParquetWithoutRowsCanBeRead(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.parquet")
	rt.Good(t, Command, rt.Write(t, "a-evtrace.bin", nil), "--format=parquet", "-o", out)
	require.Empty(t, rowsOf[eventRow](t, out))
}
