// This file owns the decision that a point has enough replications.

package experiment

import (
	"math"
	"slices"
)

// series are the replications of one point.
type series struct {
	early  map[uint64]Responses // finished before one with a lower number
	prefix []Responses          // of the replications 0, 1, 2, ...
	next   uint64               // number of the next replication to run
	kept   map[uint64]kept      // by replications, of those that have something
	units  map[string]string    // of responses, by the first replication
	rare   []string             // responses, likewise

	sums map[string]*sums // of the responses in Until, over the prefix
	// number of replications at which the precisions were reached, and have been since; 0: they are not
	reached int
	decided bool
	met     bool
}

// add takes in a finished replication. The decision looks at the replications in the order of their
// numbers, so it does not depend on which of them is finished first.
func (s *series) add(e *Experiment, replication uint64, r Responses) {
	s.early[replication] = r
	for !s.decided {
		r, ok := s.early[uint64(len(s.prefix))]
		if !ok {
			return
		}
		delete(s.early, uint64(len(s.prefix)))
		s.prefix = append(s.prefix, r)
		s.decide(e)
	}
}

// has reports whether a replication is finished.
func (s *series) has(replication uint64) bool {
	_, early := s.early[replication]
	return early || replication < uint64(len(s.prefix))
}

// decide looks at the last replication of the prefix.
func (s *series) decide(e *Experiment) {
	n := len(s.prefix)
	if len(e.Until) == 0 {
		s.decided, s.met = n == e.Replications, true
		return
	}
	switch {
	case !s.precise(e, s.prefix[n-1]):
		s.reached = 0
	case s.reached == 0 && n >= e.Replications:
		s.reached = n
	}
	s.met = s.reached > 0
	s.decided = s.met && n-s.reached >= lookAhead(e, s.reached) || n == e.MaxReplications
}

// precise takes in the responses of the next replication of the prefix, and reports whether the precisions are reached.
func (s *series) precise(e *Experiment, last Responses) bool {
	if s.sums == nil {
		s.sums = map[string]*sums{}
	}
	for name, v := range last {
		if !slices.ContainsFunc(e.Until, func(p Precision) bool { return p.covers(name) }) {
			continue
		}
		if s.sums[name] == nil {
			s.sums[name] = &sums{}
		}
		s.sums[name].add(v)
	}
	for _, p := range e.Until {
		found := false
		for name, sum := range s.sums {
			if p.covers(name) {
				if found = true; !p.reached(sum.interval(e.Confidence)) {
					return false
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// least returns the number of replications that the point needs at least, by what is known: it is reached at
// the next replication, if not before, and then holds.
func (s *series) least(e *Experiment) int {
	if e.Select != nil {
		return min(max(len(s.prefix)+1, e.Replications), e.MaxReplications)
	}
	if len(e.Until) == 0 {
		return e.Replications
	}
	reached := s.reached
	if reached == 0 {
		reached = max(len(s.prefix)+1, e.Replications)
	}
	return min(reached+lookAhead(e, reached), e.MaxReplications)
}

// lookAhead returns for how many further replications a precision reached at n must hold.
func lookAhead(e *Experiment, n int) int {
	return int(math.Ceil(float64(e.LookAhead) * max(1, float64(n)/100)))
}
