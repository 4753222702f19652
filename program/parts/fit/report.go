// This file owns Report: the fits of all distributions, and their table.

package fit

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Report has the distributions that were fitted to data.
type Report struct {
	N               int // how many numbers
	Mean, StdDev    float64
	Least, Greatest float64
	// Fits are those of all distributions: the greatest log-likelihood first, and those without parameters last.
	Fits []Fit
}

// All fits all distributions to finite numbers. Two at least are different. It does not change them.
func All(data []float64) (*Report, error) {
	for i, x := range data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("ross: fit: number %d of the data is %g: give finite numbers", i, x)
		}
	}
	sorted := slices.Sorted(slices.Values(data))
	n := len(sorted)
	if n < 2 || sorted[0] == sorted[n-1] {
		return nil, fmt.Errorf("ross: fit: %d numbers that are all the same: give two different ones or more", n)
	}
	s := newSample(sorted)
	deviation := float64(s.deviation * math.Sqrt(s.n/(s.n-1)))
	if !(deviation > 0) || math.IsInf(deviation, 1) {
		return nil, fmt.Errorf("ross: fit: numbers from %g to %g: their deviation is beyond a float64: choose another unit",
			sorted[0], sorted[n-1])
	}
	r := &Report{N: n, Mean: s.mean, StdDev: deviation, Least: sorted[0], Greatest: sorted[n-1],
		Fits: []Fit{s.exponential(), s.gamma(), s.lognormal(), s.weibull(), s.normal(), s.uniform()}}
	for i := range r.Fits {
		if f := &r.Fits[i]; f.Err == nil {
			f.Distance = s.distance(f.share)
		}
	}
	slices.SortStableFunc(r.Fits, func(a, b Fit) int {
		return cmp.Or(cmp.Compare(failed(&a), failed(&b)), cmp.Compare(b.LogLikelihood, a.LogLikelihood))
	})
	return r, nil
}

// failed is 1 for a fit without parameters.
func failed(f *Fit) int {
	if f.Err != nil {
		return 1
	}
	return 0
}

// distance returns the greatest difference between a distribution function and the share of the data at or below a
// number.
func (s *sample) distance(share func(x float64) float64) (d float64) {
	for i, x := range s.sorted {
		f := share(x)
		d = max(d, float64(i+1)/s.n-f, f-float64(i)/s.n)
	}
	return d
}

// Best returns the fit with the greatest log-likelihood.
func (r *Report) Best() *Fit { return &r.Fits[0] }

// Fit returns the fit of a distribution by its name, nil if there is no such distribution.
func (r *Report) Fit(name string) *Fit {
	for i := range r.Fits {
		if r.Fits[i].Name == name {
			return &r.Fits[i]
		}
	}
	return nil
}

// WriteText writes a table with a line for each distribution.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d numbers from %.6g to %.6g, mean %.6g, standard deviation %.6g\n", r.N, r.Least, r.Greatest, r.Mean,
		r.StdDev)
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "distribution\tparameters\tlog-likelihood\tdistance")
	for i := range r.Fits {
		f := &r.Fits[i]
		if f.Err != nil {
			_, why, _ := strings.Cut(f.Err.Error(), f.Name+": ")
			why, _, _ = strings.Cut(why, ": ")
			fmt.Fprintf(out, "%s\t%s\n", f.Name, why)
			continue
		}
		var params []string
		for _, p := range f.Params {
			params = append(params, p.Name+" "+strconv.FormatFloat(p.Value, 'g', 6, 64))
		}
		fmt.Fprintf(out, "%s\t%s\t%.6g\t%.4f\n", f.Name, strings.Join(params, ", "), f.LogLikelihood, f.Distance)
	}
	_ = out.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}
