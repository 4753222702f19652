// This file owns what the program says of its places, for pictures of its traffic.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/places"
)

// places returns the map of routers and hosts.
func (p *params) places() *places.Map {
	t := &p.torus
	m := &places.Map{Title: "torus " + p.dims, Arrange: places.Grid, Lengths: t.size}
	for id := ross.LPID(0); uint64(id) < t.lps; id++ {
		if t.kindOf(id) != 0 {
			continue
		}
		m.Nodes = append(m.Nodes, places.Node{LP: uint64(id), Name: t.label(id), Kind: "router"})
		seen := map[ross.LPID]bool{} // with a length of 2 both ways lead to the same router
		for port := range t.ports {
			to := t.across(id, port)
			if seen[to] {
				continue
			}
			seen[to] = true
			class := "host"
			if port < t.links {
				class = fmt.Sprint("dimension ", port/2)
			} else {
				m.Nodes = append(m.Nodes, places.Node{LP: uint64(to), Name: t.label(to), Kind: "host", At: places.LP(uint64(id))})
				m.Links = append(m.Links, places.Link{From: uint64(to), To: uint64(id), Class: class})
			}
			m.Links = append(m.Links, places.Link{From: uint64(id), To: uint64(to), Class: class})
		}
	}
	return m
}
