// This file owns the tests of the figures of a page: what its tables, charts and CSV say is decoded from the page
// alone, and compared with what the runs gave.

package page_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// value is what a run of the tests gives: different at each point, and spread.
func value(p experiment.Point, replication int) float64 {
	v := 10.0
	for i, param := range p {
		switch x := param.Value.(type) {
		case int:
			v += float64(x) * float64(i+1)
		case float64:
			v -= 3 * x
		default:
			v += float64(len(fmt.Sprint(x)))
		}
	}
	return v + 2*math.Sin(float64(7*replication)+v)
}

// results makes an experiment whose responses are "first", its negative "second" and "rare", which some runs lack.
func results(t *testing.T, replications int, points ...experiment.Point) *experiment.Results {
	t.Helper()
	r, err := experiment.Experiment{Name: "test", Points: points, Replications: replications, Workers: 1, Partial: true,
		Run: func(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
			v := value(t.Point, int(t.Replication))
			all := experiment.Responses{"first": v, "second": -1000 * v}
			if t.Replication%3 == 1 {
				all["rare"] = v / 1e5
			}
			return all, nil
		}}.Do(context.Background())
	require.NoError(t, err)
	return r
}

// replication returns the number of the run that is the k-th with a response.
func replication(response string, k int) int {
	if response == "rare" {
		return 1 + 3*k
	}
	return k
}

// write returns a page.
func write(t *testing.T, s *page.Study) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Write(&b))
	return b.String()
}

// node is an element of a picture.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

func (n *node) get(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) number(t *testing.T, name string) float64 {
	v, err := strconv.ParseFloat(n.get(name), 64)
	require.NoError(t, err, "%+v", n)
	return v
}

// all returns the elements below that have a class, or are of a kind.
func (n *node) all(class string) (found []*node) {
	for i := range n.Nodes {
		c := &n.Nodes[i]
		if c.XMLName.Local == class || strings.Contains(" "+c.get("class")+" ", " "+class+" ") {
			found = append(found, c)
		}
		found = append(found, c.all(class)...)
	}
	return found
}

// shown is a figure as the page has it.
type shown struct {
	title, text string
	panels      []*node
	rows        []map[string]string // by the names of the columns
	points      []int               // of the rows
	means, runs [][]string          // CSV
}

var (
	figures = regexp.MustCompile(`(?s)<figure id="(\w+)".*?</figure>`)
	svgs    = regexp.MustCompile(`(?s)<svg .*?</svg>`)
	headed  = regexp.MustCompile(`(?s)<h2[^>]*>(.*?)</h2><p>(.*?)</p>`)
	rows    = regexp.MustCompile(`(?s)<tr data-point="(\d+)">(.*?)</tr>`)
	cells   = regexp.MustCompile(`(?s)<t[hd][^>]*>(.*?)</t[hd]>`)
	tags    = regexp.MustCompile(`<[^>]*>`)
	sheets  = regexp.MustCompile(`(?s)<script type="application/json" class="(\w+)">(.*?)</script>`)
)

func plain(text string) string { return html.UnescapeString(tags.ReplaceAllString(text, "")) }

// read decodes the figures of a page, by their ids.
func read(t *testing.T, text string) map[string]*shown {
	t.Helper()
	found := map[string]*shown{}
	for _, f := range figures.FindAllStringSubmatch(text, -1) {
		s := &shown{}
		found[f[1]] = s
		head := headed.FindStringSubmatch(f[0])
		s.title, s.text = plain(head[1]), plain(head[2])
		for _, text := range svgs.FindAllString(f[0], -1) {
			var n node
			require.NoError(t, xml.Unmarshal([]byte(text), &n), text)
			require.Equal(t, "img", n.get("role"))
			require.NotEmpty(t, n.get("aria-label"))
			if n.get("class") != "key" {
				s.panels = append(s.panels, &n)
			}
		}
		top, body, _ := strings.Cut(f[0], "<tbody>")
		var names []string
		for _, c := range cells.FindAllStringSubmatch(top[strings.Index(top, "<thead>"):], -1) {
			names = append(names, plain(c[1]))
		}
		for _, row := range rows.FindAllStringSubmatch(body, -1) {
			own := map[string]string{}
			all := cells.FindAllStringSubmatch(row[2], -1)
			require.Len(t, all, len(names), row[0])
			for i, c := range all {
				own[names[i]] = plain(c[1])
			}
			point, _ := strconv.Atoi(row[1])
			s.rows, s.points = append(s.rows, own), append(s.points, point)
		}
		for _, sheet := range sheets.FindAllStringSubmatch(f[0], -1) {
			var text string
			require.NoError(t, json.Unmarshal([]byte(sheet[2]), &text))
			lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			require.NoError(t, err)
			if sheet[1] == "runs" {
				s.runs = lines
			} else {
				s.means = lines
			}
		}
	}
	return found
}

// scale leads from pixels to values, as the labels of an axis say, and has the height of a pixel.
func scale(t *testing.T, panel *node, class, coordinate string, shift float64) (at func(float64) float64,
	pixel float64) {
	t.Helper()
	var places, values []float64
	for _, n := range panel.all(class) {
		v, err := strconv.ParseFloat(n.Text, 64)
		require.NoError(t, err)
		places, values = append(places, n.number(t, coordinate)-shift), append(values, v)
	}
	require.GreaterOrEqual(t, len(places), 2, "an axis has two labels")
	last := len(places) - 1
	step := (values[last] - values[0]) / (places[last] - places[0])
	for i := range places {
		require.InDelta(t, values[i], values[0]+step*(places[i]-places[0]), math.Abs(step), "ticks are even")
	}
	return func(p float64) float64 { return values[0] + step*(p-places[0]) }, math.Abs(step)
}

// quantiles are those of Student's t distribution for 97.5 %, from a printed table, by degrees of freedom.
var quantiles = map[int]float64{1: 12.7062, 2: 4.30265, 4: 2.77645, 5: 2.57058, 7: 2.36462}

// estimate computes mean and half width of a 95 % interval by the formula of textbooks.
func estimate(values []float64) (mean, half float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	n := float64(len(values))
	return mean, quantiles[len(values)-1] * math.Sqrt(squares/(n-1)/n)
}

var (
	coordinates = regexp.MustCompile(`^M(-?[\d.]+) (-?[\d.]+)`)
	upright     = regexp.MustCompile(`^M(-?[\d.]+) (-?[\d.]+)V(-?[\d.]+)`)
	level       = regexp.MustCompile(`^M(-?[\d.]+) (-?[\d.]+)H(-?[\d.]+)`)
	number      = regexp.MustCompile(`-?\d+(\.\d+)?(e-?\d+)?`)
)

func floats(t *testing.T, texts []string) (all []float64) {
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

// agree requires that a text has a number, rounded to the digits that it has.
func agree(t *testing.T, want float64, text string) {
	t.Helper()
	got, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	mantissa, exponent, _ := strings.Cut(text, "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent)
	require.InDelta(t, want, got, 0.51*math.Pow10(power-len(decimals))+1e-12, text)
}

// requireFigures compares everything that the page has of a response with the values of the runs.
func requireFigures(t *testing.T, s *shown, r *experiment.Results, response string) {
	t.Helper()
	require.Len(t, s.rows, len(r.Points))
	drawn := map[int]bool{}
	for _, panel := range s.panels {
		flat := len(r.Points) == 1 // one point is drawn along its values
		class, coordinate, shift, across := "y", "y", 5.0, "cy"
		if flat {
			class, coordinate, shift, across = "x", "x", 0, "cx"
		}
		at, pixel := scale(t, panel, class, coordinate, shift)
		for _, bar := range panel.all("bar") {
			point, _ := strconv.Atoi(bar.get("data-point"))
			drawn[point] = true
			values := r.Points[point].Values(response)
			mean, half := estimate(values)
			place := floats(t, coordinates.FindStringSubmatch(bar.all("mark")[0].get("d"))[1:])
			line, one := upright, 1
			if flat {
				line, one = level, 0
			}
			require.InDelta(t, mean, at(place[one]), pixel)
			if ci := bar.all("ci"); len(values) > 1 {
				ends := floats(t, line.FindStringSubmatch(ci[0].get("d"))[1:])
				require.InDelta(t, mean-half, at(ends[one]), pixel)
				require.InDelta(t, mean+half, at(ends[2]), pixel)
			} else {
				require.Empty(t, ci)
			}
			title := bar.all("title")[0].Text
			agree(t, mean, number.FindString(title[strings.LastIndex(title, ": ")+1:]))
		}
		for _, dots := range panel.all("dots") {
			point, _ := strconv.Atoi(dots.get("data-point"))
			circles := dots.all("circle")
			require.Len(t, circles, len(r.Points[point].Values(response)))
			for k, c := range circles {
				said := number.FindAllString(c.all("title")[0].Text, -1)
				v := r.Points[point].Values(response)[k]
				require.Equal(t, strconv.Itoa(replication(response, k)), said[0])
				require.InDelta(t, v, at(c.number(t, across)), pixel)
				require.InEpsilon(t, v, floats(t, said[1:])[0], 1e-5)
			}
		}
	}
	runs := s.runs[1:]
	for i, row := range s.rows {
		point := s.points[i]
		values := r.Points[point].Values(response)
		mean, half := estimate(values)
		require.Equal(t, len(values) > 0, drawn[point])
		if len(values) == 0 {
			require.Empty(t, row["mean"])
			continue
		}
		agree(t, mean, row["mean"])
		least, greatest := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			least, greatest = min(least, v), max(greatest, v)
		}
		require.InEpsilon(t, least, floats(t, []string{row["least"]})[0], 1e-3)
		require.InEpsilon(t, greatest, floats(t, []string{row["greatest"]})[0], 1e-3)
		n := strconv.Itoa(len(values))
		if len(values) < r.Points[point].Replications {
			n += fmt.Sprintf(" of %d", r.Points[point].Replications)
		}
		require.Equal(t, n, row["runs"])
		csvRow := s.means[1+i]
		options := len(r.Points[point].Point)
		for k, param := range r.Points[point].Point {
			require.Equal(t, fmt.Sprint(param.Value), csvRow[k])
			if v, is := param.Value.(float64); is {
				require.InEpsilon(t, v, floats(t, []string{row[param.Name]})[0], 1e-5)
			} else {
				require.Equal(t, fmt.Sprint(param.Value), row[param.Name])
			}
		}
		require.Equal(t, response, csvRow[options])
		if len(values) > 1 {
			agree(t, half, row["± (95 %)"])
			require.InEpsilon(t, half, floats(t, csvRow[options+2:options+3])[0], 1e-5)
		} else {
			require.Empty(t, row["± (95 %)"])
			require.Empty(t, csvRow[options+2])
		}
		require.InEpsilon(t, mean, floats(t, csvRow[options+1:options+2])[0], 1e-12)
		for k, v := range values {
			require.Equal(t, strconv.Itoa(replication(response, k)), runs[0][options])
			require.Equal(t, strconv.FormatFloat(v, 'g', -1, 64), runs[0][options+1], "all digits")
			runs = runs[1:]
		}
	}
	require.Empty(t, runs)
}

// hypercube returns points that are no grid.
func hypercube(t *testing.T) []experiment.Point {
	t.Helper()
	points, err := experiment.LatinHypercube(12, 7, experiment.Range{Name: "a", Low: 0, High: 1},
		experiment.Range{Name: "b", Low: 5, High: 9})
	require.NoError(t, err)
	return points
}

func TestTablesChartsAndCSVHaveTheFiguresOfTheRuns(t *testing.T) {
	for name, points := range map[string][]experiment.Point{
		"one point":      {{}},
		"numbers":        experiment.Grid(experiment.Over("load", 0.5, 0.75, 0.9)),
		"two options":    experiment.Grid(experiment.Over("servers", 1, 2, 4, 9), experiment.Over("time", 0.5, 1.25)),
		"categories":     experiment.Grid(experiment.Over("kind", "first come first served", "b", "c")),
		"words and bool": experiment.Grid(experiment.Over("on", true, false), experiment.Over("kind", "a", "bb")),
		"panels": experiment.Grid(experiment.Over("x", 1, 2), experiment.Over("many", 1, 2, 3, 4, 5, 6, 7),
			experiment.Over("z", "u", "vv")),
		"no grid": hypercube(t),
	} {
		t.Run(name, func(t *testing.T) {
			r := results(t, 8, points...)
			found := read(t, write(t, page.Of(r, nil)))
			require.Len(t, found, 3)
			for i, response := range r.Responses {
				s := found[fmt.Sprint("r", i)]
				require.Equal(t, response, s.title)
				requireFigures(t, s, r, response)
			}
		})
	}
}

func TestNumericOptionsHaveAnAxisOfNumbers(t *testing.T) {
	r := results(t, 3, experiment.Grid(experiment.Over("load", 1.0, 2.0, 9.5, 10.0), experiment.Over("b", 1, 2, 3))...)
	s := read(t, write(t, page.Of(r, []string{"first"})))["r0"]
	require.Len(t, s.panels, 1)
	at, pixel := scale(t, s.panels[0], "x", "x", 0)
	for _, bar := range s.panels[0].all("bar") {
		point, _ := strconv.Atoi(bar.get("data-point"))
		place := floats(t, coordinates.FindStringSubmatch(bar.all("mark")[0].get("d"))[1:])
		require.InDelta(t, r.Points[point].Point[0].Value, at(place[0]), pixel)
	}
}

func TestValuesThatGrowByFactorsHaveALogarithmicAxis(t *testing.T) {
	r := results(t, 3, experiment.Grid(experiment.Over("load", 2.0, 16.0, 128.0, 1024.0), experiment.Over("b", 1, 2))...)
	panel := read(t, write(t, page.Of(r, []string{"first"})))["r0"].panels[0]
	places := map[float64]float64{}
	for _, bar := range panel.all("bar") {
		point, _ := strconv.Atoi(bar.get("data-point"))
		x := floats(t, coordinates.FindStringSubmatch(bar.all("mark")[0].get("d"))[1:])[0]
		places[r.Points[point].Point[0].Value.(float64)] = x
	}
	require.InDelta(t, places[16]-places[2], places[128]-places[16], 0.21)
	require.InDelta(t, places[16]-places[2], places[1024]-places[128], 0.21)
	for i, tick := range panel.all("x") {
		v, err := strconv.ParseFloat(tick.Text, 64)
		require.NoError(t, err)
		require.InDelta(t, places[2]+math.Log2(v/2)*(places[16]-places[2])/3, tick.number(t, "x"), 0.5, i)
	}
	require.Contains(t, panel.all("title")[len(panel.all("title"))-1].Text+panel.all("title")[0].Text, "load (logarithmic)")
}

func TestOptionsAreLinesAndThenPanels(t *testing.T) {
	over := func(name string, n int) experiment.Factor {
		var values []int
		for i := range n {
			values = append(values, i)
		}
		return experiment.Over(name, values...)
	}
	for name, c := range map[string]struct {
		points        []experiment.Point
		panels, lines int
		note          string
	}{
		"six lines":        {experiment.Grid(over("x", 3), over("y", 6)), 1, 6, ""},
		"seven panels":     {experiment.Grid(over("x", 3), over("y", 7)), 7, 1, ""},
		"three options":    {experiment.Grid(over("x", 3), over("y", 2), over("z", 4)), 4, 2, ""},
		"one value":        {experiment.Grid(over("x", 3), over("y", 1), over("z", 4)), 1, 4, ""},
		"the second axis":  {experiment.Grid(over("x", 1), over("y", 5)), 1, 1, ""},
		"too many panels":  {experiment.Grid(over("x", 2), over("y", 30)), 24, 1, "Charts have the first 24 panels; tables have all"},
		"points in a list": {hypercube(t), 1, 1, "The points are no grid"},
	} {
		text := write(t, page.Of(results(t, 2, c.points...), []string{"first"}))
		s := read(t, text)["r0"]
		require.Len(t, s.panels, c.panels, name)
		lines := 0
		for i := range page.MostLines {
			if len(s.panels[0].all(fmt.Sprint("c", i))) > 0 {
				lines++
			}
		}
		require.Equal(t, c.lines, lines, name)
		require.Contains(t, text, c.note, name)
		require.Len(t, s.rows, len(c.points), name)
	}
}

func TestSixLinesDifferByTheirMarkers(t *testing.T) {
	r := results(t, 2, experiment.Grid(experiment.Over("x", 1, 2), experiment.Over("y", 1, 2, 3, 4, 5, 6))...)
	shapes := map[string]bool{}
	for _, mark := range read(t, write(t, page.Of(r, []string{"first"})))["r0"].panels[0].all("mark") {
		shapes[coordinates.ReplaceAllString(mark.get("d"), "")] = true
	}
	require.Len(t, shapes, 6)
}

func TestATypicalRunHasItsCommandLine(t *testing.T) {
	r := results(t, 8, experiment.Grid(experiment.Over("x", 1, 2))...)
	s := page.Of(r, []string{"first"})
	for i := range s.Points {
		s.Points[i].Command = []string{"queue", "--kind=a b", fmt.Sprint("--x=", i+1)}
		s.Points[i].Rest = []string{"--", "it's"}
	}
	for i, row := range read(t, write(t, s))["r0"].rows {
		mean, _ := estimate(r.Points[i].Values("first"))
		nearest := 0
		for k, v := range r.Points[i].Values("first") {
			if math.Abs(v-mean) < math.Abs(r.Points[i].Values("first")[nearest]-mean) {
				nearest = k
			}
		}
		require.Equal(t, fmt.Sprintf(`no. %[1]dqueue '--kind=a b' --x=%[2]d --replication=%[1]d -- 'it'\''s'Copy`, nearest, i+1),
			row["typical run"])
	}
}

func TestAPageIsSmall(t *testing.T) {
	r, err := experiment.Experiment{Name: "test", Replications: 20,
		Points: experiment.Grid(experiment.Over("servers", 2, 3, 4), experiment.Over("patience", 0.0, 10.0)),
		Run: func(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
			all := experiment.Responses{}
			for i := range 10 {
				all[fmt.Sprint("waiting time of class ", i)] = value(t.Point, int(t.Replication)) / float64(i+1)
			}
			return all, nil
		}}.Do(context.Background())
	require.NoError(t, err)
	s := page.Of(r, nil)
	for i := range s.Points {
		s.Points[i].Command = []string{"queueing", "--lps=16", "--end=300", "--servers=2", "--patience=10"}
	}
	require.Less(t, len(write(t, s)), 300_000)
}

func TestOfVeryManyReplicationsTheFirstHaveDots(t *testing.T) {
	r := results(t, 2500, experiment.Grid(experiment.Over("x", 1, 2))...)
	text := write(t, page.Of(r, []string{"first"}))
	s := read(t, text)["r0"]
	require.Len(t, s.panels[0].all("circle"), page.MostDots)
	require.Len(t, s.runs, 1+2*2500, "CSV has all")
	require.Contains(t, text, "Dots are those of the first 1500 replications of each point.")
}

func TestAPageOfManyResultsKeepsItsSize(t *testing.T) {
	s := page.Of(results(t, 100, experiment.Grid(experiment.Over("x", 1, 2, 3))...), []string{"first"})
	for range 399 {
		s.Results = append(s.Results, s.Results[0])
	}
	require.Equal(t, 400*3*50, strings.Count(write(t, s), "<circle"))
	for range 800 {
		s.Results = append(s.Results, s.Results[0])
	}
	text := write(t, s)
	require.Contains(t, text, "Not all results have CSV of their replications, as there are 360000;")
	require.Equal(t, 1000, strings.Count(text, `class="runs"`))
}

func TestTheErrorOfTheWriterIsReturned(t *testing.T) {
	r, w := io.Pipe()
	require.NoError(t, r.CloseWithError(io.ErrShortWrite))
	require.ErrorIs(t, page.Of(results(t, 2, experiment.Point{}), nil).Write(w), io.ErrShortWrite)
}

func TestAStudyThatDoesNotFitTogetherIsRefused(t *testing.T) {
	for says, spoil := range map[string]func(*page.Study){
		"there are 2001 points":      func(s *page.Study) { s.Points = make([]page.Point, 2001) },
		"point 1 has 0 values":       func(s *page.Study) { s.Points[1].Values = nil },
		"has 1 estimates":            func(s *page.Study) { s.Results[0].Estimates = s.Results[0].Estimates[:1] },
		"difference at point 2":      func(s *page.Study) { s.Results[0].Differences = []page.Difference{{Point: 2}} },
		"the selected point is 2":    func(s *page.Study) { s.Selected = &page.Selected{Choice: experiment.Choice{Point: 2}} },
		`result "first" has 0 estim`: func(s *page.Study) { s.Results[0].Estimates = nil },
	} {
		s := page.Of(results(t, 2, experiment.Grid(experiment.Over("x", 1, 2))...), []string{"first"})
		spoil(s)
		require.ErrorContains(t, s.Write(io.Discard), says)
	}
}
