// This file owns the table of the model's statistics, which a run writes with --statistics.

package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
)

// statistics is the contents of a file <prefix>-statistics.json.
type statistics struct {
	From, Until float64
	Rows        []statistic
}

// statistic is a row of the table. Numbers that do not exist are nil.
type statistic struct {
	Group, Statistic, Unit, Kind                string
	LPs, Count                                  uint64
	Sum, Mean, StdDev, Least, Greatest, NonZero *float64
	Quantiles                                   map[string]*float64
	Bins                                        []struct{ Low, High, N float64 }
	Course                                      []interval
}

// interval is an interval of a series.
type interval struct {
	Begin, End, Count float64
	Sum               total
}

// total is a sum, NaN where the file has null because it is infinite.
type total float64

func (t *total) UnmarshalJSON(text []byte) error {
	x := math.NaN()
	err := json.Unmarshal(text, &x) // leaves it for null
	*t = total(x)
	return err
}

// statisticsOf reads the statistics beside a file of the run, if there are any.
func (f *figures) statisticsOf() (*statistics, error) {
	var all statistics
	seen := map[string]bool{}
	for _, file := range f.run.Files {
		names, err := filepath.Glob(filepath.Join(filepath.Dir(file.Path), "*"+instr.StatisticsSuffix+".json"))
		if err != nil || len(names) == 0 || seen[names[0]] {
			continue
		}
		seen[names[0]] = true
		data, err := os.ReadFile(names[0])
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			return nil, fmt.Errorf("ross: %s: %w: remove the file, or let the run write it again", names[0], err)
		}
		return &all, nil
	}
	return &all, nil
}

// Number returns a number as a cell.
func (statistic) Number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', 6, 64)
}

// Quantile returns a quantile as a cell.
func (s statistic) Quantile(q string) string { return s.Number(s.Quantiles[q]) }

// sparks are the characters of a small chart, and their number of columns.
const (
	sparks  = " ▁▂▃▄▅▆▇█"
	columns = 32
)

// Spark returns a chart of one line: of the bins of a histogram, by size on a linear scale, or
// of the sums of a time series.
func (s statistic) Spark() string {
	heights := make([]float64, columns)
	add := func(low, high, x float64) {
		for i := max(int(low*columns), 0); i < columns && float64(i) < high*columns; i++ {
			heights[i] += x * (min(high*columns, float64(i+1)) - max(low*columns, float64(i)))
		}
	}
	switch {
	case len(s.Bins) > 0:
		from, to := s.Bins[0].Low, s.Bins[len(s.Bins)-1].High
		for _, b := range s.Bins {
			if width := (b.High - b.Low) / (to - from); width > 0 {
				add((b.Low-from)/(to-from), (b.High-from)/(to-from), b.N/width)
			} else if at := (b.Low - from) / (to - from); to > from {
				add(at, at+1.0/columns, b.N*columns)
			}
		}
	case len(s.Course) > 0:
		end := s.Course[len(s.Course)-1].End
		for _, c := range s.Course {
			add(c.Begin/end, c.End/end, float64(c.Sum))
		}
	}
	most := 0.0
	for _, h := range heights {
		most = max(most, h)
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return ""
	}
	levels := []rune(sparks)
	var b strings.Builder
	for _, h := range heights {
		b.WriteRune(levels[int(math.Ceil(max(h, 0)/most*float64(len(levels)-1)))])
	}
	return b.String()
}
