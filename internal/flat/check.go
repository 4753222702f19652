// This file owns what is known about types: which parts cannot be written, and which types are
// copied as a whole.

package flat

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/ross-go/ross/internal/plain"
)

// check returns an error that names the first part of a type that cannot be written.
func check(t reflect.Type) error {
	if where, kind := refused(t, t.String(), map[reflect.Type]bool{}); where != "" {
		return fmt.Errorf("%s is a %s, which cannot be sent to other ranks: use numbers, strings, slices, maps, pointers and structs of these", where, kind)
	}
	return nil
}

// refused returns the path to a part that cannot be written, and its kind, or "". seen holds the
// types that have been looked at.
func refused(t reflect.Type, path string, seen map[reflect.Type]bool) (where, kind string) {
	if seen[t] {
		return "", ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if where, kind = refused(f.Type, path+"."+f.Name, seen); where != "" {
				return where, kind
			}
		}
	case reflect.Array, reflect.Slice:
		return refused(t.Elem(), path+"[i]", seen)
	case reflect.Pointer:
		return refused(t.Elem(), path, seen)
	case reflect.Map:
		if where, kind = refused(t.Key(), "the key of "+path, seen); where != "" {
			return where, kind
		}
		return refused(t.Elem(), path+"[key]", seen)
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return path, t.Kind().String()
	}
	return "", ""
}

// plains holds the answers of isPlain.
var plains sync.Map // of reflect.Type to bool

// isPlain reports whether a type holds no pointers, so that its bytes are its value.
func isPlain(t reflect.Type) bool {
	if is, ok := plains.Load(t); ok {
		return is.(bool)
	}
	where, _ := plain.FindPointer(t, "value")
	plains.Store(t, where == "")
	return where == ""
}
