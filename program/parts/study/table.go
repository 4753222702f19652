// This file owns the tables of a study: on the terminal and in a file; and the names of journals.

package study

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// show writes the tables.
func (s *study) show(p *plan, r *experiment.Results, stdout io.Writer) error {
	names := p.shown(r)
	var text strings.Builder
	text.WriteString(p.experiment.Name + "\n")
	fmt.Fprintf(&text, "means with half widths of %.6g %% confidence intervals\n\n", 100*r.Confidence)
	var err error
	if len(r.Points[0].Point) == 0 {
		err = vertical(r, names).WriteText(&text)
	} else {
		err = blocks(r, names, &text)
	}
	for at, point := range r.Points {
		if !point.Enough && s.precision > 0 {
			fmt.Fprintf(&text, "precision %g is not reached after %d replications: point %s%s\n", s.precision,
				point.Replications, point.Point,
				unvaried(r, names, at))
		}
	}
	for _, name := range names {
		if !slices.Contains(r.Responses, name) {
			fmt.Fprintf(&text, "no run has recorded anything for %s%s\n", cmdline.Quote(name), s.lacking())
		}
	}
	var differences []comparison
	if err == nil && p.bases != nil {
		if differences, err = s.compare(r, names, p.bases); err == nil {
			err = s.showDifferences(r, differences, &text)
		}
	}
	if err == nil && r.Choice != nil {
		err = showSelection(&p.experiment, r, &text)
	}
	if err == nil && s.finding.of != "" {
		err = s.showWarmUps(r, &text)
	}
	if err == nil {
		_, err = io.WriteString(stdout, text.String())
	}
	if err == nil && s.table != "" {
		table := flat(r, names)
		if p.bases != nil {
			addDifferences(table, names, differences)
		}
		if r.Choice != nil {
			addSelected(table, r.Choice)
		}
		err = s.write("table", s.table, table)
	}
	if err == nil && s.page != "" {
		err = s.writePage(p, r, names, differences)
	}
	return err
}

// shown returns the names of the results in the tables: without --results, all but rare things that have not happened.
func (p *plan) shown(r *experiment.Results) []string {
	if len(p.results) > 0 {
		return p.results
	}
	return slices.DeleteFunc(slices.Clone(r.Responses), func(name string) bool { return neverHappened(r, name) })
}

// lacking says why runs may lack a result that the model has.
func (s *study) lacking() string {
	if s.journal == "" && s.journals == "" {
		return ""
	}
	return "; runs that the journal has from a command without its name may lack it"
}

// unvaried returns a remark that names the results that are the same in all runs of a point. They never reach a
// precision.
func unvaried(r *experiment.Results, names []string, point int) string {
	var same []string
	for _, name := range names {
		if i := interval(r, name, point); i.N > 0 && i.SD == 0 {
			same = append(same, fmt.Sprintf("%s is %g", cmdline.Quote(name), i.Mean))
		}
	}
	if len(same) == 0 {
		return ""
	}
	return "; in all runs " + strings.Join(same, " and ") + ", which says nothing about the precision"
}

// unknownResult is the error of a name in an option that no result has.
func unknownResult(option, name string, known []string) error {
	return resultError{usage.Errorf("option --%s: %s is not a result; %sgive one of %s", option, cmdline.Quote(name),
		meant(name, known), strings.Join(known, ", "))}
}

// resultError is the error of a wrong name in --results, which is not one of a run.
type resultError struct{ error }

func (e resultError) Unwrap() error { return e.error }

// checkResults checks that runs have the results that are asked for, since a journal may have all the runs.
func (s *study) checkResults(p *plan, r *experiment.Results) error {
	for _, name := range p.results {
		if slices.Contains(r.Responses, name) {
			continue
		}
		if s.known.names == nil && ranks.Processes() == 1 {
			if err := s.declared(p); err != nil {
				return err
			}
		}
		if !s.known.names[name] {
			s.known.add(slices.Values(r.Responses))
			return unknownResult("results", name, slices.Sorted(maps.Keys(s.known.names)))
		}
	}
	return nil
}

// interval returns the interval of a result at a point. Without numbers its mean is NaN.
func interval(r *experiment.Results, name string, point int) experiment.Interval {
	i := experiment.MeanInterval(r.Points[point].Values(name), r.Confidence)
	if i.N == 0 {
		i.Mean, i.Half = math.NaN(), math.NaN()
	}
	return i
}

// withUnit returns the name of a result with its unit, if it has one.
func withUnit(r *experiment.Results, name string) string {
	if unit := r.Unit(name); unit != "" {
		name += " [" + unit + "]"
	}
	return name
}

// vertical returns the table of one point: a row for each result.
func vertical(r *experiment.Results, names []string) *experiment.Table {
	t := &experiment.Table{Columns: []string{"result", "mean", "half width", "replications"}}
	for _, name := range names {
		i := interval(r, name, 0)
		t.Rows = append(t.Rows, []any{withUnit(r, name), i.Mean, i.Half, i.N})
	}
	return t
}

// flat returns the table with a row for each point, and three columns for each result.
func flat(r *experiment.Results, names []string) *experiment.Table {
	t := &experiment.Table{}
	for _, param := range r.Points[0].Point {
		t.Columns = append(t.Columns, param.Name)
	}
	for _, name := range names {
		t.Columns = append(t.Columns, name+" mean", name+" half width", name+" n")
	}
	for at, p := range r.Points {
		var row []any
		for _, param := range p.Point {
			row = append(row, param.Value)
		}
		for _, name := range names {
			i := interval(r, name, at)
			row = append(row, i.Mean, i.Half, i.N)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// widest is the number of columns of a terminal that a table may have.
const widest = 100

// short returns an interval with two digits of the half width, and the mean down to the same place.
func short(i experiment.Interval) string {
	mean, half := i.Rounded()
	return mean + " ± " + half
}

// blocks writes the table with a row for each point and the interval of each result, as many as fit side by side, and
// the others below with the parameters again.
func blocks(r *experiment.Results, names []string, w io.Writer) error {
	for len(names) > 0 {
		t := &experiment.Table{}
		width := 0
		for _, param := range r.Points[0].Point {
			t.Columns = append(t.Columns, param.Name)
			width += max(utf8.RuneCountInString(param.Name), 6) + 2
		}
		n := 0
		for n < len(names) {
			name := withUnit(r, names[n])
			if width += max(utf8.RuneCountInString(name), 18) + 2; n > 0 && width > widest {
				break
			}
			t.Columns = append(t.Columns, name)
			n++
		}
		t.Columns = append(t.Columns, "replications")
		for at, p := range r.Points {
			var row []any
			for _, param := range p.Point {
				row = append(row, param.Value)
			}
			for _, name := range names[:n] {
				i := interval(r, name, at)
				cell := short(i)
				if i.N < p.Replications {
					cell += fmt.Sprintf(" (of %d)", i.N)
				}
				row = append(row, cell)
			}
			t.Rows = append(t.Rows, append(row, p.Replications))
		}
		if err := t.WriteText(w); err != nil {
			return err
		}
		if names = names[n:]; len(names) > 0 {
			_, _ = io.WriteString(w, "\n")
		}
	}
	return nil
}

// format returns the format of a file, or nil.
func (s *study) format(path string) *Format {
	for i := range s.formats {
		if s.formats[i].Suffix == filepath.Ext(path) {
			return &s.formats[i]
		}
	}
	return nil
}

// kinds returns the name of a file in each format.
func (s *study) kinds(name, between string) string {
	var all []string
	for _, f := range s.formats {
		all = append(all, name+f.Suffix)
	}
	return strings.Join(all, between)
}

// write writes a table to the file of an option, which has its name when it is complete.
func (s *study) write(option, path string, t *experiment.Table) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return s.format(path).Write(t, w) })
	if err != nil {
		err = fmt.Errorf("option --%s=%s: %w; %s", option, cmdline.Quote(path), err,
			atomicfile.Remedy(err, "name a file that can be written"))
	}
	return err
}

// journalsIn returns the journals that --merge names: the files of tasks in a folder, or the files themselves.
func journalsIn(text string) (paths []string, err error) {
	for name := range strings.SplitSeq(text, ",") {
		info, err := os.Stat(name)
		if err != nil {
			return nil,
				usage.Errorf(
					"option --merge=%s: %v; name a folder with journals of tasks, or the journals with commas between them",
					cmdline.Quote(text), err)
		}
		if !info.IsDir() {
			paths = append(paths, name)
			continue
		}
		found := experiment.TaskJournals(name)
		if len(found) == 0 {
			return nil,
				usage.Errorf("option --merge=%s: %s has no journals of tasks, such as runs.3-of-10; name the folder of --journal",
					cmdline.Quote(text), cmdline.Quote(name))
		}
		paths = append(paths, found...)
	}
	return paths, nil
}
