// This file owns the arrangement of nodes that have no coordinates.

package network

import (
	"math"

	"github.com/ross-go/ross/program/parts/places"
)

// point is a place in the picture. Linked nodes have a distance of about 1. Y leads down.
type point struct{ x, y float64 }

func (p point) plus(q point, by float64) point { return point{p.x + by*q.x, p.y + by*q.y} }

// polar returns the point of a circle at an angle, which is 0 at the top.
func polar(radius, angle float64) point {
	return point{radius * math.Sin(angle), -radius * math.Cos(angle)}
}

// arrange returns the places of the nodes of a map.
func arrange(m *places.Map) []point {
	at := make([]point, len(m.Nodes))
	var main []int // nodes that are not next to others
	for i := range m.Nodes {
		if m.Nodes[i].At == nil {
			main = append(main, i)
		}
	}
	if len(main) == 0 {
		return at
	}
	out := func(int) point { return unit(point{1, 1}) } // where the nodes next to one are
	switch given := m.Nodes[main[0]].X != nil; {
	case given:
		scaled(m, main, at)
	case m.Arrange == places.Grid:
		grid(m.Lengths, main, at)
	case m.Arrange == places.Groups:
		out = groups(m, main, at)
	case m.Arrange == places.Layers:
		layers(m, main, at)
		out = func(int) point { return point{0, 1} }
	case m.Arrange == places.Circle || len(main) > mostPulled:
		circle(main, at)
		out = func(i int) point { return unit(at[i]) }
	default:
		pull(m, main, at)
		out = outwards(m, at)
	}
	attach(m, at, out)
	return at
}

// scaled takes the coordinates that nodes have, so that the mean area of a node is 1.
func scaled(m *places.Map, main []int, at []point) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, i := range main {
		x, y := *m.Nodes[i].X, -*m.Nodes[i].Y
		low, high = point{min(low.x, x), min(low.y, y)}, point{max(high.x, x), max(high.y, y)}
	}
	wide, tall := high.x-low.x, high.y-low.y
	by := math.Sqrt(float64(len(main))) / max(wide, tall, math.SmallestNonzeroFloat64)
	if !finite(by) {
		by = 1
	}
	for _, i := range main {
		at[i] = point{(*m.Nodes[i].X - low.x) * by, (-*m.Nodes[i].Y - low.y) * by}
	}
}

// grid places nodes in a grid. Every second dimension goes across, the others down; the third and later ones
// repeat what the ones before make.
func grid(lengths []int, main []int, at []point) {
	strides, size := make([]float64, len(lengths)), [2]float64{}
	for d, n := range lengths {
		way := d % 2
		if strides[d] = 1; d >= 2 {
			strides[d] = size[way] + 1.2
		}
		size[way] += strides[d] * float64(n-1)
	}
	for number, i := range main {
		var place [2]float64
		for d, n := range lengths {
			place[d%2] += strides[d] * float64(number%n)
			number /= n
		}
		at[i] = point{place[0], place[1]}
	}
}

// groups places each group in a circle of its own, and these in a great one. Nodes without a group have one
// together. It returns the way outwards from the middle of a node's group.
func groups(m *places.Map, main []int, at []point) func(i int) point {
	var order []int // groups
	of := map[int][]int{}
	largest := 0
	for _, i := range main {
		g := m.Nodes[i].Group
		if of[g] == nil {
			order = append(order, g)
		}
		of[g] = append(of[g], i)
		largest = max(largest, len(of[g]))
	}
	radius := max(0.55, float64(largest)*0.95/(2*math.Pi))
	great := max(float64(len(order))*(2*radius+2.2)/(2*math.Pi), 2*radius+1)
	if len(order) == 1 {
		great = 0
	}
	middles := map[int]point{}
	for n, g := range order {
		angle := 2 * math.Pi * float64(n) / float64(len(order))
		middles[g] = polar(great, angle)
		for k, i := range of[g] {
			at[i] = middles[g].plus(polar(radius, angle+2*math.Pi*float64(k)/float64(len(of[g]))), 1)
		}
	}
	return func(i int) point { return unit(at[i].plus(middles[m.Nodes[i].Group], -1)) }
}

// layers places each layer in a row, the lowest one below.
func layers(m *places.Map, main []int, at []point) {
	of := map[int][]int{}
	widest := 0
	for _, i := range main {
		layer := m.Nodes[i].Layer
		of[layer] = append(of[layer], i)
		widest = max(widest, len(of[layer]))
	}
	height := max(2, float64(widest)*0.26)
	for layer, nodes := range of {
		for k, i := range nodes {
			at[i] = point{(float64(k) + 0.5) * float64(widest) / float64(len(nodes)), -height * float64(layer)}
		}
	}
}

func circle(main []int, at []point) {
	radius := max(1, float64(len(main))/(2*math.Pi))
	for k, i := range main {
		at[i] = polar(radius, 2*math.Pi*float64(k)/float64(len(main)))
	}
}

// attach places the nodes that are next to others, in a fan outwards.
func attach(m *places.Map, at []point, out func(i int) point) {
	index, of := map[uint64]int{}, map[uint64][]int{}
	for i := range m.Nodes {
		index[m.Nodes[i].LP] = i
		if next := m.Nodes[i].At; next != nil {
			of[*next] = append(of[*next], i)
		}
	}
	for lp, nodes := range of {
		i := index[lp]
		way, count := out(i), float64(len(nodes))
		between := min(0.55, 1.7/count)
		for k, n := range nodes {
			angle := (float64(k) - (count-1)/2) * between
			sin, cos := math.Sincos(angle)
			at[n] = at[i].plus(point{way.x*cos - way.y*sin, way.x*sin + way.y*cos}, 0.42)
		}
	}
}

// unit returns the direction of a point from the middle.
func unit(p point) point {
	if length := math.Hypot(p.x, p.y); length > 0 {
		return point{p.x / length, p.y / length}
	}
	return point{0, -1}
}

// outwards returns the way from a node that leads away from those to which it is linked.
func outwards(m *places.Map, at []point) func(i int) point {
	index, sum := map[uint64]int{}, make([]point, len(m.Nodes))
	for i := range m.Nodes {
		index[m.Nodes[i].LP] = i
	}
	for _, l := range m.Links {
		from, to := index[l.From], index[l.To]
		if m.Nodes[from].At == nil && m.Nodes[to].At == nil {
			sum[from] = sum[from].plus(unit(at[from].plus(at[to], -1)), 1)
		}
	}
	return func(i int) point { return unit(sum[i]) }
}

// mostPulled is the most nodes that are arranged by their links.
const mostPulled = 400

// pull arranges nodes by their links: those that are linked pull each other, and all push each other away (Fruchterman
// and Reingold, "Graph drawing by force-directed placement", Software: Practice and Experience 21, 1991). It begins
// with a circle, so it always ends with the same places.
func pull(m *places.Map, main []int, at []point) {
	circle(main, at)
	index := map[uint64]int{}
	for _, i := range main {
		index[m.Nodes[i].LP] = i
	}
	type pair struct{ a, b int }
	joined := map[pair]bool{}
	var pairs []pair
	for _, l := range m.Links {
		a, known := index[l.From]
		b, also := index[l.To]
		if p := (pair{min(a, b), max(a, b)}); known && also && a != b && !joined[p] {
			joined[p] = true
			pairs = append(pairs, p)
		}
	}
	const rounds = 250
	force := make([]point, len(at))
	for round := range rounds {
		clear(force)
		for k, i := range main {
			for _, j := range main[:k] {
				apart := at[i].plus(at[j], -1)
				square := max(apart.x*apart.x+apart.y*apart.y, 1e-4)
				force[i] = force[i].plus(apart, 1/square)
				force[j] = force[j].plus(apart, -1/square)
			}
		}
		for _, p := range pairs {
			apart := at[p.a].plus(at[p.b], -1)
			length := math.Hypot(apart.x, apart.y)
			force[p.a] = force[p.a].plus(apart, -length)
			force[p.b] = force[p.b].plus(apart, length)
		}
		step := math.Sqrt(float64(len(main))) / 8 * (1 - float64(round)/rounds)
		for _, i := range main {
			length := math.Hypot(force[i].x, force[i].y)
			at[i] = at[i].plus(unit(force[i]), min(length, step))
		}
	}
}
