// Package interval finds multiples of an interval of virtual time in floating-point numbers: the
// next one, and how many are in between.

package interval

import "math"

// After returns the least multiple of an interval after a time, in floating point: n*every,
// rounded, for a whole n. It is +Inf if no float is that large. now is finite and not negative,
// every is finite and above 0.
func After(now, every float64) float64 {
	n := math.Floor(now / every)
	if n >= 1<<53 { // the multiples are closer together than floats: each float is one
		return math.Nextafter(now, math.Inf(1))
	}
	// The division and the products are rounded, so n may be off by one in either direction.
	for _, m := range [...]float64{n, n + 1} {
		if at := m * every; at > now {
			return at
		}
	}
	return (n + 2) * every
}

// UpTo returns how many multiples of an interval follow one of them, up to a time.
func UpTo(now, after, every float64) float64 {
	if now <= after {
		return 0
	}
	if next := After(now, every); next <= math.MaxFloat64 {
		return max(math.Round((next-after)/every)-1, 0)
	}
	return math.Floor((now - after) / every)
}
