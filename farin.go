// This file owns what comes in from PEs of other ranks.

package ross

import (
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
)

// lookFar takes in what has come, in each turn of the loop. What comes through MPI it looks
// at seldom enough that this costs little, and always if the PE has nothing else to do.
func (pe *PE) lookFar(idle bool) bool {
	f := pe.far
	begin := pe.ch.drains.Start()
	came := false
	if !idle && f.since < f.every {
		came = f.box.PollNear(f.take)
	} else {
		f.since = 0
		came = pe.drainFar()
	}
	pe.ch.drains.Add(begin, sampleRings)
	return came
}

// testFar reports whether it is time to look how GVT is getting on, in a round of it: less
// and less often, since each time is a call of MPI, and another rank may be far from
// joining the round.
func (pe *PE) testFar(done int) bool {
	f, due := pe.far, 1
	switch {
	case done > 0:
		due = f.patience
	case pe.idled < pe.team.spin:
		due = idleTest
	}
	if f.tests++; f.tests < due {
		return false
	}
	f.tests = 0
	f.patience = min(2*f.patience, mostTest)
	return true
}

// drainFar takes in what waits in the mailbox. It runs between events only.
func (pe *PE) drainFar() (any bool) {
	f := pe.far
	if len(f.waiting) > 0 {
		any = pe.retryFar()
	}
	came, err := f.box.Poll(f.take)
	if err != nil && f.err == nil {
		f.err = err
	}
	if f.behind {
		f.behind = false
		if pe.team.group.Round() < uint64(f.round)+1 {
			pe.startGVT()
		}
	}
	return any || came
}

// retryFar takes in what had found no memory.
func (pe *PE) retryFar() bool {
	f := pe.far
	old := f.waiting
	f.waiting = nil
	for i, words := range old {
		if rest := pe.takeWords(words); len(rest) > 1 {
			f.waiting = append([][]uint64{rest}, old[i+1:]...)
			return i > 0 || len(rest) < len(words)
		}
	}
	return true
}

// takeMessage takes a message in, or what there is memory for. The rest waits, with
// all that comes after it, and counts for GVT as if it were here.
func (pe *PE) takeMessage(_ int, words []uint64) {
	f := pe.far
	round := uint32(words[0] >> 32)
	f.balance[round&1]--
	if int32(round-f.round) > 0 {
		f.behind = true
	}
	if len(f.waiting) == 0 {
		words = pe.takeWords(words)
	}
	if len(words) > 1 {
		f.waiting = append(f.waiting, slices.Clone(words))
	}
}

// takeWords takes in the events and anti-messages of a message. It returns what found
// no memory, behind a first word as that of a message.
func (pe *PE) takeWords(words []uint64) (rest []uint64) {
	f := pe.far
	p := f.peer(uint32(words[0]))
	at := 1
	for at < len(words) {
		if w := words[at]; w&farAnti != 0 {
			pe.cancel(p.slots[w&^farAnti])
			at++
			f.came++
			continue
		}
		n := pe.takeEvent(p, words[at:])
		if n == 0 {
			pe.lackFar()
			break
		}
		at += n
		f.came++
		pe.ch.gave--
	}
	if at == len(words) {
		return nil
	}
	words[at-1] = words[0]
	return words[at-1:]
}

// lackFar is called when there is no memory for an event of another rank: everybody
// undoes what is not committed.
func (pe *PE) lackFar() {
	pe.pace.urgent, pe.short = true, true
	pe.starved = true
	if pe.tightRounds >= tightRounds && pe.err == nil {
		pe.fail(fmt.Errorf("ross: PE %d: an event from another rank: %w: raise --max-memory, or have fewer events pending", pe.id, pe.lack))
	}
}

// takeEvent takes in the event at the begin of words, and returns how many words it
// has, 0 if there is no memory for it.
func (pe *PE) takeEvent(p *peer, words []uint64) int {
	dst, id := uint32(words[5]), uint32(words[6])
	e, i := pe.arena.Reuse()
	if i == 0 {
		var err error
		if e, i, err = pe.arena.Alloc(); err != nil {
			pe.lack = err
			return 0
		}
	}
	typ := pe.typeAt(dst)
	n := headWords
	node, ok := uint32(0), true
	if words[5]&farLineage != 0 {
		ties := int(uint32(words[n]))
		node, ok = pe.takeLineage(p, uint32(words[n]>>32), words[n+1:n+1+ties])
		n += 1 + ties
	}
	copy(pe.arena.Words(i, headWords), words[:headWords])
	e.Dst, e.Lineage, e.Bits, e.Type, e.State, e.Class = dst, 0, 0, typ.id, event.Pending, 0
	if ok && typ.msgSize > pe.arena.Inline() {
		if err := pe.arena.AllocBlock(e, typ.msgSize); err != nil {
			pe.lack, ok = err, false
			pe.arena.Lines.Drop(node)
		}
	}
	if !ok {
		pe.arena.Free(e, i)
		return 0
	}
	if e.Lineage = node; node != 0 {
		pe.arena.Lines.Keep(node)
		pe.arena.Lines.Drop(p.lastCame)
		p.lastCame = node
	}
	n += copy(event.PayloadWords(e, int(typ.msgSize)), words[n:])
	if id != 0 {
		for int(id) >= len(p.slots) {
			p.slots = append(p.slots, 0)
		}
		p.slots[id] = i
	}
	pe.countRead(dst)
	k := event.KeyOf(e, i)
	if pe.mode == optimistic {
		pe.accept(k)
	} else {
		pe.acceptAhead(k)
	}
	return n
}

// typeAt returns the type of the LP with a local index.
func (pe *PE) typeAt(i uint32) *lpType {
	if pe.typeOf == nil {
		return pe.sim.types[0]
	}
	return pe.sim.types[pe.typeOf[i]]
}

// takeLineage makes a lineage that begins as the last one from there. The caller owns
// it.
func (pe *PE) takeLineage(p *peer, same uint32, ties []uint64) (uint32, bool) {
	lines := pe.arena.Lines
	if invariants.Enabled {
		invariants.Check(same <= lines.Depth(p.lastCame), "PE %d: lineage from PE %d begins with %d tie-breakers of one of %d", pe.id, p.id, same, lines.Depth(p.lastCame))
	}
	node := lines.Ancestor(p.lastCame, same)
	lines.Keep(node)
	for _, tie := range ties {
		child, err := lines.Extend(node, math.Float64frombits(tie))
		lines.Drop(node) // its child holds it
		if err != nil {
			pe.lack = err
			return 0, false
		}
		node = child
	}
	return node, true
}

// reddenWaiting takes into the bound of this round what has come and found no memory.
func (pe *PE) reddenWaiting() {
	type name struct {
		p  *peer
		id uint32
	}
	wait := map[name]bool{}
	for _, words := range pe.far.waiting {
		p := pe.far.peer(uint32(words[0]))
		for at := 1; at < len(words); {
			if w := words[at]; w&farAnti != 0 {
				at++
				if id := uint32(w); !wait[name{p, id}] { // what it cancels is here
					pe.redden(pe.boundAt(pe.arena.At(p.slots[id])), true)
				}
				continue
			}
			e := event.Event{Time: math.Float64frombits(words[at]), Tie: math.Float64frombits(words[at+1]), SendTime: math.Float64frombits(words[at+2]),
				Src: words[at+3], Prio: math.Float64frombits(words[at+4]), Dst: uint32(words[at+5])}
			wait[name{p, uint32(words[at+6])}] = true
			at += pe.wordsOf(words[at:])
			b := pe.boundAt(&e) // without its lineage, which is before it
			if b.Compare(&pe.bound, pe.arena.Lines) < 0 {
				b = pe.bound
			}
			pe.redden(b, true)
		}
	}
}

// wordsOf returns how many words the event at the begin of words has.
func (pe *PE) wordsOf(words []uint64) int {
	n := headWords
	if words[5]&farLineage != 0 {
		n += 1 + int(uint32(words[n]))
	}
	return n + int(pe.typeAt(uint32(words[5])).msgSize+7)/8
}
