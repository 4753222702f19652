// This file owns the normal distribution and the distributions built on it.

package rng

import (
	"math"

	"github.com/ross-go/ross/internal/libm"
)

// twoPi has the digits that ROSS has; they are not those of 2*math.Pi.
const twoPi = 6.28318530718

// Normal01 draws from the normal distribution with mean 0 and standard deviation 1
// (tw_rand_normal01) by the method of Box and Muller (1958). Every other call makes
// two uniform draws and keeps a second value, which the next call returns without
// drawing. Count returns how many draws were made; the package documentation says
// what this means for undoing.
func (s *Stream) Normal01() float64 {
	if s.more&hasSpare != 0 {
		value := s.spare
		s.dropSpare()
		return value
	}
	radius := math.Sqrt(-2 * libm.Log(s.Unif()))
	angle := twoPi * s.Unif()
	s.spare, s.spareAt = float64(radius*libm.Cos(angle)), s.count
	s.more |= hasSpare
	return float64(radius * libm.Sin(angle))
}

// NormalSD draws from the normal distribution with mean mu and standard deviation sd
// (tw_rand_normal_sd) by one call of [Stream.Normal01].
func (s *Stream) NormalSD(mu, sd float64) float64 {
	return mu + float64(s.Normal01()*sd)
}

// LogNormal draws a number whose logarithm is normal with mean mean and standard
// deviation sd (tw_rand_lognormal) by one call of [Stream.Normal01].
func (s *Stream) LogNormal(mean, sd float64) float64 {
	return libm.Exp(mean + float64(s.Normal01()*sd))
}
