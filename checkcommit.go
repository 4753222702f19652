// This file owns what --synch=6 sees of Commit and of messages that are written too late:
// both do in each scheduler something else, because events are committed, and leave for
// other PEs, at other times.

package ross

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/plain"
)

// beforeCommit is how an LP stood before Commit changed its state.
type beforeCommit struct {
	lpCopy
	changed []deep.Difference // by Commit
	bytes   []byte            // of the state itself
}

// keepPending keeps the messages of all events that wait, as Init and PreRun sent them.
func (c *checker) keepPending() {
	arena := c.pe.arena
	for i := uint32(1); i <= arena.Peak(); i++ {
		if e := arena.At(i); e.State == event.Pending {
			c.keep(e)
		}
	}
}

// keepSends keeps the messages that the event of lp has sent.
func (c *checker) keepSends(lp *LP) {
	h := &lp.kp.hist
	for end := h.head; end > h.last+groupWords; {
		tag, what := h.buf[end-1]>>tagShift, payloadOf(h.buf[end-1])
		if tag == tagChild {
			c.keep(c.pe.arena.At(uint32(what)))
		}
		end -= 1 + wordsOf(tag, what)
	}
}

func (c *checker) keep(e *event.Event) {
	if t := c.pe.at(e.Dst).typ; t != analysisType { // whose events have no message
		c.pe.arena.Keep(e, t.msgSize)
	}
}

// isAsSent reports whether the message of an event of lp, which comes next, is what its
// sender had written when its handler returned.
func (c *checker) isAsSent(lp *LP, e *event.Event) bool {
	c.when = "when that returned"
	found := c.texts(c.types[lp.typ.id].msgCopier.Compare(c.pe.arena.Sent(e), event.Payload(e), "Message"))
	if len(found) > 0 {
		who := fmt.Sprintf("a pointer from NewEvent, kept after the handler at time %g had sent LP %d an event for time %g,", e.SendTime, lp.id, e.Time)
		c.blame(c.pe.sim.LP(LPID(e.Src)), who, found, "fill the message before the handler returns, and keep no pointer to it: it may have left for another PE")
	}
	return len(found) == 0
}

// noteCommit looks at what Commit has done to the state of lp, which last says how it was.
// bytes are those of the state.
func (c *checker) noteCommit(lp *LP, last *lpCopy, bytes []byte) {
	if last.taken && c.types[lp.typ.id].save == nil {
		if changed := c.stateDifferences(lp, last); len(changed) > 0 {
			c.before[uint32(lp.local())] = &beforeCommit{*last, changed, slices.Clone(bytes)}
			*last = lpCopy{}
		}
		return
	}
	c.drop(lp, last)
}

// withoutCommit handles an event of lp again as if the event before it had not been
// committed, and reports whether it did the same as first. The state is as that Commit left
// it, before and after.
func (c *checker) withoutCommit(lp *LP, e *event.Event, i uint32, first *effects) bool {
	b := c.before[e.Dst]
	delete(c.before, e.Dst)
	if b == nil {
		return true
	}
	changed := c.bytesChanged(lp, b)
	c.putBack(lp, &b.lpCopy)
	if !c.run(lp, i) {
		return false
	}
	did := c.effects(lp)
	c.apply(&did)
	c.when = "with it"
	found := c.compareOutcomes(first, &did)
	found = append(found, c.engineDifferences(lp, &c.after)...)
	found = append(found, c.texts(c.types[lp.typ.id].msgCopier.Compare(plain.WordsAt(c.msg[1]), event.Payload(e), "Message"))...)
	found = append(found, c.compareChanges(lp, b.changed, c.stateDifferences(lp, &c.after))...)
	if c.savesAny(lp, changed) {
		found = append(found, "a value noted by Save that Commit changes, which a rollback would take back")
	}
	c.unapply(&did)
	c.rollBack(lp)
	c.putBack(lp, &c.last[e.Dst])
	if len(found) > 0 {
		c.blame(lp, "Event, called without what Commit of the event before "+c.nameEvent(e)+" changed,", found,
			"let Commit write to nothing that Event or Reverse uses: each scheduler calls it at another time")
	}
	return len(found) == 0
}

// compareChanges tells where the states after an event of lp, with and without a Commit before
// it, differ otherwise than the states before it. Two kinds of fields may be written by both
// in a type that Reverse undoes: numbers to which both add, and what grows, where Commit drops what
// Event has put there, such as what Reverse would have needed.
func (c *checker) compareChanges(lp *LP, commit, left []deep.Difference) (found []string) {
	if len(commit) >= deep.MaxDifferences {
		return nil // there are more, which nobody knows
	}
	shared := lp.typ.saving == SaveByReverse
	ours, grows := map[string]deep.Difference{}, map[string]bool{}
	for _, d := range commit {
		ours[d.Path] = deep.Difference{Path: d.Path, Before: d.After, After: d.Before} // with and without, as in left
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
			found = append(found, d.Path+" changed, which Commit changes, too")
		}
	}
	return found
}

// fieldOf returns the field of a state that a path begins with.
func fieldOf(path string) string {
	if i := strings.IndexByte(path, '.'); i >= 0 { // behind the name of the type
		if n := strings.IndexAny(path[i+1:], ".["); n >= 0 {
			return path[:i+1+n]
		}
	}
	return path
}

// hasLength reports whether what differs is a slice, a map, or something that a pointer leads to.
func hasLength(d deep.Difference) bool {
	for _, text := range []string{d.Before, d.After} {
		if strings.HasPrefix(text, "len ") || text == "absent" || text == "nil" {
			return true
		}
	}
	return strings.ContainsRune(d.Path, '[')
}

// sameStep reports whether two differences are between numbers that are equally far apart.
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

// bytesChanged returns where in the state of lp Commit has changed bytes: first and last.
func (c *checker) bytesChanged(lp *LP, b *beforeCommit) (at []uintptr) {
	for i, was := range b.bytes {
		if *(*byte)(unsafe.Add(lp.state, i)) != was {
			at = append(at, uintptr(lp.state)+uintptr(i))
		}
	}
	return at
}

// savesAny reports whether the event that has run called Save for any of these bytes.
func (c *checker) savesAny(lp *LP, bytes []uintptr) bool {
	h := &lp.kp.hist
	for end := h.head; end > h.last+groupWords; {
		tag, what := h.buf[end-1]>>tagShift, payloadOf(h.buf[end-1])
		if tag == tagSave {
			from := uintptr(h.buf[end-2])
			if slices.ContainsFunc(bytes, func(p uintptr) bool { return p-from < uintptr(what) }) {
				return true
			}
		}
		end -= 1 + wordsOf(tag, what)
	}
	return false
}

// putBack makes the state of lp what it was, and memory of Alloc that it leads to. Where
// that memory is stays as it is: only events take and give back memory.
func (c *checker) putBack(lp *LP, s *lpCopy) {
	t := &c.types[lp.typ.id]
	keepBlocks(lp.state, t.blocks, func() { t.copier.Restore(s.state, lp.state) })
	for i := range s.blocks {
		m := &s.blocks[i]
		for j := range m.n {
			to := unsafe.Add(m.live, uintptr(j)*m.field.elem.size)
			keepBlocks(to, m.field.elem.fields, func() { plain.CopyBytes(to, m.value(j), m.field.elem.size) })
		}
	}
}

// keepBlocks calls a function that writes to a value, and puts the Blocks in it back.
func keepBlocks(p unsafe.Pointer, fields []blockField, write func()) {
	were := make([]Block[byte], len(fields))
	for i, f := range fields {
		were[i] = *(*Block[byte])(unsafe.Add(p, f.off))
	}
	write()
	for i, f := range fields {
		*(*Block[byte])(unsafe.Add(p, f.off)) = were[i]
	}
}
