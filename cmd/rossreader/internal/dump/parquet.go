// This file owns Parquet: the schema of each kind, and row groups that are encoded at the
// same time.

package dump

import (
	"errors"
	"fmt"
	"math"
	"reflect"

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
	payload payloadForm        // none if the kind has no payload
	groups  chan *parquetGroup // that can be reused
}

// parquetGroup is a row group and room for the values of a column.
type parquetGroup struct {
	rows   *parquet.ConcurrentRowGroupWriter
	values [chunk]parquet.Value
}

func newParquet(out *cli.Output, kind instr.Kind, form payloadForm) *parquetSink {
	s := &parquetSink{columns: columns[kind], groups: make(chan *parquetGroup, 2*maxEncoders), payload: form}
	s.file = parquet.NewGenericWriter[any](out, s.schema(kind), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("rossreader", "1", "ross-go"))
	return s
}

// schema is made from a struct type, which keeps the order of the columns.
func (s *parquetSink) schema(kind instr.Kind) *parquet.Schema {
	types := map[numeric]reflect.Type{
		u32: reflect.TypeFor[uint32](), i32: reflect.TypeFor[int32](), u64: reflect.TypeFor[uint64](), i64: reflect.TypeFor[int64](),
		f32: reflect.TypeFor[float32](), f64: reflect.TypeFor[float64](), raw: reflect.TypeFor[[]byte](),
	}
	var fields []reflect.StructField
	add := func(name string, t reflect.Type, more string) {
		tag := reflect.StructTag(fmt.Sprintf("parquet:%q", name+more))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("C%d", len(fields)), Type: t, Tag: tag})
	}
	for _, c := range s.columns {
		add(c.name, types[c.typ], "")
	}
	for i, name := range s.payload.names() {
		switch s.payload.style {
		case payloadHex:
			add(name, reflect.TypeFor[[]byte](), "")
		case payloadFields:
			if at := s.payload.table.column(i); at < 0 {
				add(name, reflect.TypeFor[string](), ",optional")
			} else {
				add(name, types[s.payload.table.columns[at]], ",optional")
			}
		default:
			add(name, types[s.payload.word], ",optional")
		}
	}
	return parquet.NewSchema(kind.String(), parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

func (s *parquetSink) limits() (cells, payload int) { return groupCells, groupPayload }

func (s *parquetSink) encode(b *batch) (err error) {
	var g *parquetGroup
	select {
	case g = <-s.groups:
	default:
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
	for i, w := range writers[width:] {
		err = errors.Join(err, g.write(w, len(b.kinds), func(values []parquet.Value, row int) {
			if s.payload.style == payloadFields {
				s.payload.table.fill(values, b, row, i, width)
			} else {
				s.payload.fill(values, b, row, i, width+i)
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

// fill sets the values to the payloads from row on, or to their words at an index; column
// is their column.
func (f *payloadForm) fill(values []parquet.Value, b *batch, row, index, column int) {
	start := 0
	if row > 0 {
		start = b.ends[row-1]
	}
	for i, end := range b.ends[row : row+len(values)] {
		payload := b.payloads[start:end]
		start = end
		if f.style == payloadHex {
			values[i] = parquet.ByteArrayValue(payload)
			continue
		}
		payload = payload[min(len(payload), index*f.size()):]
		if bits, ok := f.next(&payload); ok {
			fill(values[i:i+1], f.word, []uint64{bits}, 1)
			values[i] = values[i].Level(0, 1, column)
		} else {
			values[i] = parquet.NullValue().Level(0, 0, column)
		}
	}
}

func (s *parquetSink) commit(b *batch) error {
	if _, err := b.group.rows.Commit(); err != nil {
		return err
	}
	select {
	case s.groups <- b.group:
	default: // there are enough
	}
	return nil
}

// finish writes the end of the file.
func (s *parquetSink) finish() error { return s.file.Close() }
