// This file tests charts of warm-ups: their lines lead back to the numbers.

package page_test

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// rising is a course that rises to a level, in intervals of 5 from a time on, with a gap.
func rising(point int, from, level float64) page.Curve {
	c := page.Curve{Point: point, End: from + 20, Remark: "<too short> to tell"}
	for i := range 30 {
		c.Times = append(c.Times, from+5*float64(i))
		c.Means = append(c.Means, level*(1-math.Exp(-float64(i)/4))+0.3*math.Sin(float64(i)))
	}
	c.Smoothed = experiment.Welch([][]float64{c.Means}, 3)
	c.Means[11] = math.NaN()
	return c
}

// warming is a study with warm-ups at its points.
func warming(t *testing.T) *page.Study {
	s := page.Of(results(t, 3, experiment.Grid(experiment.Over("servers", 2, 3))...), nil)
	s.WarmUps = []page.WarmUp{{Name: "queue & more", Unit: "customers", Curves: []page.Curve{rising(0, 0, 8), rising(1, 100, 3)}},
		{Name: "nothing", Curves: []page.Curve{{}, {Point: 1}}}}
	return s
}

var steps = regexp.MustCompile(`([ML])(-?[\d.]+) (-?[\d.]+)`)

func TestWarmUpsAreDrawnAsTheyAre(t *testing.T) {
	s := warming(t)
	text := write(t, s)
	all := read(t, text)
	f := all["w0"]
	require.Equal(t, "queue & more: warm-up (customers)", f.title)
	require.Len(t, f.panels, 2)
	for i, panel := range f.panels {
		c := s.WarmUps[0].Curves[i]
		y, high := scale(t, panel, "y", "y", 5)
		x, wide := scale(t, panel, "x", "x", 0)
		for class, values := range map[string][]float64{"thin": c.Means, "thick": c.Smoothed} {
			path := steps.FindAllStringSubmatch(panel.all(class)[0].get("d"), -1)
			k := 0
			for j, v := range values {
				if v != v {
					require.Equal(t, "M", path[k][1], "a gap")
					continue
				}
				px, err := strconv.ParseFloat(path[k][2], 64)
				require.NoError(t, err)
				py, err := strconv.ParseFloat(path[k][3], 64)
				require.NoError(t, err)
				require.InDelta(t, c.Times[j]+2.5, x(px), wide, "the middle of the interval")
				require.InDelta(t, v, y(py), high)
				k++
			}
			require.Len(t, path, k)
		}
		end := panel.all("zero")
		require.Len(t, end, 1)
		require.InDelta(t, c.End, x(end[0].number(t, "x1")), wide)
	}
	require.Equal(t, []string{"servers", "time", "mean", "smoothed", "warm-up"}, f.means[0])
	require.Len(t, f.means, 61)
	require.Equal(t, []string{"3", "100", strconv.FormatFloat(s.WarmUps[0].Curves[1].Means[0], 'g', -1, 64)}, f.means[31][:3])
	require.Equal(t, "true", f.means[31][4])
	require.Equal(t, "false", f.means[60][4])
	require.Empty(t, f.means[12][2], "there is no number")
	require.Contains(t, text, `<td class="n">120</td><td>&lt;too short&gt; to tell</td>`)
	require.Empty(t, all["w1"].panels)
	require.NotContains(t, text, "NaN")
}

func TestAWarmUpThatDoesNotFitIsRefused(t *testing.T) {
	for _, c := range []page.Curve{{Point: 2}, {Point: -1}, {Times: []float64{1}}, {Smoothed: []float64{1}}} {
		s := warming(t)
		s.WarmUps[0].Curves = []page.Curve{c}
		require.ErrorContains(t, s.Write(&bytes.Buffer{}), `a curve of the warm-up of "queue & more" has point `)
	}
}
