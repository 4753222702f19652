// This file owns receiving from PEs of other ranks.

package timewarp

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// PollRemote takes in what has come, in each turn of the loop, and reports whether there was
// anything. It polls MPI rarely enough to cost little, but always if the PE is idle.
func (pe *PE) PollRemote(idle bool) bool {
	r := pe.Remote
	begin := pe.Channels.Drains.Start()
	came := false
	if !idle && r.since < r.every {
		came = r.Box.PollNear(r.take)
	} else {
		r.since = 0
		came = pe.DrainRemote()
	}
	pe.Channels.Drains.Add(begin, sampleRings)
	return came
}

// TestRemote reports whether it is time, in a round of GVT, to check its progress. Checks
// become rarer, since each is a call of MPI and another rank may be far from joining the
// round.
func (pe *PE) TestRemote(done int) bool {
	r, due := pe.Remote, 1
	switch {
	case done > 0 && pe.Crowded && !pe.Member.Busy() && pe.Since < min(joinEvents, pe.Interval):
		return false // the others sleep, and would have to wake for each bit of what it does
	case done > 0:
		due = r.Patience
	case pe.Idled < pe.Spin:
		due = idleTest
	}
	if r.tests++; r.tests < due {
		return false
	}
	r.tests = 0
	r.Patience = min(2*r.Patience, mostTest)
	return true
}

// DrainRemote takes in what waits in the mailbox, and reports whether there was anything. It
// runs only between events.
func (pe *PE) DrainRemote() (any bool) {
	r := pe.Remote
	if len(r.Waiting) > 0 {
		any = pe.retryRemote()
	}
	came, err := r.Box.Poll(r.take)
	if err != nil && r.err == nil {
		r.err = err
	}
	if r.behind {
		r.behind = false
		if pe.Team.group.Round() < uint64(r.round)+1 {
			pe.StartGVT()
		}
	}
	return any || came
}

// retryRemote takes in messages that had found no memory. It reports whether it took in
// anything.
func (pe *PE) retryRemote() bool {
	r := pe.Remote
	old := r.Waiting
	r.Waiting = nil
	for i, words := range old {
		if rest := pe.takeWords(words); len(rest) > 1 {
			r.Waiting = append([][]uint64{rest}, old[i+1:]...)
			return i > 0 || len(rest) < len(words)
		}
	}
	return true
}

// takeMessage takes in a message, or as much as there is memory for. The rest waits, with everything
// that comes after it, and counts for GVT as if it were here.
func (pe *PE) takeMessage(_ int, words []uint64) {
	r := pe.Remote
	round := wireRound(words[0])
	r.balance[round&1]--
	if int32(round-r.round) > 0 {
		r.behind = true
	}
	if len(r.Waiting) == 0 {
		words = pe.takeWords(words)
	}
	if len(words) > 1 {
		r.Waiting = append(r.Waiting, slices.Clone(words))
	}
}

// takeWords takes in the events and anti-messages of a message. It returns those that found
// no memory, after a first word like that of a message.
func (pe *PE) takeWords(words []uint64) (rest []uint64) {
	r := pe.Remote
	p := r.peer(wireFrom(words[0]))
	at := 1
	for at < len(words) {
		if id, ok := entry(words[at:]).anti(); ok {
			if at, sent := pe.arrived(p, id); at>>relayed != 0 {
				pe.relayAnti(at, sent)
			} else {
				pe.cancel(uint32(at))
			}
			at++
			r.Came++
			continue
		}
		n := pe.takeEvent(p, words[at:])
		if n == 0 {
			pe.lackRemote()
			break
		}
		at += n
		r.Came++
		pe.Channels.Balance--
	}
	if at == len(words) {
		return nil
	}
	words[at-1] = words[0]
	return words[at-1:]
}

// lackRemote is called when there is no memory for an event of another rank. All PEs then undo
// what is not committed.
func (pe *PE) lackRemote() {
	pe.Urgent = true
	pe.Needs(NeedUndo)
	if pe.tightRounds >= TightRounds && pe.Err == nil {
		pe.Fail(fmt.Errorf("ross: PE %d: an event from another rank: %w: raise --max-memory, or have fewer events pending",
			pe.ID, pe.Lack))
	}
}

// takeEvent takes in the event at the beginning of words and returns its length in words,
// or 0 if there is no memory for it.
func (pe *PE) takeEvent(p *peer, words entry) int {
	dst, id := words.dst(), words.id()
	e, i := pe.Arena.Reuse()
	if i == 0 {
		var err error
		if e, i, err = pe.Arena.Alloc(); err != nil {
			pe.Lack = err
			return 0
		}
	}
	m := pe.Run.Messages[words.messageType()]
	node, ok := uint32(0), true
	same, ties, n, tied := words.lineage()
	if tied {
		node, ok = pe.takeLineage(p, same, ties)
	}
	copy(pe.Arena.Words(i, headWords), words[:headWords])
	e.Address(dst, m.ID)
	e.Lineage, e.Bits, e.Class = 0, 0, 0
	if ok && m.Size > pe.Arena.Inline() {
		if err := pe.Arena.AllocBlock(e, m.Size); err != nil {
			pe.Lack, ok = err, false
			pe.Arena.Lines.Drop(node)
		}
	}
	if !ok {
		pe.Arena.Free(e, i)
		return 0
	}
	if e.Lineage = node; node != 0 {
		pe.Arena.Lines.Keep(node)
		pe.Arena.Lines.Drop(p.LastCame)
		p.LastCame = node
	}
	n += copy(event.PayloadWords(e, int(m.Size)), words[n:])
	at, gone, sent := uint64(i), false, e.SendTime
	if pe.Run.Away() > 0 {
		at, gone = pe.relayEvent(i, e)
	}
	if id != 0 {
		p.came += uint64(id - uint32(p.came))
		pe.index(p, at, sent)
	}
	if gone {
		return n
	}
	pe.countRead(dst)
	k := event.KeyOf(e, i)
	if pe.Undoes() {
		pe.accept(k)
	} else {
		pe.acceptAhead(k)
	}
	return n
}

// index enters the event that has come last from a peer into the log.
func (pe *PE) index(p *peer, at uint64, sent float64) {
	begin := pe.Counts.Arrivals.Begin()
	pe.Remote.log.Add(p.source, p.came, at, sent)
	pe.Counts.Arrivals.End(begin, meter.SampleDeltas)
}

// arrived returns where the event is that a peer has sent with an id, as the log has it, and when it was sent.
func (pe *PE) arrived(p *peer, id uint32) (at uint64, sent float64) {
	log, full := pe.Remote.log, p.came-uint64(uint32(p.came)-id)
	first := pe.Counts.Finds.Begin()
	at, sent, ok := log.FindNew(p.source, full)
	pe.Counts.Finds.End(first, sampleFinds)
	if !ok {
		begin := time.Now()
		at, sent, ok = log.FindOld(p.source, full)
		pe.Counts.TreeSeconds += meter.Since(begin)
	}
	if !ok {
		panic(fmt.Sprintf("PE %d: PE %d cancels event %d, of which nothing is known", pe.ID, p.id, id))
	}
	return at, sent
}

// sampleFinds is the number of searches for each timed one.
const sampleFinds = 32

// InTrees returns how many of the events in the log of what has come from other ranks are in its trees now.
func (pe *PE) InTrees() uint64 {
	if pe.Remote == nil {
		return 0
	}
	return uint64(pe.Remote.log.InTrees())
}

// CountIndex sets the figures of that log, at the end of a run.
func (pe *PE) CountIndex() {
	r, c := pe.Remote, &pe.Counts
	if r == nil {
		return
	}
	events, inTrees := r.log.Most()
	c.Indexed, c.InTrees = uint64(events), uint64(inTrees)
	c.Searches, c.TreeSearches = c.Finds.N, r.log.TreeSearches()
}

// TreeBytes returns what the trees of that log have taken of the budget, bytes.
func (pe *PE) TreeBytes() uint64 {
	if pe.Remote == nil {
		return 0
	}
	return pe.Remote.log.Charged()
}

// sweepLog drops from the log, if it is full, what GVT has passed. Anti-messages that wait for memory may
// name some of that.
func (pe *PE) sweepLog() {
	if r := pe.Remote; r.log.Due() && len(r.Waiting) == 0 {
		begin := time.Now()
		r.log.Sweep(pe.GVT)
		pe.Counts.SweepSeconds += meter.Since(begin)
	}
}

// takeLineage makes a lineage that has its first same tie-breakers in common with the last
// one from that PE. The caller owns it. The result is false if there is no memory.
func (pe *PE) takeLineage(p *peer, same uint32, ties []uint64) (uint32, bool) {
	lines := pe.Arena.Lines
	if invariants.Enabled {
		invariants.Check(same <= lines.Depth(p.LastCame),
			"PE %d: lineage from PE %d begins with %d tie-breakers of one of %d", pe.ID, p.id, same, lines.Depth(p.LastCame))
	}
	node := lines.Ancestor(p.LastCame, same)
	if len(ties) >= manyTies {
		node, ties = lines.Follow(p.LastSent, node, ties)
	}
	lines.Keep(node)
	for _, tie := range ties {
		child, err := lines.Extend(node, math.Float64frombits(tie))
		lines.Drop(node) // its child holds it
		if err != nil {
			pe.Lack = err
			return 0, false
		}
		node = child
	}
	return node, true
}

// manyTies is the number of tie-breakers from which takeLineage looks for them in the last lineage sent there: a chain
// that goes back and forth comes back with what it had then, and goes there again as a difference to that.
const manyTies = 8

// Release gives back the PE's memory outside the Go heap.
func (pe *PE) Release() {
	if pe.Remote != nil {
		pe.Remote.log.Close()
	}
	pe.PE.Release()
}
