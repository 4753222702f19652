//go:build browser

// This file tests the page in a browser: what it shows is what the file says, and every control does what it says.

package network

import (
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/sheet/sheettest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/program/parts/places"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// tab is the page of a run in a browser.
type tab struct {
	*testing.T
	page *browsertest.Page
}

// show opens an address of the page and waits until it is drawn.
func show(t *testing.T, b *browsertest.Browser, address string, looks browsertest.Looks) *tab {
	t.Helper()
	page, err := b.Open(address, looks)
	require.NoError(t, err)
	p := &tab{t, page}
	p.wait(`document.body && document.body.dataset.ready && document.getElementById("network").dataset.painted`)
	p.do(`sheet.save = (name, type, text) => { window.saved = { name, type, text }; }`)
	return p
}

// written writes the page of a run and returns its address.
func written(t *testing.T, dir string, more ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "net.html")
	status, _, stderr := run(append(more, dir, "-o", out)...)
	require.Zero(t, status, stderr)
	return "file://" + out
}

func (p *tab) wait(condition string) {
	p.Helper()
	require.NoError(p, p.page.Wait(condition, testkit.Limit(p.T)))
}

func (p *tab) do(script string) {
	p.Helper()
	require.NoError(p, p.page.Value("(() => {"+script+"})()", nil))
}

func get[T any](p *tab, expression string) (x T) {
	p.Helper()
	require.NoError(p, p.page.Value(expression, &x))
	return x
}

func (p *tab) text(selector string) string {
	p.Helper()
	return get[string](p, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

func (p *tab) click(selector string) {
	p.Helper()
	p.do(fmt.Sprintf("document.querySelector(%q).click()", selector))
}

// choose sets a control and tells the page.
func (p *tab) choose(id string, value any) {
	p.Helper()
	text, err := json.Marshal(value)
	require.NoError(p, err)
	p.do(fmt.Sprintf(`const e = document.getElementById(%q); e.value = %s; e.dispatchEvent(new Event("input")); e.dispatchEvent(new Event("change"))`,
		id, text))
}

func (p *tab) hash() string { return get[string](p, "location.hash") }

// fine requires that the page had no troubles and that nothing keeps people from using it.
func (p *tab) fine() {
	p.Helper()
	barriers, err := p.page.Barriers()
	require.NoError(p, err)
	require.Empty(p, barriers)
	require.Empty(p, p.page.Troubles())
}

// table returns the CSV that the page stores.
func (p *tab) table() [][]string {
	p.Helper()
	p.click("#csv")
	rows, err := csv.NewReader(strings.NewReader(get[string](p, "saved.text"))).ReadAll()
	require.NoError(p, err)
	return rows
}

// percent is a share as the page shows it.
func percent(x float64) string {
	digits, err := strconv.ParseFloat(strconv.FormatFloat(x*100, 'g', 3, 64), 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(digits, 'f', -1, 64) + " %"
}

// greatest returns the link with the greatest value, and the mean of all that have one.
func greatest(values []float64) (link int, most, mean float64) {
	link, count := -1, 0.0
	for i, x := range values {
		if math.IsNaN(x) {
			continue
		}
		if link < 0 || x > most {
			link, most = i, x
		}
		mean += x
		count++
	}
	return link, most, mean / count
}

func name(node int) string {
	if node >= routers {
		return fmt.Sprint("terminal ", node-routers)
	}
	return fmt.Sprint("router ", node)
}

func linkName(i int) string { l := allLinks()[i]; return name(l.from) + " → " + name(l.to) }

// TestAllNumbersOfThePageAreThoseOfTheFile looks at each interval: the CSV, the sums and the table.
func TestAllNumbersOfThePageAreThoseOfTheFile(t *testing.T) {
	dir, data := folder(t, 5)
	want := truth(t, data)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	for i := range want {
		p.choose("at", i)
		require.Contains(t, p.text("#when"), fmt.Sprintf("Virtual time %d to %d ns", 10*i, 10*i+10))
		rows := p.table()
		require.Equal(t, []string{"from", "to", "sender", "receiver", "link", "class", "load (share)", "buffer (share)",
			"stall (share)", "waiting (packets)"}, rows[0])
		require.Len(t, rows, 25)
		for l, row := range rows[1:] {
			link := allLinks()[l]
			require.Equal(t, []string{fmt.Sprint(10 * i), fmt.Sprint(10*i + 10), fmt.Sprint(link.from), fmt.Sprint(link.to),
				linkName(l)}, row[:5])
			for v, cell := range row[6:] {
				if math.IsNaN(want[i][v][l]) {
					require.Empty(t, cell)
					continue
				}
				x, err := strconv.ParseFloat(cell, 64)
				require.NoError(t, err)
				require.InDelta(t, want[i][v][l], x, 1e-6*math.Max(1, x))
			}
		}
		for v, value := range []string{"load", "buffer", "stall", "waiting"} {
			p.choose("value", v)
			require.Contains(t, p.hash(), "value="+value)
			link, most, mean := greatest(want[i][v])
			shown := percent
			if value == "waiting" {
				shown = func(x float64) string { return strings.Replace(percent(x/100), "%", "packets", 1) }
			}
			require.Equal(t, fmt.Sprintf("mean %s, greatest %s (%s)", shown(mean), shown(most), linkName(link)), p.text("#sums"))
			require.Equal(t, linkName(link), p.text("#top tbody tr:first-child th"))
			require.Equal(t, shown(most), p.text("#top tbody tr:first-child td:last-child"))
		}
		p.choose("value", 0)
	}
	p.fine()
}

func TestTheWorstLinksAreFound(t *testing.T) {
	dir, data := folder(t, 6)
	want := truth(t, data)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	p.choose("at", 3)
	p.choose("value", 2)
	link, most, _ := greatest(want[3][2])
	p.click("#worst-now")
	require.Equal(t, "Link "+linkName(link), p.text("#detail h2"))
	require.Contains(t, p.text("#detail tbody"), percent(most))
	worst, at := math.Inf(-1), 0
	for i := range want {
		if l, x, _ := greatest(want[i][2]); x > worst {
			worst, at, link = x, i, l
		}
	}
	p.click("#worst-ever")
	require.Equal(t, "Link "+linkName(link), p.text("#detail h2"))
	require.Contains(t, p.text("#when"), fmt.Sprintf("%d to %d", 10*at, 10*at+10))
	require.Contains(t, p.hash(), fmt.Sprintf("link=%d", link))
	ends := allLinks()[link]
	require.Equal(t, "from "+name(ends.from)+" to "+name(ends.to), p.text("#detail p"))
	// The course has the greatest value at that time, and a click goes to the first interval.
	p.wait(`document.querySelector("#detail .line")`)
	require.Contains(t, get[string](p, `document.querySelector(".course").getAttribute("aria-label")`), "at most "+percent(worst))
	points := regexp.MustCompile(`[ML]([\d.]+) ([\d.]+)`).FindAllStringSubmatch(get[string](p,
		`document.querySelector(".course .line").getAttribute("d")`), -1)
	require.Len(t, points, len(want))
	for i := range want {
		y, err := strconv.ParseFloat(points[i][2], 64)
		require.NoError(t, err)
		require.InDelta(t, 127-124*want[i][2][link]/worst, y, 0.06, "interval %d", i)
	}
	p.do(`const c = document.querySelector(".course"), r = c.getBoundingClientRect();
		c.dispatchEvent(new MouseEvent("click", { clientX: r.left + 5, clientY: r.top + 50, bubbles: true }))`)
	require.Contains(t, p.text("#when"), "0 to 10")
	// The greatest of each value leads to its time.
	p.click("#detail tbody tr:nth-child(3) td:last-child button")
	require.Contains(t, p.text("#when"), fmt.Sprintf("%d to %d", 10*at, 10*at+10))
	// Its ends lead to the nodes, and these to their links.
	p.click("#detail p button")
	require.Equal(t, name(ends.from), p.text("#detail h2"))
	p.click("#detail table:last-of-type tbody th button")
	require.Contains(t, p.text("#detail h2"), "Link ")
	p.fine()
}

// TestLinksAndNodesAreFoundByAClick clicks on each mark and the middle of each link in the picture.
func TestLinksAndNodesAreFoundByAClick(t *testing.T) {
	dir, _ := folder(t, 3)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	p.do(`document.getElementById("network").scrollIntoView({ block: "center" })`)
	at := get[struct{ X, Y float64 }](p,
		`(() => { const r = document.getElementById("network").getBoundingClientRect(); return { x: r.left, y: r.top }; })()`)
	marks := get[[]struct {
		Name  string
		Place [2]float64
	}](p, `picture.marks().map((m) => ({ name: m.name, place: picture.place(m) }))`)
	require.Len(t, marks, 12)
	for _, m := range marks {
		require.NoError(t, p.page.Drag(at.X+m.Place[0], at.Y+m.Place[1], at.X+m.Place[0], at.Y+m.Place[1]))
		p.wait(fmt.Sprintf(`document.querySelector("#detail h2").textContent === %q`, m.Name))
	}
	edges := get[[]struct {
		Link  int
		Place [2]float64
	}](p, `picture.edges().map((e) => ({ link: e.links[0], place: picture.middle(e) }))`)
	require.Len(t, edges, 24)
	for _, e := range edges {
		require.NoError(t, p.page.Drag(at.X+e.Place[0], at.Y+e.Place[1], at.X+e.Place[0], at.Y+e.Place[1]))
		p.wait(fmt.Sprintf(`document.querySelector("#detail h2").textContent === %q`, "Link "+linkName(e.Link)))
	}
	require.NoError(t, p.page.Drag(at.X+3, at.Y+3, at.X+3, at.Y+3))
	p.wait(`document.querySelector("#detail h2").textContent === "Nothing is selected"`)
	require.NotContains(t, p.hash(), "link=")
	// A drag moves the picture, and selects nothing.
	before := get[[2]float64](p, `picture.place(picture.marks()[0])`)
	require.NoError(t, p.page.Drag(at.X+100, at.Y+100, at.X+130, at.Y+80))
	after := get[[2]float64](p, `picture.place(picture.marks()[0])`)
	require.InDelta(t, before[0]+30, after[0], 1.5)
	require.InDelta(t, before[1]-20, after[1], 1.5)
	require.Equal(t, "Nothing is selected", p.text("#detail h2"))
	p.fine()
}

func TestZoomAndKeysMoveThePicture(t *testing.T) {
	dir, _ := folder(t, 3)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	scale := func() float64 { return get[float64](p, "picture.view().k") }
	place := func() [2]float64 { return get[[2]float64](p, "picture.place(picture.marks()[0])") }
	first := scale()
	p.click("#in")
	require.InDelta(t, 1.4*first, scale(), 1e-6)
	p.click("#out")
	require.InDelta(t, first, scale(), 1e-6)
	require.Contains(t, p.hash(), "view=")
	p.do(`document.getElementById("network").dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: 400, clientY: 500, cancelable: true }))`)
	require.Greater(t, scale(), first)
	p.click("#fit")
	require.InDelta(t, first, scale(), 1e-6)
	require.NotContains(t, p.hash(), "view=")
	p.do(`document.getElementById("network").focus()`)
	for key, move := range map[string][2]float64{"ArrowLeft": {40, 0}, "ArrowRight": {-40, 0}, "ArrowUp": {0, 40},
		"ArrowDown": {0, -40}} {
		before := place()
		require.NoError(t, p.page.Key(key))
		require.InDelta(t, before[0]+move[0], place()[0], 1e-6, key)
		require.InDelta(t, before[1]+move[1], place()[1], 1e-6, key)
	}
	p.do(`const c = document.getElementById("network"); for (const key of ["+", "+", "-"]) c.dispatchEvent(new KeyboardEvent("keydown", { key }))`)
	require.InDelta(t, first*1.25*1.25*0.8, scale(), 1e-6)
	// Two fingers.
	before := scale()
	p.do(`const c = document.getElementById("network"); c.setPointerCapture = () => {};
		const at = (kind, id, x) => c.dispatchEvent(new PointerEvent(kind, { pointerId: id, clientX: x, clientY: 500 }));
		at("pointerdown", 1, 300); at("pointerdown", 2, 400); at("pointermove", 2, 500); at("pointerup", 1, 300); at("pointerup", 2, 500);`)
	require.InDelta(t, 2*before, scale(), 1e-6)
	p.fine()
}

func TestTheSliderPlaysAndTakesKeys(t *testing.T) {
	dir, _ := folder(t, 6)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	p.do(`document.getElementById("at").focus()`)
	require.NoError(t, p.page.Key("ArrowRight"))
	p.wait(`document.getElementById("when").textContent.includes("10 to 20")`)
	require.Equal(t, "10 to 20 ns", get[string](p, `document.getElementById("at").getAttribute("aria-valuetext")`))
	require.NoError(t, p.page.Key("End"))
	p.wait(`document.getElementById("when").textContent.includes("50 to 60")`)
	require.Contains(t, p.hash(), "t=60")
	// A timer moves the slider on, so the page is read in the same step as the click.
	clicks := func(times int) [2]string {
		return get[[2]string](p, fmt.Sprintf(`(() => { const play = document.getElementById("play");
			for (let i = 0; i < %d; i++) play.click();
			return [play.textContent, document.getElementById("when").textContent] })()`, times))
	}
	begun := clicks(1)
	require.Equal(t, "Pause", begun[0])
	require.Contains(t, begun[1], "Virtual time 0 to 10", "from the beginning")
	p.wait(`document.getElementById("at").value === "5" && document.getElementById("play").textContent === "Play"`)
	require.Equal(t, "Play", clicks(2)[0])
	p.fine()
}

func TestLinksCanBeChosenAndNodesFound(t *testing.T) {
	dir, data := folder(t, 4)
	want := truth(t, data)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	counts := func() [2]int { return get[[2]int](p, "[picture.marks().length, picture.edges().length]") }
	require.Equal(t, [2]int{12, 24}, counts())
	for class, of := range []string{"local", "global", "terminal"} {
		p.choose("class", class)
		require.Contains(t, p.hash(), "links="+of)
		some := make([]float64, 24)
		for l := range some {
			if some[l] = want[0][0][l]; mapOf().Links[l].Class != of {
				some[l] = math.NaN()
			}
		}
		link, most, mean := greatest(some)
		require.Equal(t, fmt.Sprintf("mean %s, greatest %s (%s)", percent(mean), percent(most), linkName(link)), p.text("#sums"))
		require.Len(t, p.table(), 1+[]int{6, 6, 12}[class])
	}
	p.choose("class", -1)
	p.click("#attached")
	require.Equal(t, [2]int{6, 12}, counts(), "without terminals")
	// A search finds a node by its name or a part of it, and shows what is hidden.
	p.choose("search", "Terminal 4")
	require.Equal(t, "terminal 4", p.text("#detail h2"))
	require.Equal(t, [2]int{12, 24}, counts())
	require.Contains(t, p.text("#detail .hint"), "terminal, LP 10, group 3, at router 4")
	p.choose("search", "outer 5")
	require.Equal(t, "router 5", p.text("#detail h2"))
	p.choose("search", "nobody")
	require.Equal(t, "No node is called nobody.", p.text("#note"))
	// Groups become one mark each, and what is between two of them one edge in each direction.
	p.click("#groups")
	require.Equal(t, [2]int{3, 6}, counts())
	require.Contains(t, p.text("#about"), "a link between groups, has the greatest value of its links")
	require.Equal(t, []string{"group 1", "group 2", "group 3"}, get[[]string](p, "picture.marks().map((m) => m.name)"))
	inner := 0.0
	for l, link := range allLinks() {
		if link.from%routers/2 == 0 && link.to%routers/2 == 0 {
			inner = math.Max(inner, want[0][0][l])
		}
	}
	p.do(`document.getElementById("network").scrollIntoView({ block: "center" })`)
	at := get[[2]float64](p,
		`(() => { const r = document.getElementById("network").getBoundingClientRect(), q = picture.place(picture.marks()[0]); return [r.left + q[0], r.top + q[1]]; })()`)
	require.NoError(t, p.page.Drag(at[0], at[1], at[0], at[1]))
	p.wait(`document.querySelector("#detail h2").textContent === "Group 1"`)
	require.Equal(t, percent(inner), p.text("#detail tbody td"))
	p.click("#detail p button")
	require.Equal(t, [2]int{6, 6 + 4 + 2}, counts(), "the nodes of group 1, and two groups")
	require.Contains(t, p.hash(), "open=1")
	p.click("#detail p button")
	require.Equal(t, [2]int{3, 6}, counts())
	p.click("#worst-now") // opens the groups of its ends
	require.True(t, get[bool](p, `picture.edges().some((e) => e.links.length === 1 && !e.a.group && !e.b.group)`))
	p.click("#greatest")
	require.Contains(t, p.hash(), "greatest=1")
	worst := 0.0
	for i := range want {
		_, most, _ := greatest(want[i][0])
		worst = math.Max(worst, most)
	}
	require.Contains(t, get[string](p, `document.getElementById("legend").getAttribute("aria-label")`), "to "+percent(worst))
	p.fine()
}

func TestTheAddressBringsEverythingBack(t *testing.T) {
	dir, _ := folder(t, 5)
	b, address := browsertest.Of(t), written(t, dir)
	p := show(t, b, address, sheettest.Wide)
	p.choose("at", 2)
	p.choose("value", 1)
	p.choose("class", 1)
	p.click("#groups")
	p.click("#greatest")
	p.choose("search", "router 3")
	p.click("#in")
	q := show(t, b, address+p.hash(), sheettest.Wide)
	state := `[location.hash, document.getElementById("when").textContent, document.getElementById("detail").textContent,
		document.getElementById("sums").textContent, JSON.stringify(picture.edges().map((e) => e.links)), document.getElementById("groups").checked,
		document.getElementById("legend").textContent]`
	require.Equal(t, get[[]any](p, state), get[[]any](q, state))
	require.InDelta(t, get[float64](p, "picture.view().k"), get[float64](q, "picture.view().k"), 0.1)
	bad := show(t, b, address+"#t=x&value=none&links=none&link=99&node=77&group=-1&open=a.b&view=1_2&greatest=7", sheettest.Wide)
	require.Equal(t, "Nothing is selected", bad.text("#detail h2"))
	bad.fine()
	q.fine()
}

func TestTheSVGIsMadeOfTheData(t *testing.T) {
	dir, _ := folder(t, 3)
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	p.choose("at", 1)
	p.click("#svg")
	require.Equal(t, "net-load-20.svg", get[string](p, "saved.name"))
	require.Equal(t, map[string]any{"root": "svg", "links": 24., "nodes": 12., "error": false, "titled": true}, get[map[string]any](p, `(() => {
		const d = new DOMParser().parseFromString(saved.text, "image/svg+xml"), text = d.documentElement.textContent;
		return { root: d.documentElement.nodeName, links: d.querySelectorAll(".link").length, nodes: d.querySelectorAll(".node").length,
			error: !!d.querySelector("parsererror"), titled: text.includes("three <groups>") && text.includes("Load, virtual time 10 to 20 ns") && text.includes("50 %") };
	})()`))
	// The colour of each link is the one of its value on the scale.
	require.True(t, get[bool](p, `(() => {
		const d = new DOMParser().parseFromString(saved.text, "image/svg+xml"), ramp = picture.ramp(), seen = new Map();
		for (const e of d.querySelectorAll(".link")) seen.set(e.textContent, e.getAttribute("stroke"));
		return net.list().every((i) => seen.get(net.name(i)) === ramp[Math.round(net.at(1, 0, i) * (ramp.length - 1))]);
	})()`))
	p.fine()
}

// TestThePageIsForEverybody looks at it in light and dark, on a phone and on paper.
func TestThePageIsForEverybody(t *testing.T) {
	dir, _ := folder(t, 5)
	b, address := browsertest.Of(t), written(t, dir)
	for _, looks := range []browsertest.Looks{sheettest.Wide, {Width: 1400, Height: 1000, Dark: true},
		{Width: 390, Height: 800}} {
		for _, hash := range []string{"", "#link=3", "#node=2", "#groups=1&group=2", "#value=waiting&t=30"} {
			p := show(t, b, address+hash, looks)
			require.LessOrEqual(t, get[int](p, "document.documentElement.scrollWidth"), looks.Width, hash)
			// Something is painted in each colour of the scale that there is.
			require.Greater(t, get[int](p, `(() => { const c = document.getElementById("network"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
				let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n; })()`), 500)
			p.fine()
			require.NoError(t, p.page.Close())
		}
	}
	paper := show(t, b, address+"#link=3", browsertest.Looks{Width: 700, Height: 1000, Print: true})
	require.LessOrEqual(t, get[int](paper, "document.documentElement.scrollWidth"), 700)
	require.Equal(t, []string{"none", "none", "inline-block", "inline-block"}, get[[]string](paper,
		`["#csv", "#at", "#top tbody button", "#detail p button"].map((x) => getComputedStyle(document.querySelector(x)).display)`))
	require.Positive(t, get[float64](paper, `document.getElementById("legend").getBoundingClientRect().height`))
	p := show(t, b, address, browsertest.Looks{Width: 1400, Height: 1000, Dark: true})
	require.Contains(t, get[string](p, `document.getElementById("network").dataset.painted`), "dark")
	p.do(`dispatchEvent(new Event("beforeprint"))`)
	p.wait(`document.getElementById("network").dataset.painted.includes("light")`)
	p.do(`dispatchEvent(new Event("afterprint"))`)
	p.wait(`document.getElementById("network").dataset.painted.includes("dark")`)
	p.click("#theme")
	p.wait(`document.getElementById("network").dataset.painted.includes("light")`)
	p.fine()
}

// TestThePictureFollowsARun lets files grow under a page of the server.
func TestThePictureFollowsARun(t *testing.T) {
	data := sampleBytes(8)
	dir, part, s := growing(t)
	v := newServer(s, 0)
	server := httptest.NewServer(v.handler())
	defer server.Close()
	page, err := browsertest.Of(t).Open(server.URL+"/", sheettest.Wide)
	require.NoError(t, err)
	p := &tab{t, page}
	p.wait(`document.getElementById("note").textContent.startsWith("No interval has come yet.")`)
	p.fine()
	eight, four := flushed(data, 4)
	require.NoError(t, os.WriteFile(part, eight[:four], 0o644))
	p.wait(`document.body.dataset.ready && document.getElementById("when").textContent.includes("30 to 40")`)
	require.Contains(t, p.text("#note"), "The run goes on; 4 intervals so far.")
	require.NotContains(t, p.hash(), "t=", "it follows the end")
	p.choose("at", 1)
	require.NoError(t, os.WriteFile(part, eight[:len(eight)-1], 0o644))
	p.wait(`net.frames.length === 7`)
	require.Contains(t, p.text("#when"), "10 to 20", "it stays where it was moved to")
	p.choose("at", 6)
	require.NoError(t, os.WriteFile(strings.TrimSuffix(part, instr.PartSuffix), eight, 0o644))
	writeMap(t, dir, mapOf(), instr.RunComplete)
	p.wait(`document.getElementById("note").textContent === "The run has ended: complete. All intervals are here."`)
	require.Contains(t, p.text("#when"), "70 to 80", "it was at the end, and follows it")
	want := truth(t, data)
	link, most, mean := greatest(want[7][0])
	require.Equal(t, fmt.Sprintf("mean %s, greatest %s (%s)", percent(mean), percent(most), linkName(link)), p.text("#sums"))
	p.fine()
	server.Close()
	require.Equal(t, 8, get[int](p, "net.frames.length"))
}

// flushed returns samples as a run writes them that has handed over its buffers after some rows, and how many bytes
// it has written then.
func flushed(data []byte, rows int) (all []byte, then int) {
	var later []byte
	for len(data) > 0 {
		size := 48 + int(binary.LittleEndian.Uint32(data[40:]))
		if math.Float64frombits(binary.LittleEndian.Uint64(data[24:])) <= float64(rows)*interval {
			all = append(all, data[:size]...)
		} else {
			later = append(later, data[:size]...)
		}
		data = data[size:]
	}
	return append(all, later...), len(all)
}

// TestAnEventTraceIsDrawn shows counts, and what is left out.
func TestAnEventTraceIsDrawn(t *testing.T) {
	dir, want, _ := traced(t)
	p := show(t, browsertest.Of(t), written(t, dir, "--intervals=10"), sheettest.Wide)
	require.Contains(t, p.text("#note"), "Links show the events of the trace")
	for i := range 10 {
		p.choose("at", i)
		for l, row := range p.table()[1:] {
			require.Equal(t, strconv.Itoa(int(want[[2]int{i, l}])), row[6], "interval %d, %s", i, row[4])
		}
	}
	require.True(t, get[bool](p, `document.getElementById("greatest").closest("label").hidden`))
	p.fine()
}

// TestTenThousandLinksAreSmooth draws a large network, whose groups are marks at first.
func TestTenThousandLinksAreSmooth(t *testing.T) {
	dir := t.TempDir()
	m := &places.Map{Title: "large", Arrange: places.Groups}
	var data []byte
	const groups, each = 50, 20
	for g := range groups {
		for k := range each {
			lp := uint64(g*each + k)
			m.Nodes = append(m.Nodes, places.Node{LP: lp, Name: fmt.Sprint("n", lp), Group: g + 1})
			for i := range 10 {
				to := uint64((g+i*i*k)%groups*each + (k+i+1)%each)
				m.Links = append(m.Links, places.Link{From: lp, To: to})
				data = instr.AppendEvent(data, &instr.Event{Src: uint32(lp), Dest: uint32(to), RecvTS: float32(lp % 97)})
			}
		}
	}
	writeMap(t, dir, m, instr.RunComplete)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-evtrace.bin"), data, 0o644))
	p := show(t, browsertest.Of(t), written(t, dir), sheettest.Wide)
	require.Equal(t, groups, get[int](p, "picture.marks().length"))
	require.Less(t, get[int](p, "picture.edges().length"), 10000)
	p.click("#groups")
	p.wait(`document.getElementById("network").dataset.painted.split(" ")[2] === "10000"`)
	p.choose("at", 50)
	p.wait(`document.getElementById("network").dataset.painted.startsWith("50 0 10000 1000")`)
	p.click("#svg")
	require.Equal(t, 10000, get[int](p, `saved.text.split('class="link"').length - 1`))
	p.fine()
}
