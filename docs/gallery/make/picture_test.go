package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/svg/svgtest"
)

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
			require.GreaterOrEqual(t, len(having(all, "tick")), 5)
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
			{name: "strokes", as: strokes, colour: green, points: []point{{0, 0}, {10, 0}, {0, 10}, {10, 10}}},
			{as: markers, colour: black, points: points},
		},
		notes: []string{"a note"},
	}
	const left, right, top, bottom, middle = plotLeft, plotLeft + chartWide, plotTop, plotTop + plotHigh, plotTop + plotHigh/2
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
	require.Contains(t, paths, fmt.Sprintf("M%d.0 %d.0L%d.0 %d.0L%d.0 %d.0", left, bottom, left+chartWide/2, middle, right, top))
	require.Contains(t, paths, fmt.Sprintf("M%d.5 %d.0V%d.0H%d.5V%d.0z", left+211, bottom, top, left+258, bottom))
	require.Contains(t, paths, fmt.Sprintf("M%d.0 %d.0L%d.0 %d.0M%d.0 %d.0L%d.0 %d.0", left, bottom, right, bottom, left, top, right, top))
	require.Equal(t, []string{fmt.Sprintf("%d.0 %d.0", left, bottom), fmt.Sprintf("%d.0 %d.0", left+chartWide/2, middle), fmt.Sprintf("%d.0 %d.0", right, top)}, circles)
	for _, want := range []string{"A & B", "x <s>", "y", "line", "two", "lines", "bars", "a note", "10"} {
		require.Contains(t, texts, want)
	}
}

func TestALogarithmicAxisLeavesOutWhatItCannotShow(t *testing.T) {
	c := &chart{y: axis{log: true}, layers: []layer{{as: markers, colour: black, points: []point{{0, 0}, {1, 10}, {2, -1}, {3, 1000}}}}}
	all := svgtest.Elements(t, c.svg())
	circles := 0
	for _, e := range all {
		if e.Name == "circle" {
			circles++
		}
	}
	require.Equal(t, 2, circles)
}

func TestAHeatMapIsDarkerWhereValuesAreGreater(t *testing.T) {
	h := &heat{key: axis{lo: 0, hi: 9}, cells: [][]float64{{0, 0.5, 8.5}, {99, -1, 4}}}
	at := map[string]string{} // the strokes of each shade
	for _, e := range svgtest.Elements(t, h.svg()) {
		if e.Name == "path" {
			at[e.Attr["stroke"]] = e.Attr["d"]
		}
	}
	require.Equal(t, map[string]string{
		shades[0]: "M0 0.5h2M1 1.5h1",
		shades[4]: "M2 1.5h1",
		shades[8]: "M2 0.5h1M0 1.5h1",
	}, at)
}

func TestItemsOfThePageAreShortLines(t *testing.T) {
	text := item(strings.Repeat("four ", 50))
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len(strings.TrimSpace(line))+2, lineMost)
	}
	require.Equal(t, "- "+strings.TrimSpace(strings.Repeat("four ", 23))+"\n  "+strings.TrimSpace(strings.Repeat("four ", 23))+"\n  four four four four", text)
}
