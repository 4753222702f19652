// Allocations of the index. Assertions and AddressSanitizer allocate on their
// own, so builds with them do not have this test.

//go:build !invariants && !asan

package avl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/avl/avltest"
)

func TestNoAllocation(t *testing.T) {
	for _, impl := range avl.Impls() {
		slots := avltest.NewSlots(t, 1<<10)
		tree, err := avl.New(slots.Base(), avltest.Stride, impl)
		require.NoError(t, err)
		t.Cleanup(tree.Close)
		var all []uint32
		for id := range uint64(500) {
			all = append(all, slots.Make(avltest.Key{Source: uint32(id % 2), ID: id}))
		}
		life := func() {
			one := [1]uint32{all[7]} // on the stack
			err := tree.Insert(all)
			_, ok := tree.Find(1, 7)
			if err != nil || !ok || tree.Remove(one[:]) != nil || tree.Insert(one[:]) != nil || tree.Remove(all) != nil || tree.Build(one[:]) != nil || tree.Build(nil) != nil {
				t.Fatal("it does not work")
			}
		}
		life() // makes the table of sources
		require.Zero(t, testing.AllocsPerRun(100, life), impl)
	}
}
