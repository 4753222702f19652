// This file finds the runs below a folder.

// Package runlist finds the runs below a folder, for pages that list them or draw their figures: folders with a
// description (run.json) or with files of the instrumentation. Hidden folders and symbolic links are left out.
package runlist

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

const (
	deepest  = 8    // folders between the one that was named and a run
	mostRuns = 5000 // beyond them the list is cut off
)

// Run is a run.
type Run struct {
	Name       string         // its folder, from the one that was named, with slashes; "." for that itself
	Dir        string         // the path of its folder
	Info       *instr.RunInfo // nil if it does not describe itself
	Bad        string         // why its description cannot be read
	When       time.Time      // when it began, or its files changed last
	Part       bool           // a file is not complete
	Statistics []string       // names of its files with statistics of the model, as JSON, in order
	Word       uint64         // changes with its files
	Size       int64          // bytes of its files
}

// Scan returns the runs below a folder, the newest first. cut is set if there are more.
func Scan(root string) (found []*Run, cut bool, err error) {
	byDir := map[string]*Run{}
	statistics := map[string][]fs.DirEntry{} // which alone make no run
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			return nil // a folder that is gone, or may not be read
		case d.IsDir():
			if name, _ := filepath.Rel(root, path); path != root &&
				(strings.HasPrefix(d.Name(), ".") || strings.Count(name, string(filepath.Separator)) >= deepest) {
				return fs.SkipDir
			}
			return nil
		case d.Type().IsRegular() && strings.HasSuffix(d.Name(), instr.StatisticsSuffix+".json"):
			statistics[filepath.Dir(path)] = append(statistics[filepath.Dir(path)], d)
			return nil
		case !d.Type().IsRegular() || d.Name() != instr.RunName && instr.ContentOf(d.Name()) == instr.Unknown:
			return nil
		}
		dir := filepath.Dir(path)
		e := byDir[dir]
		if e == nil {
			if len(byDir) == mostRuns {
				cut = true
				return fs.SkipAll
			}
			name, err := filepath.Rel(root, dir)
			if err != nil {
				return nil
			}
			e = &Run{Name: filepath.ToSlash(name), Dir: dir}
			byDir[dir] = e
		}
		e.see(d)
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("ross: input: %w: name a folder that can be read", err)
	}
	for _, e := range byDir {
		for _, d := range statistics[e.Dir] {
			e.Statistics = append(e.Statistics, d.Name())
			e.see(d)
		}
		info, err := instr.ReadRunInfo(e.Dir)
		switch {
		case err == nil:
			e.Info, e.When = info, info.Begin
		case !isMissing(err):
			e.Bad = err.Error()
		}
		found = append(found, e)
	}
	slices.SortFunc(found, func(a, b *Run) int { return cmp.Or(b.When.Compare(a.When), cmp.Compare(a.Name, b.Name)) })
	return found, cut, nil
}

// see notes a file of the run.
func (e *Run) see(d fs.DirEntry) {
	info, err := d.Info()
	if err != nil {
		return // it is gone
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %d", d.Name(), info.Size(), info.ModTime().UnixNano())
	e.Word += h.Sum64() // the order of files does not matter
	e.Size += info.Size()
	e.Part = e.Part || strings.HasSuffix(d.Name(), instr.PartSuffix)
	if info.ModTime().After(e.When) {
		e.When = info.ModTime()
	}
}

// State describes how the run ended, if that is known.
func (e *Run) State() string {
	switch {
	case e.Bad != "":
		return "damaged run.json"
	case e.Info != nil && e.Info.State == instr.RunRunning:
		return "running, or killed"
	case e.Info != nil:
		return e.Info.State
	case e.Part:
		return "files not complete"
	}
	return "not known"
}

// Model returns the name of the model.
func (e *Run) Model() string {
	if e.Info == nil {
		return "–"
	}
	return e.Info.Model
}

// Shape describes how the model ran.
func (e *Run) Shape() string {
	if e.Info == nil {
		return "–"
	}
	text := fmt.Sprintf("%s, PEs: %d", e.Info.Scheduler, e.Info.PEs)
	if e.Info.Ranks > 1 {
		text += fmt.Sprintf(", ranks: %d", e.Info.Ranks)
	}
	return text
}

// Rate returns the net events per second.
func (e *Run) Rate() string {
	if e.Info == nil || e.Info.Result == nil {
		return "–"
	}
	x := e.Info.Result.EventRate
	for _, u := range []struct {
		size float64
		unit string
	}{{1e9, " G/s"}, {1e6, " M/s"}, {1e3, " k/s"}} {
		if x >= u.size {
			return fmt.Sprintf("%.3g%s", x/u.size, u.unit)
		}
	}
	return fmt.Sprintf("%.3g /s", x)
}

// Efficiency returns the efficiency in percent.
func (e *Run) Efficiency() string {
	if e.Info == nil || e.Info.Result == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", e.Info.Result.Efficiency)
}

// Begin returns when the run began.
func (e *Run) Begin() string { return survey.Clock(e.When) }

// Time returns the run time.
func (e *Run) Time() string {
	if e.Info == nil || e.Info.Result == nil || e.Info.Result.Runtime <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g s", e.Info.Result.Runtime)
}

// Order returns the value by which a column is sorted, "" if it is not known.
func (e *Run) Order(column string) string {
	if column == "begin" {
		return strconv.FormatInt(e.When.UnixMilli(), 10)
	}
	if e.Info == nil || e.Info.Result == nil {
		return ""
	}
	x := map[string]float64{"time": e.Info.Result.Runtime, "rate": e.Info.Result.EventRate,
		"efficiency": e.Info.Result.Efficiency}[column]
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Option returns the value of an option, "–" if it is not known.
func (e *Run) Option(name string) string {
	if e.Info == nil || e.Info.Options[name] == "" {
		return "–"
	}
	return e.Info.Options[name]
}

// Value returns the value of an option, and whether it is known. That of --max-memory is not unless it was given: its
// default depends on the memory that is free.
func (e *Run) Value(option string) (value string, known bool) {
	if e.Info == nil {
		return "", false
	}
	value, known = e.Info.Options[option]
	if option == "max-memory" && !strings.Contains(strings.Join(e.Info.Command, " "), "-max-memory") {
		return "", false
	}
	return value, known
}

// Differing returns the options in which runs of the same model differ: those first that have most values, then by
// name.
func Differing(runs []*Run) (names []string) {
	type of struct{ model, option string }
	values := map[of]map[string]bool{}
	for _, e := range runs {
		if e.Info == nil {
			continue
		}
		for option := range e.Info.Options {
			value, known := e.Value(option)
			switch option {
			case "stats-path", "stats-prefix", "http", "progress", "report":
				continue
			}
			if !known {
				continue
			}
			key := of{e.Info.Model, option}
			if values[key] == nil {
				values[key] = map[string]bool{}
			}
			values[key][value] = true
		}
	}
	most := map[string]int{} // values, of the model that has most
	for key, different := range values {
		if n := len(different); n > 1 {
			most[key.option] = max(most[key.option], n)
		}
	}
	return slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b))
	})
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
