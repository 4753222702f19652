// This file owns the reading of journals without their experiment: for programs that show what was found.

package experiment

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Recorded is what journals know of their experiment.
type Recorded struct {
	// Name is Experiment.Name; in the journal of a study it is the program with the options that decide the results.
	Name string
	// Seed is Experiment.Seed.
	Seed uint64
	// Results are those of the replications from 0 on without a gap. Points are in the order of their values: numbers
	// ascending, false before true, texts in the order of the journals. Points that have no such replication are left out,
	// and Enough is true, as a journal does not know how many replications there should be.
	Results *Results
	// Beyond is how many replications are left out, as one with a lower number is missing.
	Beyond int
}

// Read returns what is in the journals of an experiment: in one, or in those of all its tasks (Experiment.Tasks).
// Unlike Merge it needs neither the experiment nor its program. The confidence of the intervals must be above 0 and
// below 1. The journals are not changed. If there are no journals of some tasks, the error wraps ErrMissing.
func Read(confidence float64, journals ...string) (*Recorded, error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, fmt.Errorf("ross: experiment: the confidence is %g: give a number between 0 and 1, such as 0.95", confidence)
	}
	if len(journals) == 0 {
		return nil, fmt.Errorf("ross: experiment: no journals: name at least one")
	}
	r := &reading{series: map[string]*series{}, seen: map[string]Responses{}, tasks: map[string]bool{}}
	for _, path := range journals {
		if err := r.read(path); err != nil {
			return nil, fmt.Errorf("ross: experiment: journal %s: %w", path, err)
		}
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	return r.recorded(confidence)
}

// IsJournal reports whether the content of a file begins as a journal does.
func IsJournal(content []byte) bool { return bytes.HasPrefix(content, []byte(`{"experiment":`)) }

// TaskJournals returns the journals of tasks in a folder, such as runs.3-of-10, sorted; none if it has none.
func TaskJournals(folder string) []string {
	escaped := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
	found, _ := filepath.Glob(filepath.Join(escaped, "*.[0-9]*-of-[0-9]*")) // the pattern is right
	return found
}

// reading is what has been read so far.
type reading struct {
	head   journalHead          // of the first journal, without its task
	order  []string             // of the points
	series map[string]*series   // of each point
	seen   map[string]Responses // as readRecords has it
	tasks  map[string]bool      // such as 3/10
	of     int                  // how many tasks there are, 0: the experiment is not divided
}

// read takes in a journal.
func (r *reading) read(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %s", err, atomicfile.Remedy(err, "name a file that exists and may be read"))
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if len(whole) == 0 {
		return errNoJournal
	}
	lines := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	var head journalHead
	if unseal(lines[0], &head) != nil {
		if !IsJournal(lines[0]) {
			return errNoJournal
		}
		return fmt.Errorf("line 1: %w: restore the file, or run the experiment again", errSeal)
	}
	if head.Format != journalFormat {
		return fmt.Errorf("it has format %d, and this program reads %d: run the experiment again", head.Format, journalFormat)
	}
	if head.Task != "" {
		task, of := 0, 0
		if _, err := fmt.Sscanf(head.Task, "%d/%d", &task, &of); err != nil || task < 0 || task >= of ||
			r.of > 0 && r.of != of {
			return fmt.Errorf("its task is %q: name journals of one division", head.Task)
		}
		r.tasks[head.Task], r.of = true, of
	}
	if r.head.Format == 0 {
		r.head = head
	}
	same := r.head
	same.Task = head.Task
	first, err := seal(same)
	if err == nil {
		err = same.compare(lines[0], first)
	}
	if err != nil {
		return err
	}
	return readRecords(lines, r.seen, func(own journalRecord) error {
		s := r.series[own.Point]
		if s == nil {
			s = &series{early: map[uint64]Responses{}}
			r.series[own.Point], r.order = s, append(r.order, own.Point)
		}
		s.early[own.Replication] = own.Responses
		s.keep(own.Replication, own.extras)
		return own.Responses.check(nil, true)
	})
}

// complete returns an error if there are no journals of some tasks.
func (r *reading) complete() error {
	var missing []string
	for task := range r.of {
		if name := fmt.Sprintf("%d/%d", task, r.of); !r.tasks[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("ross: experiment %q: %w: there are no journals of the tasks %s: name those of all tasks", r.head.Experiment,
		ErrMissing, strings.Join(missing, ", "))
}

// recorded returns what has been read.
func (r *reading) recorded(confidence float64) (*Recorded, error) {
	found := &Recorded{Name: r.head.Experiment, Seed: r.head.Seed, Results: &Results{Confidence: confidence}}
	points, err := parsePoints(r.order, r.head.Parameters)
	if err != nil {
		return nil, fmt.Errorf("ross: experiment %q: %w", r.head.Experiment, err)
	}
	all := Responses{}
	for i, name := range r.order {
		s := r.series[name]
		for n := uint64(0); s.early[n] != nil; n++ {
			s.prefix = append(s.prefix, s.early[n])
			maps.Copy(all, s.early[n])
		}
		found.Beyond += len(s.early) - len(s.prefix)
		if len(s.prefix) > 0 {
			found.Results.Points = append(found.Results.Points, PointResult{Point: points[i], Replications: len(s.prefix),
				Enough: true, responses: s.prefix, kept: s.keptInOrder(), units: s.units, rare: s.rare})
		}
	}
	found.Results.Responses = all.names()
	if len(found.Results.Points) == 0 {
		return nil, fmt.Errorf("ross: experiment %q: the journal has no replication 0: run the experiment first",
			r.head.Experiment)
	}
	inOrder(found.Results.Points)
	return found, nil
}

// inOrder sorts points by their values: numbers ascending, false before true, texts in the order in which they come
// first.
func inOrder(points []PointResult) {
	ranks := map[Param]float64{} // of the values
	for _, p := range points {
		for _, param := range p.Point {
			if _, has := ranks[param]; has {
				continue
			}
			switch v := param.Value.(type) {
			case int:
				ranks[param] = float64(v)
			case float64:
				ranks[param] = v
			case bool:
				if ranks[param] = 0; v {
					ranks[param] = 1
				}
			default:
				ranks[param] = float64(len(ranks))
			}
		}
	}
	slices.SortStableFunc(points, func(a, b PointResult) int {
		return slices.CompareFunc(a.Point, b.Point, func(x, y Param) int { return cmp.Compare(ranks[x], ranks[y]) })
	})
}

// parsePoints returns the points that Point.String has written: those of the given parameters. A parameter whose values
// are ints at all points, or numbers, has these; bool is one too, and others are texts.
func parsePoints(texts, names []string) ([]Point, error) {
	points := make([]Point, len(texts))
	for i, text := range texts {
		rest := text
		for k, name := range names {
			var found bool
			if k > 0 {
				rest = strings.TrimPrefix(rest, " ")
			}
			if rest, found = strings.CutPrefix(rest, quote(name)+"="); !found {
				return nil, fmt.Errorf("point %s: does not have the parameters %q: name another journal", text, names)
			}
			word, after, quoted := rest, "", false
			if prefix, err := strconv.QuotedPrefix(rest); err == nil && rest[0] == '"' {
				word, _ = strconv.Unquote(prefix)
				after, quoted = rest[len(prefix):], true
			} else if at := strings.IndexByte(rest, ' '); at >= 0 {
				word, after = rest[:at], rest[at:]
			}
			value := any(word)
			if !quoted {
				value = bare(word)
			}
			points[i], rest = append(points[i], Param{name, value}), after
		}
	}
	for k := range names {
		unify(points, k)
	}
	return points, nil
}

// bare is a value that is not in quotes: of a type that is not yet known.
type bare string

// unify gives a parameter the same type at all points.
func unify(points []Point, k int) {
	parsers := []func(string) (any, error){
		func(w string) (any, error) { return strconv.Atoi(w) },
		func(w string) (any, error) { return strconv.ParseFloat(w, 64) },
		func(w string) (any, error) {
			if w != "true" && w != "false" {
				return nil, strconv.ErrSyntax
			}
			return w == "true", nil
		},
		func(w string) (any, error) { return w, nil },
	}
next:
	for i, parse := range parsers {
		values := make([]any, len(points))
		for p := range points {
			word, is := points[p][k].Value.(bare)
			if !is && i < len(parsers)-1 {
				continue next // a text in quotes
			}
			if !is {
				values[p] = points[p][k].Value
				continue
			}
			v, err := parse(string(word))
			if f, number := v.(float64); err != nil || number && f-f != 0 {
				continue next
			}
			values[p] = v
		}
		for p := range points {
			points[p][k].Value = values[p]
		}
		return
	}
}
