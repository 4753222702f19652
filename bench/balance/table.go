// This file owns the table.

package main

import (
	"fmt"
	"slices"
)

const heading = "| case | first (M events/s) | second (M events/s) | second / first | quartiles |\n|---|---|---|---|---|\n"

// row returns the line of a comparison.
func row(name string, pairs []pair) string {
	var a, b, ratios []float64
	for _, p := range pairs {
		a, b, ratios = append(a, p.a/1e6), append(b, p.b/1e6), append(ratios, p.b/p.a)
	}
	return fmt.Sprintf("| %s | %.1f | %.1f | %.2f | %.2f to %.2f |", name, quantile(a, 0.5), quantile(b, 0.5),
		quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75))
}

// quantile returns the value below which a share of all values is, between neighbours if need be. It sorts all.
func quantile(all []float64, share float64) float64 {
	slices.Sort(all)
	at := share * float64(len(all)-1)
	i := int(at)
	if i+1 == len(all) {
		return all[i]
	}
	return all[i] + (at-float64(i))*(all[i+1]-all[i])
}
