// This file owns the distribution of a sample of real numbers.

package rng

import (
	"fmt"
	"math"
	"slices"
)

// Empirical draws real numbers that are distributed as a sample: the distribution function is 0 at
// the least and 1 at the greatest number of the sample, and rises linearly by 1/(n-1) from each
// number to the next (Law, "Simulation Modeling and Analysis", the continuous empirical
// distribution). Make it with [NewEmpirical]; the zero value draws NaN. To draw the numbers of the
// sample themselves, use [Choice].
//
// Drawing does not change an Empirical. All LPs may share one.
type Empirical struct{ sorted []float64 }

// NewEmpirical returns the distribution of a sample of finite numbers, at least one. It copies them.
func NewEmpirical(sample []float64) (*Empirical, error) {
	if len(sample) == 0 {
		return nil, fmt.Errorf("ross: empirical distribution: the sample is empty: give one number or more")
	}
	for i, x := range sample {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("ross: empirical distribution: number %d of the sample is %g: give finite numbers", i, x)
		}
	}
	sorted := slices.Clone(sample)
	slices.Sort(sorted)
	return &Empirical{sorted}, nil
}

// Draw draws a number from a stream, in one draw.
func (e *Empirical) Draw(s *Stream) float64 {
	return e.Quantile(s.Unif())
}

// Quantile returns the number that the given share of the distribution does not exceed. A share
// outside 0 to 1 gives NaN.
func (e *Empirical) Quantile(share float64) float64 {
	if !(share >= 0 && share <= 1) || len(e.sorted) == 0 {
		return math.NaN()
	}
	place := share * float64(len(e.sorted)-1)
	i := int(place)
	low := e.sorted[i]
	if i == len(e.sorted)-1 {
		return low
	}
	// Two products, because the difference of the ends may overflow.
	part := place - float64(i)
	return float64(low*(1-part)) + float64(e.sorted[i+1]*part)
}
