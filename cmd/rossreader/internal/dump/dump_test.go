// This file tests and measures the dump of records.

package dump

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

// table reads CSV back.
func table(t *testing.T, text string) (header []string, rows [][]string) {
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return all[0], all[1:]
}

func TestCSVOfATraceIsItsBytes(t *testing.T) {
	path := rt.File("cons2-payload-evtrace.bin")
	header, rows := table(t, rt.Good(t, Command, path))
	require.Equal(t, []string{"source_lp", "destination_lp", "virtual_send_time", "virtual_recv_time", "real_time",
		"model_data_size", "payload"}, header)
	events := rt.Events(t, path)
	require.Len(t, rows, len(events))
	for i, e := range events {
		require.Equal(t, []string{fmt.Sprint(e.Src), fmt.Sprint(e.Dest), fmt.Sprint(e.Send), fmt.Sprint(e.Recv),
			fmt.Sprint(e.Real),
			fmt.Sprint(len(e.Payload)), hex.EncodeToString(e.Payload)}, rows[i])
	}
}

func TestCSVOfSamplesIsOneFileForEachKind(t *testing.T) {
	dir := t.TempDir()
	path := rt.File("opt2-rt.bin")
	printed := rt.Good(t, Command, path, "-o", dir)
	require.Equal(t, fmt.Sprintf("%[1]s-pe.csv: 437 records\n%[1]s-kp.csv: 874 records\n%[1]s-lp.csv: 1748 records\n",
		filepath.Join(dir, "opt2-rt")), printed)
	floatsFrom := []int{13, 9, 8} // first word that is a float, by kind
	for flag, kind := range []string{"pe", "kp", "lp"} {
		text, err := os.ReadFile(filepath.Join(dir, "opt2-rt-"+kind+".csv"))
		require.NoError(t, err)
		header, rows := table(t, string(text))
		at := 0
		for _, r := range rt.Samples(t, path) {
			if int(r.Flag) != flag {
				continue
			}
			words := r.Words
			if flag == 2 { // what the original leaves unset between
				words = append(words[:8:8], words[10])
			}
			require.Len(t, header, 2+len(words))
			row := rows[at]
			at++
			ts, err := strconv.ParseFloat(row[0], 64)
			require.NoError(t, err)
			require.Equal(t, r.TS, ts)
			for i, w := range words {
				if i < floatsFrom[flag] {
					require.Equal(t, fmt.Sprint(w), row[2+i])
					continue
				}
				v, err := strconv.ParseFloat(row[2+i], 32)
				require.NoError(t, err)
				require.Equal(t, w, math.Float32bits(float32(v)))
			}
		}
		require.Len(t, rows, at)
	}
}

func TestJSONLinesAreInTheOrderOfTheFile(t *testing.T) {
	path := rt.File("lp36-gvt.bin")
	lines := strings.Split(strings.TrimSpace(rt.Good(t, Command, "--format=jsonl", path)), "\n")
	samples := rt.Samples(t, path)
	require.Len(t, lines, len(samples))
	for i, r := range samples {
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &got))
		require.Equal(t, []string{"pe", "kp", "lp"}[r.Flag], got["kind"])
		require.Equal(t, r.TS, got["virtual_time"])
		require.Equal(t, r.Real, got["real_time"])
		require.Equal(t, float64(r.Words[0]), got["pe_id"])
		efficiency := r.Words[[]int{13, 10, 8}[r.Flag]]
		require.Equal(t, math.Float32frombits(efficiency), float32(got["efficiency"].(float64)))
	}
}

func TestWhatIsNoNumberInJSONIsAString(t *testing.T) {
	data := instr.AppendKP(nil, math.Inf(1), 2, &instr.KPStats{TimeAheadGVT: float32(math.Inf(-1)),
		Efficiency: float32(math.NaN())})
	path := rt.Write(t, "a-rt.bin", data)
	line := rt.Good(t, Command, "--format=jsonl", path)
	require.Contains(t, line, `"virtual_time":"Infinity"`)
	require.Contains(t, line, `"time_ahead_gvt":"-Infinity","efficiency":"NaN"`)
	require.True(t, json.Valid([]byte(line)))
	require.Contains(t, rt.Good(t, Command, "--kind=kp", path), "\nInf,2,0,0,0,0,0,0,0,0,0,-Inf,NaN\n")
}

func TestPayloadsAsNumbersHaveColumns(t *testing.T) {
	path := rt.File("cons2-payload-analysis-lps.bin")
	header, rows := table(t, rt.Good(t, Command, "--kind=vt-model", "--payload=f64", path))
	require.Equal(t, []string{"payload_0", "payload_1"}, header[len(header)-2:])
	for _, row := range rows { // the second number of that model is the time
		require.Equal(t, row[0], row[len(row)-1])
	}
	header, rows = table(t, rt.Good(t, Command, "--payload=u32", rt.File("cons2-payload-evtrace.bin")))
	require.Len(t, header, 8)
	for i, e := range rt.Events(t, rt.File("cons2-payload-evtrace.bin")) {
		want := []string{"", ""}
		if len(e.Payload) > 0 {
			require.Equal(t, make([]byte, 7), e.Payload[1:], "this model's numbers are small")
			want = []string{fmt.Sprint(e.Payload[0]), "0"}
		}
		require.Equal(t, want, rows[i][6:])
	}
	header, _ = table(t, rt.Good(t, Command, "--payload=none", path, "--kind=vt-model"))
	require.Equal(t, "model_size", header[len(header)-1])
	require.Contains(t, rt.Good(t, Command, "--format=jsonl", "--payload=u32", rt.File("opt2-model.bin")), `"payload":[`)
}

func TestBytesThatMakeNoNumberAreToldOf(t *testing.T) {
	data := instr.AppendEvent(nil, &instr.Event{Payload: []byte{1, 0, 0, 0, 2, 0, 0, 0, 9}})
	path := rt.Write(t, "a-evtrace.bin", data)
	r := rt.Run(Command, "--payload=u32", path)
	require.Zero(t, r.Status)
	require.Contains(t, r.Stdout, "\n0,0,0,0,0,9,1,2\n")
	require.Contains(t, r.Stderr, "bytes at the end of 1 payloads were left out")
	r = rt.Run(Command, "--payload=u32", "--payload-columns=1", path)
	require.Contains(t, r.Stdout, "\n0,0,0,0,0,9,1\n")
}

func TestFiltersKeepWhatIsAskedFor(t *testing.T) {
	path := rt.File("opt2-evtrace.bin")
	want := 0
	for _, e := range rt.Events(t, path) {
		if e.Recv >= 100 && e.Recv < 200 && (e.Dest == 2 || e.Dest >= 5) {
			want++
		}
	}
	_, rows := table(t, rt.Good(t, Command, path, "--from=100", "--to=200", "--lp=2,5-7"))
	require.NotZero(t, want)
	require.Len(t, rows, want)

	want = 0
	for _, r := range rt.Samples(t, rt.File("opt2-rt.bin")) {
		if r.Flag == 1 && r.Words[0] == 1 && r.TS < 5000 {
			want++
		}
	}
	_, rows = table(t, rt.Good(t, Command, rt.File("opt2-rt.bin"), "--kind=kp", "--pe=1", "--to=5000"))
	require.NotZero(t, want)
	require.Len(t, rows, want)
}

func TestOutputOfManyBatchesIsInOrder(t *testing.T) {
	path := writeTrace(t, 50_000, 3)
	var want strings.Builder
	want.WriteString("source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,payload\n")
	for _, e := range rt.Events(t, path) {
		fmt.Fprintf(&want, "%d,%d", e.Src, e.Dest)
		for _, f := range []float32{e.Send, e.Recv, e.Real} {
			format := byte('f')
			if f != 0 && f < 1e-6 {
				format = 'g'
			}
			want.WriteString("," + strconv.FormatFloat(float64(f), format, -1, 32))
		}
		fmt.Fprintf(&want, ",3,%x\n", e.Payload)
	}
	require.True(t, want.String() == rt.Good(t, Command, path), "the texts differ")
}

func TestDamagedFileLeavesNothingUnderTheFinalName(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-evtrace.bin"), func(b []byte) []byte { return b[:len(b)-5] })
	for _, format := range []string{"csv", "jsonl", "parquet"} {
		out := filepath.Join(t.TempDir(), "x")
		r := rt.Run(Command, path, "--format="+format, "-o", out)
		require.Equal(t, 1, r.Status)
		require.Contains(t, r.Stderr, path)
		left, err := filepath.Glob(out + "*")
		require.NoError(t, err)
		require.Empty(t, left)

		r = rt.Run(Command, path, "--format="+format, "-o", out, "--partial")
		require.Equal(t, 1, r.Status)
		require.Equal(t, out+": 3224 records\n", r.Stdout)
		require.FileExists(t, out)
	}
}

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestOutputThatFailsIsAnError(t *testing.T) {
	path := writeTrace(t, 100_000, 0)
	for _, format := range []string{"csv", "jsonl", "parquet"} {
		for _, room := range []int{0, 100_000} {
			var stderr bytes.Buffer
			require.Equal(t, 1, cli.Run(Command(), []string{path, "--format=" + format}, &fullDisk{room}, &stderr), format)
			require.Contains(t, stderr.String(), "ross: output: ")
		}
	}
}

func TestCommandLinesThatCannotBeUsedAreTold(t *testing.T) {
	data, err := os.ReadFile(rt.File("opt2-gvt.bin"))
	require.NoError(t, err)
	defer func(old io.Reader) { cli.Stdin = old }(cli.Stdin)
	cli.Stdin = bytes.NewReader(data)
	trace, samples := rt.File("opt2-evtrace.bin"), rt.File("opt2-gvt.bin")
	for _, c := range []struct{ args, says string }{
		{samples, "several kinds"},
		{samples + " --format=parquet", "several kinds"},
		{samples + " --kind=event", "holds no such records"},
		{trace + " --kind=what", "must be pe, kp, lp"},
		{trace + " --format=xml", "must be csv, jsonl or parquet"},
		{trace + " --pe=1", "--lp"},
		{trace + " --from=2 --to=1", "must not be later"},
		{trace + " --payload=u8", "must be fields, hex"},
		{trace + " --payload-columns=-1", "from 0 to"},
		{trace + " " + samples, "2 files"},
		{"- --content=gvt --kind=pe --payload=u32", "cannot be read twice"},
	} {
		r := rt.Run(Command, strings.Fields(c.args)...)
		require.Equal(t, 2, r.Status, c.args)
		require.Contains(t, r.Stderr, c.says)
		require.Empty(t, r.Stdout)
	}
}

func TestOutputThatExistsIsReplacedUnlessItIsTheInput(t *testing.T) {
	out := rt.Write(t, "out.csv", []byte("old"))
	left := out + instr.PartSuffix // of an interrupted program
	require.NoError(t, os.WriteFile(left, []byte("left"), 0o600))
	rt.Good(t, Command, rt.File("opt2-evtrace.bin"), "-o", out)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(data), "source_lp,"))
	data, err = os.ReadFile(left)
	require.NoError(t, err)
	require.Equal(t, "left", string(data))

	in := rt.Copy(t, rt.File("opt2-evtrace.bin"), bytes.Clone)
	r := rt.Run(Command, in, "-o", in)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stderr, "is one of the files to read")
	require.Equal(t, rt.Events(t, rt.File("opt2-evtrace.bin")), rt.Events(t, in))
}

func TestTraceWithoutEventsHasAHeader(t *testing.T) {
	path := rt.Write(t, "a-evtrace.bin", nil)
	_, rows := table(t, rt.Good(t, Command, path))
	require.Empty(t, rows)
	require.Empty(t, rt.Good(t, Command, path, "--format=jsonl"))
}

func FuzzDumpNeverPanicsAndJSONIsValid(f *testing.F) {
	f.Add(instr.AppendEvent(nil, &instr.Event{Src: 1, RecvTS: 2, Payload: []byte{1, 2, 3, 4}}))
	f.Add(instr.AppendVTModel(nil, &instr.VTModel{LP: 3, TS: 4, RealTime: math.NaN(), Payload: make([]byte, 10)}))
	f.Add(append(instr.AppendModel(nil, 1, 2, &instr.ModelStats{Mode: instr.ByGVT, Payload: []byte{1, 2, 3}}), 9))
	f.Add(append(instr.AppendPE(nil, 1, 2, &instr.PEStats{Efficiency: float32(math.Inf(1))}), 7))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		suffix := []string{"evtrace", "gvt", "analysis-lps", "model"}[len(data)%4]
		path := filepath.Join(dir, "a-"+suffix+".bin")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		r := rt.Run(Command, path, "--format=jsonl", "--partial", "--payload=f32")
		require.Less(t, r.Status, 2)
		for line := range strings.Lines(r.Stdout) {
			require.True(t, json.Valid([]byte(line)), line)
		}
	})
}

// writeTrace writes a trace of n events of 4096 LPs, with payloads of size bytes.
func writeTrace(t testing.TB, n, size int) string {
	path := filepath.Join(t.TempDir(), "run-evtrace.bin")
	var data []byte
	rnd := rand.New(rand.NewPCG(1, 2))
	payload := make([]byte, size)
	now := 0.0
	for i := range n {
		now += rnd.ExpFloat64() / 1000
		for j := range payload {
			payload[j] = byte(rnd.Uint32())
		}
		data = instr.AppendEvent(data, &instr.Event{Src: rnd.Uint32N(4096), Dest: rnd.Uint32N(4096),
			SendTS: float32(max(0, now-rnd.ExpFloat64())), RecvTS: float32(now), RealTS: float32(i) * 3e-7, Payload: payload})
	}
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func BenchmarkDump(b *testing.B) {
	const events = 500_000
	for _, size := range []int{0, 16} {
		path := writeTrace(b, events, size)
		for _, format := range []string{"csv", "jsonl", "parquet"} {
			name := format + "/payload=0"
			if size > 0 {
				name = format + "/payload=16"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					require.Zero(b, cli.Run(Command(), []string{path, "--format=" + format}, io.Discard, io.Discard))
				}
				b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
			})
		}
	}
}

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
	require.Equal(t, header+"1.5,0.25,3,4,5,6,7,8\n2.5,0.5,4,0,0,0,18446744073709551615,1099511627776\n",
		rt.Good(t, Command, path))
	require.Equal(t, header+"1.5,0.25,3,4,5,6,7,8\n", rt.Good(t, Command, path, "--pe=0-3", "--kind=memory",
		"--payload=u32"))
	require.Equal(t, header, rt.Good(t, Command, path, "--lp=0"), "none is of an LP")
	require.Equal(t,
		`{"kind":"memory","virtual_time":1.5,"real_time":0.25,"pe_id":3,"events":4,"queue_bytes":5,"undo_bytes":6,"memory_used_bytes":7,"memory_limit_bytes":8}`+"\n",
		rt.Good(t, Command, path, "--format=jsonl", "--to=2"))

	out := filepath.Join(t.TempDir(), "x.parquet")
	rt.Good(t, Command, path, "--format=parquet", "-o", out)
	require.Equal(t, []memoryRow{{1.5, 0.25, 3, 4, 5, 6, 7, 8}, {2.5, 0.5, 4, 0, 0, 0, math.MaxUint64, 1 << 40}},
		rowsOf[memoryRow](t, out))
}

func Example() {
	file := "../../../../instr/testdata/cons2-payload-evtrace.bin"
	cli.Run(Command(), []string{file, "--lp=2", "--to=2", "--payload=u32"}, os.Stdout, os.Stderr)
	cli.Run(Command(), []string{file, "--lp=2", "--to=1", "--format=jsonl"}, os.Stdout, os.Stderr)
	// Output:
	// source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,payload_0,payload_1
	// 2,2,0,0.50348836,2721.7195,8,7,0
	// 0,2,0.59885156,1.4550428,2721.7195,8,100,0
	// {"kind":"event","source_lp":2,"destination_lp":2,"virtual_send_time":0,"virtual_recv_time":0.50348836,"real_time":2721.7195,"model_data_size":8,"payload":"0700000000000000"}
}
