// This file owns Field: the statistics in the state of an LP type, found by reflection.

package statistic

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Kind is the kind of a statistic.
type Kind uint8

// The kinds.
const (
	KindCounter Kind = iota + 1
	KindTally
	KindLevel
	KindHistogram
	KindSeries
)

var kindNames = [...]string{"", "counter", "tally", "level", "histogram", "series"}

// String returns the name that tables use.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

var kinds = map[reflect.Type]Kind{
	reflect.TypeFor[Counter]():   KindCounter,
	reflect.TypeFor[Tally]():     KindTally,
	reflect.TypeFor[Level]():     KindLevel,
	reflect.TypeFor[Histogram](): KindHistogram,
	reflect.TypeFor[Series]():    KindSeries,
}

// Field is a statistic in a state.
type Field struct {
	Name, Unit string
	Kind       Kind
	Off        uintptr // in the state, in bytes
	Every      float64 // length of the intervals of a Series in virtual time; 0: it is chosen
}

// IsData reports whether a type is that of the data of a statistic.
func IsData(t reflect.Type) bool { return kinds[t] != 0 }

// everyOf returns Every of the field at an offset.
func everyOf(fields []Field, off uintptr) float64 {
	for i := range fields {
		if fields[i].Off == off {
			return fields[i].Every
		}
	}
	return 0
}

// MaxOffset is the largest offset of a statistic in a state, for which recordings have 32 bits.
const MaxOffset = math.MaxUint32

// FieldsOf returns the statistics in a type, in the order of their offsets. A tag of a field,
// such as `ross:"waiting time,s"`, has its name and its unit. The error says which field has
// a tag that cannot be used.
func FieldsOf(t reflect.Type) ([]Field, error) {
	var w fieldWalk
	w.walk(t, 0, Field{})
	names := map[string]bool{}
	for i := range w.found {
		f := &w.found[i]
		if names[f.Name] && w.err == nil {
			w.err = fmt.Errorf("two statistics are named %q: give one another name in its tag", f.Name)
		}
		names[f.Name] = true
	}
	return w.found, w.err
}

// fieldWalk collects the statistics of a type.
type fieldWalk struct {
	found []Field
	err   error // the first
}

// walk collects the statistics in t, which is at off. at describes the field of that type.
func (w *fieldWalk) walk(t reflect.Type, off uintptr, at Field) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if kind := kinds[f.Type]; kind != 0 {
				at.Kind, at.Off = kind, off+f.Offset
				if at.Off > MaxOffset && w.err == nil {
					w.err = fmt.Errorf("%s is more than 4 GiB after the beginning of the state: put it before what is large", at.Name)
				}
				w.found = append(w.found, at)
				if at.Every > 0 && kind != KindSeries {
					w.fail(at.Name, "every= is for a Series")
				}
				continue
			}
			n := len(w.found)
			before := w.err
			in := w.named(at, f)
			if w.walk(f.Type, off+f.Offset, in); len(w.found) == n {
				w.err = before // the tag is not ours
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			in, n := at, len(w.found)
			in.Name = fmt.Sprintf("%s[%d]", at.Name, i)
			if w.walk(t.Elem(), off+uintptr(i)*t.Elem().Size(), in); len(w.found) == n {
				return
			}
		}
	}
}

// named returns the description of a field f within the one at.
func (w *fieldWalk) named(at Field, f reflect.StructField) Field {
	parts := strings.Split(f.Tag.Get("ross"), ",")
	name := strings.TrimSpace(parts[0])
	if name == "" || name == "-" {
		name = f.Name
	}
	if at.Name != "" {
		name = at.Name + "." + name
	}
	in := Field{Name: name, Unit: at.Unit, Every: at.Every}
	for i, part := range parts[1:] {
		part = strings.TrimSpace(part)
		value, every := strings.CutPrefix(part, "every=")
		switch {
		case every:
			x, err := strconv.ParseFloat(value, 64)
			if in.Every = x; err != nil || !(x >= 1e-300 && x <= 1e300) {
				w.fail(name, "every= wants a virtual time above 0")
			}
		case i == 0:
			in.Unit = part
		default:
			w.fail(name, fmt.Sprintf("%q has no meaning", part))
		}
	}
	return in
}

// fail keeps the first error.
func (w *fieldWalk) fail(name, what string) {
	if w.err == nil {
		w.err = fmt.Errorf("the tag of %s: %s: give `ross:\"name,unit\"`, for a Series also \",every=10\"", name, what)
	}
}
