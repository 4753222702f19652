// Package counters works on structures whose fields are figures, such as those of a PE or of a record of a sample. The
// structure is the one place that names a figure: everything else that has to be done with each of them follows from
// its fields and their tags, and nobody lists them again.
//
//   - merge:"sum", "max" or "min" says how the figures of several PEs or ranks become one ([Of], Merge). A field without
//     the tag stays as it is.
//   - column:"name" is the name of the figure in tables, and its place in a binary record is that of the field
//     ([RecordOf]).
//   - Fields of two structures that have the same name are the same figure ([Between]), such as in what has been
//     counted and in a record of what came since the last one, or in records and their sums ([Adding]).
//
// Tables are made once, when a program starts, from types that are known then: so a tag that is not understood panics
// there, in every test.
package counters

import (
	"fmt"
	"reflect"
	"unsafe"
)

// figure is a field with a figure.
type figure struct {
	name   string // of the field; of an element of an array, with its index
	offset uintptr
	kind   reflect.Kind // Uint32, Int32, Uint64, Int, Float32 or Float64
	merge  string
	column string
}

// at returns the address of the figure in a structure.
func (f *figure) at(structure unsafe.Pointer) unsafe.Pointer { return unsafe.Add(structure, f.offset) }

// figuresOf lists the figures of a structure in the order of their fields, with those of embedded structures and the
// elements of arrays.
func figuresOf(t reflect.Type, base uintptr, merge string) (all []figure) {
	for i := range t.NumField() {
		field := t.Field(i)
		how := merge
		if tag, ok := field.Tag.Lookup("merge"); ok {
			how = tag
		}
		f := figure{name: field.Name, offset: base + field.Offset, kind: field.Type.Kind(), merge: how,
			column: field.Tag.Get("column")}
		switch f.kind {
		case reflect.Uint32, reflect.Int32, reflect.Uint64, reflect.Int, reflect.Float32, reflect.Float64:
			all = append(all, f)
		case reflect.Struct:
			all = append(all, figuresOf(field.Type, f.offset, how)...)
		case reflect.Array:
			of := field.Type.Elem()
			for j := range field.Type.Len() {
				one := f
				one.name, one.kind = fmt.Sprintf("%s[%d]", f.name, j), of.Kind()
				one.offset += uintptr(j) * of.Size()
				all = append(all, one)
			}
		}
	}
	return all
}

// number is what a figure may be.
type number interface {
	~int | ~int32 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Table merges structures of type T.
type Table[T any] struct{ merges []func(to, of unsafe.Pointer) }

// Of returns the table of T. It panics if a field with merge is no number, or is to be merged in a way that is not
// known.
func Of[T any]() *Table[T] {
	t := &Table[T]{}
	for _, f := range figuresOf(reflect.TypeFor[T](), 0, "") {
		if f.merge == "" {
			continue
		}
		switch f.kind {
		case reflect.Int:
			t.merges = append(t.merges, merger[int](&f))
		case reflect.Uint64:
			t.merges = append(t.merges, merger[uint64](&f))
		case reflect.Float64:
			t.merges = append(t.merges, merger[float64](&f))
		default:
			panic(fmt.Sprintf("counters: %v.%s: a %v is not merged", reflect.TypeFor[T](), f.name, f.kind))
		}
	}
	return t
}

// merger returns what merges a figure into another.
func merger[N number](f *figure) func(to, of unsafe.Pointer) {
	pair := func(to, of unsafe.Pointer) (*N, N) { return (*N)(f.at(to)), *(*N)(f.at(of)) }
	switch f.merge {
	case "sum":
		return func(to, of unsafe.Pointer) { a, b := pair(to, of); *a += b }
	case "max":
		return func(to, of unsafe.Pointer) { a, b := pair(to, of); *a = max(*a, b) }
	case "min":
		return func(to, of unsafe.Pointer) { a, b := pair(to, of); *a = min(*a, b) }
	}
	panic(fmt.Sprintf("counters: %s: merge:%q is not known", f.name, f.merge))
}

// Merge merges the figures of another PE or rank into to.
func (t *Table[T]) Merge(to, of *T) {
	for _, merge := range t.merges {
		merge(unsafe.Pointer(to), unsafe.Pointer(of))
	}
}

// Bridge is between structures in which fields of one name are the same figure.
type Bridge[To, From any] struct{ pairs []pair }

// pair is the same figure in two structures.
type pair struct{ to, from figure }

// Between returns the bridge from the figures of From to those of To, which has all of them. They are of type uint64 or
// float64, or in To narrower. It panics if To lacks one, or has whole numbers for others.
func Between[To, From any]() *Bridge[To, From] {
	b, named := &Bridge[To, From]{}, map[string]figure{}
	for _, f := range figuresOf(reflect.TypeFor[To](), 0, "") {
		named[f.name] = f
	}
	for _, from := range figuresOf(reflect.TypeFor[From](), 0, "") {
		to := named[from.name]
		switch [2]reflect.Kind{from.kind, to.kind} {
		case [2]reflect.Kind{reflect.Uint64, reflect.Uint64}, [2]reflect.Kind{reflect.Uint64, reflect.Uint32},
			[2]reflect.Kind{reflect.Float64, reflect.Float64}, [2]reflect.Kind{reflect.Float64, reflect.Float32}:
		default:
			panic(fmt.Sprintf("counters: %v.%s: %v has no such figure of a fitting type", reflect.TypeFor[From](), from.name,
				reflect.TypeFor[To]()))
		}
		b.pairs = append(b.pairs, pair{to, from})
	}
	return b
}

// Since sets figures of to to what has been counted from was to now. Seconds are at least 0: they are sums and
// differences of others, so that rounding may make them decrease a little.
func (b *Bridge[To, From]) Since(to *To, now, was *From) {
	for i := range b.pairs {
		p := &b.pairs[i]
		new, old, at := p.from.at(unsafe.Pointer(now)), p.from.at(unsafe.Pointer(was)), p.to.at(unsafe.Pointer(to))
		switch p.to.kind {
		case reflect.Uint32:
			*(*uint32)(at) = uint32(*(*uint64)(new) - *(*uint64)(old))
		case reflect.Uint64:
			*(*uint64)(at) = *(*uint64)(new) - *(*uint64)(old)
		case reflect.Float32:
			*(*float32)(at) = float32(max(*(*float64)(new)-*(*float64)(old), 0))
		case reflect.Float64:
			*(*float64)(at) = max(*(*float64)(new)-*(*float64)(old), 0)
		}
	}
}

// Adding returns what adds figures of From, which are uint32 or uint64, to those of To of type uint64 that have their
// names. It panics if there are none.
func Adding[To, From any]() func(to *To, of *From) {
	var pairs []pair
	for _, to := range figuresOf(reflect.TypeFor[To](), 0, "") {
		for _, from := range figuresOf(reflect.TypeFor[From](), 0, "") {
			whole := from.kind == reflect.Uint32 || from.kind == reflect.Uint64
			if to.name == from.name && to.kind == reflect.Uint64 && whole {
				pairs = append(pairs, pair{to, from})
			}
		}
	}
	if len(pairs) == 0 {
		panic(fmt.Sprintf("counters: %v and %v have no figure in common", reflect.TypeFor[To](), reflect.TypeFor[From]()))
	}
	return func(to *To, of *From) {
		for i := range pairs {
			sum, at := (*uint64)(pairs[i].to.at(unsafe.Pointer(to))), pairs[i].from.at(unsafe.Pointer(of))
			if pairs[i].from.kind == reflect.Uint32 {
				*sum += uint64(*(*uint32)(at))
			} else {
				*sum += *(*uint64)(at)
			}
		}
	}
}
