package avl_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/avl/avltest"
	"github.com/ross-go/ross/csrc"
)

func TestConformance(t *testing.T) {
	for _, impl := range avl.Impls() {
		t.Run(impl, func(t *testing.T) { avltest.Run(t, impl) })
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 0, 0x38, 0, 0x78, 1, 0x3c, 0, 0x3d, 3, 0x3e, 128})
	f.Add([]byte{0x3b, 1, 0x3b, 3, 0x3b, 7, 0x3f, 255, 0x3c, 6})
	f.Add([]byte{0x3b, 0, 0xf8, 255, 0xbb, 9, 0xbb, 8, 0x24, 77, 0x15, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 128 {
			data = data[:128]
		}
		for _, impl := range avl.Impls() {
			avltest.Fuzz(t, impl, data)
		}
	})
}

func TestUnknownImplementationIsRefused(t *testing.T) {
	base := avltest.NewSlots(t, 1).Base()
	_, err := avl.New(base, avltest.Stride, "splay")
	require.ErrorContains(t, err, "splay: unknown implementation: use c or go")
	if !csrc.Enabled {
		_, err = avl.New(base, avltest.Stride, "c")
		require.ErrorContains(t, err, "built without cgo")
	}
	tree, err := avl.New(base, avltest.Stride, "")
	require.NoError(t, err)
	require.Equal(t, avl.Impls()[0], tree.Impl())
	tree.Close()
}

func TestMemoryThatNodesCannotLieInIsRefused(t *testing.T) {
	base := avltest.NewSlots(t, 1).Base()
	for _, wrong := range []struct {
		name   string
		base   unsafe.Pointer
		stride uintptr
	}{
		{"no memory", nil, 64},
		{"not aligned", unsafe.Add(base, 4), 64},
		{"too near", base, 24},
		{"stride not aligned", base, 36},
	} {
		_, err := avl.New(wrong.base, wrong.stride, "")
		require.ErrorContains(t, err, "give memory that is aligned", wrong.name)
	}
}
