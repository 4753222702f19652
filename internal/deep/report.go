// The report: both values as text, cut to fit on a line.
package deep

import (
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

const (
	maxRunes = 80 // of a value
	context  = 20 // runes kept before the first that differs
)

// report notes that the values of type t at a, before, and b differ.
func (d *differ) report(path *step, t reflect.Type, a, b unsafe.Pointer) {
	if d.root == nil {
		d.stopped = true
		return
	}
	d.note(path, d.text(d.g, t, a), d.text(nil, t, b))
}

// lengths notes that the slices of type t at a, before, and b differ in length.
func (d *differ) lengths(path *step, t reflect.Type, a, b unsafe.Pointer) {
	if d.root == nil {
		d.stopped = true
		return
	}
	length := func(p unsafe.Pointer) string {
		return "len " + strconv.Itoa(len(*(*[]struct{})(p))) + ": "
	}
	d.note(path, length(a)+d.text(d.g, t, a), length(b)+d.text(nil, t, b))
}

// alias notes that a pointer or map is no longer the same as the one that first led to
// block i, or that it has become the same.
func (d *differ) alias(path *step, i int, wasSame bool) {
	if d.root == nil {
		d.stopped = true
		return
	}
	first := d.first[i]
	if d.g.blocks[i].kind == object {
		path, first = path.pointer(), first.pointer()
	}
	other := d.expression(first)
	if i == 0 {
		other = "&" + other
	}
	if wasSame {
		d.note(path, "same object as "+other, "another object")
	} else {
		d.note(path, "another object than "+other, "the same object")
	}
}

// note appends a difference, or stops at the first if no paths are requested.
func (d *differ) note(path *step, before, after string) {
	if d.root == nil || d.stopped {
		d.stopped = true
		return
	}
	before, after = clipBoth(before, after)
	d.found = append(d.found, Difference{Path: d.expression(path), Before: before, After: after})
	d.stopped = len(d.found) == MaxDifferences
}

// clipBoth cuts two texts; of long ones it keeps the part where they differ.
func clipBoth(a, b string) (string, string) {
	if utf8.RuneCountInString(a) <= maxRunes && utf8.RuneCountInString(b) <= maxRunes {
		return a, b
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && same < len(a) && !utf8.RuneStart(a[same]) {
		same--
	}
	from := same
	for range context {
		_, size := utf8.DecodeLastRuneInString(a[:from])
		from -= size
	}
	const short = maxRunes / 2 // the difference is near the start: keep it
	if from <= short {
		return clip(a), clip(b)
	}
	return clip("…" + a[from:]), clip("…" + b[from:])
}

// clip cuts a text to maxRunes.
func clip(s string) string {
	runes := 0
	cut := 0 // where the last rune to keep ends if one more follows
	for i := range s {
		if runes == maxRunes-1 {
			cut = i
		}
		if runes == maxRunes {
			return s[:cut] + "…"
		}
		runes++
	}
	return s
}

// text prints the value of type t at p, references as they are in g, or live if it is
// nil.
func (d *differ) text(g *graph, t reflect.Type, p unsafe.Pointer) string {
	w := printer{c: d.c, g: g}
	w.value(t, p, 0)
	return w.b.String()
}
