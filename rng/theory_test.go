// This file pins that intervals of experiments cover mean and variance of distributions at the nominal rate: the streams of
// replications are independent, and draws have the two moments of theory.

package rng_test

import (
	"context"
	"math"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/rng"
)

func TestIntervalsOfDrawsCoverMeanAndVariance(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	for _, c := range []struct {
		name           string
		mean, variance float64
		draw           func(s *rng.Stream) float64
	}{
		{"Unif", 1. / 2, 1. / 12, (*rng.Stream).Unif},
		{"Exponential(2)", 2, 4, func(s *rng.Stream) float64 { return s.Exponential(2) }},
		{"NormalSD(10, 2)", 10, 4, func(s *rng.Stream) float64 { return s.NormalSD(10, 2) }},
		{"Gamma(2.5, 1.5)", 3.75, 5.625, func(s *rng.Stream) float64 { return s.Gamma(2.5, 1.5) }},
		{"Erlang(4, 2)", 2, 1, func(s *rng.Stream) float64 { return s.Erlang(4, 2) }},
		{"Weibull(2, 2)", 2, 4 * (1/math.Pow(math.Gamma(1.5), 2) - 1), func(s *rng.Stream) float64 { return s.Weibull(2, 2) }},
		{"Triangular(0, 2, 5)", 7. / 3, (4 + 25 - 10) / 18., func(s *rng.Stream) float64 { return s.Triangular(0, 2, 5) }},
		{"Poisson(3.5)", 3.5, 3.5, func(s *rng.Stream) float64 { return float64(s.Poisson(3.5)) }},
		{"Binomial(10, 0.3)", 3, 2.1, func(s *rng.Stream) float64 { return float64(s.Binomial(10, 0.3)) }},
		{"Geometric(0.25)", 4, 12, func(s *rng.Stream) float64 { return float64(s.Geometric(0.25)) }},
		{"Integer(0, 9)", 4.5, 99. / 12, func(s *rng.Stream) float64 { return float64(s.Integer(0, 9)) }},
	} {
		rosstest.Covers(t, "rng, "+c.name, map[string]float64{"mean": c.mean, "variance": c.variance},
			func(_ context.Context, trial *experiment.Trial) (experiment.Responses, error) {
				const n = 500
				cfg := rosstest.Small()
				cfg.NLP, cfg.NKP, cfg.MaxMemory = 1, 1, 16<<20
				trial.Configure(&cfg)
				sum, squares := 0.0, 0.0
				sim, err := ross.Run(context.Background(), cfg, ross.Type[rosstest.None]{
					Name: "draws",
					Init: func(_ *rosstest.None, lp *ross.LP) {
						for range n {
							x := c.draw(lp.RNG()) - c.mean
							sum, squares = sum+x, squares+x*x
						}
					},
					Event: ross.On(func(*rosstest.None, *ross.LP, *rosstest.Word) {}),
				})
				if err != nil {
					return nil, err
				}
				return experiment.Responses{"mean": c.mean + sum/n, "variance": (squares - sum*sum/n) / (n - 1)}, sim.Close()
			})
	}
}
