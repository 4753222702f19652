// This file owns Study: what a page shows, and how results become one.

package page

import (
	"slices"

	"github.com/ross-go/ross/program/parts/experiment"
)

// Study is what a page shows: results of a program, at points.
type Study struct {
	// Program is the name of the program, the heading of the page.
	Program string
	// Settings are the options that the runs have in common, or what else is to be read below the heading; "": nothing.
	Settings string
	// Confidence is that of all intervals, between 0 and 1.
	Confidence float64
	// Precision is the half width that was asked for, as a part of the mean; 0: none.
	Precision float64
	// Options are the names of the options that differ between the points.
	Options []string
	// Points are the points, each with a value for each of Options.
	Points []Point
	// Results are the results, in the order of the page.
	Results []Result
	// Base names the points with which others are compared, such as "servers=2"; "": there is no comparison.
	Base string
	// Selected is the best point (experiment.Experiment.Select); nil if none was asked for.
	Selected *Selected
	// WarmUps are courses over virtual time, for charts of their own.
	WarmUps []WarmUp
	// Notes are sentences about the study for the top of the page, such as what it lacks and why.
	Notes []string
}

// Selected is a question for the best point, with its answer.
type Selected struct {
	experiment.Selection
	experiment.Choice
}

// Point is a point: the values of the options, and the command line of its runs.
type Point struct {
	// Values are the values of Study.Options: each an int, float64, string or bool.
	Values []any
	// Replications is how many runs the point has.
	Replications int
	// Missed is true if there are not as many as Study.Precision asks for. Without a precision it has no effect.
	Missed bool
	// Command are the words of the command line of a run of this point, up to where --replication=k is added, and Rest
	// those after it. Without a Command the page has no command lines.
	Command, Rest []string
}

// Result is a result of the runs.
type Result struct {
	Name string
	// Unit is its unit, "" if it is not known.
	Unit string
	// Estimates are the means, one for each of Study.Points.
	Estimates []Estimate
	// Differences are those from the points of Study.Base, of other points.
	Differences []Difference
}

// Estimate is the mean of a result at a point.
type Estimate struct {
	experiment.Interval
	// Runs are the runs that have a number, in the order of their replications; nil: only the mean is known.
	Runs []Run
}

// Run is the result of one run.
type Run struct {
	Replication int // from 0
	Value       float64
}

// Difference is the mean of the differences of a result at a point from that at its base.
type Difference struct {
	Point int // index of Study.Points
	experiment.Interval
	// Narrower is the half width of the difference of independent runs as a multiple of Half; 0: not known.
	Narrower float64
}

func hasMean(i experiment.Interval) bool {
	mean, _ := known(i)
	return mean
}

// MostPoints is how many points a page has. More would be neither readable nor small.
const MostPoints = 2000

// known reports whether an interval has a mean that can be drawn, and whether it has a width.
func known(i experiment.Interval) (mean, half bool) {
	mean = i.N > 0 && i.Mean-i.Mean == 0
	return mean, mean && i.Half-i.Half == 0
}

// differs reports whether 0 is left out.
func (d *Difference) differs() bool {
	_, half := known(d.Interval)
	return half && !d.Contains(0)
}

// Of returns the page of results, those with the given names; nil means all. What results do not have, such as the
// program's name and command lines, is to be filled in.
func Of(r *experiment.Results, names []string) *Study {
	if names == nil {
		names = r.Responses
	}
	s := &Study{Program: "Study", Confidence: r.Confidence}
	if len(r.Points) > 0 {
		for _, param := range r.Points[0].Point {
			s.Options = append(s.Options, param.Name)
		}
	}
	for _, p := range r.Points {
		own := Point{Replications: p.Replications, Missed: !p.Enough}
		for _, param := range p.Point {
			own.Values = append(own.Values, param.Value)
		}
		s.Points = append(s.Points, own)
	}
	rows := r.Replications().Rows // the parameters, the number of the replication, and all responses
	for _, name := range names {
		result := Result{Name: name, Unit: r.Unit(name), Estimates: make([]Estimate, len(r.Points))}
		column := slices.Index(r.Responses, name)
		for i, row := 0, 0; i < len(r.Points); i++ {
			e := &result.Estimates[i]
			for range r.Points[i].Replications {
				cells := rows[row][len(s.Options):]
				row++
				if column < 0 {
					continue
				}
				if v := cells[1+column].(float64); v == v {
					e.Runs = append(e.Runs, Run{cells[0].(int), v})
				}
			}
			e.Interval = experiment.MeanInterval(r.Points[i].Values(name), r.Confidence)
		}
		s.Results = append(s.Results, result)
	}
	return s
}
