// This file owns the tests of the page and of the pictures.

package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/output/svg/svgtest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
)

// folder is where programs has put the programs, if a test needed them.
var folder string

// programs builds the programs once, for all tests.
var programs = sync.OnceValues(func() (_ string, err error) {
	folder, err = build("../../..")
	return folder, err
})

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(folder) // nothing, if it is ""
	os.Exit(status)
}

// built returns the folder of the programs.
func built(t *testing.T) string {
	t.Helper()
	testlevel.Once(t, "all programs")
	bin, err := programs()
	require.NoError(t, err)
	return bin
}

// read returns what is in a file of docs.
func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	require.NoError(t, err)
	return string(data)
}

const again = "%s is not what the models compute: if that is meant to be, go run ./docs/gallery/make, and look at it"

func TestThePageIsThatOfTheEntries(t *testing.T) {
	require.True(t, string(page(gallery)) == read(t, "gallery.md"), again, "docs/gallery.md")
}

func TestPicturesAreThoseOfTheModels(t *testing.T) {
	all, err := choose(nil)
	require.NoError(t, err)
	pictures, err := drawAll(built(t), all)
	require.NoError(t, err)
	require.Len(t, pictures, len(all))
	files, err := filepath.Glob("../*.svg")
	require.NoError(t, err)
	require.Len(t, files, len(all), "pictures in docs/gallery: one of each entry")
	for name, svg := range pictures {
		require.True(t, string(svg) == read(t, "gallery", name+".svg"), again, name+".svg")
	}
}

func TestEachProgramIsOnThePage(t *testing.T) {
	text := read(t, "gallery.md")
	mains, err := filepath.Glob("../../../models/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	for _, file := range mains {
		name := filepath.Base(filepath.Dir(file))
		require.FileExists(t, filepath.Join(filepath.Dir(file), "README.md"))
		require.FileExists(t, filepath.Join("..", name+".svg"))
		for _, part := range []string{"### [" + name + "](../models/" + name + "/README.md)\n", "](gallery/" + name +
			".svg)\n"} {
			require.Equal(t, 1, strings.Count(text, part),
				"%s: docs/gallery.md has %q as often as this: give the program an entry in docs/gallery/make", name, part)
		}
	}
	require.Equal(t, len(mains), strings.Count(text, "\n### "), "entries of the page")
	all, err := choose(nil)
	require.NoError(t, err)
	for _, e := range all {
		for _, part := range []string{"](gallery/" + e.pictureName() + ".svg)\n", "    go run ./models/" + e.name + " " +
			e.options + "\n"} {
			require.Equal(t, 1, strings.Count(text, part), part)
		}
	}
	require.Equal(t, len(all), strings.Count(text, "    go run ./models/"))
}

func TestCommandsOfThePageSucceed(t *testing.T) {
	bin := built(t)
	commands := regexp.MustCompile(`(?m)^<!-- tested with (.+) -->\n\n    go run \./models/(\w+) (.+)$`).
		FindAllStringSubmatch(read(t, "gallery.md"), -1)
	require.Equal(t, strings.Count(read(t, "gallery.md"), "    go run "), len(commands))
	for _, c := range commands {
		small, name, options := c[1], c[2], c[3]
		t.Run(name, func(t *testing.T) {
			for _, scheduler := range []string{"--synch=1", "--synch=3 --pes=2"} {
				cmd := exec.Command(filepath.Join(bin, name), strings.Fields(options+" "+small+" "+scheduler)...)
				cmd.Dir = t.TempDir()
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", cmd, out)
				require.Regexp(t, `Net Events Processed +[1-9]`, string(out))
			}
		})
	}
}

func TestNamesThatAreNotInTheGalleryAreRefused(t *testing.T) {
	chosen, err := choose([]string{"pcs", "phold"})
	require.NoError(t, err)
	require.Len(t, chosen, 2)
	_, err = choose([]string{"pcs", "tetris"})
	require.ErrorIs(t, err, ross.ErrUsage)
	require.ErrorContains(t, err, "tetris: no such entry: give no name, or some of phold, queueing")
}

func TestARunThatFailsIsTheErrorOfItsPicture(t *testing.T) {
	bin := built(t)
	for _, c := range []struct {
		options string
		read    func(*result)
		want    string
	}{
		{"--end=1", func(r *result) { r.figure("Speed", 0) }, `phold --end=1: the report has no line "Speed"`},
		{"--end=1", func(r *result) { r.figure("ROSS Version:", 1) }, `the line "ROSS Version:" has too few words`},
		{"--end=1", func(r *result) { r.figure("ROSS Version:", -1) }, `parsing "go-`},
		{"--end=1", func(r *result) { r.named([]string{"a=1"}, "b") }, "a line has no b"},
		{"--end=1", func(r *result) { r.lines("states.txt") }, "no such file"},
		{"--end=1", func(r *result) { mean("", "speed")(r) }, "no such file"},
	} {
		e := entry{name: "phold", options: c.options, draw: func(r *runs) *chart { c.read(r.run()); return nil }}
		_, err := e.picture(bin)
		require.ErrorContains(t, err, c.want)
	}
	for options, want := range map[string]string{
		"--remote=2": "phold --remote=2: exit status 2: phold: ",
		"--end=1":    "phold --end=1: ross: instrumentation file: open ", // without the trace of the events
	} {
		e := entry{name: "phold", options: options, draw: drawPHOLD}
		_, err := e.picture(bin)
		require.ErrorContains(t, err, want)
	}
	speed := func(r *runs) *chart { mean("", "speed")(r.run()); return nil }
	missing := entry{name: "queueing", options: "--end=10 --statistics=2", draw: speed}
	_, err := missing.picture(bin)
	require.ErrorContains(t, err, `no statistic is called "speed"`)
	_, err = drawAll(bin, []entry{missing})
	require.ErrorContains(t, err, "gallery: queueing: queueing --end=10")
}

// having returns the elements with a class.
func having(all []svgtest.Element, class string) (those []svgtest.Element) {
	for _, e := range all {
		if e.Attr["class"] == class {
			those = append(those, e)
		}
	}
	return those
}

// extent returns where a label is, if a character of the usual size is 6.4 wide, and 7.2 if it is bold.
func extent(t *testing.T, e svgtest.Element) (left, right float64) {
	character := map[string]float64{"tick": 6.4, "note": 6.4, "name": 7.2, "head": 9}[e.Attr["class"]]
	length := character * float64(len([]rune(e.Text)))
	left = e.Number(t, "x")
	switch e.Attr["text-anchor"] {
	case "middle":
		left -= length / 2
	case "end":
		left -= length
	}
	return left, left + length
}

func TestPicturesHaveTheirLabelsInsideAndAreSmall(t *testing.T) {
	files, err := filepath.Glob("../*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			svg := read(t, "gallery", filepath.Base(file))
			require.Less(t, len(svg), 60_000)
			require.NotContains(t, svg, "NaN")
			require.NotContains(t, svg, "Inf")
			all := svgtest.Elements(t, []byte(svg))
			require.Equal(t, "svg", all[0].Name)
			require.Len(t, having(all, "head"), 1)
			require.GreaterOrEqual(t, len(having(all, "name")), 2, "names of axes")
			require.GreaterOrEqual(t, len(having(all, "tick")), 2)
			for i, e := range all {
				if e.Name != "text" {
					continue
				}
				require.NotEmpty(t, e.Text)
				left, right := extent(t, e)
				y := e.Number(t, "y")
				require.True(t, left >= 0 && right <= wide && y >= 12 && y <= high-3, "%+v", e)
				for _, other := range all[:i] {
					if other.Name != "text" || math.Abs(other.Number(t, "y")-y) >= 12 {
						continue
					}
					otherLeft, otherRight := extent(t, other)
					require.False(t, left < otherRight && otherLeft < right, "%q and %q overlap", e.Text, other.Text)
				}
			}
		})
	}
}

// ticks returns the labels of the ticks of an axis for values, and requires that all values and ticks
// are on the axis.
func ticks(t *testing.T, a axis, least, greatest float64) string {
	t.Helper()
	s := a.fit(least, greatest)
	var labels []string
	for _, v := range s.ticks {
		labels = append(labels, s.text(v))
	}
	if least <= greatest && a.hi <= a.lo {
		s.ticks = append(s.ticks, greatest)
	}
	for _, v := range s.ticks {
		require.True(t, s.place(v) > -1e-9 && s.place(v) < 1+1e-9, "%v of %+v", v, s)
	}
	return strings.Join(labels, " ")
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		axis            axis
		least, greatest float64
		want            string
	}{
		{axis{}, 0.3, 1, "0 0.2 0.4 0.6 0.8 1"},
		{axis{}, 3, 25.6, "0 5 10 15 20 25 30"},
		{axis{}, 0, 12345, "0 2,000 4,000 6,000 8,000 10,000 12,000 14,000"},
		{axis{}, 0, 0.0031, "0 0.0005 0.001 0.0015 0.002 0.0025 0.003 0.0035"},
		{axis{}, -4, 4, "-4 -2 0 2 4"},
		{axis{}, 0, 0, "0 0.2 0.4 0.6 0.8 1"},
		{axis{lo: 10, hi: 13}, 0, 0, "10 10.5 11 11.5 12 12.5 13"},
		{axis{lo: 0, hi: 45}, 7, 99, "0 10 20 30 40"},
		{axis{lo: 0, hi: 1, write: percent}, 0, 0, "0 % 20 % 40 % 60 % 80 % 100 %"},
		{axis{log: true}, 70, 1900, "50 100 200 500 1,000 2,000"},
		{axis{log: true}, 0.02, 310, "0.1 1 10 100"},
		{axis{log: true}, 10, 10, "10 20 50 100"},
		{axis{log: true, lo: 1, hi: 10000}, 2, 3, "1 10 100 1,000 10,000"},
		{axis{names: []string{"a", "b"}}, 0, 1, "a b"},
		{axis{}, math.Inf(1), math.Inf(-1), "0 2 4 6 8 10"},
		{axis{log: true}, math.Inf(1), math.Inf(-1), "1 2 5 10"},
	} {
		if got := ticks(t, c.axis, c.least, c.greatest); got != c.want {
			t.Errorf("%v to %v on %+v: %s, not %s", c.least, c.greatest, c.axis, got, c.want)
		}
	}
	require.Equal(t, "1,234,567", plain(1234567))
	require.Equal(t, "-12,345", plain(-12345))
	require.Equal(t, "0.3", plain(3*0.1))
}

func TestAChartShowsItsPoints(t *testing.T) {
	points := []point{{0, 0}, {5, 5}, {10, 10}}
	c := &chart{
		title: "A & B", x: axis{label: "x <s>"}, y: axis{label: "y"},
		layers: []layer{
			{name: "line", as: curve, colour: black, points: points},
			{name: "two\nlines", as: joined, colour: blue, dash: "6 3", points: points},
			{name: "bars", as: bars, colour: orange, width: 1, points: []point{{5, 10}}},
			{name: "strokes", colour: green, points: []point{{0, 0}, {10, 0}, lift, {0, 10}, {10, 10}}},
			{as: markers, colour: black, points: points},
		},
		notes: []string{"a note"},
	}
	const left, right, top, bottom, middle = plotLeft, plotLeft + chartWide, plotTop, plotTop + plotHigh, plotTop +
		plotHigh/2
	all := svgtest.Elements(t, c.svg())
	var paths, circles, texts []string
	for _, e := range all {
		switch e.Name {
		case "path":
			paths = append(paths, e.Attr["d"])
		case "circle":
			circles = append(circles, e.Attr["cx"]+" "+e.Attr["cy"])
		case "text":
			texts = append(texts, e.Text)
		}
	}
	require.Contains(t, paths, fmt.Sprintf("M%d.0 %d.0L%d.0 %d.0L%d.0 %d.0", left, bottom, left+chartWide/2, middle, right,
		top))
	require.Contains(t, paths, fmt.Sprintf("M%d.5 %d.0V%d.0H%d.5V%d.0z", left+211, bottom, top, left+258, bottom))
	require.Contains(t, paths, fmt.Sprintf("M%d.0 %d.0L%d.0 %d.0M%d.0 %d.0L%d.0 %d.0", left, bottom, right, bottom, left,
		top, right, top))
	require.Equal(t, []string{fmt.Sprintf("%d.0 %d.0", left, bottom), fmt.Sprintf("%d.0 %d.0", left+chartWide/2, middle),
		fmt.Sprintf("%d.0 %d.0", right, top)}, circles)
	for _, want := range []string{"A & B", "x <s>", "y", "line", "two", "lines", "bars", "a note", "10"} {
		require.Contains(t, texts, want)
	}
}

func TestALogarithmicAxisLeavesOutWhatItCannotShow(t *testing.T) {
	c := &chart{y: axis{log: true},
		layers: []layer{{as: markers, colour: black, points: []point{{0, 0}, {1, 10}, {2, -1}, {3, 1000}}}}}
	all := svgtest.Elements(t, c.svg())
	circles := 0
	for _, e := range all {
		if e.Name == "circle" {
			circles++
		}
	}
	require.Equal(t, 2, circles)
}

func TestAHeatMapHasTheColoursOfItsValues(t *testing.T) {
	var all []heated
	for i, v := range []float64{0, 0.5, 8.5, 99, 4} {
		all = append(all, heated{v, []point{{float64(i), 0}}})
	}
	layers := byHeat(layer{as: cells}, 9, plain, all)
	require.Len(t, layers, 9)
	require.Equal(t, []string{"0 to 1", "4 to 5", "8 and more"}, []string{layers[0].name, layers[4].name, layers[8].name})
	c := &chart{x: axis{lo: 0, hi: 10}, y: axis{lo: 0, hi: 10}, square: true, layers: layers}
	at := map[string]int{} // cells of each shade
	for _, e := range svgtest.Elements(t, c.svg()) {
		if d := e.Attr["d"]; e.Name == "path" && d != "" {
			at[e.Attr["class"]] = strings.Count(d, "z")
			require.Equal(t, "crispEdges", e.Attr["shape-rendering"])
		}
	}
	require.Equal(t, map[string]int{"hf0": 2, "hf4": 1, "hf8": 2}, at)
	const side = plotHigh / 10.0
	const bottom = plotTop + plotHigh
	require.Contains(t, string(c.svg()), fmt.Sprintf("M%.1f %d.0V%.1fH%.1fV%d.0z",
		plotLeft+4*side, bottom, bottom-side, plotLeft+5*side, bottom))
}

func TestItemsOfThePageAreShortLines(t *testing.T) {
	text := item(strings.Repeat("four ", 50))
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len(strings.TrimSpace(line))+2, lineMost)
	}
	require.Equal(t, "- "+strings.TrimSpace(strings.Repeat("four ", 23))+"\n  "+
		strings.TrimSpace(strings.Repeat("four ", 23))+"\n  four four four four", text)
}
