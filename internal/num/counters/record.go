// This file owns Record: structures that are binary records, and rows of tables.

package counters

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// Record is a structure that is a little-endian record without gaps: its fields in their order.
type Record[T any] struct {
	figures []figure
	columns []Column
	size    int
	native  bool // in memory the structure is the record, because the machine is little-endian
}

// Column is the column of a figure in a table.
type Column struct {
	Name string
	Kind reflect.Kind // Uint32, Int32, Uint64, Float32 or Float64
}

// RecordOf returns the record of T, whose fields are all figures with a column.
func RecordOf[T any]() *Record[T] {
	r := &Record[T]{figures: figuresOf(reflect.TypeFor[T](), 0, ""), native: binary.NativeEndian.Uint16([]byte{1, 0}) == 1}
	for _, f := range r.figures {
		if f.column == "" || int(f.offset) != r.size {
			panic("counters: " + reflect.TypeFor[T]().String() + "." + f.name + ": no column, or a gap before it")
		}
		r.columns = append(r.columns, Column{f.column, f.kind})
		r.size += f.bytes()
	}
	return r
}

// Size returns the bytes of a record.
func (r *Record[T]) Size() int { return r.size }

// Columns returns the columns in their order. The caller must not change them.
func (r *Record[T]) Columns() []Column { return r.columns }

// bytes returns the size of a figure.
func (f *figure) bytes() int {
	if f.kind == reflect.Uint64 || f.kind == reflect.Float64 {
		return 8
	}
	return 4
}

// Append appends a record to dst.
func (r *Record[T]) Append(dst []byte, of *T) []byte {
	if r.native {
		return append(dst, unsafe.Slice((*byte)(unsafe.Pointer(of)), r.size)...)
	}
	for i := range r.figures {
		if f := &r.figures[i]; f.bytes() == 8 {
			dst = binary.LittleEndian.AppendUint64(dst, *(*uint64)(f.at(unsafe.Pointer(of))))
		} else {
			dst = binary.LittleEndian.AppendUint32(dst, *(*uint32)(f.at(unsafe.Pointer(of))))
		}
	}
	return dst
}

// Read reads a record, which has at least Size bytes.
func (r *Record[T]) Read(to *T, record []byte) {
	record = record[:r.size]
	if r.native {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), r.size), record)
		return
	}
	for i := range r.figures {
		if f := &r.figures[i]; f.bytes() == 8 {
			*(*uint64)(f.at(unsafe.Pointer(to))) = binary.LittleEndian.Uint64(record[f.offset:])
		} else {
			*(*uint32)(f.at(unsafe.Pointer(to))) = binary.LittleEndian.Uint32(record[f.offset:])
		}
	}
}

// AppendCells appends the bits of the figures, in the order of the columns.
func (r *Record[T]) AppendCells(cells []uint64, of *T) []uint64 {
	for i := range r.figures {
		if f := &r.figures[i]; f.bytes() == 8 {
			cells = append(cells, *(*uint64)(f.at(unsafe.Pointer(of))))
		} else {
			cells = append(cells, uint64(*(*uint32)(f.at(unsafe.Pointer(of)))))
		}
	}
	return cells
}
