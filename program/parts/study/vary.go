// This file owns --vary: the options that a study varies, and their values.

package study

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/parts/experiment"
)

// factor is an option with the values that it takes.
type factor struct {
	name   string
	values []value
	text   string // as the command line has it
}

// value is a value of an option: what a run gets, and what the table shows.
type value struct {
	word  string
	shown any // an int, float64 or string, the same for all values of a factor
}

// mostPoints is the maximum number of points of a study, and of values of an option.
const mostPoints = 100_000

// addFactor reads a value of --vary. Errors say what is wrong; package cmdline adds the option.
func (s *study) addFactor(text string) error {
	name, list, given := strings.Cut(text, "=")
	name = strings.TrimPrefix(name, "--")
	if !given || name == "" || list == "" {
		return fmt.Errorf("no values; give the name of an option and its values, such as lps=8,16 or lps=8..16:4")
	}
	if slices.ContainsFunc(s.factors, func(f factor) bool { return f.name == name }) {
		return fmt.Errorf("%s is varied twice; give all its values at once", name)
	}
	var words []string
	for part := range strings.SplitSeq(list, ",") {
		low, _, is := strings.Cut(part, "..")
		if _, err := strconv.ParseFloat(low, 64); !is || err != nil && part != list { // such as ../a in a list
			words = append(words, part)
			continue
		}
		of, err := span(part)
		if err != nil {
			return err
		}
		words = append(words, of...)
	}
	if len(words) > mostPoints {
		return fmt.Errorf("more than %d values; give a larger step", mostPoints)
	}
	for i, w := range words {
		if w == "" || slices.Contains(words[:i], w) {
			return fmt.Errorf("value %q is empty or there twice; give each value once", w)
		}
	}
	s.factors = append(s.factors, factor{name, typed(words), text})
	return nil
}

// span returns the numbers of a range such as 6..10 or 0..1:0.25. Its arithmetic is exact, so that 0..1:0.1 has the
// number 0.3 as a person writes it.
func span(text string) (words []string, err error) {
	bounds, stepText, stepped := strings.Cut(text, ":")
	if !stepped {
		stepText = "1"
	}
	low, high, _ := strings.Cut(bounds, "..")
	var numbers [3]*big.Rat
	for i, t := range []string{low, high, stepText} {
		// A number of the size of a float64; package big would compute with any.
		if x, err := strconv.ParseFloat(t, 64); err != nil || x-x != 0 {
			return nil,
				fmt.Errorf("%q is not a number; give a range such as 6..10 or 0..1:0.25, or values with commas between them",
					t)
		}
		r, ok := new(big.Rat).SetString(t)
		if !ok {
			return nil, fmt.Errorf("%q is not a decimal number; give a range such as 6..10 or 0..1:0.25", t)
		}
		numbers[i] = r
	}
	at, end, step := numbers[0], numbers[1], numbers[2]
	if at.Cmp(end) > 0 || step.Sign() <= 0 {
		return nil, fmt.Errorf("an empty range; give the lower end first, and a step above 0")
	}
	if n := new(big.Rat).Quo(new(big.Rat).Sub(end, at), step); n.Cmp(big.NewRat(mostPoints, 1)) >= 0 {
		return nil, fmt.Errorf("more than %d values; give a larger step", mostPoints)
	}
	for ; at.Cmp(end) <= 0; at = new(big.Rat).Add(at, step) {
		if at.IsInt() {
			words = append(words, at.Num().String())
			continue
		}
		x, _ := at.Float64()
		words = append(words, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return words, nil
}

// typed returns words with the values that the table shows.
func typed(words []string) (all []value) {
	for i, shown := range experiment.Values(words) {
		all = append(all, value{words[i], shown})
	}
	return all
}

// points returns the points of the product of a design and all factors, the last one varying fastest, and the words of
// the command line of each.
func points(d design, factors []factor) (all []experiment.Point, words [][]string, err error) {
	all, words = d.starts()
	for _, f := range factors {
		if len(all)*len(f.values) > mostPoints {
			return nil, nil, usage.Errorf("option --vary=%s: more than %d points with those before it; give fewer values",
				f.text, mostPoints)
		}
		var longer []experiment.Point
		var more [][]string
		for i := range all {
			for _, v := range f.values {
				longer = append(longer, append(slices.Clone(all[i]), experiment.Param{Name: f.name, Value: v.shown}))
				more = append(more, append(slices.Clone(words[i]), "--"+f.name+"="+v.word))
			}
		}
		all, words = longer, more
	}
	return all, words, nil
}
