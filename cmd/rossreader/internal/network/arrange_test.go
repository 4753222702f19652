// This file tests the arrangements: no two nodes are at one place, and each arrangement keeps its promise.

package network

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/places"
)

// ring returns a map of nodes in a ring, each with an attached one.
func ring(n int, set func(m *places.Map)) *places.Map {
	m := &places.Map{}
	for i := range uint64(n) {
		m.Nodes = append(m.Nodes, places.Node{LP: i, Group: int(i)/3 + 1, Layer: int(i) % 4})
		next := (i + 1) % uint64(n)
		m.Links = append(m.Links, places.Link{From: i, To: next}, places.Link{From: next, To: i})
	}
	for i := range uint64(n) {
		m.Nodes = append(m.Nodes, places.Node{LP: uint64(n) + i, At: places.LP(i)})
	}
	set(m)
	return m
}

func distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

func TestEachArrangementHasAPlaceForEachNode(t *testing.T) {
	const n = 24
	for name, set := range map[string]func(m *places.Map){
		"by links": func(*places.Map) {},
		"grid":     func(m *places.Map) { m.Arrange, m.Lengths = places.Grid, []int{2, 3, 2, 2} },
		"groups":   func(m *places.Map) { m.Arrange = places.Groups },
		"layers":   func(m *places.Map) { m.Arrange = places.Layers },
		"circle":   func(m *places.Map) { m.Arrange = places.Circle },
		"given": func(m *places.Map) {
			for i := range n {
				x, y := float64(i%5)*1e6, float64(i/5)*1e6
				m.Nodes[i].X, m.Nodes[i].Y = &x, &y
			}
		},
	} {
		m := ring(n, set)
		require.NoError(t, m.Check(), name)
		at := arrange(m)
		require.Equal(t, at, arrange(m), "%s: always the same", name)
		least := math.Inf(1)
		for i, p := range at {
			require.True(t, finite(p.x) && finite(p.y), name)
			for _, q := range at[:i] {
				least = min(least, distance(p, q))
			}
		}
		require.Greater(t, least, 0.1, name)
		for i := range n {
			require.InDelta(t, 0.42, distance(at[i], at[n+i]), 1e-9, "%s: attached nodes are near", name)
		}
	}
}

func TestArrangementsAreWhatTheySay(t *testing.T) {
	grid := arrange(ring(12, func(m *places.Map) { m.Arrange, m.Lengths = places.Grid, []int{4, 3} }))
	require.Equal(t, []point{{0, 0}, {1, 0}, {3, 0}, {0, 1}}, []point{grid[0], grid[1], grid[3], grid[4]})
	require.Equal(t, point{3, 2}, grid[11])
	long := arrange(ring(24, func(m *places.Map) { m.Arrange, m.Lengths = places.Grid, []int{2, 3, 2, 2} }))
	require.Equal(t, point{2.2, 0}, long[6], "the third dimension repeats the first one")
	require.InDelta(t, 3.2, long[12].y, 1e-12, "and the fourth one the second")
	layers := arrange(ring(8, func(m *places.Map) { m.Arrange = places.Layers }))
	require.Equal(t, layers[0].y, layers[4].y)
	require.Less(t, layers[1].y, layers[0].y, "higher layers are above")
	groups := arrange(ring(12, func(m *places.Map) { m.Arrange = places.Groups }))
	require.Less(t, distance(groups[0], groups[1]), distance(groups[0], groups[3]), "a group is together")
	given := arrange(ring(4, func(m *places.Map) {
		for i := range 4 {
			x, y := float64(i), -float64(i)
			m.Nodes[i].X, m.Nodes[i].Y = &x, &y
		}
	}))
	require.InDelta(t, given[1].x-given[0].x, given[1].y-given[0].y, 1e-9, "Y leads upwards in a map, and down in a picture")
	pulled := arrange(ring(20, func(*places.Map) {}))
	var near, far []float64
	for i := range 20 {
		near, far = append(near, distance(pulled[i], pulled[(i+1)%20])), append(far, distance(pulled[i], pulled[(i+10)%20]))
	}
	require.Less(t, slices.Max(near), slices.Min(far), "linked nodes are nearer than others")
	large := arrange(ring(mostPulled+1, func(*places.Map) {}))
	require.InDelta(t, math.Hypot(large[0].x, large[0].y), math.Hypot(large[77].x, large[77].y), 1e-9, "many are in a circle")
	require.Empty(t, arrange(&places.Map{}))
	one := arrange(&places.Map{Nodes: []places.Node{{LP: 3, X: new(float64), Y: new(float64)}}})
	require.True(t, finite(one[0].x) && finite(one[0].y))
}
