// What the program refuses, and what its errors call an airport.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nlp=0", "--nlp=0"},
		{"--nlp=1", "there is one airport"},
		{"--lps=100000000", "--lps=100000000, --planes=4: there may be 2^24 airports"},
		{"--planes=65537", "--planes=65537: there may be 2^24 airports and 2^16 planes at each"},
		{"--flight=5", "--flight=5: must be a number of minutes of at least 10"},
		{"--lookahead=-1", "--lookahead=-1: must be a number of minutes of at least 0"},
		{"--landing=nan", "--landing=NaN"},
		{"--take-off=-1", "--take-off=-1"},
		{"--ground=inf", "--ground=+Inf"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
	})
}

func TestAirportsHaveNames(t *testing.T) {
	p, cfg := defaults()
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	p.total = int64(sim.TotalLPs())
	require.NoError(t, sim.Define(airportType(&p)))
	require.Equal(t, "airport 7", sim.LP(7).Label())
}
