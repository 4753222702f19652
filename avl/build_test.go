// This file pins Build: the trees are those of the nodes given, whatever was there before.

package avl

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
)

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
