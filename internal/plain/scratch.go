// This file owns scratch: fields that are no part of the value they are in.

package plain

import (
	"fmt"
	"reflect"
	"unsafe"
)

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

// Scratch is a value in scratch of a state.
type Scratch struct {
	Path string // of its field, after that of the state
	Kind reflect.Kind
	Off  uintptr // in the state, in bytes
	Size uintptr
}

// mostElements is the number of elements of an array with pointers that ScratchOf looks at.
const mostElements = 16

// ScratchOf returns the values in the scratch of a type, in the order of their offsets. Values of types
// for which skip returns true are left out.
func ScratchOf(t reflect.Type, path string, skip func(reflect.Type) bool) (all []Scratch) {
	var walk func(t reflect.Type, s Scratch, in bool)
	walk = func(t reflect.Type, s Scratch, in bool) {
		switch {
		case skip(t) || t.Size() == 0:
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				walk(f.Type, Scratch{Path: s.Path + "." + f.Name, Off: s.Off + f.Offset}, in || IsScratch(f))
			}
		case t.Kind() == reflect.Array && (!in && hasScratch(t) || in && holdsPointers(t)):
			for i := range min(t.Len(), mostElements) {
				walk(t.Elem(), Scratch{Path: fmt.Sprintf("%s[%d]", s.Path, i), Off: s.Off + uintptr(i)*t.Elem().Size()}, in)
			}
		case in:
			s.Kind, s.Size = t.Kind(), t.Size()
			all = append(all, s)
		}
	}
	walk(t, Scratch{Path: path}, false)
	return all
}

// holdsPointers reports whether values of a type hold pointers, strings, slices, maps or interfaces.
func holdsPointers(t reflect.Type) bool {
	where, _ := FindPointer(t, "a value")
	return where != ""
}

// IsPointer reports whether the value is nil as long as it is not set, and of no use then.
func (s *Scratch) IsPointer() bool {
	switch s.Kind {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return true
	}
	return false
}

// mostBytes is the number of bytes of a value without pointers that IsSet looks at.
const mostBytes = 4096

// IsSet reports whether the value in a state is neither zero nor empty.
func (s *Scratch) IsSet(state unsafe.Pointer) bool {
	at := unsafe.Add(state, s.Off)
	switch {
	case s.IsPointer():
		return *(*unsafe.Pointer)(at) != nil
	case s.Kind == reflect.Slice:
		return len(*(*[]struct{})(at)) > 0
	case s.Kind == reflect.String:
		return *(*string)(at) != ""
	}
	for _, b := range unsafe.Slice((*byte)(at), min(s.Size, mostBytes)) {
		if b != 0 {
			return true
		}
	}
	return false
}
