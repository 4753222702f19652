// Networks are what they say: every link leads back, and distances are those of a search.

package topology

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func must[N Network](n N, err error) Network {
	if err != nil {
		panic(err)
	}
	return n
}

// networks are small ones of all kinds, by name.
func networks() map[string]Network {
	all := map[string]Network{}
	for _, lengths := range [][]int{{2}, {5}, {4, 3}, {2, 2, 3}, {6, 6}, {5, 4, 2}} {
		all[fmt.Sprint("torus ", lengths)] = must(NewTorus(lengths, 2))
		all[fmt.Sprint("mesh ", lengths)] = must(NewMesh(lengths, 1))
	}
	for _, d := range []int{1, 2, 5} {
		all[fmt.Sprint("hypercube ", d)] = must(NewHypercube(d, 1))
	}
	for _, ah := range [][2]int{{1, 1}, {1, 3}, {2, 1}, {3, 2}, {4, 2}, {2, 4}} {
		all[fmt.Sprint("dragonfly ", ah)] = must(NewDragonfly(ah[0], ah[1], 2))
	}
	for _, n := range [][4]int{{1, 1, 1, 1}, {2, 2, 1, 2}, {2, 3, 2, 1}, {3, 2, 2, 2}, {1, 3, 1, 2}, {4, 4, 1, 1}} {
		all[fmt.Sprint("dragonfly+ ", n)] = must(NewDragonflyPlus(n[0], n[1], n[2], n[3]))
	}
	for _, kn := range [][2]int{{2, 1}, {2, 2}, {3, 2}, {2, 4}, {4, 2}, {3, 3}} {
		all[fmt.Sprint("tree ", kn)] = must(NewTree(kn[0], kn[1]))
	}
	for _, q := range []int{3, 5, 7, 11} {
		all[fmt.Sprint("slim fly ", q)] = must(NewSlimFly(q, 3))
	}
	return all
}

// distances returns the distances from a router, found by a search.
func distances(n Network, from int) []int {
	all := make([]int, n.Routers())
	for i := range all {
		all[i] = -1
	}
	all[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for port := range n.Ports(at) {
			if to, _, _ := n.Link(at, port); all[to] < 0 {
				all[to] = all[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return all
}

func TestLinksLeadBack(t *testing.T) {
	for name, n := range networks() {
		ends := 0
		for r := range n.Routers() {
			for port := range n.Ports(r) {
				to, toPort, class := n.Link(r, port)
				back, backPort, backClass := n.Link(to, toPort)
				if to == r { // the edge of a mesh
					require.Regexp(t, "mesh|hypercube", name)
					continue
				}
				ends++
				require.Equal(t, [2]int{r, port}, [2]int{back, backPort}, name)
				switch class {
				case Up:
					require.Equal(t, Down, backClass, name)
				case Down:
					require.Equal(t, Up, backClass, name)
				default:
					require.Equal(t, class, backClass, name)
				}
			}
		}
		links := 0
		for l := range Links(n) {
			if l.From != l.To {
				links++
			}
		}
		require.Equal(t, ends, 2*links, name)
	}
}

func TestDistancesAreThoseOfASearch(t *testing.T) {
	for name, n := range networks() {
		most := 0
		for from := range n.Routers() {
			want := distances(n, from)
			for to, d := range want {
				require.Equal(t, d, n.Distance(from, to), "%s: %d to %d", name, from, to)
				if n.Terminals(from) > 0 && n.Terminals(to) > 0 {
					most = max(most, d)
				}
			}
		}
		require.Equal(t, most, n.Diameter(), name)
	}
}

func TestMinimalRoutesAreShortest(t *testing.T) {
	for name, n := range networks() {
		_, isDragonfly := n.(*Dragonfly)
		for from := range n.Routers() {
			for to := range n.Routers() {
				if n.Terminals(from)+n.Terminals(to) == 0 {
					continue
				}
				links := 0
				for at := from; ; links++ {
					port := n.Minimal(at, to)
					if port < 0 {
						require.Equal(t, to, at, name)
						break
					}
					require.Less(t, links, 40, "%s: %d to %d", name, from, to)
					at, _, _ = n.Link(at, port)
				}
				if _, ok := n.(*DragonflyPlus); ok && n.Terminals(from)*n.Terminals(to) == 0 {
					require.LessOrEqual(t, links, 4, name) // between a leaf and a spine
					continue
				}
				if isDragonfly { // one global link at most
					require.LessOrEqual(t, links, 3, name)
					require.LessOrEqual(t, links, n.Distance(from, to)+1, name)
					continue
				}
				require.Equal(t, n.Distance(from, to), links, "%s: %d to %d", name, from, to)
			}
		}
	}
}

func TestNumbersAreThoseOfTheLiterature(t *testing.T) {
	d := must(NewDragonfly(16, 8, 8)).(*Dragonfly) // Kim et al.: the balanced one of radix 31
	require.Equal(t, [4]int{129, 2064, 16512, 3}, [4]int{d.Groups(), d.Routers(), TotalTerminals(d), d.Diameter()})
	require.Equal(t, 64*65, d.Bisection())
	require.Equal(t, 23, d.Ports(0))

	// Shpiner et al.: with routers of 36 ports, 18 to each side, 325 groups of 324 terminals.
	plus := must(NewDragonflyPlus(18, 18, 18, 18)).(*DragonflyPlus)
	require.Equal(t, [4]int{325, 36 * 325, 18 * 18 * 325, 3}, [4]int{plus.Groups(), plus.Routers(), TotalTerminals(plus), plus.Diameter()})
	require.Equal(t, [2]int{18, 36}, [2]int{plus.Ports(0), plus.Ports(18)})

	f := must(NewSlimFly(19, 15)).(*SlimFly) // Besta and Hoefler: 722 routers of radix 29 + 15
	require.Equal(t, [3]int{722, 29, 10830}, [3]int{f.Routers(), f.Ports(0), TotalTerminals(f)})

	tree := must(NewTree(4, 3)).(*Tree) // Petrini and Vanneschi: n*k^(n-1) routers, k^n terminals
	require.Equal(t, [4]int{48, 64, 4, 32}, [4]int{tree.Routers(), TotalTerminals(tree), tree.Diameter(), tree.Bisection()})

	torus := must(NewTorus([]int{8, 8, 4}, 1)).(*Torus)
	require.Equal(t, [3]int{256, 10, 64}, [3]int{torus.Routers(), torus.Diameter(), torus.Bisection()})
	mesh := must(NewMesh([]int{8, 8}, 1)).(*Torus)
	require.Equal(t, [2]int{14, 8}, [2]int{mesh.Diameter(), mesh.Bisection()})
	cube := must(NewHypercube(6, 1)).(*Torus)
	require.Equal(t, [2]int{6, 32}, [2]int{cube.Diameter(), cube.Bisection()})
}

func TestBisectionsAreThoseOfACount(t *testing.T) {
	cut := func(n Network, first func(router int) bool) (links int) {
		for l := range Links(n) {
			if first(l.From) != first(l.To) {
				links++
			}
		}
		return links
	}
	torus := must(NewTorus([]int{3, 6, 4}, 1)).(*Torus)
	require.Equal(t, torus.Bisection(), cut(torus, func(r int) bool { return r/3%6 < 3 }))
	mesh := must(NewMesh([]int{3, 5}, 1)).(*Torus)
	require.Equal(t, mesh.Bisection(), cut(mesh, func(r int) bool { return r/3 < 2 }))
	d := must(NewDragonfly(3, 2, 1)).(*Dragonfly)
	require.Equal(t, d.Bisection(), cut(d, func(r int) bool { return d.Group(r) < 3 }))
	plus := must(NewDragonflyPlus(3, 2, 2, 1)).(*DragonflyPlus)
	require.Equal(t, plus.Bisection(), cut(plus, func(r int) bool { return plus.Group(r) < 2 }))
	for _, q := range []int{3, 5, 7} {
		f := must(NewSlimFly(q, 1)).(*SlimFly)
		require.Equal(t, f.Bisection(), cut(f, func(r int) bool { return r%(q*q)/q < (q+1-2*(r/(q*q)))/2 }))
	}
	tree := must(NewTree(4, 3)).(*Tree) // below the top, the subtrees of the upper two digits
	require.Equal(t, tree.Bisection(), cut(tree, func(r int) bool { return tree.Level(r) < 2 && r%16/4 < 2 }))
}

// leastCut returns the least number of links between two halves of the routers, as equal as they can be.
func leastCut(n Network) int {
	routers := n.Routers()
	beside := make([]uint, routers) // bits of the routers that are joined with one
	for l := range Links(n) {
		beside[l.From] |= 1 << l.To
		beside[l.To] |= 1 << l.From
	}
	least := 1 << 30
	for half := uint(0); half < 1<<(routers-1); half++ {
		if bits.OnesCount(half) != routers/2 {
			continue
		}
		links := 0
		for r, others := range beside {
			if half>>r&1 == 1 {
				links += bits.OnesCount(others &^ half)
			}
		}
		least = min(least, links)
	}
	return least
}

// TestBisectionsAreTheLeast tries all halves of tiny networks that are cut in halves of equal size.
func TestBisectionsAreTheLeast(t *testing.T) {
	for _, n := range []interface {
		Network
		Bisection() int
	}{
		must(NewTorus([]int{4, 3}, 1)).(*Torus), must(NewMesh([]int{4, 4}, 1)).(*Torus), must(NewHypercube(4, 1)).(*Torus),
		must(NewTree(2, 2)).(*Tree), must(NewDragonfly(1, 3, 1)).(*Dragonfly), must(NewSlimFly(3, 1)).(*SlimFly),
	} {
		require.Equal(t, leastCut(n), n.Bisection(), "%T", n)
	}
}

func TestALargeDragonflyTakesNoMemory(t *testing.T) {
	n := must(NewDragonfly(44, 22, 22))
	require.Greater(t, TotalTerminals(n), 900_000)
	r := rand.New(rand.NewPCG(1, 2))
	v, err := NewValiant(n)
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		at := r.IntN(n.Routers())
		p := v.Start(at, r.IntN(n.Routers()), r.IntN(n.Routers()))
		for {
			port, _, ok := v.Next(at, &p)
			if !ok {
				break
			}
			at, _, _ = n.Link(at, port)
		}
	}))
}

func TestUnusableShapesAreRefused(t *testing.T) {
	for want, err := range map[string]error{
		"0 leaves and 2 spines":           second(NewDragonflyPlus(0, 2, 1, 1)),
		"0 dimensions":                    second(NewTorus(nil, 1)),
		"lengths [4 1]":                   second(NewTorus([]int{4, 1}, 1)),
		"lengths [100000 100000]":         second(NewMesh([]int{100000, 100000}, 1)),
		"0 terminals":                     second(NewTorus([]int{4}, 0)),
		"hypercube of 29":                 second(NewHypercube(29, 1)),
		"groups of 0 routers":             second(NewDragonfly(0, 2, 1)),
		"groups of 8000 routers":          second(NewDragonfly(8000, 8000, 1)),
		"100000 terminals":                second(NewDragonfly(2, 2, 100000)),
		"1-ary 3-tree":                    second(NewTree(1, 3)),
		"4000-ary 4-tree":                 second(NewTree(4000, 4)),
		"slim fly for q = 9":              second(NewSlimFly(9, 1)),
		"-1 terminals":                    second(NewSlimFly(5, -1)),
		"Valiant's routing on a tree: pa": second(NewValiant(must(NewTree(2, 2)))),
	} {
		require.ErrorIs(t, err, ErrShape, want)
		require.ErrorContains(t, err, want)
	}
}

func second[T any](_ T, err error) error { return err }
