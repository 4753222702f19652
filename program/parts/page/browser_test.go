//go:build browser

// This file tests the page in a browser: in all widths and colours, with its buttons and the keyboard.

package page_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// looks are the ways in which pages are looked at. Paper is what A4 has between its margins.
var looks = map[string]browsertest.Looks{
	"desktop": {Width: 1280, Height: 900}, "dark": {Width: 1280, Height: 900, Dark: true},
	"phone": {Width: 360, Height: 780, Phone: true}, "dark phone": {Width: 360, Height: 780, Phone: true, Dark: true},
	"paper": {Width: 688, Height: 1000, Print: true}, "paper of a dark screen": {Width: 688, Height: 1000, Print: true, Dark: true},
}

// opened opens a page.
func opened(t *testing.T, b *browsertest.Browser, s *page.Study, look browsertest.Looks) *browsertest.Page {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte(write(t, s)), 0o600))
	p, err := b.Open("file://"+path, look)
	require.NoError(t, err)
	require.NoError(t, p.Wait(`document.readyState === "complete" && document.querySelector("figure")`, testkit.Limit(t)))
	return p
}

// valueOf returns the value of an expression.
func valueOf[T any](t *testing.T, p *browsertest.Page, expression string) (v T) {
	t.Helper()
	require.NoError(t, p.Value(expression, &v))
	return v
}

// compared is a study that has everything.
func compared(t *testing.T) *page.Study {
	t.Helper()
	s := page.Of(results(t, 8, experiment.Grid(experiment.Over("servers", 2, 3, 4), experiment.Over("patience", 0.0, 2.5))...), nil)
	s.Program, s.Settings, s.Base, s.Notes = "queueing", "queueing --lps=16", "servers=2", []string{"A note."}
	for i := range s.Points {
		s.Points[i].Command = []string{"queueing", "--lps=16", fmt.Sprint("--servers=", s.Points[i].Values[0])}
	}
	s.Points[1].Missed, s.Precision = true, 0.05
	for i := range s.Results {
		for k := 2; k < 6; k++ {
			s.Results[i].Differences = append(s.Results[i].Differences, page.Difference{Point: k, Narrower: 1.5,
				Interval: experiment.Interval{Mean: float64(k - 3), Half: 0.5, N: 8}})
		}
	}
	return s
}

// labelled finds labels that are cut off by their picture, or that meet others of their axis.
const labelled = `(() => {
	const bad = [];
	for (const svg of document.querySelectorAll(".plots svg")) {
		for (const text of svg.querySelectorAll("text")) {
			const b = text.getBoundingClientRect(), all = svg.getBoundingClientRect();
			if (b.left < all.left - 0.5 || b.right > all.right + 0.5 || b.top < all.top - 0.5 || b.bottom > all.bottom + 0.5) bad.push("cut: " + text.textContent);
		}
		for (const axis of [".tick.x", ".tick.y"]) {
			const boxes = [...svg.querySelectorAll(axis)].filter((t) => !t.hasAttribute("transform")).map((t) => t.getBBox());
			for (let i = 1; i < boxes.length; i++) {
				const a = boxes[i - 1], b = boxes[i];
				if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) bad.push("meet: " + svg.getAttribute("aria-label") + axis + i);
			}
		}
	}
	return bad;
})()`

func TestEverybodyCanUseThePage(t *testing.T) {
	b := browsertest.Of(t)
	long := strings.Repeat("a rather long name ", 4)
	for name, s := range map[string]*page.Study{
		"compared": compared(t),
		"warming":  warming(t),
		"one":      page.Of(results(t, 8, experiment.Point{}), nil),
		"words": page.Of(results(t, 2, experiment.Grid(experiment.Over("kind", long+"1", long+"2", "c", "d", "e", "f", "g"),
			experiment.Over(long, long, "short"))...), nil),
		"panels": page.Of(results(t, 2, experiment.Grid(experiment.Over("x", 1000, 2000, 2100),
			experiment.Over("y", 1, 2, 3, 4, 5, 6, 7))...), nil),
		"points": page.Of(results(t, 2, hypercube(t)...), nil),
		"values": study([]float64{1e15, 1e15 + 5}, []float64{1e15 + 2, 1e15 + 3}, []float64{1e15 + 9}),
		"names":  {Program: strings.Repeat("x", 200), Confidence: 0.95, Results: []page.Result{{Name: strings.Repeat("y", 200)}}},
	} {
		p := opened(t, b, s, looks["desktop"])
		for as, look := range looks {
			require.NoError(t, p.Look(look))
			require.LessOrEqual(t, valueOf[int](t, p, "document.documentElement.scrollWidth"), look.Width, "%s, %s", name, as)
			require.Empty(t, valueOf[[]string](t, p, labelled), "%s, %s", name, as)
			if look.Print {
				require.Equal(t, "rgb(27, 31, 36)", valueOf[string](t, p, "getComputedStyle(document.body).color"), "light")
				require.Zero(t, valueOf[int](t, p, `[...document.querySelectorAll("button")].filter((b) => b.offsetWidth).length`))
				continue
			}
			if look.Phone == look.Dark { // both colours, and both widths
				barriers, err := p.Barriers()
				require.NoError(t, err)
				require.Empty(t, barriers, "%s, %s", name, as)
			}
		}
		require.Empty(t, p.Troubles())
		require.NoError(t, p.Close())
	}
}

// saved makes links give what they save to the test.
const saved = `(() => {
	window.files = [];
	const make = URL.createObjectURL;
	URL.createObjectURL = (blob) => { window.last = blob; return make.call(URL, blob); };
	HTMLAnchorElement.prototype.click = function () { window.files.push({ name: this.download, blob: window.last }); };
})()`

// content is a promise of a file as base64.
const content = `new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result.split(",")[1]); r.readAsDataURL(files.at(-1).blob); })`

func TestButtonsSaveTheNumbersAndThePicture(t *testing.T) {
	p := opened(t, browsertest.Of(t), compared(t), looks["dark"])
	require.NoError(t, p.Value(saved, nil))
	press := func(figure, button string) (name string, data []byte) {
		before := valueOf[int](t, p, "files.length")
		require.NoError(t, p.Value(fmt.Sprintf(`document.querySelector(`+"`#%s %s`"+`).click()`, figure, button), nil))
		require.NoError(t, p.Wait(fmt.Sprint("files.length > ", before), testkit.Limit(t)))
		data, err := base64.StdEncoding.DecodeString(valueOf[string](t, p, content))
		require.NoError(t, err)
		return valueOf[string](t, p, "files.at(-1).name"), data
	}
	name, data := press("r0", `[data-of="means"]`)
	require.Equal(t, "queueing-first.csv", name)
	require.True(t, strings.HasPrefix(string(data), "servers,patience,result,mean,half width"))
	require.Equal(t, 7, strings.Count(string(data), "\n"))
	name, data = press("r0", `[data-of="runs"]`)
	require.Equal(t, "queueing-first-replications.csv", name)
	require.Equal(t, 1+6*8, strings.Count(string(data), "\n"))

	shades := func(button string) map[color.Color]int {
		name, data := press(button, ".png")
		require.True(t, strings.HasSuffix(name, ".png"))
		picture, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, 960, picture.Bounds().Dx())
		require.Greater(t, picture.Bounds().Dy(), 500)
		count := map[color.Color]int{}
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				count[color.RGBAModel.Convert(picture.At(x, y))]++
			}
		}
		require.Greater(t, count[color.RGBA{255, 255, 255, 255}], 300_000, "the ground is light")
		require.Greater(t, count[color.RGBA{0x0b, 0x62, 0xa4, 255}], 300, "the first line")
		require.Greater(t, count[color.RGBA{0xb5, 0x4a, 0, 255}], 300, "the second one")
		require.Greater(t, count[color.RGBA{0x1b, 0x1f, 0x24, 255}], 100, "text")
		return count
	}
	with := shades("r0")
	shades("d0")
	require.NoError(t, p.Value(`document.getElementById("show").click()`, nil))
	without := shades("r0")
	require.Greater(t, len(with), len(without), "dots are translucent")
	require.Empty(t, p.Troubles())
}

func TestDotsSayTheirRunsAndCanBeHidden(t *testing.T) {
	p := opened(t, browsertest.Of(t), compared(t), looks["desktop"])
	dots := `[...document.querySelectorAll("#r0 circle")].filter((c) => c.getClientRects().length).length`
	require.Equal(t, 48, valueOf[int](t, p, dots))
	require.NoError(t, p.Value(`document.getElementById("show").click()`, nil))
	require.Zero(t, valueOf[int](t, p, dots))
	require.NoError(t, p.Value(`document.getElementById("show").click()`, nil))

	tip := `document.getElementById("tip").textContent`
	require.NoError(t, p.Value(`document.querySelector("#r0 .plots").focus()`, nil))
	require.NoError(t, p.Key("ArrowRight"))
	first := valueOf[string](t, p, tip)
	require.Regexp(t, `^servers=2 patience=0, replication 0: \d`, first)
	for range 3 {
		require.NoError(t, p.Key("ArrowRight"))
	}
	require.Contains(t, valueOf[string](t, p, tip), "replication 3: ")
	require.NoError(t, p.Key("Enter"))
	require.True(t, valueOf[bool](t, p, `document.querySelector('#r0 tr[data-point="0"] details').open`))
	require.Equal(t, "queueing --lps=16 --servers=2 --replication=3",
		valueOf[string](t, p, `document.querySelector('#r0 tr[data-point="0"] code').textContent`))
	require.NoError(t, p.Key("ArrowDown"))
	require.Regexp(t, `^servers=2 patience=0: .*\(8 replications\)$`, valueOf[string](t, p, tip), "the mean of these")
	require.NoError(t, p.Key("ArrowDown"))
	require.Contains(t, valueOf[string](t, p, tip), "servers=3 patience=0: ")
	require.NoError(t, p.Key("ArrowLeft"))
	require.Contains(t, valueOf[string](t, p, tip), "servers=3 patience=0, replication 7: ")
	require.NoError(t, p.Key("ArrowUp"))
	require.Contains(t, valueOf[string](t, p, tip), "servers=2 patience=0: ")
	require.NoError(t, p.Key("Escape"))
	require.Empty(t, valueOf[string](t, p, tip))
	require.NoError(t, p.Value(`Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } }, configurable: true })`, nil))
	require.NoError(t, p.Value(`document.querySelector('#r0 tr[data-point="0"] .copy').click()`, nil))
	require.NoError(t, p.Wait(`document.querySelector('#r0 tr[data-point="0"] .copy').textContent === "Copied"`, testkit.Limit(t)))
	require.Equal(t, "queueing --lps=16 --servers=2 --replication=3", valueOf[string](t, p, "copied"))
	require.NoError(t, p.Value(`Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })`, nil))
	require.NoError(t, p.Value(`document.querySelector('#r0 tr[data-point="0"] .copy').click()`, nil))
	require.NoError(t, p.Wait(`String(getSelection()) === copied`, testkit.Limit(t)), "where there is no clipboard")
	closed := `document.querySelectorAll("details:not([open])").length`
	require.Positive(t, valueOf[int](t, p, closed))
	require.Zero(t, valueOf[int](t, p, `dispatchEvent(new Event("beforeprint")) && `+closed))
	require.Positive(t, valueOf[int](t, p, `dispatchEvent(new Event("afterprint")) && `+closed))

	// The pointer finds what is next to it.
	place := valueOf[[]float64](t, p, `(() => { const b = document.querySelectorAll("#r0 circle")[5].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	require.NoError(t, p.Mouse("mouseMoved", place[0]+1, place[1], 0))
	require.NoError(t, p.Wait(tip+`.includes("replication 5: ")`, testkit.Limit(t)))
	place = valueOf[[]float64](t, p, `(() => { const b = document.querySelector("#r0 .bar .mark").getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	require.NoError(t, p.Mouse("mouseMoved", place[0], place[1], 0))
	require.NoError(t, p.Wait(tip+`.startsWith("servers=2 patience=0: ") && `+tip+`.includes("(8 replications)")`,
		testkit.Limit(t)))
	require.Empty(t, p.Troubles())
}
