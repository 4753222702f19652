//go:build browser

// This file tests the page in a browser: everything that its reader can do, and what it shows then.

package life

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/cmd/rossreader/internal/sheet/sheettest"
	"github.com/ross-go/ross/internal/testing/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// tab is a page in a browser.
type tab struct{ sheettest.Tab }

// openPage opens a page that Command makes of a text; hash is the address after #.
func openPage(t *testing.T, b *browsertest.Browser, looks browsertest.Looks, file, hash string) tab {
	t.Helper()
	return tab{sheettest.Open(t, b, looks, file, hash, `document.body && Number(document.body.dataset.drawn) > 1`)}
}

func (tb tab) number(expression string) (x float64) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(expression, &x))
	return x
}

// still waits until nothing more is drawn.
func (tb tab) still() {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(`new Promise(then => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => then(true)))))`, nil))
}

func (tb tab) key(name string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Key(name))
	tb.still()
}

// stretch returns the stretch of virtual time that is shown.
func (tb tab) stretch() [2]float64 {
	return [2]float64{tb.number(`Number(document.getElementById("from").value)`), tb.number(`Number(document.getElementById("to").value)`)}
}

// cursor returns the time under the cursor.
func (tb tab) cursor() float64 { return tb.number(`Number(document.getElementById("cursor").value)`) }

// table returns the rows of a table of an LP, by their first cell.
func (tb tab) table(lp uint64, kind string) map[string][]string {
	tb.T.Helper()
	var rows [][]string
	require.NoError(tb.T, tb.Value(fmt.Sprintf(`[...document.querySelectorAll('.details[data-lp="%d"] .%s tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))`, lp, kind), &rows))
	all := map[string][]string{}
	for _, r := range rows {
		all[r[0]] = r[1:]
	}
	return all
}

// plot returns where the picture of an LP is in the window, after scrolling to it: left, top, width and height.
func (tb tab) plot(lp uint64) (box [4]float64) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(fmt.Sprintf(`(() => { const p = document.querySelector("#lp%d .plot"); p.scrollIntoView({ block: "start" });
		const b = p.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`, lp), &box))
	return box
}

const gutter = 58.0 // as in lanes.js

// place returns where a virtual time is in a picture.
func (tb tab) place(box [4]float64, time float64) float64 {
	s := tb.stretch()
	return box[0] + gutter + (time-s[0])/(s[1]-s[0])*(box[2]-gutter-6)
}

// ofModel makes a page of a run of the model with LPs 1 and 2.
func ofModel(t *testing.T) (file string, d *diary, text string) {
	t.Helper()
	d = newDiary()
	d.calm = true
	text = runOf(t, "1,2", d, func(*ross.Config) {})
	return makePage(t, text), d, text
}

func makePage(t *testing.T, text string, args ...string) string {
	t.Helper()
	run := readertest.Write(t, "run.txt", []byte(text))
	file := filepath.Join(filepath.Dir(run), "life.html")
	readertest.Good(t, Command, append([]string{run, "-o", file}, args...)...)
	return file
}

func TestBrowserShowsTheValuesUnderTheCursor(t *testing.T) {
	file, d, _ := ofModel(t)
	b := browsertest.Of(t)
	tb := openPage(t, b, sheettest.Wide, file, "")
	for _, lp := range []uint64{1, 2} {
		notes := d.lps[ross.LPID(lp)]
		for i := 5; i < len(notes); i += 17 {
			n := notes[i]
			tb.Run(fmt.Sprintf(`(() => { const c = document.getElementById("cursor"); c.value = "%v"; c.dispatchEvent(new Event("change")); })()`, n.at))
			tb.still()
			rows := tb.table(lp, "values")
			for _, path := range []string{"Count", "Load", "Open", "Queue", "Parts[0].Left", "Parts[2].Right"} {
				require.NotEmpty(t, rows[path], path)
				value, _, _ := strings.Cut(rows[path][0], ": ")
				require.Equal(t, fmt.Sprint(n.values[path]), value, "%s of LP %d at %v", path, lp, n.at)
			}
			distinct := map[string]bool{}
			for _, g := range n.queue {
				distinct[g] = true
			}
			require.Equal(t, len(n.queue) > 0, strings.Contains(rows["Queue"][0], "{N:"))
			for g := range distinct {
				require.True(t, len(distinct) > 6 || strings.Contains(rows["Queue"][0], g), "%s is not in %s", g, rows["Queue"][0])
			}
			require.Equal(t, fmt.Sprint(n.length), rows["Length (statistic)"][0])
			require.Equal(t, fmt.Sprint(n.served), rows["Served (statistic)"][0])
			require.Equal(t, n.waiting, len(tb.table(lp, "timers")) > 0)
			event := tb.Text(fmt.Sprintf(`document.querySelector('.details[data-lp="%d"] .event').innerText`, lp))
			require.Contains(t, event, fmt.Sprintf("at %v", n.at))
			require.Contains(t, event, "received  life.")
			require.Contains(t, event, fmt.Sprintf("sent at %v", n.sent))
		}
	}
	// The statistics are those of the stretch.
	from, to := 10.0, 25.0
	tb = openPage(t, b, sheettest.Wide, file, "#from=10&to=25")
	n, sum := 0, 0.0
	for _, note := range d.lps[1] {
		if note.at >= from && note.at <= to {
			for _, w := range note.waits {
				n, sum = n+1, sum+w
			}
		}
	}
	require.NotZero(t, n)
	row := tb.table(1, "stats")["Waits"]
	require.Equal(t, strconv.Itoa(n), row[0])
	mean, err := strconv.ParseFloat(row[1], 64)
	require.NoError(t, err)
	require.InEpsilon(t, sum/float64(n), mean, 0.01)
	level, last, when := 0.0, 0.0, from
	for _, note := range d.lps[1] {
		if note.at > from && note.at <= to {
			level += last * (note.at - when)
			when = note.at
		}
		if note.at <= to {
			last = note.length
		}
	}
	level += last * (to - when)
	mean, err = strconv.ParseFloat(strings.TrimSuffix(tb.table(1, "stats")["Length"][1], " over time"), 64)
	require.NoError(t, err)
	require.InDelta(t, level/(to-from), mean, 0.01)
	require.Empty(t, tb.Troubles())
}

func TestBrowserZoomsMovesAndKeepsItInTheAddress(t *testing.T) {
	file, d, _ := ofModel(t)
	b := browsertest.Of(t)
	tb := openPage(t, b, sheettest.Wide, file, "")
	click := func(id string) {
		t.Helper()
		tb.Run(`document.getElementById("` + id + `").click()`)
		tb.still()
	}
	require.Equal(t, [2]float64{0, 40}, tb.stretch())
	click("in")
	require.Equal(t, [2]float64{10, 30}, tb.stretch())
	click("right")
	require.Equal(t, [2]float64{20, 40}, tb.stretch())
	click("left")
	click("left")
	require.Equal(t, [2]float64{0, 20}, tb.stretch())
	click("out")
	require.Equal(t, [2]float64{0, 40}, tb.stretch())
	require.Equal(t, "", tb.Text(`location.hash`))

	// Typed in.
	tb.Run(`(() => { for (const [id, x] of [["to", "30"], ["from", "12.5"]]) { const i = document.getElementById(id); i.value = x; i.dispatchEvent(new Event("change")); } })()`)
	tb.still()
	require.Equal(t, [2]float64{12.5, 30}, tb.stretch())
	tb.Run(`(() => { const i = document.getElementById("from"); i.value = "x"; i.dispatchEvent(new Event("change")); })()`)
	tb.still()
	require.Equal(t, [2]float64{12.5, 30}, tb.stretch())
	click("whole")

	// Dragged.
	box := tb.plot(1)
	y := box[1] + 60
	require.NoError(t, tb.Drag(tb.place(box, 10), y, tb.place(box, 20), y))
	tb.still()
	s := tb.stretch()
	require.InDelta(t, 10, s[0], 0.1)
	require.InDelta(t, 20, s[1], 0.1)
	require.Contains(t, tb.Text(`location.hash`), "from=")

	// A click is a time, and the wheel zooms around it.
	box = tb.plot(2)
	require.NoError(t, tb.Drag(tb.place(box, 15), box[1]+box[3]-30, tb.place(box, 15), box[1]+box[3]-30))
	tb.still()
	require.InDelta(t, 15, tb.cursor(), 0.05)
	before := tb.stretch()
	turn := func(how string) {
		t.Helper()
		tb.Run(fmt.Sprintf(`(() => { const p = document.querySelector("#lp2 .plot"), b = p.getBoundingClientRect();
			p.dispatchEvent(new WheelEvent("wheel", { %s, clientX: %v, clientY: b.top + 60, bubbles: true, cancelable: true })); })()`, how, tb.place(box, 15)))
		tb.still()
	}
	wheel := func(y int) { t.Helper(); turn(fmt.Sprintf("deltaY: %d", y)) }
	wheel(-1)
	after := tb.stretch()
	require.InDelta(t, 0.8*(before[1]-before[0]), after[1]-after[0], 1e-6)
	require.InDelta(t, (15-before[0])/(before[1]-before[0]), (15-after[0])/(after[1]-after[0]), 0.001)
	wheel(1)
	require.InDelta(t, before[1]-before[0], tb.stretch()[1]-tb.stretch()[0], 1e-6)
	before = tb.stretch()
	turn("deltaX: 5") // to the side
	require.InDelta(t, before[0]+(before[1]-before[0])/10, tb.stretch()[0], 1e-6)
	turn("deltaX: -5")
	tb.Run(`document.activeElement.blur()`) // a page is scrolled by a wheel over a picture that nobody has chosen
	wheel(-1)
	require.InDelta(t, before[1]-before[0], tb.stretch()[1]-tb.stretch()[0], 1e-6)
	turn("deltaY: -1, ctrlKey: true")
	require.InDelta(t, 0.8*(before[1]-before[0]), tb.stretch()[1]-tb.stretch()[0], 1e-6)

	// Keys: events, zoom, moves.
	tb.Run(`document.querySelector("#lp1 .plot").focus()`)
	tb.key("0")
	require.Equal(t, [2]float64{0, 40}, tb.stretch())
	notes := d.lps[1]
	tb.key("Home")
	require.Equal(t, notes[0].at, tb.cursor())
	tb.key("ArrowRight")
	tb.key("ArrowRight")
	require.Equal(t, notes[2].at, tb.cursor())
	tb.key("ArrowLeft")
	require.Equal(t, notes[1].at, tb.cursor())
	tb.key("End")
	require.Equal(t, notes[len(notes)-1].at, tb.cursor())
	tb.key("ArrowRight")
	require.Equal(t, notes[len(notes)-1].at, tb.cursor())
	tb.key("+")
	require.InDelta(t, 20, tb.stretch()[1]-tb.stretch()[0], 1e-9)
	tb.key("-")
	require.Equal(t, [2]float64{0, 40}, tb.stretch())
	tb.key("+")
	before = tb.stretch()
	tb.key(",")
	require.InDelta(t, before[0]-10, tb.stretch()[0], 1e-9)
	tb.key(".")
	require.InDelta(t, before[0], tb.stretch()[0], 1e-9)
	tb.key("Home") // the stretch goes with it
	require.LessOrEqual(t, tb.stretch()[0], notes[0].at)

	hash, s, at := tb.Text(`location.hash`), tb.stretch(), tb.cursor()
	tb.key("Escape")
	require.NotContains(t, tb.Text(`location.hash`), "t=")
	require.Equal(t, "", tb.Text(`document.getElementById("cursor").value`))
	again := openPage(t, b, sheettest.Wide, file, hash) // the address has it all; the first tab is not drawn any longer
	require.Equal(t, []any{s, at}, []any{again.stretch(), again.cursor()})
	require.Empty(t, tb.Troubles())
}

func TestBrowserShowsEventsUnderThePointer(t *testing.T) {
	file, d, _ := ofModel(t)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, file, "#from=0&to=10")
	box := tb.plot(1)
	n := d.lps[1][3]
	y := box[1] + 22 // the first lane
	require.NoError(t, tb.Mouse("mouseMoved", tb.place(box, n.at), y, 0))
	tb.still()
	require.Equal(t, "false", tb.Text(`document.getElementById("tip").hidden`))
	tip := tb.Text(`document.getElementById("tip").textContent`)
	require.Contains(t, tip, "received  life.")
	require.Contains(t, tip, "delay")
	require.InDelta(t, n.at, tb.cursor(), 0.02)
	require.Contains(t, tb.Text(`[...document.querySelectorAll("#lp1 .now span")].map((s) => s.textContent).join(" ")`),
		fmt.Sprint(n.values["Count"]), "values are in the lanes")
	require.Equal(t, "false", tb.Text(`document.querySelector("#lp2 .line").hidden`), "the cursor is in all pictures")

	require.NoError(t, tb.Drag(tb.place(box, n.at), y, tb.place(box, n.at), y)) // a click goes to the event
	tb.still()
	at := tb.cursor()
	found := false
	for _, m := range d.lps[1] {
		found = found || m.at == at
	}
	require.True(t, found, at)
	require.NoError(t, tb.Mouse("mouseMoved", 5, 5, 0))
	tb.still()
	require.Equal(t, "true", tb.Text(`document.getElementById("tip").hidden`))
	require.Equal(t, at, tb.cursor(), "it is kept")

	// The lane of what was sent, and that of the queue.
	tops := map[string]float64{}
	require.NoError(t, tb.Value(`(() => { const out = {}; const keys = [...document.querySelectorAll("#lp1 .lanes input:checked")].map((i) => i.dataset.key);
		const spans = [...document.querySelectorAll("#lp1 .now span")]; const all = lanes.ofLP(sheet.data.lps[0]).filter((l) => keys.includes(l.key));
		all.forEach((l, i) => { out[l.key] = parseFloat(spans[i].style.top); }); return out; })()`, &tops))
	hover := func(key string, time float64) string {
		t.Helper()
		require.Contains(t, tops, key)
		require.NoError(t, tb.Mouse("mouseMoved", tb.place(box, time), box[1]+tops[key]+20, 0))
		tb.still()
		return tb.Text(`document.getElementById("tip").hidden ? "" : document.getElementById("tip").textContent`)
	}
	for _, m := range d.lps[1] {
		if m.at > 1 && len(m.sends) > 0 {
			require.Contains(t, hover("out:life.guest", m.at), "life.guest to ")
			x, y := tb.place(box, m.at), box[1]+tops["out:life.guest"]+20
			require.NoError(t, tb.Drag(x, y, x, y)) // a click goes to the event that has sent it
			tb.still()
			require.InDelta(t, m.at, tb.cursor(), 0.02)
			require.Contains(t, tb.Text(`document.querySelector('.details[data-lp="1"] .event').innerText`), fmt.Sprintf("at %v", tb.cursor()))
			break
		}
	}
	was := 0
	for _, m := range d.lps[1] {
		if len(m.queue) > was && m.at < 9 {
			require.Contains(t, hover("f:Queue", m.at), "added    {N:")
			x, y := tb.place(box, m.at), box[1]+tops["f:Queue"]+20
			require.NoError(t, tb.Drag(x, y, x, y))
			tb.still()
			require.InDelta(t, m.at, tb.cursor(), 0.02)
			break
		}
		was = len(m.queue)
	}

	// What a click has kept, Escape lets go.
	kept := tb.cursor()
	require.NoError(t, tb.Mouse("mouseMoved", tb.place(box, 9), box[1]+40, 0))
	tb.still()
	require.Equal(t, kept, tb.cursor())
	tb.key("Escape")
	require.NoError(t, tb.Mouse("mouseMoved", tb.place(box, 9.5), box[1]+40, 0))
	tb.still()
	require.InDelta(t, 9.5, tb.cursor(), 0.02)

	width := tb.number(`document.querySelector("#lp1 canvas").width`)
	require.NoError(t, tb.Look(browsertest.Looks{Width: 900, Height: 1000})) // a window that becomes smaller
	tb.Until(fmt.Sprintf(`document.querySelector("#lp1 canvas").width < %v`, width-300))
	require.Empty(t, tb.Troubles())
}

func TestBrowserLetsTheReaderChooseLanesAndLPs(t *testing.T) {
	file, _, _ := ofModel(t)
	b := browsertest.Of(t)
	tb := openPage(t, b, sheettest.Wide, file, "")
	height := func() float64 { return tb.number(`document.querySelector("#lp1 canvas").height`) }
	whole := height()
	tb.Run(`document.querySelector('#lp1 .lanes input[data-key="f:Count"]').click()`)
	tb.still()
	require.Less(t, height(), whole)
	one := tb.Text(`location.hash`)
	require.Contains(t, one, "lanes1=")
	buttons := func(n int) {
		t.Helper()
		tb.Run(fmt.Sprintf(`document.querySelectorAll("#lp1 .lanes button")[%d].click()`, n))
		tb.still()
	}
	buttons(1)
	require.Zero(t, tb.number(`document.querySelectorAll("#lp1 .lanes input:checked").length`))
	tb.Run(`(() => { const s = document.querySelector('#lp1 .lanes input[type="text"]'); s.value = "parts"; s.dispatchEvent(new Event("input")); })()`)
	buttons(0)
	require.Equal(t, "f:Parts", tb.Text(`document.querySelector("#lp1 .lanes input:checked").dataset.key.slice(0, 7)`))
	require.Equal(t, 6.0, tb.number(`document.querySelectorAll("#lp1 .lanes input:checked").length`))
	groups := tb.Text(`[...document.querySelectorAll("#lp1 .lanes h3")].map((h) => h.textContent).join()`)
	require.Contains(t, groups, "Parts")
	require.Contains(t, groups, "Statistics")

	tb.Run(`document.querySelector('#lps input[data-lp="2"]').click()`)
	tb.still()
	require.Equal(t, "true,true", tb.Text(`[document.getElementById("lp2").hidden, document.querySelector('.details[data-lp="2"]').hidden].join()`))
	again := openPage(t, b, sheettest.Wide, file, tb.Text(`location.hash`))
	require.Equal(t, "true", again.Text(`document.getElementById("lp2").hidden`))
	require.Equal(t, 6.0, again.number(`document.querySelectorAll("#lp1 .lanes input:checked").length`))
	require.Empty(t, tb.Troubles())
}

func TestBrowserStoresWhatIsShown(t *testing.T) {
	file, d, _ := ofModel(t)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, file, "#from=5&to=15")
	tb.Run(`document.getElementById("csv").click()`)
	tb.Until(`saved.length === 2`)
	require.Contains(t, tb.Text(`saved.join()`), "life.csv")
	rows, err := csv.NewReader(strings.NewReader(tb.Text(`saved.find((x) => x !== "life.csv")`))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"lp", "lane", "time", "value", "text"}, rows[0])
	name := lpName(1, label(1))
	got, events := []string{}, 0
	for _, r := range rows[1:] {
		if r[0] == name && r[1] == "Count" {
			got = append(got, r[2]+" "+r[3])
		}
		if r[0] == name && (strings.HasPrefix(r[1], "in:")) {
			events++
			require.Contains(t, r[4], "received  life.")
		}
	}
	var want []string
	last, within := "", 0
	for _, n := range d.lps[1] {
		value := fmt.Sprint(n.values["Count"])
		if n.at >= 5 && n.at <= 15 {
			within++
		}
		if step := fmt.Sprint(n.at) + " " + value; n.at <= 15 && (want == nil || !strings.HasSuffix(last, " "+value)) {
			if n.at <= 5 {
				want = nil
			}
			want, last = append(want, step), step
		}
	}
	require.Equal(t, within, events)
	require.Equal(t, want, got)

	tb.Run(`saved.length = 0; document.getElementById("svg").click()`)
	tb.Until(`saved.length === 2`)
	svg := tb.Text(`saved.find((x) => x !== "life.svg")`)
	require.True(t, strings.HasPrefix(svg, "<svg xmlns="))
	require.Equal(t, "svg", tb.Text(`new DOMParser().parseFromString(saved.find((x) => x !== "life.svg"), "image/svg+xml").documentElement.nodeName`))
	require.Contains(t, svg, ">LP 1 &quot;stall")
	require.NotContains(t, svg, "NaN")
	require.Empty(t, tb.Troubles())
}
