// This file owns what the tests compare with: the generator in its textbook form,
// and small helpers shared by all tests.

package rng

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// textbook is CLCG4 as it is defined, with divisions and branches.
type textbook struct {
	c     [4]uint32
	count uint64
}

func (g *textbook) unif() float64 {
	s := uint64(g.c[0]) * 45991 % 2147483647
	g.c[0] = uint32(s)
	u := float64(4.65661287524579692e-10 * float64(int64(s)))
	s = uint64(g.c[1]) * 207707 % 2147483543
	g.c[1] = uint32(s)
	u -= float64(4.65661310075985993e-10 * float64(int64(s)))
	if u < 0 {
		u++
	}
	s = uint64(g.c[2]) * 138556 % 2147483423
	g.c[2] = uint32(s)
	u += float64(4.65661336096842131e-10 * float64(int64(s)))
	if u >= 1 {
		u--
	}
	s = uint64(g.c[3]) * 49689 % 2147483323
	g.c[3] = uint32(s)
	u -= float64(4.65661357780891134e-10 * float64(int64(s)))
	if u < 0 {
		u++
	}
	g.count++
	return u
}

// States whose next draw is one of the two ends of the interval.
var (
	beforeZero = State{C: [4]uint32{239312462, 89468168, 1251367742, 1630165465}}
	beforeOne  = State{C: [4]uint32{1599025566, 1572482251, 1883631111, 1223345272}}
)

// newRand returns a source of test cases whose seed is printed if the test fails.
func newRand(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("test cases from seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// randomState returns any valid state.
func randomState(r *rand.Rand) State {
	s := State{Count: r.Uint64()}
	for j := range s.C {
		s.C[j] = uint32(1 + r.Uint64N(components[j].m-1))
	}
	return s
}

func generatorAt(s State) CLCG4 {
	var g CLCG4
	g.SetState(s)
	return g
}

func streamAt(s State) Stream {
	return Stream{CLCG4: generatorAt(s)}
}

// ulps is the number of float64 values from a to b, for finite values of one sign.
func ulps(a, b float64) uint64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	return max(x, y) - min(x, y)
}
