// Bisections are the least numbers of links between two halves, where they say so, and otherwise
// those of the cut that they describe.

package topology

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// bisected is a network with a bisection: all of this package.
type bisected interface {
	Network
	Bisection() int
}

// cut returns the number of links that lead from some routers to the others.
func cut(n Network, first func(router int) bool) (links int) {
	for l := range Links(n) {
		if first(l.From) != first(l.To) {
			links++
		}
	}
	return links
}

// least returns the least number of links between two parts of a network, each with at least so many
// terminals. It tries all.
func least(n Network, terminals int) int {
	routers := n.Routers()
	ends := make([][]int, routers) // routers at the other ends of links
	for l := range Links(n) {
		if l.From != l.To {
			ends[l.From] = append(ends[l.From], l.To)
			ends[l.To] = append(ends[l.To], l.From)
		}
	}
	total := TotalTerminals(n)
	fewest, across, inside := math.MaxInt, 0, 0
	in := make([]bool, routers) // of the first part; the last router is never
	for i := uint(1); i < 1<<(routers-1); i++ {
		r := bits.TrailingZeros(i) // the one that changes from this part to the next one, in Gray's order
		for _, other := range ends[r] {
			if in[other] == in[r] {
				across++
			} else {
				across--
			}
		}
		if in[r] = !in[r]; in[r] {
			inside += n.Terminals(r)
		} else {
			inside -= n.Terminals(r)
		}
		if across < fewest && min(inside, total-inside) >= terminals {
			fewest = across
		}
	}
	return fewest
}

// A half that is smaller because of an odd number of rows, groups or subtrees has fewer terminals.
func TestBisectionsAreTheLeast(t *testing.T) {
	for _, c := range []struct {
		net       Network
		terminals int // of the smaller half
	}{
		{must(NewTorus([]int{2}, 1)), 1},
		{must(NewTorus([]int{7}, 1)), 3},
		{must(NewTorus([]int{4, 4}, 1)), 8},
		{must(NewTorus([]int{4, 3}, 1)), 6},
		{must(NewTorus([]int{2, 6}, 1)), 6},
		{must(NewTorus([]int{3, 5}, 2)), 12},
		{must(NewTorus([]int{2, 4, 2}, 1)), 8},
		{must(NewMesh([]int{4, 4}, 1)), 8},
		{must(NewMesh([]int{3, 6}, 1)), 9},
		{must(NewMesh([]int{3, 5}, 1)), 6},
		{must(NewMesh([]int{2, 2, 4}, 1)), 8},
		{must(NewHypercube(1, 1)), 1},
		{must(NewHypercube(3, 1)), 4},
		{must(NewHypercube(4, 1)), 8},
		{must(NewTree(2, 2)), 2},
		{must(NewTree(2, 3)), 4},
		{must(NewTree(4, 2)), 8},
		{must(NewTree(3, 2)), 3},
		{must(NewFatTree(2, 3)), 1},
		{must(NewFatTree(4, 2)), 4},
		{must(NewFatTree(4, 3)), 8},
		{must(NewFatTree(6, 2)), 9},
		{must(NewXGFT([]int{4, 4}, []int{2})), 8},
		{must(NewXGFT([]int{4, 2, 2}, []int{2, 1})), 8},
		{must(NewDragonfly(1, 3, 1)), 2},
		{must(NewDragonfly(1, 6, 1)), 3},
		{must(NewDragonfly(3, 1, 1)), 6},
		{must(NewDragonfly(4, 1, 1)), 8},
		{must(NewDragonflyPlus(1, 1, 1, 1, 2)), 1},
		{must(NewDragonflyPlus(2, 1, 3, 1, 4)), 4},
		{must(NewDragonflyPlus(2, 2, 1, 1, 3)), 2},
		{must(NewDragonflyPlus(2, 2, 2, 1, 3)), 2},
		{must(NewDragonflyPlus(2, 2, 2, 1, 5)), 4},
		{must(NewDragonflyPlus(2, 3, 1, 1, 4)), 4},
		{must(NewDragonflyPlus(2, 3, 2, 1, 3)), 2},
		{must(NewSlimFly(3, 1)), 9},
	} {
		require.Equal(t, least(c.net, c.terminals), c.net.(bisected).Bisection(), "%T %v", c.net, c.net)
	}
}

func TestBisectionsOfSomeShapesAreNotTheLeast(t *testing.T) {
	for _, c := range []struct {
		net             Network
		terminals       int // of the smaller half
		least, straight int
	}{
		{must(NewMesh([]int{2, 5}, 1)), 5, 3, 5}, // a cut with a step
		{must(NewTorus([]int{2, 7}, 1)), 7, 6, 14},
		{must(NewDragonfly(2, 2, 1)), 4, 4, 6}, // halves that divide groups
		{must(NewDragonfly(3, 2, 1)), 9, 10, 12},
		{must(NewDragonflyPlus(1, 2, 3, 1, 4)), 2, 4, 8}, // leaves without their spines
		{must(NewDragonflyPlus(2, 2, 4, 1, 3)), 2, 4, 8},
		{must(NewXGFT([]int{2, 2, 2}, []int{1, 3})), 4, 2, 3}, // narrower below than at the top
	} {
		require.Equal(t, c.least, least(c.net, c.terminals), "%T %v", c.net, c.net)
		require.Equal(t, c.straight, c.net.(bisected).Bisection(), "%T %v", c.net, c.net)
	}
}

func TestBisectionsAreThoseOfTheirCut(t *testing.T) {
	torus := must(NewTorus([]int{3, 6, 4}, 1)).(*Torus)
	require.Equal(t, torus.Bisection(), cut(torus, func(r int) bool { return r/3%6 < 3 }))
	mesh := must(NewMesh([]int{3, 5}, 1)).(*Torus)
	require.Equal(t, mesh.Bisection(), cut(mesh, func(r int) bool { return r/3 < 2 }))
	long := must(NewMesh([]int{2, 5}, 1)).(*Torus)
	require.Equal(t, long.Bisection(), cut(long, func(r int) bool { return r%2 == 0 }))
	d := must(NewDragonfly(3, 2, 1)).(*Dragonfly)
	require.Equal(t, d.Bisection(), cut(d, func(r int) bool { return d.Group(r) < 3 }))
	for _, n := range [][5]int{{3, 4, 5, 1, 21}, {4, 4, 4, 2, 5}, {1, 2, 3, 1, 4}} {
		plus := must(NewDragonflyPlus(n[0], n[1], n[2], n[3], n[4])).(*DragonflyPlus)
		require.Equal(t, plus.Bisection(), cut(plus, func(r int) bool { return plus.Group(r) < n[4]/2 }))
	}
	tree := must(NewTree(4, 3)).(*Tree) // below the top, the subtrees of the upper two digits
	require.Equal(t, tree.Bisection(), cut(tree, func(r int) bool { return tree.Level(r) < 2 && r%16/4 < 2 }))
	fat := must(NewXGFT([]int{2, 4, 5}, []int{3, 2})).(*FatTree) // below the top, the first two subtrees
	require.Equal(t, fat.Bisection(), cut(fat, func(r int) bool {
		level, subtree, _ := fat.at(r)
		return level == 0 && subtree < 2*4 || level == 1 && subtree < 2
	}))
	for _, q := range []int{3, 5, 7, 19} {
		f := must(NewSlimFly(q, 1)).(*SlimFly)
		require.Equal(t, f.Bisection(), cut(f, func(r int) bool {
			side, row, _ := f.at(r)
			return row < (q+1)/2-side
		}))
	}
}

// The graph of a slim fly is the same for all columns, so its eigenvectors are powers of a root of unity
// along rows. For each such root but 1, the rows of a side have one eigenvalue, the sum of the root's powers over
// the generators, and what joins the sides is the square root of q times a unitary matrix. For 1, the
// eigenvalues are the degree of a router in its row, and that plus or minus q.
func TestTheSecondLeastEigenvalueOfASlimFlyIsQ(t *testing.T) {
	for _, q := range []int{3, 5, 7, 11, 13, 17, 19, 23, 101, 103, 499, 503} {
		f := must(NewSlimFly(q, 1)).(*SlimFly)
		greatest := float64(f.own()) // of the adjacency matrix, but for that of all routers alike
		for power := 1; power < q; power++ {
			var rows [2]float64
			for side := range rows {
				for _, g := range f.sets[side] {
					rows[side] += math.Cos(2 * math.Pi * float64(power*int(g)) / float64(q))
				}
			}
			half, apart := (rows[0]+rows[1])/2, (rows[0]-rows[1])/2
			greatest = max(greatest, half+math.Sqrt(apart*apart+float64(q)))
		}
		require.InDelta(t, q, float64(f.Ports(0))-greatest, 1e-6, "q = %d", q)
	}
}
