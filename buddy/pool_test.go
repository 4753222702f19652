// The pool as its users see it: conformance, fuzzing, sizes, what New refuses.

package buddy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/buddy/buddytest"
	"github.com/ross-go/ross/csrc"
)

func TestConformance(t *testing.T) {
	for _, impl := range buddy.Impls() {
		t.Run(impl, func(t *testing.T) { buddytest.Run(t, impl) })
	}
}

func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 0, 5, 255, 12, 0, 13, 1, 19, 255, 0x9f, 128})
	f.Add([]byte{0xf0, 31, 0xf0, 32, 0x9f, 0, 0x9f, 255, 0xff, 0, 0xf0, 255})
	f.Add([]byte{19, 255, 19, 255, 0x80, 0, 18, 255, 0xf8, 0, 17, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range buddy.Impls() {
			buddytest.Fuzz(t, impl, data)
		}
	})
}

func TestBlocksArePowersOfTwo(t *testing.T) {
	for _, c := range []struct{ n, size uintptr }{
		{0, 32}, {1, 32}, {32, 32}, {33, 64}, {64, 64}, {65, 128}, {4096, 4096}, {4097, 8192}, {1 << 40, 1 << 40},
	} {
		require.Equal(t, c.size, buddy.Size(c.n), "%d bytes", c.n)
	}
}

func TestNoBytesAreOneByte(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<20, nil)
		require.NoError(t, err)
		b, err := p.Alloc(0)
		require.NoError(t, err)
		require.EqualValues(t, 32, p.Used())
		p.Free(b, 0)
		require.Zero(t, p.Used())
		require.NoError(t, p.Check())
		p.Close()
	}
}

func TestCIsTheDefaultWhereItIsBuilt(t *testing.T) {
	p, err := buddy.NewCharged("", 0, 0, nil)
	require.NoError(t, err)
	defer p.Close()
	require.Equal(t, buddy.Impls()[0], p.Impl())
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	_, err := buddy.NewCharged("slab", 0, 1<<20, nil)
	require.EqualError(t, err, `ross: buddy pool: "slab": unknown implementation: use c or go`)
	if !csrc.Enabled {
		_, err = buddy.NewCharged("c", 0, 1<<20, nil)
		require.ErrorContains(t, err, "built without cgo")
	}
}

func TestReuseTakesNoMemory(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<20, nil)
		require.NoError(t, err)
		require.Nil(t, p.Reuse(5000), impl)
		b, err := p.Alloc(5000)
		require.NoError(t, err)
		bytes := p.Bytes()
		for got := p.Reuse(5000); got != nil; got = p.Reuse(5000) {
			require.NotEqual(t, b, got, impl)
		}
		p.Free(b, 5000)
		require.Equal(t, b, p.Reuse(5000), impl)
		require.Equal(t, bytes, p.Bytes(), impl)
		require.Nil(t, p.Reuse(2<<20), impl)
		require.NoError(t, p.Check())
		p.Close()
	}
}
