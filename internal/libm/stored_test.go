// This file owns the comparison with stored results, which all machines must give.

package libm

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/bits.txt anew")

const stored = "testdata/bits.txt"

// TestResultsAreTheStoredBits compares with results that were C's where the file was written, but for
// log1p, expm1 and tgamma from 6.5 on.
func TestResultsAreTheStoredBits(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile(stored, storedLines(), 0o644))
	}
	text, err := os.ReadFile(stored)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Greater(t, len(lines), 1500)
	for _, line := range lines {
		var name string
		var x, y, want uint64
		_, err := fmt.Sscanf(line, "%s %x %x %x", &name, &x, &y, &want)
		require.NoError(t, err, line)
		require.Equal(t, line, result(name, math.Float64frombits(x), math.Float64frombits(y)))
	}
}

// result is a line of the file: a function, its two arguments, of which most ignore the second, and
// what it returns. All values that are no numbers are the same.
func result(name string, x, y float64) string {
	value := 0.0
	if name == "pow" {
		value = Pow(x, y)
	} else {
		value = unary[name](x)
	}
	if value != value {
		value = math.NaN()
	}
	return fmt.Sprintf("%s %x %x %x", name, math.Float64bits(x), math.Float64bits(y), math.Float64bits(value))
}

func storedLines() []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	names := slices.Sorted(maps.Keys(unary))
	for _, name := range append(names, "pow") {
		var x []float64
		for i := 0; i < len(borders); i += 5 {
			x = append(x, borders[i])
		}
		for range 20 {
			for _, kind := range kinds {
				x = append(x, kind.draw(r))
			}
		}
		for _, x := range x {
			y := 0.0
			switch {
			case name == "pow":
				y = math.Ldexp(r.Float64()-0.5, r.IntN(12))
			case name == "tgamma" && x < 1:
				x = 1 + 10*r.Float64()
			case !in(name, x):
				continue
			}
			fmt.Fprintln(&b, result(name, x, y))
		}
	}
	return b.Bytes()
}
