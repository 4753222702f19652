// This file owns Set, a set of processors by their numbers.

package topology

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Set is a set of processors: bit n%64 of word n/64 stands for processor n.
type Set []uint64

// mostProcessors bounds the numbers of processors, which are read from files.
const mostProcessors = 1 << 16

// SetOf returns the set of some processors.
func SetOf(processors ...int) (s Set) {
	for _, n := range processors {
		for n/64 >= len(s) {
			s = append(s, 0)
		}
		s[n/64] |= 1 << (n % 64)
	}
	return s
}

// Has reports whether a processor belongs to the set.
func (s Set) Has(n int) bool { return n >= 0 && n/64 < len(s) && s[n/64]>>(n%64)&1 != 0 }

// Len returns the number of processors.
func (s Set) Len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// All returns the processors in ascending order.
func (s Set) All() (all []int) {
	for n := range 64 * len(s) {
		if s.Has(n) {
			all = append(all, n)
		}
	}
	return all
}

// Union returns the processors that belong to either set.
func (s Set) Union(o Set) Set { return SetOf(append(s.All(), o.All()...)...) }

// Meets reports whether the sets have a processor in common.
func (s Set) Meets(o Set) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// String returns the set as Linux writes it, such as 0-3,8.
func (s Set) String() string {
	var b strings.Builder
	all := s.All()
	for i := 0; i < len(all); i++ {
		first := i
		for i+1 < len(all) && all[i+1] == all[i]+1 {
			i++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if fmt.Fprint(&b, all[first]); i > first {
			fmt.Fprintf(&b, "-%d", all[i])
		}
	}
	return b.String()
}

// ParseSet reads a set as String and Linux write it.
func ParseSet(text string) (Set, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 32)
		last, err2 := strconv.ParseUint(to, 10, 32)
		if err != nil || err2 != nil || first > last || last >= mostProcessors {
			return nil, fmt.Errorf("%q is no list of processors such as 0-3,8", text)
		}
		for n := first; n <= last; n++ {
			all = append(all, int(n))
		}
	}
	return SetOf(all...), nil
}
