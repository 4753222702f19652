// Package topology has the shapes of interconnection networks and the routes in them. It is for models
// of networks, whose handlers ask where a port leads and through which port a packet goes next.
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
// Links have a [Class], by which a model chooses length and bandwidth. These are the networks, with
// the greatest distance of two routers that have terminals:
//
//	made by             shape                                   diameter
//	NewTorus            n-dimensional torus                     sum of L/2, each rounded down
//	NewMesh             n-dimensional mesh                      sum of L-1
//	NewHypercube        hypercube of n dimensions               n
//	NewDragonfly        dragonfly                               3
//	NewDragonflyPlus    dragonfly+ or megafly                   3
//	NewSlimFly          slim fly                                2
//	NewTree             k-ary n-tree                            2(n-1)
//	NewFatTree          fat tree of data centres, m-port n-tree 2(n-1)
//	NewXGFT             fat tree with ports of its own by level 2(n-1)
//
// [Parse] makes them of texts such as torus:8x8x8,1. [Check] finds out whether a network of your own is wired
// rightly: links lead both ways, but in a [OneWay] network.
//
// Each also has a method Bisection, which counts the links between two halves along a cut that it
// describes. For a torus or mesh whose longest dimension is even, a hypercube, a k-ary n-tree with an
// even k, and a fat tree of [NewFatTree], no halves have fewer links between them. For the others the
// cut is an upper bound.
//
// # Routes
//
// A [Routing] of a network leads packets. Start is how a packet begins, and Next, at each router,
// which port it takes next, and which virtual channel of the link behind it:
//
//	r, err := topology.NewValiant(net)
//	p := r.Start(from, to, int(lp.RNG().Integer(0, int64(net.Routers())-1)))
//	port, vc, ok := r.Next(at, &p)     // ok is false at the last router
//
// Routes are minimal, or lead by way of something random, so that no traffic is adverse to them. The
// virtual channels that they need:
//
//	                minimal                 by way of a random one
//	torus           Minimal, 2 channels     Valiant, 4 channels
//	mesh, hypercube Minimal, 1              Valiant, 2
//	dragonfly       Minimal, 2              Valiant, 4
//	dragonfly+      Minimal, 1              Valiant, 2
//	slim fly        Minimal, 2              Valiant, 4
//	trees           Minimal, 1              NewRandomTop, 1
//	                NewRandomUp, 1
//
// [Valiant.Choose] decides between the two by the queues at both ports (UGAL).
//
// Next changes nothing but the packet, which has no pointers and can travel in messages. It does not
// allocate. It takes time in proportion to the number of dimensions or levels, or for the slim fly to
// that of ports. There are no tables of routes: a dragonfly of a million terminals takes some bytes.
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
