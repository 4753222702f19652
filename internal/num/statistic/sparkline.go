// This file owns the courses of statistics in a table of text: a line of bars for each.

package statistic

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// bars are the levels of a course; a space stands for intervals without a number.
var bars = []rune("▁▂▃▄▅▆▇█")

// mostBars is how many intervals a line has; with more, several share a bar, which has their mean.
const mostBars = 60

// writeCourses writes a line for each row with a course: the number that the highest bar stands for, and the bars.
// A bar of a series is its rate, and one of a level its average.
func (t *Table) writeCourses(b *bytes.Buffer) {
	var lines [][3]string
	var width [2]int
	for i := range t.Rows {
		r := &t.Rows[i]
		if len(r.Course) < 2 {
			continue
		}
		line, most := sparkline(r)
		height := fmt.Sprintf("up to %.4g", most)
		if r.Unit != "" {
			height += " " + r.Unit
		}
		if r.Kind == KindSeries.String() {
			height += " per unit of time"
		}
		cells := [3]string{r.Group + "  " + r.Name, height, line}
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(cells[i]))
		}
		lines = append(lines, cells)
	}
	if len(lines) == 0 {
		return
	}
	b.WriteString("\nOver the time, a bar for each interval or several\n")
	for _, cells := range lines {
		for i, w := range width {
			b.WriteString(cells[i] + strings.Repeat(" ", w-utf8.RuneCountInString(cells[i])) + "  ")
		}
		b.WriteString(strings.TrimRight(cells[2], " ") + "\n")
	}
}

// sparkline returns the bars of a course, and the number that the highest one stands for. The lowest one stands for 0,
// or for the least number if that is below.
func sparkline(r *Row) (line string, most float64) {
	share := (len(r.Course) + mostBars - 1) / mostBars
	var values []float64
	for at := 0; at < len(r.Course); at += share {
		sum, n := 0.0, 0.0
		for _, s := range r.Course[at:min(at+share, len(r.Course))] {
			x := s.Mean
			if r.Kind == KindSeries.String() {
				x = s.Rate
			}
			if x-x == 0 {
				sum, n = sum+x, n+1
			}
		}
		values = append(values, sum/n) // NaN without any
	}
	least := 0.0
	most = math.Inf(-1)
	for _, x := range values {
		if x == x {
			least, most = min(least, x), max(most, x)
		}
	}
	var b strings.Builder
	for _, x := range values {
		switch {
		case x != x:
			b.WriteByte(' ')
		case most > least:
			b.WriteRune(bars[int(math.Round((x-least)/(most-least)*float64(len(bars)-1)))])
		default:
			b.WriteRune(bars[0])
		}
	}
	return b.String(), most
}
