// The lists in C.

//go:build cgo && !purego

package buddy

import (
	"unsafe"

	"github.com/ross-go/ross/csrc"
)

func newC(s *shared) lists { return csrc.NewBuddy(unsafe.Pointer(s)) }
