// This file owns what the program says of its places, for pictures of its traffic.

package main

import (
	"fmt"

	"github.com/ross-go/ross/program/parts/places"
)

// places returns the map of routers and terminals. Processes, which are with the terminals, are left out.
func (p *params) places() *places.Map {
	m := &places.Map{Title: fmt.Sprintf("dragonfly of %d groups", p.groups), Arrange: places.Groups}
	per, routers := int32(p.perGroup), p.routers
	for r := range routers {
		group := p.group(r)
		m.Nodes = append(m.Nodes, places.Node{LP: uint64(r), Name: fmt.Sprint("router ", r), Kind: "router",
			Group: int(group) + 1})
		for to := group * per; to < (group+1)*per; to++ {
			if to != r {
				m.Links = append(m.Links, places.Link{From: uint64(r), To: uint64(to), Class: "local"})
			}
		}
		channels := int(p.channels)
		for _, to := range p.far[int(r)*channels : (int(r)+1)*channels] {
			if to != r {
				m.Links = append(m.Links, places.Link{From: uint64(r), To: uint64(to), Class: "global"})
			}
		}
	}
	for end := range p.ends {
		lp, at := uint64(routers+end), uint64(p.routerOf(end))
		m.Nodes = append(m.Nodes, places.Node{LP: lp, Name: fmt.Sprint("terminal ", end), Kind: "terminal",
			Group: int(p.group(int32(at))) + 1, At: places.LP(at)})
		m.Links = append(m.Links, places.Link{From: lp, To: at, Class: "terminal"},
			places.Link{From: at, To: lp, Class: "terminal"})
	}
	return m
}
