// Package median has the median of measurements.
package median

import "slices"

// Of returns the middle one of all, or the mean of the two there, and 0 of none. It leaves their order as it is.
func Of(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
