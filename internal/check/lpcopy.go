// This file owns lpCopy: copies of LPs between events, which the schedulers that check
// rollback compare.

package check

import (
	"fmt"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/rng"
)

// lpCopy is everything in an LP that an event may change and that a rollback has to
// restore.
type lpCopy struct {
	taken     bool // there is a copy
	suspended bool
	code      int64 // of the suspension
	state     deep.Snapshot
	saved     any     // result of Checker.Save, instead of state and blocks
	blocks    []image // blocks of Alloc that the state leads to
	streams   []rng.StreamState
	core      rng.State
}

// take copies lp.
func (c *Checker) take(lp *kernel.LP, s *lpCopy) {
	c.drop(lp, s)
	t := &c.types[lp.Type().ID]
	s.taken, s.suspended, s.code, s.core = true, lp.Suspended(), lp.Code(), lp.Core.State()
	s.streams = append(s.streams[:0], lp.RNG.State())
	for i := range lp.More() {
		s.streams = append(s.streams, lp.More()[i].State())
	}
	if t.Save != nil {
		s.saved = t.Save(lp.State)
		return
	}
	w := blockWalk{live: c.live}
	w.mask(lp.State, t.blocks)
	s.state, s.blocks = t.copier.Copy(lp.State), w.images
	w.unmask()
}

// drop drops a copy.
func (c *Checker) drop(lp *kernel.LP, s *lpCopy) {
	if s.taken && s.saved != nil {
		c.types[lp.Type().ID].Clean(s.saved)
	}
	*s = lpCopy{streams: s.streams[:0]}
}

// differences returns the differences between lp and a copy.
func (c *Checker) differences(lp *kernel.LP, s *lpCopy) (found []string) {
	if t := &c.types[lp.Type().ID]; t.Save == nil {
		found = c.texts(c.stateDifferences(lp, s))
	} else if err := t.Compare(lp.State, s.saved); err != nil {
		found = append(found, fmt.Sprintf("the state different: %v", err))
	}
	return append(found, c.engineDifferences(lp, s)...)
}

// stateDifferences returns the differences in the state of lp, and in the blocks that it
// leads to.
func (c *Checker) stateDifferences(lp *kernel.LP, s *lpCopy) []deep.Difference {
	t := &c.types[lp.Type().ID]
	w := blockWalk{live: c.live}
	w.mask(lp.State, t.blocks)
	found := t.copier.Diff(s.state, lp.State)
	w.unmask()
	return append(found, compareImages(s.blocks, w.images)...)
}

// engineDifferences returns the differences in the engine's part of lp.
func (c *Checker) engineDifferences(lp *kernel.LP, s *lpCopy) (found []string) {
	for i, was := range s.streams {
		if now := lp.Stream(i).State(); now != was {
			found = append(found, c.difference(streamName(i), streamText(was, now), streamText(now, was)))
		}
	}
	if now := lp.Core.State(); now != s.core {
		found = append(found, c.difference("the engine's stream", "draw "+fmt.Sprint(s.core.Count), "draw "+fmt.Sprint(now.Count)))
	}
	if lp.Suspended() != s.suspended || lp.Code() != s.code {
		found = append(found, c.difference("Suspended()", fmt.Sprintf("%d, %t", s.code, s.suspended), fmt.Sprintf("%d, %t", lp.Code(), lp.Suspended())))
	}
	return found
}

// streamName returns the call by which a model gets stream i of its LP.
func streamName(i int) string {
	if i == 0 {
		return "RNG()"
	}
	return fmt.Sprintf("Stream(%d)", i)
}

// streamText describes the position of a stream, and its values if other has the same
// position.
func streamText(s, other rng.StreamState) string {
	if s.Count != other.Count {
		return fmt.Sprintf("draw %d", s.Count)
	}
	return fmt.Sprintf("draw %d of %v, kept %g", s.Count, s.C, s.Spare)
}

// texts returns differences in the form used in errors.
func (c *Checker) texts(all []deep.Difference) []string {
	var found []string
	for _, d := range all {
		found = append(found, c.difference(d.Path, d.Before, d.After))
	}
	return found
}

// difference says what something is and what it was.
func (c *Checker) difference(what, before, after string) string {
	return fmt.Sprintf("%s at %s, it was %s %s", what, after, before, c.When)
}
