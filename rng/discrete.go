// This file owns the distributions over the integers.

package rng

import (
	"math"

	"github.com/ross-go/ross/internal/num/libm"
)

const (
	// Below this probability counting failures takes too long, and Geometric
	// inverts the distribution function instead.
	geometricCountMin = 1e-6

	// Up to this mean Poisson multiplies uniform draws, and e^-mean is a normal
	// float64. Above it, it rejects.
	poissonProductMax = 700

	// A rejection loop accepts at least one try in two. It gives up after this many
	// tries, which can only be reached with a parameter at the limits of float64, or
	// with a generator that was never seeded.
	maxTries = 1000
)

// Integer draws an integer uniform in [lo, hi] (tw_rand_integer). If hi < lo it
// returns 0 and draws nothing, as ROSS does. Any range is allowed; ROSS never returns
// hi if it is the largest integer.
func (s *Stream) Integer(lo, hi int64) int64 {
	if hi < lo {
		return 0
	}
	return lo + int64(scale(s.Unif(), uint64(hi)-uint64(lo)+1))
}

// Intn draws an integer uniform in [0, n), in one draw, as an index of n elements. n < 1 gives 0.
func (s *Stream) Intn(n int) int {
	return int(scale(s.Unif(), uint64(max(n, 1))))
}

// Ulong draws an integer uniform in [lo, hi] (tw_rand_ulong). If hi < lo it returns 0
// and draws nothing, except that, as in ROSS, lo = hi+1 draws once and returns lo.
func (s *Stream) Ulong(lo, hi uint64) uint64 {
	if hi < lo {
		if lo-hi != 1 {
			return 0
		}
		s.Unif()
		return lo
	}
	return lo + scale(s.Unif(), hi-lo+1)
}

// scale maps u in [0, 1] to an integer in [0, n-1], where n = 0 means 2^64. No u < 1
// can round up to n, nor out of the range of the conversion.
func scale(u float64, n uint64) uint64 {
	if u >= 1 {
		return n - 1
	}
	if int64(n) > 0 {
		return uint64(int64(u * float64(int64(n))))
	}
	if n == 0 {
		return uint64(u * (1 << 64))
	}
	return uint64(u * float64(n))
}

// Binomial draws the number of successes in n trials of probability p
// (tw_rand_binomial), in n draws. p <= 0 and NaN count as 0 and p >= 1 as 1.
func (s *Stream) Binomial(n uint32, p float64) int64 {
	successes := int64(0)
	for range n {
		if s.Unif() <= p {
			successes++
		}
	}
	return successes
}

// Geometric draws the number of trials of probability p up to and including the
// first success, at least 1 (tw_rand_geometric), in as many draws. For p < 1e-6,
// where this could take for ever, it inverts the distribution in one draw and
// differs from ROSS; p <= 0 gives math.MaxInt64. p >= 1 and NaN give 1.
func (s *Stream) Geometric(p float64) int64 {
	if p < geometricCountMin {
		return geometricInverse(s.Unif(), p)
	}
	for trials := int64(1); ; trials++ {
		if !(s.Unif() > p) {
			return trials
		}
	}
}

func geometricInverse(u, p float64) int64 {
	if p <= 0 {
		return math.MaxInt64
	}
	return truncate(1 + libm.Log(u)/libm.Log1p(-p))
}

// Poisson draws from the Poisson distribution with mean lambda (tw_rand_poisson). Up
// to a mean of 700 it makes one draw more than its result. Above 700, where ROSS
// would soon loop for ever, it uses rejection with two draws per try, about 1.1 tries
// on average. A result that does not fit is math.MaxInt64. lambda <= 0 and NaN give 0
// in one draw.
func (s *Stream) Poisson(lambda float64) int64 {
	if lambda > poissonProductMax {
		return s.poissonRejection(lambda)
	}
	limit := libm.Exp(-lambda)
	product := s.Unif()
	n := int64(0)
	for product >= limit {
		product *= s.Unif()
		n++
	}
	return n
}

// poissonRejection is algorithm PTRS of Hoermann, "The transformed rejection method
// for generating Poisson random variables", Insurance: Mathematics and Economics
// 12, 1993. It holds for any lambda >= 10.
func (s *Stream) poissonRejection(lambda float64) int64 {
	b := 0.931 + float64(2.53*math.Sqrt(lambda))
	a := -0.059 + float64(0.02483*b)
	invAlpha := 1.1239 + 1.1328/(b-3.4)
	squeeze := 0.9277 - 3.6224/(b-2)
	for range maxTries {
		u := s.Unif() - 0.5
		v := s.Unif()
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/us+b)*u) + lambda + 0.43)
		if us >= 0.07 && v <= squeeze {
			return truncate(k)
		}
		if k < 1 || (us < 0.013 && v > us) {
			continue
		}
		if libm.Log(v*invAlpha/(a/(us*us)+b)) <= logPoisson(k, lambda) {
			return truncate(k)
		}
	}
	return truncate(lambda)
}

// logPoisson is the logarithm of the Poisson probability of k >= 1. Written with
// Stirling's series for k! and Log1p, it keeps its precision where k*log(lambda) and
// log(k!) are huge and nearly equal.
func logPoisson(k, lambda float64) float64 {
	deviance := float64(k*libm.Log1p((k-lambda)/lambda)) - (k - lambda)
	return -deviance - float64(0.5*libm.Log(2*math.Pi*k)) - 1/(12*k)
}

// truncate returns int64(x) for x >= 0, and math.MaxInt64 for values that are too
// large and NaN.
func truncate(x float64) int64 {
	if x < 1<<63 {
		return int64(x)
	}
	return math.MaxInt64
}
