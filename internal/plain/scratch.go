// This file owns scratch: fields that are no part of the value they are in.

package plain

import "reflect"

// IsScratch reports whether a field of a state or a message is scratch: data without
// meaning for the model, marked with the tag `ross:"-"`.
func IsScratch(f reflect.StructField) bool { return f.Tag.Get("ross") == "-" }

// FindStatePointer is FindPointer for states: it leaves out scratch, which nobody copies.
func FindStatePointer(t reflect.Type, path string) (where, kind string) {
	return findPointer(t, path, IsScratch, noBlocks)
}

// KeptOf returns the spans of a type that are not scratch, with their padding, in the order
// of their offsets.
func KeptOf(t reflect.Type) []Span {
	var all []Span
	end := uintptr(0) // of the scratch found last
	var walk func(t reflect.Type, off uintptr)
	walk = func(t reflect.Type, off uintptr) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				if !IsScratch(f) {
					walk(f.Type, off+f.Offset)
					continue
				}
				if off+f.Offset > end {
					all = appendSpan(all, Span{end, off + f.Offset - end})
				}
				end = off + f.Offset + f.Type.Size()
			}
		case reflect.Array:
			if !hasScratch(t.Elem()) {
				return
			}
			for i := range t.Len() {
				walk(t.Elem(), off+uintptr(i)*t.Elem().Size())
			}
		}
	}
	walk(t, 0)
	if end < t.Size() {
		all = appendSpan(all, Span{end, t.Size() - end})
	}
	return all
}

// hasScratch reports whether a part of t is scratch.
func hasScratch(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); IsScratch(f) || hasScratch(f.Type) {
				return true
			}
		}
	case reflect.Array:
		return hasScratch(t.Elem())
	}
	return false
}
