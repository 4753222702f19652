//go:build browser

// This file tests the page in a browser.

package report

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"html"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/browsertest"
	"github.com/ross-go/ross/internal/testkit"
)

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
func browse(t *testing.T, theme, dir string) (looks []seen, picture string) {
	t.Helper()
	page := makePage(t, dir)
	at := strings.LastIndex(page, "</body>")
	folder := t.TempDir()
	path, picture := filepath.Join(folder, "report.html"), filepath.Join(folder, "report.png")
	require.NoError(t, os.WriteFile(path, []byte(page[:at]+probe+page[at+len("</body>"):]), 0o644))
	scheme := map[string]string{"dark": "0", "light": "1"}[theme]
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Limit(t))
	defer cancel()
	command := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+filepath.Join(folder, "profile"), "--window-size=1400,3000",
		"--blink-settings=preferredColorScheme="+scheme, "--virtual-time-budget=20000", "--enable-logging=stderr",
		"--screenshot="+picture, "--dump-dom", "file://"+path)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.WaitDelay = time.Minute // its children may outlive it
	err := command.Run()
	require.NoError(t, ctx.Err(), "chromium is never done, as where the disk is full (of %s): %s", folder, stderr.String())
	require.NoError(t, err, "chromium: %s", stderr.String())
	require.NotContains(t, stderr.String(), ":CONSOLE")
	found := regexp.MustCompile(`<body[^>]* data-probe="([^"]*)"`).FindStringSubmatch(stdout.String())
	require.NotNil(t, found, "the page was not drawn: %s", stderr.String())
	var result struct {
		Seen   []seen
		Errors []string
	}
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(found[1])), &result))
	require.Empty(t, result.Errors)
	return result.Seen, picture
}

// allCharts are the charts of a run that has everything.
var allCharts = []string{"rate", "efficiency", "gvt", "queue", "memory", "ahead", "rollbacks", "activity", "traffic-pe", "traffic", "lp-time", "flow"}

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
					if chart.Points > 5000 {
						onCanvas++
						least := 10_000 // pixels; the lines of a chart alone are more
						if chart.ID == "ahead" || chart.ID == "rollbacks" {
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
			require.Equal(t, map[string]int{"typical": 3, "large": onCanvas}[c.name], onCanvas, "only the map of LPs over virtual time has many cells")
			f, err := os.Open(picture)
			require.NoError(t, err)
			defer f.Close()
			pixels, err := png.Decode(f)
			require.NoError(t, err)
			r, g, b, _ := pixels.At(2, 2).RGBA()
			require.Equal(t, c.ground, r>>8<<16|g>>8<<8|b>>8)
		})
	}
}

func TestBrowserHasNoTroubleWithLittle(t *testing.T) {
	t.Parallel()
	one := t.TempDir()
	surveytest.Run{}.Put(t, one, instr.GVTSuffix, instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 1, RolledBack: 9, EventProcess: 0.5}))
	looks, _ := browse(t, "light", one)
	require.Len(t, looks[0].Charts, 4) // nothing was pending
}

func TestReportIsForEverybody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, surveytest.Typical().Write(t))), 0o644))
	b, err := browsertest.Start()
	require.NoError(t, err)
	defer b.Close()
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
		require.LessOrEqual(t, number(page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
		if look.Phone {
			require.NotZero(t, number(page, `document.querySelectorAll("figure.lines").length`))
			require.Zero(t, number(page, `[...document.querySelectorAll(".chart")].filter((c) => (echarts.getInstanceByDom(c).getOption().toolbox || []).some((b) => b.show)).length`),
				"a phone has no room for tools")
		}
	}

	// A zoom in one chart over real time is one in all.
	page := open(browsertest.Looks{Width: 1400, Height: 900})
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
			&& Math.abs(to - query.get("to")) < 1e-3 && to - from < 0.5 && query.get("row") === "PE 1 KP 5" && figure.textContent.includes("▶ PE 1 KP 5");
	})()`
	require.NoError(t, page.Wait(led, testkit.Limit(t)))
	require.NoError(t, page.Value(`document.getElementById("theme").click()`, nil))
	require.NoError(t, page.Wait(led, testkit.Limit(t)), "in other colours too")
	require.NoError(t, page.Value(`location.reload()`, nil))
	require.NoError(t, page.Wait(drawn, testkit.Limit(t)))
	require.NoError(t, page.Wait(led, testkit.Limit(t)), "and for whom the address is sent to")
	require.NoError(t, page.Value(`echarts.getInstanceByDom(document.querySelector("#rate .chart")).dispatchAction({ type: "dataZoom", start: 25, end: 50 })`, nil))
	require.NoError(t, page.Wait(`location.hash.includes("from=0.5&to=1&")`, testkit.Limit(t)))
	require.Empty(t, page.Troubles())

	// A comparison is drawn, and for everybody.
	beside := filepath.Join(t.TempDir(), "beside.html")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{stored("storm-hub"), "--base", stored("storm-hub-pes"), "-o", beside}, &stdout, &stderr), stderr.String())
	both, err := b.Open("file://"+beside, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	require.NoError(t, both.Wait(drawn, testkit.Limit(t)))
	barriers, err := both.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.Empty(t, both.Troubles())
	require.NotZero(t, number(both, `document.querySelectorAll("#waterfall svg path, #waterfall svg rect").length`))
	require.Equal(t, 2, number(both, `echarts.getInstanceByDom(document.querySelector("#rate .chart")).getOption().series.filter((s) => s.name.startsWith("base: ")).length`))

	// What the model found is a tab of its own, which the mouse, the keyboard and an address open.
	dir := surveytest.Typical().Write(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-statistics.json"), []byte(`{"from": 5, "until": 30, "rows": [
		{"group": "queue", "statistic": "waiting", "unit": "s", "kind": "histogram", "count": 33, "mean": 4,
		 "bins": [{"low": 0, "high": 0, "n": 3}, {"low": 1, "high": 2, "n": 20}, {"low": 7, "high": 8, "n": 10}]},
		{"statistic": "load", "kind": "series", "count": 2, "course": [{"begin": 5, "end": 10, "count": 2, "sum": 4}, {"begin": 10, "end": 15, "count": 3, "sum": 6}]}]}`), 0o666))
	tabbed := filepath.Join(t.TempDir(), "tabbed.html")
	require.NoError(t, os.WriteFile(tabbed, []byte(makePage(t, dir)), 0o644))
	model, err := b.Open("file://"+tabbed, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	const shown = `document.readyState === "complete" && [...document.querySelectorAll("figure")].every((f) => f.closest("[hidden]") || f.dataset.rendered)`
	seen := func(id string) string { return `document.getElementById("` + id + `").offsetWidth > 0 && ` + shown }
	require.NoError(t, model.Wait(seen("rate")+` && document.getElementById("of-model").hidden`, testkit.Limit(t)))
	require.NoError(t, model.Value(`document.getElementById("tab-model").click()`, nil))
	require.NoError(t, model.Wait(seen("statistic-0")+` && document.getElementById("of-engine").hidden && document.querySelectorAll("#statistic-0 svg rect, #statistic-0 svg path").length > 2`, testkit.Limit(t)))
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
	require.NoError(t, model.Wait(`document.querySelectorAll("[role=tabpanel][hidden]").length === 0 && document.getElementById("rate").dataset.rendered`, testkit.Limit(t)))
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
	require.NoError(t, dark.Value(`dispatchEvent(new Event("beforeprint")), document.documentElement.dataset.theme === "light" ? `+look+` : 0`, &printed))
	require.InDelta(t, before, printed, 0.02)
	require.Equal(t, 1, number(dark, `dispatchEvent(new Event("afterprint")), Number(document.documentElement.dataset.theme === "dark")`))
}
