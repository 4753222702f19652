// This file owns tables of results as Parquet.

package parquet

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/study"
)

// Tables makes a study write files such as --table=f.parquet.
var Tables = study.Format{Suffix: ".parquet", Write: Write}

// Write writes a table as a Parquet file. A column is of type INT64, DOUBLE, BOOLEAN or
// UTF-8 text; if its values are of several types, it is DOUBLE for ints and floats, and text otherwise.
func Write(t *experiment.Table, w io.Writer) error {
	var fields []reflect.StructField
	convert := make([]func(any) parquet.Value, len(t.Columns))
	for i, name := range t.Columns {
		if strings.ContainsAny(name, ",\"") || name == "" || name == "-" || slices.Index(t.Columns, name) < i {
			return fmt.Errorf(
				"ross: results as Parquet: column %q: give each column a name of its own, without commas and quotes", name)
		}
		typ := typeOf(t, i)
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
func typeOf(t *experiment.Table, column int) reflect.Type {
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
