// This file tests the columns of payloads and labels, and Parquet.

package dump

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
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
	points = instr.AppendVTModel(points,
		&instr.VTModel{LP: 1, TS: 10, RealTime: 1, Payload: binary.LittleEndian.AppendUint64(nil, 1<<63)})
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
	require.Contains(t, lines[0],
		`"model_data_size":18,"lp_type":"router \"a\", b","payload":{"hop":7,"wait":-2.5,"route":[-1,5],"source_lp":200}}`)
	require.Contains(t, lines[1], `"lp_type":"host","payload":{"wait":0.1,"hop":9,"tag":"abcd"}}`)
	require.Contains(t, lines[2], `"lp_type":"host","payload":"cdcccc3d09"}`)
	require.Contains(t, lines[3], `"model_data_size":0,"payload":{}}`)
	for _, line := range lines[:4] {
		require.True(t, json.Valid([]byte(line)), line)
	}

	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model"),
		",lp_type,load\n10,1,0,0,1,8,\"router \"\"a\"\", b\",-9223372036854775808\n")
	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model", "--payload=hex"),
		"\n10,1,0,0,1,8,0000000000000080\n")
	require.Contains(t, rt.Good(t, Command, points, "--kind=vt-model", "--payload=u32"), "\n10,1,0,0,1,8,0,2147483648\n")
}

func TestParquetHasTypedColumnsOfLayouts(t *testing.T) {
	out := filepath.Join(t.TempDir(), "trace.parquet")
	require.Zero(t, rt.Run(Command, filepath.Join(typedRun(t), "ross-stats-evtrace.bin"), "--format=parquet", "-o",
		out).Status)
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
	require.True(t,
		strings.HasPrefix(r.Stdout,
			"source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,hop\n"), r.Stdout)

	require.NoError(t, os.Remove(filepath.Join(dir, instr.RunName)))
	require.Contains(t, rt.Good(t, Command, trace), ",payload\n")
	r = rt.Run(Command, trace, "--payload=fields")
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stderr, "use --payload=hex, or a file next to the run.json of its run")
}

func routers(id uint64) string { return fmt.Sprintf(`router "%d",0`, id) }

// withLabels copies a file of a run to a new folder, under a name with a prefix, and writes labels of
// LPs next to it.
func withLabels(t *testing.T, path, suffix, text string) string {
	dir := t.TempDir()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	copied := instr.FileName(dir, "my-run", suffix)
	require.NoError(t, os.WriteFile(copied, data, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my-run"+instr.LabelsSuffix), []byte(text), 0o600))
	return copied
}

func textOf(t *testing.T) string {
	var b strings.Builder
	require.NoError(t, labels.Write(&b, 7, routers))
	return b.String()
}

// nameOf is the label that LPs have in textOf.
func nameOf(id uint32) string {
	if id < 7 {
		return routers(uint64(id))
	}
	return ""
}

func TestLabelsFollowTheNumbersOfEvents(t *testing.T) {
	path := withLabels(t, rt.File("cons2-payload-evtrace.bin"), instr.TraceSuffix, textOf(t))
	plain := rt.Good(t, Command, path)
	require.Equal(t, rt.Good(t, Command, rt.File("cons2-payload-evtrace.bin")), plain,
		"nothing changes unless it is asked for")
	header, rows := table(t, rt.Good(t, Command, path, "--labels"))
	require.Equal(t, []string{"model_data_size", "source_label", "destination_label", "payload"}, header[5:])
	events := rt.Events(t, path)
	require.Len(t, rows, len(events))
	lines := strings.Split(strings.TrimSpace(rt.Good(t, Command, path, "--labels", "--format=jsonl")), "\n")
	require.Len(t, lines, len(events))
	for i, e := range events {
		require.Equal(t, []string{nameOf(e.Src), nameOf(e.Dest)}, rows[i][6:8])
		var line struct {
			Source      string `json:"source_label"`
			Destination string `json:"destination_label"`
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &line))
		require.Equal(t, rows[i][6:8], []string{line.Source, line.Destination})
	}
}

func TestLabelsFollowTheNumbersOfSamples(t *testing.T) {
	path := withLabels(t, rt.File("opt2-rt.bin"), instr.RTSuffix, textOf(t))
	header, rows := table(t, rt.Good(t, Command, path, "--labels", "--kind=lp"))
	require.Equal(t, "lp_label", header[len(header)-1])
	require.Equal(t, "lp_id", header[4])
	seen := map[string]bool{}
	for _, row := range rows {
		var id uint32
		fmt.Sscan(row[4], &id)
		require.Equal(t, nameOf(id), row[len(row)-1])
		seen[row[len(row)-1]] = true
	}
	require.Len(t, seen, 8, "eight LPs, one without a label")
	header, _ = table(t, rt.Good(t, Command, path, "--labels", "--kind=pe"))
	require.NotContains(t, header, "lp_label")
}

func TestMissingAndDamagedLabelsAreEmptyAndTold(t *testing.T) {
	for _, text := range []string{"", "id,label\n0,rou", "not labels\n"} {
		path := withLabels(t, rt.File("cons2-payload-evtrace.bin"), instr.TraceSuffix, text)
		r := rt.Run(Command, path, "--labels")
		require.Zero(t, r.Status)
		require.Contains(t, r.Stderr, "no labels of LPs for "+path)
		_, rows := table(t, r.Stdout)
		for _, row := range rows {
			require.Equal(t, []string{"", ""}, row[6:8])
		}
	}
	require.Equal(t, 2, rt.Run(Command, "--labels", "--format=parquet", rt.File("opt2-rt.bin")).Status)
}

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
