// This file owns Parquet: the schema of each kind, and row groups that are encoded at the
// same time.

package dump

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// Sizes at which a row group is full, which bounds the memory: 87,000 events.
const (
	groupCells   = 512 << 10
	groupPayload = 4 << 20
)

// chunk is the number of values passed to a column at a time.
const chunk = 1024

// parquetSink writes the records of one kind.
type parquetSink struct {
	file    *parquet.GenericWriter[any]
	columns []column
	more    []further
	groups  sync.Pool // of *parquetGroup
}

// parquetGroup is a row group and room for the values of a column.
type parquetGroup struct {
	rows   *parquet.ConcurrentRowGroupWriter
	values [chunk]parquet.Value
}

func newParquet(out *cli.Output, kind instr.Kind, more []further) *parquetSink {
	s := &parquetSink{columns: columns[kind], more: more}
	s.file = parquet.NewGenericWriter[any](out, s.schema(kind), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("rossreader", "1", "ross-go"))
	return s
}

// schema is made from a struct type, which keeps the order of the columns.
func (s *parquetSink) schema(kind instr.Kind) *parquet.Schema {
	types := map[numeric]reflect.Type{
		u32: reflect.TypeFor[uint32](), i32: reflect.TypeFor[int32](), u64: reflect.TypeFor[uint64](),
		i64: reflect.TypeFor[int64](),
		f32: reflect.TypeFor[float32](), f64: reflect.TypeFor[float64](),
		raw: reflect.TypeFor[[]byte](), text: reflect.TypeFor[string](),
	}
	var fields []reflect.StructField
	add := func(c column, more string) {
		tag := reflect.StructTag(fmt.Sprintf("parquet:%q", c.name+more))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("C%d", len(fields)), Type: types[c.typ], Tag: tag})
	}
	for _, c := range s.columns {
		add(c, "")
	}
	for _, c := range s.more {
		if c.always {
			add(c.column, "")
		} else {
			add(c.column, ",optional")
		}
	}
	return parquet.NewSchema(kind.String(), parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

func (s *parquetSink) limits() (cells, payload int) { return groupCells, groupPayload }

func (s *parquetSink) encode(b *batch) (err error) {
	g, ok := s.groups.Get().(*parquetGroup)
	if !ok {
		g = &parquetGroup{rows: s.file.BeginRowGroup()}
	}
	b.group = g
	writers := g.rows.ColumnWriters()
	width := len(s.columns)
	for i, c := range s.columns {
		err = errors.Join(err, g.write(writers[i], len(b.kinds), func(values []parquet.Value, row int) {
			fill(values, c.typ, b.cells[row*width+i:], width)
		}))
	}
	for i := range s.more {
		err = errors.Join(err, g.write(writers[width+i], len(b.kinds), func(values []parquet.Value, first int) {
			r := &row{}
			for k := range values {
				*r = b.row(first+k, width)
				values[k] = s.more[i].parquet(r, width+i)
			}
		}))
	}
	return errors.Join(err, g.rows.Flush())
}

// write passes n values to a column; set sets them, for rows from the given one on.
func (g *parquetGroup) write(w *parquet.ColumnWriter, n int, set func(values []parquet.Value, row int)) error {
	for row := 0; row < n; row += chunk {
		values := g.values[:min(chunk, n-row)]
		set(values, row)
		if _, err := w.WriteRowValues(values); err != nil {
			return err
		}
	}
	return nil
}

// fill sets the values to the first of each width cells.
func fill(values []parquet.Value, typ numeric, cells []uint64, width int) {
	switch typ {
	case f32:
		for i := range values {
			values[i] = parquet.FloatValue(math.Float32frombits(uint32(cells[i*width])))
		}
	case f64:
		for i := range values {
			values[i] = parquet.DoubleValue(math.Float64frombits(cells[i*width]))
		}
	case u64, i64:
		for i := range values {
			values[i] = parquet.Int64Value(int64(cells[i*width]))
		}
	default:
		for i := range values {
			values[i] = parquet.Int32Value(int32(cells[i*width]))
		}
	}
}

// parquet returns what a column has of a record; number is that of the column.
func (c *further) parquet(r *row, number int) parquet.Value {
	v, ok := c.of(r)
	var one [1]parquet.Value
	switch {
	case !ok:
		return parquet.NullValue().Level(0, 0, number)
	case c.typ == raw:
		one[0] = parquet.ByteArrayValue(v.bytes)
	case c.typ == text:
		one[0] = parquet.ByteArrayValue([]byte(v.text))
	default:
		fill(one[:], c.typ, []uint64{v.bits}, 1)
	}
	if c.always {
		return one[0]
	}
	return one[0].Level(0, 1, number)
}

func (s *parquetSink) commit(b *batch) error {
	_, err := b.group.rows.Commit()
	s.groups.Put(b.group)
	return err
}

// finish writes the end of the file.
func (s *parquetSink) finish() error { return s.file.Close() }
