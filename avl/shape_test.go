// This file owns the tests that look into the trees: their shape, which is the same in C and in Go, so that
// counts of one hold for the other; Build; Check, which must find what is wrong; and the work that operations cost,
// counted by the trees in Go under the build tag invariants: no clock, and the same on every machine.

package avl

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
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

// sorted gives n nodes of a player random keys, and returns their indices in order.
func (p *player) sorted(r *rand.Rand, n, sources int) []uint32 {
	seen, all := map[[2]uint64]bool{}, []uint32{}
	for _, i := range r.Perm(len(p.nodes) - 1)[:n] {
		node := &p.nodes[i+1]
		for {
			key := [2]uint64{r.Uint64N(uint64(sources)), r.Uint64N(uint64(8*n + 1))}
			if !seen[key] {
				seen[key] = true
				*node = Node{Source: uint32(key[0]), ID: key[1], child: [2]uint32{9, 9}, parent: 9, linked: uint8(r.IntN(2))}
				break
			}
		}
		all = append(all, uint32(i+1))
	}
	slices.SortFunc(all, func(a, b uint32) int {
		x, y := &p.nodes[a], &p.nodes[b]
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.ID, y.ID))
	})
	return all
}

func TestBuiltTreesHaveTheNodesGiven(t *testing.T) {
	const room = 700
	seed := testrand.Seed(t)
	shapes := map[string][]shape{}
	for _, impl := range Impls() {
		r := testrand.Of(seed, 0)
		p := newPlayer(t, impl, room)
		for round := range 60 {
			n, sources := r.IntN(room+1), 1+r.IntN(40)
			if round < 12 {
				n, sources = round, 1+round%3
			}
			nodes := p.sorted(r, n, sources)
			require.NoError(t, p.tree.Build(nodes))
			require.NoError(t, p.tree.Check())
			require.EqualValues(t, n, p.tree.Len())
			for _, i := range nodes {
				found, ok := p.tree.Find(p.nodes[i].Source, p.nodes[i].ID)
				require.True(t, ok)
				require.Equal(t, i, found)
			}
			_, ok := p.tree.Find(0, 1<<60)
			require.False(t, ok)
			shapes[impl] = append(shapes[impl], shapeOf(p))
			r.Shuffle(n, func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
			require.NoError(t, p.tree.Remove(nodes[:n/2]))
			require.NoError(t, p.tree.Check())
			require.NoError(t, p.tree.Insert(nodes[:n/4]))
			require.NoError(t, p.tree.Check())
			shapes[impl] = append(shapes[impl], shapeOf(p))
		}
	}
	if both, c := shapes["c"]; c {
		require.Equal(t, shapes["go"], both)
	}
}

func TestBuildRefusesWhatIsNotInOrder(t *testing.T) {
	key := func(source uint32, id uint64) Node { return Node{Source: source, ID: id} }
	for _, c := range []struct {
		keys  []Node
		wrong int
		why   error
	}{
		{[]Node{key(0, 1), key(0, 2), key(0, 2)}, 2, ErrDuplicate},
		{[]Node{key(0, 3), key(0, 2), key(0, 4)}, 1, ErrOrder},
		{[]Node{key(0, 1), key(2, 1), key(1, 9), key(3, 0)}, 2, ErrOrder},
		{[]Node{key(0, 1), key(MaxSources, 1)}, 1, ErrSource},
		{[]Node{key(MaxSources, 1)}, 0, ErrSource},
	} {
		for _, impl := range Impls() {
			t.Run(fmt.Sprintf("%s/%d of %d", impl, c.wrong, len(c.keys)), func(t *testing.T) {
				p := newPlayer(t, impl, 10)
				p.put(0, 77)
				nodes := []uint32{5, 4, 3, 2}[:len(c.keys)]
				for at, i := range nodes {
					p.nodes[i] = c.keys[at]
				}
				err := p.tree.Build(nodes)
				var refused *RefusedError
				require.ErrorAs(t, err, &refused)
				require.Equal(t, nodes[c.wrong:c.wrong+1], refused.Nodes)
				require.ErrorIs(t, err, c.why)
				require.Zero(t, p.tree.Len())
				require.NoError(t, p.tree.Check())
				require.NoError(t, p.tree.Build(nodes[:c.wrong]), "what is before it")
				require.ErrorIs(t, p.tree.Build([]uint32{0}), ErrNode)
				require.NoError(t, p.tree.Build(nil))
				require.Zero(t, p.tree.Len())
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 14, 1 << 18} {
		for _, impl := range Impls() {
			for _, way := range []string{"build", "insert"} {
				b.Run(fmt.Sprintf("n=%d/impl=%s/way=%s", n, impl, way), func(b *testing.B) {
					p := newPlayer(b, impl, n)
					nodes := p.sorted(testrand.Of(1, 0), n, 4)
					for b.Loop() {
						var err error
						if way == "build" {
							err = p.tree.Build(nodes)
						} else if err = p.tree.Build(nil); err == nil {
							err = p.tree.Insert(nodes)
						}
						if err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/node")
				})
			}
		}
	}
}

func TestCheckNamesWhatIsBroken(t *testing.T) {
	// Ids 1 to 7 of source 0: a full tree. root is that of id 4.
	for _, broken := range []struct {
		says string
		by   func(h *head, root *Node)
	}{
		{"comes after 1099511627776", func(h *head, root *Node) { root.ID = 1 << 40 }},
		{"comes after", func(h *head, root *Node) { h.at(root.child[0]).ID = 3 }},
		{"its source is 9", func(h *head, root *Node) { root.Source = 9 }},
		{"is not marked", func(h *head, root *Node) { h.at(root.child[1]).linked = 0 }},
		{"balance 1, heights 2 and 2", func(h *head, root *Node) { root.balance = 1 }},
		{"balance 0, heights 0 and 2", func(h *head, root *Node) { root.child[0] = 0 }},
		{"its parent is", func(h *head, root *Node) { h.at(root.child[0]).parent = root.child[1] }},
		{"more nodes or levels", func(h *head, root *Node) { h.at(h.at(root.child[1]).child[1]).child[1] = 1 }},
		{"more nodes or levels", func(h *head, root *Node) { h.n-- }},
		{"7 nodes, but 8 are counted", func(h *head, root *Node) { h.n++ }},
		{"the newest is recorded as", func(h *head, root *Node) { h.source(0).newest = root.parent }},
	} {
		p := newPlayer(t, "go", 8)
		for id := range uint64(7) {
			p.put(0, id+1)
		}
		h := p.tree.h
		require.NoError(t, p.tree.Check())
		broken.by(h, h.at(h.source(0).root))
		require.ErrorContains(t, p.tree.Check(), broken.says)
	}
}

func TestEveryReasonIsAnError(t *testing.T) {
	for r, want := range map[reason]error{badNode: ErrNode, duplicate: ErrDuplicate, badSource: ErrSource,
		noMemory: ErrMemory} {
		require.Equal(t, want, r.err())
	}
}

// Room returns the number of events for which there is room without more memory.
func (l *Log) Room() int { return len(l.ids) }

// Steps returns what the log has done.
func (l *Log) Steps() steps { return l.steps }

func stepsOf(t *testing.T, n int, play func(p *player, n int)) float64 {
	p := newPlayer(t, "go", 2*n+1)
	play(p, n)
	require.NoError(t, p.tree.Check())
	steps := float64(p.tree.twin.steps) / float64(p.ops)
	t.Logf("n = %d: %.2f steps for each of %d operations", n, steps, p.ops)
	return steps
}

// TestWorkDoesNotGrow plays the scripts at two sizes: the steps of an operation
// are bounded, and no more when the trees are 64 times as large.
func TestWorkDoesNotGrow(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("steps are counted under the build tag invariants")
	}
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			t.Logf("seed %d", scriptSeed)
			small, large := stepsOf(t, 1<<7, s.play), stepsOf(t, 1<<13, s.play)
			require.Less(t, small, s.most)
			require.Less(t, large, s.most)
			require.Greater(t, large, 1.0, "not all is counted")
		})
	}
}

// TestInsertionInOrderComparesOnce: the rest of its steps look at balances, three
// on average.
func TestInsertionInOrderComparesOnce(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("steps are counted under the build tag invariants")
	}
	for _, n := range []int{1 << 4, 1 << 10, 1 << 14} {
		p := newPlayer(t, "go", n)
		for id := range n {
			before := p.tree.twin.steps
			p.put(0, uint64(id))
			require.LessOrEqual(t, p.tree.twin.steps-before, uint64(2+math.Log2(float64(n))))
		}
		require.LessOrEqual(t, float64(p.tree.twin.steps), 4*float64(n))
	}
}

func TestWorkInAnyOrderGrowsAsLogN(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("steps are counted under the build tag invariants")
	}
	for _, n := range []int{1 << 8, 1 << 13} {
		require.Less(t, stepsOf(t, n, wild), 3*math.Log2(float64(n)))
	}
}
