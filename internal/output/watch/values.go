// This file owns texts of values without Go pointers: messages, and what blocks of Alloc hold.

package watch

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Limits of a text: what is beyond is cut off.
const (
	mostText   = 2000 // bytes
	mostValues = 64   // of an array or a list
	mostDepth  = 2    // lists within lists
)

// writer writes values, about as %+v does. It calls no method of the model.
type writer struct {
	m     *memory    // what blocks are; nil where there are none
	lp    *kernel.LP // that the values belong to
	b     strings.Builder
	depth int // lists around the value
}

// text returns the value of type t at p.
func text(m *memory, lp *kernel.LP, t reflect.Type, p unsafe.Pointer) string {
	w := writer{m: m, lp: lp}
	w.value(t, p)
	if w.b.Len() > mostText {
		return strings.ToValidUTF8(w.b.String()[:mostText], "") + "…"
	}
	return w.b.String()
}

func (w *writer) value(t reflect.Type, p unsafe.Pointer) {
	if w.b.Len() > mostText {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if isTimer(t) {
			w.timer(t, p)
			return
		}
		if w.m != nil && w.m.isList(t) {
			w.list(t, p)
			return
		}
		w.fields(t, p)
	case reflect.Array:
		w.array(t, p)
	default:
		w.basic(reflect.NewAt(t, p).Elem())
	}
}

// timer writes a ross.Timer.
func (w *writer) timer(t reflect.Type, p unsafe.Pointer) {
	if n := uint64(count(t, p, "number")); n != 0 {
		w.b.WriteString("timer " + timerName(n))
		return
	}
	w.b.WriteString("no timer")
}

// fields writes a struct without its scratch.
func (w *writer) fields(t reflect.Type, p unsafe.Pointer) {
	w.b.WriteByte('{')
	sep := ""
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" && !plain.IsScratch(f) {
			w.b.WriteString(sep + f.Name + ":")
			w.value(f.Type, unsafe.Add(p, f.Offset))
			sep = " "
		}
	}
	w.b.WriteByte('}')
}

func (w *writer) array(t reflect.Type, p unsafe.Pointer) {
	w.b.WriteByte('[')
	n := t.Len()
	for i := range min(n, mostValues) {
		if i > 0 {
			w.b.WriteByte(' ')
		}
		w.value(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
	}
	w.more(n - mostValues)
}

// more ends a list. n values are left out, if n is above 0.
func (w *writer) more(n int) {
	if n > 0 {
		w.b.WriteString(" … and " + strconv.Itoa(n) + " more")
	}
	w.b.WriteByte(']')
}

// list writes the values of a block or a container.
func (w *writer) list(t reflect.Type, p unsafe.Pointer) {
	l := w.m.read(w.lp, t, p)
	if l.block || w.depth == mostDepth { // what a block holds is shown by the path that leads to it
		w.b.WriteString("[" + strconv.Itoa(l.n) + " values]")
		return
	}
	w.depth++
	w.b.WriteByte('[')
	for i := range l.items[:min(len(l.items), mostValues)] {
		if i > 0 {
			w.b.WriteByte(' ')
		}
		w.b.WriteString(l.items[i].label(&l))
		if l.elem != nil {
			w.value(l.elem, l.items[i].at)
		}
	}
	w.more(len(l.items) - mostValues)
	w.depth--
}

func (w *writer) basic(v reflect.Value) {
	if !deep.WriteBasic(&w.b, v, w.float) {
		w.b.WriteString("…") // no message and no block has anything else
	}
}

func (w *writer) float(f float64, bits int) {
	if math.IsNaN(f) {
		w.b.WriteString("NaN")
		return
	}
	w.b.WriteString(strconv.FormatFloat(f, 'g', -1, bits))
}

// number returns a number as texts have it.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
