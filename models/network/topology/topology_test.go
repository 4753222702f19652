// Networks are what they claim to be: every link leads back, and distances are those of a search. Bisections are the
// least numbers of links between two halves, where they promise that, and otherwise those of the cut that they
// describe. Texts make the networks that they name.

package topology

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testalloc"
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
	for _, kn := range [][2]int{{2, 1}, {2, 2}, {3, 2}, {2, 4}, {4, 2}, {3, 3}} {
		all[fmt.Sprint("tree ", kn)] = must(NewTree(kn[0], kn[1]))
	}
	for _, down := range [][]int{{3}, {2, 4}, {2, 2, 4}, {1, 1, 2}, {3, 2, 3}, {2, 3, 1}, {2, 2, 2, 3}} {
		up := []int{2, 1, 3}[:len(down)-1]
		all[fmt.Sprint("fat tree ", down, up)] = must(NewXGFT(down, up))
	}
	for _, kn := range [][2]int{{4, 1}, {4, 3}, {6, 2}, {2, 4}} {
		all[fmt.Sprint("fat tree ", kn)] = must(NewFatTree(kn[0], kn[1]))
	}
	for _, n := range [][5]int{
		{1, 1, 1, 1, 2}, {2, 2, 1, 2, 3}, {2, 3, 2, 1, 7}, {3, 2, 2, 2, 5}, {2, 2, 4, 1, 3}, {1, 2, 6, 1, 4},
		{2, 4, 1, 1, 5}, {4, 2, 1, 1, 2}, {2, 3, 4, 1, 4}, {2, 5, 2, 1, 11}, {1, 4, 3, 1, 13}, {1, 9, 1, 1, 10},
		{1, 7, 3, 1, 8}, {1, 1, 4, 1, 5}, {2, 3, 4, 1, 13}, {2, 6, 1, 1, 7},
	} {
		all[fmt.Sprint("dragonfly+ ", n)] = must(NewDragonflyPlus(n[0], n[1], n[2], n[3], n[4]))
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

	f := must(NewSlimFly(19, 15)).(*SlimFly) // Besta and Hoefler: 722 routers of radix 29 + 15
	require.Equal(t, 19*181, f.Bisection())
	require.Equal(t, [3]int{722, 29, 10830}, [3]int{f.Routers(), f.Ports(0), TotalTerminals(f)})

	plus := must(NewDragonflyPlus(18, 18, 18, 18, 325)).(*DragonflyPlus) // Shpiner et al.: of routers with 36 ports
	require.Equal(t, [4]int{325, 11700, 105300, 3}, [4]int{plus.Groups(), plus.Routers(), TotalTerminals(plus),
		plus.Diameter()})
	require.Equal(t, [3]int{162 * 163, 1, 36}, [3]int{plus.Bisection(), plus.Parallel(), plus.Ports(18)})
	few := must(NewDragonflyPlus(18, 18, 18, 18, 19)).(*DragonflyPlus) // each spine is joined with each other group
	require.Equal(t, [3]int{18, 6156, 18 * 9 * 10}, [3]int{few.Parallel(), TotalTerminals(few), few.Bisection()})

	for k, want := range map[int][2]int{4: {20, 16}, 48: {2880, 27648}} { // Al-Fares et al.: 5k^2/4 switches, k^3/4 hosts
		fat := must(NewFatTree(k, 3)).(*FatTree)
		require.Equal(t, [4]int{want[0], want[1], want[1] / 2, 4}, [4]int{fat.Routers(), TotalTerminals(fat), fat.Bisection(),
			fat.Diameter()})
		require.Equal(t, k*k/4, fat.Routers()-2*k*k/2, "core switches")
	}
	ports := must(NewFatTree(8, 4)).(*FatTree) // Lin et al.: (2n-1)(m/2)^(n-1) routers, 2(m/2)^n terminals
	require.Equal(t, [4]int{7 * 64, 512, 4, 6}, [4]int{ports.Routers(), TotalTerminals(ports), ports.Levels(),
		ports.Diameter()})
	tapered := must(NewXGFT([]int{24, 12, 8}, []int{12, 6})).(*FatTree) // a third of the edge's bandwidth at the top
	require.Equal(t, [4]int{96 + 96 + 72, 24 * 96, 4, 4 * 72},
		[4]int{tapered.Routers(), TotalTerminals(tapered), tapered.Diameter(), tapered.Bisection()})

	tree := must(NewTree(4, 3)).(*Tree) // Petrini and Vanneschi: n*k^(n-1) routers, k^n terminals
	require.Equal(t, [4]int{48, 64, 4, 32}, [4]int{tree.Routers(), TotalTerminals(tree), tree.Diameter(),
		tree.Bisection()})

	torus := must(NewTorus([]int{8, 8, 4}, 1)).(*Torus)
	require.Equal(t, [3]int{256, 10, 64}, [3]int{torus.Routers(), torus.Diameter(), torus.Bisection()})
	mesh := must(NewMesh([]int{8, 8}, 1)).(*Torus)
	require.Equal(t, [2]int{14, 8}, [2]int{mesh.Diameter(), mesh.Bisection()})
	cube := must(NewHypercube(6, 1)).(*Torus)
	require.Equal(t, [2]int{6, 32}, [2]int{cube.Diameter(), cube.Bisection()})
}

func TestLargeNetworksTakeNoMemory(t *testing.T) {
	valiant := func(n Network) Routing {
		v, err := NewValiant(n)
		require.NoError(t, err)
		return v
	}
	top, err := NewRandomTop(must(NewFatTree(160, 3)))
	require.NoError(t, err)
	for name, routing := range map[string]Routing{
		"dragonfly":  valiant(must(NewDragonfly(44, 22, 22))),
		"dragonfly+": valiant(must(NewDragonflyPlus(32, 32, 32, 32, 1025))),
		"fat tree":   top,
	} {
		n := routing.Network()
		require.Greater(t, TotalTerminals(n), 900_000, name)
		terminals := n.(interface{ RouterOf(terminal int) int })
		r := rand.New(rand.NewPCG(1, 2))
		var p Packet
		require.Zero(t, testalloc.PerRun(1000, func() {
			at, to := terminals.RouterOf(r.IntN(900_000)), terminals.RouterOf(r.IntN(900_000))
			p = routing.Start(at, to, r.IntN(n.Routers()))
			for {
				port, _, ok := routing.Next(at, &p)
				if !ok {
					break
				}
				at, _, _ = n.Link(at, port)
			}
			if at != to {
				panic(fmt.Sprint(name, ": a packet to ", to, " ends at ", at))
			}
		}), name)
	}
}

func TestTerminalsBelongToTheirRouters(t *testing.T) {
	for name, n := range networks() {
		routerOf := n.(interface{ RouterOf(terminal int) int }).RouterOf
		terminal := 0
		for r := range n.Routers() {
			for range n.Terminals(r) {
				require.Equal(t, r, routerOf(terminal), name)
				terminal++
			}
		}
		require.Equal(t, TotalTerminals(n), terminal, name)
	}
}

func TestUnusableShapesAreRefused(t *testing.T) {
	for want, err := range map[string]error{
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
		"groups of 0 leaves, and 2":       second(NewDragonflyPlus(0, 2, 2, 1, 5)),
		"2 spines with 9000 global links": second(NewDragonflyPlus(2, 2, 9000, 1, 5)),
		"dragonfly+ of 1 groups":          second(NewDragonflyPlus(2, 2, 2, 1, 1)),
		"of 4 groups: 2 spines with 2 global links serve 5 groups, or 1 more than a divisor of 4": second(
			NewDragonflyPlus(2, 2, 2, 1, 4)),
		"32769 groups of 8192 leaves":               second(NewDragonflyPlus(8192, 64, 512, 1, 32769)),
		"0 terminals of a router":                   second(NewDragonflyPlus(2, 2, 2, 0, 5)),
		"routers with 5 ports on 3 levels":          second(NewFatTree(5, 3)),
		"routers with 4 ports on 0 levels":          second(NewFatTree(4, 0)),
		"of 2 levels with ports down and 2 with":    second(NewXGFT([]int{2, 2}, []int{2, 2})),
		"[2 0] ports down and [2] up":               second(NewXGFT([]int{2, 0}, []int{2})),
		"[2 8192 8192 8192] ports down":             second(NewXGFT([]int{2, 8192, 8192, 8192}, []int{1, 1, 1})),
		"[1 8192 8192 2] ports down and [8192 1 1]": second(NewXGFT([]int{1, 8192, 8192, 2}, []int{8192, 1, 1})),
		"random ports up in a *topology.Torus: it":  second(NewRandomUp(must(NewTorus([]int{4}, 1)))),
		"random ports up in a *topology.SlimFly":    second(NewRandomTop(must(NewSlimFly(5, 1)))),
		"Valiant's routing on a tree: pa":           second(NewValiant(must(NewTree(2, 2)))),
	} {
		require.ErrorIs(t, err, ErrShape, want)
		require.ErrorContains(t, err, want)
	}
}

func second[T any](_ T, err error) error { return err }

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

// least returns the least number of links between two parts of a network, each with at least that number of
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

func TestTextsAreNetworks(t *testing.T) {
	texts := map[string]Network{
		"torus:4x3,2":          must(NewTorus([]int{4, 3}, 2)),
		"torus:5,1":            must(NewTorus([]int{5}, 1)),
		"mesh:2x3x4,1":         must(NewMesh([]int{2, 3, 4}, 1)),
		"hypercube:3,2":        must(NewHypercube(3, 2)),
		"dragonfly:4,2,3":      must(NewDragonfly(4, 2, 3)),
		"dragonfly+:2,3,4,5,7": must(NewDragonflyPlus(2, 3, 4, 5, 7)),
		"tree:4,3":             must(NewTree(4, 3)),
		"fattree:4,3":          must(NewFatTree(4, 3)),
		"xgft:4x3x2,2x1":       must(NewXGFT([]int{4, 3, 2}, []int{2, 1})),
		"slimfly:5,4":          must(NewSlimFly(5, 4)),
	}
	names := map[string]bool{}
	for text, want := range texts {
		n, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
		name, _, _ := strings.Cut(text, ":")
		names[name] = true
	}
	for _, format := range Formats() {
		name, _, _ := strings.Cut(format, ":")
		require.True(t, names[name], format)
	}
	require.Len(t, names, len(Formats()))
}

func TestTextsOfNoNetworkAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `"": give one of torus:LxLx..,TERMINALS, mesh:`,
		"ring:4":               `"ring:4": give one of torus:`,
		"torus":                "give torus:LxLx..,TERMINALS",
		"torus:4x4":            "give torus:LxLx..,TERMINALS",
		"torus:4xx4,1":         "give torus:LxLx..,TERMINALS",
		"torus:4,1x1":          "give torus:LxLx..,TERMINALS",
		"tree:2,three":         "give tree:K,LEVELS",
		"dragonfly+:2,2,2,2":   "give dragonfly+:LEAVES,SPINES,GLOBAL,TERMINALS,GROUPS",
		"dragonfly+:2,2,2,2,4": "dragonfly+ of 4 groups: 2 spines with 2 global links serve 5 groups",
		"fattree:5,3":          "fat tree of routers with 5 ports",
		"xgft:4x4,":            "give xgft:DOWNxDOWNx..,UPxUPx..",
	} {
		n, err := Parse(text)
		require.Nil(t, n, text)
		require.ErrorIs(t, err, ErrShape, text)
		require.ErrorContains(t, err, want, text)
	}
}
