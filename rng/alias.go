// This file owns draws from a list: with weights by the alias method, or all equally likely.

package rng

import (
	"fmt"
	"math"
)

// maxWeights bounds an alias table: beyond it, the rounding of a uniform draw would change
// probabilities by more than 2^-29 of their value.
const maxWeights = 1 << 24

// Alias draws an index with a probability that is proportional to its weight, in constant time,
// by the alias method (Walker, "An efficient method for generating discrete random variables with
// general distributions", ACM Transactions on Mathematical Software 3, 1977; the table is made as
// by Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE
// Transactions on Software Engineering 17, 1991). Make it with [NewAlias]; the zero value draws 0.
//
// Drawing does not change an Alias. All LPs may share one, in a Go variable that is set before the
// run.
type Alias struct {
	cells []aliasCell
}

// aliasCell is one of n columns of equal probability: a draw that falls into the column gives its
// own index with probability keep, and other otherwise.
type aliasCell struct {
	keep  float64
	other int
}

// NewAlias returns the table for the given weights, which need not add up to 1. It needs 1 to 2^24
// weights, finite and not negative, and one above 0.
func NewAlias(weights []float64) (*Alias, error) {
	n := len(weights)
	if n == 0 || n > maxWeights {
		return nil, fmt.Errorf("ross: alias table: %d weights: give 1 to %d", n, maxWeights)
	}
	heaviest := 0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("ross: alias table: weight %d is %g: give a finite number of 0 or more", i, w)
		}
		if w > weights[heaviest] {
			heaviest = i
		}
	}
	largest := weights[heaviest]
	if largest == 0 {
		return nil, fmt.Errorf("ross: alias table: all %d weights are 0: give one that is above 0", n)
	}
	// Divided by the largest one, weights add up without overflow.
	sum := 0.0
	for _, w := range weights {
		sum += w / largest
	}
	a := &Alias{make([]aliasCell, n)}
	var small, large []int // below the mean, and the others
	for i, w := range weights {
		a.cells[i] = aliasCell{w / largest / sum * float64(n), heaviest}
		if a.cells[i].keep < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.cells[s].other = l
		a.cells[l].keep -= 1 - a.cells[s].keep
		if a.cells[l].keep < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// What is left differs from 1 by rounding only.
	for _, i := range append(small, large...) {
		if weights[i] > 0 {
			a.cells[i].keep = 1
		}
	}
	return a, nil
}

// Len returns the number of weights.
func (a *Alias) Len() int { return len(a.cells) }

// Draw draws an index, 0 to Len()-1, from a stream, in one draw.
func (a *Alias) Draw(s *Stream) int {
	u := s.Unif()
	if len(a.cells) == 0 {
		return 0
	}
	place := u * float64(len(a.cells))
	i := min(int(place), len(a.cells)-1)
	if c := &a.cells[i]; place-float64(i) >= c.keep {
		return c.other
	}
	return i
}

// Discrete draws one of several values with given weights, by an [Alias]. Make it with
// [NewDiscrete]; the zero value draws zero values.
type Discrete[T any] struct {
	table  *Alias
	values []T
}

// NewDiscrete returns the distribution of values with their weights. There must be as many
// weights as values.
// The rules of [NewAlias] hold for the weights. The values are copied.
func NewDiscrete[T any](values []T, weights []float64) (*Discrete[T], error) {
	if len(values) != len(weights) {
		return nil, fmt.Errorf("ross: discrete distribution: %d values and %d weights: give each value a weight", len(values),
			len(weights))
	}
	table, err := NewAlias(weights)
	if err != nil {
		return nil, err
	}
	return &Discrete[T]{table, append([]T(nil), values...)}, nil
}

// Draw draws a value from a stream, in one draw.
func (d *Discrete[T]) Draw(s *Stream) (value T) {
	if d.table == nil {
		s.Unif()
		return value
	}
	return d.values[d.table.Draw(s)]
}

// Choice draws one of the items, all with the same probability, in one draw. Without items it
// returns the zero value and draws nothing.
func Choice[T any](s *Stream, items []T) (item T) {
	if len(items) == 0 {
		return item
	}
	return items[scale(s.Unif(), uint64(len(items)))]
}

// Shuffle brings n elements into a random order, all orders being equally likely, by n-1 draws
// (Fisher and Yates). swap exchanges the elements i and j. A negative n counts as 0.
//
// The engine undoes the draws. The exchanges are changes of the model's own, which Reverse has to
// undo, unless the engine saves the state.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(scale(s.Unif(), uint64(i)+1)))
	}
}
