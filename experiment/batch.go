// This file owns the method of batch means, for one long run.

package experiment

import (
	"fmt"
	"math"
)

// Batches is the estimate of a mean by batch means.
type Batches struct {
	Interval // N is the number of batches
	// Size is the number of observations in a batch.
	Size int
	// Lag1 is the correlation of neighbouring batch means, -1 to 1.
	Lag1 float64
}

// Correlated reports whether the batch means are more correlated than means of independent batches are
// in 19 of 20 cases. The interval is then too narrow: make the batches longer.
func (b Batches) Correlated() bool { return b.Lag1 > 1.645/math.Sqrt(float64(b.N)) }

// BatchMeans estimates the mean of one long series, whose observations depend on each other, by the
// means of batches of equal length, which hardly do if they are long enough. It divides the series into
// the given number of batches, 2 or more; 10 to 30 are usual. The first observations are left out if the
// series is not a multiple of it. Leave out the warm-up before (see [MSER5]).
func BatchMeans(series []float64, batches int, confidence float64) (Batches, error) {
	size := 0
	if batches > 0 {
		size = len(series) / batches
	}
	switch {
	case batches < 2:
		return Batches{}, fmt.Errorf("ross: batch means: %d batches: give 2 or more", batches)
	case size == 0:
		return Batches{}, fmt.Errorf("ross: batch means: %d observations for %d batches: give a longer series", len(series), batches)
	case !(confidence > 0 && confidence < 1):
		return Batches{}, fmt.Errorf("ross: batch means: the confidence is %g: give a number between 0 and 1, such as 0.95", confidence)
	}
	series = series[len(series)-batches*size:]
	means := make([]float64, batches)
	for i := range means {
		var s sums
		for _, x := range series[i*size : (i+1)*size] {
			s.add(x)
		}
		means[i] = s.mean()
	}
	b := Batches{Interval: MeanInterval(means, confidence), Size: size}
	products, squares := 0.0, 0.0
	for i, x := range means {
		squares += (x - b.Mean) * (x - b.Mean)
		if i > 0 {
			products += (x - b.Mean) * (means[i-1] - b.Mean)
		}
	}
	if squares > 0 {
		b.Lag1 = products / squares
	}
	return b, nil
}
