// This file owns --base: the differences of points from one of them.

package study

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// baseValues returns, for each factor, the index of its value in --base, or -1 if the factor is not named there.
func (s *study) baseValues() ([]int, error) {
	at := make([]int, len(s.factors))
	for i := range at {
		at[i] = -1
	}
	refuse := func(format string, args ...any) ([]int, error) {
		return nil, usage.Errorf("option --base=%s: %s", cmdline.Quote(s.base), fmt.Sprintf(format, args...))
	}
	for part := range strings.SplitSeq(s.base, ",") {
		name, word, given := strings.Cut(part, "=")
		name = strings.TrimPrefix(name, "--")
		f := slices.IndexFunc(s.factors, func(f factor) bool { return f.name == name })
		switch {
		case !given:
			return refuse("no value; give an option that is varied with one of its values, such as servers=2")
		case f < 0:
			return refuse("--%s is not varied; give one of %s", name, s.varied())
		case at[f] >= 0:
			return refuse("%s is there twice; give one value", name)
		}
		shown := typed([]string{word})[0].shown
		at[f] = slices.IndexFunc(s.factors[f].values, func(v value) bool {
			return v.word == word || fmt.Sprint(v.shown) == fmt.Sprint(shown)
		})
		if at[f] < 0 {
			return refuse("--%s is not varied to %s; give one of the values of --vary=%s", name, cmdline.Quote(word),
				cmdline.Quote(s.factors[f].text))
		}
	}
	return at, nil
}

// varied lists the names of the options that are varied.
func (s *study) varied() string {
	if len(s.factors) == 0 {
		return "those of --vary"
	}
	var names []string
	for _, f := range s.factors {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// bases returns the point with which each point is compared: the one that differs from it only in the options that
// --base names.
func (s *study) bases(rows int, values []int) (all []int) {
	for row := range rows { // of --design
		all = append(all, row)
	}
	for i, f := range s.factors {
		var longer []int
		for _, base := range all {
			for v := range f.values {
				if values[i] >= 0 {
					v = values[i]
				}
				longer = append(longer, base*len(f.values)+v)
			}
		}
		all = longer
	}
	return all
}

// comparison is the difference of a result at a point from its base.
type comparison struct {
	point  int
	name   string
	paired experiment.Interval // of the difference
	// narrower is the half width of the difference of independent runs, as a multiple of that of paired ones.
	narrower float64
}

// differs reports whether the interval leaves 0 out.
func (c comparison) differs() bool { return c.paired.N > 1 && !c.paired.Contains(0) }

// compare returns the differences of all results of all points that are not a base. For each result, all intervals
// together hold with the confidence of the study (Bonferroni).
func (s *study) compare(r *experiment.Results, names []string, bases []int) (all []comparison, err error) {
	m := 0
	for at, base := range bases {
		if at != base {
			m++
		}
	}
	adjusted := *r
	adjusted.Confidence = 1 - (1-r.Confidence)/float64(max(m, 1))
	for at, base := range bases {
		for _, name := range names {
			if at == base || !slices.Contains(r.Responses, name) {
				continue
			}
			c := comparison{point: at, name: name}
			if c.paired, err = adjusted.Difference(name, base, at); err != nil {
				return nil, err
			}
			a, b := interval(r, name, base), interval(r, name, at)
			c.narrower = math.NaN()
			if n := float64(c.paired.N); c.paired.N > 1 && c.paired.SD > 0 {
				c.narrower = math.Sqrt((a.SD*a.SD+b.SD*b.SD)/n) / (c.paired.SD / math.Sqrt(n))
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// showDifferences writes the table of the differences.
func (s *study) showDifferences(r *experiment.Results, all []comparison, w io.Writer) error {
	fmt.Fprintf(w, "\ndifferences from --base=%s in runs with the same random numbers,\nwith half widths of intervals that "+
		"hold together with %.6g %% for each result (Bonferroni); * where 0 is left out\n\n", s.base, 100*r.Confidence)
	t := &experiment.Table{}
	for _, param := range r.Points[0].Point {
		t.Columns = append(t.Columns, param.Name)
	}
	t.Columns = append(t.Columns, "result", "difference", "", "narrower by pairing")
	for _, c := range all {
		var row []any
		for _, param := range r.Points[c.point].Point {
			row = append(row, param.Value)
		}
		mark, narrower := "", "-"
		if c.differs() {
			mark = "*"
		}
		if c.narrower == c.narrower {
			narrower = fmt.Sprintf("%.2g times", c.narrower)
		}
		t.Rows = append(t.Rows, append(row, c.name, short(c.paired), mark, narrower))
	}
	err := t.WriteText(w)
	if err == nil && pairsInVain(all) {
		_, err = io.WriteString(w, "pairing makes no interval narrower by more than a tenth: it does if each source of random "+
			"numbers,\nsuch as arrivals, has a stream of its own (LP.Stream, Config.Streams.PerLP; Self.Stream of processes)\n")
	}
	return err
}

// pairsInVain reports whether pairing makes no interval much narrower.
func pairsInVain(all []comparison) bool {
	known := false
	for _, c := range all {
		if known = known || c.narrower == c.narrower; c.narrower >= 1.1 {
			return false
		}
	}
	return known
}

// addDifferences adds the differences to the table of --table: for each result three columns, empty (NaN) for a base.
func addDifferences(t *experiment.Table, names []string, all []comparison) {
	for _, name := range names {
		t.Columns = append(t.Columns, name+" difference", name+" difference half width", name+" differs")
		for i := range t.Rows {
			difference, half, differs := math.NaN(), math.NaN(), false
			for _, c := range all {
				if c.point == i && c.name == name {
					difference, half, differs = c.paired.Mean, c.paired.Half, c.differs()
				}
			}
			t.Rows[i] = append(t.Rows[i], difference, half, differs)
		}
	}
}
