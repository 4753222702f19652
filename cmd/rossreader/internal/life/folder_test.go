// This file compares what a page has of the files of a run with their bytes, decoded by hand, and tests the command
// line.

package life

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

// recordedStalls runs the model with files, and returns their folder and the text.
func recordedStalls(t *testing.T) (dir, text string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "stats")
	var out bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Output = ross.Optimistic, 2, 2, 2, 30, &out
	cfg.Watch, cfg.WatchLimit, cfg.MaxMemory = "1,2", 0, 64<<20
	i := &cfg.Instruments
	i.Path, i.Trace, i.Model, i.VirtualInterval, i.EveryGVTs = dir, ross.TraceCommitted, ross.SampleAll, 2.5, 1
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	typ := model(nil)
	handlers := typ.Event
	require.NotNil(t, handlers)
	typ.TraceLayout, typ.PointLayout, typ.SampleLayout = "n:u32,size:f64", "count:i64,queue:u16[2],load:f64", "count:i64"
	typ.Event = ross.On(func(s *stall, lp *ross.LP, m *guest) {
		s.Count += int64(m.N)
		s.Load = lp.Now()
		to, delay := ross.LPID(lp.RNG().Integer(0, stalls-1)), 0.1+lp.RNG().Exponential(0.3)
		ross.Send(lp, to, delay, guest{m.N + 1, lp.RNG().Unif()})
	}).Trace(func(_ *ross.LP, _ ross.TraceKind, m *guest, buf []byte) bool {
		binary.LittleEndian.PutUint32(buf, m.N)
		binary.LittleEndian.PutUint64(buf[4:], math.Float64bits(m.Size))
		return true
	})
	typ.Point = func(s *stall, _ *ross.LP, buf []byte) {
		binary.LittleEndian.PutUint64(buf, uint64(s.Count))
		binary.LittleEndian.PutUint16(buf[10:], 7)
		binary.LittleEndian.PutUint64(buf[12:], math.Float64bits(s.Load))
	}
	typ.Sample = func(s *stall, _ *ross.LP, buf []byte) { binary.LittleEndian.PutUint64(buf, uint64(s.Count)) }
	require.NoError(t, sim.Define(typ))
	require.NoError(t, sim.Run(context.Background()))
	return dir, out.String()
}

// page makes a page and returns its data.
func page(t *testing.T, args ...string) scene {
	t.Helper()
	out := filepath.Join(t.TempDir(), "life.html")
	readertest.Good(t, Command, append(args, "-o", out)...)
	html, err := os.ReadFile(out)
	require.NoError(t, err)
	_, data, _ := strings.Cut(string(html), `<script type="application/json" id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	var s scene
	require.NoError(t, json.Unmarshal([]byte(data), &s))
	return s
}

func TestFilesOfARunAreShownAsTheirBytesSay(t *testing.T) {
	dir, text := recordedStalls(t)
	run := filepath.Join(t.TempDir(), "run.txt")
	require.NoError(t, os.WriteFile(run, []byte(text), 0o644))
	for _, args := range [][]string{{dir, "--lp=1", `--lp=stall "2"`}, {dir, run}} {
		s := page(t, args...)
		require.Len(t, s.LPs, 2)
		require.Equal(t, []float64{0, 30}, []float64{s.From, s.To})
		require.Len(t, s.Notes, 1)
		require.Contains(t, s.Notes[0], "Samples by GVT have GVT as their time")
		for _, l := range s.LPs {
			require.Equal(t, label(ross.LPID(l.ID)), l.Label)
			require.Equal(t, "stall", l.Type)
			trace(t, dir, &s, l)
			samples(t, dir, l)
			require.Equal(t, len(args) == 2, l.Text)
			if l.Text { // both have the same events
				require.Equal(t, len(l.In.At), len(l.TraceIn.At))
				for i, at := range l.In.At {
					require.Equal(t, float32(at), float32(l.TraceIn.At[i]))
				}
				continue
			}
			require.Equal(t, 30.0, l.To)
		}
	}
}

// trace compares the events of an LP.
func trace(t *testing.T, dir string, s *scene, l *life) {
	data, err := os.ReadFile(instr.FileName(dir, "", instr.TraceSuffix))
	require.NoError(t, err)
	in, out := map[string]int{}, map[string]int{}
	for len(data) > 0 {
		word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
		sendTS, recvTS := math.Float32frombits(word(8)), math.Float32frombits(word(12))
		src, dst, size := uint64(word(0)), uint64(word(4)), int(word(20))
		payload := data[24 : 24+size]
		if data = data[24+size:]; size == 0 {
			require.GreaterOrEqual(t, dst, uint64(stalls), "an LP that takes samples")
			continue
		}
		n, bits := binary.LittleEndian.Uint32(payload), binary.LittleEndian.Uint64(payload[4:])
		text := fmt.Sprintf("n: %d\nsize: %v", n, math.Float64frombits(bits))
		send, due := fmt.Sprint(sendTS), fmt.Sprint(recvTS)
		if dst == l.ID {
			in[fmt.Sprintf("%s at %s by %s: %s", due, send, lpName(src, label(ross.LPID(src))), text)]++
		}
		if src == l.ID {
			out[fmt.Sprintf("%s for %s to %s: %s", send, due, lpName(dst, label(ross.LPID(dst))), text)]++
		}
	}
	require.NotEmpty(t, in)
	got := map[string]int{}
	for i, at := range l.TraceIn.At {
		got[fmt.Sprintf("%v at %v by %s: %s", float32(at), float32(l.TraceIn.Sent[i]), s.Words[l.TraceIn.By[i]], l.TraceIn.Text[i])]++
		require.Equal(t, "event of a stall", s.Words[l.TraceIn.What[i]])
	}
	require.Equal(t, in, got)
	got = map[string]int{}
	for i, at := range l.TraceOut.At {
		o := &l.TraceOut
		due := float32(o.Due[i].(float64))
		got[fmt.Sprintf("%v for %v to %s: %s", float32(at), due, s.Words[o.To[i]], o.Text[i])]++
	}
	require.Equal(t, out, got)
}

// samples compares the samples of an LP at virtual times.
func samples(t *testing.T, dir string, l *life) {
	data, err := os.ReadFile(instr.FileName(dir, "", instr.VTSuffix))
	require.NoError(t, err)
	want := map[string][][2]float64{}
	for len(data) > 0 {
		long := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
		size, flag := int(binary.LittleEndian.Uint32(data[40:])), binary.LittleEndian.Uint32(data[44:])
		require.EqualValues(t, instr.FlagModel, flag)
		if at, p := math.Float64frombits(long(24)), data[48:48+size]; long(0) == l.ID {
			for path, x := range map[string]float64{"count": float64(int64(binary.LittleEndian.Uint64(p))),
				"queue[0]": float64(binary.LittleEndian.Uint16(p[8:])), "queue[1]": float64(binary.LittleEndian.Uint16(p[10:])),
				"load": math.Float64frombits(binary.LittleEndian.Uint64(p[12:]))} {
				want[path] = append(want[path], [2]float64{at, x})
			}
		}
		data = data[48+size:]
	}
	require.Len(t, want, 4)
	require.Greater(t, len(want["count"]), 8)
	byGVT := false
	for _, f := range l.Samples {
		if byGVT = byGVT || f.Path == "count (by GVT)"; strings.HasSuffix(f.Path, "(by GVT)") {
			continue
		}
		var got [][2]float64
		for i, at := range f.At {
			got = append(got, [2]float64{at, f.Value[i].(float64)})
		}
		require.ElementsMatch(t, want[f.Path], got, f.Path)
	}
	require.True(t, byGVT)
}

func TestMistakesSayWhatToDo(t *testing.T) {
	dir, text := recordedStalls(t)
	run := filepath.Join(t.TempDir(), "run.txt")
	other := filepath.Join(t.TempDir(), "other.txt")
	none := filepath.Join(t.TempDir(), "none.txt")
	require.NoError(t, os.WriteFile(run, []byte(text), 0o644))
	require.NoError(t, os.WriteFile(other, []byte(text), 0o644))
	require.NoError(t, os.WriteFile(none, []byte("nothing\n"), 0o644))
	out := filepath.Join(t.TempDir(), "x.html")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{}, cli.StatusUsage, "no file: name the output of a run with --watch"},
		{[]string{run}, cli.StatusUsage, "no output: name a file with -o"},
		{[]string{run, "-o", out, "--lp=7"}, cli.StatusUsage, `--lp=7: no such LP; the text has LP `},
		{[]string{dir, "-o", out, "--lp=7"}, cli.StatusUsage, `--lp=7: no such LP; the run has LPs 0 to 3`},
		{[]string{dir, "-o", out}, cli.StatusUsage, "name LPs of the folder with --lp"},
		{[]string{dir, dir, "-o", out}, cli.StatusUsage, "is a second folder"},
		{[]string{none, "-o", out}, cli.StatusBad, "there is no text about an event of an LP: name the output of a run with --watch"},
		{[]string{none + "x", "-o", out}, cli.StatusBad, "name a file or folder that can be read"},
		{[]string{run, other, "-o", out}, cli.StatusBad, "both have events of LP 1: name texts of one run"},
		{[]string{run, "-o", run}, cli.StatusBad, "is one of the files to read"},
		{[]string{t.TempDir(), "-o", out, "--lp=1"}, cli.StatusBad, "no instrumentation files in this folder"},
	} {
		args := c.args
		if len(args) == 0 {
			args = []string{"-o", out}
		}
		r := readertest.Run(Command, args...)
		require.Equal(t, c.status, r.Status, "%v: %s", c.args, r.Stderr)
		require.Contains(t, r.Stderr, c.want)
		require.NoFileExists(t, out)
	}
	cli.Stdin = strings.NewReader(text)
	r := readertest.Run(Command, "-", "-o", out, "--lp=2", "--title=The second")
	require.Equal(t, cli.StatusOK, r.Status, r.Stderr)
	require.Regexp(t, `^LP 2 "stall \\"2\\"": \d+ events, 2 fields that change\n$`, r.Stdout)
	require.FileExists(t, out)
	html, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(html), "<title>The second</title>")
	require.Regexp(t, `"text":\["order     priority 1|"text":\["  order     priority 1`, string(html))
}

func TestManyLPsHaveToBeChosen(t *testing.T) {
	var text strings.Builder
	for i := range mostLPs + 1 {
		text.WriteString(strings.ReplaceAll(block1("Busy: 1 -> 2"), "LP 3", fmt.Sprintf("LP %d", i)))
	}
	run := readertest.Write(t, "run.txt", []byte(text.String()))
	r := readertest.Run(Command, run, "-o", run+".html")
	require.Equal(t, cli.StatusUsage, r.Status)
	require.Contains(t, r.Stderr, "the text has 65 LPs, and a page at most 64: choose some with --lp")
	require.Len(t, page(t, run, "--lp=7", "--lp=9", "--lp=7").LPs, 2)
}

// The text of a watch, which a run has printed.
func Example() {
	cli.Run(Command(), []string{watch + "testdata/everything.txt", "-o", os.DevNull}, os.Stdout, os.Stderr)
	// Output:
	// LP 0 "one, 0": 10 events, 37 fields that change
	// LP 1 "one, 1": 10 events, 37 fields that change
}
