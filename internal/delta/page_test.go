//go:build unix

// States at the ends of mapped memory: reading beyond them faults.

package delta

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// page returns a page between two that cannot be touched.
func page(t *testing.T) []byte {
	t.Helper()
	size := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(all)) })
	require.NoError(t, unix.Mprotect(all[:size], unix.PROT_NONE))
	require.NoError(t, unix.Mprotect(all[2*size:], unix.PROT_NONE))
	return all[size : 2*size]
}

func TestNothingBeyondTheStatesIsTouched(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	r := rand.New(rand.NewPCG(seed, 11))
	e := New(17)
	was, is, dst := page(t), page(t), page(t)
	place := func(page []byte, n int, end bool) unsafe.Pointer {
		if end {
			page = page[len(page)-n:]
		}
		return at(page[:n:n])
	}
	for n := 1; n <= 600; n++ {
		for a, amount := range amounts {
			before, after := event(r, n, amount.words((n+7)/8), amount.wholly)
			for _, end := range []bool{false, true} {
				b, s := place(was, n, end), place(is, n, end)
				copy(unsafe.Slice((*byte)(b), n), before)
				copy(unsafe.Slice((*byte)(s), n), after)
				d := dst[len(dst)-MaxLen(n):]
				d = d[:e.Encode(d, b, s, uintptr(n))]
				d = dst[len(dst)-copy(dst[len(dst)-len(d):], d):]
				e.Apply(d, s, uintptr(n))
				require.True(t, bytes.Equal(before, unsafe.Slice((*byte)(s), n)), "seed %d, size %d, amount %d", seed, n, a)
			}
		}
	}
}
