// This file owns --select: the best point, and what the table says about it.

package study

import (
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// selecting are the options of a selection.
type selecting struct {
	best         string // --select: min:name or max:name
	indifference float64
}

// selection returns what --select and --indifference ask for at a number of points; nil without them.
func (s *study) selection(points int) (*experiment.Selection, error) {
	given := fmt.Sprintf("option --select=%s: ", cmdline.Quote(s.selecting.best))
	which, name, cut := strings.Cut(s.selecting.best, ":")
	zone := s.selecting.indifference
	switch {
	case s.selecting.best == "" && zone != 0:
		return nil, usage.Errorf("option --indifference=%g: is for --select; give --select=min:name with it, or leave it out",
			zone)
	case s.selecting.best == "":
		return nil, nil
	case !cut || name == "" || which != "min" && which != "max":
		return nil, usage.Errorf(`%sgive min: or max: and the name of a result, such as "min:waiting time"`, given)
	case zone == 0:
		return nil, usage.Errorf("%swithout --indifference nothing says how near to the best is good enough; give the "+
			"smallest difference that matters, in the unit of the result, such as --indifference=0.1", given)
	case !(zone > 0) || zone-zone != 0:
		return nil, usage.Errorf("option --indifference=%g: out of range; give a number above 0, the smallest difference "+
			"that matters", zone)
	case s.precision > 0:
		return nil, usage.Errorf("%sgiven together with --precision, but each of them says when a point has enough runs; "+
			"give one of them", given)
	case s.task != "" || s.journals != "":
		return nil, usage.Errorf("%sgiven together with --task or --merge, but which run is the next depends on all runs "+
			"before, and a task does not know those of the others; divide the runs with --ranks", given)
	case points < 2 || points > experiment.MostSelected:
		return nil, usage.Errorf("%s%d of 2 to %d points; give the values of an option with --vary, or points with --design",
			given, points, experiment.MostSelected)
	case !(s.confidence > 1/float64(points)):
		return nil, usage.Errorf("option --confidence=%g: no more than the probability of a guess at one of %d points; "+
			"give more, such as 0.95", s.confidence, points)
	}
	return &experiment.Selection{Response: name, Greatest: which == "max", Zone: zone}, nil
}

// showSelection writes which point was selected, and which were left out.
func showSelection(e *experiment.Experiment, r *experiment.Results, w io.Writer) error {
	c, zone := r.Choice, e.Select.Zone
	best := &r.Points[c.Point]
	extreme, other := "least", "greater"
	if e.Select.Greatest {
		extreme, other = "greatest", "less"
	}
	verdict := "selected"
	name, mean := cmdline.Quote(e.Select.Response), short(interval(r, e.Select.Response, c.Point))
	if c.Proven {
		fmt.Fprintf(w, "\nselected: %s, which has the %s mean of %s: %s\nwith %.6g %% confidence, if all other means are %s "+
			"by %g or more (--indifference)\n", best.Point, extreme, name, mean, 100*r.Confidence, other, zone)
	} else {
		verdict = "best so far"
		why := fmt.Sprintf("%d points are left after --max-replications=%d", 1+len(c.Rivals), best.Replications)
		if c.Alike {
			why = fmt.Sprintf("%d points differ by the same amount in all of their %d runs, which does not show how much "+
				"this varies", 1+len(c.Rivals), best.Replications)
		}
		fmt.Fprintf(w, "\nnothing is proven: %s\nbest so far: %s, which has the %s mean of %s: %s\n", why, best.Point, extreme,
			name, mean)
	}
	t := &experiment.Table{}
	for _, param := range best.Point {
		t.Columns = append(t.Columns, param.Name)
	}
	t.Columns = append(t.Columns, "replications", "")
	left := map[int]bool{}
	for _, i := range c.Rivals {
		left[i] = true
	}
	total := 0
	for i := range r.Points {
		p := &r.Points[i]
		var row []any
		for _, param := range p.Point {
			row = append(row, param.Value)
		}
		what := "left out"
		switch {
		case i == c.Point:
			what = verdict
		case left[i]:
			what = "not left out"
		}
		t.Rows = append(t.Rows, append(row, p.Replications, what))
		total += p.Replications
	}
	fmt.Fprintf(w, "%d runs in all\n\n", total)
	return t.WriteText(w)
}

// addSelected adds a column to the table of --table: whether the point is selected. Without a proof none is.
func addSelected(t *experiment.Table, c *experiment.Choice) {
	t.Columns = append(t.Columns, "selected")
	for i := range t.Rows {
		t.Rows[i] = append(t.Rows[i], c.Proven && i == c.Point)
	}
}
