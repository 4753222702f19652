//go:build browser

// This file tests the page in a browser.

package report

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// probe is added to the page. It waits until all is drawn, looks at each chart, presses
// the button and looks again.
const probe = `<script>
(function () {
  const errors = [], seen = [];
  addEventListener("error", (e) => errors.push(String(e.message)));
  addEventListener("securitypolicyviolation", (e) => errors.push(e.violatedDirective));
  const figures = [...document.querySelectorAll("figure")];
  function look(figure) {
    const chart = figure.querySelector(".chart"), option = echarts.getInstanceByDom(chart).getOption();
    let painted = 0;
    for (const canvas of chart.querySelectorAll("canvas")) { // its layers
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      const pixels = copy.getContext("2d", { willReadFrequently: true });
      pixels.drawImage(canvas, 0, 0);
      const data = pixels.getImageData(0, 0, canvas.width, canvas.height).data;
      for (let i = 3; i < data.length; i += 4) if (data[i]) painted++;
    }
    return { id: figure.id, points: Number(figure.dataset.points), series: option.series.map((s) => s.data.length),
      paths: chart.querySelectorAll("svg path, svg rect").length, painted: painted, label: chart.getAttribute("aria-label") || "" };
  }
  // A canvas is painted bit by bit: it is done when nothing more comes.
  function wait(then, before) {
    const theme = document.documentElement.dataset.theme;
    const charts = figures.every((f) => f.dataset.rendered === theme) ? figures.map(look) : null;
    if (charts && JSON.stringify(charts) === before) {
      seen.push({ theme: theme, charts: charts });
      then();
    } else setTimeout(() => wait(then, JSON.stringify(charts)), 200);
  }
  function done() {
    document.body.dataset.probe = JSON.stringify({ seen: seen, errors: errors });
  }
  wait(() => {
    document.getElementById("theme").click();
    wait(() => { document.getElementById("theme").click(); wait(done); });
  });
})();
</script></body>`

type seen struct {
	Theme  string
	Charts []struct {
		ID             string
		Points         int
		Series         []int
		Paths, Painted int
		Label          string
	}
}

// browse opens the report of a run and returns what the probe saw, and a picture.
func browse(t *testing.T, theme, dir string) (looks []seen, picture []byte) {
	t.Helper()
	page := makePage(t, dir)
	at := strings.LastIndex(page, "</body>")
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(page[:at]+probe+page[at+len("</body>"):]), 0o644))
	b := browsertest.Of(t)
	tab, err := b.Open("file://"+path, browsertest.Looks{Width: 1400, Height: 1000, Dark: theme == "dark"})
	require.NoError(t, err)
	require.NoError(t, tab.Wait(`document.body && document.body.dataset.probe`, testkit.Limit(t)))
	var found string
	require.NoError(t, tab.Value(`document.body.dataset.probe`, &found))
	var result struct {
		Seen   []seen
		Errors []string
	}
	require.NoError(t, json.Unmarshal([]byte(found), &result))
	require.Empty(t, result.Errors)
	require.Empty(t, tab.Troubles())
	picture, err = tab.Picture()
	require.NoError(t, err)
	return result.Seen, picture
}

// allCharts are the charts of a run that has everything.
var allCharts = []string{"rate", "efficiency", "gvt", "queue", "memory", "activities", "rollbacks", "ahead", "activity",
	"traffic-pe", "traffic", "lp-time", "flow"}

func TestBrowserDrawsEveryChartInBothThemes(t *testing.T) {
	large := surveytest.Run{PEs: 12, KPs: 8, LPs: 2, Samples: 900, Events: 50_000, SlowPE: 3, ThrashingPE: 1}
	for _, c := range []struct {
		name, theme, other string
		ground             uint32 // colour of the page
		run                surveytest.Run
	}{
		{"typical", "dark", "light", 0x14171b, surveytest.Typical()},
		{"large", "light", "dark", 0xf6f7f8, large},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			looks, picture := browse(t, c.theme, c.run.Write(t))
			require.Len(t, looks, 3)
			onCanvas := 0
			for i, look := range looks {
				require.Equal(t, []string{c.theme, c.other, c.theme}[i], look.Theme, "the browser's choice, then the button's")
				require.Len(t, look.Charts, len(allCharts))
				for n, chart := range look.Charts {
					require.Equal(t, allCharts[n], chart.ID)
					sum := 0
					for _, points := range chart.Series {
						require.NotZero(t, points, chart.ID)
						sum += points
					}
					require.Equal(t, chart.Points, sum, chart.ID)
					require.NotEmpty(t, chart.Label, "%s has no text for those who cannot see it", chart.ID)
					if chart.Points > 2500 {
						onCanvas++
						least := 10_000 // pixels; the lines of a chart alone are more
						if chart.ID == "ahead" || chart.ID == "rollbacks" || chart.ID == "traffic" {
							least = 100_000 // and cells leave no gaps
						}
						require.Greater(t, chart.Painted, least, chart.ID)
						continue
					}
					drawn := len(chart.Series) // a line is a path, a cell too
					if cells := chart.ID == "ahead" || strings.HasPrefix(chart.ID, "traffic"); cells {
						drawn = chart.Points
					}
					require.GreaterOrEqual(t, chart.Paths, drawn, chart.ID)
				}
			}
			require.NotZero(t, onCanvas)
			require.Equal(t, map[string]int{"typical": 3 * 5, "large": onCanvas}[c.name], onCanvas,
				"activities, rollbacks, ahead, traffic, lp-time have many cells")
			pixels, err := png.Decode(bytes.NewReader(picture))
			require.NoError(t, err)
			r, g, b, _ := pixels.At(2, 2).RGBA()
			require.Equal(t, c.ground, r>>8<<16|g>>8<<8|b>>8)
		})
	}
}

func TestBrowserHasNoTroubleWithLittle(t *testing.T) {
	t.Parallel()
	one := t.TempDir()
	surveytest.Run{}.Put(t, one, instr.GVTSuffix,
		instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 1, RolledBack: 9, EventProcess: 0.5}))
	looks, _ := browse(t, "light", one)
	require.Len(t, looks[0].Charts, 5) // nothing was pending
}

func TestReportIsForEverybody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, surveytest.Typical().Write(t))), 0o644))
	b := browsertest.Of(t)
	const drawn = `document.readyState === "complete" && document.querySelector("figure") !== null && [...document.querySelectorAll("figure")].every((f) => f.dataset.rendered === document.documentElement.dataset.theme)`
	open := func(look browsertest.Looks) *browsertest.Page {
		page, err := b.Open("file://"+path, look)
		require.NoError(t, err)
		require.NoError(t, page.Wait(drawn, testkit.Limit(t)))
		return page
	}
	number := func(page *browsertest.Page, expression string) (n int) {
		require.NoError(t, page.Value(expression, &n))
		return n
	}
	for name, look := range map[string]browsertest.Looks{
		"desktop": {Width: 1400, Height: 900}, "phone": {Width: 390, Height: 844, Phone: true},
		"dark": {Width: 1400, Height: 900, Dark: true}, "dark phone": {Width: 390, Height: 844, Phone: true, Dark: true},
	} {
		page := open(look)
		barriers, err := page.Barriers()
		require.NoError(t, err)
		require.Empty(t, barriers, name)
		require.Empty(t, page.Troubles(), name)
		require.LessOrEqual(t, number(page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0,
			name)
		if look.Phone {
			require.NotZero(t, number(page, `document.querySelectorAll("figure.lines").length`))
			require.Zero(t,
				number(page,
					`[...document.querySelectorAll(".chart")].filter((c) => (echarts.getInstanceByDom(c).getOption().toolbox || []).some((b) => b.show)).length`),
				"a phone has no room for tools")
		}
	}

	// A zoom in one chart over real time is one in all.
	page := open(browsertest.Looks{Width: 1400, Height: 900})
	var doubled []string
	require.NoError(t, page.Value(`[...document.querySelectorAll(".chart")].flatMap((c) => ["xAxis", "yAxis"].flatMap((name) => {
		const chart = echarts.getInstanceByDom(c), of = chart && chart.getModel().getComponent(name);
		if (!of || of.get("type") !== "value") return [];
		const labels = of.axis.getViewLabels().map((l) => l.formattedLabel);
		return labels.length === new Set(labels).size ? [] : [c.closest("figure").id + " " + name + ": " + labels.join(", ")];
	}))`, &doubled))
	require.Empty(t, doubled, "labels of an axis differ")
	var ticks []string
	require.NoError(t, page.Value(`[300.05, 300.1, 12050, 3e6, 0, 2.5e-7, 299.87312345678, -0.125].map(looks.tick)`, &ticks))
	require.Equal(t, []string{"300.05", "300.1", "12.05 k", "3 M", "0", "2.50e-7", "299.8731", "-0.125"}, ticks)
	require.Equal(t, 5, number(page, `(() => {
		echarts.getInstanceByDom(document.querySelector("#rate .chart")).dispatchAction({ type: "dataZoom", start: 40, end: 60 });
		return ["rate", "efficiency", "gvt", "queue", "ahead"].filter((id) => echarts.getInstanceByDom(document.querySelector("#" + id + " .chart")).getOption().dataZoom[0].start === 40).length;
	})()`))

	// Heat maps keep the axis of the other charts: the same labels at the same places, of the times that are there.
	require.Equal(t, 1, number(page, `(() => {
		const axis = (id) => echarts.getInstanceByDom(document.querySelector("#" + id + " .chart")).getModel().getComponent("xAxis").axis;
		const seen = (id) => JSON.stringify([axis(id).scale.getExtent(), axis(id).getViewLabels().map((l) => l.formattedLabel)]);
		const [from, to] = axis("ahead").scale.getExtent();
		return Number(Math.abs(from - 0.8) < 1e-6 && Math.abs(to - 1.2) < 1e-6 && seen("ahead") === seen("rate") && seen("rollbacks") === seen("rate"));
	})()`))

	// A finding leads to its chart: there, at the worst stretch, with the KP marked; the address keeps it.
	require.Equal(t, 1, number(page, `(document.querySelector('a.show[href^="#rollbacks"]').click(), 1)`))
	const led = `(() => {
		const figure = document.querySelector("#rollbacks"), box = figure.getBoundingClientRect();
		const axis = echarts.getInstanceByDom(figure.querySelector(".chart")).getModel().getComponent("xAxis").axis;
		const [from, to] = axis.scale.getExtent(), query = new URLSearchParams(location.hash.split("?")[1]);
		return figure.classList.contains("here") && box.top < innerHeight && box.bottom > 0 && Math.abs(from - query.get("from")) < 1e-3
			&& Math.abs(to - query.get("to")) < 1e-3 && to - from < 0.5 && query.get("row") === "PE 1 KP 5"
			&& echarts.getInstanceByDom(figure.querySelector(".chart")).getModel().getComponent("yAxis").axis.getViewLabels().some((l) => l.formattedLabel === "▶ PE 1 KP 5");
	})()`
	require.NoError(t, page.Wait(led, testkit.Limit(t)))
	require.NoError(t, page.Value(`document.getElementById("theme").click()`, nil))
	require.NoError(t, page.Wait(led, testkit.Limit(t)), "in other colours too")
	require.NoError(t, page.Value(`location.reload()`, nil))
	require.NoError(t, page.Wait(drawn, testkit.Limit(t)))
	require.NoError(t, page.Wait(led, testkit.Limit(t)), "and for whom the address is sent to")
	require.NoError(t,
		page.Value(
			`echarts.getInstanceByDom(document.querySelector("#rate .chart")).dispatchAction({ type: "dataZoom", start: 25, end: 50 })`, nil))
	require.NoError(t, page.Wait(`location.hash.includes("from=0.5&to=1&")`, testkit.Limit(t)))
	require.Empty(t, page.Troubles())

	// A comparison is drawn, and for everybody.
	beside := filepath.Join(t.TempDir(), "beside.html")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{stored("storm-hub"), "--base", stored("storm-hub-pes"), "-o", beside},
		&stdout, &stderr), stderr.String())
	both, err := b.Open("file://"+beside, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	require.NoError(t, both.Wait(drawn, testkit.Limit(t)))
	barriers, err := both.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.Empty(t, both.Troubles())
	require.NotZero(t, number(both, `document.querySelectorAll("#waterfall svg path, #waterfall svg rect").length`))
	require.Equal(t, 2,
		number(both,
			`echarts.getInstanceByDom(document.querySelector("#rate .chart")).getOption().series.filter((s) => s.name.startsWith("storm-hub: ")).length`))

	// What the model found is a tab of its own, which the mouse, the keyboard and an address open.
	dir := withStatistics(t)
	tabbed := filepath.Join(t.TempDir(), "tabbed.html")
	require.NoError(t, os.WriteFile(tabbed, []byte(makePage(t, dir)), 0o644))
	model, err := b.Open("file://"+tabbed, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	const shown = `document.readyState === "complete" && [...document.querySelectorAll("figure")].every((f) => f.closest("[hidden]") || f.dataset.rendered)`
	seen := func(id string) string { return `document.getElementById("` + id + `").offsetWidth > 0 && ` + shown }
	require.NoError(t, model.Wait(seen("rate")+` && document.getElementById("of-model").hidden`, testkit.Limit(t)))
	require.NoError(t, model.Value(`document.getElementById("tab-model").click()`, nil))
	require.NoError(t,
		model.Wait(seen("statistic-0")+
			` && document.getElementById("of-engine").hidden && document.querySelectorAll("#statistic-0 svg rect, #statistic-0 svg path").length > 2`, testkit.Limit(t)))
	if barriers, err = model.Barriers(); err != nil {
		t.Fatal(err)
	}
	require.Empty(t, barriers)
	require.NoError(t, model.Value(`document.getElementById("tab-model").focus()`, nil))
	require.NoError(t, model.Key("ArrowLeft"))
	require.NoError(t, model.Wait(seen("rate")+` && document.activeElement.id === "tab-engine"`, testkit.Limit(t)))
	require.NoError(t, model.Value(`location.hash = "#statistic-1"`, nil))
	require.NoError(t, model.Wait(seen("statistic-1"), testkit.Limit(t)))
	require.NoError(t, model.Value(`dispatchEvent(new Event("beforeprint"))`, nil))
	require.NoError(t,
		model.Wait(
			`document.querySelectorAll("[role=tabpanel][hidden]").length === 0 && document.getElementById("rate").dataset.rendered`, testkit.Limit(t)))
	require.Empty(t, model.Troubles())

	// Each chart gives its numbers.
	const copied = `(async (id) => {
		let text = "";
		Object.defineProperty(navigator, "clipboard", { value: { writeText: async (t) => { text = t; } }, configurable: true });
		const button = document.querySelector("#" + id + " .csv");
		button.click();
		await new Promise((then) => setTimeout(then));
		return button.textContent + ":" + text;
	})`
	lines := func(id string) (all []string) {
		var text string
		require.NoError(t, page.Value(copied+`("`+id+`")`, &text))
		text, found := strings.CutPrefix(text, "Copied:")
		require.True(t, found, id)
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err, id)
		for _, r := range records {
			all = append(all, strings.Join(r, "|"))
		}
		return all
	}
	for _, id := range allCharts {
		require.Greater(t, len(lines(id)), 4, id)
	}
	require.Equal(t, "real time (s)|line|events per second", lines("rate")[0])
	require.Regexp(t, `^0\.005\|all PEs\|\d+`, lines("rate")[1])
	require.Regexp(t, `^PE 0 KP 0\|0\|0\.0133333\|\d`, lines("rollbacks")[1])

	// What is printed of a dark page is light, and there when the browser asks for it.
	dark := open(browsertest.Looks{Width: 1400, Height: 900, Dark: true})
	const look = `(() => {
		const canvas = document.querySelector("#lp-time canvas"), data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		let painted = 0;
		for (let i = 3; i < data.length; i += 4) if (data[i]) painted++;
		return painted / (data.length / 4);
	})()`
	var before, printed float64
	require.NoError(t, dark.Value(look, &before))
	require.Greater(t, before, 0.5, "data-rendered is set when all is painted")
	require.NoError(t,
		dark.Value(`dispatchEvent(new Event("beforeprint")), document.documentElement.dataset.theme === "light" ? `+look+
			` : 0`, &printed))
	require.InDelta(t, before, printed, 0.02)
	require.Equal(t, 1,
		number(dark, `dispatchEvent(new Event("afterprint")), Number(document.documentElement.dataset.theme === "dark")`))
}

// timeLine is a page whose time line is used with the mouse and the keyboard.
type timeLine struct {
	*testing.T
	page *browsertest.Page
}

func (l *timeLine) wait(condition string) {
	l.Helper()
	require.NoError(l, l.page.Wait(condition, testkit.Limit(l)))
}

// click presses the mouse at a place of a chart, given by a value of each axis, or some pixels away from it.
func (l *timeLine) click(id string, x, y any, right, down float64) {
	l.Helper()
	place, err := json.Marshal([]any{x, y})
	require.NoError(l, err)
	var at [2]float64
	require.NoError(l, l.page.Value(`(() => {
		const dom = document.querySelector("#`+id+` .chart");
		dom.scrollIntoView({ block: "center" });
		const box = dom.getBoundingClientRect(), [x, y] = echarts.getInstanceByDom(dom).convertToPixel({ gridIndex: 0 }, `+string(place)+`);
		return [box.left + x, box.top + y];
	})()`, &at))
	require.NoError(l, l.page.Drag(at[0]+right, at[1]+down, at[0]+right, at[1]+down))
}

// numbers returns the cells of a table, by the names of its rows.
func (l *timeLine) numbers(id string) map[string][]string {
	l.Helper()
	var rows [][]string
	require.NoError(l,
		l.page.Value(`[...document.querySelectorAll("#`+id+` tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`,
			&rows))
	all := map[string][]string{}
	for _, r := range rows {
		all[r[0]] = r[1:]
	}
	return all
}

// rowsOf is the rows of a chart, and linesOf are its lines that are shown.
const (
	linked  = `[...document.querySelectorAll("#timeline figure")].map((f) => echarts.getInstanceByDom(f.querySelector(".chart")))`
	rowsOf  = `((id) => echarts.getInstanceByDom(document.querySelector("#" + id + " .chart")).getOption().yAxis[0].data.join())`
	linesOf = `((id) => { const o = echarts.getInstanceByDom(document.querySelector("#" + id + " .chart")).getOption();
		return o.series.map((s) => s.name).filter((n) => !o.legend[0].selected || o.legend[0].selected[n] !== false).join(); })`
	allDrawn = `document.readyState === "complete" && document.querySelector("figure") && [...document.querySelectorAll("figure")].every((f) => f.dataset.rendered)`
)

// openTimeLine opens a page in a browser of its own, until the end of the test.
func openTimeLine(t *testing.T, path string) *timeLine {
	b := browsertest.Of(t)
	page, err := b.Open("file://"+path, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	l := &timeLine{t, page}
	l.wait(allDrawn)
	return l
}

func TestTheTimeLineFollowsTheReader(t *testing.T) {
	e := newEventful(t, rand.New(rand.NewPCG(1, 2))) // the places of the mouse are those of this run
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, e.dir)), 0o644))
	l := openTimeLine(t, path)
	whole := l.numbers("pes")

	// All charts have their axis at the same place, and one cursor.
	l.wait(`(() => { const places = ` + linked + `.map((c) => { const r = c.getModel().getComponent("grid").coordinateSystem.getRect(); return r.x + "," + r.width; });
		return places.length === 8 && places.every((p) => p === places[0]); })()`)
	var at [2]float64
	require.NoError(t, l.page.Value(`(() => { const dom = document.querySelector("#rate .chart"); dom.scrollIntoView({ block: "center" });
		const box = dom.getBoundingClientRect(); return [box.left + echarts.getInstanceByDom(dom).convertToPixel({ xAxisIndex: 0 }, 30), box.top + 80]; })()`, &at))
	require.NoError(t, l.page.Mouse("mouseMoved", at[0], at[1], 0))
	l.wait(linked +
		`.every((c) => { const p = c.getModel().getComponent("xAxis").get("axisPointer"); return p.status === "show" && Math.abs(p.value - 30) < 0.1; })`)

	// A stretch that is drawn in the overview is that of all charts and of the tables.
	require.NoError(t, l.page.Value(`(() => { const dom = document.getElementById("overview"), box = dom.getBoundingClientRect();
		const r = echarts.getInstanceByDom(dom).getModel().getComponent("grid").coordinateSystem.getRect(); return [box.left + r.x, r.width]; })()`, &at))
	var top float64
	require.NoError(t, l.page.Value(`document.getElementById("overview").getBoundingClientRect().top`, &top))
	require.NoError(t, l.page.Drag(at[0]+at[1]/4, top+26, at[0]+at[1]/2, top+26))
	l.wait(`Math.abs(document.getElementById("from").value - 15) < 0.5 && Math.abs(document.getElementById("to").value - 30) < 0.5 && location.hash.includes("from=")`)
	l.wait(linked +
		`.every((c) => { const [from, to] = c.getModel().getComponent("xAxis").axis.scale.getExtent(); return Math.abs(from - 15) < 0.5 && Math.abs(to - 30) < 0.5; })`)
	l.wait(`document.getElementById("h-tables").textContent.startsWith("what happened from ")`)

	// Numbers that are typed are exact: the tables have the samples from 10 to 20 s.
	require.NoError(t,
		l.page.Value(
			`for (const [id, v] of [["from", 10], ["to", 20]]) { const input = document.getElementById(id); input.value = v; input.dispatchEvent(new Event("change")); }`, nil))
	l.wait(`document.getElementById("h-tables").textContent === "what happened from 10 to 20 s"`)
	requireSums := func(id string) {
		found := l.numbers(id)
		require.NotEmpty(t, found)
		for name, cells := range found {
			sum := func(all map[string][]int) (n int) {
				for _, x := range all[name][10:20] {
					n += x
				}
				return n
			}
			skip := 0
			if id == "lps" {
				skip = 1 // PE and KP
				require.Equal(t, strconv.Itoa(sum(e.undone)), cells[3], name)
			} else {
				require.Equal(t, strconv.Itoa(sum(e.undone)), cells[1], name)
				require.Equal(t, strconv.Itoa(sum(e.rollbacks)), cells[2], name)
			}
			require.Equal(t, strconv.Itoa(sum(e.handled)), cells[skip], name)
		}
	}
	for _, id := range []string{"pes", "kps", "lps"} {
		requireSums(id)
	}

	// A click on a KP shows what concerns it, in the stretch; one more shows all.
	l.click("rollbacks", 15, "PE 1 KP 0", 0, 0)
	l.wait(rowsOf + `("rollbacks") === "PE 1 KP 0" && ` + rowsOf + `("ahead") === "PE 1 KP 0" && ` + rowsOf +
		`("activities") === "PE 1"`)
	l.wait(linesOf + `("rate") === "PE 1 KP 0,PE 1 KP 0, net" && ` + linesOf + `("queue") === "PE 1" && ` + linesOf +
		`("efficiency") === "PE 1 KP 0"`)
	l.wait(`new URLSearchParams(location.hash.split("?")[1]).get("of") === "PE 1 KP 0" && document.getElementById("chosen").textContent === "Only PE 1 KP 0"`)
	require.Len(t, l.numbers("pes"), 1)
	require.Len(t, l.numbers("kps"), 1)
	require.Len(t, l.numbers("lps"), 2)
	for _, id := range []string{"pes", "kps", "lps"} {
		requireSums(id)
	}
	barriers, err := l.page.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.NoError(t, l.page.Value(`window.old = true; location.reload()`, nil))
	l.wait(`!window.old && document.readyState === "complete" && ` + rowsOf +
		`("rollbacks") === "PE 1 KP 0" && document.getElementById("h-tables").textContent === "PE 1 KP 0: what happened from 10 to 20 s"`)
	l.click("rollbacks", 15, "PE 1 KP 0", 0, 0)
	l.wait(rowsOf + `("activities").startsWith("PE 0,PE 1") && !location.hash.includes("of=")`)
	require.NoError(t, l.page.Value(`document.getElementById("whole").click()`, nil))
	l.wait(`document.getElementById("h-tables").textContent === "What happened in the whole run" && !location.hash.includes("from=")`)
	require.Equal(t, whole, l.numbers("pes"))

	// So do a bar, a lane, the name of a row, and the names in the tables.
	l.click("activity", "PE 1", 20, 0, 0)
	l.wait(linesOf + `("rate") === "PE 1" && ` + rowsOf + `("activities") === "PE 1"`)
	l.click("activities", 15, "PE 1", 0, 15)
	l.wait(rowsOf + `("activities").startsWith("PE 0,PE 1")`)
	l.click("ahead", 0, "PE 0 KP 0", -25, 0)
	l.wait(rowsOf + `("ahead") === "PE 0 KP 0"`)
	require.NoError(t,
		l.page.Value(`[...document.querySelectorAll("#lps .pick")].find((b) => b.textContent.startsWith("LP 1 ")).click()`,
			nil))
	l.wait(linesOf +
		`("rate").startsWith('LP 1 "router 1"') && document.querySelectorAll("#lps tbody tr").length === 1 && location.hash.includes("of=LP+1")`)
	require.NoError(t, l.page.Value(`document.getElementById("clear").click()`, nil))
	l.wait(`document.activeElement.id === "search" && !location.hash.includes("of=")`)

	// The search finds a label by a part of it.
	require.NoError(t,
		l.page.Value(
			`(() => { const s = document.getElementById("search"); s.value = "ROUTER 2"; s.dispatchEvent(new Event("input")); })()`, nil))
	l.wait(`[...document.querySelectorAll("#found option")].some((o) => o.value === 'LP 2 "router 2"')`)
	require.NoError(t, l.page.Value(`document.querySelector("#choose [type=submit]").click()`, nil))
	l.wait(`document.getElementById("chosen").textContent === 'Only LP 2 "router 2"'`)
	require.NoError(t,
		l.page.Value(
			`(() => { const s = document.getElementById("search"); s.value = "nobody"; s.dispatchEvent(new Event("input")); document.getElementById("choose").requestSubmit(); })()`, nil))
	l.wait(`document.getElementById("chosen").textContent === "Nothing is named so"`)

	// A chart is a picture in PNG, as it is shown.
	var picture string
	require.NoError(t,
		l.page.Value(
			`(() => { let found; HTMLAnchorElement.prototype.click = function () { found = this.download + "|" + this.href; }; document.querySelector("#rollbacks .png").click(); return found; })()`, &picture))
	data, found := strings.CutPrefix(picture, "Rollbacks.png|data:image/png;base64,")
	require.True(t, found)
	decoded, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	pixels, err := png.Decode(bytes.NewReader(decoded))
	require.NoError(t, err)
	colours := map[any]bool{}
	for x := range pixels.Bounds().Dx() {
		colours[pixels.At(x, pixels.Bounds().Dy()/2)] = true
	}
	require.Greater(t, len(colours), 10, "cells of many colours")
	require.Empty(t, l.page.Troubles())
}

func TestAComparisonOverGVT(t *testing.T) {
	out := filepath.Join(t.TempDir(), "beside.html")
	own, base := surveytest.Run{PEs: 2, KPs: 2, LPs: 1, Samples: 60, SlowPE: -1, ThrashingPE: 0}, surveytest.Run{PEs: 2,
		KPs: 2, LPs: 1, Samples: 40, SlowPE: -1, ThrashingPE: 1}
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{own.Write(t), "--base", base.Write(t), "-o", out}, &stdout, &stderr),
		stderr.String())
	l := openTimeLine(t, out)
	extents := func(from, to string) string {
		return linked +
			`.every((c) => { const [from, to] = c.getModel().getComponent("xAxis").axis.scale.getExtent(); return Math.abs(from - ` + from + `) < 1.1 && Math.abs(to - ` + to + `) < 1.1; })`
	}
	l.wait(extents("0", "600") + ` && ` + linked + `.length > 10`) // ms
	require.NoError(t, l.page.Value(`document.getElementById("over-gvt").click()`, nil))
	l.wait(extents("0", "120") +
		` && location.hash.includes("x=gvt") && document.getElementById("over-gvt").getAttribute("aria-pressed") === "true"`)
	// GVT rises by 2 in each sample of 10 ms: what is at 105 ms is at 21, in both runs, in lines and maps.
	var places [][]float64
	require.NoError(t,
		l.page.Value(
			`echarts.getInstanceByDom(document.querySelector("#rate .chart")).getOption().series.filter((s) => s.name.includes("all PEs")).map((s) => s.data.map((v) => v[0]))`, &places))
	require.Len(t, places, 4)
	for _, line := range places {
		for i, x := range line {
			require.InDelta(t, float64(2*i+1), x, 1.01)
		}
	}
	require.NoError(t,
		l.page.Value(
			`echarts.getInstanceByDom(document.querySelector("#base-rollbacks .chart")).getOption().series[0].data.map((v) => [v[0], v[4], v[2]])`, &places))
	require.Len(t, places, 4*40)
	for _, cell := range places {
		require.InDelta(t, 2, cell[1]-cell[0], 1.01)
	}
	// The stretch that is chosen is that of the run also there, and the tables are of it.
	require.NoError(t,
		l.page.Value(
			`for (const [id, v] of [["from", 100], ["to", 200]]) { const input = document.getElementById(id); input.value = v; input.dispatchEvent(new Event("change")); }`, nil))
	l.wait(extents("20", "40") +
		` && document.getElementById("h-tables").textContent === "what happened from 100 to 200 ms" && location.hash.includes("from=0.1&to=0.2&x=gvt")`)
	require.NoError(t, l.page.Value(`window.old = true; location.reload()`, nil))
	l.wait(`!window.old && ` + allDrawn + ` && ` + extents("20", "40"))
	barriers, err := l.page.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.NoError(t, l.page.Value(`document.getElementById("over-time").click()`, nil))
	l.wait(extents("100", "200") + ` && !location.hash.includes("gvt")`)
	require.Empty(t, l.page.Troubles())
}
