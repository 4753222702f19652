// This file owns the tests of what a page says in words, of comparisons, and of names and numbers that a page must not
// repeat as they are.

package page_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// study returns a study of one option "x", with the values of the runs of one result at each point.
func study(values ...[]float64) *page.Study {
	s := &page.Study{Program: "queue", Confidence: 0.95, Options: []string{"x"}}
	r := page.Result{Name: "wait"}
	for i, runs := range values {
		s.Points = append(s.Points, page.Point{Values: []any{i}, Replications: len(runs)})
		e := page.Estimate{Interval: experiment.MeanInterval(runs, 0.95)}
		for k, v := range runs {
			e.Runs = append(e.Runs, page.Run{Replication: k, Value: v})
		}
		r.Estimates = append(r.Estimates, e)
	}
	s.Results = []page.Result{r}
	return s
}

var verdicts = regexp.MustCompile(`(?s)<p class="verdict">(.*?)</p>`)

func verdict(text string) string { return plain(verdicts.FindStringSubmatch(text)[1]) }

func TestTheFirstParagraphSaysWhatThePageIsAbout(t *testing.T) {
	s := study([]float64{1, 2, 4}, []float64{7, 7, 8}, []float64{4, 5, 4})
	require.Equal(t, "3 points (x 0, 1, 2), with 3 replications each. Bars are 95 % confidence intervals of the means: "+
		"they cover the true mean in about 95 of 100 cases.", verdict(write(t, s)))
	require.Equal(t, "Means from 2.3 ± 3.8 at x=0 to 7.3 ± 1.4 at x=1.", read(t, write(t, s))["r0"].text)
	s.Results[0].Unit = "min"
	require.Contains(t, read(t, write(t, s))["r0"].text, "Means (min) from")
	s.Confidence = 0.999
	require.Contains(t, verdict(write(t, s)), "Bars are 99.9 % confidence intervals of the means: they cover the true mean in about 99.9 of")
	s.Precision = 0.05
	require.Contains(t, verdict(write(t, s)), "a half width of 5 % of the mean, was reached everywhere.")
	s.Points[0].Missed, s.Points[2].Missed, s.Points[2].Replications = true, true, 2
	text := write(t, s)
	require.Contains(t, verdict(text), "with 2 to 3 replications each.")
	require.Contains(t, verdict(text),
		"missed at 2 of 3 points: x=0 (after 3 replications) and x=2 (after 2 replications).")
	rows := read(t, text)["r0"].rows
	require.Equal(t, []string{"3 missed", "3", "3 missed"},
		[]string{rows[0]["runs"], rows[1]["runs"], rows[2]["runs"]})

	require.Contains(t, verdict(write(t, study([]float64{5}))), "The program ran 1 time, with other random numbers each.")
	one := study([]float64{1, 3})
	one.Precision, one.Points[0].Missed, one.Options, one.Points[0].Values = 0.1, true, nil, nil
	require.Contains(t, verdict(write(t, one)), "missed at 1 of 1 point: it (after 2 replications).")
}

func TestTheBestPointIsNamed(t *testing.T) {
	s := study([]float64{1, 2, 4}, []float64{7, 7, 8}, []float64{4, 5, 4})
	s.Points[1].Missed = true // but there is no precision
	s.Selected = &page.Selected{Selection: experiment.Selection{Response: "wait", Zone: 0.5},
		Choice: experiment.Choice{Point: 0, Proven: true}}
	text := write(t, s)
	require.Contains(t, verdict(text), "The point with the least mean of wait is x=0 (2.3 ± 3.8), with 95 % confidence if all "+
		"other means are greater by 0.5 or more.")
	rows := read(t, text)["r0"].rows
	require.Equal(t, []string{"3 selected", "3", "3"}, []string{rows[0]["runs"], rows[1]["runs"], rows[2]["runs"]})
	s.Selected.Greatest, s.Selected.Choice = true, experiment.Choice{Point: 1, Rivals: []int{2}}
	text = write(t, s)
	require.Contains(t, verdict(text), "Which point has the greatest mean of wait is not proven: 2 points are left. The best "+
		"so far is x=1 (7.3 ± 1.4).")
	require.NotContains(t, text, "<b>selected")
}

func TestResultsWithoutNumbersAndWithoutNewsAreNamed(t *testing.T) {
	s := study([]float64{1, 2, 4}, nil)
	s.Results = append(s.Results, study([]float64{3, 3}, []float64{4, 4}).Results...)
	s.Results = append(s.Results, study(nil, nil).Results...)
	s.Results[1].Name, s.Results[2].Name = "even", "rare"
	text := write(t, s)
	require.Contains(t, verdict(text), "No run recorded anything for rare.")
	require.Contains(t, verdict(text), "All runs of a point gave the same number for even,")
	found := read(t, text)
	require.Empty(t, found["r2"].panels)
	require.Equal(t, "No run recorded anything.", found["r2"].text)
	require.Len(t, found["r0"].panels[0].all("bar"), 1)
	require.Equal(t, []string{"", "", "0"}, []string{found["r0"].rows[1]["mean"], found["r0"].rows[1]["± (95 %)"],
		found["r0"].rows[1]["runs"]})
}

func TestMoreThanTwelveResultsAreFolded(t *testing.T) {
	s := study([]float64{1, 2}, []float64{2, 3})
	same := study([]float64{3, 3}, []float64{3, 3}).Results[0]
	s.Results = append(s.Results, same)
	for range 12 {
		s.Results = append(s.Results, s.Results[0])
	}
	shown, others, _ := strings.Cut(write(t, s), `<details class="others">`)
	require.Equal(t, 12, strings.Count(shown, "<figure"))
	require.NotContains(t, shown, `id="r1"`, "what is the same in all runs is no news")
	require.Equal(t, 2, strings.Count(others, "<figure"))
	require.Contains(t, others, "3 in all runs.")
}

func TestDifferencesHaveAZeroLineAndStars(t *testing.T) {
	s := study([]float64{1, 2}, []float64{5, 6}, []float64{0, 3})
	s.Base = "x=0"
	s.Results[0].Differences = []page.Difference{
		{Point: 1, Interval: experiment.Interval{Mean: 4, Half: 1.5, N: 2}, Narrower: 2.25},
		{Point: 2, Interval: experiment.Interval{Mean: 0.25, Half: 0.5, N: 2}}}
	text := write(t, s)
	d := read(t, text)["d0"]
	require.Equal(t, "wait: difference from x=0", d.title)
	at, pixel := scale(t, d.panels[0], "y", "y", 5)
	zero := d.panels[0].all("zero")
	require.Len(t, zero, 1)
	require.InDelta(t, 0, at(zero[0].number(t, "y1")), pixel)
	bars := d.panels[0].all("bar")
	require.Len(t, bars, 2)
	begin := floats(t, coordinates.FindStringSubmatch(d.panels[0].all("join")[0].get("d"))[1:])
	require.InDelta(t, 0, at(begin[1]), pixel, "the base is at 0")
	require.Len(t, bars[0].all("star"), 1)
	require.Empty(t, bars[1].all("star"))
	for i, want := range [][2]float64{{2.5, 5.5}, {-0.25, 0.75}} {
		ends := floats(t, upright.FindStringSubmatch(bars[i].all("ci")[0].get("d"))[1:])
		require.InDelta(t, want[0], at(ends[1]), pixel)
		require.InDelta(t, want[1], at(ends[2]), pixel)
	}
	require.Equal(t, []map[string]string{
		{"x": "1", "difference": "4.0", "±": "1.5", "differs": "★", "pairs": "2", "narrower by pairing": "2.2 times"},
		{"x": "2", "difference": "0.25", "±": "0.50", "differs": "", "pairs": "2", "narrower by pairing": ""}}, d.rows)
	require.Equal(t, [][]string{{"x", "result", "difference", "half width", "replications", "differs", "narrower by pairing"},
		{"1", "wait", "4", "1.5", "2", "true", "2.25"}, {"2", "wait", "0.25", "0.5", "2", "false", ""}}, d.means)
	require.Contains(t, verdict(text), "Different from x=0 beyond chance: wait (at 1 of 2 points).")
	s.Results[0].Differences = s.Results[0].Differences[1:]
	require.Contains(t, verdict(write(t, s)), "No result differs from that at x=0 beyond chance.")
}

// hostile are names that must not be more than text.
var hostile = []string{`<script>alert(1)</script>`, `a & b "c" 'd' <b>`, "\x00bell\x07 \x1b[31m\u009b", "=1+1", "+2", "-x",
	"@cell", "\u202egnp.exe", `</script><svg onload=alert(1)>`, `{{.Title}} ${x} \u003c`, "\xff\xfe", "<!--", "]]>", "a,b\nc"}

func TestNamesAreTextAndNothingElse(t *testing.T) {
	own := strings.Count(write(t, study([]float64{1, 2})), "<script")
	for _, name := range hostile {
		s := study([]float64{-1, 2}, []float64{-3, 4})
		s.Program, s.Settings, s.Base, s.Notes = name, name, name, []string{name}
		s.Options = []string{name, "second"}
		for i := range s.Points {
			s.Points[i].Values = []any{fmt.Sprint(name, i), name}
			s.Points[i].Command, s.Points[i].Rest = []string{name, "--" + name}, []string{name}
		}
		s.Results[0].Name, s.Results[0].Unit = name, name
		s.Results[0].Differences = []page.Difference{{Point: 1, Interval: experiment.Interval{Mean: 1, Half: 2, N: 2}}}
		text := write(t, s)
		require.Equal(t, own+1, strings.Count(text, "<script"), "%q: the sheet of the differences is one more", name)
		require.NotContains(t, text, "<b>", name)
		require.NotContains(t, text, "<svg onload", name)
		require.NotContains(t, text, "onload=alert(1)>", name)
		for _, r := range text {
			require.False(t, r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e, "%q: %U", name, r)
		}
		found := read(t, text)["r0"] // pictures are well-formed
		cell := found.means[1]
		require.Equal(t, "-1", found.runs[1][len(found.runs[1])-1], "numbers stay numbers")
		require.Len(t, cell, 2+6)
		for _, word := range []string{found.means[0][0], cell[0], cell[1], cell[2]} {
			require.NotContains(t, "=+-@", word[:1], name)
			require.Contains(t, strings.TrimPrefix(word, "'"), clean(name))
		}
		require.Contains(t, found.title, clean(name))
	}
}

// clean replaces what is invisible, by the table of Unicode.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

func TestNoNumberIsInfiniteOrNone(t *testing.T) {
	wrong := regexp.MustCompile(`\bNaN\b|\bInf\b|∞`)
	for _, values := range [][][]float64{
		{nil, nil}, {{1}, {2}}, {{0, 0}, {0, 0}}, {{1e308, -1e308}, {1e308, 1e308}}, {{5e-324, 0}, {1e-300, 2e-300}},
		{{math.MaxFloat64}, {-math.MaxFloat64}}, {{1e15, 1e15 + 1}, {1e15}}, {{7, 7, 7}}, {{1e308, -1e308}}, {nil}, {{3}},
		{{1e-7, 2e-7}, {3e-7, 3.5e-7}}, {{123456789, 123456790}, {123456795}},
	} {
		s := study(values...)
		s.Base = "x=0"
		s.Results[0].Differences = []page.Difference{{Point: 0,
			Interval: experiment.Interval{Mean: math.NaN(), Half: math.Inf(1)}, Narrower: math.Inf(1)}}
		text := write(t, s)
		at := strings.Index(text, "<body>")
		end := strings.Index(text, "<script>")
		require.Empty(t, wrong.FindAllString(text[at:end], -1), "%v", values)
		read(t, text)
	}
	s := study([]float64{1, 2})
	s.Results[0].Estimates[0].Interval = experiment.Interval{Mean: math.Inf(1), Half: math.NaN(), N: 2}
	require.NotRegexp(t, `\bInf\b`, write(t, s))
}

func TestAResultThatNoRunHasIsShownAsSuch(t *testing.T) {
	r, err := experiment.Experiment{Name: "test", Replications: 2, Run: func(context.Context, *experiment.Trial) (
		experiment.Responses, error) {
		return experiment.Responses{"there": 1}, nil
	}}.Do(context.Background())
	require.NoError(t, err)
	text := write(t, page.Of(r, []string{"there", "nowhere"}))
	require.Contains(t, verdict(text), "No run recorded anything for nowhere.")
	require.Equal(t, "nowhere", read(t, text)["r1"].title)
}
