// This file owns Places: where values of some types are in another one.

package plain

import (
	"fmt"
	"reflect"
)

// Place is where a value is in another one.
type Place struct {
	Off  uintptr
	Path string // from the whole, such as Desks[2].Queue; "": it is the whole
	Type reflect.Type
}

// Places returns where a type has values of the types for which is returns true, in structs and arrays, without scratch
// and what pointers lead to. It does not look into these values.
func Places(t reflect.Type, is func(reflect.Type) bool) (all []Place) {
	var find func(t reflect.Type, off uintptr, path string)
	find = func(t reflect.Type, off uintptr, path string) {
		switch {
		case is(t):
			all = append(all, Place{off, path, t})
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				if IsScratch(f) {
					continue
				}
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				find(f.Type, off+f.Offset, name)
			}
		case t.Kind() == reflect.Array:
			before := len(all)
			for i := range t.Len() {
				find(t.Elem(), off+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", path, i))
				if len(all) == before {
					return
				}
			}
		}
	}
	find(t, 0, "")
	return all
}
