package cstack_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc/ccalls"
	"github.com/ross-go/ross/internal/sys/cstack"
	"github.com/ross-go/ross/internal/sys/mem"
)

// stackOf returns the lowest address of a stack for C, and the one where it begins.
func stackOf(t testing.TB, size uintptr) (low, top unsafe.Pointer) {
	t.Helper()
	if !cstack.Available || ccalls.Work() == nil {
		t.Skip("this build calls C by cgo, or not at all")
	}
	r, err := mem.Reserve(uint64(size), nil)
	require.NoError(t, err)
	require.NoError(t, r.Grow(size))
	t.Cleanup(r.Release)
	return r.Base(), unsafe.Add(r.Base(), size)
}

// work has C descend, and returns what differs from what it should leave.
func work(depth int64, low, top unsafe.Pointer) error {
	c := ccalls.Call{Depth: depth, X: [8]float64{float64(depth) + 1, 2.5, 7, 0.125}}
	sum := int64(0)
	for n := range depth + 1 {
		sum += n + n%32
	}
	cstack.Call(ccalls.Work(), unsafe.Pointer(&c), top)
	x := c.X
	if got, want := [4]float64(x[4:]), [4]float64{x[0] + x[1], x[1] * x[2], x[2] - x[3], x[3] / x[0]}; c.Sum != sum ||
		got != want {
		return fmt.Errorf("depth %d: %d and %v, want %d and %v", depth, c.Sum, got, sum, want)
	}
	if c.Least < uintptr(low) || c.Most >= uintptr(top) {
		return fmt.Errorf("depth %d: frames from %#x to %#x, the stack is from %p to %p", depth, c.Least, c.Most, low, top)
	}
	return nil
}

func TestCRunsOnTheStackThatItGets(t *testing.T) {
	low, top := stackOf(t, 1<<20)
	for depth := range int64(500) {
		require.NoError(t, work(depth, low, top))
	}
}

// TestCallsGoOnWhileStacksMoveAndGarbageIsCollected has goroutines whose own stacks grow, and so move, between calls.
func TestCallsGoOnWhileStacksMoveAndGarbageIsCollected(t *testing.T) {
	var running sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		low, top := stackOf(t, 1<<18)
		running.Go(func() {
			for depth := int64(0); depth < 60 && errs[i] == nil; depth++ {
				errs[i] = deeper(depth, low, top)
				runtime.GC()
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

// deeper calls work from a frame as deep as work will be.
func deeper(depth int64, low, top unsafe.Pointer) error {
	var frame [64]int64
	frame[depth%64] = depth
	if depth > 0 {
		if err := deeper(depth-1, low, top); err != nil {
			return err
		}
	}
	if err := work(depth, low, top); err != nil {
		return err
	}
	if frame[depth%64] != depth {
		return fmt.Errorf("depth %d: the frame has %d", depth, frame[depth%64])
	}
	return nil
}

func BenchmarkCall(b *testing.B) {
	_, top := stackOf(b, 1<<16)
	c := &ccalls.Call{X: [8]float64{1, 2, 3, 4}}
	for b.Loop() {
		cstack.Call(ccalls.Work(), unsafe.Pointer(c), top)
	}
}
