// This file owns the figures that the model supplies: its statistics, from the files that runs write.

package figures

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
)

// largestFile is the number of bytes of a file with statistics from which it is not read.
const largestFile = 64 << 20

// measure is a number of a statistic.
type measure struct {
	name, unit string
	value      float64
}

// row is a statistic of a run.
type row struct {
	group, name, unit string
	all               []measure
}

// Reader reads the statistics of runs, and keeps them until the files change.
type Reader struct {
	most int // numbers of statistics of a page
	lock sync.Mutex
	kept map[string]kept // by the folder of the run
}

// kept is what the statistics of a run were when its files had a word.
type kept struct {
	word uint64
	rows []row
	err  error
}

// NewReader returns a reader that has read nothing yet.
func NewReader() *Reader { return &Reader{most: mostNumbers, kept: map[string]kept{}} }

// statistics returns the statistics of each run, and the errors of those whose file cannot be read.
func (r *Reader) statistics(runs []*runlist.Run) (all [][]row, errs []error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	now := map[string]kept{}
	for _, run := range runs {
		k, ok := r.kept[run.Dir]
		if !ok || k.word != run.Word {
			k = kept{word: run.Word}
			if len(run.Statistics) > 0 { // as a report, which has those of one prefix
				k.rows, k.err = readStatistics(filepath.Join(run.Dir, run.Statistics[0]))
			}
		}
		now[run.Dir] = k
		all = append(all, k.rows)
		if k.err != nil {
			errs = append(errs, k.err)
		}
	}
	r.kept = now
	return all, errs
}

func readStatistics(path string) ([]row, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > largestFile {
		return nil, fmt.Errorf("%s: %d bytes are more than are read", path, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Rows []struct {
			Group, Statistic, Unit, Kind      string
			Count, Sum, Mean, StdDev, NonZero *float64
			Min, Max                          *float64
			Quantiles                         map[string]*float64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var rows []row
	for _, s := range file.Rows {
		of := row{group: s.Group, name: s.Statistic, unit: s.Unit}
		add := func(name, unit string, x *float64) {
			if x != nil {
				of.all = append(of.all, measure{name, unit, *x})
			}
		}
		add("mean", s.Unit, s.Mean)
		add("count", "", s.Count)
		add("sum", s.Unit, s.Sum)
		add("standard deviation", s.Unit, s.StdDev)
		add("least", s.Unit, s.Min)
		add("greatest", s.Unit, s.Max)
		add("share that is not 0", "", s.NonZero)
		for _, q := range slices.SortedFunc(keys(s.Quantiles), func(a, b string) int {
			return cmp.Or(cmp.Compare(share(a), share(b)), cmp.Compare(a, b))
		}) {
			add(strconv.FormatFloat(100*share(q), 'g', 12, 64)+" % quantile", s.Unit, s.Quantiles[q])
		}
		rows = append(rows, of)
	}
	return rows, nil
}

// keys returns the names of quantiles that are numbers.
func keys(quantiles map[string]*float64) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for q := range quantiles {
			if _, err := strconv.ParseFloat(q, 64); err == nil && !yield(q) {
				return
			}
		}
	}
}

// share returns a quantile as a number, 0 to 1.
func share(q string) float64 {
	x, _ := strconv.ParseFloat(q, 64)
	return x
}
