// This file owns tables of results, as text, as CSV and as Parquet.

package experiment

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
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
	_ = out.Write(t.Columns) // errors are kept for Error
	for _, row := range t.Rows {
		var line []string
		for _, v := range row {
			switch x := v.(type) {
			case float64:
				line = append(line, csvNumber(x))
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

// WriteParquet writes the table as a Parquet file. A column is of type INT64, DOUBLE, BOOLEAN or
// UTF-8 text; if its values are of several types, it is DOUBLE for ints and floats, and text otherwise.
func (t *Table) WriteParquet(w io.Writer) error {
	var fields []reflect.StructField
	convert := make([]func(any) parquet.Value, len(t.Columns))
	for i, name := range t.Columns {
		if strings.ContainsAny(name, ",\"") || name == "" || name == "-" || slices.Index(t.Columns, name) < i {
			return fmt.Errorf("ross: results as Parquet: column %q: give each column a name of its own, without commas and quotes", name)
		}
		typ := t.typeOf(i)
		convert[i] = conversions[typ]
		// A struct keeps the order of the columns.
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: typ,
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", name))})
	}
	schema := parquet.NewSchema("results", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
	out := parquet.NewGenericWriter[any](w, schema, parquet.CreatedBy("ross-go", "1", "experiment"))
	var err error
	for _, row := range t.Rows {
		cells := make(parquet.Row, len(row))
		for i, v := range row {
			cells[i] = convert[i](v).Level(0, 0, i)
		}
		_, failed := out.WriteRows([]parquet.Row{cells})
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("ross: results as Parquet: %w: give an output that can be written", err)
	}
	return nil
}

var (
	float64Type = reflect.TypeFor[float64]()
	intType     = reflect.TypeFor[int64]()
	boolType    = reflect.TypeFor[bool]()
	stringType  = reflect.TypeFor[string]()
)

var conversions = map[reflect.Type]func(any) parquet.Value{
	float64Type: func(v any) parquet.Value {
		if n, ok := v.(int); ok {
			return parquet.DoubleValue(float64(n))
		}
		return parquet.DoubleValue(v.(float64))
	},
	intType:    func(v any) parquet.Value { return parquet.Int64Value(int64(v.(int))) },
	boolType:   func(v any) parquet.Value { return parquet.BooleanValue(v.(bool)) },
	stringType: func(v any) parquet.Value { return parquet.ByteArrayValue([]byte(fmt.Sprint(v))) },
}

// typeOf returns the type of a column.
func (t *Table) typeOf(column int) reflect.Type {
	var found reflect.Type
	for _, row := range t.Rows {
		typ := stringType
		switch row[column].(type) {
		case float64:
			typ = float64Type
		case int:
			typ = intType
		case bool:
			typ = boolType
		}
		switch {
		case found == nil || found == typ:
			found = typ
		case found == intType && typ == float64Type || found == float64Type && typ == intType:
			found = float64Type
		default:
			return stringType
		}
	}
	if found == nil {
		return stringType
	}
	return found
}
