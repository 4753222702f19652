// This file owns the examples.

package partition_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/mapping/partition"
)

// Two rooms of LPs that talk among themselves. Even ids are in one room, odd ids in the other, and
// LPs 0 and 1 are at the door.
func Example() {
	const lps = 12
	g, err := partition.FromLinks(lps, nil, func(yield func(partition.Link) bool) {
		for a := range uint64(lps) {
			for b := a + 2; b < lps; b += 2 {
				if !yield(partition.Link{A: a, B: b, Events: 10}) {
					return
				}
			}
		}
		yield(partition.Link{A: 0, B: 1, Events: 1})
	})
	if err != nil {
		log.Fatal(err)
	}
	c, err := g.Compare(2, partition.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(c)
	m, err := g.Mapping(partition.Options{}).Map(mapping.Shape{PEs: 2, LPs: lps, KPs: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("with LP 0:", m.PE(2) == m.PE(0), m.PE(3) == m.PE(0))
	// Output:
	// mapping               cut    share  imbalance  least lookahead
	// linear                180   59.8 %      0.0 %  0
	// round robin             1    0.3 %      0.0 %  0
	// partition               1    0.3 %      0.0 %  0
	// with LP 0: true false
}

// dragonfly yields the links of a dragonfly: all routers of a group are connected, and each group with each other one,
// through channels that its routers have for that. The lookahead is 0.01 within a group, and 1 between groups.
func dragonfly(routers, channels uint64) (lps uint64, links iter.Seq[partition.Link]) {
	groups := routers*channels + 1
	return groups * routers, func(yield func(partition.Link) bool) {
		for g := range groups {
			for a := range routers {
				for b := range a {
					if !yield(partition.Link{A: g*routers + a, B: g*routers + b, Events: 1, Lookahead: 0.01}) {
						return
					}
				}
			}
			for h := g + 1; h < groups; h++ {
				there, back := h-g-1, groups-(h-g)-1 // the channel in either group
				if !yield(partition.Link{A: g*routers + there/channels, B: h*routers + back/channels, Events: 1, Lookahead: 1}) {
					return
				}
			}
		}
	}
}

// A dragonfly of 65 groups on 4 PEs. The ids of its routers have no order, as if they came from a
// file.
func ExampleGraph_Compare() {
	lps, links := dragonfly(16, 4)
	id := func(router uint64) uint64 { return router * 389 % lps } // a permutation
	g, err := partition.FromLinks(lps, nil, func(yield func(partition.Link) bool) {
		for l := range links {
			if !yield(partition.Link{A: id(l.A), B: id(l.B), Events: 1, Lookahead: 0.1}) {
				return
			}
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	c, err := g.Compare(4, partition.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(c)
	// Output:
	// mapping               cut    share  imbalance  least lookahead
	// linear               7813   79.1 %      0.0 %  0.1
	// round robin          8320   84.2 %      0.0 %  0.1
	// partition            1631   16.5 %      2.7 %  0.1
}

// The routers of a dragonfly: every event goes on over a random link.
type (
	router struct{ Seen uint64 }
	packet struct{}
)

// A dragonfly of 9 groups, whose links between groups have more lookahead than those inside. The
// partition cuts no group: one PE has 5 and the other 4 of them. In return a conservative run has a
// hundred times the lookahead.
func ExampleOptions_keepBelow() {
	lps, links := dragonfly(4, 2)
	g, err := partition.FromLinks(lps, nil, links)
	if err != nil {
		log.Fatal(err)
	}
	o := partition.Options{KeepBelow: 1}
	c, err := g.Compare(2, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("linear:   ", c.Linear)
	fmt.Println("partition:", c.Partition)

	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = ross.Conservative, 2, int(lps), 20
	cfg.Mapping, cfg.ConsLookahead = g.Mapping(o), c.Partition.Lookahead
	ports := make([][]partition.Link, lps) // with the other router as B
	for l := range links {
		ports[l.A] = append(ports[l.A], l)
		l.A, l.B = l.B, l.A
		ports[l.A] = append(ports[l.A], l)
	}
	send := func(lp *ross.LP) {
		mine := ports[lp.ID()]
		l := mine[lp.RNG().Integer(0, int64(len(mine))-1)]
		ross.Send(lp, ross.LPID(l.B), l.Lookahead+lp.RNG().Exponential(1), packet{})
	}
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[router]{
		Name:  "router",
		Init:  func(_ *router, lp *ross.LP) { send(lp) },
		Event: ross.On(func(r *router, lp *ross.LP, _ *packet) { r.Seen++; send(lp) }),
	}); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	st := sim.Summary()
	fmt.Println("events:", st.NetEvents())
	// Output:
	// linear:    cut 28 of 90 events (31.1 %), imbalance 0.0 %, least lookahead 0.01
	// partition: cut 20 of 90 events (22.2 %), imbalance 11.1 %, least lookahead 1
	// events: 475
}
