// This file owns additions that wait: sums, bins and intervals are added to in batches, out of the events that record.
// What a batch adds to lies far apart in memory. In short loops these accesses overlap, while in events each is waited
// for.

package statistic

import (
	"math"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// pending are the additions of a Store that wait. Those to one statistic are made in the order in which they came.
type pending struct {
	sums  [batch]addition
	bins  [batch]binning
	times [batch]timing
	n     struct{ sums, bins, times int }
	read  uint64 // sum of words that were read only to bring them into the cache
}

// batch is how many additions of a kind wait at most.
const batch = 64

// addition is one to an Exact: of x to one sum, and of x * y to the other.
type addition struct {
	to   *Exact
	x, y float64
}

// binning is a number for the bins of a Histogram with that At.
type binning struct {
	at uint64
	x  float64
}

// timing is a number for a Series with that At.
type timing struct {
	at     uint64
	x, now float64
}

// AddUp makes the additions that wait. Schedulers call it after events that have recorded something and before anybody
// may read a statistic or store it. Until then only numbers of recordings, extremes, and values of levels are right.
func (s *Store) AddUp() {
	s.addSums()
	s.addBins()
	s.addTimes()
}

// checkAddedUp is called by those for whom nothing may wait.
func (s *Store) checkAddedUp() {
	if invariants.Enabled {
		n := &s.wait.n
		invariants.Check(n.sums+n.bins+n.times == 0, "recordings wait: %d sums, %d bins, %d times", n.sums, n.bins, n.times)
	}
}

// sum has x, and x * y, added to the sums of a.
func (s *Store) sum(a *Exact, x, y float64) {
	i := s.wait.n.sums
	s.wait.sums[i%batch] = addition{a, x, y}
	if x != 0 { // compiled without a branch, since customers often wait for nothing, and often do not
		i++
	}
	if s.wait.n.sums = i; i == batch {
		s.addSums()
	}
}

// bin has x counted in the bins of a histogram.
func (s *Store) bin(at uint64, x float64) {
	i := s.wait.n.bins
	s.wait.bins[i%batch] = binning{at, x}
	if s.wait.n.bins = i + 1; i+1 == batch {
		s.addBins()
	}
}

// time has x counted in the interval of a virtual time.
func (s *Store) time(at uint64, x, now float64) {
	i := s.wait.n.times
	s.wait.times[i%batch] = timing{at, x, now}
	if s.wait.n.times = i + 1; i+1 == batch {
		s.addTimes()
	}
}

// addSums adds to the sums, which it reads ahead.
func (s *Store) addSums() {
	w := &s.wait
	all := w.sums[:w.n.sums]
	for i := range all {
		w.read += uint64(all[i].to.oneLimit)
	}
	for i := range all {
		all[i].to.Add(all[i].x, all[i].y)
	}
	w.n.sums = 0
}

// addBins counts in bins, which it reads ahead: first where they are, then their counts.
func (s *Store) addBins() {
	w := &s.wait
	all := w.bins[:w.n.bins]
	for i := range all {
		w.read += s.Bins[all[i].at-1].pos.first
	}
	for i := range all {
		o, bin := &s.Bins[all[i].at-1].pos, math.Float64bits(all[i].x)>>dropBits
		if at := bin - o.first; at < uint64(len(o.near)) {
			w.read += uint64(o.near[at])
		}
	}
	for i := range all {
		s.Bins[all[i].at-1].Add(all[i].x, 1)
	}
	w.n.bins = 0
}

// addTimes adds to intervals. It reads ahead where they are.
func (s *Store) addTimes() {
	w := &s.wait
	all := w.times[:w.n.times]
	for i := range all {
		w.read += uint64(s.Courses[all[i].at-1].at)
	}
	for i := range all {
		s.Courses[all[i].at-1].Add(all[i].x, all[i].now)
	}
	w.n.times = 0
}
