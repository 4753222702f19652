// This file owns what the program says of its places, for pictures of its traffic.

package main

import (
	"fmt"

	"github.com/ross-go/ross/program/parts/places"
)

// places returns the map of nodes and their processes.
func (p *params) places() *places.Map {
	m := &places.Map{Title: "torus " + p.dims, Arrange: places.Grid}
	for _, n := range p.size {
		m.Lengths = append(m.Lengths, int(n))
	}
	for node := range p.nodes {
		at, process := uint64(node), uint64(node)+uint64(p.nodes)
		m.Nodes = append(m.Nodes, places.Node{LP: at, Name: fmt.Sprint("node ", node), Kind: "node"},
			places.Node{LP: process, Name: fmt.Sprint("process ", node), Kind: "process", At: places.LP(at)})
		m.Links = append(m.Links, places.Link{From: process, To: at, Class: "process"},
			places.Link{From: at, To: process, Class: "process"})
		seen := map[int32]bool{node: true} // with a length of 2 both ways lead to the same node
		for port := range p.ports() {
			if to := p.neighbour(node, int8(port)); !seen[to] {
				seen[to] = true
				m.Links = append(m.Links, places.Link{From: at, To: uint64(to), Class: fmt.Sprint("dimension ", port/2)})
			}
		}
	}
	return m
}
