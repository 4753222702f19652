// This file owns the torus: who is whose neighbour, and which way leads where.

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
)

const (
	maxDims  = 8
	maxPorts = 2 * maxDims
	maxNodes = 1 << 24
)

// grid is an n-dimensional torus. Port 2d of a node leads down in dimension d, and port 2d+1 up.
type grid struct {
	size  []int32 // by dimension
	step  []int32 // by dimension: from a node to the next one up
	at    []int32 // by node and dimension: coordinate
	nodes int32
}

// parseGrid returns the torus of a text such as 4,4,4,4,2.
func parseGrid(text string) (g grid, err error) {
	nodes := 1
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > maxNodes || nodes*n > maxNodes || len(g.size) == maxDims {
			return g, fmt.Errorf("option --dims=%s: must be 1 to %d lengths, of at most 2^24 nodes together: %w", text, maxDims, ross.ErrUsage)
		}
		g.size, g.step = append(g.size, int32(n)), append(g.step, int32(nodes))
		nodes *= n
	}
	g.nodes = int32(nodes)
	g.at = make([]int32, 0, nodes*len(g.size))
	for node := range g.nodes {
		for _, n := range g.size {
			g.at = append(g.at, node%n)
			node /= n
		}
	}
	return g, nil
}

// ports returns the number of ports of a node.
func (g *grid) ports() int { return 2 * len(g.size) }

// coordinates returns those of a node.
func (g *grid) coordinates(node int32) []int32 {
	dims := len(g.size)
	return g.at[int(node)*dims:][:dims]
}

// neighbour returns the node to which a port leads.
func (g *grid) neighbour(node int32, port int8) int32 {
	d := port / 2
	at, last, step := g.coordinates(node)[d], g.size[d]-1, g.step[d]
	switch up := port%2 != 0; {
	case up && at == last:
		return node - last*step
	case up:
		return node + step
	case at == 0:
		return node + last*step
	default:
		return node - step
	}
}

// opposite returns the node with coordinates L-1-c, where c are those of a node and L the lengths.
func (g *grid) opposite(node int32) int32 { return g.nodes - 1 - node }

// route returns the port that leads from one node towards another, dimension by dimension.
func (g *grid) route(from, to int32) int8 {
	a, b := g.coordinates(from), g.coordinates(to)
	for d, n := range g.size {
		way, half := a[d]-b[d], n/2
		switch {
		case way == 0:
		case way > half || way < 0 && way >= -half:
			return int8(2*d + 1)
		default:
			return int8(2 * d)
		}
	}
	return 0 // unreached: params.distinct has no node send to itself
}
