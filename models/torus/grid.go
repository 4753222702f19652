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
	size  []int32
	nodes int32
	next  []int32 // by node and port: the neighbour
}

// parseGrid returns the torus of a text such as 4,4,4,4,2.
func parseGrid(text string) (g grid, err error) {
	nodes := 1
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > maxNodes || nodes*n > maxNodes || len(g.size) == maxDims {
			return g, fmt.Errorf("option --dims=%s: must be 1 to %d lengths, of at most 2^24 nodes together: %w", text, maxDims, ross.ErrUsage)
		}
		g.size = append(g.size, int32(n))
		nodes *= n
	}
	g.nodes = int32(nodes)
	g.next = make([]int32, 0, nodes*g.ports())
	for node := range g.nodes {
		below := int32(1)
		for _, n := range g.size {
			at := node / below % n
			g.next = append(g.next, node+((at+n-1)%n-at)*below, node+((at+1)%n-at)*below)
			below *= n
		}
	}
	return g, nil
}

// ports returns the number of ports of a node.
func (g *grid) ports() int { return 2 * len(g.size) }

// neighbour returns the node to which a port leads.
func (g *grid) neighbour(node int32, port int8) int32 {
	return g.next[int(node)*g.ports()+int(port)]
}

// opposite returns the node with coordinates L-1-c, where c are those of a node and L the lengths.
func (g *grid) opposite(node int32) int32 { return g.nodes - 1 - node }

// route returns the port that leads from one node towards another, dimension by dimension.
func (g *grid) route(from, to int32) int8 {
	for d, n := range g.size {
		way := from%n - to%n
		from, to = from/n, to/n
		switch {
		case way == 0:
		case way > n/2 || way < 0 && -way <= n/2:
			return int8(2*d + 1)
		default:
			return int8(2 * d)
		}
	}
	return 0
}
