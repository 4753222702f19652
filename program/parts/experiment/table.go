// This file owns tables of results, as text and as CSV.

package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/sys/csvtext"
)

// Table is a table of results.
type Table struct {
	// Columns are the names of the columns.
	Columns []string
	// Rows have a value for each column: a float64, int, string or bool.
	Rows [][]any
}

func (t *Table) add(p Point, cells ...any) {
	row := make([]any, 0, len(t.Columns))
	for _, param := range p {
		row = append(row, param.Value)
	}
	t.Rows = append(t.Rows, append(row, cells...))
}

// WriteText writes the table with aligned columns, numbers to five digits.
func (t *Table) WriteText(w io.Writer) error {
	lines := [][]string{t.Columns}
	for _, row := range t.Rows {
		var line []string
		for _, v := range row {
			if x, ok := v.(float64); ok {
				line = append(line, strconv.FormatFloat(x, 'g', 5, 64))
			} else {
				line = append(line, fmt.Sprint(v))
			}
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(t.Columns))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		text := ""
		for i, cell := range line {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.isText(i) {
				text += cell + space + "  "
			} else {
				text += space + cell + "  "
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// isText reports whether a column has no numbers.
func (t *Table) isText(column int) bool {
	for _, row := range t.Rows {
		switch row[column].(type) {
		case float64, int:
			return false
		}
	}
	return true
}

// WriteCSV writes the table as CSV (RFC 4180) with a line of names. Numbers have all their digits.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	names := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		names[i] = csvtext.Cell(name)
	}
	_ = out.Write(names) // errors are kept for Error
	for _, row := range t.Rows {
		var line []string
		for _, v := range row {
			switch x := v.(type) {
			case float64:
				line = append(line, csvNumber(x))
			case string:
				line = append(line, csvtext.Cell(x))
			default:
				line = append(line, fmt.Sprint(v))
			}
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// csvNumber writes infinity as the readers of R and Python know it.
func csvNumber(x float64) string {
	if math.IsInf(x, 1) {
		return "Inf"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
