// This file owns lpCopy: what an LP is between events, as the schedulers
// that check rollback note it down and compare it.

package ross

import (
	"fmt"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/rng"
)

// lpCopy is all that an event may change in its LP, and that a rollback has to
// put back.
type lpCopy struct {
	taken     bool
	suspended bool
	code      int64
	state     deep.Snapshot
	saved     any     // what Checker.Save returned, instead of state and blocks
	blocks    []image // memory of Alloc that the state leads to
	streams   []rng.StreamState
	core      rng.State
}

// take notes down how lp stands.
func (c *checker) take(lp *LP, s *lpCopy) {
	c.drop(lp, s)
	t := &c.types[lp.typ.id]
	s.taken, s.suspended, s.code, s.core = true, lp.suspended, lp.code, lp.core.State()
	s.streams = append(s.streams[:0], lp.rng.State())
	for i := range lp.more {
		s.streams = append(s.streams, lp.more[i].State())
	}
	if t.save != nil {
		s.saved = t.save(lp.state)
		return
	}
	w := blockWalk{live: c.live}
	w.mask(lp.state, t.blocks)
	s.state, s.blocks = t.copier.Copy(lp.state), w.images
	w.unmask()
}

// drop gives a copy up.
func (c *checker) drop(lp *LP, s *lpCopy) {
	if s.taken && s.saved != nil {
		c.types[lp.typ.id].clean(s.saved)
	}
	*s = lpCopy{streams: s.streams[:0]}
}

// differences tells where lp does not stand as noted.
func (c *checker) differences(lp *LP, s *lpCopy) (found []string) {
	if t := &c.types[lp.typ.id]; t.save == nil {
		found = c.texts(c.stateDifferences(lp, s))
	} else if err := t.compare(lp.state, s.saved); err != nil {
		found = append(found, fmt.Sprintf("the state different: %v", err))
	}
	return append(found, c.engineDifferences(lp, s)...)
}

// stateDifferences tells where the state of lp, or memory of Alloc, is not as noted.
func (c *checker) stateDifferences(lp *LP, s *lpCopy) []deep.Difference {
	t := &c.types[lp.typ.id]
	w := blockWalk{live: c.live}
	w.mask(lp.state, t.blocks)
	found := t.copier.Diff(s.state, lp.state)
	w.unmask()
	return append(found, compareImages(s.blocks, w.images)...)
}

// engineDifferences tells where what the engine has of lp is not as noted.
func (c *checker) engineDifferences(lp *LP, s *lpCopy) (found []string) {
	for i, was := range s.streams {
		if now := lp.Stream(i).State(); now != was {
			found = append(found, c.difference(streamName(i), streamText(was, now), streamText(now, was)))
		}
	}
	if now := lp.core.State(); now != s.core {
		found = append(found, c.difference("the engine's stream", "draw "+fmt.Sprint(s.core.Count), "draw "+fmt.Sprint(now.Count)))
	}
	if lp.suspended != s.suspended || lp.code != s.code {
		found = append(found, c.difference("Suspended()", fmt.Sprintf("%d, %t", s.code, s.suspended), fmt.Sprintf("%d, %t", lp.code, lp.suspended)))
	}
	return found
}

// streamName returns how a model calls stream i of its LP.
func streamName(i int) string {
	if i == 0 {
		return "RNG()"
	}
	return fmt.Sprintf("Stream(%d)", i)
}

// streamText says where a stream is, and more where the other one is there too.
func streamText(s, other rng.StreamState) string {
	if s.Count != other.Count {
		return fmt.Sprintf("draw %d", s.Count)
	}
	return fmt.Sprintf("draw %d of %v, kept %g", s.Count, s.C, s.Spare)
}

// texts returns differences as the errors have them.
func (c *checker) texts(all []deep.Difference) []string {
	var found []string
	for _, d := range all {
		found = append(found, c.difference(d.Path, d.Before, d.After))
	}
	return found
}

// difference says what something is and what it was.
func (c *checker) difference(what, before, after string) string {
	return fmt.Sprintf("%s at %s, it was %s %s", what, after, before, c.when)
}
