//go:build browser

// This file tests in a browser what the page shows of large texts, of the unknown, and of resources; and that
// everyone can use it.

package life

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/cmd/rossreader/internal/sheet/sheettest"
	"github.com/ross-go/ross/internal/testing/browsertest"
)

func TestBrowserShowsProcessesAndResources(t *testing.T) {
	text := block1("Staff: 0 of 2 busy, 0 wait -> 1 of 2 busy, 3 wait") + "  goes on   a.Bank.door #1: bank.go:3, sleeps since 1\n" +
		"  began     a.Bank.guest #2: bank.go:7, waits for Staff since 1\nWatch: LP 3 (desk) at 4\n  received  proc.wake{}\n" +
		"  from      itself, sent at 1\n  ended     a.Bank.guest #2: it was at bank.go:7\nRun   x, until time 9\n"
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, makePage(t, text), "#t=2")
	require.Equal(t, map[string][]string{"a.Bank.door #1": {"bank.go:3, sleeps since 1"},
		"a.Bank.guest #2": {"bank.go:7, waits for Staff since 1"}}, tb.table(3, "processes"))
	require.Equal(t, map[string][]string{"Staff busy": {"1", "1"}, "Staff wait": {"3", "1"}, "processes": {"2", "1"}}, tb.table(3, "values"))
	require.Equal(t, map[string][]string{"Staff capacity": {"2"}}, tb.table(3, "constant"))
	tb.Run(`document.querySelector("#lp3 .plot").focus()`)
	tb.key("ArrowRight")
	require.Equal(t, 4.0, tb.cursor())
	require.Len(t, tb.table(3, "processes"), 1)
	require.Equal(t, "1", tb.table(3, "values")["processes"][0])
	require.Empty(t, tb.Troubles())
}

// A text of 30,000 events with one extreme, which every picture has to have.
func TestBrowserHidesNoExtreme(t *testing.T) {
	const n, spike = 30_000, 17_321
	var text strings.Builder
	for i := range n {
		value, next := i%3, (i+1)%3
		if i == spike {
			next = 1000
		}
		if i == spike+1 {
			value = 1000
		}
		fmt.Fprintf(&text, "Watch: LP 3 (desk) at %d\n  order     priority 1, tie-breakers 0.5\n  received  main.go{}\n  from      itself, sent at %d\n", i+1, i)
		fmt.Fprintf(&text, "  changed   Level: %d -> %d\n  recorded  Wait: %d\n", value, next, next)
	}
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, makePage(t, text.String()), "")
	tb.Run(`document.getElementById("svg").click()`)
	tb.Until(`saved.length === 2`)
	svg := tb.Text(`saved.find((x) => x !== "life.svg")`)
	box := tb.plot(3)
	x := gutter + float64(spike+1)/float64(n)*(box[2]-gutter-6)
	tops := 0
	for _, path := range regexp.MustCompile(` d="([^"]+)" fill="none"`).FindAllStringSubmatch(svg, -1) {
		least, at := 1e9, 0.0
		points := regexp.MustCompile(`[ML]([0-9.-]+) ([0-9.-]+)`).FindAllStringSubmatch(path[1], -1)
		if len(points) < 100 || strings.Count(path[1], "M") > 2 && len(points) < 1500 {
			continue
		}
		most := 0.0
		for _, p := range points {
			px, _ := strconv.ParseFloat(p[1], 64)
			py, _ := strconv.ParseFloat(p[2], 64)
			if py < least {
				least, at = py, px
			}
			most = max(most, py)
		}
		if most-least > 30 { // the lanes of values
			require.InDelta(t, x, at, 1)
			tops++
			require.Less(t, len(points), 12_000, "columns, and not events")
		}
	}
	require.Equal(t, 2, tops, "of the field, and of the statistic")
	require.Contains(t, svg, ">1000<")

	// Zoomed to it, the picture has every event.
	tb.Run(fmt.Sprintf(`(() => { for (const [id, x] of [["to", %d], ["from", %d]]) { const i = document.getElementById(id); i.value = x; i.dispatchEvent(new Event("change")); } })()`, spike+20, spike-20))
	tb.still()
	require.Equal(t, "41", tb.table(3, "stats")["Wait"][0])
	require.Equal(t, "1000", tb.table(3, "stats")["Wait"][3])
	require.Empty(t, tb.Troubles())
}

func TestBrowserShowsTheUnknown(t *testing.T) {
	d := newDiary()
	d.calm = true
	text := runOf(t, "1@..10,1@20..30", d, func(*ross.Config) {})
	text += "Watch: something else <b>\n"
	tb := openPage(t, browsertest.Of(t), sheettest.Wide, makePage(t, text), "#t=15")
	for _, time := range []string{"15", "35", "5"} {
		tb.Run(`(() => { const c = document.getElementById("cursor"); c.value = "` + time + `"; c.dispatchEvent(new Event("change")); })()`)
		tb.still()
		rows := tb.table(1, "values")
		require.Greater(t, len(rows), 4)
		for path, row := range rows {
			if time != "5" || path == "Count" {
				require.Equal(t, time != "5", row[0] == "unknown" && row[1] == "", "%s at %s: %v", path, time, row)
			}
		}
	}
	require.Contains(t, tb.Text(`document.querySelector("#lp1 figcaption").innerText`), "not watched from 10 to 20")
	require.Contains(t, tb.Text(`document.querySelector("#lp1 figcaption").innerText`), "known from 0 to 30: then it was watched no longer")
	require.Contains(t, tb.Text(`document.getElementById("remarks").innerText`), "1 line was not understood")
	require.Contains(t, tb.Text(`document.getElementById("unread").innerText`), "Watch: something else <b>")
	require.Empty(t, tb.Troubles())
}

func TestBrowserShowsLivesToEveryone(t *testing.T) {
	file, _, _ := ofModel(t)
	everything, err := os.ReadFile(watch + "testdata/everything.txt")
	require.NoError(t, err)
	b := browsertest.Of(t)
	dir, text := recordedStalls(t)
	run := readertest.Write(t, "run.txt", []byte(text))
	both := filepath.Join(filepath.Dir(run), "both.html")
	readertest.Good(t, Command, dir, run, "--lp=1", "-o", both)
	for name, page := range map[string]string{"model": file, "everything": makePage(t, string(everything)+"Watch: ?\n"), "files": both} {
		for look, looks := range map[string]browsertest.Looks{"desktop": sheettest.Wide, "dark": {Width: 1400, Height: 1000, Dark: true},
			"phone": {Width: 390, Height: 844, Phone: true}, "dark phone": {Width: 390, Height: 844, Phone: true, Dark: true}} {
			tb := openPage(t, b, looks, page, "#t=4")
			tb.Run(`for (const d of document.querySelectorAll("details")) d.open = true`)
			barriers, err := tb.Barriers()
			require.NoError(t, err)
			require.Empty(t, barriers, "%s, %s", name, look)
			require.LessOrEqual(t, tb.number(`document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0.0, "%s, %s", name, look)
			require.Empty(t, tb.Troubles())
			if looks.Dark {
				require.Equal(t, "dark", tb.Text(`document.documentElement.dataset.theme`))
				drawn := tb.number(`Number(document.body.dataset.drawn)`)
				tb.Run(`document.getElementById("theme").click()`)
				require.Greater(t, tb.number(`Number(document.body.dataset.drawn)`), drawn, "pictures have the new colours")
			}
			require.NoError(t, tb.Close())
		}
	}
	paper := openPage(t, b, browsertest.Looks{Width: 794, Height: 1123, Print: true}, file, "#t=4")
	require.Equal(t, "none", paper.Text(`getComputedStyle(document.querySelector(".tools")).display`))
	require.Equal(t, "none", paper.Text(`getComputedStyle(document.querySelector(".lanes")).display`))
	require.LessOrEqual(t, paper.number(`document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0.0)
	require.Equal(t, "visible", paper.Text(`getComputedStyle(document.querySelector(".below .scroll")).overflow`))
}
