// This file owns the Erlang and triangular distributions.

package rng

import (
	"math"

	"github.com/ross-go/ross/internal/libm"
)

// erlangBlock is the number of uniform draws that are multiplied before a logarithm is taken.
// No draw but 0 is below 2^-100, so a block's product is a normal number.
const erlangBlock = 8

// Erlang draws the sum of k exponential times, each with mean mean/k, so that the sum has the
// given mean and the variance mean^2/k. It makes k draws. A negative mean gives the mirrored
// distribution, as in [Stream.Exponential]; NaN gives NaN. k = 0 gives NaN without a draw.
func (s *Stream) Erlang(k uint32, mean float64) float64 {
	if k == 0 {
		return math.NaN()
	}
	sum := 0.0
	for left := k; left > 0; {
		product := 1.0
		block := min(left, erlangBlock)
		for range block {
			product *= s.Unif()
		}
		sum -= libm.Log(product)
		left -= block
	}
	return float64(mean / float64(k) * sum)
}

// Triangular draws from the triangular distribution on [low, high] with the given mode, in one
// draw. It needs low <= mode <= high, all finite, otherwise it gives NaN. If all three are
// equal, so is the result.
func (s *Stream) Triangular(low, mode, high float64) float64 {
	u := s.Unif()
	if !(low <= mode && mode <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return math.NaN()
	}
	// In halves, because high-low may overflow.
	rise, fall := mode/2-low/2, high/2-mode/2
	width := rise + fall
	if area := u * width; area < rise {
		return min(mode, low+2*float64(math.Sqrt(area)*math.Sqrt(rise)))
	}
	return max(mode, high-2*float64(math.Sqrt((1-u)*width)*math.Sqrt(fall)))
}
