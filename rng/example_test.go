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

// A model that reverses by hand undoes as many draws as it made. The seeds of
// replications are unrelated. Multiples of one number are not: a draw with 2 2 2 2 is
// twice the draw with 1 1 1 1, modulo 1.
func ExampleSeedsOf() {
	draw := func(s rng.Seeds) float64 {
		stream := rng.NewSeeder(s).Stream(1)
		return stream.Unif()
	}
	fmt.Printf("%.6f %.6f\n", draw(rng.Seeds{1, 1, 1, 1}), draw(rng.Seeds{2, 2, 2, 2}))
	fmt.Println(rng.Seeds{2, 2, 2, 2}.Patterned())
	for replication := range uint64(2) {
		s := rng.SeedsOf(replication)
		fmt.Printf("%v draws %.6f\n", s, draw(s))
	}
	// Output:
	// 0.642712 0.285424
	// true
	// [60845732 496820717 1925036256 1982667257] draws 0.814625
	// [1294668924 10533118 1608583573 656958378] draws 0.913735
}

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
