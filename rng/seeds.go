// This file owns the choice of seeds: computing those of replications, and recognizing
// patterns that runs should not share.

package rng

// SeedsOf computes the seeds of a replication from its number, by SplitMix64 (Steele,
// Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Different
// numbers give unrelated seeds.
func SeedsOf(replication uint64) Seeds {
	return nextSeeds(&replication)
}

// nextSeeds makes seeds from the next four numbers of SplitMix64.
func nextSeeds(state *uint64) (seeds Seeds) {
	for j := range seeds {
		seeds[j] = uint32(1 + splitMix(state)%(components[j].m-1))
	}
	return seeds
}

// splitMix returns the next number of SplitMix64.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64s returns the seeds in the type that the settings use.
func (s Seeds) Uint64s() [4]uint64 {
	return [4]uint64{uint64(s[0]), uint64(s[1]), uint64(s[2]), uint64(s[3])}
}

// smallMultiple bounds the seeds that count as a pattern, after division by their
// greatest common divisor.
const smallMultiple = 64

// Patterned reports whether the seeds follow a pattern, which no two runs should share:
// they are equal or evenly spaced, or they are small multiples of one number.
//
// The streams are linear. With seeds k*s a stream draws k times what it draws with seeds
// s, modulo 1, at every step; with seeds s+t the sum of what it draws with s and with t.
// So runs with the seeds 1 1 1 1, 2 2 2 2 and so on draw multiples of the same numbers,
// and of three runs with evenly spaced seeds one always follows from the other two.
// Seeds near the modulus, such as clamped ones, count as negative numbers. One quadruple
// of random seeds in 10^18 follows a pattern.
func (s Seeds) Patterned() bool {
	var v [4]int64
	for j := range v {
		if v[j] = int64(s[j]); 2*v[j] > int64(components[j].m) {
			v[j] -= int64(components[j].m)
		}
	}
	step := v[1] - v[0]
	if v[2]-v[1] == step && v[3]-v[2] == step {
		return true
	}
	common, largest := int64(0), int64(0)
	for _, x := range v {
		x = max(x, -x)
		largest = max(largest, x)
		for a := x; a != 0; {
			common, a = a, common%a
		}
	}
	return largest/max(common, 1) <= smallMultiple
}
