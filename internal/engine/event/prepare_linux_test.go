// This file pins that memory of slots is the process's before a run needs it.

package event

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestPreparedSlotsAreInMemory(t *testing.T) {
	a := newArena(t, 8, nil)
	alloc(t, a)
	const n = 2000
	a.Prepare(n)
	page := uintptr(os.Getpagesize())
	from := uintptr(unsafe.Pointer(a.At(1))) &^ (page - 1)
	to := uintptr(unsafe.Pointer(a.At(n))) + a.Stride() - 1
	resident := make([]byte, (to-from)/page+1)
	_, _, err := syscall.Syscall(syscall.SYS_MINCORE, from, to-from+1, uintptr(unsafe.Pointer(&resident[0])))
	require.Zero(t, err)
	for i, is := range resident {
		require.EqualValues(t, 1, is&1, "page %d of %d", i, len(resident))
	}
}
