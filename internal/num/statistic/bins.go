// This file owns Course, the data of time series, and Bins, which count numbers by size with a fixed relative
// error, as HDR histograms do (Tene, 2012; Masson, Rim, Lee, "DDSketch", VLDB 12, 2019).

package statistic

import (
	"cmp"
	"iter"
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/ross-go/ross/internal/num/interval"
)

// perOctave is the number of bins between two powers of two. They are equally wide, so that
// the bin of a number is the first bits of its representation.
const (
	octaveBits = 6
	perOctave  = 1 << octaveBits
	dropBits   = 52 - octaveBits // bits of a float64 that do not matter
)

// MaxError is the maximum relative distance of a number from the middle of its bin, unless the
// number is below 2.3e-308, the smallest with all its digits.
const MaxError = 1.0 / (2 * perOctave)

// Octaves whose counts stand side by side, so that a recording finds its count in one step.
const (
	firstOctaves = 8  // of the first number and around it
	mostOctaves  = 32 // numbers outside of these have pages of their own
)

// octaves are the bins of positive numbers.
type octaves struct {
	first uint64  // bin of near[0], the first one of its octave
	near  []uint8 // counts of the bins from there on
}

// page has counts of an octave, those of numbers far from most and those beyond 8 bits.
type page struct {
	exponent uint64
	n        [perOctave]uint64
}

// Bins are the bins of a histogram. Near counts of positive numbers come first and have 8 bits,
// so that the histograms of many LPs stay in the caches.
type Bins struct {
	zero uint64
	pos  octaves
	rest *rest    // nil if there is nothing in it
	_    [16]byte // a whole cache line
}

// rest is the part of Bins that is rarely needed.
type rest struct {
	neg octaves
	far [2][]*page // of positive and of negative numbers, by exponent
}

// Add counts n times the number x, which is finite.
func (b *Bins) Add(x float64, n uint64) {
	switch bin := math.Float64bits(x) >> dropBits; {
	case x > 0:
		if !b.pos.add(bin, n) {
			b.addFar(&b.pos, 0, bin, n)
		}
	case x < 0:
		bin = math.Float64bits(-x) >> dropBits
		if o := &b.others().neg; !o.add(bin, n) {
			b.addFar(o, 1, bin, n)
		}
	default:
		b.zero += n
	}
}

// others returns the rest, which it makes if necessary.
func (b *Bins) others() *rest {
	if b.rest == nil {
		b.rest = new(rest)
	}
	return b.rest
}

// add adds to the count of a bin, if it is near and has room.
func (o *octaves) add(bin, n uint64) bool {
	i := bin - o.first
	if i >= uint64(len(o.near)) || n > math.MaxUint8-uint64(o.near[i]) {
		return false
	}
	o.near[i] += uint8(n)
	return true
}

// addFar adds to the count of a bin, which is not near yet, or becomes too large for that.
func (b *Bins) addFar(o *octaves, sign int, bin, n uint64) {
	o.reach(bin >> octaveBits)
	if o.add(bin, n) {
		return
	}
	far := &b.others().far[sign]
	at, found := slices.BinarySearchFunc(*far, bin>>octaveBits,
		func(p *page, exponent uint64) int { return cmp.Compare(p.exponent, exponent) })
	if !found {
		*far = slices.Insert(*far, at, &page{exponent: bin >> octaveBits})
	}
	count := &(*far)[at].n[bin%perOctave]
	if i := bin - o.first; i < uint64(len(o.near)) {
		*count += uint64(o.near[i])
		o.near[i] = 0
	}
	*count += n
}

// reach brings an octave near, unless that are too many then. The number of octaves is doubled.
func (o *octaves) reach(exponent uint64) {
	from, end := o.first>>octaveBits, o.first>>octaveBits+uint64(len(o.near))/perOctave
	if exponent >= from && exponent < end {
		return
	}
	size := uint64(firstOctaves)
	switch {
	case from == end:
		from = max(exponent, firstOctaves/2) - firstOctaves/2
		o.first, o.near = from<<octaveBits, make([]uint8, firstOctaves*perOctave)
		return
	case max(end, exponent+1)-min(from, exponent) > mostOctaves:
		return
	}
	for size < max(end, exponent+1)-min(from, exponent) {
		size *= 2
	}
	old := *o
	if exponent < from {
		from = max(end, size) - size
	}
	o.first, o.near = from<<octaveBits, make([]uint8, size*perOctave)
	copy(o.near[old.first-o.first:], old.near)
}

// all yields the bins that are not empty, from 0 up. far has more counts of them.
func (o *octaves) all(far []*page, yield func(bin, n uint64) bool) {
	near := o.near
	for at := o.first; len(far) > 0 || len(near) > 0; {
		var counts []uint8
		var more *page
		if len(near) > 0 && (len(far) == 0 || at>>octaveBits <= far[0].exponent) {
			counts, near = near[:perOctave], near[perOctave:]
		}
		from := at
		if len(far) > 0 && (counts == nil || at>>octaveBits == far[0].exponent) {
			more, far = far[0], far[1:]
			from = more.exponent << octaveBits
		}
		if counts != nil {
			at += perOctave
		}
		for j := range uint64(perOctave) {
			n := uint64(0)
			if counts != nil {
				n = uint64(counts[j])
			}
			if more != nil {
				n += more.n[j]
			}
			if n > 0 && !yield(from+j, n) {
				return
			}
		}
	}
}

// each yields the bins of positive or of negative numbers that are not empty, from 0 up.
func (b *Bins) each(sign int, yield func(bin, n uint64) bool) {
	switch {
	case b.rest == nil && sign == 0:
		b.pos.all(nil, yield)
	case b.rest == nil:
	case sign == 0:
		b.pos.all(b.rest.far[0], yield)
	default:
		b.rest.neg.all(b.rest.far[1], yield)
	}
}

// Bin is a bin of a histogram: N numbers x with Low <= x < High. For negative numbers it is
// Low < x <= High, and both are 0 in the bin of 0. The bin that ends at the largest float64 has that, too.
type Bin struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    uint64  `json:"n"`
}

// Middle returns the number that stands for those in the bin.
func (b Bin) Middle() float64 { return b.Low + (b.High-b.Low)/2 }

// All yields the bins that are not empty, in the order of their numbers.
func (b *Bins) All() iter.Seq[Bin] {
	low := func(bin uint64) float64 { return math.Float64frombits(max(bin<<dropBits, 1)) } // 0 is in none of them
	high := func(bin uint64) float64 { return min(low(bin+1), math.MaxFloat64) }
	return func(yield func(Bin) bool) {
		var negative []Bin
		b.each(1, func(bin, n uint64) bool {
			negative = append(negative, Bin{-high(bin), -low(bin), n})
			return true
		})
		for _, bin := range slices.Backward(negative) {
			if !yield(bin) {
				return
			}
		}
		if b.zero > 0 && !yield(Bin{N: b.zero}) {
			return
		}
		b.each(0, func(bin, n uint64) bool { return yield(Bin{low(bin), high(bin), n}) })
	}
}

// Merge adds the counts of o.
func (b *Bins) Merge(o *Bins) {
	b.zero += o.zero
	for bin := range o.All() {
		if bin.Low != bin.High {
			b.Add(bin.Middle(), bin.N)
		}
	}
}

// QuantileOf returns the number below or at which the part q of n numbers lies, from their
// bins in order: the middle of the bin of the one at that rank, but not outside of least and
// greatest. It is NaN without numbers.
func QuantileOf(bins iter.Seq[Bin], n uint64, q, least, greatest float64) float64 {
	switch {
	case n == 0 || !(q >= 0 && q <= 1):
		return math.NaN()
	case q == 0:
		return least
	case q == 1:
		return greatest
	}
	k := rank(q, n)
	for bin := range bins {
		if bin.N >= k {
			return min(max(bin.Middle(), least), greatest)
		}
		k -= bin.N
	}
	return greatest
}

// rank returns the least k, from 1 to n, for which k/n as a float64 is at least q. So 0.07 of 100
// numbers are 7, although the float64 that 0.07 stands for is a little more. q is above 0 and below 1.
func rank(q float64, n uint64) uint64 {
	if n > 1<<53 { // n has no float64
		k, of := new(big.Int), new(big.Int).SetUint64(n)
		return 1 + uint64(sort.Search(int(min(n, math.MaxInt64))-1, func(i int) bool {
			return quotient(k.SetUint64(uint64(i)+1), 0, of) >= q
		}))
	}
	k := min(max(uint64(math.Ceil(q*float64(n))), 1), n) // at most one off
	for k > 1 && float64(k-1)/float64(n) >= q {
		k--
	}
	for k < n && float64(k)/float64(n) < q {
		k++
	}
	return k
}

// Course, the data of a time series: exact sums over intervals of virtual time.

// Limits of the number of intervals. When a series comes to more, they are joined in pairs.
const (
	fewIntervals  = 128     // of a series whose model does not say how long they are
	mostIntervals = 1 << 20 // of other series
	fewSteps      = 16      // for which there is room at first
)

// Course is a time series: what was recorded in each interval of virtual time.
type Course struct {
	// Virtual times from one to before another are in interval at, which was the last one.
	from, until float64
	at          int
	sums                        // by interval
	length      interval.Length // of an interval, in virtual time
	Most        int             // number of intervals from which on they are joined
	_           [24]byte        // whole cache lines
}

// sums are exact sums with numbers.
type sums struct {
	Steps []Stretch
	more  []*Sum // what a Stretch does not hold; it may be shorter
}

// Stretch is an interval of a Course.
type Stretch struct {
	N         uint64  // number of recordings
	High, Low float64 // their sum, if there is no more of it; Low is what rounding has taken from High
}

// mostHigh is the limit of what is in High and Low, far enough from the largest float64.
const mostHigh = 1e300

// NewCourse returns a Course with intervals of a length; 0 chooses it by the virtual time of
// the first recording.
func NewCourse(every, now float64) Course {
	if every > 0 {
		return Course{length: interval.Of(every), Most: mostIntervals}
	}
	width := math.Ldexp(1, -20)
	if now > 0 {
		_, exp := math.Frexp(now) // now < 2^exp
		width = math.Ldexp(1, max(exp-3, -1000))
	}
	return Course{length: interval.Of(width), Most: fewIntervals}
}

// Width returns the length of an interval, in virtual time.
func (c *Course) Width() float64 { return c.length.Every() }

// widened returns intervals that were joined until they had a length. every is the length that they had at first, 0 if
// that was chosen, which is a power of 2.
func widened(every, width float64) interval.Length {
	k := width / every
	if part, _ := math.Frexp(k); part == 0.5 && k*every == width {
		return interval.Of(every).Times(k)
	}
	return interval.Of(width)
}

// Add records x at a virtual time.
func (c *Course) Add(x, now float64) {
	if now < c.from || now >= c.until {
		c.find(now)
	}
	c.Steps[c.at].N++
	c.add(c.at, x)
}

// add adds x to the sum of an interval. What rounding takes from a sum is known exactly (Knuth).
func (c *sums) add(at int, x float64) {
	s := &c.Steps[at]
	high := s.High + x
	if !(math.Abs(high) < mostHigh) {
		c.others(at).Add(x)
		return
	}
	part := high - s.High
	x = (s.High - (high - part)) + (x - part)
	low := s.Low + x
	part = low - s.Low
	if rest := (s.Low - (low - part)) + (x - part); rest != 0 {
		c.others(at).Add(rest)
	}
	s.High, s.Low = high, low
}

// others returns the rest of the sum of an interval, which it makes if necessary.
func (c *sums) others(at int) *Sum {
	if n := at + 1 - len(c.more); n > 0 {
		c.more = append(c.more, make([]*Sum, n)...)
	}
	if c.more[at] == nil {
		c.more[at] = new(Sum)
	}
	return c.more[at]
}

// AddTo adds the sum of an interval to another sum.
func (c *sums) AddTo(to *Sum, at int) {
	to.Add(c.Steps[at].High)
	to.Add(c.Steps[at].Low)
	if at < len(c.more) && c.more[at] != nil {
		to.Merge(c.more[at])
	}
}

// find makes the interval of a virtual time the last one.
func (c *Course) find(now float64) {
	n, from, until := c.length.Around(now)
	for n >= float64(c.Most) {
		c.join()
		n, from, until = c.length.Around(now)
	}
	c.at, c.from, c.until = int(n), from, until
	if n := c.at + 1 - len(c.Steps); n > 0 {
		c.Steps = append(slices.Grow(c.Steps, max(n, fewSteps-len(c.Steps))), make([]Stretch, n)...)
	}
}

// join joins intervals in pairs.
func (c *Course) join() {
	half := (len(c.Steps) + 1) / 2
	old, more := c.Steps, c.more
	c.more = nil
	for i, s := range old {
		if to := i / 2; i%2 == 0 {
			c.Steps[to] = s
		} else {
			c.Steps[to].N += s.N
			c.add(to, s.High)
			c.add(to, s.Low)
		}
		if i < len(more) && more[i] != nil {
			c.others(i / 2).Merge(more[i])
		}
	}
	c.Steps, c.length = old[:half], c.length.Times(2)
}
