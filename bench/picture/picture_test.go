package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/output/svg/svgtest"
)

// drawn runs the program on a text.
func drawn(t *testing.T, in string) []svgtest.Element {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(nil, strings.NewReader(in), &out))
	return svgtest.Elements(t, out.Bytes())
}

func result(by string, at float64, synch, pes int, rate string) string {
	return fmt.Sprintf("BenchmarkScaling/by=%s/at=%v/synch=%d/pes=%d-2 \t 1000000\t 62.5 ns/op\t %s Mev/s\n", by, at,
		synch, pes, rate)
}

// labels returns the texts of a picture.
func labels(all []svgtest.Element) (texts []string) {
	for _, e := range all {
		if e.Name == "text" {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// requireLabelsInside requires that all labels are within the view box, if a character is at most 0.62
// times as wide as it is high.
func requireLabelsInside(t *testing.T, all []svgtest.Element) {
	t.Helper()
	var left, top, wide, high float64
	_, err := fmt.Sscan(all[0].Attr["viewBox"], &left, &top, &wide, &high)
	require.NoError(t, err)
	for _, e := range all {
		if e.Name != "text" {
			continue
		}
		size := 12.0
		if e.Attr["class"] == "head" {
			size = 15
		}
		length := 0.62 * size * float64(len([]rune(e.Text)))
		x, y := e.Number(t, "x"), e.Number(t, "y")
		switch e.Attr["text-anchor"] {
		case "middle":
			x -= length / 2
		case "end":
			x -= length
		}
		require.GreaterOrEqual(t, x, left, e)
		require.LessOrEqual(t, x+length, left+wide, e)
		require.GreaterOrEqual(t, y-size, top, e)
		require.LessOrEqual(t, y+size/3, top+high, e)
	}
}

func TestAPictureHasAPanelForEachParameterAndItsLabelsInside(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run([]string{filepath.Join("testdata", "scaling.txt")}, nil, &out))
	all := svgtest.Elements(t, out.Bytes())
	require.Equal(t, "svg", all[0].Name)
	requireLabelsInside(t, all)
	texts := labels(all)
	for _, want := range []string{
		"pending events", "LPs", "share of remote events", "lookahead, of a mean delay of 1", "PEs, with GOMAXPROCS=2",
		"sequential", "optimistic", "conservative", "2 PEs where the axis does not say", "64 Ki", "0.2",
		"markers: medians of 2 runs", "Intel(R) Xeon(R) Processor",
	} {
		require.Contains(t, texts, want)
	}
	lines := 0
	for _, e := range all {
		if e.Name == "polyline" {
			lines++
		}
	}
	require.Equal(t, 5*3, lines)
}

func TestRanksHaveAPanelOfTheirOwn(t *testing.T) {
	all := drawn(t, result("lps", 16, 3, 2, "20")+result("ranks", 1, 1, 1, "15")+result("ranks", 1, 3, 1, "13")+result(
		"ranks", 2, 3, 1, "18"))
	requireLabelsInside(t, all)
	texts := labels(all)
	require.Contains(t, texts, "ranks of one PE, on 2 cores")
	require.Contains(t, texts, "2 PEs where the axis does not say")
	require.NotContains(t, texts, "optimistic, 2 PEs", "which is not so in the panel of the ranks")
	require.Contains(t, labels(drawn(t, result("lps", 16, 3, 2, "20"))), "optimistic, 2 PEs")
	require.Contains(t, texts, "sequential")
}

func TestAMarkerIsAtTheMedianAndABarBetweenTheQuartiles(t *testing.T) {
	all := drawn(t, result("lps", 1, 1, 1, "30")+result("lps", 1, 1, 1, "2")+result("lps", 1, 1, 1, "10")+result("lps", 2,
		1, 1, "20"))
	// The quartiles of 2, 10 and 30 are 6 and 20.
	var marks []svgtest.Element
	bar := ""
	grid := map[string]float64{} // the height of a tick, by its label
	for i, e := range all {
		if e.Name == "path" && bar == "" {
			bar = e.Attr["d"]
		}
		if e.Name == "circle" {
			marks = append(marks, e)
		}
		if e.Attr["class"] == "grid" {
			grid[all[i+1].Text] = e.Number(t, "y1")
		}
	}
	require.Len(t, marks, 3) // two points, and the legend
	require.InDelta(t, grid["10"], marks[0].Number(t, "cy"), 0.1)
	require.InDelta(t, grid["20"], marks[1].Number(t, "cy"), 0.1)
	var x, from, to float64
	_, err := fmt.Sscanf(bar, "M%f %fV%f", &x, &from, &to)
	require.NoError(t, err)
	require.InDelta(t, grid["5"]-(grid["5"]-grid["10"])/5, from, 0.2)
	require.InDelta(t, grid["20"], to, 0.1)
	require.Contains(t, labels(all), "markers: medians of 1 to 3 runs")
}

func TestNamesAreEscapedAndCut(t *testing.T) {
	all := drawn(t, "cpu: A&B <"+strings.Repeat("x", 100)+">\n"+result("<a&b>", 1, 7, 1, "0"))
	requireLabelsInside(t, all)
	require.Contains(t, labels(all), "<a&b>")
	require.Contains(t, labels(all), "synch=7")
}

func TestInputThatCannotBeDrawnIsAnError(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "no results of BenchmarkScaling: make them with"},
		{"BenchmarkPhold/impl=c-2 \t 10\t 60 ns/op\t 16 Mev/s\nPASS\n", "no results of BenchmarkScaling"},
		{"PASS\nBenchmarkScaling/by=lps/at=1/synch=1/pes=1-2 10 60 ns/op\n",
			"standard input: line 2: BenchmarkScaling/by=lps/at=1/synch=1/pes=1-2: by, at, synch, pes or the figure"},
		{"BenchmarkScaling/by=lps/at=1/pes=1 10 16 Mev/s\n", "line 1"},
		{result("lps", 1, 1, 1, "fast"), "fast Mev/s is not a rate"},
		{strings.Replace(result("lps", 1, 1, 1, "1"), "at=1", "at=one", 1), "at=one is not a number"},
		{result("lps", 1, 3, 2, "1") + result("lps", 1, 3, 4, "1"),
			"line 2: BenchmarkScaling/by=lps/at=1/synch=3/pes=4-2: its line is of runs on 2 PEs"},
	} {
		var out bytes.Buffer
		require.ErrorContains(t, run(nil, strings.NewReader(c.in), &out), c.want)
		require.Zero(t, out.Len())
	}
	require.ErrorIs(t, run([]string{filepath.Join(t.TempDir(), "none")}, nil, io.Discard), os.ErrNotExist)
}

// The stored picture is one that the program draws: its legend says nothing that a panel contradicts.
func TestTheStoredPictureHasThatLegend(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "scaling.svg"))
	require.NoError(t, err)
	all := svgtest.Elements(t, data)
	requireLabelsInside(t, all)
	texts := labels(all)
	require.Contains(t, texts, "ranks of one PE, on 2 cores")
	require.Contains(t, texts, "2 PEs where the axis does not say")
	require.NotContains(t, texts, "optimistic, 2 PEs")
	six := ""
	for _, by := range []string{"pending", "lps", "remote", "lookahead", "pes", "ranks"} {
		six += result(by, 1, 1, 1, "20")
	}
	drawn := drawn(t, six) // its legend has a row for itself
	requireLabelsInside(t, drawn)
	require.Equal(t, drawn[0].Attr["viewBox"], all[0].Attr["viewBox"])
	for _, note := range []string{"sequential", "bars: the middle half of them"} {
		require.Equal(t, column(t, drawn, note), column(t, all, note), note)
	}
}

// column returns where a label begins.
func column(t *testing.T, all []svgtest.Element, label string) float64 {
	t.Helper()
	i := slices.IndexFunc(all, func(e svgtest.Element) bool { return e.Text == label })
	require.GreaterOrEqual(t, i, 0, label)
	return all[i].Number(t, "x")
}

// The bars of docs/rates.svg begin behind their names, and have the lengths of the figures of bench/README.md.
func TestBarsOfTheRatesHideNothing(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "rates.svg"))
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	const wide = 7.3 // of a letter, 14 px
	scale := 0.0
	rows := regexp.MustCompile(
		`<text x="([\d.]+)" y="[\d.]+">(.*?)</text><rect class="." x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="24"/><text x="([\d.]+)" y="[\d.]+">([\d.]+)</text>`).FindAllStringSubmatch(string(data), -1)
	require.Len(t, rows, 5)
	number := func(s string) float64 { x, err := strconv.ParseFloat(s, 64); require.NoError(t, err); return x }
	for _, r := range rows {
		name := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(r[2], "")
		require.Less(t, number(r[1])+wide*float64(len(name)), number(r[3]), name)
		require.Less(t, number(r[5])+wide*float64(len(r[6])), 720.0, name)
		if scale == 0 {
			scale = number(r[4]) / number(r[6])
		}
		require.InDelta(t, scale, number(r[4])/number(r[6]), 0.03*scale, name)
		require.Contains(t, string(readme), "| "+r[6]+" |")
	}
}
