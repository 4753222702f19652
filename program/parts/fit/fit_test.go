// This file pins that fits find the parameters of data that were drawn with them, that no other parameters have a
// greater likelihood, and that the functions are those that numerical integration gives.

package fit_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/fit"
	"github.com/ross-go/ross/rng"
)

func stream(id uint64) *rng.Stream {
	s := rng.NewSeeder(rng.DefaultSeeds).Stream(500 + id)
	return &s
}

// drawn returns n numbers.
func drawn(n int, draw func() float64) []float64 {
	data := make([]float64, n)
	for i := range data {
		data[i] = draw()
	}
	return data
}

// known are distributions with their parameters. Each draws from a stream of its own, so that its numbers do not depend
// on the order in which a map is walked.
func known(replication uint64) map[string]struct {
	params []float64
	draw   func() float64
} {
	s := func(i uint64) *rng.Stream { return stream(10*replication + i) }
	exponential, gamma, lognormal, weibull, normal, uniform := s(0), s(1), s(2), s(3), s(4), s(5)
	return map[string]struct {
		params []float64
		draw   func() float64
	}{
		"exponential": {[]float64{2.5}, func() float64 { return exponential.Exponential(2.5) }},
		"gamma":       {[]float64{2.2, 1.7}, func() float64 { return gamma.Gamma(2.2, 1.7) }},
		"lognormal":   {[]float64{0.5, 0.8}, func() float64 { return lognormal.LogNormal(0.5, 0.8) }},
		"weibull":     {[]float64{3, 1.8}, func() float64 { return weibull.Weibull(3, 1.8) }},
		"normal":      {[]float64{-7, 2}, func() float64 { return normal.NormalSD(-7, 2) }},
		"uniform":     {[]float64{-3, 4}, func() float64 { return -3 + 7*uniform.Unif() }},
	}
}

func TestFitsFindTheParametersOfData(t *testing.T) {
	const n = 20_000
	for name, k := range known(1) {
		report, err := fit.All(drawn(n, k.draw))
		require.NoError(t, err)
		f := report.Fit(name)
		require.NoError(t, f.Err)
		for i, p := range f.Params {
			require.InEpsilon(t, k.params[i], p.Value, 0.05, "%s: %s", name, p.Name)
		}
		require.Less(t, f.Distance, 1.95/math.Sqrt(n), name)
		if name != "exponential" { // a gamma and a Weibull distribution may be one
			require.Equal(t, name, report.Best().Name)
		}
		// What the fit draws has its distribution.
		s := stream(1)
		again := drawn(5000, func() float64 { return f.Draw(s) })
		slices.Sort(again)
		worst := 0.0
		for i, x := range again {
			worst = max(worst, math.Abs(f.Share(x)-float64(i)/5000))
		}
		require.Less(t, worst, 1.95/math.Sqrt(5000), name)
	}
}

// density returns the derivative of the distribution function.
func density(f *fit.Fit, x, step float64) float64 {
	return (f.Share(x+step/2) - f.Share(x-step/2)) / step
}

func TestLikelihoodsAreThoseOfTheDensity(t *testing.T) {
	for name, k := range known(2) {
		data := drawn(300, k.draw)
		report, err := fit.All(data)
		require.NoError(t, err)
		for i := range report.Fits {
			f := &report.Fits[i]
			if f.Err != nil || f.Name == "uniform" { // at the ends it has no derivative
				continue
			}
			sum := 0.0
			for _, x := range data {
				sum += math.Log(density(f, x, 1e-4*math.Abs(x)))
			}
			require.InDelta(t, sum, f.LogLikelihood, 0.02+1e-4*math.Abs(sum), "%s to data of %s", f.Name, name)
		}
		u := report.Fit("uniform")
		require.InEpsilon(t, -300*math.Log(report.Greatest-report.Least), u.LogLikelihood, 1e-12)
	}
}

// likelihoods of two parameters, written with the functions of package math.
var likelihoods = map[string]func(a, b, x float64) float64{
	"gamma": func(k, scale, x float64) float64 {
		l, _ := math.Lgamma(k)
		return (k-1)*math.Log(x) - x/scale - k*math.Log(scale) - l
	},
	"weibull": func(mean, k, x float64) float64 {
		scale := mean / math.Gamma(1+1/k)
		return math.Log(k/scale) + (k-1)*math.Log(x/scale) - math.Pow(x/scale, k)
	},
	"lognormal": func(mean, sd, x float64) float64 {
		return -math.Log(x*sd*math.Sqrt(2*math.Pi)) - (math.Log(x)-mean)*(math.Log(x)-mean)/(2*sd*sd)
	},
	"normal": func(mean, sd, x float64) float64 {
		return -math.Log(sd*math.Sqrt(2*math.Pi)) - (x-mean)*(x-mean)/(2*sd*sd)
	},
}

func TestNoParametersNearbyAreMoreLikely(t *testing.T) {
	s := stream(3)
	for _, draw := range []func() float64{
		func() float64 { return s.Gamma(0.3, 4) }, func() float64 { return s.Gamma(200, 1e-3) },
		func() float64 { return s.Weibull(1e6, 0.4) },
		func() float64 { return s.Weibull(2, 30) }, func() float64 { return s.LogNormal(-3, 2) },
		func() float64 { return 1 + s.Unif()*1e-3 },
	} {
		data := drawn(500, draw)
		report, err := fit.All(data)
		require.NoError(t, err)
		for name, likelihood := range likelihoods {
			f := report.Fit(name)
			require.NoError(t, f.Err, name)
			sum := func(a, b float64) (all float64) {
				for _, x := range data {
					all += likelihood(a, b, x)
				}
				return all
			}
			a, b := f.Params[0].Value, f.Params[1].Value
			require.InDelta(t, sum(a, b), f.LogLikelihood, 1e-6*math.Abs(f.LogLikelihood)+1e-6, name)
			for _, by := range []float64{1 - 1e-3, 1 + 1e-3} {
				require.Less(t, sum(a*by, b), f.LogLikelihood+1e-7*math.Abs(f.LogLikelihood), name)
				require.Less(t, sum(a, b*by), f.LogLikelihood+1e-7*math.Abs(f.LogLikelihood), name)
			}
		}
	}
}

func TestTheDistanceIsThatOfANaiveSearch(t *testing.T) {
	s := stream(4)
	data := drawn(200, func() float64 { return math.Ceil(s.Exponential(4)) }) // with ties
	report, err := fit.All(data)
	require.NoError(t, err)
	for i := range report.Fits {
		f := &report.Fits[i]
		require.NoError(t, f.Err)
		worst := 0.0
		for _, x := range data {
			below, at := 0.0, 0.0
			for _, y := range data {
				if y < x {
					below++
				}
				if y <= x {
					at++
				}
			}
			worst = max(worst, math.Abs(f.Share(x)-below/200), math.Abs(f.Share(x)-at/200))
		}
		require.InDelta(t, worst, f.Distance, 1e-12, f.Name)
	}
}

func TestDataThatADistributionCannotHave(t *testing.T) {
	report, err := fit.All([]float64{-1, 0, 2, 3})
	require.NoError(t, err)
	for _, name := range []string{"exponential", "gamma", "lognormal", "weibull"} {
		f := report.Fit(name)
		require.ErrorContains(t, f.Err, "the data have numbers")
		require.True(t, math.IsNaN(f.Draw(stream(5))) && math.IsNaN(f.Share(1)))
	}
	require.NoError(t, report.Best().Err)
	require.Nil(t, report.Fit("cauchy"))
	for want, data := range map[string][]float64{
		"0 numbers that are all the same": nil,
		"3 numbers that are all the same": {5, 5, 5},
		"number 1 of the data is NaN":     {5, math.NaN()},
		"their deviation is beyond":       {-math.MaxFloat64, math.MaxFloat64},
		"number 0 of the data is +Inf":    {math.Inf(1)},
		"numbers from 5e-324 to 1e-323":   {5e-324, 1e-323},
	} {
		_, err := fit.All(data)
		require.ErrorContains(t, err, want)
	}
	for _, data := range [][]float64{{1, math.Nextafter(1, 2)}, {1e-300, 1e300}, {1e-300, 2e-300}, {1e300, 1.5e300},
		{0, 1}} {
		report, err := fit.All(data)
		require.NoError(t, err)
		for i := range report.Fits {
			f := &report.Fits[i]
			require.False(t, math.IsNaN(f.LogLikelihood) || math.IsNaN(f.Distance), "%v: %s", data, f.Name)
			for _, p := range f.Params {
				require.False(t, math.IsNaN(p.Value) || math.IsInf(p.Value, 0), "%v: %s", data, f.Name)
			}
		}
	}
}

func TestColumnsAreReadByName(t *testing.T) {
	for text, want := range map[string][]float64{
		"day, minutes\n1,2.5\n2,\n3,-4e1\n": {2.5, -40},
		"\ufeffminutes\n7\n":                {7},
		"minutes,x\n\"1\",\n":               {1},
	} {
		got, err := fit.ReadColumn(strings.NewReader(text), "f.csv", "minutes")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := fit.ReadColumn(strings.NewReader("3\n4\n"), "f.csv", "")
	require.NoError(t, err)
	require.Equal(t, []float64{3, 4}, got)
	for text, want := range map[string]string{
		"a,b\n1,2\n":         `f.csv: no column "minutes": there are ["a" "b"]`,
		"minutes\n1\nmany\n": `f.csv:3: "many" is not a finite number`,
		"minutes\n1\nInf\n":  `f.csv:3: "Inf" is not a finite number`,
		"minutes,x\n1\n":     "f.csv: record on line 2",
		"minutes\n":          "f.csv: no numbers",
		"":                   "f.csv: no numbers",
	} {
		_, err := fit.ReadColumn(strings.NewReader(text), "f.csv", "minutes")
		require.ErrorContains(t, err, want)
	}
	_, err = fit.Column("does-not-exist.csv", "x")
	require.ErrorContains(t, err, "does-not-exist.csv")
}

// Times of service have a gamma distribution, which the table shows.
func Example() {
	s := rng.NewSeeder(rng.DefaultSeeds).Stream(7)
	times := make([]float64, 5000)
	for i := range times {
		times[i] = s.Gamma(2, 1.5)
	}
	report, err := fit.All(times)
	if err != nil {
		panic(err)
	}
	if err := report.WriteText(os.Stdout); err != nil {
		panic(err)
	}
	service := report.Best()
	fmt.Printf("%s, half of it at or below %.1f: %.2f\n", service.Name, 2.5, service.Share(2.5))
	// Output:
	// 5000 numbers from 0.043209 to 16.3091, mean 2.99534, standard deviation 2.10901
	// distribution  parameters                    log-likelihood  distance
	// gamma         shape 2.00368, scale 1.49491  -9902.96        0.0112
	// weibull       mean 3.0049, shape 1.48618    -9935.65        0.0222
	// lognormal     mean 0.827226, sd 0.798705    -10107          0.0482
	// exponential   mean 2.99534                  -10485.3        0.1399
	// normal        mean 2.99534, sd 2.1088       -10825.3        0.0971
	// uniform       low 0.043209, high 16.3091    -13945.4        0.5449
	// gamma, half of it at or below 2.5: 0.50
}
