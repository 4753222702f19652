//go:build browser

// This file tests the page in a browser: all that its reader can do, in a file and with a server.

package events

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// tab is a page in a browser.
type tab struct {
	*browsertest.Page
	t *testing.T
}

// wide is how a page is shown unless a test says otherwise.
var wide = browsertest.Looks{Width: 1400, Height: 1000}

// browse opens an address in a browser.
func browse(t *testing.T, address string, looks browsertest.Looks) *tab {
	t.Helper()
	page, err := browsertest.Of(t).Open(address, looks)
	require.NoError(t, err)
	p := &tab{page, t}
	p.wait(`document.body && document.body.dataset.loaded`)
	return p
}

// inFile writes the page of a trace, and returns its address.
func inFile(t *testing.T, path string, options ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "events.html")
	require.NoError(t, os.WriteFile(out, []byte(makePage(t, path, options...)), 0o600))
	return "file://" + out
}

func (p *tab) wait(condition string) {
	p.t.Helper()
	require.NoError(p.t, p.Wait(condition, testkit.Limit(p.t)))
}

func (p *tab) do(script string) {
	p.t.Helper()
	require.NoError(p.t, p.Value("(() => {"+script+"})()", nil))
}

// click clicks what a selector finds, as a keyboard does.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(fmt.Sprintf("document.querySelector(%q).click()", selector))
}

func value[T any](p *tab, expression string) (v T) {
	p.t.Helper()
	require.NoError(p.t, p.Value(expression, &v))
	return v
}

// settled waits until the chart shows what the state asks for.
func (p *tab) settled() {
	p.t.Helper()
	p.wait(`(() => { const c = sheet.chart, s = c.shown().s; return s.base === c.state.base && s.a === c.state.a && s.b === c.state.b; })()`)
}

// stretch returns the stretch that is shown.
func (p *tab) stretch() (from, to float64) {
	p.t.Helper()
	at := value[[]float64](p, `[sheet.chart.state.base + sheet.chart.state.a, sheet.chart.state.base + sheet.chart.state.b]`)
	return at[0], at[1]
}

// place returns where an event is in the window.
func (p *tab) place(id int) (x, y float64) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector('.ev[data-id="%d"]')`, id))
	at := value[[]float64](p, fmt.Sprintf(`(() => { const b = document.querySelector('.ev[data-id="%d"]').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`, id))
	return at[0], at[1]
}

// view returns where the chart is in the window.
func (p *tab) view() (left, top, width, height float64) {
	p.t.Helper()
	b := value[[]float64](p, `(() => { const b = document.getElementById("view").getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()`)
	return b[0], b[1], b[2], b[3]
}

// untroubled tests that nothing went wrong in the page.
func (p *tab) untroubled() {
	p.t.Helper()
	require.Empty(p.t, p.Troubles())
}

// small is a trace in which all events of all LPs can be drawn.
func small(t *testing.T) *made {
	return makeTrace(t, plan{lps: 12, events: 900, exact: true, undone: true, names: true})
}

// newest returns an event with a path of some events that has stayed.
func newest(m *made) int {
	best, most := 0, 0
	for i := range m.facts {
		n := 0
		for k := i; k != none && m.facts[i].stayed; k = m.facts[k].cause {
			n++
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

func TestMarksAndArrowsAreWhereTheirTimesAre(t *testing.T) {
	m := small(t)
	p := browse(t, inFile(t, m.path), wide)
	p.click("#whole")
	p.settled()
	type dot struct {
		ID     int
		X, Y   float64
		Hollow bool
	}
	dots := value[[]dot](p, `[...document.querySelectorAll(".ev")].map((c) => ({ ID: Number(c.dataset.id), X: Number(c.getAttribute("cx")), Y: Number(c.getAttribute("cy")), Hollow: c.classList.contains("hollow") }))`)
	place := value[[]float64](p, `[sheet.chart.x(1), sheet.chart.x(2), sheet.chart.y(0), sheet.chart.y(1)]`)
	hollow := 0
	counts := map[int]int{}
	for _, d := range dots {
		f := &m.facts[d.ID]
		require.InDelta(t, place[0]+(f.recv-1)*(place[1]-place[0]), d.X, 0.01)
		require.InDelta(t, place[2]+float64(f.lp)*(place[3]-place[2]), d.Y, 0.01)
		require.Equal(t, !f.stayed, d.Hollow)
		counts[int(f.lp)]++
		if d.Hollow {
			hollow++
		}
	}
	want := map[int]int{}
	for i := range m.facts {
		want[int(m.facts[i].lp)]++
	}
	require.Equal(t, want, counts, "all events are drawn")
	require.Positive(t, hollow)
	undone := 0
	for i := range m.facts {
		if m.facts[i].undone > 0 {
			undone++
		}
	}
	require.Equal(t, undone, value[int](p, `document.querySelectorAll(".times").length`))
	require.Equal(t, len(m.facts), value[int](p, `document.querySelectorAll(".msg").length`), "each has an arrow")
	p.untroubled()
}

// TestLanesWithManyEventsAreCounts that add up to all of them.
func TestLanesWithManyEventsAreCounts(t *testing.T) {
	m := makeTrace(t, plan{lps: 12, events: 9000, exact: true})
	for _, address := range []string{inFile(t, m.path), served(t, m.path).URL} {
		p := browse(t, address, wide)
		p.click("#whole")
		p.settled()
		require.Zero(t, value[int](p, `document.querySelectorAll(".ev").length`))
		got := value[[]int](p, `sheet.chart.shown().lanes.map((l) => l.counts.reduce((a, b) => a + b, 0))`)
		want := make([]int, 12)
		for i := range m.facts {
			want[m.facts[i].lp]++
		}
		require.Equal(t, want, got)
		require.Equal(t, 12, value[int](p, `document.querySelectorAll("path.counts").length`))
		require.Contains(t, value[string](p, `document.getElementById("status").textContent`),
			"9,000 events in the stretch. All of these LPs have more than 120 events and are drawn as counts")
		p.untroubled()
	}
}

func TestWheelButtonsKeysAndDragMoveTheChart(t *testing.T) {
	m := small(t)
	p := browse(t, inFile(t, m.path), wide)
	p.click("#whole")
	p.settled()
	left, top, width, height := p.view()
	from, to := p.stretch()
	span := to - from

	// The wheel zooms around the pointer: the time there stays.
	at := value[float64](p, fmt.Sprintf(`(() => {
		const v = document.getElementById("view"), c = sheet.chart.state, x0 = sheet.chart.x(c.base + c.a), x1 = sheet.chart.x(c.base + c.b);
		const t = c.a + (c.b - c.a) * (%v - x0) / (x1 - x0);
		v.dispatchEvent(new WheelEvent("wheel", { deltaY: -500, clientX: %v, clientY: %v, bubbles: true, cancelable: true }));
		return Math.abs(c.a + (c.b - c.a) * (%v - x0) / (x1 - x0) - t);
	})()`, width/2, left+width/2, top+100, width/2))
	require.Less(t, at, span*1e-9)
	p.settled()
	zoomedFrom, zoomedTo := p.stretch()
	require.InDelta(t, span*math.Pow(1.0015, -500), zoomedTo-zoomedFrom, span*1e-9)

	// Buttons.
	for _, c := range []struct {
		button string
		by     float64 // of the span
		moved  float64 // of the span before, at the beginning of the stretch
	}{{"#in", 0.5, 0.25}, {"#out", 2, -0.5}, {"#later", 1, 0.25}, {"#earlier", 1, -0.25}} {
		from, to := p.stretch()
		p.click(c.button)
		p.settled()
		nextFrom, nextTo := p.stretch()
		require.InDelta(t, c.by*(to-from), nextTo-nextFrom, 1e-9, c.button)
		require.InDelta(t, from+c.moved*(to-from), nextFrom, 1e-9, c.button)
	}
	// Keys.
	p.do(`document.getElementById("view").focus()`)
	for _, c := range []struct {
		key   string
		by    float64
		moved float64
	}{{"+", 0.5, 0.25}, {"-", 2, -0.5}, {"ArrowRight", 1, 0.1}, {"ArrowLeft", 1, -0.1}} {
		from, to := p.stretch()
		require.NoError(t, p.Key(c.key))
		p.wait(fmt.Sprintf(`Math.abs(sheet.chart.state.base + sheet.chart.state.a - %v) > 1e-12`, from))
		p.settled()
		nextFrom, nextTo := p.stretch()
		require.InDelta(t, c.by*(to-from), nextTo-nextFrom, 1e-9, c.key)
		require.InDelta(t, from+c.moved*(to-from), nextFrom, 1e-9, c.key)
	}
	// Dragging by 100 pixels to the right shows what was 100 pixels earlier.
	from, to = p.stretch()
	inner := value[float64](p, `sheet.chart.x(sheet.chart.state.base + sheet.chart.state.b) - sheet.chart.x(sheet.chart.state.base + sheet.chart.state.a)`)
	require.NoError(t, p.Drag(left+width/2, top+height-60, left+width/2+100, top+height-60))
	p.settled()
	next, _ := p.stretch()
	require.InDelta(t, from-100/inner*(to-from), next, (to-from)/inner*3)
	// The whole time, by a key; the overview by a click.
	p.do(`document.getElementById("view").focus()`)
	require.NoError(t, p.Key("Home"))
	p.settled()
	from, to = p.stretch()
	require.InDelta(t, span, to-from, 1e-9)
	p.click("#in")
	p.do(`const o = document.getElementById("overview"), b = o.getBoundingClientRect(); o.dispatchEvent(new MouseEvent("click", { clientX: b.x + b.width / 4, clientY: b.y + 5, bubbles: true }))`)
	p.settled()
	from, to = p.stretch()
	last := 0.0
	for i := range m.facts {
		last = max(last, m.facts[i].recv)
	}
	first := m.facts[0].recv
	for i := range m.facts {
		first = min(first, m.facts[i].recv)
	}
	require.InDelta(t, first+(last-first)/4, (from+to)/2, (last-first)*0.01)
	p.untroubled()
}

func TestManyLanesScroll(t *testing.T) {
	m := makeTrace(t, plan{lps: 5000, events: 6000, exact: true})
	for _, address := range []string{inFile(t, m.path), served(t, m.path).URL} {
		p := browse(t, address, wide)
		firstLane := func() int { return value[int](p, `sheet.chart.shown().lanes[0].lane`) }
		require.Zero(t, firstLane())
		require.Less(t, value[int](p, `document.querySelectorAll("#names button").length`), 40, "only those that are seen are drawn")
		p.do(`document.getElementById("bar").scrollTop = 1e9`)
		p.wait(`sheet.chart.shown().lanes.at(-1).lane === sheet.data.about.lanes - 1`)
		p.do(`document.getElementById("bar").scrollTop = 26 * 2500`)
		p.wait(`Math.abs(sheet.chart.shown().lanes[0].lane - 2500) < 3`)
		before := firstLane()
		p.do(`document.getElementById("view").focus()`)
		require.NoError(t, p.Key("ArrowDown"))
		p.wait(fmt.Sprintf(`sheet.chart.shown().lanes[0].lane === %d`, before+1))
		require.NoError(t, p.Key("ArrowUp"))
		p.wait(fmt.Sprintf(`sheet.chart.shown().lanes[0].lane === %d`, before))
		p.do(`document.getElementById("view").dispatchEvent(new WheelEvent("wheel", { deltaY: 260, shiftKey: true, cancelable: true }))`)
		p.wait(fmt.Sprintf(`sheet.chart.shown().lanes[0].lane === %d`, before+10))
		p.untroubled()
	}
}

func TestAnEventIsDescribedAndItsPathHighlighted(t *testing.T) {
	m := small(t)
	id := newest(m)
	for _, address := range []string{inFile(t, m.path), served(t, m.path).URL} {
		p := browse(t, address, wide)
		p.click("#whole")
		p.settled()
		x, y := p.place(id)
		require.NoError(t, p.Drag(x, y, x, y))
		p.wait(`sheet.chart.story()`)
		chosen := value[int](p, `sheet.chart.state.event`) // what lies on top at this place
		f := &m.facts[chosen]
		cells := func() map[string]string {
			return value[map[string]string](p, `Object.fromEntries([...document.querySelectorAll("#panel tr")].map((r) => [r.cells[0].textContent, r.cells[1].textContent]))`)
		}
		check := func(id int) {
			f := &m.facts[id]
			p.wait(fmt.Sprintf(`sheet.chart.state.event === %d && document.querySelector("#panel h2").textContent === "Event: %s"`, id, []string{"main.ping", "main.pong"}[f.kind]))
			got := cells()
			name := func(lp uint32) string { return fmt.Sprintf(`%d "node <%d>"`, lp, lp) }
			require.Equal(t, name(f.lp)+" ("+[]string{"Left", "Right"}[f.lp/6]+")", got["LP"])
			number := func(text string) float64 {
				v, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err)
				return v
			}
			require.Equal(t, f.recv, number(got["received"]))
			sent, by, _ := strings.Cut(got["sent"], " by LP ")
			require.Equal(t, f.send, number(sent))
			require.Equal(t, name(f.src), by)
			require.Equal(t, strconv.FormatUint(uint64(f.a), 10), got["a"])
			require.Equal(t, f.b, number(got["b"]))
			var path []int
			for k := id; k != none; k = m.facts[k].cause {
				path = append(path, k)
			}
			ids := func(selector string) []int {
				return value[[]int](p, fmt.Sprintf(`[...document.querySelectorAll("%s button")].map((b) => Number(b.dataset.event))`, selector))
			}
			require.Equal(t, path, ids("#path"))
			effects := []int{}
			for i := range m.facts {
				if m.facts[i].cause == id {
					effects = append(effects, i)
				}
			}
			require.Equal(t, effects, ids("#effects"))
			rings := value[[]int](p, `[...document.querySelectorAll(".ring")].map((r) => Number(r.dataset.path))`)
			require.Equal(t, path, rings)
			require.Equal(t, len(path)-1, value[int](p, `document.querySelectorAll("line.path, path.path").length`))
			if len(path) == 1 {
				require.Contains(t, value[string](p, `document.getElementById("cause").textContent`), "none: Init or PreRun has sent it")
			}
		}
		require.InDelta(t, m.facts[id].recv, f.recv, 0.2)
		p.do(fmt.Sprintf(`location.hash = ""; sheet.address({ event: %d })`, id))
		p.do(`location.reload()`)
		p.wait(fmt.Sprintf(`window.sheet === undefined && typeof sheet === "object" && sheet.chart && sheet.chart.state.event === %d`, id))
		check(id)
		// Back to the first cause by links and keys, and forth to an effect.
		p.click("#cause button")
		check(m.facts[id].cause)
		p.do(`document.getElementById("view").focus()`)
		require.NoError(t, p.Key("c"))
		check(m.facts[m.facts[id].cause].cause)
		require.NoError(t, p.Key("e"))
		p.wait(fmt.Sprintf(`sheet.chart.state.event !== %d`, m.facts[m.facts[id].cause].cause))
		now := value[int](p, `sheet.chart.state.event`)
		require.Equal(t, m.facts[m.facts[id].cause].cause, m.facts[now].cause)
		check(now)
		p.click("#effects button")
		p.wait(fmt.Sprintf(`sheet.chart.state.event !== %d`, now))
		p.click("#path li:last-child button")
		first := value[int](p, `Number(document.querySelector("#path li:last-child button").dataset.event)`)
		check(first)
		// The next and the previous event of the LP.
		p.do(`document.getElementById("view").focus()`)
		require.NoError(t, p.Key("n"))
		check(first + 1)
		require.NoError(t, p.Key("p"))
		check(first)
		require.NoError(t, p.Key("Escape"))
		p.wait(`sheet.chart.story() === null`)
		require.NoError(t, p.Key("n"))
		p.wait(`sheet.chart.story() !== null`)
		p.untroubled()
	}
}

func TestUndoneExecutionsAreSaid(t *testing.T) {
	m := small(t)
	again := slices.IndexFunc(m.facts, func(f fact) bool { return f.stayed && f.undone > 1 })
	ghost := slices.IndexFunc(m.facts, func(f fact) bool { return !f.stayed && f.undone == 1 })
	address := inFile(t, m.path)
	for id, says := range map[int]string{
		again: fmt.Sprintf("%d executions before the one that stayed", m.facts[again].undone), ghost: "1 execution, none stayed",
	} {
		p := browse(t, fmt.Sprintf("%s#event=%d", address, id), wide)
		p.wait(`sheet.chart.story()`)
		require.Contains(t, value[string](p, `document.getElementById("panel").textContent`), says)
		require.Equal(t, id == ghost, value[bool](p, fmt.Sprintf(`document.querySelector('.ev[data-id="%d"]').classList.contains("hollow")`, id)))
		p.untroubled()
	}
}

func TestLPsAreChosenByNameByClickAndByPath(t *testing.T) {
	m := small(t)
	for _, address := range []string{inFile(t, m.path), served(t, m.path).URL} {
		p := browse(t, address, wide)
		lanes := func() []int { return value[[]int](p, `sheet.chart.shown().lanes.map((l) => l.lane)`) }
		require.Len(t, lanes(), 12)
		require.True(t, value[bool](p, `document.getElementById("only-chosen").disabled`))
		p.click(`#names button[data-lane="3"]`)
		p.wait(`document.querySelector('#names button[data-lane="3"]').getAttribute("aria-pressed") === "true"`)
		p.do(`const f = document.getElementById("find"); f.value = "node <7"; f.dispatchEvent(new Event("input"))`)
		p.wait(`document.querySelectorAll("#found button").length === 1`)
		p.do(`const f = document.getElementById("find"); f.focus()`)
		require.NoError(t, p.Key("Enter"))
		p.wait(`document.querySelector('#names button[data-lane="7"]').getAttribute("aria-pressed") === "true"`)
		p.click("#only-chosen")
		p.wait(`sheet.chart.shown().lanes.length === 2`)
		require.Equal(t, []int{3, 7}, lanes())
		require.Contains(t, value[string](p, `location.hash`), "lps=3%2C7")
		// By id, into those that are shown.
		p.do(`const f = document.getElementById("find"); f.value = "11"; f.dispatchEvent(new Event("input"))`)
		p.wait(`document.querySelector("#found button") && document.querySelector("#found button").textContent.startsWith("11 ")`)
		p.click("#found button")
		p.wait(`sheet.chart.shown().lanes.length === 3`)
		require.Equal(t, []int{3, 7, 11}, lanes())
		p.do(`const f = document.getElementById("find"); f.value = "nobody"; f.dispatchEvent(new Event("input"))`)
		p.wait(`document.getElementById("found").textContent.startsWith("no LP has this id or name")`)
		// A path that leaves the lanes adds those that it needs.
		id := newest(m)
		want := []int{3, 7, 11}
		for k := id; k != none; k = m.facts[k].cause {
			if lane := int(m.facts[k].lp); !slices.Contains(want, lane) {
				want = append(want, lane)
			}
		}
		p.do(fmt.Sprintf(`sheet.address({ event: %d }); location.reload()`, id))
		p.wait(fmt.Sprintf(`typeof sheet === "object" && sheet.chart && sheet.chart.state.event === %d && sheet.chart.shown().lanes.length === %d`, id, len(want)))
		require.Equal(t, want, lanes(), "those of the address, and those of the path")
		p.click("#only-path")
		var path []int
		for k := id; k != none; k = m.facts[k].cause {
			path = append(path, int(m.facts[k].lp), int(m.facts[k].src))
		}
		slices.Reverse(path)
		var only []int
		for _, lane := range path {
			if !slices.Contains(only, lane) {
				only = append(only, lane)
			}
		}
		p.wait(fmt.Sprintf(`sheet.chart.shown().lanes.map((l) => l.lane).join() === "%s"`, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(only)), ","), "[]")))
		// All of it can be seen.
		p.click("#whole-path")
		p.settled()
		from, to := p.stretch()
		first, last := m.facts[id].recv, m.facts[id].recv
		for k := id; k != none; k = m.facts[k].cause {
			first = m.facts[k].recv
		}
		require.InDelta(t, first-(last-first)*0.05, from, 1e-9)
		require.InDelta(t, last+(last-first)*0.05, to, 1e-9)
		p.click("#all-lps")
		p.wait(`sheet.chart.shown().lanes.length === 12`)
		p.untroubled()
	}
}

// saved has the page keep the next file that it saves, calls click, and returns the text of the file.
func (p *tab) saved(button string) string {
	p.t.Helper()
	p.do(`const real = URL.createObjectURL; window.blob = null; URL.createObjectURL = (b) => { window.blob = b; return real(b); }`)
	p.click(button)
	p.wait(`window.blob`)
	return value[string](p, `window.blob.text()`)
}

func TestTheSVGAndTheCSVHaveWhatIsShown(t *testing.T) {
	m := small(t)
	for _, address := range []string{inFile(t, m.path), served(t, m.path).URL} {
		p := browse(t, fmt.Sprintf("%s#a=2&b=6&lps=1,4&event=%d", address, newest(m)), wide)
		p.wait(`sheet.chart.story()`)
		p.settled()
		lanes := value[[]int](p, `sheet.chart.state.lps`)
		rows, err := csv.NewReader(strings.NewReader(p.saved("#csv"))).ReadAll()
		require.NoError(t, err)
		require.Equal(t, []string{"event", "lp", "received", "sent", "sender", "kind", "undone", "stayed", "fields"}, rows[0])
		var want, got [][]string
		for i := range m.facts {
			f := &m.facts[i]
			if f.recv >= 2 && f.recv <= 6 && slices.Contains(lanes, int(f.lp)) {
				want = append(want, []string{strconv.Itoa(i), fmt.Sprint(f.recv), fmt.Sprint(f.send), strconv.Itoa(f.undone)})
			}
		}
		for _, r := range rows[1:] {
			received, err := strconv.ParseFloat(r[2], 64)
			require.NoError(t, err)
			sent, err := strconv.ParseFloat(r[3], 64)
			require.NoError(t, err)
			got = append(got, []string{r[0], fmt.Sprint(received), fmt.Sprint(sent), r[6]})
			id, err := strconv.Atoi(r[0])
			require.NoError(t, err)
			require.Contains(t, r[8], fmt.Sprintf("a=%d; b=", m.facts[id].a))
		}
		require.ElementsMatch(t, want, got)

		picture := p.saved("#svg")
		circles, texts := 0, ""
		d := xml.NewDecoder(strings.NewReader(picture))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			switch e := token.(type) {
			case xml.StartElement:
				if e.Name.Local == "circle" {
					circles++
				}
			case xml.CharData:
				texts += string(e)
			}
		}
		require.Equal(t, value[int](p, `document.querySelectorAll("#picture circle").length`), circles)
		require.Contains(t, texts, "node <1>")
		require.NotContains(t, picture, "var(--")
		p.untroubled()
	}
}

// TestNanosecondsAreApartAYearFromTheBeginning: times that differ in the last bit, 3.7 ns apart.
func TestNanosecondsAreApartAYearFromTheBeginning(t *testing.T) {
	path := deepTrace(t)
	year := 365 * 24 * 3600.0
	step := math.Nextafter(year, math.Inf(1)) - year
	for _, address := range []string{inFile(t, path), served(t, path).URL} {
		p := browse(t, fmt.Sprintf("%s#event=0&lps=0", address), wide)
		p.wait(`sheet.chart.story()`)
		p.click("#whole")
		p.click("#near")
		p.do(`document.getElementById("view").focus()`)
		for range 55 { // from a year to some nanoseconds, around the event
			require.NoError(t, p.Key("+"))
		}
		p.settled()
		from, to := value[float64](p, `sheet.chart.state.a`), value[float64](p, `sheet.chart.state.b`)
		require.Less(t, to-from, 10*step)
		require.Equal(t, year, value[float64](p, `sheet.chart.state.base`))
		require.Equal(t, "virtual time: 31536000 and", value[string](p, `document.getElementById("base").textContent`))
		for p.settled(); value[float64](p, `sheet.chart.state.b - sheet.chart.state.a`) < 12*step; p.settled() {
			require.NoError(t, p.Key("-"))
		}
		p.wait(`document.querySelectorAll(".ev").length >= 5`)
		at := value[[]float64](p, `[0, 1, 2, 3, 4].map((id) => Number(document.querySelector('.ev[data-id="' + id + '"]').getAttribute("cx")))`)
		for k := 1; k < 5; k++ {
			require.Greater(t, at[k]-at[k-1], 5.0, "pixels between times that differ in the last bit")
			require.InDelta(t, at[1]-at[0], at[k]-at[k-1], 0.01)
		}
		labels := value[[]string](p, `[...document.querySelectorAll("#picture .label")].map((l) => l.textContent)`)
		require.Equal(t, len(labels), len(slices.Compact(slices.Sorted(slices.Values(labels)))), "labels differ: %v", labels)
		for range 25 { // beyond what differs at all
			require.NoError(t, p.Key("+"))
		}
		p.settled()
		require.Equal(t, 1, value[int](p, `sheet.chart.shown().lanes[0].n`))
		p.untroubled()
	}
}

func TestThePageIsForEverybodyAndAnywhere(t *testing.T) {
	m := small(t)
	id := newest(m)
	address := fmt.Sprintf("%s#event=%d", inFile(t, m.path, "--most=500"), id)
	for name, looks := range map[string]browsertest.Looks{
		"light": wide, "dark": {Width: 1400, Height: 1000, Dark: true}, "phone": {Width: 390, Height: 844, Phone: true},
		"dark phone": {Width: 390, Height: 844, Phone: true, Dark: true},
	} {
		p := browse(t, address, looks)
		p.do(`const f = document.getElementById("find"); f.value = "node"; f.dispatchEvent(new Event("input"))`)
		p.wait(`document.querySelectorAll("#found button").length > 3`)
		barriers, err := p.Barriers()
		require.NoError(t, err)
		require.Empty(t, barriers, name)
		require.Equal(t, looks.Dark, value[string](p, `document.documentElement.dataset.theme`) == "dark")
		require.LessOrEqual(t, value[int](p, `document.documentElement.scrollWidth`), looks.Width, name)
		p.untroubled()
	}
	p := browse(t, address, wide)
	require.NoError(t, p.Look(browsertest.Looks{Width: 794, Height: 1123, Print: true}))
	p.wait(`document.getElementById("picture").getAttribute("viewBox").startsWith("0 0 690 ")`)
	require.Equal(t, "none", value[string](p, `getComputedStyle(document.querySelector(".tools")).display`))
	require.LessOrEqual(t, value[int](p, `document.documentElement.scrollWidth`), 794)
	require.Positive(t, value[int](p, `document.querySelectorAll(".ev").length`))
	p.untroubled()
}
