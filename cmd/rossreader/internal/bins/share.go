// This file distributes a sample over the bins that it spans.

package bins

import "math"

// share adds the counters of a sample over virtual times (from, to] to the bins in
// proportion. A sample of no length, or one that goes back, belongs to the bin of its
// end.
func (p *peBins) share(from, to, interval float64, c *counters) {
	last := endBin(to, interval)
	p.bins = grow(p.bins, last)
	first := int(math.Floor(from / interval))
	if from >= to || first >= last {
		p.bins[last].add(c)
		return
	}
	head := (float64(first+1)*interval - from) / (to - from)
	body := interval / (to - from)
	tail := (to - float64(last)*interval) / (to - from)
	for i, n := range c {
		if n != 0 {
			p.shareOne(i, n, first, last, [3]float64{max(0, head), body, max(0, tail)})
		}
	}
}

// shareOne distributes one counter by largest remainder (Hamilton's method). The
// share of the first bin is parts[0], that of the last one parts[2], that of each bin
// between them parts[1].
func (p *peBins) shareOne(counter int, n int64, first, last int, parts [3]float64) {
	var whole [3]int64
	var rest [3]float64
	for i, part := range parts {
		exact := float64(n) * part
		whole[i] = int64(math.Floor(exact))
		rest[i] = exact - math.Floor(exact)
	}
	groups := [3][2]int{{first, first}, {first + 1, last - 1}, {last, last}} // bins, both included
	left := n
	for i, g := range groups {
		for bin := g[0]; bin <= g[1]; bin++ {
			p.bins[bin][counter] += whole[i]
			left -= whole[i]
		}
	}
	// Rounding of the parts may leave one too many or too few for a round, so
	// continue.
	order := byRest(rest)
	step := int64(1)
	if left < 0 {
		step = -1
	}
	for left != 0 {
		for _, i := range order {
			if step < 0 && whole[i] == 0 {
				continue // there is nothing to take
			}
			for bin := groups[i][0]; bin <= groups[i][1] && left != 0; bin++ {
				p.bins[bin][counter] += step
				left -= step
			}
		}
	}
}

// byRest returns the groups by descending remainders; of equal ones the earlier comes
// first.
func byRest(rest [3]float64) [3]int {
	order := [3]int{0, 1, 2}
	for _, pair := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if a, b := order[pair[0]], order[pair[1]]; rest[b] > rest[a] {
			order[pair[0]], order[pair[1]] = b, a
		}
	}
	return order
}
