// Scripts: the insertions and removals in the tests of the trees' shape and
// work, one batch after the other.

package avl

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mem"
)

// player plays a script on an index.
type player struct {
	t     testing.TB
	nodes []Node // node i is at i
	tree  *Tree
	r     *rand.Rand
	free  []uint32
	live  []uint32 // in the order of insertion
	seen  func(p *player)
	ops   int // nodes inserted or removed
}

const scriptSeed = 21

// newPlayer makes an index with room for n nodes.
func newPlayer(t testing.TB, impl string, n int) *player {
	region, err := mem.Reserve(uint64(n+1)*NodeSize, nil)
	require.NoError(t, err)
	require.NoError(t, region.Grow(uintptr(n+1)*NodeSize))
	tree, err := New(region.Base(), NodeSize, impl)
	require.NoError(t, err)
	t.Cleanup(func() {
		tree.Close()
		region.Release()
	})
	p := &player{t: t, tree: tree, r: rand.New(rand.NewPCG(scriptSeed, 1))}
	p.nodes = unsafe.Slice((*Node)(region.Base()), n+1)
	for i := range uint32(n) {
		p.free = append(p.free, i+1)
	}
	p.r.Shuffle(n, func(i, j int) { p.free[i], p.free[j] = p.free[j], p.free[i] })
	return p
}

// put inserts a node. It may be refused as a duplicate.
func (p *player) put(source uint32, id uint64) {
	i := p.free[0]
	p.nodes[i].Source, p.nodes[i].ID = source, id
	if p.tree.Insert([]uint32{i}) == nil {
		p.free = p.free[1:]
		p.live = append(p.live, i)
	}
	p.look()
}

// take removes the node that was inserted as the at-th of those that are left.
func (p *player) take(at int) {
	i := p.live[at]
	require.NoError(p.t, p.tree.Remove([]uint32{i}))
	p.live = slices.Delete(p.live, at, at+1)
	p.free = append(p.free, i)
	p.look()
}

func (p *player) look() {
	p.ops++
	if p.seen != nil {
		p.seen(p)
	}
}

type script struct {
	name string
	most float64 // steps of an operation, on average
	play func(p *player, n int)
}

// inOrder inserts n nodes and then another n, removing one for each of these by
// the rule out, and then all.
func inOrder(sources uint32, out func(p *player) int) func(p *player, n int) {
	return func(p *player, n int) {
		for id := range 2 * n {
			p.put(uint32(id)%sources, uint64(id))
			if id >= n {
				p.take(out(p))
			}
		}
		for len(p.live) > 0 {
			p.take(out(p))
		}
	}
}

func oldest(*player) int   { return 0 }
func newest(p *player) int { return len(p.live) - 1 }

// The oldest removed first: what is committed. The newest: rollbacks.
var scripts = []script{
	{"ascending, oldest first", 3, inOrder(1, oldest)},
	{"ascending, oldest first, 5 sources", 3, inOrder(5, oldest)},
	{"ascending, newest first", 3, inOrder(1, newest)},
	{"ascending, among the oldest 50", 3.5, inOrder(1, func(p *player) int { return p.r.IntN(min(50, len(p.live))) })},
	{"ascending, any", 3.5, inOrder(1, func(p *player) int { return p.r.IntN(len(p.live)) })},
	{"back and forth", 3, func(p *player, n int) { // optimism and its rollbacks
		for id := uint64(0); len(p.free) > 1 && p.ops < 8*n; {
			for range 1 + p.r.IntN(20) {
				p.put(0, id)
				id++
			}
			for range min(p.r.IntN(20), len(p.live)) {
				p.take(len(p.live) - 1)
			}
		}
	}},
	{"nearly in order", 6, func(p *player, n int) {
		for id := range n {
			p.put(0, uint64(8*id+p.r.IntN(50)))
		}
	}},
}

// wild inserts and removes at random, so that an operation takes O(log n) steps.
func wild(p *player, n int) {
	for range n {
		if len(p.live) < 2 || len(p.free) > 1 && p.r.IntN(10) < 7 {
			p.put(uint32(p.r.IntN(3)), p.r.Uint64N(uint64(2*n)))
		} else {
			p.take(p.r.IntN(len(p.live)))
		}
	}
}
