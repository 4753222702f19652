// This file owns the measurement of what intervals cover that a precision has ended.

package experiment

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

// observed is a kind of response with its true mean.
type observed struct {
	name string
	mean float64
	draw func(s *rng.Stream) float64
}

func bernoulli(p float64) observed {
	return observed{fmt.Sprint("Bernoulli ", p), p, func(s *rng.Stream) float64 {
		if s.Unif() < p {
			return 1
		}
		return 0
	}}
}

func poisson(mean float64) observed {
	return observed{fmt.Sprint("Poisson ", mean), mean, func(s *rng.Stream) float64 { return float64(s.Poisson(mean)) }}
}

var (
	exponential = observed{"exponential", 1, func(s *rng.Stream) float64 { return s.Exponential(1) }}
	// nearlyConstant is what a counter has that rarely varies: 5, and 6 in one of 20 replications.
	nearlyConstant = observed{"5, rarely 6", 5.05, func(s *rng.Stream) float64 { return 5 + bernoulli(0.05).draw(s) }}
	pareto         = observed{"Pareto 2.5", 2.5 / 1.5, func(s *rng.Stream) float64 { return math.Pow(s.Unif(), -1/2.5) }}
)

// quantiles are those of the 95 % intervals of up to 10,000 replications, by their number.
var quantiles = sync.OnceValue(func() []float64 {
	all := make([]float64, 10001)
	for n := 2; n < len(all); n++ {
		all[n] = StudentT(0.975, float64(n-1))
	}
	return all
})

// study draws replications until a relative precision is reached. It decides as series does, with sums that are not
// exact and so a hundred times as fast.
func study(e *Experiment, draw func() float64) Interval {
	i := Interval{Confidence: 0.95}
	squares := 0.0
	t := quantiles()
	for reached := 0; ; {
		i.N++
		x := draw()
		before := x - i.Mean
		i.Mean += before / float64(i.N)
		squares += before * (x - i.Mean)
		if i.N < e.Replications {
			continue
		}
		n := float64(i.N)
		i.SD = math.Sqrt(squares / (n - 1))
		i.Half = i.SD / math.Sqrt(n)
		if i.N < len(t) {
			i.Half *= t[i.N]
		} else {
			i.Half *= nearlyNormal(0.025, n-1)
		}
		if !e.Until[0].reached(i) {
			reached = 0
		} else if reached == 0 {
			reached = i.N
		}
		if reached > 0 && i.N-reached >= lookAhead(e, reached) {
			return i
		}
	}
}

// sequential makes studies of a response until a relative precision, and returns how many intervals cover the mean, how
// many replications they have on average, and the least number.
func sequential(t *testing.T, o observed, relative float64, pilot, studies int) (
	covered int, average float64, least int) {
	e, err := Experiment{Name: "test", Run: nothing, Replications: pilot, MaxReplications: rng.MaxReplication + 1,
		Until: []Precision{{Response: "x", Relative: relative}}}.withDefaults()
	require.NoError(t, err)
	models, _ := rng.RunSeeds(uint64(1000*relative) + uint64(pilot))
	least = math.MaxInt
	for i := range studies {
		stream := rng.NewSeeder(models).Stream(uint64(i))
		again := stream
		r := study(e, func() float64 { return o.draw(&stream) })
		if i < 2 && r.N < 5000 {
			s := &series{early: map[uint64]Responses{}}
			for n := uint64(0); !s.decided; n++ {
				s.add(e, n, Responses{"x": o.draw(&again)})
			}
			require.Len(t, s.prefix, r.N, "%s: the experiment decides as the study here", o.name)
		}
		if r.Contains(o.mean) {
			covered++
		}
		average += float64(r.N) / float64(studies)
		least = min(least, r.N)
	}
	return covered, average, least
}

// TestPrecisionsEndWithIntervalsNearTheNominalRate measures the table in docs/running.md, which comes from
// ROSS_EXPERIMENTS=1000 go test -v -run Precisions ./program/parts/experiment.
func TestPrecisionsEndWithIntervalsNearTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	n := 200.0
	if text := os.Getenv("ROSS_EXPERIMENTS"); text != "" {
		var err error
		n, err = strconv.ParseFloat(text, 64)
		require.NoError(t, err)
	}
	for _, c := range []struct {
		observed
		least float64 // rate at which the intervals cover the mean
	}{
		{bernoulli(0.01), 0.94}, {bernoulli(0.05), 0.94}, {bernoulli(0.2), 0.94}, {poisson(3), 0.94}, {poisson(20), 0.935},
		{nearlyConstant, 0.94}, {exponential, 0.94}, {pareto, 0.75},
	} {
		for _, relative := range []float64{0.05, 0.1} {
			if n <= 200 && c.mean <= 0.05 && relative < 0.1 {
				continue // it takes a minute
			}
			covered, average, least := sequential(t, c.observed, relative, defaultReplications, int(n))
			t.Logf("%-14s %3.0f %%: %.1f %% of %g, %.0f replications, at least %d", c.name, 100*relative, 100*float64(covered)/n,
				n, average, least)
			// Three standard deviations of the binomial distribution.
			require.Greater(t, float64(covered), n*c.least-3*math.Sqrt(n*c.least*(1-c.least)), "%s, %g", c.name, relative)
		}
	}
}

// TestEqualReplicationsDoNotReachAPrecision: they say nothing about how much a response varies.
func TestEqualReplicationsDoNotReachAPrecision(t *testing.T) {
	for name, p := range map[string]Precision{"relative": {Response: "x", Relative: 0.1}, "absolute": {Absolute: 0.1},
		"both": {Relative: 0.5, Absolute: 2}} {
		for _, value := range []float64{0, 7, -0.1} {
			equal := make([]float64, 300)
			for i := range equal {
				equal[i] = value
			}
			e := Experiment{Until: []Precision{p}, MaxReplications: 300}
			n, enough := numbers(t, e, equal, upTo(300))
			require.Equal(t, 300, n, "%s: %g", name, value)
			require.False(t, enough, "%s: %g", name, value)
		}
	}
	// A mean of 0 has no relative precision.
	signs := make([]float64, 300)
	for i := range signs {
		signs[i] = float64(1 - i%2*2)
	}
	n, enough := numbers(t, Experiment{Until: []Precision{{Relative: 0.99}}, MaxReplications: 300}, signs, upTo(300))
	require.Equal(t, 300, n)
	require.False(t, enough)

	// An event with probability 0.05: the first 10 replications have none in 60 % of the studies.
	models, _ := rng.RunSeeds(1)
	rare, covered := bernoulli(0.05), 0
	for i := range uint64(20) {
		stream := rng.NewSeeder(models).Stream(i)
		values := make([]float64, 800)
		for k := range values {
			values[k] = rare.draw(&stream)
		}
		n, enough := numbers(t, Experiment{Until: []Precision{{Relative: 0.3}}}, values, upTo(len(values)))
		require.Positive(t, MeanInterval(values[:n], 0.95).SD)
		if enough && MeanInterval(values[:n], 0.95).Contains(0.05) || !enough && n == len(values) {
			covered++
		}
	}
	require.Greater(t, covered, 15)
}
