// This file owns the comparison of models with theory.

package rosstest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

const (
	replications = 10
	student95    = 2.262157 // 0.975-quantile of Student's t with 9 degrees of freedom
)

// Replication makes one run of a model, which configure gives its seed and its number, and returns the responses by
// name.
type Replication func(configure func(*ross.Config)) (map[string]float64, error)

// Covers requires that 95 % intervals of experiments with a seed each contain the exact means of responses as often as
// 95 % of the time, within three standard deviations. It logs a line of a table for each: the exact mean, the mean of
// the experiments, and how many intervals contain the exact one. There are n experiments of 10 replications, or as many
// as ROSS_EXPERIMENTS says, side by side. run makes one replication, with the seed and number that configure sets, and
// returns the responses by name.
func Covers(t *testing.T, n int, name string, exact map[string]float64, run Replication) {
	t.Helper()
	if text := os.Getenv("ROSS_EXPERIMENTS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	covered, sums := map[string]int{}, map[string]float64{}
	for _, samples := range sideBySide(t, n, run) {
		for response, mean := range exact {
			require.Len(t, samples[response], replications, response)
			m, half := interval(samples[response])
			sums[response] += m / float64(n)
			if math.Abs(m-mean) <= half {
				covered[response]++
			}
		}
	}
	for _, response := range slices.Sorted(maps.Keys(exact)) {
		t.Logf("| %s | %s | %s | %s | %d of %d |", name, response, five(exact[response]), five(sums[response]),
			covered[response], n)
		assert.InDelta(t, 0.95*float64(n), covered[response], 3*math.Sqrt(float64(n)*0.95*0.05), "%s: %s", name, response)
	}
}

// sideBySide makes n experiments, as many at a time as there are processors.
func sideBySide(t *testing.T, n int, run Replication) []map[string][]float64 {
	all, errs := make([]map[string][]float64, n), make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				all[i], errs[i] = replicate(uint64(i)+1, run)
			}
		})
	}
	workers.Wait()
	require.NoError(t, errors.Join(errs...))
	return all
}

// replicate makes the replications of one experiment, and returns what each response was in them.
func replicate(seed uint64, run Replication) (map[string][]float64, error) {
	samples := map[string][]float64{}
	for r := range replications {
		responses, err := run(func(cfg *ross.Config) { cfg.Seed, cfg.Replication = seed, uint64(r) })
		if err != nil {
			return nil, err
		}
		for response, x := range responses {
			samples[response] = append(samples[response], x)
		}
	}
	return samples, nil
}

// interval returns the mean of a sample, and half the width of its 95 % interval.
func interval(x []float64) (mean, half float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, student95 * math.Sqrt(squares/(n-1)/n)
}

// five returns a number with five digits.
func five(x float64) string { return fmt.Sprintf("%.5g", x) }
