// This file owns Sampler, for operations too short and too many to time each: some are
// timed and stand for the others.

package meter

import (
	"slices"
	"sync"
	"time"
)

// Since returns the seconds since t.
func Since(t time.Time) float64 { return time.Since(t).Seconds() }

// Sampler estimates the time that operations of a kind take. Each that is timed
// stands for those since the one before. The gaps are random, so that a model
// with a rhythm does not show one beat of it only, and short at first, so that a
// run with few operations has an estimate too.
type Sampler struct {
	N, last, next uint64 // operations; the one timed last; the one to be timed next
	Seconds       float64
	dice          uint64
	at            time.Time // when the last one ended
}

// Due counts an operation. It reports whether that is to be timed: Weigh or Add
// has to follow then.
func (s *Sampler) Due() bool {
	s.N++
	return s.N >= s.next
}

// Start counts an operation. It returns the time if that is to be timed, and a
// zero one otherwise, for Add.
func (s *Sampler) Start() (begin time.Time) {
	if s.Due() {
		begin = time.Now()
	}
	return begin
}

// Weigh returns how many operations the current one stands for, and draws which
// is next: every so many on average.
func (s *Sampler) Weigh(every uint64) float64 {
	gap := s.N - s.last
	s.dice = s.dice*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	s.last = s.N
	s.next = s.N + 1 + (s.dice>>33)%(2*min(s.N/4+1, every)-1)
	return float64(gap)
}

// Add adds an operation that began at a time, unless that is zero, and ends now. Those that it stands
// for have taken no longer than what has passed since the one before: without
// that, one that lost its processor for a while would outweigh all.
func (s *Sampler) Add(begin time.Time, every uint64) {
	if begin.IsZero() {
		return
	}
	now := time.Now()
	d := s.Weigh(every) * (now.Sub(begin).Seconds() - ClockCost())
	if !s.at.IsZero() {
		d = min(d, now.Sub(s.at).Seconds())
	}
	s.Seconds += d
	s.at = now
}

// Total returns the seconds of all operations.
func (s *Sampler) Total() float64 {
	if s.last == 0 {
		return 0
	}
	return max(s.Seconds*float64(s.N)/float64(s.last), 0)
}

// How many operations there are for each one that is timed.
const (
	SampleEvery  = 32  // windows of the queue; bursts of a sequential run
	SampleSettle = 8   // times that rollbacks are carried out
	SampleDeltas = 512 // deltas; blocks of memory; records of a trace
)

// ClockCost returns the seconds between two readings of the clock with nothing
// between them: more than some of what is timed takes.
var ClockCost = sync.OnceValue(func() float64 {
	var costs [101]float64
	for i := range costs {
		costs[i] = Since(time.Now())
	}
	slices.Sort(costs[:])
	return costs[len(costs)/2]
})
