package plain

import (
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

// TypeOf returns the type of which TypeWord has returned the word.
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
