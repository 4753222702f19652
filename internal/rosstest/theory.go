// This file owns the comparison of models with theory.

package rosstest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/experiment"
)

// Covers requires that 95 % intervals of experiments with a seed each contain the exact means of responses as often as 95 % of
// the time, within three standard deviations. It logs a line of a table for each: the exact mean, the mean of the
// experiments, and how many intervals contain the exact one. There are 20 experiments of 10 replications, or as many as
// ROSS_EXPERIMENTS says.
func Covers(t *testing.T, name string, exact map[string]float64, run func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error)) {
	t.Helper()
	n := 20
	if text := os.Getenv("ROSS_EXPERIMENTS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	covered, sums := map[string]int{}, map[string]float64{}
	for seed := range n {
		results, err := experiment.Experiment{Name: name, Seed: uint64(seed) + 1, Replications: 10, Run: run}.Do(context.Background())
		require.NoError(t, err)
		for response, mean := range exact {
			i, err := results.Interval(response, 0)
			require.NoError(t, err)
			sums[response] += i.Mean / float64(n)
			if i.Contains(mean) {
				covered[response]++
			}
		}
	}
	for _, response := range slices.Sorted(maps.Keys(exact)) {
		t.Logf("| %s | %s | %s | %s | %d of %d |", name, response, five(exact[response]), five(sums[response]), covered[response], n)
		assert.InDelta(t, 0.95*float64(n), covered[response], 3*math.Sqrt(float64(n)*0.95*0.05), "%s: %s", name, response)
	}
}

// five returns a number with five digits.
func five(x float64) string { return fmt.Sprintf("%.5g", x) }
