// This file owns tables of studies, as CSV and as Parquet, and their page.

package studies

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ross-go/ross/internal/sys/csvtext"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// ofTable returns the page of a table.
func ofTable(file string, confidence float64) (*page.Study, error) {
	read := readCSV
	if filepath.Ext(file) == ".parquet" {
		read = readParquet
	}
	rows, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("ross: input: %s: %w: name a table that --table of a study has written", file, err)
	}
	s, err := study(rows)
	if err != nil {
		return nil, fmt.Errorf("ross: input: %s: %w: name a table that --table of a study has written", file, err)
	}
	name := filepath.Base(file)
	s.Program, s.Confidence = strings.TrimSuffix(name, filepath.Ext(name)), confidence
	for i := range s.Results {
		for k := range s.Results[i].Estimates {
			s.Results[i].Estimates[k].Confidence = confidence
		}
	}
	s.Notes = append(s.Notes, fmt.Sprintf("Read from the table %s, which has neither single replications nor command lines, and "+
		"does not say the confidence of its intervals: --confidence=%g is what rossreader was given, or its default.", name,
		confidence))
	return s, nil
}

// readCSV returns the cells of a file, the names of its columns first.
func readCSV(name string) ([][]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	for _, row := range rows {
		for i := range row {
			row[i] = csvtext.Parse(row[i])
		}
	}
	return rows, err
}

// readParquet returns the same of a Parquet file.
func readParquet(name string) (rows [][]string, err error) {
	content, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	info, err := content.Stat()
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(content, info.Size())
	if err != nil {
		return nil, err
	}
	var names []string
	for _, path := range file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	rows = [][]string{names}
	for _, group := range file.RowGroups() {
		in := group.Rows()
		buffer := make([]parquet.Row, 64)
		for {
			n, err := in.ReadRows(buffer)
			for _, row := range buffer[:n] {
				if len(row) != len(names) {
					return nil, errors.Join(errors.New("columns with lists or without a value"), in.Close())
				}
				var cells []string
				for _, v := range row {
					cells = append(cells, v.String())
				}
				rows = append(rows, cells)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, errors.Join(err, in.Close())
			}
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// study returns the page of cells, the names of the columns first: options, three columns for each result, and with
// --base three for each of its differences.
func study(rows [][]string) (*page.Study, error) {
	if len(rows) < 2 {
		return nil, errors.New("no rows")
	}
	names, rows := rows[0], rows[1:]
	column := map[string]int{}
	for i, name := range names {
		column[name] = i
	}
	s := &page.Study{Points: make([]page.Point, len(rows))}
	options := len(names)
	for i, name := range names {
		name, is := strings.CutSuffix(name, " mean")
		half, hasHalf := column[name+" half width"]
		n, hasN := column[name+" n"]
		if !is || !hasHalf || !hasN {
			continue
		}
		options = min(options, i)
		r, err := result(name, rows, i, half, n)
		if err == nil {
			err = differences(r, rows, column)
		}
		if err != nil {
			return nil, err
		}
		if len(r.Differences) > 0 {
			s.Base = "the base"
		}
		s.Results = append(s.Results, *r)
	}
	if len(s.Results) == 0 {
		return nil, errors.New("no columns of a result: NAME mean, NAME half width and NAME n")
	}
	for i, name := range names[:options] {
		s.Options = append(s.Options, name)
		words := make([]string, len(rows))
		for k, row := range rows {
			words[k] = row[i]
		}
		for k, v := range experiment.Values(words) {
			s.Points[k].Values = append(s.Points[k].Values, v)
		}
	}
	for k := range s.Points {
		for i := range s.Results {
			s.Points[k].Replications = max(s.Points[k].Replications, s.Results[i].Estimates[k].N)
		}
	}
	return s, nil
}

// result reads the columns of a result.
func result(name string, rows [][]string, mean, half, n int) (*page.Result, error) {
	r := &page.Result{Name: name}
	for k, row := range rows {
		var e page.Estimate
		var err, second, third error
		e.Mean, err = strconv.ParseFloat(row[mean], 64)
		e.Half, second = strconv.ParseFloat(row[half], 64)
		e.N, third = strconv.Atoi(row[n])
		if err = errors.Join(err, second, third); err != nil {
			return nil, fmt.Errorf("row %d of %s: %w", k+1, name, err)
		}
		r.Estimates = append(r.Estimates, e)
	}
	return r, nil
}

// differences reads the columns of a result's differences, if it has them. A base has none.
func differences(r *page.Result, rows [][]string, column map[string]int) error {
	mean, is := column[r.Name+" difference"]
	half, has := column[r.Name+" difference half width"]
	if !is || !has {
		return nil
	}
	for k, row := range rows {
		m, err := strconv.ParseFloat(row[mean], 64)
		h, second := strconv.ParseFloat(row[half], 64)
		if err = errors.Join(err, second); err != nil {
			return fmt.Errorf("row %d of %s difference: %w", k+1, r.Name, err)
		}
		if !math.IsNaN(m) {
			r.Differences = append(r.Differences, page.Difference{Point: k,
				Interval: experiment.Interval{Mean: m, Half: h, N: r.Estimates[k].N}})
		}
	}
	return nil
}
