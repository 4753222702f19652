// This file owns Field: the statistics in the state of an LP type, found by reflection.

package statistic

import (
	"fmt"
	"math"
	"reflect"
	"slices"
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
	Path       string // of the field in the state, as Go names it
	Kind       Kind
	Off        uintptr // in the state, in bytes
	// Every is the length of the intervals of a Series or Level, in virtual time; 0: it is chosen, or a Level has none.
	Every float64
	// Quantiles are those that tables show of a Histogram or Level, 0 to 1, ascending; nil: the usual ones, or for a Level
	// none.
	Quantiles []float64
	// Total names the sum over the array that the field is in, "" for none. The first field of a sum has
	// TotalFirst, and TotalAfter is the number of the last one.
	Total      string
	TotalFirst bool
	TotalAfter int

	// Rare says that reports leave the row out if nothing was recorded in it, or a level was always 0.
	Rare bool
	// Detail says that reports and studies leave the row out unless its name is asked for.
	Detail bool

	marks marks  // from the tag of the field itself
	of    string // the unit of what a field marked held counts, "" for its own
	held  bool   // it counts what its resource holds
}

// marks is what a tag says about the elements of an array, and whether it has quantiles.
type marks struct {
	names     []string // of the elements, "" for numbers
	total     bool
	every     bool
	quantiles bool
	of        bool
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
	w.totals(names)
	return w.found, w.err
}

// totals numbers the fields that sums consist of. A sum has a name of its own.
func (w *fieldWalk) totals(names map[string]bool) {
	last := map[string]int{}
	for i := range w.found {
		if f := &w.found[i]; f.Total != "" {
			_, later := last[f.Total]
			f.TotalFirst, last[f.Total] = !later, i
			if names[f.Total] && w.err == nil {
				w.err = fmt.Errorf("two statistics are named %q: give the sum another name with total=", f.Total)
			}
		}
	}
	for i := range w.found {
		w.found[i].TotalAfter = last[w.found[i].Total]
	}
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
				if at.marks.every && kind != KindSeries && kind != KindLevel {
					w.fail(at.Name, "every= is for a Series or a Level")
				}
				if at.marks.quantiles && kind != KindHistogram && kind != KindLevel {
					w.fail(at.Name, "q= is for a Histogram or a Level: no other kind keeps what quantiles are found in")
				}
				continue
			}
			n := len(w.found)
			before := w.err
			in := w.named(at, f)
			if (in.marks.total || in.marks.names != nil) && f.Type.Kind() != reflect.Array {
				w.fail(in.Name, "names= and total= are for an array")
			}
			if w.walk(f.Type, off+f.Offset, in); len(w.found) == n {
				w.err = before // the tag is not ours
			} else if in.marks.of && !slices.ContainsFunc(w.found[n:], func(f Field) bool { return f.held }) {
				w.fail(in.Name, "of= is for a resource.Level or resource.Store: no other statistic counts what a resource holds")
			}
		}
	case reflect.Array:
		if n := len(at.marks.names); n > 0 && n != t.Len() {
			w.fail(at.Name, fmt.Sprintf("names= has %d names, and the array has %d elements", n, t.Len()))
			at.marks.names = nil
		}
		for i := range t.Len() {
			n := len(w.found)
			if w.walk(t.Elem(), off+uintptr(i)*t.Elem().Size(), at.element(i)); len(w.found) == n {
				return
			}
		}
	}
}

// element returns the description of an element of the array that at describes.
func (at Field) element(i int) Field {
	index := fmt.Sprintf("[%d]", i)
	at.Path += index
	if at.Total != "" && !at.marks.total {
		at.Total += index
	}
	if at.marks.names != nil {
		index = "[" + at.marks.names[i] + "]"
	}
	at.Name += index
	at.marks.names = nil // those of arrays in it are numbers
	return at
}

// named returns the description of a field f within the one at.
func (w *fieldWalk) named(at Field, f reflect.StructField) Field {
	parts := strings.Split(f.Tag.Get("ross"), ",")
	name := strings.TrimSpace(parts[0])
	if name == "" || name == "-" {
		name = f.Name
	}
	promoted := name == "."
	switch {
	case promoted:
		name = at.Name
	case at.Name != "":
		name = at.Name + "." + name
	}
	path := strings.TrimPrefix(at.Path+"."+f.Name, ".")
	if promoted {
		path = at.Path
	}
	in := Field{Name: name, Unit: at.Unit, Path: path, Every: at.Every,
		Quantiles: at.Quantiles, Rare: at.Rare, Detail: at.Detail, of: at.of, held: at.held}
	if at.Total != "" {
		in.Total = at.Total + strings.TrimPrefix(name, at.Name)
	}
	for i, part := range parts[1:] {
		part = strings.TrimSpace(part)
		mark, value, _ := strings.Cut(part, "=")
		switch {
		case mark == "every" && mark != part:
			x, err := strconv.ParseFloat(value, 64)
			in.marks.every = true
			if in.Every = x; err != nil || !(x >= 1e-300 && x <= 1e300) {
				w.fail(name, "every= wants a virtual time above 0")
			}
		case mark == "q" && mark != part:
			all, err := ParseQuantiles(value, ";")
			if in.Quantiles, in.marks.quantiles = all, true; err != nil {
				w.fail(name, "q= wants "+err.Error())
			}
		case mark == "names" && mark != part:
			in.marks.names = w.elements(name, value)
		case mark == "total" && mark != part:
			w.total(&in, at.Name, strings.TrimSpace(value))
		case mark == "of" && mark != part:
			in.of, in.marks.of = strings.TrimSpace(value), true
		case i == 1 && part == "held":
			if in.held = true; in.of != "" {
				in.Unit = in.of
			}
		case i >= 1 && part == "rare":
			in.Rare = true
		case i >= 1 && part == "detail":
			in.Detail = true
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
		w.err = fmt.Errorf("the tag of %s: %s: give `ross:\"name,unit\"`, for a Series also \",every=10\", for a Histogram "+
			"\",q=0.5;0.9\", for an array \",names=low;high,total=all\", for all \",rare\" or \",detail\", for a resource.Level or Store "+
			"\",of=litres\"", name, what)
	}
}

// elements reads the names of the elements of an array.
func (w *fieldWalk) elements(name, text string) []string {
	all := strings.Split(text, ";")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
		if all[i] == "" || strings.ContainsAny(all[i], "[]") || slices.Contains(all[:i], all[i]) {
			w.fail(name, fmt.Sprintf("names= has the name %q: they are different, not empty, and without brackets", all[i]))
			return nil
		}
	}
	return all
}

// total names the sum over an array, which is in what has the name parent.
func (w *fieldWalk) total(in *Field, parent, name string) {
	switch {
	case name == "":
		w.fail(in.Name, "total= wants the name of the sum")
	case in.Total != "":
		w.fail(in.Name, "total= is in an array that has a sum, which includes it")
	default:
		if parent != "" {
			name = parent + "." + name
		}
		in.Total, in.marks.total = name, true
	}
}
