// This file owns --page: the results as a page, with the command line of each run.

package study

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// ofPage is the name of the option.
const ofPage = "page"

// registerPage adds the option.
func (s *study) registerPage(g *cmdline.Group) {
	g.File(&s.page, ofPage, "write a page with charts and tables of the results: name.html")
}

// checkPage checks the page of a number of points, before the first run.
func (s *study) checkPage(points int) error {
	switch {
	case s.page == "":
	case filepath.Ext(s.page) != ".html":
		return usage.Errorf("option --page=%s: a browser would not show it as a page; give a name that ends with .html",
			cmdline.Quote(s.page))
	case points > page.MostPoints:
		return usage.Errorf("option --page=%s: the study has %d points, and a page at most %d; give --table instead, or fewer "+
			"points", cmdline.Quote(s.page), points, page.MostPoints)
	}
	return nil
}

// writePage writes the page, which has its name when it is complete.
func (s *study) writePage(p *plan, r *experiment.Results, names []string, differences []comparison) error {
	v := page.Of(r, names)
	v.Program, v.Settings, v.Precision = s.program, p.experiment.Name, s.precision
	command := s.command(p)
	for i := range v.Points {
		own := &v.Points[i]
		own.Command, own.Rest = append(slices.Clone(command), p.words[r.Points[i].Point.String()]...), p.rest
		if slices.ContainsFunc(own.Command, func(word string) bool { return strings.HasPrefix(word, "--io-restart=") }) {
			own.Command = append(own.Command, "--io-branch") // as the runs of a study do
		}
	}
	if r.Choice != nil {
		v.Selected = &page.Selected{Selection: *p.experiment.Select, Choice: *r.Choice}
	}
	if p.bases != nil {
		v.Base = s.base
		for _, c := range differences {
			of := &v.Results[slices.Index(names, c.name)]
			of.Differences = append(of.Differences, page.Difference{Point: c.point, Interval: c.paired, Narrower: c.narrower})
		}
	}
	if s.finding.of != "" {
		v.WarmUps = append(v.WarmUps, s.onPage(r))
	}
	err := atomicfile.Write(s.page, func(w io.Writer) error { return v.Write(w) })
	if err != nil {
		err = fmt.Errorf("option --page=%s: %w; %s", cmdline.Quote(s.page), err,
			atomicfile.Remedy(err, "name a file that can be written"))
	}
	return err
}

// notSingle are options, besides those of the study, that a single run does not take from its command line: processes,
// which share the runs, results, which a single run need not have, and files with options, whose values are there.
var notSingle = []string{"ranks", "results", "replication", "args-file"}

// command returns the words of a single run without those of its point: the options of model and engine that are not
// the program's defaults.
func (s *study) command(p *plan) []string {
	_, before, _ := s.fresh()
	_, after, _ := s.fresh()
	_, _ = after.Parse(slices.Concat(p.args, p.rest)) // the program has read them
	path, _ := os.Executable()
	words := started(s.program, path, buildinfo.Package())
	for _, settings := range []iter.Seq[cmdline.Setting]{after.Model(), after.Engine()} {
		for set := range settings {
			name := strings.TrimPrefix(set.Name, "--")
			was, _ := before.Value(name)
			if set.Value != was && !slices.Contains(p.varied, name) && !slices.Contains(notSingle, name) {
				words = append(words, set.Name+"="+set.Value)
			}
		}
	}
	return words
}

// started returns the words that start the program again: its name, or go run and the package, for go run removes the
// executable (in a folder of its own, go-build123/b001/exe) at the end.
func started(name, executable, pkg string) []string {
	if at := filepath.Dir(executable); filepath.Base(at) == "exe" && strings.Contains(at, "go-build") && pkg != "" {
		return []string{"go", "run", pkg}
	}
	return []string{name}
}
