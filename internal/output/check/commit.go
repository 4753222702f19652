// This file owns the checks of --synch=6 of Commit, of messages that are written too late, and of handlers
// that read statistics. The first two have different effects in each scheduler, because events are
// committed, and leave for other PEs, at different times.

package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/sys/plain"
)

// beforeCommit is the copy of an LP from before a Commit that changed its state.
type beforeCommit struct {
	lpCopy
	changed []deep.Difference // by Commit
	bytes   []byte            // of the state itself
}

// keepPending keeps the messages of all pending events, as Init and PreRun sent them.
func (c *Checker) keepPending() {
	arena := c.PE.Arena
	for i := uint32(1); i <= arena.Peak(); i++ {
		if e := arena.At(i); e.Waits() {
			c.keep(e)
		}
	}
}

// keepSends keeps the messages that the event of lp has sent.
func (c *Checker) keepSends(lp *kernel.LP) {
	for r := lp.KP.History.Newest(); r.Next(); {
		if r.Tag == kernel.TagChild {
			c.keep(c.PE.Arena.At(uint32(r.What)))
		}
	}
}

// keep keeps the message of an event.
func (c *Checker) keep(e *event.Event) {
	if m := c.PE.MessageOf(e); !m.To.Hidden { // events of hidden types have no message
		if err := c.PE.Arena.Keep(e, m.Size); err != nil {
			c.PE.At(e.Dst).GiveUp(err)
		}
	}
}

// isAsSent reports whether the message of the next event, for lp, is the one that its
// sender had written when the sending handler returned.
func (c *Checker) isAsSent(lp *kernel.LP, e *event.Event) bool {
	c.When = "when the handler returned"
	found := c.texts(c.msgs[e.Type].Compare(c.PE.Arena.Sent(e), event.Payload(e), "Message"))
	if len(found) > 0 {
		sender := c.PE.Run.LP(e.Src)
		who := fmt.Sprintf("a pointer from NewEvent, kept after the handler at time %g had sent %s an event for time %g,",
			e.SendTime, sender.NameFor(lp.ID), e.Time)
		c.blame(sender, who, found,
			"fill the message before the handler returns, and keep no pointer to it: it may have left for another PE", "")
	}
	return len(found) == 0
}

// noteCommit records what Commit has changed in the state of lp. last is the copy of lp,
// and bytes are those of its state, from before Commit.
func (c *Checker) noteCommit(lp *kernel.LP, last *lpCopy, bytes []byte) {
	if last.taken && c.types[lp.Type().ID].Save == nil {
		if changed := c.stateDifferences(lp, last); len(changed) > 0 {
			c.before[uint32(lp.Local())] = &beforeCommit{*last, changed, slices.Clone(bytes)}
			*last = lpCopy{}
		}
		return
	}
	c.drop(lp, last)
}

// withoutCommit handles an event of lp again as if the event before it had not been
// committed, and reports whether it had the same effects as first. Before and after that,
// the state is as Commit left it.
func (c *Checker) withoutCommit(lp *kernel.LP, e *event.Event, i uint32, first *effects) bool {
	b := c.before[e.Dst]
	delete(c.before, e.Dst)
	if b == nil {
		return true
	}
	changed := c.bytesChanged(lp, b)
	c.putBack(lp, &b.lpCopy)
	did, found, ok := c.again(lp, e, i, first, "with Commit")
	if !ok {
		return false
	}
	found = append(found, c.engineDifferences(lp, &c.after)...)
	found = append(found, c.compareChanges(lp, b.changed, c.stateDifferences(lp, &c.after))...)
	if c.savesAny(lp, changed) {
		found = append(found, "a value recorded by Save that Commit changes and a rollback would restore")
	}
	c.unapply(lp, &did)
	c.rollBack(lp)
	c.putBack(lp, &c.last[e.Dst])
	if len(found) > 0 {
		c.blame(lp, "Event, called as if Commit had not run for the event before "+c.nameEvent(lp, e)+",", found,
			"let Commit write to nothing that Event or Reverse uses: each scheduler calls it at a different time", "")
	}
	return len(found) == 0
}

// compareChanges compares the states after an event of lp, with and without a Commit before
// it: they must differ exactly as the states before the event do. In a type with Reverse,
// both Event and Commit may write to two kinds of fields: numbers to which both add, and
// what grows, where Commit drops what Event has put there, such as data that Reverse would
// have needed.
func (c *Checker) compareChanges(lp *kernel.LP, commit, left []deep.Difference) (found []string) {
	if len(commit) >= deep.MaxDifferences {
		return nil // there are more, which are unknown
	}
	shared := lp.Type().Saving == kernel.SaveByReverse
	ours, grows := map[string]deep.Difference{}, map[string]bool{}
	for _, d := range commit {
		// With Commit first, then without, as in left.
		ours[d.Path] = deep.Difference{Path: d.Path, Before: d.After, After: d.Before}
		if shared && hasLength(d) {
			grows[fieldOf(d.Path)] = true
		}
	}
	for _, d := range left {
		was, ok := ours[d.Path]
		delete(ours, d.Path)
		if ok && was == d || ok && shared && sameStep(was, d) || grows[fieldOf(d.Path)] {
			continue
		}
		found = append(found, c.difference(d.Path, d.Before, d.After))
	}
	for _, d := range commit {
		if _, ok := ours[d.Path]; ok && !grows[fieldOf(d.Path)] {
			found = append(found, d.Path+" changed, which Commit also changes")
		}
	}
	return found
}

// fieldOf returns the part of a path that names a field of the state.
func fieldOf(path string) string {
	if i := strings.IndexByte(path, '.'); i >= 0 { // after the name of the type
		if n := strings.IndexAny(path[i+1:], ".["); n >= 0 {
			return path[:i+1+n]
		}
	}
	return path
}

// hasLength reports whether a difference is in a slice, a map, or something that a pointer
// leads to.
func hasLength(d deep.Difference) bool {
	for _, text := range []string{d.Before, d.After} {
		if strings.HasPrefix(text, "len ") || text == "absent" || text == "nil" {
			return true
		}
	}
	return strings.ContainsRune(d.Path, '[')
}

// sameStep reports whether both differences are between numbers that are equally far apart.
func sameStep(a, b deep.Difference) bool {
	if w, err := strconv.ParseInt(a.Before, 10, 64); err == nil {
		var n [3]int64
		for i, text := range []string{a.After, b.Before, b.After} {
			if n[i], err = strconv.ParseInt(text, 10, 64); err != nil {
				return false
			}
		}
		return w-n[0] == n[1]-n[2]
	}
	var n [4]float64
	for i, text := range []string{a.Before, a.After, b.Before, b.After} {
		var err error
		if n[i], err = strconv.ParseFloat(text, 64); err != nil {
			return false
		}
	}
	one, other := n[0]-n[1], n[2]-n[3]
	return math.Abs(one-other) <= 1e-9*max(math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2]), math.Abs(n[3]))
}

// bytesChanged returns the addresses of the bytes that Commit has changed in the state of
// lp.
func (c *Checker) bytesChanged(lp *kernel.LP, b *beforeCommit) (at []uintptr) {
	for i, was := range b.bytes {
		if *(*byte)(unsafe.Add(lp.State, i)) != was {
			at = append(at, uintptr(lp.State)+uintptr(i))
		}
	}
	return at
}

// savesAny reports whether the event that has run called Save for any of these bytes.
func (c *Checker) savesAny(lp *kernel.LP, bytes []uintptr) bool {
	for r := lp.KP.History.Newest(); r.Next(); {
		if r.Tag != kernel.TagSave {
			continue
		}
		from := uintptr(r.Address())
		if slices.ContainsFunc(bytes, func(p uintptr) bool { return p-from < uintptr(r.What) }) {
			return true
		}
	}
	return false
}

// putBack restores the state of lp and the contents of the blocks that it leads to. Their
// addresses stay as they are, because only events allocate and free blocks.
func (c *Checker) putBack(lp *kernel.LP, s *lpCopy) {
	t := &c.types[lp.Type().ID]
	keepBlocks(lp.State, t.blocks, func() { t.copier.Restore(s.state, lp.State) })
	for i := range s.blocks {
		m := &s.blocks[i]
		for j := range m.n {
			to := unsafe.Add(m.live, uintptr(j)*m.field.elem.size)
			keepBlocks(to, m.field.elem.fields, func() { plain.CopyBytes(to, m.value(j), m.field.elem.size) })
		}
	}
}

// keepBlocks calls write, which writes to the value at p, and restores the Blocks in the
// value.
func keepBlocks(p unsafe.Pointer, fields []blockField, write func()) {
	were := make([]kernel.Block, len(fields))
	for i, f := range fields {
		were[i] = *(*kernel.Block)(unsafe.Add(p, f.off))
	}
	write()
	for i, f := range fields {
		*(*kernel.Block)(unsafe.Add(p, f.off)) = were[i]
	}
}

// The copies of messages with which the check compares them.

// copierOf returns what compares messages, or nil if the model does not know of them. The number
// of a timer, behind the message, depends on nothing but the LP, and is not compared.
func copierOf(m *kernel.Message) *deep.Copier {
	if m.To.Hidden {
		return nil
	}
	return deep.NewCopier(m.Go)
}

// How --synch=6 finds handlers that read statistics. These have what is committed, and
// when that is depends on the scheduler.

// unseen calls f, which calls a handler of lp, while the statistics of lp are hidden. It reports whether
// the handler has read none of them. An event of an analysis LP calls Point of the LPs of its KP.
func (c *Checker) unseen(lp *kernel.LP, handler string, f func()) (ok bool) {
	c.unread = c.unread[:0]
	if !lp.Type().Hidden {
		c.hide(lp)
	} else {
		handler = "Point"
		for i := range c.PE.LPs {
			if of := &c.PE.LPs[i]; of.KP == lp.KP && of.Type().SamplePoint != nil {
				c.hide(of)
			}
		}
	}
	defer func() { // after a panic as well
		ok = true
		for _, of := range slices.Backward(c.unread) {
			if field := c.hidden.Show(of.State, of.Type().Figures); field != nil {
				c.blameRead(of, lp.Now, handler, field.Path)
				ok = false
			}
		}
	}()
	f()
	return ok
}

// hide hides the statistics of lp.
func (c *Checker) hide(lp *kernel.LP) {
	if fields := lp.Type().Figures; len(fields) > 0 {
		c.hidden.Hide(lp.State, fields)
		c.unread = append(c.unread, lp)
	}
}

// blameRead ends the run because a handler of lp has read the statistic at a path of the state, at a
// virtual time.
func (c *Checker) blameRead(lp *kernel.LP, time float64, handler, path string) {
	pe := c.PE
	running, now := pe.Running, lp.Now
	pe.Running, lp.Now = nil, time // the error does not wait for the event to be committed
	lp.Blame(kernel.ErrReverse,
		"keep what it needs in another field of the state; Commit, Final and the program after Run may read statistics",
		"%s read %s.%s, a statistic, which has nothing of what is not committed yet", handler,
		c.types[lp.Type().ID].State.Name(), path)
	pe.Running, lp.Now = running, now
}
