// This file owns the dump of the statistics of models: rows, courses, bins and values as tables of their own.

package dump

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/parquet"
)

// isStatistics reports whether a file has statistics of a model.
func isStatistics(name string) bool { return strings.HasSuffix(name, instr.StatisticsSuffix+".json") }

// figures are what the objects of the file have besides names, by the names of the format.
type figures map[string]cli.Number

// statistic is a row of the file.
type statistic struct {
	Group, Statistic, Unit, Kind string
	LPs, Count                   int
	Sum, Mean, StdDev            cli.Number
	Min, Max, NonZero            cli.Number
	Course, Bins, Values         []figures
}

// parts are the tables that a file has, by name, and their columns behind those that name the statistic.
var parts = []struct {
	name    string
	columns []string
	of      func(*statistic) []figures
}{
	{"rows", []string{"lps", "count", "sum", "mean", "stddev", "min", "max", "nonzero"}, func(s *statistic) []figures {
		return []figures{{"lps": cli.Number(s.LPs), "count": cli.Number(s.Count), "sum": s.Sum, "mean": s.Mean, "stddev": s.StdDev,
			"min": s.Min, "max": s.Max, "nonzero": s.NonZero}}
	}},
	{"courses", []string{"begin", "end", "count", "sum", "mean", "rate"}, func(s *statistic) []figures { return s.Course }},
	{"bins", []string{"low", "high", "n"}, func(s *statistic) []figures { return s.Bins }},
	{"values", []string{"least", "greatest", "share", "upTo"}, func(s *statistic) []figures { return s.Values }},
}

// dumpStatistics writes each table that is not empty to PREFIX-NAME.FORMAT, as other files with several kinds are.
func (o *options) dumpStatistics(name string, stdout io.Writer) error {
	if o.format == "jsonl" {
		return cli.Usagef("--format=jsonl: %s is JSON already: give csv or parquet", name)
	}
	if cli.IsStdout(o.out, stdout) {
		return cli.Usagef("%s has tables of rows, courses, bins and values, and each needs a separate output: name a folder "+
			"or a prefix with -o", name)
	}
	text, err := os.ReadFile(name)
	var all struct{ Rows []statistic }
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return fmt.Errorf("ross: %s: %w: let the run write it again (--statistics=2)", name, err)
	}
	prefix := strings.TrimSuffix(o.out, "."+o.format)
	if info, err := os.Stat(o.out); strings.HasSuffix(o.out, string(filepath.Separator)) || err == nil && info.IsDir() {
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return fmt.Errorf("ross: output: %w: %s", err, atomicfile.Remedy(err, "name a folder that can be made"))
		}
		prefix = filepath.Join(o.out, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
	write := (*experiment.Table).WriteCSV
	if o.format == "parquet" {
		write = parquet.Write
	}
	for _, part := range parts {
		t := &experiment.Table{Columns: append([]string{"group", "statistic", "unit", "kind"}, part.columns...)}
		for i := range all.Rows {
			s := &all.Rows[i]
			for _, f := range part.of(s) {
				row := []any{s.Group, s.Statistic, s.Unit, s.Kind}
				for _, column := range part.columns {
					x, known := f[column]
					if !known {
						x = cli.Number(math.NaN())
					}
					row = append(row, float64(x))
				}
				t.Rows = append(t.Rows, row)
			}
		}
		if len(t.Rows) == 0 {
			continue
		}
		path := fmt.Sprintf("%s-%s.%s", prefix, part.name, o.format)
		if err := atomicfile.Write(path, func(w io.Writer) error { return write(t, w) }); err != nil {
			return fmt.Errorf("ross: output: %s: %w; %s", path, err, atomicfile.Remedy(err, "name a file that can be written"))
		}
		fmt.Fprintf(stdout, "%s: %d records\n", path, len(t.Rows))
	}
	return nil
}
