// This file owns which quantiles of histograms tables show, and how they are named.

package statistic

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// usualQuantiles are those that tables show if nothing else is chosen.
var usualQuantiles = []float64{0.5, 0.9, 0.99}

// MaxQuantiles is the most that a statistic may have in a table.
const MaxQuantiles = 64

// errQuantiles says what a list of quantiles has to be.
var errQuantiles = errors.New("1 to 64 numbers from 0 to 1, such as 0.5 and 0.95")

// ParseQuantiles reads numbers from 0 to 1 with a separator between them, and returns them in ascending order, each
// once.
func ParseQuantiles(text, separator string) ([]float64, error) {
	var all []float64
	for part := range strings.SplitSeq(text, separator) {
		q, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, errQuantiles
		}
		all = append(all, q)
	}
	return Quantiles(all)
}

// Quantiles returns numbers from 0 to 1 in ascending order, each once, or an error that says what they have to be.
func Quantiles(all []float64) ([]float64, error) {
	if len(all) == 0 || len(all) > MaxQuantiles ||
		slices.ContainsFunc(all, func(q float64) bool { return !(q >= 0 && q <= 1) }) {
		return nil, errQuantiles
	}
	return union(nil, all), nil
}

// union returns the numbers of two lists in ascending order, each once.
func union(a, b []float64) []float64 {
	all := slices.Concat(a, b)
	for i := range all {
		all[i] += 0 // -0 is 0
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// QuantileName returns the name of a column: p50 for 0.5, p99.9 for 0.999.
func QuantileName(q float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(q, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	percent, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(e+2), 64) // 100 * 0.57 is not 57
	return "p" + strconv.FormatFloat(percent, 'g', -1, 64)
}

// Unquantiled returns the name of a statistic without that of a quantile (QuantileName) behind it.
func Unquantiled(name string) string {
	if i := strings.LastIndex(name, " p"); i > 0 {
		if _, err := strconv.ParseFloat(name[i+2:], 64); err == nil {
			return name[:i]
		}
	}
	return name
}

// quantilesOf returns the quantiles that a table of rows has columns for.
func quantilesOf(rows []Row) (all []float64) {
	for i := range rows {
		all = append(all, rows[i].Quantiles...)
	}
	if all == nil {
		return usualQuantiles
	}
	return union(nil, all)
}
