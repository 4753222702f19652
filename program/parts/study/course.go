// This file owns courses: a statistic over the virtual time of a run, as a run keeps it, and over all runs of a point.

package study

import (
	"math"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/stats"
)

// course is a statistic in equal intervals of virtual time; interval i begins at (first+i) times the width. The
// statistic is a quotient in each: of a level, its average and 1; of a series, the sum of the numbers and their
// number.
type course struct {
	series      bool
	width       float64
	first       int
	sums, parts []float64
}

// courseOf returns the course of a statistic in a run that was observed from one time to another, in no more than most
// intervals, all of them whole. It has none if the statistic has no intervals.
func courseOf(row *stats.Row, from, until float64, most int) (c course, has bool) {
	n := len(row.Course)
	if n == 0 {
		return c, false
	}
	c.series = row.Kind == "series"
	c.width = (row.Course[n-1].End - row.Course[0].Begin) / float64(n)
	for _, i := range row.Course {
		part := i.Sum > 0 && i.Rate*c.width > i.Sum*(1+1e-6) // a run that stopped has the rate of what it has seen
		if i.Begin < from || i.End > until || part {
			continue
		}
		if len(c.sums) == 0 {
			c.first = int(math.Round(i.Begin / c.width))
		}
		sum, n := i.Mean, 1.0
		if c.series {
			sum, n = i.Sum, float64(i.Count)
		}
		c.sums, c.parts = append(c.sums, sum), append(c.parts, n)
	}
	for len(c.sums) > most {
		c = c.joined()
	}
	return c, true
}

// joined returns the course in intervals of twice the width, without halves at the ends.
func (c course) joined() course {
	skip := c.first & 1
	j := course{series: c.series, width: 2 * c.width, first: (c.first + skip) / 2}
	for i := skip; i+1 < len(c.sums); i += 2 {
		j.sums, j.parts = append(j.sums, c.sums[i]+c.sums[i+1]), append(j.parts, c.parts[i]+c.parts[i+1])
	}
	return j
}

// begin returns the virtual time at which an interval begins.
func (c course) begin(i int) float64 { return float64(c.first+i) * c.width }

// numbers returns the course as a run keeps it.
func (c course) numbers() []float64 {
	kind := 0.0
	if c.series {
		kind = 1
	}
	return append(append([]float64{kind, c.width, float64(c.first)}, c.sums...), c.parts...)
}

// courseFrom returns a course that a run has kept.
func courseFrom(numbers []float64) (c course, ok bool) {
	const head = 3
	n := (len(numbers) - head) / 2
	if len(numbers) < head || len(numbers) != head+2*n {
		return c, false
	}
	return course{numbers[0] == 1, numbers[1], int(numbers[2]), numbers[head : head+n], numbers[head+n:]}, true
}

// pooled are the courses of the runs of a point, in the same intervals.
type pooled struct {
	course          // the sums over all runs
	runs   []course // whose intervals begin with that of the course, and end with it
	rates  bool     // the numbers are all the same, as in a series of 1 for each event: only how many there are matters
}

// pool joins intervals until those of all runs are the same, and none is without numbers. kept are what runs have kept.
func pool(kept [][]float64) (p pooled) {
	for _, numbers := range kept {
		if c, ok := courseFrom(numbers); ok && len(c.sums) > 0 {
			p.runs = append(p.runs, c)
			p.width = max(p.width, c.width)
		}
	}
	for p.add(); p.gap() && len(p.sums) > 1; p.add() {
		p.width *= 2
	}
	return p
}

// add makes the intervals of all runs as wide as those of the course, and adds them up.
func (p *pooled) add() {
	first, end := 0, math.MaxInt
	for i, c := range p.runs {
		for c.width < p.width*(1-1e-9) {
			c = c.joined()
		}
		p.runs[i] = c
		first, end = max(first, c.first), min(end, c.first+len(c.sums))
	}
	n := max(end-first, 0)
	if len(p.runs) == 0 {
		n = 0
	}
	p.first, p.sums, p.parts, p.rates = first, make([]float64, n), make([]float64, n), false
	one, all := true, math.NaN() // the number that all are, if they are one
	for r := range p.runs {
		c := &p.runs[r]
		p.series = c.series
		skip := min(first-c.first, len(c.sums))
		c.first, c.sums, c.parts = first, c.sums[skip:], c.parts[skip:]
		c.sums, c.parts = c.sums[:n], c.parts[:n]
		for i := range n {
			p.sums[i] += c.sums[i]
			p.parts[i] += c.parts[i]
			if c.parts[i] > 0 {
				x := c.sums[i] / c.parts[i]
				if all != all {
					all = x
				}
				one = one && x == all
			}
		}
	}
	p.rates = p.series && one
}

// gap reports whether an interval has no numbers.
func (p *pooled) gap() bool {
	for _, n := range p.parts {
		if n == 0 && !p.rates {
			return true
		}
	}
	return false
}

// over returns the statistic of a course of one or more runs from one interval to before another: the mean, or the rate
// for each unit of virtual time. It is NaN without numbers.
func (p *pooled) over(c *course, from, to, runs int) float64 {
	sum, part := 0.0, 0.0
	for i := from; i < to; i++ {
		sum, part = sum+c.sums[i], part+c.parts[i]
	}
	if p.rates {
		part = float64((to-from)*runs) * p.width
	}
	return sum / part
}

// values returns the statistic in each interval.
func (p *pooled) values() []float64 {
	all := make([]float64, len(p.sums))
	for i := range all {
		all[i] = p.over(&p.course, i, i+1, len(p.runs))
	}
	return all
}

// change returns by how much the statistic in the first intervals differs from that in the intervals from another one
// on, over the runs.
func (p *pooled) change(first, from int, confidence float64) experiment.Interval {
	var all []float64
	for i := range p.runs {
		c := &p.runs[i]
		if d := p.over(c, 0, first, 1) - p.over(c, from, len(c.sums), 1); d-d == 0 {
			all = append(all, d)
		}
	}
	return experiment.MeanInterval(all, confidence)
}
