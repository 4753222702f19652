package topology_test

import (
	"fmt"

	"github.com/ross-go/ross/topology"
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
