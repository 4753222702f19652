// Package plain treats values as bytes. It determines which types hold no pointers, so
// that a copy of their bytes is a copy of the value, and where such types have padding,
// and it has the few casts that treat a value as bytes or words.
//
// Messages and states that the engine saves are plain: it copies them into histories,
// checkpoints and messages to other ranks without knowing their types.
package plain

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"unsafe"
)

// WordsAt returns the address of the contents of words.
func WordsAt(words []uint64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(words)) }

// TypeWord returns the word that identifies type T at run time: the first word of an
// interface that holds a *T. Comparing it costs one load, whereas package reflect
// needs calls.
func TypeWord[T any]() unsafe.Pointer {
	var t any = (*T)(nil)
	return *(*unsafe.Pointer)(unsafe.Pointer(&t))
}

// TypeOf returns the type whose word TypeWord has returned.
func TypeOf(word unsafe.Pointer) reflect.Type {
	var t any
	*(*unsafe.Pointer)(unsafe.Pointer(&t)) = word // of a nil pointer to the type
	return reflect.TypeOf(t).Elem()
}

// Recast returns function f as a function type that differs from f's only in what its
// pointer arguments point to. All pointers are passed in the same way, so the call is
// the same; this saves the second indirect call of a closure around f for each event.
func Recast[To, From any](f *From) To { return *(*To)(unsafe.Pointer(f)) }

// BytesOf returns the bytes of n values of a type without pointers. All ranks are the
// same program.
func BytesOf[T any](first *T, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(first)), uintptr(n)*unsafe.Sizeof(*first))
}

// CopyBytes copies n bytes, which may overlap.
func CopyBytes(to, from unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}

// Pointer returns the address in a word of a history. Its memory must not belong to
// the garbage collector.
func Pointer(word uint64) unsafe.Pointer {
	p := uintptr(word)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// FindPointer returns the path and the kind of a part of t whose bytes have no meaning
// in another process, "" without a name.
func FindPointer(t reflect.Type, path string) (where, kind string) {
	return findPointer(t, path, func(reflect.StructField) bool { return false }, noBlocks)
}

// FindPointerBut is FindPointer without the fields that skip leaves out.
func FindPointerBut(skip func(reflect.StructField) bool, t reflect.Type, path string) (where, kind string) {
	return findPointer(t, path, skip, noBlocks)
}

// noBlocks states that a type is no Block whose values matter.
func noBlocks(reflect.Type) (elem reflect.Type, ok bool) { return nil, false }

// findPointer is FindPointer without the fields that skip leaves out, and with the values of
// Blocks; elemOf may return nil for a Block, and true, if they need not be looked at.
func findPointer(t reflect.Type, path string, skip func(reflect.StructField) bool, elemOf ElemOf) (where, kind string) {
	switch t.Kind() {
	case reflect.Struct:
		if elem, ok := elemOf(t); ok {
			if elem == nil {
				return "", ""
			}
			return findPointer(elem, path+"[0]", skip, elemOf)
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if skip(f) {
				continue
			}
			if where, kind = findPointer(f.Type, path+"."+f.Name, skip, elemOf); where != "" {
				return where, kind
			}
		}
	case reflect.Array:
		if t.Len() > 0 {
			return findPointer(t.Elem(), path+"[0]", skip, elemOf)
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
	default:
		return path, t.Kind().String()
	}
	return "", ""
}

// Span is a range of bytes of a message that a value occupies: padding between fields
// and scratch are not part of what the model sent.
type Span struct{ Off, Size uintptr }

// SpansOf returns the spans of a type in the order of their offsets.
func SpansOf(t reflect.Type) []Span {
	var all []Span
	var walk func(t reflect.Type, off uintptr)
	walk = func(t reflect.Type, off uintptr) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				if f := t.Field(i); f.Name != "_" && !IsScratch(f) {
					walk(f.Type, off+f.Offset)
				}
			}
		case reflect.Array:
			if elem := SpansOf(t.Elem()); len(elem) == 1 && elem[0] == (Span{0, t.Elem().Size()}) {
				all = appendSpan(all, Span{off, t.Size()})
				return
			}
			for i := range t.Len() {
				walk(t.Elem(), off+uintptr(i)*t.Elem().Size())
			}
		default:
			all = appendSpan(all, Span{off, t.Size()})
		}
	}
	walk(t, 0)
	return all
}

func appendSpan(all []Span, s Span) []Span {
	if n := len(all) - 1; n >= 0 && all[n].Off+all[n].Size == s.Off {
		all[n].Size += s.Size
		return all
	}
	if s.Size == 0 {
		return all
	}
	return append(all, s)
}

// LayoutOf describes the layout of a type in memory: types of equal layouts have equal
// bytes.
func LayoutOf(t reflect.Type) string {
	h := sha256.New()
	h.Write(binary.NativeEndian.AppendUint16(nil, 1)) // their byte order
	writeLayout(h.Write, t, func(reflect.Type) bool { return false })
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// writeLayout writes the layout of a type. special writes those of structs that it knows, and
// returns false for others.
func writeLayout(write func([]byte) (int, error), t reflect.Type, special func(reflect.Type) bool) {
	if t.Kind() == reflect.Struct && special(t) {
		return
	}
	_, _ = write(fmt.Appendf(nil, "%s %d ", t.Kind(), t.Size()))
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			_, _ = write(fmt.Appendf(nil, "%s@%d ", f.Name, f.Offset))
			writeLayout(write, f.Type, special)
		}
	case reflect.Array:
		writeLayout(write, t.Elem(), special)
	}
}
