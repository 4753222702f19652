// This file owns Bins, which count numbers by size with a fixed relative error, as HDR
// histograms do (Tene, 2012; Masson, Rim, Lee, "DDSketch", VLDB 12, 2019).

package statistic

import (
	"iter"
	"math"
	"slices"
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

// octave holds the counts between two powers of two.
type octave = [perOctave]uint64

// octaves are the bins of positive numbers. Powers of two that no number came to have none.
type octaves struct {
	first int // exponent of pages[0]
	pages []*octave
}

// Bins are the bins of a histogram.
type Bins struct {
	zero     uint64
	pos, neg octaves
}

// Add counts n times the number x, which is finite.
func (b *Bins) Add(x float64, n uint64) {
	switch {
	case x > 0:
		*b.pos.at(math.Float64bits(x) >> dropBits) += n
	case x < 0:
		*b.neg.at(math.Float64bits(-x) >> dropBits) += n
	default:
		b.zero += n
	}
}

// at returns the count of a bin.
func (o *octaves) at(bin uint64) *uint64 {
	i := int(bin>>octaveBits) - o.first
	if uint(i) >= uint(len(o.pages)) || o.pages[i] == nil {
		i = o.extend(int(bin >> octaveBits))
	}
	return &o.pages[i][bin%perOctave]
}

// extend makes the page of an exponent and returns its index.
func (o *octaves) extend(exponent int) int {
	switch {
	case len(o.pages) == 0:
		o.first, o.pages = exponent, make([]*octave, 1)
	case exponent < o.first:
		o.pages = append(make([]*octave, o.first-exponent), o.pages...)
		o.first = exponent
	case exponent >= o.first+len(o.pages):
		o.pages = append(o.pages, make([]*octave, exponent-o.first-len(o.pages)+1)...)
	}
	i := exponent - o.first
	o.pages[i] = new(octave)
	return i
}

// all yields the bins that are not empty, from 0 up.
func (o *octaves) all(yield func(bin, n uint64) bool) {
	for i, page := range o.pages {
		if page == nil {
			continue
		}
		for j, n := range page {
			if n > 0 && !yield(uint64(o.first+i)<<octaveBits|uint64(j), n) {
				return
			}
		}
	}
}

// Bin is a bin of a histogram: N numbers x with Low <= x < High. For negative numbers it is
// Low < x <= High, and both are 0 in the bin of 0.
type Bin struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    uint64  `json:"n"`
}

// Middle returns the number that stands for those in the bin.
func (b Bin) Middle() float64 { return b.Low + (b.High-b.Low)/2 }

// All yields the bins that are not empty, in the order of their numbers.
func (b *Bins) All() iter.Seq[Bin] {
	low := func(bin uint64) float64 { return math.Float64frombits(bin << dropBits) }
	high := func(bin uint64) float64 { return min(low(bin+1), math.MaxFloat64) }
	return func(yield func(Bin) bool) {
		var negative []Bin
		b.neg.all(func(bin, n uint64) bool {
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
		b.pos.all(func(bin, n uint64) bool { return yield(Bin{low(bin), high(bin), n}) })
	}
}

// Merge adds the counts of o.
func (b *Bins) Merge(o *Bins) {
	b.zero += o.zero
	o.pos.all(func(bin, n uint64) bool { *b.pos.at(bin) += n; return true })
	o.neg.all(func(bin, n uint64) bool { *b.neg.at(bin) += n; return true })
}

// QuantileOf returns the number below or at which the part q of n numbers lies, from their
// bins in order: the middle of the bin of the ceil(q*n)-th smallest one, but not outside of
// least and greatest. It is NaN without numbers.
func QuantileOf(bins iter.Seq[Bin], n uint64, q, least, greatest float64) float64 {
	switch {
	case n == 0 || !(q >= 0 && q <= 1):
		return math.NaN()
	case q == 0:
		return least
	case q == 1:
		return greatest
	}
	rank := max(uint64(math.Ceil(q*float64(n))), 1)
	for bin := range bins {
		if bin.N >= rank {
			return min(max(bin.Middle(), least), greatest)
		}
		rank -= bin.N
	}
	return greatest
}
