// Package topology has the shapes of interconnection networks and the routes in them: torus, mesh,
// hypercube, dragonfly, dragonfly+, k-ary n-tree and slim fly. It is for models of networks, whose handlers ask
// where a port leads and through which port a packet goes next.
//
// # Networks
//
// A [Network] consists of routers, numbered from 0, each with ports, numbered from 0, that are
// joined by links. Terminals, where packets begin and end, belong to routers; what leads to them is
// not a port here.
//
//	terminals  0   1         2   3
//	            \ /           \ /
//	router       0 -- 1   0 -- 1           a link joins port 1 of router 0
//	ports          port    port            with port 0 of router 1
//
// Links have a [Class], by which a model chooses length and bandwidth.
//
// # Routes
//
// A [Routing] of a network leads packets. Start says how a packet begins, and Next, at each router,
// which port it takes next, and which virtual channel of the link behind it:
//
//	r, err := topology.NewValiant(net)
//	p := r.Start(from, to, lp.RNG().Integer(0, int64(net.Routers())-1))
//	port, vc, ok := r.Next(at, &p)     // ok is false at the last router
//
// Next changes nothing but the packet, which has no pointers and can travel in messages. It takes
// constant time, or for the slim fly time proportional to the number of ports, and does not
// allocate. There are no tables of routes: a dragonfly of a million terminals takes some bytes.
//
// # Deadlock
//
// A routing is free of deadlock if no packets can wait for one another in a circle. [Cycle] finds out,
// from all routes of a small network: a virtual channel depends on another if a packet can hold the
// one and wait for the other, and there must be no cycle among these (Dally and Seitz,
// "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Transactions on
// Computers 36(5), 1987).
//
// # Design
//
// Routes are computed rather than looked up, because a table of all pairs of routers is larger than
// the model. What a route may depend on at random is drawn by the caller before Start: so the draw
// comes from the stream of an LP, and is undone with its event.
package topology
