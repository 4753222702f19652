// This file owns the random numbers of the algorithm, which are the same on every rank and with
// every version of Go.

package partition

import "math/bits"

// random is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns one of 0 to n-1. Its bias, n/2^64, does not matter here.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// permutation returns 0 to n-1 in random order.
func (r *random) permutation(n int) []uint32 {
	p := make([]uint32, n)
	r.shuffle(p, 0)
	return p
}

// nearlyInOrder returns 0 to n-1 in an order that is random within blocks. It is random enough
// for matching. Numbers that are near each other stay so, which makes matching in large graphs faster.
func (r *random) nearlyInOrder(n int) []uint32 {
	const block = 4096
	p := make([]uint32, n)
	for first := 0; first < n; first += block {
		r.shuffle(p[first:min(first+block, n)], uint32(first))
	}
	return p
}

// shuffle fills p with the numbers from first on in random order.
func (r *random) shuffle(p []uint32, first uint32) {
	for i := range p {
		j := r.below(i + 1)
		p[i], p[j] = p[j], first+uint32(i)
	}
}
