// New: which implementation an index gets.

package avl

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/csrc"
)

// Impls returns the implementations that this build has, the fastest first.
func Impls() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// New returns an empty index over nodes in the caller's memory outside the Go
// heap: node i is at nodes + i*stride bytes, 8-byte aligned, and must be usable
// memory when i is given to [Tree.Insert]. impl is "c", "go", or "" for the faster
// of those that this build has.
func New(nodes unsafe.Pointer, stride uintptr, impl string) (*Tree, error) {
	if nodes == nil || stride < NodeSize || stride%8 != 0 || uintptr(nodes)%8 != 0 {
		return nil, fmt.Errorf("ross: index of received events: nodes at %p, %d bytes apart: give memory that is aligned to 8 bytes, and a multiple of 8 that is at least %d", nodes, stride, NodeSize)
	}
	impl, err := chosen(impl)
	if err != nil {
		return nil, err
	}
	if impl == "go" {
		t := newTwin(nodes, stride)
		return &Tree{h: &t.h, twin: t, impl: impl}, nil
	}
	t, h, ok := newC(nodes, stride)
	if !ok {
		return nil, ErrMemory
	}
	return &Tree{h: h, c: t, impl: impl}, nil
}

// chosen returns the implementation that impl names, the fastest for "".
func chosen(impl string) (string, error) {
	switch all := Impls(); {
	case impl == "":
		return all[0], nil
	case slices.Contains(all, impl):
		return impl, nil
	case impl == "c":
		return "", errors.New("ross: index of received events: c: this program was built without cgo: use go, or build with CGO_ENABLED=1 and a C compiler")
	}
	return "", fmt.Errorf("ross: index of received events: %s: unknown implementation: use c or go", impl)
}
