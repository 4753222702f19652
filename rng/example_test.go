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

// Tables are made once and shared by all LPs, each of which draws from its own stream.
func ExampleNewDiscrete() {
	size, err := rng.NewDiscrete([]string{"small", "medium", "large"}, []float64{6, 3, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	rank, err := rng.NewZipf(1e9, 1.1) // web pages by popularity
	if err != nil {
		fmt.Println(err)
		return
	}
	stream := rng.NewSeeder(rng.DefaultSeeds).Stream(5)
	for range 4 {
		fmt.Println(size.Draw(&stream), rank.Draw(&stream))
	}
	_, err = rng.NewZipf(1e9, -1)
	fmt.Println(err)
	// Output:
	// small 17
	// small 3865
	// small 1
	// small 184
	// ross: Zipf distribution: the exponent is -1: give a finite number of 0 or more
}

// A replication draws from its own part of every stream, 2^48 draws further on.
func ExampleSeeds_Replication() {
	models, _ := rng.RunSeeds(2026)
	for replication := range uint64(3) {
		stream := rng.NewSeeder(models.Replication(replication)).Stream(5)
		fmt.Printf("%.4f %.4f\n", stream.Unif(), stream.Unif())
	}
	jump := rng.NewSeeder(models).Stream(5)
	jump.Skip(2 * rng.ReplicationDraws)
	fmt.Printf("%.4f\n", jump.Unif())
	// Output:
	// 0.2458 0.8244
	// 0.8965 0.7881
	// 0.9320 0.8956
	// 0.9320
}
