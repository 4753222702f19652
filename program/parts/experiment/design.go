// This file owns designs: the points of an experiment, made from the levels or ranges of parameters.

package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/rng"
)

// Factor is a parameter with the values that it takes in an experiment.
type Factor struct {
	name   string
	levels []any
}

// Over returns a factor: a parameter with its values.
func Over[T float64 | int | string | bool](name string, levels ...T) Factor {
	f := Factor{name: name}
	for _, v := range levels {
		f.levels = append(f.levels, v)
	}
	return f
}

// Grid returns a point for each combination of the factors' values. The last factor varies fastest.
// It returns none if a factor has no values.
func Grid(factors ...Factor) []Point {
	points := []Point{{}}
	for _, f := range factors {
		var longer []Point
		for _, p := range points {
			for _, v := range f.levels {
				longer = append(longer, append(slices.Clone(p), Param{f.name, v}))
			}
		}
		points = longer
	}
	return points
}

// List returns a point for the first values of all factors, one for the second values, and so on. All
// factors must have the same number of values.
func List(factors ...Factor) ([]Point, error) {
	if len(factors) == 0 {
		return nil, fmt.Errorf("ross: list of points: no factors: give at least one")
	}
	points := make([]Point, len(factors[0].levels))
	for _, f := range factors {
		if len(f.levels) != len(points) {
			return nil, fmt.Errorf("ross: list of points: %q has %d values and %q has %d: give all factors as many",
				factors[0].name, len(points), f.name, len(f.levels))
		}
		for i, v := range f.levels {
			points[i] = append(points[i], Param{f.name, v})
		}
	}
	return points, nil
}

// Range is a parameter of a Latin hypercube: a float64 from Low to High.
type Range struct {
	Name      string
	Low, High float64
	// Log makes the strata equally wide in the logarithm. It needs Low > 0.
	Log bool
}

// LatinHypercube returns n points that fill the ranges evenly with few points (McKay, Beckman and
// Conover, "A comparison of three methods for selecting values of input variables", Technometrics 21,
// 1979). Each range is divided into n strata, and each stratum of each range has exactly one point, at
// a random place within it. The strata are combined at random. The same seed gives the same points.
func LatinHypercube(n int, seed uint64, ranges ...Range) ([]Point, error) {
	if n < 1 || len(ranges) == 0 {
		return nil, fmt.Errorf("ross: Latin hypercube: %d points in %d ranges: give at least one of each", n, len(ranges))
	}
	points := make([]Point, n)
	models, _ := rng.RunSeeds(seed)
	seeder := rng.NewSeeder(models)
	for dimension, r := range ranges {
		low, high := r.Low, r.High
		if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
			return nil, fmt.Errorf("ross: Latin hypercube: range %q is %g to %g: give finite numbers, the lower one first",
				r.Name, low, high)
		}
		if r.Log {
			if low <= 0 {
				return nil, fmt.Errorf("ross: Latin hypercube: range %q is %g to %g: a range with Log must be above 0", r.Name, low,
					high)
			}
			low, high = libm.Log(low), libm.Log(high)
		}
		stream := seeder.Stream(uint64(dimension))
		strata := make([]int, n)
		for i := range strata {
			strata[i] = i
		}
		stream.Shuffle(n, func(i, j int) { strata[i], strata[j] = strata[j], strata[i] })
		for i, stratum := range strata {
			// Not at the edges, where rounding could move the point into the next stratum.
			share := (float64(stratum) + min(max(stream.Unif(), 1e-6), 1-1e-6)) / float64(n)
			value := float64(low*(1-share)) + float64(high*share)
			if r.Log {
				value = libm.Exp(value)
			}
			points[i] = append(points[i], Param{r.Name, value})
		}
	}
	return points, nil
}
