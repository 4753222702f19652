// This file pins that Go's collector never looks at what lies in the memory of events.

package event

import (
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/testlevel"
)

// notInUse returns an address in a part of Go's heap that was in use once.
func notInUse() uintptr {
	big := make([]byte, 16<<20)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(big)))
	runtime.KeepAlive(big)
	runtime.GC()
	return at + 8<<20
}

// The process would end with "found bad pointer in Go heap".
func TestTheCollectorDoesNotLookAtEvents(t *testing.T) {
	const size = 300
	s, err := NewSpace(1, 8, 1<<10, mem.NewBudget(64<<20))
	require.NoError(t, err)
	defer s.Release()
	a := s.Arena(0)
	bad := notInUse()
	var over atomic.Bool
	ended := make(chan struct{})
	go func() { // the collector looks at what is overwritten only while it marks
		defer close(ended)
		for range testlevel.Times(50, 10) {
			runtime.GC()
		}
		over.Store(true)
	}()
	for !over.Load() {
		e, i, err := a.Alloc()
		require.NoError(t, err)
		e.State = Pending
		*(*uintptr)(InSlot(e)) = bad
		require.NoError(t, a.AllocBlock(e, size))
		*(*uintptr)(Payload(e)) = bad // where the list of free blocks has its link
		a.Free(e, i)
	}
	<-ended
}
