// Printing values for reports.
package deep

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// printer writes values, about as %+v does, but it calls no method of the model, shows
// contents instead of addresses where possible, and always ends.
type printer struct {
	c *Copier
	g *graph
	b strings.Builder
}

const (
	maxText  = 4096 // after this many bytes nothing new is begun
	maxDepth = 5    // pointers, slices, maps and interfaces within one another
)

func (w *printer) value(t reflect.Type, p unsafe.Pointer, depth int) {
	if w.b.Len() > maxText {
		return
	}
	v := reflect.NewAt(t, p).Elem()
	switch t.Kind() {
	case reflect.Struct:
		w.fields(t, p, depth)
	case reflect.Array:
		w.list(t.Elem(), p, t.Len(), depth)
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		w.reference(v, t, p, depth)
	case reflect.Func:
		w.function(v)
	case reflect.Chan:
		w.address(v.UnsafePointer())
	case reflect.UnsafePointer:
		w.address(*(*unsafe.Pointer)(p))
	case reflect.Uintptr:
		w.b.WriteString("0x" + strconv.FormatUint(v.Uint(), 16))
	default:
		w.basic(v)
	}
}

// basic prints numbers, strings and truth values.
func (w *printer) basic(v reflect.Value) {
	bits := int(v.Type().Size()) * 8
	switch {
	case v.CanInt():
		w.b.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		w.b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		w.float(v.Float(), bits)
	case v.CanComplex():
		w.b.WriteByte('(')
		w.float(real(v.Complex()), bits/2)
		w.b.WriteString(", ")
		w.float(imag(v.Complex()), bits/2)
		w.b.WriteString("i)")
	case v.Kind() == reflect.String:
		w.b.WriteString(strconv.Quote(v.String()))
	default:
		w.b.WriteString(strconv.FormatBool(v.Bool()))
	}
}

// float prints the shortest decimal that is the same number, or the bits of a NaN.
func (w *printer) float(f float64, bits int) {
	if !math.IsNaN(f) {
		w.b.WriteString(strconv.FormatFloat(f, 'g', -1, bits))
		return
	}
	payload := math.Float64bits(f)
	if bits == 32 {
		payload = uint64(math.Float32bits(float32(f)))
	}
	w.b.WriteString("NaN(0x" + strconv.FormatUint(payload, 16) + ")")
}

func (w *printer) address(p unsafe.Pointer) {
	if p == nil {
		w.b.WriteString("nil")
		return
	}
	w.b.WriteString("0x" + strconv.FormatUint(uint64(uintptr(p)), 16))
}

func (w *printer) function(v reflect.Value) {
	if f := runtime.FuncForPC(v.Pointer()); f != nil {
		w.b.WriteString(f.Name())
		return
	}
	w.b.WriteString("nil")
}

func (w *printer) fields(t reflect.Type, p unsafe.Pointer, depth int) {
	w.b.WriteByte('{')
	sep := ""
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		w.b.WriteString(sep + f.Name + ":")
		w.value(f.Type, unsafe.Add(p, f.Offset), depth)
		sep = " "
	}
	w.b.WriteByte('}')
}

// list prints as many elements as there is room for.
func (w *printer) list(t reflect.Type, p unsafe.Pointer, n, depth int) {
	w.b.WriteByte('[')
	for i := 0; i < n && w.b.Len() <= maxText; i++ {
		if i > 0 {
			w.b.WriteByte(' ')
		}
		w.value(t, unsafe.Add(p, uintptr(i)*t.Size()), depth)
	}
	w.b.WriteByte(']')
}

// reference prints the reference v, of type t, at p.
func (w *printer) reference(v reflect.Value, t reflect.Type, p unsafe.Pointer, depth int) {
	switch {
	case t.Kind() == reflect.Slice && v.Len() == 0:
		w.b.WriteString("[]")
	case v.IsNil():
		w.b.WriteString("nil")
	case depth == maxDepth:
		w.b.WriteString("…")
	case t.Kind() == reflect.Slice:
		w.list(t.Elem(), w.g.at(array, v.UnsafePointer(), w.c.of(t.Elem()), v.Len()), v.Len(), depth+1)
	case t.Kind() == reflect.Map:
		w.table(w.c.of(t), v.UnsafePointer(), depth+1)
	case t.Kind() == reflect.Interface:
		w.dynamic(t, p, depth+1)
	case w.c.opaque[t.Elem()]:
		w.address(v.UnsafePointer())
	default:
		w.b.WriteByte('&')
		w.value(t.Elem(), w.g.at(object, v.UnsafePointer(), w.c.of(t.Elem()), 1), depth+1)
	}
}

// dynamic prints the value in an interface like a conversion.
func (w *printer) dynamic(t reflect.Type, p unsafe.Pointer, depth int) {
	pl, word := w.c.dynamic(t, p)
	at := word
	if pl.direct {
		at = unsafe.Pointer(&word)
	}
	w.b.WriteString(pl.typ.String() + "(")
	w.value(pl.typ, at, depth)
	w.b.WriteByte(')')
}

func (w *printer) table(pl *plan, m unsafe.Pointer, depth int) {
	e := (*entries)(w.g.at(table, m, pl, 1))
	order := make([]int, e.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return compare(pl.key.typ, e.key(pl, i), e.key(pl, j), 0)
	})
	w.b.WriteString("map[")
	for i, k := range order {
		if w.b.Len() > maxText {
			break
		}
		if i > 0 {
			w.b.WriteByte(' ')
		}
		w.value(pl.key.typ, e.key(pl, k), depth)
		w.b.WriteByte(':')
		w.value(pl.val.typ, e.val(pl, k), depth)
	}
	w.b.WriteByte(']')
}
