// This file owns the results of an experiment: intervals of responses, and of differences between
// points.

package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Results are the results of an experiment.
type Results struct {
	// Confidence is that of the experiment.
	Confidence float64
	// Points are the points of the experiment, in its order.
	Points []PointResult
	// Responses are the names of the responses, sorted.
	Responses []string
	// Choice is the point that Experiment.Select has selected; nil without it, and before the first replication.
	Choice *Choice
}

// PointResult is the result at one point.
type PointResult struct {
	Point Point
	// Replications is the number of replications that the result comes from, those with the numbers
	// below it.
	Replications int
	// Enough is true if there are as many replications as the experiment asks for, and that the
	// precisions of Until are reached, or that the point is left out or selected by Select. Otherwise MaxReplications
	// was reached first, or the experiment was stopped.
	Enough bool

	responses []Responses
	kept      []kept // of each replication; nil if none has kept anything
	units     map[string]string
	rare      []string
}

func (c *campaign) results() *Results {
	r := &Results{Confidence: c.Confidence, Responses: c.names}
	if c.Partial { // not those of replications beyond what was needed, which depend on the workers
		all := Responses{}
		for _, s := range c.series {
			for _, responses := range s.prefix {
				maps.Copy(all, responses)
			}
		}
		r.Responses = all.names()
	}
	for i, s := range c.series {
		r.Points = append(r.Points, PointResult{Point: c.Points[i], Replications: len(s.prefix), Enough: s.decided && s.met,
			responses: s.prefix, kept: s.keptInOrder(), units: s.units, rare: s.rare})
	}
	if c.race != nil && c.race.n > 0 {
		r.Choice = c.race.choice()
	}
	return r
}

// Values returns a response in the replications 0, 1, 2 and so on of a point, those that have it. A name that is not
// among Results.Responses gives nil.
func (p *PointResult) Values(response string) []float64 {
	var values []float64
	for _, r := range p.responses {
		if v, ok := r[response]; ok {
			values = append(values, v)
		}
	}
	return values
}

// check returns an error if a response or a point, given by its index, does not exist.
func (r *Results) check(response string, points ...int) error {
	if !slices.Contains(r.Responses, response) {
		return fmt.Errorf("ross: results: response %q does not exist: give one of %q", response, r.Responses)
	}
	for _, i := range points {
		if i < 0 || i >= len(r.Points) {
			return fmt.Errorf("ross: results: point %d does not exist: give 0 to %d", i, len(r.Points)-1)
		}
	}
	return nil
}

// Interval returns the mean of a response at a point, given by its index, with its interval.
func (r *Results) Interval(response string, point int) (Interval, error) {
	if err := r.check(response, point); err != nil {
		return Interval{}, err
	}
	return MeanInterval(r.Points[point].Values(response), r.Confidence), nil
}

// Difference returns the mean of a response at point b less that at point a, with the interval of paired
// differences: replications of the same number have the same random numbers, so that their difference
// varies less than each of them. If the interval does not contain 0, the points differ. The replications
// that both points have are compared.
//
// Of twenty such intervals, one misses by chance. For m comparisons that are to hold together with
// confidence 1-a, run the experiment with Confidence 1-a/m (Bonferroni).
func (r *Results) Difference(response string, a, b int) (Interval, error) {
	if err := r.check(response, a, b); err != nil {
		return Interval{}, err
	}
	from, to := r.Points[a].responses, r.Points[b].responses
	var differences []float64
	for i := range min(len(from), len(to)) {
		x, has := from[i][response]
		if y, both := to[i][response]; has && both {
			differences = append(differences, y-x)
		}
	}
	return MeanInterval(differences, r.Confidence), nil
}

// Summary returns a table with a row for each point and response: the parameters, the mean and its
// interval.
func (r *Results) Summary() *Table {
	t := r.table("response", "replications", "mean", "half", "low", "high", "sd", "enough")
	for i := range r.Points {
		p := &r.Points[i]
		for _, name := range r.Responses {
			v := MeanInterval(p.Values(name), r.Confidence)
			t.add(p.Point, name, v.N, v.Mean, v.Half, v.Low(), v.High(), v.SD, p.Enough)
		}
	}
	return t
}

// Differences returns a table with a row for each point but the base, and each response: the parameters,
// and the [Results.Difference] from the base. different is true if the interval does not contain 0.
func (r *Results) Differences(base int) (*Table, error) {
	if base < 0 || base >= len(r.Points) {
		return nil, fmt.Errorf("ross: results: point %d does not exist: give 0 to %d", base, len(r.Points)-1)
	}
	t := r.table("response", "replications", "difference", "half", "low", "high", "different")
	for i := range r.Points {
		for _, name := range r.Responses {
			if i == base {
				continue
			}
			v, err := r.Difference(name, base, i)
			if err != nil {
				return nil, err
			}
			t.add(r.Points[i].Point, name, v.N, v.Mean, v.Half, v.Low(), v.High(), !v.Contains(0))
		}
	}
	return t, nil
}

// Replications returns a table with a row for each replication of each point: the parameters, the number
// of the replication, and its responses. A response that the run has left out is NaN.
func (r *Results) Replications() *Table {
	t := r.table(append([]string{"replication"}, r.Responses...)...)
	for i := range r.Points {
		for replication, responses := range r.Points[i].responses {
			cells := []any{replication}
			for _, name := range r.Responses {
				v, has := responses[name]
				if !has {
					v = math.NaN()
				}
				cells = append(cells, v)
			}
			t.add(r.Points[i].Point, cells...)
		}
	}
	return t
}

// table returns an empty table with the parameters and further columns. A parameter that has the name of
// another column is called "parameter NAME".
func (r *Results) table(names ...string) *Table {
	t := &Table{}
	if len(r.Points) > 0 {
		for _, name := range r.Points[0].Point.names() {
			if slices.Contains(names, name) {
				name = "parameter " + name
			}
			t.Columns = append(t.Columns, name)
		}
	}
	t.Columns = append(t.Columns, names...)
	return t
}
