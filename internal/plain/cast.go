package plain

import (
	"unsafe"
)

// WordsAt returns the address of what is in words.
func WordsAt(words []uint64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(words)) }

// TypeWord returns what identifies type T at run time: the word that an
// interface holding a *T begins with. Comparing it costs one load, where
// package reflect costs calls.
func TypeWord[T any]() unsafe.Pointer {
	var t any = (*T)(nil)
	return *(*unsafe.Pointer)(unsafe.Pointer(&t))
}

// Recast returns function f as a function type that differs from its own only
// in what its pointer arguments point to. Pointers are passed alike whatever
// they point to, so the call is the same; it saves the second indirect call
// that a closure around f would cost for each event.
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

// Pointer returns the address that a word of a history holds, of memory that is
// not the collector's to move or free.
func Pointer(word uint64) unsafe.Pointer {
	p := uintptr(word)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}
