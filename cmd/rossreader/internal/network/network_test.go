// This file tests what is read of a run: samples and traces, also of one that goes on; and what is wrong with one.

package network

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

func TestEachValueIsThatOfTheFile(t *testing.T) {
	dir, data := folder(t, 7)
	requireTruth(t, truth(t, data), load(t, dir))
}

// TestThePageHasAllValues unpacks what the script of the page gets.
func TestThePageHasAllValues(t *testing.T) {
	dir, data := folder(t, 5)
	out := filepath.Join(t.TempDir(), "net.html")
	status, stdout, stderr := run(dir, "-o", out, "--value=stall")
	require.Zero(t, status, stderr)
	require.Equal(t, out+": 12 nodes, 24 links, 5 intervals up to virtual time 50\n", stdout)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	p := pictureOf(t, string(text))
	require.Contains(t, string(text), "<h1>three &lt;groups&gt;</h1>")
	require.Contains(t, string(text), "net --a=&lt;b&gt;; optimistic, PEs: 2")
	require.NotContains(t, string(text), "connect-src")
	require.Equal(t, 2, p.Value)
	require.Equal(t, []string{"local", "global", "terminal"}, p.Classes)
	want := truth(t, data)
	for i := range want {
		for v := range want[i] {
			for l, x := range want[i][v] {
				got := float64(values(t, p.Chunk)[(i*4+v)*24+l])
				if !math.IsNaN(x) {
					require.InDelta(t, x, got, 1e-6*math.Max(1, x))
				}
			}
		}
	}
	for i, l := range allLinks() {
		require.Equal(t, [2]int{l.from, l.to}, [2]int{p.Links.From[i], p.Links.To[i]})
	}
}

// run runs the subcommand.
func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.Run(Command(), args, &out, &errs)
	return status, out.String(), errs.String()
}

var dataPattern = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// pictureOf returns the data of a page.
func pictureOf(t *testing.T, page string) (p picture) {
	t.Helper()
	found := dataPattern.FindStringSubmatch(page)
	require.NotNil(t, found)
	require.NoError(t, json.Unmarshal([]byte(found[1]), &p))
	return p
}

// values unpacks a chunk.
func values(t *testing.T, c chunk) (all []float32) {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(c.Block)
	require.NoError(t, err)
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	raw, err := io.ReadAll(zip)
	require.NoError(t, err)
	for len(raw) > 0 {
		all = append(all, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		raw = raw[4:]
	}
	return all
}

// TestARunThatGoesOnIsReadAsFarAsItIsWhole writes its file byte by byte, then completes it.
func TestARunThatGoesOnIsReadAsFarAsItIsWhole(t *testing.T) {
	data := sampleBytes(4)
	dir, part, s := growing(t)
	want := truth(t, data)
	seen := map[int]bool{}
	half := 0 // bytes of the first PE
	for half < len(data) && binary.LittleEndian.Uint64(data[half:])%2 == 0 {
		half += 48 + int(binary.LittleEndian.Uint32(data[half+40:]))
	}
	for end := 0; end <= len(data); end += 37 {
		require.NoError(t, os.WriteFile(part, data[:end], 0o644))
		_, err := s.read()
		require.NoError(t, err)
		seen[len(s.all)] = true
		require.False(t, end <= half && len(s.all) > 0, "LPs with odd ids have said nothing")
		require.Equal(t, "running", s.state())
	}
	require.Equal(t, map[int]bool{0: true, 2: true, 3: true}, seen, "the first interval is known with the second one")
	require.NoError(t, os.WriteFile(part, data, 0o644))
	require.NoError(t, os.Rename(part, strings.TrimSuffix(part, instr.PartSuffix)))
	writeMap(t, dir, mapOf(), instr.RunComplete)
	more, err := s.read()
	require.NoError(t, err)
	require.True(t, more && s.final)
	require.Equal(t, "complete", s.state())
	requireTruth(t, want, s)
	more, err = s.read()
	require.NoError(t, err)
	require.False(t, more)
}

func TestIntervalsThatAreNotWholeAreLeftOut(t *testing.T) {
	dir, data := folder(t, 4)
	size := 48 + int(binary.LittleEndian.Uint32(data[len(data)-48-24+40:]))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-analysis-lps.bin"), data[:len(data)-size], 0o644))
	s := load(t, dir)
	require.Len(t, s.all, 3)
	require.Equal(t, "1 intervals are left out because samples of some LPs are missing", s.note())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-analysis-lps.bin"), data[:len(data)-5], 0o644))
	status, _, stderr := run(dir, "-o", filepath.Join(t.TempDir(), "x.html"))
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "unexpected EOF")
}

func TestARunFromACheckpointBeginsWithItsFirstSample(t *testing.T) {
	dir, data := folder(t, 4)
	whole := load(t, dir)
	var later []byte
	for rest := data; len(rest) > 0; {
		size := 48 + int(binary.LittleEndian.Uint32(rest[40:]))
		if math.Float64frombits(binary.LittleEndian.Uint64(rest[24:])) > interval {
			later = append(later, rest[:size]...)
		}
		rest = rest[size:]
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-analysis-lps.bin"), later, 0o644))
	s := load(t, dir)
	require.Len(t, s.all, 2, "20 to 30 and 30 to 40")
	for i, f := range s.all {
		require.Equal(t, whole.all[i+2].from, f.from)
		for n, x := range whole.all[i+2].values {
			if x == x {
				require.InDelta(t, x, f.values[n], 1e-6)
			}
		}
	}
}

// traced makes a run with a trace, and returns how many events each link had in each interval of 10.
func traced(t *testing.T) (dir string, want map[[2]int]float32, outside int) {
	t.Helper()
	dir = t.TempDir()
	m := mapOf()
	m.Values = nil
	writeMap(t, dir, m, instr.RunComplete)
	var data []byte
	want = map[[2]int]float32{}
	byEnds := map[[2]int]int{}
	for i, l := range allLinks() {
		byEnds[[2]int{l.from, l.to}] = i
	}
	for i := range 900 {
		from, to := (i*7)%12, (i*5+i/12)%12
		at := float64(i%90) + 0.5
		data = instr.AppendEvent(data, &instr.Event{Src: uint32(from), Dest: uint32(to), RecvTS: float32(at)})
		if l, ok := byEnds[[2]int{from, to}]; ok {
			want[[2]int{int(at / 10), l}]++
		} else if from != to {
			outside++
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-evtrace.bin"), data, 0o644))
	return dir, want, outside
}

func TestWithoutSamplesTheEventsOfTheTraceCount(t *testing.T) {
	dir, want, outside := traced(t)
	s := load(t, dir)
	require.Len(t, s.all, 10, "up to the end of the run, also without events")
	sum, all := float32(0), float32(0)
	for i, f := range s.all {
		for l, x := range f.values {
			require.Equal(t, want[[2]int{i, l}], x, "interval %d, link %d", i, l)
			sum += x
		}
	}
	for _, x := range want {
		all += x
	}
	require.Positive(t, sum)
	require.Equal(t, all, sum)
	require.EqualValues(t, sum, s.counted)
	require.Contains(t, s.note(), fmt.Sprintf("%d events between LPs without a link", outside))
	require.Equal(t, "events", s.values[0].Name)
}

// TestATraceWithAHoleIsReadUpToIt has zeros where a rank has not written yet.
func TestATraceWithAHoleIsReadUpToIt(t *testing.T) {
	dir, _, _ := traced(t)
	whole := load(t, dir)
	name := filepath.Join(dir, "ross-stats-evtrace.bin")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.Remove(name))
	holed := bytes.Clone(data)
	clear(holed[instr.EventSize*300 : instr.EventSize*500])
	require.NoError(t, os.WriteFile(name+instr.PartSuffix, holed, 0o644))
	s := load(t, dir)
	require.EqualValues(t, instr.EventSize*300, s.offset)
	require.NoError(t, os.WriteFile(name+instr.PartSuffix, data, 0o644))
	_, err = s.read()
	require.NoError(t, err)
	require.EqualValues(t, len(data), s.offset)
	require.Less(t, len(s.all), 10)
	require.NoError(t, os.Rename(name+instr.PartSuffix, name))
	_, err = s.read()
	require.NoError(t, err)
	require.Equal(t, whole.all, s.all)
}

func TestValuesAreSharesRatesOrNumbers(t *testing.T) {
	s := &source{m: &places.Map{TimeUnit: "s"}}
	for _, c := range []struct {
		v    places.Value
		want value
	}{
		{places.Value{Name: "a", Field: "x", Unit: "B"}, value{"a", "a", "B", false, "at the end of the interval"}},
		{places.Value{Name: "a", Title: "A", Counts: true}, value{"a", "A", "", false, "in the interval"}},
		{places.Value{Name: "a", Per: places.Time, Unit: "kg", Counts: true},
			value{"a", "a", "kg/s", false, "mean rate, in the interval"}},
		{places.Value{Name: "a", Per: places.Time, Unit: "s", Counts: true},
			value{"a", "a", "%", true, "share of the time, in the interval"}},
		{places.Value{Name: "a", Per: places.Room, Unit: "B"},
			value{"a", "a", "%", true, "share of the room behind the link, at the end of the interval"}},
		{places.Value{Name: "a", Per: places.Capacity, Unit: "B", Counts: true},
			value{"a", "a", "%", true, "share of what the link can carry, in the interval"}},
	} {
		require.Equal(t, c.want, s.shown(&c.v))
	}
}

func TestWhatCannotBeDrawnIsSaid(t *testing.T) {
	dir, _ := folder(t, 3)
	empty, bare := t.TempDir(), t.TempDir()
	writeMap(t, bare, mapOf(), instr.RunComplete)
	short, _ := folder(t, 0)
	two, _ := folder(t, 1)
	require.NoError(t, os.WriteFile(filepath.Join(two, "b"+places.Suffix), nil, 0o644))
	broken, _ := folder(t, 1)
	require.NoError(t, os.WriteFile(filepath.Join(broken, "ross-stats"+places.Suffix), []byte("{"), 0o644))
	without, _ := folder(t, 1)
	require.NoError(t, os.Remove(filepath.Join(without, instr.RunName)))
	far, _ := folder(t, 1)
	m := mapOf()
	m.Links[0].Index = ports
	writeMap(t, far, m, instr.RunComplete)
	huge, _ := folder(t, 1)
	m = &places.Map{Nodes: []places.Node{{LP: 0}, {LP: 1}}, Links: make([]places.Link, mostLinks+1)}
	writeMap(t, huge, m, instr.RunComplete)
	out := filepath.Join(t.TempDir(), "x.html")
	for want, args := range map[string][]string{
		"0 folders":                     {"-o", out},
		"no output":                     {dir},
		"give one of them":              {dir, "-o", out, "--http=0"},
		"this run has load, buffer":     {dir, "-o", out, "--value=heat"},
		"--intervals=0: must be 1 to":   {dir, "-o", out, "--intervals=0"},
		"no such file or directory":     {filepath.Join(empty, "none"), "-o", out},
		"does not say where its LPs":    {empty, "-o", out},
		"nothing is recorded":           {bare, "-o", out},
		"up to the end of an interval":  {short, "-o", out},
		"2 files end in -places.json":   {two, "-o", out},
		"unusable map":                  {broken, "-o", out},
		"the picture needs it":          {without, "-o", out},
		"has the index 4, and the fiel": {far, "-o", out},
		"262145 links":                  {huge, "-o", out},
		"--http=x: ":                    {dir, "--http=x"},
		"one of the files to read":      {dir, "-o", filepath.Join(dir, "ross-stats-analysis-lps.bin")},
	} {
		status, _, stderr := run(args...)
		require.NotZero(t, status, want)
		require.Contains(t, stderr, want)
		require.NoFileExists(t, out)
	}
}

// TestTheServerHandsOutWhatHasCome asks for the page and for later intervals while the file grows.
func TestTheServerHandsOutWhatHasCome(t *testing.T) {
	data := sampleBytes(5)
	dir, part, s := growing(t)
	v := newServer(s, 0)
	now := time.Now()
	v.now = func() time.Time { now = now.Add(fresh); return now }
	server := httptest.NewServer(v.handler())
	defer server.Close()
	get := func(path string) (int, string, http.Header) {
		answer, err := http.Get(server.URL + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(text), answer.Header
	}
	more := func(from int) (c chunk) {
		status, text, _ := get(fmt.Sprint("/data?from=", from))
		require.Equal(t, http.StatusOK, status)
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		return c
	}
	status, text, h := get("/")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, h.Get("Content-Security-Policy"), "connect-src 'self'")
	p := pictureOf(t, text)
	require.True(t, p.Live)
	require.Empty(t, p.Chunk.From)
	require.NoError(t, os.WriteFile(part, data[:len(data)-10], 0o644))
	c := more(0)
	require.Equal(t, []float64{10, 20, 30, 40}, c.To)
	require.Equal(t, "running", c.State)
	require.False(t, c.Ended)
	require.NoError(t, os.WriteFile(strings.TrimSuffix(part, instr.PartSuffix), data, 0o644))
	writeMap(t, dir, mapOf(), instr.RunComplete)
	c = more(4)
	require.Equal(t, 4, c.First)
	require.Equal(t, []float64{50}, c.To)
	require.True(t, c.Ended)
	for v, of := range truth(t, data)[4] {
		for l, x := range of {
			if !math.IsNaN(x) {
				require.InDelta(t, x, values(t, c)[v*24+l], 1e-6*math.Max(1, x))
			}
		}
	}
	require.Empty(t, more(99).From)
	for path, want := range map[string]int{"/data": 400, "/data?from=-1": 400, "/other": 404} {
		status, _, _ := get(path)
		require.Equal(t, want, status, path)
	}
	require.NoError(t, os.RemoveAll(dir))
	s.final = false
	status, text, _ = get("/data?from=0")
	require.Equal(t, 500, status)
	require.Contains(t, text, "ross: input:")
}
