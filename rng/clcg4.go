// This file owns the bare generator CLCG4: drawing, undoing, jumping, and its
// state.

package rng

// Weights of the components in the combination, 1/m_j as the original writes them.
const (
	w0 = 4.65661287524579692e-10
	w1 = 4.65661310075985993e-10
	w2 = 4.65661336096842131e-10
	w3 = 4.65661357780891134e-10
)

// CLCG4 is one stream of uniform random numbers (tw_rng_stream in ROSS). It has 24
// bytes and no pointers; a copy is an independent generator that continues with the
// same numbers. Make it with [Seeder.CLCG4] or SetState: the zero value draws
// zeros for ever.
type CLCG4 struct {
	c     [4]uint32
	count uint64
}

// State is everything that defines a [CLCG4]. States can be compared with ==.
type State struct {
	C     [4]uint32 // the components
	Count uint64    // draws made so far, less those undone
}

// Valid reports whether each component is in [1, m_j-1], as in every state that a
// generator reaches. Use it to check states read from a file.
func (s State) Valid() bool {
	for j := range components {
		if s.C[j] == 0 || uint64(s.C[j]) >= components[j].m {
			return false
		}
	}
	return true
}

// State returns the generator's state, for SetState.
func (g *CLCG4) State() State { return State{C: g.c, Count: g.count} }

// SetState makes the generator continue from s, which must be Valid.
func (g *CLCG4) SetState(s State) { g.c, g.count = s.C, s.Count }

// Count returns the number of draws made since the start of the stream, less those
// undone (count of tw_rng_stream). It is taken modulo 2^64.
func (g *CLCG4) Count() uint64 { return g.count }

// wrapUnit holds what a wrap-around adds or subtracts, indexed by whether it happens.
var wrapUnit = [2]float64{0, 1}

// Unif draws a number uniform in [0, 1] (tw_rand_unif). Both ends can occur, with a
// probability of about 2^-54 each: 1 is a negative sum so small that adding 1 to it
// rounds to 1.
func (g *CLCG4) Unif() float64 {
	s0 := reduceStep(uint64(g.c[0])*a0, m0)
	s1 := reduceStep(uint64(g.c[1])*a1, m1)
	s2 := reduceStep(uint64(g.c[2])*a2, m2)
	s3 := reduceStep(uint64(g.c[3])*a3, m3)
	g.c[0], g.c[1], g.c[2], g.c[3] = uint32(s0), uint32(s1), uint32(s2), uint32(s3)
	g.count++

	// combine defines the result, and this equals it in every bit. What differs is when
	// the wrap-arounds are known. s_j/m_j exceeds s_j/2^31 by at most (2^31-m_j)/2^31,
	// so the integer sums d_i of the s_j follow the floating-point sums, scaled by
	// 2^31, to within 1+105+225+325 = 656. Unless a d_i is nearer than that to a
	// multiple of 2^31, the multiples below it decide which partial sums leave [0, 1).
	// The test is against 1024, and sends three draws in a million to combine.
	d1 := int64(s0 - s1)
	d2 := d1 + int64(s2)
	d3 := d2 - int64(s3)
	if nearWrap(d1) || nearWrap(d2) || nearWrap(d3) {
		return combine(s0, s1, s2, s3)
	}
	n1, n2, n3 := d1>>31, d2>>31, d3>>31
	u := float64(w0 * float64(int64(s0)))
	u -= float64(w1 * float64(int64(s1)))
	u += wrapUnit[-n1&1]
	u += float64(w2 * float64(int64(s2)))
	u -= wrapUnit[(n2-n1)&1]
	u -= float64(w3 * float64(int64(s3)))
	u += wrapUnit[(n2-n3)&1]
	return u
}

// nearWrap reports whether d is within 1024 of a multiple of 2^31. Doubling d and
// cutting it to 32 bits leaves only the distance to the multiple.
func nearWrap(d int64) bool {
	return uint32(d)*2+2*1024 < 4*1024
}

// combine returns the uniform number of the components: the alternating sum of s_j/m_j
// modulo 1, rounded after each operation in this order. The conversions keep the
// compiler from fusing a multiplication with an addition.
func combine(s0, s1, s2, s3 uint64) float64 {
	u := float64(w0 * float64(int64(s0)))
	u -= float64(w1 * float64(int64(s1)))
	if u < 0 {
		u++
	}
	u += float64(w2 * float64(int64(s2)))
	if u >= 1 {
		u--
	}
	u -= float64(w3 * float64(int64(s3)))
	if u < 0 {
		u++
	}
	return u
}

// Reverse undoes the last draw (tw_rand_reverse_unif) and returns the number that
// belongs to the restored state. As in ROSS, this is the draw before the undone one.
func (g *CLCG4) Reverse() float64 {
	s0 := mulMod(uint64(g.c[0]), b0, m0)
	s1 := mulMod(uint64(g.c[1]), b1, m1)
	s2 := mulMod(uint64(g.c[2]), b2, m2)
	s3 := mulMod(uint64(g.c[3]), b3, m3)
	g.c[0], g.c[1], g.c[2], g.c[3] = uint32(s0), uint32(s1), uint32(s2), uint32(s3)
	g.count--
	return combine(s0, s1, s2, s3)
}

// Rewind undoes all draws since Count, cut to 32 bits, was count; that must be less than 2^31
// draws ago. It is how an engine rolls back: a count is all that it must keep.
func (g *CLCG4) Rewind(count uint32) {
	n := int32(uint32(g.count) - count)
	if uint32(n) > fewDraws {
		g.Skip(-int64(n))
		return
	}
	for ; n > 0; n-- {
		g.c[0] = uint32(mulMod(uint64(g.c[0]), b0, m0))
		g.c[1] = uint32(mulMod(uint64(g.c[1]), b1, m1))
		g.c[2] = uint32(mulMod(uint64(g.c[2]), b2, m2))
		g.c[3] = uint32(mulMod(uint64(g.c[3]), b3, m3))
		g.count--
	}
}

// fewDraws is the number of draws up to which undoing them one by one is cheaper than Skip.
const fewDraws = 16

// Skip jumps over n draws, forward if n > 0 and back if n < 0, in O(log n). Count
// changes accordingly. Skipping back past the start of the stream is allowed.
func (g *CLCG4) Skip(n int64) {
	for j := range components {
		p := &components[j]
		// By Fermat's little theorem exponents count modulo m-1.
		base, exponent := p.a, n%int64(p.m-1)
		if exponent < 0 {
			base, exponent = p.b, -exponent
		}
		g.c[j] = uint32(mulMod(uint64(g.c[j]), powMod(base, uint64(exponent), p.m), p.m))
	}
	g.count += uint64(n)
}
