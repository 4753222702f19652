// This file owns fuzzing: the operations of the models of the tests, and their times, come from the bytes of an input.

package resource_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/rosstest"
)

// dice decide what LPs do: by their random numbers, or by an input.
type dice struct {
	fuzzed bool
	input  []byte
}

// next returns the next byte of the input, 0 at its end.
func (d *dice) next() (b byte) {
	if len(d.input) > 0 {
		b, d.input = d.input[0], d.input[1:]
	}
	return b
}

// over reports whether the input is at its end.
func (d *dice) over() bool { return d.fuzzed && len(d.input) == 0 }

// integer returns an integer from low to high.
func (d *dice) integer(lp *ross.LP, low, high int64) int64 {
	if d.fuzzed {
		return low + int64(d.next())%(high-low+1)
	}
	return lp.RNG().Integer(low, high)
}

// time returns a time: exponential, or a multiple of the 16th part of the mean, so that some are equal.
func (d *dice) time(lp *ross.LP, mean float64) float64 {
	if d.fuzzed {
		return mean * float64(d.next()%64) / 16
	}
	return lp.RNG().Exponential(mean)
}

// fuzzed runs one LP until time 1000; an input of 1,024 bytes ends before.
func fuzzed(t *testing.T, model ross.LPType) rosstest.Outcome {
	cfg := rosstest.Small()
	cfg.NLP, cfg.NKP, cfg.End, cfg.MaxMemory = 1, 1, 1000, 16<<20
	return rosstest.Run(t, cfg, model)
}

const longest = 1024

func FuzzServers(f *testing.F) {
	for i := range ruleBook() {
		f.Add(append([]byte{byte(i), 1, 2, 3, 0, 1, 2, 30, 40, 5}, "several customers come, and some are interrupted"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		rules := ruleBook()
		r := rules[int(input[0])%len(rules)]
		p := clinics{rules: r, lps: 1, oracle: &oracle{rules: r, servers: r.Servers}, dice: dice{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		sameAsOracle(t, out, p.oracle)
	})
}

func FuzzStoresAndLevels(f *testing.F) {
	for i := range depotLimits {
		f.Add(append([]byte{byte(i), 0, 1, 2, 3, 4, 5, 7, 9}, "items come and go, and so do those who wait"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		limits := depotLimits[int(input[0])%len(depotLimits)]
		o := &depotOracle{limits: limits, amount: 3, capacity: 12}
		p := depots{limits: limits, capacity: 12, lps: 1, oracle: o, dice: dice{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		sameStatistics(t, ross.StateOf[depot](out.LP(0)), o)
	})
}
