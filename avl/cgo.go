// The trees in C.

//go:build cgo && !purego

package avl

import (
	"unsafe"

	"github.com/ross-go/ross/csrc"
)

// native is the trees in C.
type native = csrc.AVL

func newC(nodes unsafe.Pointer, stride uintptr) (native, *head, bool) {
	t, ok := csrc.NewAVL(nodes, stride)
	if !ok {
		return t, nil, false
	}
	return t, (*head)(t.Head()), true
}
