//go:build browser

// This file tests the page in a browser: everything that its reader can do, and what it shows then.

package figures

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/cmd/rossreader/internal/sheet/sheettest"
	"github.com/ross-go/ross/internal/testing/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// tab is a page in a browser.
type tab struct{ sheettest.Tab }

// fileOf makes the page of runs.
func fileOf(t *testing.T, all []made) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figures.html")
	readertest.Good(t, Command, folderOf(t, all), "-o", file)
	return file
}

// openPage opens a page; hash is the address after #.
func openPage(t *testing.T, b *browsertest.Browser, looks browsertest.Looks, file, hash string) tab {
	t.Helper()
	return tab{sheettest.Open(t, b, looks, file, hash, `document.body && Number(document.body.dataset.drawn) > 0`)}
}

func (tb tab) content(id string) string {
	tb.T.Helper()
	return tb.Text(fmt.Sprintf("document.getElementById(%q).textContent", id))
}

// choose chooses an entry of a list.
func (tb tab) choose(id, value string) {
	tb.T.Helper()
	tb.Run(fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = %q; if (s.value !== %q) throw new Error("no such entry"); s.dispatchEvent(new Event("change")); })()`, id, value, value))
}

// rows returns the rows of a table.
func (tb tab) rows(section string) (rows [][]string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(fmt.Sprintf(`[...document.querySelectorAll("#%s tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`, section), &rows))
	return rows
}

// dots returns the numbers of dots of each line: solid ones and hollow ones.
func (tb tab) dots() (solid, hollow []int) {
	tb.T.Helper()
	for kind, into := range map[string]*[]int{"dots": &solid, "hollow": &hollow} {
		require.NoError(tb.T, tb.Value(fmt.Sprintf(`[...document.querySelectorAll("#picture .%s")].map((p) => (p.getAttribute("d").match(/M/g) || []).length * Number(p.dataset.n > 0))`, kind), into))
	}
	return solid, hollow
}

// stored returns what a click on a button stores: the name of the file, and its text.
func (tb tab) stored(button string) (name, text string) {
	tb.T.Helper()
	tb.Run(`saved.length = 0; document.getElementById("` + button + `").click()`)
	tb.Until("saved.length === 2")
	return tb.Text("saved[0]"), tb.Text("saved[1]")
}

// csvOf returns the file with the points: its head, and its rows by folder.
func (tb tab) csvOf() (head []string, rows map[string][]string) {
	tb.T.Helper()
	name, text := tb.stored("csv")
	require.Equal(tb.T, "figures.csv", name)
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(tb.T, err)
	rows = map[string][]string{}
	for _, r := range all[1:] {
		rows[r[0]] = r[1:]
	}
	require.Len(tb.T, rows, len(all)-1)
	return all[0], rows
}

// ended returns those of the runs that have reached their end.
func ended(all []made) (some []made) {
	return slices.DeleteFunc(slices.Clone(all), func(m made) bool { return m.info["state"] != "complete" })
}

// ofResult returns a figure of the run, and option the value of an option.
func (m *made) ofResult(t *testing.T, name string) float64 {
	return float(t, m.info["result"].(object)[name])
}
func (m *made) option(name string) string { return m.info["options"].(object)[name].(string) }

func TestBrowserShowsTheOptionWithMostValuesAtFirst(t *testing.T) {
	all := runsOf(40)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "")
	require.Equal(t, "Net events a second against --batch", tb.content("title"))
	require.Equal(t, "40 runs, 38 shown: 2 did not reach their end and are left out.", tb.content("count"))
	solid, hollow := tb.dots()
	require.Equal(t, []int{38}, solid)
	require.Equal(t, []int{0}, hollow)
	head, rows := tb.csvOf()
	require.Equal(t, []string{"folder", "batch", "Net events a second (events/s)", "state", "begin"}, head)
	require.Len(t, rows, 38)
	groups := map[string][]float64{}
	for _, m := range ended(all) {
		rate := m.ofResult(t, "event_rate")
		require.Equal(t, []string{m.option("batch"), strconv.FormatFloat(rate, 'f', -1, 64), "complete",
			m.info["begin"].(time.Time).Format("2006-01-02T15:04:05.000Z")}, rows[m.folder])
		groups[m.option("batch")] = append(groups[m.option("batch")], rate)
	}
	means := tb.rows("means")
	require.Len(t, means, 5)
	for _, row := range means {
		checkGroup(t, groups[row[0]], row[1:])
	}
	points := tb.rows("points")
	require.Len(t, points, 38)
	require.Equal(t, "1", points[0][1])
	require.Equal(t, "256", points[37][1])
	require.Empty(t, tb.Troubles())
}

// checkGroup checks number, mean, median, least and greatest of what is shown.
func checkGroup(t *testing.T, values []float64, row []string) {
	t.Helper()
	slices.Sort(values)
	sum, n := 0.0, len(values)
	for _, x := range values {
		sum += x
	}
	require.Equal(t, strconv.Itoa(n), row[0])
	for i, want := range []float64{sum / float64(n), (values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]} {
		x, err := strconv.ParseFloat(strings.ReplaceAll(row[i+1], ",", ""), 64)
		require.NoError(t, err)
		require.InEpsilon(t, want, x, 1e-5)
	}
}

func TestBrowserDrawsAnyFigureAgainstAnyOption(t *testing.T) {
	all := runsOf(40)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "")
	tb.choose("y", "statistic node: wait")
	tb.choose("m", "99 % quantile")
	tb.choose("x", "--pq")
	tb.choose("by", "--pes")
	require.Equal(t, "wait of node: 99 % quantile against --pq, lines by --pes", tb.content("title"))
	head, rows := tb.csvOf()
	require.Equal(t, []string{"folder", "pq", "pes", "wait of node: 99 % quantile (h)", "state", "begin"}, head)
	groups := map[string][]float64{}
	for _, m := range ended(all) {
		x := float(t, m.stats[0]["quantiles"].(object)["0.99"])
		require.Equal(t, []string{m.option("pq"), m.option("pes"), strconv.FormatFloat(x, 'f', -1, 64)}, rows[m.folder][:3])
		key := m.option("pq") + "|" + m.option("pes")
		groups[key] = append(groups[key], x)
	}
	require.Len(t, rows, 38)
	for _, row := range tb.rows("means") {
		value := row[0]
		if value == "(empty)" {
			value = ""
		}
		if strings.HasPrefix(value, "<img") {
			require.Contains(t, value, `alert(1)>\u{7}\u{202e}"&'`)
			value = hostile
		}
		checkGroup(t, groups[value+"|"+row[1]], row[2:])
		delete(groups, value+"|"+row[1])
	}
	require.Empty(t, groups)
	require.Equal(t, "true", tb.Text(`document.getElementById("xs").disabled`))
	solid, _ := tb.dots()
	require.Len(t, solid, 3)
	require.Equal(t, 38, solid[0]+solid[1]+solid[2])
	// All choices are in the address, and another page with it shows the same.
	hash := tb.Text("location.hash")
	title, before := tb.content("title"), tb.rows("points")
	tb = openPage(t, browsertest.Of(t), sheettest.Wide, strings.TrimPrefix(tb.Text("location.pathname"), "file://"), hash)
	require.Equal(t, title, tb.content("title"))
	require.Equal(t, before, tb.rows("points"))
	// The measure remains with another statistic that has it, and a figure without measures has none.
	tb.choose("m", "count")
	tb.choose("y", "statistic : lost")
	require.Equal(t, "lost: count against --pq, lines by --pes", tb.content("title"))
	tb.choose("y", "Run time")
	require.Equal(t, "true", tb.Text(`document.getElementById("measures").hidden`))
	tb.choose("x", "begin")
	require.Equal(t, "Run time against begin of the run, lines by --pes", tb.content("title"))
	require.Equal(t, "true", tb.Text(`document.getElementById("means").hidden`))
	require.Equal(t, all[0].info["begin"].(time.Time).Format("2006-01-02 15:04:05 UTC"), tb.rows("points")[0][1])
	tb.Run(`location.hash = "#x=--no&y=Efficiency"`)
	tb.Until(`document.getElementById("count").textContent.endsWith(" The address names what these runs do not have: x=--no.")`)
	require.Equal(t, "Efficiency against --batch", tb.content("title"))
	require.Empty(t, tb.Troubles())
}

func TestBrowserShowsHollowDotsOfRunsThatDidNotReachTheirEnd(t *testing.T) {
	all := runsOf(40)
	file := fileOf(t, all)
	b := browsertest.Of(t)
	tb := openPage(t, b, sheettest.Wide, file, "")
	before := tb.rows("means")
	tb.Run(`document.getElementById("all").click()`)
	require.Equal(t, "40 runs, 39 shown: 1 has no such figure; 1 did not reach its end and is hollow.", tb.content("count"))
	solid, hollow := tb.dots()
	require.Equal(t, []int{38}, solid)
	require.Equal(t, []int{1}, hollow)
	require.Equal(t, before, tb.rows("means"), "means are those of runs that reached their end")
	require.Len(t, tb.rows("points"), 39)
	require.Equal(t, "#all=yes", tb.Text("location.hash"))
	tb.Run(`document.getElementById("all").click()`)
	require.Equal(t, "", tb.Text("location.hash"))
	// If no run has reached its end, they are what is shown.
	for i := range all {
		all[i].info["state"] = "stopped"
	}
	tb = openPage(t, b, sheettest.Wide, fileOf(t, all), "")
	require.Equal(t, "40 runs, 39 shown: 1 has no such figure; 39 did not reach their end and are hollow.", tb.content("count"))
	require.Empty(t, tb.Troubles())
}

// places returns where marks of the axis across are, in pixels of the picture.
func (tb tab) places(shape string) (all []float64) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(shape, &all))
	return all
}

// corners are the x of the line's corners.
const corners = `document.querySelector("#picture .line").getAttribute("d").match(/[ML][^ML]+/g).map((c) => parseFloat(c.slice(1)))`

// heights are their y.
const heights = `document.querySelector("#picture .line").getAttribute("d").match(/[ML][^ML]+/g).map((c) => parseFloat(c.slice(1).split(" ")[1]))`

func TestBrowserDrawsAxesAndLinesAsChosen(t *testing.T) {
	all := runsOf(60)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "#y=Run+time")
	ratio := func() float64 { // of the distances between the first two corners and the last two
		x := tb.places(corners)
		require.Len(t, x, 5)
		return (x[4] - x[3]) / (x[1] - x[0])
	}
	require.InDelta(t, 1, ratio(), 0.01, "the batches 1, 4 .. 256 are logarithmic on their own")
	tb.choose("xs", "linear")
	require.InEpsilon(t, 192.0/3, ratio(), 0.02)
	tb.choose("xs", "even")
	require.InDelta(t, 1, ratio(), 0.01)
	require.Equal(t, []string{"1", "4", "16", "64", "256"}, texts(tb, "middle")[:5])
	mean := tb.places(heights)
	tb.choose("line", "median")
	require.NotEqual(t, mean, tb.places(heights))
	tb.choose("ys", "zero")
	bottom := tb.places(heights)
	values := map[string][]float64{}
	for _, m := range ended(all) {
		values[m.option("batch")] = append(values[m.option("batch")], m.ofResult(t, "runtime_seconds"))
	}
	median := func(batch string) float64 {
		v := slices.Sorted(slices.Values(values[batch]))
		return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
	}
	axis := tb.places(`[...document.querySelectorAll("#picture .grid")].map((g) => parseFloat(g.getAttribute("d").split(" ")[1]))`)
	names := texts(tb, "end")
	require.Len(t, axis, len(names))
	last, err := strconv.ParseFloat(names[len(names)-1], 64)
	require.NoError(t, err)
	require.Equal(t, 0.0, must(strconv.ParseFloat(names[0], 64)))
	for i, batch := range []string{"1", "4", "16", "64", "256"} {
		value := (axis[0] - bottom[i]) / (axis[0] - axis[len(axis)-1]) * last
		require.InDelta(t, median(batch), value, 0.01, "the line is where the axis has the median of batch %s", batch)
	}
	tb.choose("line", "none")
	require.Equal(t, "M0 0", tb.Text(`document.querySelector("#picture .line").getAttribute("d")`))
	tb.choose("y", "statistic : lost")
	tb.choose("ys", "log")
	require.Contains(t, tb.content("count"), "1 is not above 0, and has no place on a logarithmic axis.")
	require.Empty(t, tb.Troubles())
}

func must(x float64, err error) float64 {
	if err != nil {
		return -1
	}
	return x
}

// texts returns the texts of the picture with an anchor.
func texts(tb tab, anchor string) (all []string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(fmt.Sprintf(`[...document.querySelectorAll("#picture text[text-anchor=%s]")].map((e) => e.textContent)`, anchor), &all))
	return all
}

func TestBrowserShowsARunUnderThePointerAndKeepsIt(t *testing.T) {
	all := runsOf(40)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "#x=--seed&by=--pes")
	// where the dot of a run is: the seed is linear, and the first dots are at its ends
	m := all[20]
	var at [2]float64
	require.NoError(t, tb.Value(fmt.Sprintf(`(() => {
		const row = [...document.querySelectorAll("#points tbody tr")].find((r) => r.cells[1].textContent === %q), line = row.cells[2].textContent;
		const rows = [...document.querySelectorAll("#points tbody tr")].filter((r) => r.cells[2].textContent === line);
		const d = document.querySelectorAll("#picture .dots")[["1", "2", "4"].indexOf(line)].getAttribute("d").split("M").slice(1)[rows.indexOf(row)];
		const n = d.match(/-?[\d.]+/g).map(Number), shape = ["1", "2", "4"].indexOf(line);
		const box = document.getElementById("picture").getBoundingClientRect(), scale = box.width / document.getElementById("picture").viewBox.baseVal.width;
		const r = 5, dx = [r, 0.9 * r, 0][shape], dy = [0, 0.9 * r, 1.25 * r][shape];
		return [box.left + (n[0] + dx) * scale, box.top + (n[1] + dy) * scale];
	})()`, m.option("seed")), &at))
	require.NoError(t, tb.Mouse("mouseMoved", at[0]+2, at[1]-1, 0))
	tb.Until(`!document.getElementById("tip").hidden`)
	tip := tb.content("tip")
	rate := m.ofResult(t, "event_rate")
	require.Contains(t, tip, m.folder+"\n--seed: 20\n--pes: "+m.option("pes")+"\nNet events a second: ")
	shown := strings.ReplaceAll(strings.Split(strings.Split(tip, "Net events a second: ")[1], " ")[0], ",", "")
	require.InEpsilon(t, rate, must(strconv.ParseFloat(shown, 64)), 1e-5)
	require.Contains(t, tip, "began: "+m.info["begin"].(time.Time).Format("2006-01-02 15:04:05 UTC"))
	require.NoError(t, tb.Drag(at[0], at[1], at[0], at[1]))
	tb.Until(`document.getElementById("chosen").textContent.startsWith("` + m.folder + `: --seed: 20; ")`)
	require.Contains(t, tb.Text("location.hash"), "run=sets%2Fr0020")
	require.Equal(t, m.folder, tb.Text(`document.querySelector("tr.kept").cells[0].textContent`))
	require.Equal(t, "0", tb.Text(`document.querySelectorAll("#points a").length`), "a file has no server with reports")
	require.NoError(t, tb.Mouse("mouseMoved", 5, 5, 0))
	tb.Until(`document.getElementById("tip").hidden`)
	// With keys, in the order of the table.
	tb.Run(`document.getElementById("plot").focus()`)
	order := tb.rows("points")
	at20 := slices.IndexFunc(order, func(r []string) bool { return r[0] == m.folder })
	key := func(name, folder string) {
		t.Helper()
		require.NoError(t, tb.Key(name))
		tb.Until(fmt.Sprintf(`document.getElementById("chosen").textContent.startsWith(%q)`, folder))
	}
	key("ArrowRight", order[at20+1][0])
	key("ArrowLeft", order[at20][0])
	key("Home", order[0][0])
	key("End", order[len(order)-1][0])
	key("ArrowUp", "sets/")
	require.Contains(t, tb.content("chosen"), "--pes: 2;")
	key("ArrowDown", "sets/")
	require.Contains(t, tb.content("chosen"), "--pes: 4;")
	require.NoError(t, tb.Key("Escape"))
	tb.Until(`document.getElementById("chosen").textContent === ""`)
	// The numbers of several runs with the same values are in the tip.
	tb.Run(`location.hash = "#run=sets/r0020"`)
	tb.Until(`document.getElementById("chosen").textContent.includes("7 runs with the same values: mean ")`)
	tb.Run(`location.hash = "#run=sets/r0005"`)
	tb.Until(`document.getElementById("chosen").textContent === "The run sets/r0005 has no dot here."`)
	require.Empty(t, tb.Troubles())
}

func TestBrowserDrawsOneOfSeveralModels(t *testing.T) {
	all := runsOf(30)
	for i := range all {
		all[i].info["model"] = []string{"phold", "torus", "=torus"}[i%3]
	}
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "")
	require.Equal(t, "Net events a second against --batch, lines by model", tb.content("title"))
	tb.choose("model", "torus")
	require.Equal(t, "10 runs of torus, 9 shown: 1 did not reach its end and is left out.", tb.content("count"))
	_, rows := tb.csvOf()
	for _, m := range ended(all) {
		require.Equal(t, m.info["model"] == "torus", rows[m.folder] != nil, m.folder)
	}
	tb.choose("model", "")
	_, text := tb.stored("csv")
	require.Contains(t, text, "'=torus", "a spreadsheet computes nothing")
	require.Empty(t, tb.Troubles())
}

func TestBrowserStoresThePicture(t *testing.T) {
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, runsOf(20)), "#by=--pq&all=yes")
	name, text := tb.stored("svg")
	require.Equal(t, "figures.svg", name)
	require.True(t, strings.HasPrefix(text, "<svg "), text[:100])
	require.Contains(t, text, `&lt;img src=x onerror=alert(1)&gt;`)
	require.NotContains(t, text, "<img")
	require.Contains(t, text, "stroke:rgb(")
	require.Equal(t, "false", tb.Text(`new DOMParser().parseFromString(saved[1], "image/svg+xml").querySelector("parsererror") !== null`))
}

func TestBrowserSortsTheTables(t *testing.T) {
	all := runsOf(40)
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "")
	click := func(section, name string) {
		t.Helper()
		tb.Run(fmt.Sprintf(`[...document.querySelectorAll("#%s thead button")].find((b) => b.textContent === %q).click()`,
			section, name))
	}
	var names []string
	for _, m := range ended(all) {
		names = append(names, m.folder)
	}
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimPrefix(a, "<"), strings.TrimPrefix(b, "<"))
	})
	folders := func() (all []string) {
		for _, row := range tb.rows("points") {
			if !strings.HasPrefix(row[0], "<") {
				all = append(all, row[0])
			}
		}
		return all
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == hostile })
	click("points", "Folder")
	require.Equal(t, names, folders())
	click("points", "Folder")
	slices.Reverse(names)
	require.Equal(t, names, folders())
	require.Equal(t, "Folder", tb.Text(`document.querySelector("#points [aria-sort=descending]").textContent`))
	require.Equal(t, "Folder", tb.Text(`document.activeElement.textContent`))
	click("points", "Net events a second (events/s)")
	rate := func(row []string) float64 { return must(strconv.ParseFloat(strings.ReplaceAll(row[2], ",", ""), 64)) }
	require.True(t, slices.IsSortedFunc(tb.rows("points"), func(a, b []string) int { return cmp.Compare(rate(a), rate(b)) }))
	click("means", "Greatest")
	click("means", "Greatest")
	greatest := tb.rows("means")
	tb.choose("line", "median") // the order remains
	require.Equal(t, greatest, tb.rows("means"))
	most := func(row []string) float64 { return must(strconv.ParseFloat(strings.ReplaceAll(row[5], ",", ""), 64)) }
	require.True(t, slices.IsSortedFunc(greatest, func(a, b []string) int { return cmp.Compare(most(b), most(a)) }))
	barriers, err := tb.Barriers()
	require.NoError(t, err)
	require.Empty(t, barriers)
	require.Empty(t, tb.Troubles())
}

func TestBrowserDrawsFiveThousandRuns(t *testing.T) {
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, runsOf(5000)), "#x=--seed&by=--seed")
	require.Equal(t, "5,000 runs, 4,998 shown: 2 did not reach their end and are left out.", tb.content("count"))
	solid, _ := tb.dots()
	require.Len(t, solid, 40, "lines beyond 39 are drawn as others")
	sum := 0
	for _, n := range solid {
		sum += n
	}
	require.Equal(t, 4998, sum)
	require.Less(t, int(must(strconv.ParseFloat(tb.Text(`document.querySelectorAll("*").length`), 64))), 20000)
	require.Len(t, tb.rows("points"), 200)
	require.Equal(t, "All 4,998", tb.Text(`document.querySelector("#points .more").textContent`))
	tb.Run(`document.querySelector("#points .more").click()`)
	require.Len(t, tb.rows("points"), 4998)
	require.Equal(t, "true", tb.Text(`document.querySelector("#points .more").hidden`))
	require.Empty(t, tb.Troubles())
}

func TestBrowserHasNoBarriersAndNothingWiderThanAPhone(t *testing.T) {
	b, file := browsertest.Of(t), fileOf(t, runsOf(40))
	dark := sheettest.Wide
	dark.Dark = true
	phone := browsertest.Looks{Width: 390, Height: 844, Phone: true}
	for name, looks := range map[string]browsertest.Looks{"light": sheettest.Wide, "dark": dark, "phone": phone} {
		for _, hash := range []string{"", "#by=--pq&all=yes&run=sets/r0000", "#x=begin&by=--seed&y=statistic+node:+wait"} {
			tb := openPage(t, b, looks, file, hash)
			barriers, err := tb.Barriers()
			require.NoError(t, err)
			require.Empty(t, barriers, "%s %s", name, hash)
			require.Equal(t, "true", tb.Text(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, looks.Width)), "%s %s", name, hash)
			require.Empty(t, tb.Troubles())
			require.NoError(t, tb.Close())
		}
	}
}

func TestBrowserPrintsThePictureAndTheTables(t *testing.T) {
	b, file := browsertest.Of(t), fileOf(t, runsOf(40))
	paper := sheettest.Wide
	paper.Print = true
	tb := openPage(t, b, paper, file, "#by=--pes")
	require.Equal(t, "none", tb.Text(`getComputedStyle(document.querySelector("section")).display`))
	for _, part := range []string{"#picture", "#means table", "#points table"} {
		require.NotEqual(t, "0", tb.Text(fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().height`, part)), part)
	}
	pdf, err := tb.Print()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(pdf), "%PDF"))
	require.Empty(t, tb.Troubles())
}

func TestBrowserSaysSoIfThereIsNoFigure(t *testing.T) {
	all := runsOf(3)
	for i := range all {
		delete(all[i].info, "result")
		all[i].info["state"], all[i].stats = "running", nil
	}
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, fileOf(t, all), "")
	require.Equal(t, "No figures", tb.content("title"))
	require.Equal(t, "No run has a figure yet.", tb.content("count"))
	require.Empty(t, tb.Troubles())
}
