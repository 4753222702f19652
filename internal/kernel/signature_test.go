// This file pins the order of signatures.

package kernel_test

import (
	"cmp"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/kernel"
)

func TestSignatureComparesTimeThenPriorityThenTies(t *testing.T) {
	ordered := []kernel.Signature{
		{},
		{Time: 1, Priority: 0, Ties: nil},
		{Time: 1, Priority: 0, Ties: []float64{0}},
		{Time: 1, Priority: 0, Ties: []float64{0.5}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.1}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.1, 0.9}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.2}},
		{Time: 1, Priority: 0, Ties: []float64{0.6}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.1}},
		{Time: 1, Priority: 1, Ties: []float64{0}},
		{Time: math.Nextafter(1, 2)},
		{Time: math.Inf(1)},
	}
	for i, a := range ordered {
		for j, b := range ordered {
			require.Equal(t, cmp.Compare(i, j), cmp.Compare(a.Compare(b), 0), "%v and %v", a, b)
		}
	}
}
