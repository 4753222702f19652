// This file owns buckets of time.

package report

import "math"

// Limits of what is drawn.
const (
	maxBuckets = 2000    // of time, in charts of lines
	maxColumns = 150     // of time, in heat maps
	maxRows    = 64      // of KPs in heat maps, of PEs in bars
	maxTraffic = 128     // rows and columns of traffic
	maxLines   = 8       // of PEs in a chart
	maxCells   = 4 << 20 // of all PEs and buckets
)

// grid divides a time into equal buckets.
type grid struct {
	from, width float64 // seconds
	n           int     // 0 if there is no time
}

func newGrid(from, to float64, n int) grid {
	width := (to - from) / float64(max(n, 1))
	if !(width > 0) || math.IsInf(width, 0) {
		return grid{}
	}
	return grid{from, width, n}
}

func (g grid) row() []float64 { return make([]float64, g.n) }

// at returns the bucket of a time; times outside belong to the first and the last.
func (g grid) at(t float64) int {
	return int(min(max((t-g.from)/g.width, 0), float64(g.n-1)))
}

// spread adds an amount to a row, evenly over the time between from and to.
func (g grid) spread(row []float64, from, to, amount float64) {
	if g.n == 0 || !(from < to) || amount == 0 {
		return
	}
	first, last := g.at(from), g.at(to)
	if first == last {
		row[first] += amount
		return
	}
	each := amount / (to - from)
	for i := first; i <= last; i++ {
		begin := g.from + float64(i)*g.width
		row[i] += each * max(min(begin+g.width, to)-max(begin, from), 0)
	}
}

// mean is a mean over time in each bucket.
type mean struct{ sum, weight []float64 }

func newMean(g grid) mean { return mean{g.row(), g.row()} }

func (m mean) add(g grid, from, to, value float64) {
	if !math.IsNaN(value) {
		g.spread(m.sum, from, to, value*(to-from))
		g.spread(m.weight, from, to, to-from)
	}
}

// values returns the means, NaN where nothing was added.
func (m mean) values() []float64 {
	values := make([]float64, len(m.sum))
	for i := range values {
		values[i] = m.sum[i] / m.weight[i]
	}
	return values
}

// share returns the row of one of n items that share at most rows.
func share(i, n, rows int) int { return i * min(n, rows) / n }

// firstOf returns the first of n items with the given row.
func firstOf(row, n, rows int) int {
	rows = min(n, rows)
	return (row*n + rows - 1) / rows
}
