package topology_test

import (
	"fmt"

	"github.com/ross-go/ross/models/network/topology"
)

// A packet goes through a torus, and over its edge.
func Example() {
	net, err := topology.NewTorus([]int{8, 8}, 1)
	if err != nil {
		panic(err)
	}
	r := topology.NewMinimal(net)
	at, to := 6, 16
	p := r.Start(at, to, 0)
	for {
		port, channel, ok := r.Next(at, &p)
		if !ok {
			break
		}
		next, _, class := net.Link(at, port)
		fmt.Printf("router %d: port %d, channel %d, a %v link to %d\n", at, port, channel, class, next)
		at = next
	}
	// Output:
	// router 6: port 1, channel 0, a local link to 7
	// router 7: port 1, channel 0, a local link to 0
	// router 0: port 3, channel 0, a local link to 8
	// router 8: port 3, channel 0, a local link to 16
}

// Rings wait for themselves, unless they have two virtual channels.
func ExampleCycle() {
	ring, err := topology.NewTorus([]int{5}, 1)
	if err != nil {
		panic(err)
	}
	cycle, err := topology.Cycle(topology.NewMinimal(ring), ring.Diameter())
	fmt.Println(len(cycle), err)
	// Output: 0 <nil>
}

// The neighbours of a router are at the other ends of its ports. Those of a spine of a dragonfly+ are the
// leaves of its group, and spines of other groups.
func ExampleNewDragonflyPlus() {
	net, err := topology.NewDragonflyPlus(2, 2, 2, 3, 5) // groups of 2 leaves, and 2 spines with 2 global links each
	if err != nil {
		panic(err)
	}
	fmt.Println(net.Routers(), "routers,", topology.TotalTerminals(net), "terminals, bisection", net.Bisection())
	spine := 2
	for port := range net.Ports(spine) {
		other, _, class := net.Link(spine, port)
		fmt.Println(class, "to", other, "in group", net.Group(other))
	}
	// Output:
	// 20 routers, 30 terminals, bisection 6
	// down to 0 in group 0
	// down to 1 in group 0
	// global to 7 in group 1
	// global to 11 in group 2
}

// Fat trees of data centres, by the number of ports of their switches.
func ExampleNewFatTree() {
	for _, ports := range []int{4, 48} {
		net, err := topology.NewFatTree(ports, 3)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d ports: %d switches, %d terminals\n", ports, net.Routers(), topology.TotalTerminals(net))
	}
	_, err := topology.NewFatTree(5, 3)
	fmt.Println(err)
	// Output:
	// 4 ports: 20 switches, 16 terminals
	// 48 ports: 2880 switches, 27648 terminals
	// topology: unusable shape: fat tree of routers with 5 ports on 3 levels: there must be an even number of 2 to 8192 ports, and 1 to 28 levels
}

// Packets from one pod to another go by any of the four core switches, which the number drawn selects.
func ExampleNewRandomUp() {
	net, err := topology.NewFatTree(4, 3)
	if err != nil {
		panic(err)
	}
	r, err := topology.NewRandomUp(net)
	if err != nil {
		panic(err)
	}
	for drawn := range 4 {
		at, to := 0, 7
		fmt.Print(at)
		for p := r.Start(at, to, drawn); ; {
			port, _, ok := r.Next(at, &p)
			if !ok {
				break
			}
			at, _, _ = net.Link(at, port)
			fmt.Print(" ", at)
		}
		fmt.Println()
	}
	// Output:
	// 0 8 16 14 7
	// 0 9 17 15 7
	// 0 8 18 14 7
	// 0 9 19 15 7
}

// UGAL goes by way of a random router if the queue on the minimal way is too long.
func ExampleValiant_Choose() {
	net, err := topology.NewDragonfly(4, 2, 2)
	if err != nil {
		panic(err)
	}
	v, err := topology.NewValiant(net)
	if err != nil {
		panic(err)
	}
	queues := make([]int, net.Ports(0))
	queue := func(port int) int { return queues[port] }
	from, to, drawn := 0, 13, 25
	for _, length := range []int{0, 10} {
		queues[net.Minimal(from, to)] = length
		if p := v.Choose(from, to, drawn, 0, queue); p.Via < 0 {
			fmt.Println(length, "packets: the minimal way")
		} else {
			fmt.Println(length, "packets: by way of router", p.Via)
		}
	}
	// Output:
	// 0 packets: the minimal way
	// 10 packets: by way of router 25
}

// A model reads its network from the command line.
func ExampleParse() {
	for _, text := range []string{"torus:8x8x4,1", "dragonfly+:18,18,18,18,325", "xgft:24x12x8,12x6", "torus:8x8"} {
		net, err := topology.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %d routers, diameter %d\n", text, net.Routers(), net.Diameter())
	}
	// Output:
	// torus:8x8x4,1: 256 routers, diameter 10
	// dragonfly+:18,18,18,18,325: 11700 routers, diameter 3
	// xgft:24x12x8,12x6: 264 routers, diameter 4
	// topology: unusable shape: "torus:8x8": give torus:LxLx..,TERMINALS
}
