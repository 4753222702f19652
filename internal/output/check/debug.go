// This file owns the comparisons of --synch=4: all LPs and pending events must be as they were before the
// first event. It owns the copies of LPs that the schedulers of checks need.

package check

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rng"
)

// initial is an event of Init or PreRun, as it was before the first event ran.
type initial struct {
	index uint32 // in the arena
	sent  sent
	kind  uint16   // type of the receiver
	msg   []uint64 // message
}

// InitialEvents copies the pending events before the first one runs.
func (c *Checker) InitialEvents() ([]initial, error) {
	pe := c.PE
	var o effects
	var all []initial
	each := uint64(unsafe.Sizeof(initial{})) + uint64(len(c.msg[0]))*8
	if err := pe.Budget.Charge(each * pe.Started); err != nil {
		return nil, fmt.Errorf("ross: Run: copies of %d events of %d bytes each: %w: raise --max-memory", pe.Started, each,
			err)
	}
	for i := uint32(1); i <= pe.Arena.Peak(); i++ {
		if pe.Arena.At(i).Waits() {
			c.addSent(&o, i)
			all = append(all, initial{index: i})
		}
	}
	for i := range all {
		all[i].sent, all[i].kind, all[i].msg = o.sends[i], o.types[i], o.msgs[i]
	}
	return all, nil
}

// CompareAll compares all LPs with their copies after n events were rolled back. It reports
// the first LP that differs.
func (c *Checker) CompareAll(n int) {
	var bad *kernel.LP
	var found []string
	more := 0
	for i := range c.last {
		lp := &c.PE.LPs[i]
		lp.Now = 0
		d := c.differences(lp, &c.last[i])
		switch {
		case len(d) == 0:
		case bad == nil:
			bad, found = lp, d
		default:
			more++
		}
	}
	if bad != nil {
		c.blameAll(bad, n, more, found)
	}
}

// ComparePending compares the pending events with those from before the n events that were
// rolled back.
func (c *Checker) ComparePending(n int, before []initial) {
	pe := c.PE
	pe.Queue.Purge(nil)
	if pe.Queue.Len() != uint64(len(before)) && pe.Err == nil {
		pe.Fail(fmt.Errorf(
			"ross: --synch=4: %d events wait after the rollback, %d did before: this is a bug in the engine: report it with the model",
			pe.Queue.Len(), len(before)))
	}
	for i := range before {
		b := &before[i]
		e := pe.Arena.At(b.index)
		var now effects
		c.addSent(&now, b.index)
		found := c.texts(c.sent.Compare(unsafe.Pointer(&b.sent), unsafe.Pointer(&now.sends[0]), "Pending"))
		if t := pe.Run.Messages[b.kind].To; !t.Hidden && (c.types[t.ID].Message || t.Saving == kernel.SaveByDelta) {
			found = append(found, c.texts(c.msgs[b.kind].Compare(plain.WordsAt(b.msg), event.Payload(e), "Pending.Message"))...)
		}
		if len(found) > 0 {
			c.blameAll(pe.At(e.Dst), n, 0, found)
			return
		}
	}
}

// blameAll ends the run because the rollback of n events left lp, and more LPs besides,
// different.
func (c *Checker) blameAll(lp *kernel.LP, n, more int, found []string) {
	who := fmt.Sprintf("the rollback of all events (%d)", n)
	if more > 0 {
		who += fmt.Sprintf(", which left %d more LPs different,", more)
	}
	c.blame(lp, who, found, "use --synch=6 to find the event that is not undone", "")
}

// LpCopy: copies of LPs between events, which the schedulers that check
// rollback compare.

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
	found = append(found, compareImages(s.blocks, w.images)...)
	for _, f := range t.held {
		in := t.State.Name() + "." + f.Path + "."
		for i := range found {
			if strings.HasPrefix(found[i].Path, in) {
				f.Of(lp.State).Name(lp, &found[i])
			}
		}
	}
	return found
}

// engineDifferences returns the differences in the engine's part of lp.
func (c *Checker) engineDifferences(lp *kernel.LP, s *lpCopy) (found []string) {
	for i, was := range s.streams {
		if now := lp.Stream(i).State(); now != was {
			found = append(found, c.difference(streamName(i), streamText(was, now), streamText(now, was)))
		}
	}
	if now := lp.Core.State(); now != s.core {
		found = append(found, c.difference("the engine's stream", "draw "+fmt.Sprint(s.core.Count),
			"draw "+fmt.Sprint(now.Count)))
	}
	if lp.Suspended() != s.suspended || lp.Code() != s.code {
		found = append(found, c.difference("Suspended()", fmt.Sprintf("%d, %t", s.code, s.suspended),
			fmt.Sprintf("%d, %t", lp.Code(), lp.Suspended())))
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

// difference states what something is and what it was.
func (c *Checker) difference(what, before, after string) string {
	return fmt.Sprintf("%s at %s, it was %s %s", what, after, before, c.When)
}
