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

// octave holds the counts between two powers of two: in 128 bytes until one of them is 2^16, so
// that the histograms of many LPs stay in the caches. Both are nil if no number came there.
type octave struct {
	small *[perOctave]uint16
	large *[perOctave]uint64
}

// octaves are the bins of positive numbers.
type octaves struct {
	first int // exponent of pages[0]
	pages []octave
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
		b.pos.add(math.Float64bits(x)>>dropBits, n)
	case x < 0:
		b.neg.add(math.Float64bits(-x)>>dropBits, n)
	default:
		b.zero += n
	}
}

// add adds to the count of a bin.
func (o *octaves) add(bin, n uint64) {
	if i := int(bin>>octaveBits) - o.first; uint(i) < uint(len(o.pages)) {
		if small := o.pages[i].small; small != nil {
			if c := &small[bin%perOctave]; n <= math.MaxUint16-uint64(*c) {
				*c += uint16(n)
				return
			}
		}
	}
	o.addLarge(bin, n)
}

// addLarge is add for an octave that is missing, or has large counts, or needs them now.
func (o *octaves) addLarge(bin, n uint64) {
	p := o.page(int(bin >> octaveBits))
	if p.small == nil && p.large == nil && n <= math.MaxUint16 {
		p.small = new([perOctave]uint16)
		p.small[bin%perOctave] = uint16(n)
		return
	}
	if p.large == nil {
		p.large = new([perOctave]uint64)
		if p.small != nil {
			for i, c := range p.small {
				p.large[i] = uint64(c)
			}
			p.small = nil
		}
	}
	p.large[bin%perOctave] += n
}

// page returns the octave of an exponent.
func (o *octaves) page(exponent int) *octave {
	switch {
	case len(o.pages) == 0:
		o.first, o.pages = exponent, make([]octave, 1)
	case exponent < o.first:
		o.pages = append(make([]octave, o.first-exponent), o.pages...)
		o.first = exponent
	case exponent >= o.first+len(o.pages):
		o.pages = append(o.pages, make([]octave, exponent-o.first-len(o.pages)+1)...)
	}
	return &o.pages[exponent-o.first]
}

// all yields the bins that are not empty, from 0 up.
func (o *octaves) all(yield func(bin, n uint64) bool) {
	for i, p := range o.pages {
		for j := range uint64(perOctave) {
			n := uint64(0)
			switch {
			case p.small != nil:
				n = uint64(p.small[j])
			case p.large != nil:
				n = p.large[j]
			}
			if n > 0 && !yield(uint64(o.first+i)<<octaveBits|j, n) {
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
	o.pos.all(func(bin, n uint64) bool { b.pos.add(bin, n); return true })
	o.neg.all(func(bin, n uint64) bool { b.neg.add(bin, n); return true })
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
