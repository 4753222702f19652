// This file owns the runnable examples of the documentation.

package rng_test

import (
	"fmt"

	"github.com/ross-go/ross/rng"
)

// An LP draws from its own stream; a rollback restores the stream's state, and the
// numbers come again.
func Example() {
	seeder := rng.NewSeeder(rng.DefaultSeeds)
	stream := seeder.Stream(5)

	before := stream.State()
	fmt.Printf("%.6f %d\n", stream.Unif(), stream.Integer(0, 9))

	stream.SetState(before)
	fmt.Printf("%.6f %d\n", stream.Unif(), stream.Integer(0, 9))
	// Output:
	// 0.940030 6
	// 0.940030 6
}

// A model that reverses by hand undoes as many draws as it made.
func ExampleStream_Reverse() {
	stream := rng.NewSeeder(rng.DefaultSeeds).Stream(5)

	start := stream.Count()
	delay := stream.Exponential(2.5)
	trials := stream.Geometric(0.3)
	draws := stream.Count() - start
	fmt.Printf("%.6f %d, %d draws\n", delay, trials, draws)

	for range draws {
		stream.Reverse()
	}
	fmt.Printf("%.6f %d\n", stream.Exponential(2.5), stream.Geometric(0.3))
	// Output:
	// 0.154609 12, 13 draws
	// 0.154609 12
}
