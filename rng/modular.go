// This file owns the arithmetic modulo the four primes of CLCG4, and the facts of
// the four components: moduli, multipliers and their inverses.

package rng

const (
	m0 = 1<<31 - 1
	m1 = 1<<31 - 105
	m2 = 1<<31 - 225
	m3 = 1<<31 - 325

	a0 = 45991
	a1 = 207707
	a2 = 138556
	a3 = 49689

	// The inverses of the multipliers.
	b0 = 1441196816
	b1 = 1463744518
	b2 = 499766181
	b3 = 660421676
)

// component holds what defines one of the four generators. All arithmetic is done
// in uint64, so the values are kept as such.
type component struct {
	m   uint64 // modulus, a prime just below 2^31
	a   uint64 // multiplier, a primitive root of m below 2^18
	b   uint64 // a^-1 mod m, undoes a step
	avw uint64 // a^(2^72) mod m, steps from the start of a stream to the next
}

var components = [4]component{
	{m: m0, a: a0, b: b0, avw: 584425330},
	{m: m1, a: a1, b: b1, avw: 1351201844},
	{m: m2, a: a2, b: b2, avw: 1323813018},
	{m: m3, a: a3, b: b3, avw: 28067816},
}

// fold replaces x by a smaller number that is equal to it modulo m = 2^31 - k: the
// bits from 2^31 up count k each.
func fold(x, m uint64) uint64 {
	return x&(1<<31-1) + (x>>31)*(1<<31-m)
}

// reduceStep is x mod m for x = a_j * c_j, a product below 2^49. One fold leaves less
// than 2^31 + a_j*k < 2m, so that one conditional subtraction finishes.
func reduceStep(x, m uint64) uint64 {
	y := fold(x, m)
	if y >= m {
		y -= m
	}
	return y
}

// mulMod is x*y mod m for any x, y < m. The first fold leaves less than 2^40, the
// second less than 2m.
func mulMod(x, y, m uint64) uint64 {
	z := fold(fold(x*y, m), m)
	if z >= m {
		z -= m
	}
	return z
}

// powMod is x^n mod m by repeated squaring.
func powMod(x, n, m uint64) uint64 {
	power := uint64(1)
	for ; n != 0; n >>= 1 {
		if n&1 != 0 {
			power = mulMod(power, x, m)
		}
		x = mulMod(x, x, m)
	}
	return power
}
