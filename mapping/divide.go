// This file owns division by a number known at setup, as a multiplication: every
// sent event needs one, and the 64-bit division of the hardware takes about twice
// as long on recent processors and more on older ones (BenchmarkDivide).

package mapping

import "math/bits"

// divider computes n/by as ((n+inc)*mul) >> (64+shift), exactly for every n below
// 2^64-1. With 2^shift the greatest power of two up to by, mul is
// 2^(64+shift)/by, rounded up if the error of that is small enough, else rounded
// down with inc to compensate; one of the two is always exact (Granlund and
// Montgomery 1994 for the first, Robison 2005, "N-bit unsigned division via N-bit
// multiply-add", for the second).
type divider struct {
	by, mul, inc uint64
	shift        uint8
}

// newDivider returns the divider by d, which is not 0.
func newDivider(d uint64) divider {
	shift := uint8(bits.Len64(d) - 1)
	pow := uint64(1) << shift
	if d == pow {
		// 2^64 itself does not fit mul; 2^64-1 with inc is exact as well.
		return divider{by: d, mul: ^uint64(0), inc: 1, shift: shift}
	}
	mul, rem := bits.Div64(pow, 0, d)
	if d-rem <= pow {
		return divider{by: d, mul: mul + 1, shift: shift}
	}
	return divider{by: d, mul: mul, inc: 1, shift: shift}
}

// quo returns n/by for n < 2^64-1.
func (v *divider) quo(n uint64) uint64 {
	hi, _ := bits.Mul64(n+v.inc, v.mul)
	return hi >> (v.shift & 63) // the mask avoids a test for shifts of 64 and more
}
