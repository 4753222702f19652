// This file owns reports of differences: paths, and values as text.

package deep

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
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

// Printing values for reports.

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
	if w.c.skip != nil && w.c.skip(t) {
		w.b.WriteString("…")
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
		WriteBasic(&w.b, v, w.float)
	}
}

// WriteBasic writes a number, a string or a truth value; float writes numbers that need not be whole, and the parts of
// complex ones. It reports false for anything else, and writes nothing.
func WriteBasic(b *strings.Builder, v reflect.Value, float func(x float64, bits int)) bool {
	bits := int(v.Type().Size()) * 8
	switch {
	case v.CanInt():
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		float(v.Float(), bits)
	case v.CanComplex():
		b.WriteByte('(')
		float(real(v.Complex()), bits/2)
		b.WriteString(", ")
		float(imag(v.Complex()), bits/2)
		b.WriteString("i)")
	case v.Kind() == reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case v.Kind() == reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	default:
		return false
	}
	return true
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

// Paths: chains of steps while comparing, Go expressions when printed.

// stepKind is the kind of a step from a value to a part of it.
type stepKind uint8

const (
	stepRoot stepKind = iota
	stepField
	stepIndex
	stepKey
	stepOfKey // to the key itself: what the pointer in a key points to
	stepAssert
)

// step is the last step of a path. A nil step means no path, and so do steps after it,
// so that comparing without paths is the same code.
//
// There may be one for each node of a list: they are small.
type step struct {
	up    *step
	label string         // stepRoot, stepField; none if behind a value that is a pointer
	plan  *plan          // stepKey, stepOfKey, stepAssert
	at    unsafe.Pointer // stepKey, stepOfKey: the key
	n     uint32         // stepIndex
	kind  stepKind
	deref bool // then to what the pointer points to
}

func (s *step) field(label string) *step {
	if s == nil || label == "" {
		return s
	}
	return &step{up: s, kind: stepField, label: label}
}

func (s *step) index(i int) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepIndex, n: uint32(i)}
}

func (s *step) key(pl *plan, key unsafe.Pointer) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepKey, plan: pl, at: key}
}

func (s *step) ofKey() *step {
	if s == nil {
		return nil
	}
	return &step{up: s.up, kind: stepOfKey, plan: s.plan, at: s.at}
}

func (s *step) assert(pl *plan) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepAssert, plan: pl}
}

// behind returns the step to what the pointer in a field points to.
func (s *step) behind(label string) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepField, label: label, deref: true}
}

// pointer returns the path of the pointer that led to s.
func (s *step) pointer() *step {
	if !s.deref {
		return s
	}
	p := *s
	p.deref = false
	return &p
}

// token is a printed step, or a run of equal steps.
type token struct {
	text   string
	stars  int // number of dereferences before it
	count  int
	field  bool
	assert bool
}

const (
	shortRun  = 3  // equal steps that are written out
	endTokens = 12 // how much of both ends of a long path is kept
)

// expression prints a path.
func (d *differ) expression(s *step) string {
	var tokens []token
	cur := token{count: 1}
	for ; s != nil; s = s.up {
		if s.deref {
			cur.stars++
		}
		if s.kind == stepField && s.label == "" {
			continue
		}
		if cur.field && cur.stars > 0 {
			cur.stars-- // a pointer's fields need no star
		}
		tokens = push(tokens, cur)
		cur = token{text: d.stepText(s), count: 1, field: s.kind == stepField, assert: s.kind == stepAssert}
	}
	tokens = append(tokens, cur)
	slices.Reverse(tokens)
	if len(tokens) > 2*endTokens {
		tokens[endTokens] = token{text: "…", count: 1}
		tokens = slices.Delete(tokens, endTokens+1, len(tokens)-endTokens)
	}
	expr := ""
	for i, t := range tokens {
		expr = t.appendTo(expr, i == len(tokens)-1)
	}
	return expr
}

// push appends the next token, going up, to a path, or counts it as one more of a run.
// A type assertion joins the step it is on, so that lists of interfaces are runs too.
func push(tokens []token, t token) []token {
	if last := len(tokens) - 1; last >= 0 && tokens[last].assert && tokens[last].stars == 0 {
		t.text += tokens[last].text
		tokens = tokens[:last]
	}
	if last := len(tokens) - 1; last >= 0 && t.text != "" && t.stars == 0 {
		if prev := &tokens[last]; prev.stars == 0 && prev.text == t.text {
			prev.count++
			return tokens
		}
	}
	return append(tokens, t)
}

// appendTo applies the token to the expression before it.
func (t token) appendTo(expr string, last bool) string {
	if t.stars > 0 {
		expr = strings.Repeat("*", t.stars) + expr
		if !last {
			expr = "(" + expr + ")"
		}
	}
	if t.count > shortRun {
		return expr + "(" + t.text + "){" + strconv.Itoa(t.count) + "}"
	}
	return expr + strings.Repeat(t.text, t.count)
}

// stepText prints one step.
func (d *differ) stepText(s *step) string {
	switch s.kind {
	case stepIndex:
		return "[" + strconv.Itoa(int(s.n)) + "]"
	case stepKey:
		return "[" + clip(d.text(d.g, s.plan.typ, s.at)) + "]"
	case stepOfKey:
		return "[key " + clip(d.text(d.g, s.plan.typ, s.at)) + "]"
	case stepAssert:
		return ".(" + s.plan.typ.String() + ")"
	}
	return s.label
}
