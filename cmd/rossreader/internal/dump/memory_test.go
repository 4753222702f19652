// This file tests that dumps have the samples of memory.

package dump

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

type memoryRow struct {
	Virtual float64 `parquet:"virtual_time"`
	Real    float64 `parquet:"real_time"`
	PE      uint32  `parquet:"pe_id"`
	Events  uint32  `parquet:"events"`
	Queue   uint64  `parquet:"queue_bytes"`
	Undo    uint64  `parquet:"undo_bytes"`
	Used    uint64  `parquet:"memory_used_bytes"`
	Limit   uint64  `parquet:"memory_limit_bytes"`
}

func TestSamplesOfMemoryAreDumpedInEachFormat(t *testing.T) {
	data := instr.AppendMemory(nil, 1.5, 0.25, &instr.MemoryStats{PE: 3, Events: 4, Queue: 5, Undo: 6, Used: 7, Limit: 8})
	data = instr.AppendMemory(data, 2.5, 0.5, &instr.MemoryStats{PE: 4, Used: math.MaxUint64, Limit: 1 << 40})
	path := rt.Write(t, "ross-stats-memory.bin", data)
	const header = "virtual_time,real_time,pe_id,events,queue_bytes,undo_bytes,memory_used_bytes,memory_limit_bytes\n"
	require.Equal(t, header+"1.5,0.25,3,4,5,6,7,8\n2.5,0.5,4,0,0,0,18446744073709551615,1099511627776\n", rt.Good(t, Command, path))
	require.Equal(t, header+"1.5,0.25,3,4,5,6,7,8\n", rt.Good(t, Command, path, "--pe=0-3", "--kind=memory", "--payload=u32"))
	require.Equal(t, header, rt.Good(t, Command, path, "--lp=0"), "none is of an LP")
	require.Equal(t, `{"kind":"memory","virtual_time":1.5,"real_time":0.25,"pe_id":3,"events":4,"queue_bytes":5,"undo_bytes":6,"memory_used_bytes":7,"memory_limit_bytes":8}`+"\n",
		rt.Good(t, Command, path, "--format=jsonl", "--to=2"))

	out := filepath.Join(t.TempDir(), "x.parquet")
	rt.Good(t, Command, path, "--format=parquet", "-o", out)
	require.Equal(t, []memoryRow{{1.5, 0.25, 3, 4, 5, 6, 7, 8}, {2.5, 0.5, 4, 0, 0, 0, math.MaxUint64, 1 << 40}}, rowsOf[memoryRow](t, out))
}
