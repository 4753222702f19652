// The shape of the trees: the same in C and in Go, so that counts of one hold
// for the other.

package avl

import (
	"hash/crc32"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
)

// shape is all that operations write. The nodes of two players of a script have
// the same indices, so they must have the same bytes.
type shape struct {
	nodes, sources uint32 // checksums
	n              uint64
	refused        reason
}

func shapeOf(p *player) shape {
	h := p.tree.h
	sum := func(at unsafe.Pointer, size uint64) uint32 {
		return crc32.ChecksumIEEE(unsafe.Slice((*byte)(at), size))
	}
	return shape{sum(h.nodes, uint64(len(p.nodes))*h.stride), sum(h.sources, p.tree.Bytes()), h.n, h.refused}
}

func TestCAndGoBuildTheSameTrees(t *testing.T) {
	const n = 150
	all := append([]script{{name: "wild", play: func(p *player, n int) { wild(p, 20*n) }}}, scripts...)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Logf("seed %d", scriptSeed)
			var shapes []shape
			p := newPlayer(t, "go", 2*n+1)
			p.seen = func(p *player) {
				require.NoError(t, p.tree.Check(), "after %d operations", p.ops)
				shapes = append(shapes, shapeOf(p))
			}
			s.play(p, n)
			if !csrc.Enabled {
				return
			}
			p = newPlayer(t, "c", 2*n+1)
			p.seen = func(p *player) {
				if got, want := shapeOf(p), shapes[p.ops-1]; got != want {
					t.Fatalf("after %d operations: C has %+v, Go %+v", p.ops, got, want)
				}
			}
			s.play(p, n)
			require.Len(t, shapes, p.ops)
		})
	}
}
