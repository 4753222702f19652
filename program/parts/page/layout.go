// This file owns the layout of the charts: which option is the axis, which ones are lines and panels, and where each
// point stands.

package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// MostLines is the number of lines of a chart. More values of the second option are panels.
const MostLines = 6

// mostPanels is how many panels a chart has; the table has the other points.
const mostPanels = 24

// layout is where the points stand, in all charts of a study.
type layout struct {
	axis    string    // name of the option of the horizontal axis, "" for one point
	ordered bool      // the axis is the position in the table, as the points are no grid
	numeric bool      // its values are numbers
	whole   bool      // and whole ones
	log     bool      // and the axis is logarithmic
	numbers []float64 // its values in order, or
	words   []string  // its categories
	option  string    // of the lines, "" if there is one
	lines   []string  // the values of the lines
	panels  []string  // names of the panels, "" for the only one
	left    int       // panels that are not drawn
	dots    int       // replications of a point that have dots
	spots   []spot    // of each point
}

// spot is where a point stands.
type spot struct{ x, line, panel int }

// lay returns the layout of the points of a study.
func (s *Study) lay() *layout {
	l := &layout{spots: make([]spot, len(s.Points)), panels: []string{""}, lines: []string{""},
		dots: max(1, min(MostDots, dotsOfAll/max(len(s.Results), 1))/max(len(s.Points), 1))}
	var varied []int // options with several values
	for i := range s.Options {
		if values, _ := s.valuesOf(i); len(values) > 1 {
			varied = append(varied, i)
		}
	}
	switch {
	case len(s.Points) < 2:
		return l
	case len(varied) == 0 || len(varied) > 1 && !s.grid(varied):
		l.axis, l.ordered = "point", true
		for i := range s.Points {
			l.words = append(l.words, strconv.Itoa(i+1))
			l.spots[i].x = i
		}
		return l
	}
	l.along(s, varied[0])
	rest := varied[1:]
	if len(rest) > 0 {
		if values, at := s.valuesOf(rest[0]); len(values) <= MostLines {
			l.option, l.lines = s.Options[rest[0]], short(values)
			for i := range s.Points {
				l.spots[i].line = at[i]
			}
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return l
	}
	l.panels = nil
	at := map[string]int{}
	for i := range s.Points {
		key := s.key(i, rest)
		if _, is := at[key]; !is {
			at[key], l.panels = len(l.panels), append(l.panels, s.named(i, rest))
		}
		l.spots[i].panel = at[key]
	}
	l.left = max(0, len(l.panels)-mostPanels)
	l.panels = l.panels[:len(l.panels)-l.left]
	return l
}

// along makes an option the horizontal axis.
func (l *layout) along(s *Study, option int) {
	l.axis, l.numeric, l.whole = s.Options[option], true, true
	for _, p := range s.Points {
		switch v := p.Values[option].(type) {
		case int:
			l.numbers = append(l.numbers, float64(v))
		case float64:
			l.numbers = append(l.numbers, v)
			l.whole = l.whole && v == math.Trunc(v)
		default:
			l.numeric = false
		}
	}
	if !l.numeric {
		values, at := s.valuesOf(option)
		l.numbers, l.words = nil, short(values)
		for i := range s.Points {
			l.spots[i].x = at[i]
		}
		return
	}
	all := l.numbers
	l.numbers = slices.Compact(slices.Sorted(slices.Values(all)))
	l.log = geometric(l.numbers)
	for i := range s.Points {
		l.spots[i].x, _ = slices.BinarySearch(l.numbers, all[i])
	}
}

// geometric reports whether ascending numbers grow by factors, so that a logarithmic axis sets them further apart.
func geometric(numbers []float64) bool {
	last := len(numbers) - 1
	if last < 2 || numbers[0] <= 0 {
		return false
	}
	apart := func(scale func(float64) float64) float64 {
		least := math.Inf(1)
		for i := range last {
			least = min(least, scale(numbers[i+1])-scale(numbers[i]))
		}
		return least / (scale(numbers[last]) - scale(numbers[0]))
	}
	linear := apart(func(v float64) float64 { return v / numbers[last] })
	return linear < 0.1 && apart(math.Log) > 2*linear
}

// grid reports whether most points have another one that differs from them in the first of these options alone.
func (s *Study) grid(varied []int) bool {
	groups := map[string]bool{}
	for i := range s.Points {
		groups[s.key(i, varied[1:])] = true
	}
	return 2*len(groups) <= len(s.Points)
}

// valuesOf returns the different values of an option, in the order of the points, and the index of that of each point.
func (s *Study) valuesOf(option int) (all []any, of []int) {
	seen := map[string]int{}
	for i, p := range s.Points {
		key := s.key(i, []int{option})
		at, is := seen[key]
		if !is {
			at = len(all)
			seen[key], all = at, append(all, p.Values[option])
		}
		of = append(of, at)
	}
	return all, of
}

// key tells apart the values of some options of a point.
func (s *Study) key(point int, options []int) string {
	var words []string
	for _, i := range options {
		words = append(words, fmt.Sprintf("%q", fmt.Sprint(s.Points[point].Values[i])))
	}
	return strings.Join(words, " ")
}

// named returns the values of some options of a point with their names.
func (s *Study) named(point int, options []int) string {
	var words []string
	for _, i := range options {
		words = append(words, s.Options[i]+"="+brief(s.Points[point].Values[i]))
	}
	return clean(strings.Join(words, " "))
}

// name returns all values of a point with their names, such as "servers=2 patience=10".
func (s *Study) name(point int) string {
	all := make([]int, len(s.Options))
	for i := range all {
		all[i] = i
	}
	return s.named(point, all)
}

// text returns a value as text.
func text(v any) string {
	if x, is := v.(float64); is {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return clean(fmt.Sprint(v))
}

// brief returns a value as it is shown: a number with six digits.
func brief(v any) string {
	if x, is := v.(float64); is {
		return figure(x)
	}
	return text(v)
}

func short(values []any) (all []string) {
	for _, v := range values {
		all = append(all, brief(v))
	}
	return all
}

// clean returns text in which nothing is invisible, or changes how the text around it is read.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200e && r <= 0x200f || r >= 0x2028 && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069 || r == 0xfeff {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
