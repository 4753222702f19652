//go:build browser

// This file tests that charts are the same on the screen, on paper and as files, also on slow machines.

package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// cellProbe defines functions of the page. cellsOf(id) returns the middles of the cells of a chart, in pixels from
// its upper left corner. painted(id, canvas, fine) returns how many of them are painted in a picture of the chart.
// shown(id) does so for the chart itself, and saved(id) for the PNG that its button makes.
const cellProbe = `<script>
const chartOf = (id) => echarts.getInstanceByDom(document.querySelector("#" + id + " .chart"));
function cellsOf(id) {
	const chart = chartOf(id), all = [];
	for (const s of chart.getOption().series) {
		for (const item of s.data) {
			const v = item.value || item;
			const x = v.length > 4 ? (v[0] + v[4]) / 2 : v[0], [left, top] = chart.convertToPixel({ gridIndex: 0 }, [x, v[1]]);
			const high = Math.abs(chart.convertToPixel({ gridIndex: 0 }, [x, 1])[1] - chart.convertToPixel({ gridIndex: 0 }, [x, 0])[1]) * 0.88;
			all.push([left, s.name === "lanes" || id === "activities" ? top + high / 2 - (v[2] + v[3]) / 200 * high : top]);
		}
	}
	return all;
}
function painted(id, canvas, fine, ground) {
	const data = canvas.getContext("2d", { willReadFrequently: true }).getImageData(0, 0, canvas.width, canvas.height);
	return cellsOf(id).filter(([x, y]) => {
		const at = 4 * (Math.floor(y * fine) * canvas.width + Math.floor(x * fine)), p = data.data;
		return p[at + 3] > 0 && !(ground && p[at] === ground[0] && p[at + 1] === ground[1] && p[at + 2] === ground[2]);
	}).length;
}
function shown(id) {
	const whole = document.querySelector("#" + id + " .chart"), layers = whole.querySelectorAll("canvas");
	if (!layers.length) return whole.querySelectorAll("svg").length ? cellsOf(id).length : 0; // each has an element
	const copy = Object.assign(document.createElement("canvas"), { width: layers[0].width, height: layers[0].height });
	for (const layer of layers) copy.getContext("2d").drawImage(layer, 0, 0);
	return painted(id, copy, 1);
}
async function saved(id) {
	let href = "";
	const click = HTMLAnchorElement.prototype.click;
	HTMLAnchorElement.prototype.click = function () { href = this.href; };
	document.querySelector("#" + id + " .png").click();
	HTMLAnchorElement.prototype.click = click;
	const image = new Image();
	image.src = href;
	await image.decode();
	const copy = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
	copy.getContext("2d").drawImage(image, 0, 0);
	return painted(id, copy, image.width / chartOf(id).getWidth(), document.documentElement.dataset.theme === "dark" ? [29, 33, 38] : [255, 255, 255]);
}
</script></body>`

func TestChartsAreWholeOnScreenPaperAndInFiles(t *testing.T) {
	run := surveytest.Run{PEs: 4, KPs: 16, LPs: 8, Samples: 400, Events: 60_000, SlowPE: 3, ThrashingPE: 1}
	path := filepath.Join(t.TempDir(), "report.html")
	page := makePage(t, run.Write(t))
	page = page[:len(page)-len("</body>\n</html>\n")] + cellProbe + "\n</html>\n"
	require.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	b := browsertest.Of(t)
	tab, err := b.Open("file://"+path, browsertest.Looks{Width: 1400, Height: 1000, Dark: true})
	require.NoError(t, err)
	require.NoError(t, tab.Wait(allDrawn, testkit.Limit(t)))
	number := func(expression string) (n int) {
		require.NoError(t, tab.Value(expression, &n))
		return n
	}
	maps := []string{"activities", "rollbacks", "ahead", "traffic", "traffic-pe", "lp-time"}
	require.Greater(t, number(`cellsOf("traffic").length`), 8_000, "a large matrix")
	// after counts the painted cells of all maps when an expression has been computed, before another frame is drawn.
	after := func(slower float64, expression string) (cells []int) {
		require.NoError(t, tab.Throttle(slower))
		names, err := json.Marshal(maps)
		require.NoError(t, err)
		require.NoError(t, tab.Value(fmt.Sprintf("(%s, %s.map(shown))", expression, names), &cells))
		require.NoError(t, tab.Throttle(1))
		return cells
	}
	all := func() (cells []int) {
		for _, id := range maps {
			cells = append(cells, number(`cellsOf("`+id+`").length`))
		}
		return cells
	}
	for _, slower := range []float64{1, 3} {
		cells := after(slower, `document.getElementById("theme").click(), document.getElementById("theme").click()`)
		require.Equal(t, all(), cells, "%v on the screen", maps)
		for n, id := range maps {
			require.Equal(t, cells[n], number(`saved("`+id+`")`), "%s as PNG", id)
		}
		cells = after(slower, `dispatchEvent(new Event("beforeprint"))`)
		require.Equal(t, 1, number(`Number(document.documentElement.dataset.theme === "light")`))
		require.Equal(t, all(), cells, "%v on paper", maps)
		// 186 mm: nothing is cut off, and nothing is drawn for another width.
		require.Equal(t, 0, number(`[...document.querySelectorAll(".chart")].filter((c) => {
			const width = chartOf(c.closest("figure").id).getWidth(), right = c.getBoundingClientRect().right - document.body.getBoundingClientRect().left;
			return Math.abs(width - c.clientWidth) > 1 || right > 704 || [...c.querySelectorAll("svg, canvas")].some((d) => Math.abs(d.getBoundingClientRect().width - width) > 1);
		}).length`))
		require.NoError(t, tab.Value(`dispatchEvent(new Event("afterprint"))`, nil))
	}
	pdf, err := tab.Print()
	require.NoError(t, err)
	require.Greater(t, len(pdf), 50_000)
	if file := os.Getenv("ROSS_PDF"); file != "" { // to look at
		require.NoError(t, os.WriteFile(file, pdf, 0o644))
	}
	require.NoError(t, tab.Wait(allDrawn+` && document.documentElement.dataset.theme === "dark" && chartOf("rate").getWidth() > 1000`,
		testkit.Limit(t)), "as it was")
	require.Empty(t, tab.Troubles())
}

func TestTheAddressHasTheTabAndAWrongStretchIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(makePage(t, withStatistics(t))), 0o644))
	b := browsertest.Of(t)
	tab, err := b.Open("file://"+path, browsertest.Looks{Width: 1280, Height: 900})
	require.NoError(t, err)
	wait := func(condition string) {
		t.Helper()
		require.NoError(t, tab.Wait(condition, testkit.Limit(t)))
	}
	wait(`document.readyState === "complete" && document.getElementById("rate").dataset.rendered`)
	require.NoError(t, tab.Value(`document.getElementById("tab-model").click()`, nil))
	wait(`location.hash === "#?tab=model"`)
	require.NoError(t, tab.Value(`(window.old = true, location.reload())`, nil))
	wait(`!window.old && document.readyState === "complete" && document.getElementById("of-engine").hidden && !document.getElementById("of-model").hidden`)
	require.NoError(t, tab.Value(`document.getElementById("tab-engine").click()`, nil))
	wait(`location.hash === ""`)

	const put = `((from, to) => { for (const [id, v] of [["from", from], ["to", to]]) document.getElementById(id).value = v; document.getElementById("to").dispatchEvent(new Event("change")); })`
	require.NoError(t, tab.Value(put+`(0.1, 0.3)`, nil))
	wait(`location.hash.includes("from=")`)
	require.NoError(t, tab.Value(`window.before = location.hash`, nil))
	require.NoError(t, tab.Value(put+`(0.4, 0.2)`, nil))
	wait(`document.getElementById("wrong").textContent.includes("less than") && document.getElementById("from").getAttribute("aria-invalid") === "true" && location.hash === window.before`)
	require.NoError(t, tab.Value(put+`(0.1, 0.2)`, nil))
	wait(`document.getElementById("wrong").textContent === "" && !document.getElementById("from").hasAttribute("aria-invalid")`)
	barriers, err := tab.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
}

// withStatistics writes a run whose model has results.
func withStatistics(t *testing.T) string {
	dir := surveytest.Typical().Write(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-statistics.json"), []byte(`{"from": 5, "until": 30, "rows": [
		{"group": "queue", "statistic": "waiting", "unit": "s", "kind": "histogram", "count": 33, "mean": 4,
		 "bins": [{"low": 0, "high": 0, "n": 3}, {"low": 1, "high": 2, "n": 20}, {"low": 7, "high": 8, "n": 10}]},
		{"statistic": "load", "kind": "series", "count": 2, "course": [{"begin": 5, "end": 10, "count": 2, "sum": 4}, {"begin": 10, "end": 15, "count": 3, "sum": 6}]}]}`), 0o666))
	return dir
}
