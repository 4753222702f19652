// This file owns Each and One: the parameters of LPs, from the lines that match their names.

package params

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/ross-go/ross/internal/sys/usage"
)

// Each returns the parameters of n LPs. label returns the name of the i-th one, and standard has the values of what no
// line sets. P is a struct. Values of slices are shared by all that a line sets: do not change them.
//
// An error is about the first value that its field cannot have, and about a P that cannot be used. A file of 20 lines
// for a million LPs with three fields takes about a second.
func Each[P any](f *File, n int, label func(i int) string, standard P) ([]P, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	fields, err := fieldsOf(reflect.TypeFor[P](), "", nil)
	if err != nil {
		return nil, err
	}
	if len(f.lines) > 0 && n > 0 {
		f.groups = append(f.groups, group{n, label(0), label(n - 1), namesOf(fields)})
	}
	all := make([]P, max(n, 0))
	var m matching
	for i := range all {
		all[i] = standard
		if len(f.lines) == 0 {
			continue
		}
		name := label(i)
		v := reflect.ValueOf(&all[i]).Elem()
		for k := range fields {
			if err := f.set(&m, name, &fields[k], v); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// One returns the parameters of one LP, or, with the label "", those that have no name in front, such as "patience".
func One[P any](f *File, label string, standard P) (P, error) {
	all, err := Each(f, 1, func(int) string { return label }, standard)
	if err != nil {
		return standard, err
	}
	return all[0], nil
}

// matching has memory that matches use again.
type matching struct {
	name      []byte
	now, next []bool
}

// set sets a field of the parameters of an LP by the first line that matches.
func (f *File) set(m *matching, label string, field *field, v reflect.Value) error {
	m.name = append(m.name[:0], label...)
	if label != "" {
		m.name = append(m.name, '.')
	}
	m.name = append(m.name, field.name...)
	name := string(m.name)
	if n := len(name) + 1; n > len(m.now) {
		m.now, m.next = make([]bool, 2*n), make([]bool, 2*n)
	}
	by := 0
	for i := range f.lines {
		l := &f.lines[i]
		if by > 0 && (l.used || l.hidden > 0) || !l.pattern.match(name, m.now, m.next) {
			continue
		}
		if by > 0 {
			l.hidden = by
			continue
		}
		by, l.used = l.at, true
		value, err := f.decode(l, field.of)
		if err != nil {
			return err
		}
		v.FieldByIndex(field.index).Set(value)
	}
	return nil
}

// decode returns the value of a line as a type.
func (f *File) decode(l *line, t reflect.Type) (reflect.Value, error) {
	if v, ok := l.decoded[t]; ok {
		return v, nil
	}
	v := reflect.New(t)
	if reader, ok := v.Interface().(encoding.TextUnmarshaler); ok {
		if l.value.Kind != yaml.ScalarNode {
			return v, f.fail(l.at, "%q: a list: write a text of several lines behind a |", l.key)
		}
		if err := reader.UnmarshalText([]byte(l.value.Value)); err != nil {
			return v, f.fail(l.at, "%q: %v", l.key, usage.Within(err))
		}
		l.decoded[t] = v.Elem()
		return v.Elem(), nil
	}
	if why := wrongNumber(l.value, t); why != "" {
		return v, f.fail(l.at, "%q: %s", l.key, why)
	}
	if err := l.value.Decode(v.Interface()); err != nil || !fits(l.value, t) {
		return v, f.fail(l.at, "%q: %s is not a value of type %v: give one", l.key, textOf(l.value), t)
	}
	l.decoded[t] = v.Elem()
	return v.Elem(), nil
}

// fits reports whether a value that YAML has decoded as a type is one: YAML cuts numbers, and makes zeros of nothing.
func fits(v *yaml.Node, t reflect.Type) bool {
	switch {
	case v.Kind == yaml.SequenceNode:
		for _, element := range v.Content {
			if !fits(element, t.Elem()) {
				return false
			}
		}
		return true
	case v.Kind != yaml.ScalarNode || v.ShortTag() == "!!null":
		return false
	}
	whole := t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
	return !whole || v.ShortTag() != "!!float"
}

// wrongNumber says what is wrong with a number, in a list as well: that readers of YAML do not agree on it, or that
// there is no such number. It is "" for other values, and for those that Decode refuses.
func wrongNumber(v *yaml.Node, t reflect.Type) string {
	if v.Kind == yaml.SequenceNode && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		for _, element := range v.Content {
			if why := wrongNumber(element, t.Elem()); why != "" {
				return why
			}
		}
		return ""
	}
	tag := v.ShortTag()
	if v.Kind != yaml.ScalarNode || t.Kind() < reflect.Int || t.Kind() > reflect.Float64 || tag != "!!int" &&
		tag != "!!float" {
		return ""
	}
	unsigned := strings.TrimLeft(v.Value, "+-")
	if digits := strings.ReplaceAll(unsigned, "_", ""); len(digits) > 1 && digits[0] == '0' &&
		strings.Trim(digits, "0123456789") == "" {
		plain := strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
		return fmt.Sprintf(
			"%q begins with 0, which makes it a number to the base 8 for some readers of YAML and not for others: write %s, or 0o%[2]s for the base 8", v.Value, plain)
	}
	var x float64
	switch float := t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64; {
	case !float || v.Decode(&x) != nil:
	case math.IsNaN(x):
		return fmt.Sprintf("%q is not a number: give one, or .inf for no limit", v.Value)
	case math.IsInf(x, -1):
		return fmt.Sprintf("%q is below all numbers: give one, or .inf for no limit", v.Value)
	case !strings.EqualFold(unsigned, ".inf") && (math.IsInf(x, 1) || reflect.Zero(t).OverflowFloat(x)):
		return fmt.Sprintf("%q is too large for a %v: give a smaller number, or .inf for no limit", v.Value, t)
	}
	return ""
}

// textOf returns the text of a value.
func textOf(v *yaml.Node) string {
	if v.Kind != yaml.ScalarNode {
		return "a list"
	}
	return fmt.Sprintf("%q", v.Value)
}

// field is a field of parameters.
type field struct {
	name  string
	index []int
	of    reflect.Type
}

// namesOf returns the names of fields.
func namesOf(fields []field) (names []string) {
	for i := range fields {
		names = append(names, fields[i].name)
	}
	return names
}

// fieldsOf returns the fields of a struct, which is at index, with names that begin with prefix.
func fieldsOf(t reflect.Type, prefix string, index []int) (all []field, err error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("ross: parameters: %v is not a struct: give a struct with a field for each parameter", t)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("param")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = lower(f.Name)
		}
		at := append(index[:len(index):len(index)], i)
		if f.Type.Kind() == reflect.Struct && !readsText(f.Type) {
			in, err := fieldsOf(f.Type, prefix+name+".", at)
			if err != nil {
				return nil, err
			}
			all = append(all, in...)
			continue
		}
		if !readable(f.Type) {
			return nil,
				fmt.Errorf(
					"ross: parameters: %v: field %s is a %v: give it numbers, texts, bools, or lists of these, or leave it out with `param:\"-\"`", t, f.Name, f.Type)
		}
		for _, other := range all {
			if other.name == prefix+name {
				return nil, fmt.Errorf("ross: parameters: %v: two fields are named %q: give one another name with `param:\"name\"`",
					t, prefix+name)
			}
		}
		all = append(all, field{prefix + name, at, f.Type})
	}
	return all, nil
}

// readable reports whether a line can have a value of a type.
func readable(t reflect.Type) bool {
	if readsText(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return readable(t.Elem())
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64, reflect.Int, reflect.Int8, reflect.Int16,
		reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

// readsText reports whether a type reads its values from texts itself, such as a calendar.Calendar.
func readsText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// lower returns the name of a field as lines have it.
func lower(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}
