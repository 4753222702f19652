// This file tests payloads in named columns.

package dump

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

// typedRun writes a run of LPs 0 to 3: two routers, and two hosts whose wait has another kind. LP 4
// is an analysis LP. It returns the folder.
func typedRun(t *testing.T) string {
	dir := t.TempDir()
	run := instr.RunInfo{
		Version: instr.RunVersion, LPs: 4,
		Types: []instr.RunType{
			{Name: `router "a", b`, Trace: "hop:u32,_:x3,wait:f64,route:i8[2],source_lp:u8", Point: "load:i64"},
			{Name: "host", Trace: "wait:f32,hop:u32,tag:x2"},
		},
		TypeRanges: []instr.RunTypeRange{{First: 0, Count: 2, Type: 0}, {First: 2, Count: 2, Type: 1}},
	}
	require.NoError(t, run.Write(dir))
	router := binary.LittleEndian.AppendUint32(nil, 7)
	router = binary.LittleEndian.AppendUint64(append(router, 1, 2, 3), math.Float64bits(-2.5))
	router = append(router, 0xFF, 5, 200)
	host := binary.LittleEndian.AppendUint32(nil, math.Float32bits(0.1))
	host = append(binary.LittleEndian.AppendUint32(host, 9), 0xAB, 0xCD)
	var trace, points []byte
	trace = instr.AppendEvent(trace, &instr.Event{Src: 0, Dest: 1, SendTS: 1, RecvTS: 2, RealTS: 3, Payload: router})
	trace = instr.AppendEvent(trace, &instr.Event{Src: 1, Dest: 2, SendTS: 1, RecvTS: 2, RealTS: 3, Payload: host})
	trace = instr.AppendEvent(trace, &instr.Event{Src: 1, Dest: 3, SendTS: 1, RecvTS: 2, RealTS: 3, Payload: host[:5]})
	trace = instr.AppendEvent(trace, &instr.Event{Src: 4, Dest: 4, SendTS: 1, RecvTS: 2, RealTS: 3})
	points = instr.AppendVTModel(points, &instr.VTModel{LP: 1, TS: 10, RealTime: 1, Payload: binary.LittleEndian.AppendUint64(nil, 1<<63)})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-evtrace.bin"), trace, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-analysis-lps.bin"), points, 0o600))
	return dir
}

func TestPayloadsHaveTheColumnsOfTheirLayouts(t *testing.T) {
	dir := typedRun(t)
	trace, points := filepath.Join(dir, "ross-stats-evtrace.bin"), filepath.Join(dir, "ross-stats-analysis-lps.bin")
	r := rt.Run(Command, trace)
	require.Zero(t, r.Status)
	require.Equal(t, `source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,lp_type,hop,wait,route_0,route_1,payload_source_lp,payload_wait,tag
0,1,1,2,3,18,"router ""a"", b",7,-2.5,-1,5,200,,
1,2,1,2,3,10,host,9,,,,,0.1,abcd
1,3,1,2,3,5,host,,,,,,,
4,4,1,2,3,0,,,,,,,,
`, r.Stdout)
	require.Equal(t, "rossreader dump: the bytes of 1 payloads were left out: use --payload=hex\n", r.Stderr)

	lines := strings.Split(rt.Good(t, Command, trace, "--format=jsonl"), "\n")
	require.Contains(t, lines[0], `"model_data_size":18,"lp_type":"router \"a\", b","payload":{"hop":7,"wait":-2.5,"route":[-1,5],"source_lp":200}}`)
	require.Contains(t, lines[1], `"lp_type":"host","payload":{"wait":0.1,"hop":9,"tag":"abcd"}}`)
	require.Contains(t, lines[2], `"lp_type":"host","payload":"cdcccc3d09"}`)
	require.Contains(t, lines[3], `"model_data_size":0,"payload":{}}`)
	for _, line := range lines[:4] {
		require.True(t, json.Valid([]byte(line)), line)
	}

	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model"), ",lp_type,load\n10,1,0,0,1,8,\"router \"\"a\"\", b\",-9223372036854775808\n")
	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model", "--payload=hex"), "\n10,1,0,0,1,8,0000000000000080\n")
	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model", "--payload=u32"), "\n10,1,0,0,1,8,0,2147483648\n")
}

func TestParquetHasTypedColumnsOfLayouts(t *testing.T) {
	out := filepath.Join(t.TempDir(), "trace.parquet")
	require.Zero(t, rt.Run(Command, filepath.Join(typedRun(t), "ross-stats-evtrace.bin"), "--format=parquet", "-o", out).Status)
	type row struct {
		Hop    *uint32  `parquet:"hop,optional"`
		Wait   *float64 `parquet:"wait,optional"`
		Route  *int32   `parquet:"route_0,optional"`
		Type   *string  `parquet:"lp_type,optional"`
		Single *float32 `parquet:"payload_wait,optional"`
		Tag    []byte   `parquet:"tag,optional"`
	}
	rows, err := parquet.ReadFile[row](out)
	require.NoError(t, err)
	require.Len(t, rows, 4)
	require.EqualValues(t, 7, *rows[0].Hop)
	require.Equal(t, -2.5, *rows[0].Wait)
	require.EqualValues(t, -1, *rows[0].Route)
	require.Equal(t, `router "a", b`, *rows[0].Type)
	require.Nil(t, rows[0].Single)
	require.EqualValues(t, 9, *rows[1].Hop)
	require.Nil(t, rows[1].Wait)
	require.Equal(t, float32(0.1), *rows[1].Single)
	require.Equal(t, []byte{0xAB, 0xCD}, rows[1].Tag)
	require.Equal(t, "host", *rows[2].Type)
	require.Nil(t, rows[2].Hop)
	require.Nil(t, rows[3].Type)
}

func TestLayoutsThatAreMissingOrDamagedAreTold(t *testing.T) {
	dir := typedRun(t)
	trace, points := filepath.Join(dir, "ross-stats-evtrace.bin"), filepath.Join(dir, "ross-stats-analysis-lps.bin")
	run := instr.RunInfo{Version: instr.RunVersion, LPs: 4, Types: []instr.RunType{{Name: "one", Trace: "hop:u24"}}}
	require.NoError(t, run.Write(dir))
	r := rt.Run(Command, trace)
	require.Zero(t, r.Status)
	require.Contains(t, r.Stderr, `run.json: layout of type "one": field "hop:u24": unknown kind "u24"`)
	require.Contains(t, r.Stderr, "payloads are hexadecimal")
	require.Contains(t, r.Stdout, ",payload\n")
	require.Equal(t, 1, rt.Run(Command, trace, "--payload=fields").Status)

	run.Types[0].Trace = "hop:u32"
	require.NoError(t, run.Write(dir))
	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model"), ",payload\n", "no layout for points")
	r = rt.Run(Command, trace) // one type, and no ranges: all LPs are of it
	require.True(t, strings.HasPrefix(r.Stdout, "source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,hop\n"), r.Stdout)

	require.NoError(t, os.Remove(filepath.Join(dir, instr.RunName)))
	require.Contains(t, rt.Good(t, Command, trace), ",payload\n")
	r = rt.Run(Command, trace, "--payload=fields")
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stderr, "use --payload=hex, or a file beside the run.json of its run")
}
