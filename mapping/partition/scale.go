// This file owns the change from the weights of the user to integers, whose sums are exact: gains
// that are updated by every move must not depend on the order of the moves.

package partition

import (
	"math"

	"github.com/ross-go/ross/internal/sys/usage"
)

// sumBits is the number of bits of the sum of all weights, at most: a float64 holds such a sum exactly.
const sumBits = 52

// scale turns weights into multiples of a unit, a power of two.
type scale struct{ unit float64 }

// newScale returns the smallest unit in which the sum of the weights has at most sumBits bits.
// what names the weights in errors.
func newScale(what string, weights []float64) (scale, error) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if math.IsInf(sum, 0) {
		return scale{}, usage.Errorf("partition: the sum of all %s is infinite: give smaller numbers", what)
	}
	if sum == 0 {
		return scale{1}, nil
	}
	_, exp := math.Frexp(sum) // sum < 2^exp
	return scale{math.Ldexp(1, max(exp-sumBits, -1074))}, nil
}

// units returns a weight in units, at least 1 if it is not 0.
func (s scale) units(w float64) int64 {
	if w == 0 {
		return 0
	}
	return max(1, int64(math.RoundToEven(w/s.unit)))
}

// float returns units as a weight.
func (s scale) float(units int64) float64 { return float64(units) * s.unit }
