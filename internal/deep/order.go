// An order of map keys, so that differences come in the same order every time.
package deep

import (
	"cmp"
	"reflect"
	"strings"
	"unsafe"
)

// compare orders two values of a type that may be a map key. Pointers are ordered by
// what they point to, a few levels deep, because addresses change from run to run.
func compare(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	x, y := reflect.NewAt(t, a).Elem(), reflect.NewAt(t, b).Elem()
	switch {
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	case x.CanFloat():
		return cmp.Compare(x.Float(), y.Float())
	case x.CanComplex():
		return cmp.Or(cmp.Compare(real(x.Complex()), real(y.Complex())), cmp.Compare(imag(x.Complex()), imag(y.Complex())))
	}
	switch t.Kind() {
	case reflect.String:
		return strings.Compare(x.String(), y.String())
	case reflect.Bool:
		return cmp.Compare(*(*uint8)(a), *(*uint8)(b))
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if order := compare(f.Type, unsafe.Add(a, f.Offset), unsafe.Add(b, f.Offset), depth); order != 0 {
				return order
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			at := uintptr(i) * t.Elem().Size()
			if order := compare(t.Elem(), unsafe.Add(a, at), unsafe.Add(b, at), depth); order != 0 {
				return order
			}
		}
	case reflect.Pointer, reflect.Interface:
		return compareBehind(t, x, y, depth)
	}
	return 0
}

// compareBehind orders pointers and interfaces: nil first, then types, then contents.
func compareBehind(t reflect.Type, x, y reflect.Value, depth int) int {
	switch {
	case x.IsNil() || y.IsNil():
		return boolInt(y.IsNil()) - boolInt(x.IsNil())
	case depth == maxDepth:
		return 0
	case t.Kind() == reflect.Pointer:
		return compare(t.Elem(), x.UnsafePointer(), y.UnsafePointer(), depth+1)
	}
	x, y = addressable(x.Elem()), addressable(y.Elem())
	if x.Type() != y.Type() {
		return strings.Compare(x.Type().String(), y.Type().String())
	}
	return compare(x.Type(), x.Addr().UnsafePointer(), y.Addr().UnsafePointer(), depth+1)
}

// addressable copies a value to addressable memory.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
