// This file tests that a page and a server say what is true of a trace: of traces that are made, and of a run.

package events

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

func nameLine(lp int) string { return fmt.Sprintf("%d,\"node <%d>\"\n", lp, lp) }

// open reads a trace.
func open(t testing.TB, path string) *Trace {
	t.Helper()
	inputs, err := cli.NewFlags("test", "", "", "").Inputs([]string{path})
	require.NoError(t, err)
	tr, err := read(inputs[0])
	require.NoError(t, err)
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

// dataOf returns the data of a page, as its script gets it.
func dataOf(t testing.TB, page string) (d struct {
	About   map[string]any
	Text    string
	Excerpt *struct {
		Events          [][]any
		Causes, Effects []int
		Fits            []int
		Reals           []float64
		Lanes           [][]any
		From, To        *float64
	}
}) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(page)
	require.Len(t, found, 2)
	require.NoError(t, json.Unmarshal([]byte(found[1]), &d))
	return d
}

// makePage writes the page of a trace, and returns it.
func makePage(t testing.TB, path string, options ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "events.html")
	rt.Good(t, Command, append([]string{path, "-o", out}, options...)...)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	return string(text)
}

// row is an event as a page has it, if it has what is true.
func (f *fact) row(id int, m *made) []any {
	bit := 0.0
	if f.stayed {
		bit = 1
	}
	return []any{float64(id), f.recv, f.send, float64(f.lp), float64(f.src), float64(f.kind), float64(f.undone), bit,
		[]any{"a=" + strconv.FormatUint(uint64(f.a), 10), "b=" + cli.FormatFloat(f.b, 64)}}
}

func TestAPageHasWhatIsTrueOfEachEvent(t *testing.T) {
	for name, p := range map[string]plan{
		"ties, no delay, undone": {lps: 20, events: 5000, exact: true, undone: true},
		"committed":              {lps: 7, events: 3000, exact: true, names: true},
		"all at one time":        {lps: 3, events: 800, exact: true, delays: []float64{0, 0, 1}},
		"one LP":                 {lps: 1, events: 500, exact: true, undone: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := makeTrace(t, p)
			d := dataOf(t, makePage(t, m.path))
			x := d.Excerpt
			require.Len(t, x.Events, len(m.facts))
			effects := map[int][]int{}
			gone, guessed := 0, 0
			for i := range m.facts {
				f := &m.facts[i]
				require.Equal(t, f.row(i, m), x.Events[i])
				if x.Fits[i] > 1 { // two events that were undone have drawn the same, one after the other
					require.False(t, f.stayed)
					require.Equal(t, m.facts[f.cause].recv, m.facts[x.Causes[i]].recv)
					f.cause = x.Causes[i]
					guessed++
				}
				require.Equal(t, f.cause, x.Causes[i], "event %d: %+v", i, f)
				require.Equal(t, float64(f.real), x.Reals[i])
				effects[f.cause] = append(effects[f.cause], i)
				if !f.stayed {
					gone++
				}
			}
			require.Equal(t, p.undone, gone > 0)
			require.LessOrEqual(t, guessed, gone/5)
			require.EqualValues(t, gone, d.About["undone"])
			require.Equal(t, []any{"main.ping", "main.pong"}, d.About["kinds"])
			require.Nil(t, x.From)
			require.Equal(t, p.lps, len(x.Lanes))
			for lane, of := range x.Lanes {
				want := strconv.Itoa(lane)
				if p.names {
					want += fmt.Sprintf(` "node <%d>"`, lane)
				}
				require.Equal(t, want, of[1])
			}

			tr := open(t, m.path)
			dice := rand.New(rand.NewPCG(3, 4))
			for range 200 {
				i := dice.IntN(len(m.facts))
				s, err := tr.story(i)
				require.NoError(t, err)
				require.Equal(t, effects[i], idsOf(s.Effects), i)
				var path []int
				for k := i; k != none; k = m.facts[k].cause {
					path = append(path, k)
				}
				require.Equal(t, path, idsOf(s.Path))
				require.False(t, s.Longer)
				require.Equal(t, [][2]string{{"a", fmt.Sprint(m.facts[i].a)}, {"b", cli.FormatFloat(m.facts[i].b, 64)}}, s.Fields)
			}
		})
	}
}

func idsOf(marks []*mark) (ids []int) {
	for _, m := range marks {
		ids = append(ids, m.id)
	}
	return ids
}

func TestLargeTracesAreSeenByCounts(t *testing.T) {
	require.EqualValues(t, 32, unsafe.Sizeof(entry{}), "bytes of an event in memory")
	for _, p := range []plan{{lps: 1000, events: 1_000_000, exact: true}, {lps: 300, events: 200_000}} {
		m := makeTrace(t, p)
		tr := open(t, m.path)
		require.Len(t, tr.entries, len(m.facts))
		require.Len(t, m.facts, p.events)
		first := make([]int, p.lps+1)
		for lp := range first {
			first[lp] = sort.Search(len(m.facts), func(i int) bool { return m.facts[i].lp >= uint32(lp) })
		}
		dice := rand.New(rand.NewPCG(5, 6))
		for range 40 {
			s := stretch{base: dice.Float64() * tr.to, a: -dice.Float64() * 100, b: dice.Float64() * 100}
			lane, columns := dice.IntN(p.lps), 1+dice.IntN(900)
			all, err := tr.view([]int{lane}, s, columns, 50, false)
			require.NoError(t, err)
			v := all[0]
			var ids []int
			counts := make([]int, columns)
			for i := first[lane]; i < first[lane+1]; i++ {
				at := m.facts[i].recv
				if !p.exact {
					at = float64(float32(at))
				}
				if at = (at - s.base - s.a) / (s.b - s.a); at >= 0 && at <= 1 {
					ids = append(ids, i)
					counts[min(int(at*float64(columns)), columns-1)]++
				}
			}
			require.Equal(t, len(ids), v.N)
			if len(ids) > 50 {
				require.Equal(t, counts, v.Counts)
				require.Nil(t, v.Marks)
			} else if p.exact {
				require.Equal(t, ids, idsOf(v.Marks))
			}
		}
	}
}

// TestTimesThatDifferByTheLastBitAreApart although they are a year from the beginning: numbers of 64 bits are 4 ns
// apart there, and the stretch can be a part of that.
func TestTimesThatDifferByTheLastBitAreApart(t *testing.T) {
	m := deepTrace(t)
	tr := open(t, m)
	year := tr.entries[0].recv
	require.Equal(t, 365*24*3600.0, year)
	step := math.Nextafter(year, math.Inf(1)) - year
	require.InDelta(t, 3.7e-9, step, 1e-10)
	for k := range 5 {
		at := float64(k) * step
		all, err := tr.view([]int{0}, stretch{year, at - step/1000, at + step/1000}, 100, 10, false)
		require.NoError(t, err)
		require.Equal(t, []int{k}, idsOf(all[0].Marks))
		all, err = tr.view([]int{0}, stretch{year, at + step/1000, at + step/2}, 100, 10, false)
		require.NoError(t, err)
		require.Empty(t, all[0].Marks)
	}
	all, err := tr.view([]int{0}, stretch{0, year, year + 4*step}, 5, 2, false)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 1, 1, 1}, all[0].Counts)
}

// deepTrace makes a trace of five events of LP 0 that follow one another a year from the beginning, as near as times
// can be, with one of LP 1 at 0.
func deepTrace(t testing.TB) string {
	t.Helper()
	var data []byte
	at := 365 * 24 * 3600.0
	add := func(lp uint32, at float64) {
		x := instr.Exact{RecvTS: at, SendTS: 0}
		e := instr.Event{Src: 1, Dest: lp, RecvTS: float32(at), Payload: make([]byte, instr.ExactSize)}
		instr.PutExact(e.Payload, &x)
		data = instr.AppendEvent(data, &e)
	}
	add(1, 0)
	for range 5 {
		add(0, at)
		at = math.Nextafter(at, math.Inf(1))
	}
	path := rt.Write(t, "ross-stats-evtrace.bin", data)
	info := instr.RunInfo{Version: 1, LPs: 2, Exact: instr.ExactLayout, Messages: []string{"main.tick"},
		Types: []instr.RunType{{Name: "clock", Trace: instr.ExactLayout}}}
	require.NoError(t, info.Write(filepath.Dir(path)))
	return path
}

func TestAnExcerptSaysWhatItLacks(t *testing.T) {
	m := makeTrace(t, plan{lps: 20, events: 4000, exact: true, names: true})
	tr := open(t, m.path)
	last := 0
	for i := range m.facts {
		if m.facts[i].recv >= m.facts[last].recv {
			last = i
		}
	}
	chain := map[int]bool{}
	for k := last; k != none; k = m.facts[k].cause {
		chain[k] = true
	}
	for name, c := range map[string]struct {
		options []string
		has     func(f *fact) bool // besides the path of the last event in it; nil: the newest
		says    string
	}{
		"LPs by id and name": {[]string{"--lp=3", "--lp", `node <7>`}, func(f *fact) bool { return f.lp == 3 || f.lp == 7 }, "of 2 LPs"},
		"a stretch": {[]string{"--from=5", "--to=6.5"}, func(f *fact) bool { return f.recv >= 5 && f.recv <= 6.5 },
			"from virtual time 5 to 6.5"},
		"the newest": {[]string{"--most=500"}, nil, "--most=4000}} has all 4,000 that were asked for"},
	} {
		d := dataOf(t, makePage(t, m.path, c.options...))
		require.Contains(t, d.Text, c.says, name)
		require.Contains(t, d.Text, "rossreader events "+m.path+" --http=8080", name)
		got := map[int]bool{}
		for _, e := range d.Excerpt.Events {
			got[int(e[0].(float64))] = true
		}
		effects := map[int]int{}
		for i := range m.facts {
			effects[m.facts[i].cause]++
		}
		for i, e := range d.Excerpt.Events {
			id := int(e[0].(float64))
			require.Equal(t, m.facts[id].row(id, m), e)
			require.Equal(t, m.facts[id].cause, d.Excerpt.Causes[i])
			require.Equal(t, effects[id], d.Excerpt.Effects[i])
		}
		if c.has == nil {
			from := *d.Excerpt.From
			inside := 0
			for i := range m.facts {
				if m.facts[i].recv >= from {
					require.True(t, got[i], "all from there on are in the page")
					inside++
				} else {
					require.Equal(t, chain[i], got[i], "besides the path of the last event")
				}
			}
			require.LessOrEqual(t, inside, 500)
			require.Greater(t, inside, 300)
			continue
		}
		newest := none
		for i := range m.facts {
			if f := &m.facts[i]; c.has(f) && (newest == none || f.recv >= m.facts[newest].recv) {
				newest = i
			}
		}
		path := map[int]bool{}
		for k := newest; k != none; k = m.facts[k].cause {
			path[k] = true
		}
		for i := range m.facts {
			require.Equal(t, c.has(&m.facts[i]) || path[i], got[i], "%s: event %d", name, i)
		}
	}
	require.Equal(t, none, tr.find("nobody"))
}

// TestTracesWithoutExactBlocksHaveCausesByTime, and say where others fit as well.
func TestTracesWithoutExactBlocksHaveCausesByTime(t *testing.T) {
	m := makeTrace(t, plan{lps: 50, events: 3000, delays: []float64{math.Pi, math.Sqrt2, math.E}})
	d := dataOf(t, makePage(t, m.path))
	require.Contains(t, d.Text, "--trace-exact=1")
	require.Equal(t, []any{"Left", "Right"}, d.About["kinds"], "without types of messages those of LPs")
	require.Len(t, d.Excerpt.Events, len(m.facts))
	right := 0
	for i := range m.facts {
		f := &m.facts[i]
		require.Equal(t, float64(float32(f.recv)), d.Excerpt.Events[i][1])
		if d.Excerpt.Fits[i] == 1 {
			require.Equal(t, f.cause, d.Excerpt.Causes[i])
			right++
		}
	}
	require.Greater(t, right, 1500)
	tied := makeTrace(t, plan{lps: 3, events: 500})
	d = dataOf(t, makePage(t, tied.path))
	require.Greater(t, slices.Max(d.Excerpt.Fits), 3)
}

// TestTracesOfTheOriginalAreShown, without run.json: no types, and payloads in hexadecimal digits.
func TestTracesOfTheOriginalAreShown(t *testing.T) {
	for _, name := range []string{"opt2-evtrace.bin", "cons2-payload-evtrace.bin"} {
		path := rt.Copy(t, rt.File(name), func(b []byte) []byte { return b })
		d := dataOf(t, makePage(t, path))
		all := rt.Events(t, path)
		require.Len(t, d.Excerpt.Events, len(all))
		count := map[string]int{}
		for _, e := range all {
			count[fmt.Sprint(float64(e.Recv), float64(e.Send), fmt.Sprintf("%x", e.Payload))]++
		}
		for _, e := range d.Excerpt.Events {
			payload := ""
			if fields := e[8].([]any); len(fields) > 0 {
				payload = strings.TrimPrefix(fields[0].(string), "payload=")
			}
			count[fmt.Sprint(e[1], e[2], payload)]--
			require.EqualValues(t, -1, e[5])
		}
		for key, n := range count {
			require.Zero(t, n, key)
		}
	}
}

func TestIDsMayBeFarApart(t *testing.T) {
	var data []byte
	for i := range 100 {
		e := instr.Event{Src: math.MaxUint32 - uint32(i%3), Dest: uint32(i%2) << 31, RecvTS: float32(i)}
		data = instr.AppendEvent(data, &e)
	}
	tr := open(t, rt.Write(t, "x-evtrace.bin", data))
	require.Nil(t, tr.lanes)
	require.Equal(t, []uint32{0, 1 << 31, math.MaxUint32 - 2, math.MaxUint32 - 1, math.MaxUint32}, tr.lps)
	require.Equal(t, 1, tr.laneOf(1<<31))
	require.Equal(t, none, tr.laneOf(5))
	require.Len(t, tr.lane(0), 50)
}

func TestWrongUseAndWrongFilesAreNamed(t *testing.T) {
	good := makeTrace(t, plan{lps: 3, events: 50, exact: true}).path
	out := filepath.Join(t.TempDir(), "x.html")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{good}, 2, "no output: name a page with -o"},
		{[]string{good, "-o", out, "--http=0"}, 2, "give one of them"},
		{[]string{good, "-o", out, "--most=0"}, 2, "--most=0: give 1 or more"},
		{[]string{good, "-o", out, "--from=3", "--to=2"}, 2, "--from=3: after --to=2"},
		{[]string{good, "-o", out, "--from=soon"}, 2, "must be a virtual time, such as 12.5"},
		{[]string{good, "-o", out, "--lp=nobody"}, 2, "--lp=nobody: no event of this LP in the trace"},
		{[]string{good, "-o", out, "--from=1e9"}, 1, "no event of these LPs in this stretch: the trace goes from "},
		{[]string{good, "-o", filepath.Join(out, "x.html")}, 1, "ross: output: "},
		{[]string{rt.File("opt2-gvt.bin"), "-o", out}, 1, "no event trace"},
		{[]string{good, "--http=nowhere:x"}, 2, "--http=nowhere:x: "},
		{[]string{rt.Write(t, "a-evtrace.bin", nil), "-o", out}, 1, "no event: make a run with --event-trace=3"},
	} {
		r := rt.Run(Command, c.args...)
		require.Equal(t, c.status, r.Status, "%v: %s", c.args, r.Stderr)
		require.Contains(t, r.Stderr, c.says)
		require.NoFileExists(t, out)
	}
	cut := rt.Copy(t, good, func(b []byte) []byte { return b[:len(b)-7] })
	r := rt.Run(Command, cut, "-o", out)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stderr, "unexpected EOF")
	r = rt.Run(Command, cut, "-o", out, "--partial")
	require.Equal(t, 1, r.Status)
	require.FileExists(t, out)
}

// TestBlocksAreAsRunJSONSays: a trace without them next to the description of an exact run is refused.
func TestBlocksAreAsRunJSONSays(t *testing.T) {
	path := rt.Write(t, "ross-stats-evtrace.bin", instr.AppendEvent(nil, &instr.Event{Src: 1, Dest: 2}))
	info := instr.RunInfo{Version: 1, LPs: 4, Exact: instr.ExactLayout}
	require.NoError(t, info.Write(filepath.Dir(path)))
	r := rt.Run(Command, path, "-o", "-")
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stderr, "record at byte 0: no exact block, although run.json says that there is one")
}

// TestADamagedNumberOfDrawsIsNotBelieved: nobody waits for billions of them.
func TestADamagedNumberOfDrawsIsNotBelieved(t *testing.T) {
	m := makeTrace(t, plan{lps: 2, events: 60, exact: true})
	path := rt.Copy(t, m.path, func(b []byte) []byte {
		for at := instr.EventSize + 12 + 40; at < len(b); at += instr.EventSize + 12 + instr.ExactSize {
			rt.PutUint32(b, at, math.MaxUint32-1)
		}
		return b
	})
	info, err := instr.ReadRunInfo(filepath.Dir(m.path))
	require.NoError(t, err)
	require.NoError(t, info.Write(filepath.Dir(path)))
	d := dataOf(t, makePage(t, path))
	require.Len(t, d.Excerpt.Events, 60)
	require.Equal(t, none, slices.Max(d.Excerpt.Causes))
}
