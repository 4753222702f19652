// The streams of C are those of package rng.

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

func TestDrawsInCAreThoseInGo(t *testing.T) {
	path := compile(t, "draws")
	for _, id := range []uint64{0, 1, 12345, 1 << 40} {
		status, out, errs := play(t, path, strconv.FormatUint(id, 10))
		require.Zero(t, status, errs)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		require.Len(t, lines, 200)
		s := rng.NewSeeder(rng.DefaultSeeds).Stream(id)
		for i, line := range lines {
			require.Equal(t, round(&s, i), line, "stream %d, round %d", id, i)
		}
	}
}

// round returns a line of testdata/draws.c.
func round(s *rng.Stream, i int) string {
	var b strings.Builder
	float := func(x float64) { fmt.Fprintf(&b, "%.17g ", x) }
	float(s.Unif())
	fmt.Fprint(&b, s.Integer(-5, 1000000000000), " ", s.Integer(3, 2), " ", s.Ulong(0, math.MaxUint64), " ", s.Ulong(5, 4), " ")
	float(s.Exponential(2.5))
	fmt.Fprint(&b, s.Binomial(10, 0.3), " ")
	float(s.Pareto(1.5, 2))
	float(s.Gamma(2.5, 3))
	float(s.Gamma(0.5, 3))
	float(s.Gamma(1, 3))
	fmt.Fprint(&b, s.Geometric(0.2), " ", s.Geometric(1e-7), " ", s.Poisson(4.5), " ")
	float(s.Weibull(3, 1.7))
	float(s.Normal01())
	if i%3 == 0 {
		float(s.NormalSD(1, 2))
	}
	if i%5 == 0 {
		float(s.LogNormal(1, 2))
	}
	float(s.Reverse())
	fmt.Fprint(&b, s.Count())
	return b.String()
}
