// This file pins that intervals of experiments with one cell cover the exact mean of its final size, which a Markov chain has.

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testlevel"
)

// neverInfected returns the mean number of people who are never infected, of some people, of whom some are infected at first, if
// somebody infectious would infect r others of a population that is all susceptible. Whether the next change among s
// susceptible and y infected people is an infection or a recovery does not depend on how long people are exposed
// (Bailey 1975). at[y] is the mean from s and y on.
func neverInfected(people, seeds int, r float64) float64 {
	at := make([]float64, people+2) // of s-1
	for s := range people - seeds + 1 {
		next := make([]float64, people+2)
		next[0] = float64(s)
		infects := r * float64(s) / float64(people)
		infects /= 1 + infects
		for y := 1; y <= people-s; y++ {
			next[y] = infects*at[y+1] + (1-infects)*next[y-1]
		}
		at = next
	}
	return at[seeds]
}

func TestIntervalsOfOneCellCoverItsExactFinalSize(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const people, seeds = 200, 20
	for _, infects := range []float64{0.2, 0.35} {
		r := 4 * 2 * infects
		rosstest.Covers(t, fmt.Sprintf("epidemic, %d people in one cell, R = %g", people, r),
			map[string]float64{"never infected": neverInfected(people, seeds, r)},
			func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
				p, cfg := defaults()
				p.side, p.people, p.seeds, p.stay = 1, people, seeds, 1e9
				p.latent, p.sick, p.contacts, p.infects = 1, 2, 4, infects
				cfg.End, cfg.Statistics, cfg.MaxMemory = 1000, 0, 64<<20
				trial.Configure(&cfg)
				if err := p.prepare(&cfg); err != nil {
					return nil, err
				}
				sim, err := ross.New(cfg)
				if err != nil {
					return nil, err
				}
				defer sim.Close()
				if err = sim.Define(p.cells()); err == nil {
					err = sim.Run(ctx)
				}
				if err != nil {
					return nil, err
				}
				n, err := census(sim)
				return experiment.Responses{"never infected": float64(n[susceptible])}, err
			})
	}
}
