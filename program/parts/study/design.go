// This file owns --design: points from a file.

package study

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// design is what --design has: options, and the values of each point.
type design struct {
	names  []string
	points [][]value
}

// readDesign reads the file of --design, without one that of a single point without options.
func (s *study) readDesign() (d design, err error) {
	if s.design == "" {
		return design{points: [][]value{nil}}, nil
	}
	refuse := func(format string, args ...any) (design, error) {
		return d, usage.Errorf("option --design=%s: "+format, append([]any{cmdline.Quote(s.design)}, args...)...)
	}
	f, err := os.Open(s.design)
	if err != nil {
		return refuse("%v; name a CSV file", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.TrimLeadingSpace, r.Comment = true, '#'
	var columns [][]string
	for {
		words, err := r.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return s.checkDesign(d, columns)
		case errors.As(err, &wrong):
			return refuse("line %d: %v; give each line as many values as the first has names", wrong.Line, wrong.Err)
		case err != nil:
			return refuse("%v", err)
		}
		line, _ := r.FieldPos(0)
		for i, w := range words {
			words[i] = strings.TrimSpace(w)
			if words[i] == "" {
				return refuse("line %d: nothing in column %d; give a value", line, i+1)
			}
		}
		if d.names == nil {
			columns = make([][]string, len(words))
			for _, w := range words {
				name := strings.TrimPrefix(strings.TrimPrefix(w, "\ufeff"), "--")
				if slices.Contains(d.names, name) {
					return refuse("%s has two columns; give one", name)
				}
				d.names = append(d.names, name)
			}
			continue
		}
		if d.points = append(d.points, nil); len(d.points) > mostPoints {
			return refuse("more than %d points; give fewer lines", mostPoints)
		}
		for i, w := range words {
			columns[i] = append(columns[i], w)
		}
	}
}

// checkDesign fills in the points from the columns, and checks their options.
func (s *study) checkDesign(d design, columns [][]string) (design, error) {
	if len(d.points) == 0 {
		return d, usage.Errorf("option --design=%s: no points; give a line of names of options, and a line of values for "+
			"each point", cmdline.Quote(s.design))
	}
	for i, name := range d.names {
		if slices.ContainsFunc(s.factors, func(f factor) bool { return f.name == name }) {
			return d, usage.Errorf("option --design=%s: %s is varied too (--vary); leave it out in one of them",
				cmdline.Quote(s.design), name)
		}
		if err := s.mayVary("--design="+cmdline.Quote(s.design), name); err != nil {
			return d, err
		}
		for j, v := range typed(columns[i]) {
			d.points[j] = append(d.points[j], v)
		}
	}
	seen := map[string]int{}
	for j, values := range d.points {
		var words []string
		for _, v := range values {
			words = append(words, v.word)
		}
		key := strings.Join(words, "\x00")
		if before, is := seen[key]; is {
			return d, usage.Errorf("option --design=%s: points %d and %d are the same; give each once", cmdline.Quote(s.design),
				before+1, j+1)
		}
		seen[key] = j
	}
	return d, nil
}

// starts returns the points of the file, and the words of the command line of each.
func (d design) starts() (all []experiment.Point, words [][]string) {
	for _, values := range d.points {
		point, line := experiment.Point{}, []string(nil)
		for i, v := range values {
			point = append(point, experiment.Param{Name: d.names[i], Value: v.shown})
			line = append(line, "--"+d.names[i]+"="+v.word)
		}
		all, words = append(all, point), append(words, line)
	}
	return all, words
}
