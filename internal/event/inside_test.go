// This file pins what only the inside of the package shows: the steps of a comparison, and addresses.

package event

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/testlevel"
)

// Thanks to the jump pointers of lineages, comparing two chains visits O(log
// length) nodes. The test counts them on the pointers themselves, in the way
// Compare follows them.

func TestEveryAncestorIsALogarithmAway(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	const length = 50000
	chain := []uint32{0}
	for range length {
		node, err := l.Extend(chain[len(chain)-1], 0.5)
		require.NoError(t, err)
		chain = append(chain, node)
	}
	steps := func(i, depth uint32) (n int) {
		for at := l.at(i); at.Depth > depth; n++ {
			if i = at.Parent; l.at(at.Jump).Depth >= depth {
				i = at.Jump
			}
			at = l.at(i)
		}
		return n
	}
	most := 0
	for depth := uint32(0); depth <= length; depth += 7 {
		require.Equal(t, chain[depth], l.climb(chain[length], depth))
		most = max(most, steps(chain[length], depth), steps(chain[depth], 0), steps(chain[depth], depth/3))
	}
	require.LessOrEqual(t, float64(most), 3*math.Log2(length), "steps from a node to an ancestor")
}

// TestNodesOfOneDepthJumpEquallyFar is what lets Compare climb two chains in
// step until they meet.
func TestNodesOfOneDepthJumpEquallyFar(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	jump := map[uint32]uint32{}
	for range 20 {
		node := uint32(0)
		for range 500 {
			node, err = l.Extend(node, 0.5)
			require.NoError(t, err)
			n := l.at(node)
			to, known := jump[n.Depth]
			require.True(t, !known || to == l.at(n.Jump).Depth)
			jump[n.Depth] = l.at(n.Jump).Depth
		}
	}
}

// Go's collector never looks at what lies in the memory of events.

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
