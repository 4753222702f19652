// This file owns Layout: the fields of a payload, their text form, and their values.

package instr

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Layout describes what a payload holds: its fields in order, with nothing between them, all numbers
// little endian. [RunType] has the layouts of a run's types in their text form.
type Layout []Field

// Field is a part of a payload.
type Field struct {
	Name   string // of letters, digits and underscores; "_" for bytes without a meaning
	Type   FieldType
	Width  int // bytes of a value
	Len    int // number of values of an array; 0 for a single value
	Offset int // bytes before the field in the payload
}

// FieldType is the type of a field's values.
type FieldType uint8

// Types of fields.
const (
	FieldUint  FieldType = iota // u8, u16, u32, u64
	FieldInt                    // i8, i16, i32, i64
	FieldFloat                  // f32, f64
	FieldBytes                  // xN
)

// fieldKinds are the kinds of numbers in the text form.
var fieldKinds = map[string]Field{
	"u8": {Width: 1}, "u16": {Width: 2}, "u32": {Width: 4}, "u64": {Width: 8},
	"i8": {Type: FieldInt, Width: 1}, "i16": {Type: FieldInt, Width: 2}, "i32": {Type: FieldInt, Width: 4},
	"i64": {Type: FieldInt, Width: 8},
	"f32": {Type: FieldFloat, Width: 4}, "f64": {Type: FieldFloat, Width: 8},
}

// ParseLayout reads the text form of a layout: fields separated by commas, each name:kind, where
// kind is i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, xN for N other bytes, or one of these
// with [n] behind it for an array of n. The empty text is the layout without fields. An error
// names the field and what is wrong with it: its form, a name that is taken, an unknown kind, or
// more bytes than [MaxPayload].
func ParseLayout(text string) (l Layout, err error) {
	if text == "" {
		return nil, nil
	}
	taken := map[string]bool{}
	at := 0
	for part := range strings.SplitSeq(text, ",") {
		name, kind, ok := strings.Cut(part, ":")
		if !ok || !isFieldName(name) {
			return nil, fmt.Errorf("field %q: write it as name:kind, with a name of letters, digits and underscores", part)
		}
		if name != "_" && taken[name] {
			return nil, fmt.Errorf("field %q: its name is taken by an earlier field: choose another", part)
		}
		taken[name] = true
		f, ok := parseKind(kind)
		if !ok {
			return nil,
				fmt.Errorf(
					"field %q: unknown kind %q: give i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, or xN for N bytes, with [n] behind it for an array", part, kind)
		}
		f.Name, f.Offset = name, at
		// Width and Len are at most MaxPayload each, so their product does not overflow.
		if at += f.size(); at > MaxPayload {
			return nil, fmt.Errorf("field %q: the layout has more than %d bytes: leave something out", part, MaxPayload)
		}
		l = append(l, f)
	}
	return l, nil
}

// parseKind reads the kind of a field.
func parseKind(text string) (f Field, ok bool) {
	base, count, array := strings.Cut(text, "[")
	if array {
		if count, ok = strings.CutSuffix(count, "]"); !ok {
			return f, false
		}
	}
	if f, ok = fieldKinds[base]; !ok {
		n, isBytes := strings.CutPrefix(base, "x")
		f.Type = FieldBytes
		if f.Width, ok = parseCount(n); !ok || !isBytes {
			return f, false
		}
	}
	if array {
		f.Len, ok = parseCount(count)
	}
	return f, ok
}

// parseCount reads a number of bytes or values.
func parseCount(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 32)
	return int(n), err == nil && n > 0 && n <= MaxPayload
}

func isFieldName(s string) bool {
	for i, c := range []byte(s) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// Size returns the bytes of a payload with this layout.
func (l Layout) Size() int {
	if len(l) == 0 {
		return 0
	}
	last := &l[len(l)-1]
	return last.Offset + last.size()
}

// String returns the text form.
func (l Layout) String() string {
	var b strings.Builder
	for i := range l {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(l[i].Name + ":" + l[i].Kind())
	}
	return b.String()
}

// Kind returns the kind of the field as the text form has it.
func (f *Field) Kind() string {
	bits := strconv.Itoa(8 * f.Width)
	text := [...]string{"u" + bits, "i" + bits, "f" + bits, "x" + strconv.Itoa(f.Width)}[f.Type]
	if f.Len > 0 {
		text += "[" + strconv.Itoa(f.Len) + "]"
	}
	return text
}

// Values returns the number of values: 1 unless the field is an array.
func (f *Field) Values() int { return max(f.Len, 1) }

func (f *Field) size() int { return f.Width * f.Values() }

// Bytes returns the bytes of value i of the field, which is a part of the payload. The payload has
// to be as large as the layout.
func (f *Field) Bytes(payload []byte, i int) []byte {
	at := f.Offset + i*f.Width
	return payload[at : at+f.Width : at+f.Width]
}

// Uint returns value i of a FieldUint.
func (f *Field) Uint(payload []byte, i int) uint64 {
	b := f.Bytes(payload, i)
	switch f.Width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// Int returns value i of a FieldInt.
func (f *Field) Int(payload []byte, i int) int64 {
	unused := 64 - 8*f.Width
	return int64(f.Uint(payload, i)<<unused) >> unused
}

// Float returns value i of a FieldFloat.
func (f *Field) Float(payload []byte, i int) float64 {
	if f.Width == 4 {
		return float64(math.Float32frombits(uint32(f.Uint(payload, i))))
	}
	return math.Float64frombits(f.Uint(payload, i))
}
