// This file owns a PE's channels to the PEs of other ranks: what leaves in messages of
// many events. farin.go has what comes in.

package ross

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/world"
)

// far is a PE's ends of the channels to the PEs of other ranks. A message is
//
//	word 0      round of GVT in which it was sent << 32 | PE that sent it
//	then        anti-messages (farAnti | id) and events, in the order of sending
//
// and an event is
//
//	words 0-4   time, tie-breaker, time of sending, sender, priority, as in event.Event
//	word 5      1 << 32 if there is a lineage | receiver's local index
//	word 6      id by which an anti-message names it, 0 if none ever does
//	lineage     if any: depth up to which it is that of the last one sent there << 32 |
//	            number of tie-breakers that follow; these
//	payload     whole words
//
// so that PHOLD's takes 64 bytes.
//
// The sender hands out the ids, and uses one again when its event has been committed
// or cancelled: no anti-message can name the old event any more then. The receiver
// notes the slot of the last event that came with an id. So an event is found with
// one load, and nothing has to be searched, inserted or deleted.
type far struct {
	box      world.Mailbox
	peers    []*peer // by PE; nil for those of this rank, and until there is something
	perPE    int     // PEs of a rank
	dirty    []uint32
	full     bool // there is enough for one receiver
	turns    int  // since the last flush
	worth    int  // events for one PE that are worth a message
	since    int  // events handled since the last look at the mailbox
	every    int  // events between looks
	tests    int  // turns since the last look at GVT
	patience int  // turns to the next
	pack     []uint64

	round   uint32   // of GVT: how many first cuts the PE has passed
	balance [2]int64 // messages sent less those received, by the parity of their rounds
	behind  bool     // another rank has begun the next round
	take    func(rank int, words []uint64)
	waiting [][]uint64 // messages that found no memory

	sent, came uint64 // events and anti-messages
	err        error  // the other ranks cannot be reached
}

// peer is a PE of another rank.
type peer struct {
	id        uint32
	rank, box int
	unsent    []outgoing
	antiMin   gvt.Bound // of anti-messages that have not left
	ids       []uint32  // that can be used again
	top       uint32    // ids 1 to top are in use, or in ids
	lastSent  uint32    // lineage
	slots     []uint32  // by id: where what came from there is
	lastCame  uint32    // lineage
}

const (
	farAnti    = 1 << 63
	farLineage = 1 << 32
	headWords  = event.Size / 8

	// A message through MPI costs both sides about a microsecond, whether it has one event
	// or a hundred; one through memory that ranks of a machine share, some cache misses.
	// But what comes late is rolled back for.
	farWorth  = 32   // events that are worth a message through MPI
	nearWorth = 16   // and through memory
	farLook   = 128  // events between looks at what comes through MPI
	idleTest  = 16   // turns of a PE that polls for events, between looks at a round of GVT
	leastTest = 4    // and of one that has events, at first
	mostTest  = 16   // and at most
	farWindow = 4096 // events that may be uncommitted
	packWords = 2048 // of a message, unless a single event is longer
)

// newFar connects a PE.
func (pe *PE) newFar(box world.Mailbox) {
	s := pe.sim
	f := &far{box: box, peers: make([]*peer, s.layout.NumPEs()), perPE: s.cfg.PEs, worth: farWorth, every: farLook, pack: make([]uint64, 0, packWords)}
	if box.Near() {
		f.worth, f.every = nearWorth, 0
	}
	if s.cfg.farWorth != 0 {
		f.worth = s.cfg.farWorth
	}
	f.take = pe.takeMessage
	pe.far = f
}

func (f *far) peer(id uint32) *peer {
	p := f.peers[id]
	if p == nil {
		p = &peer{id: id, rank: int(id) / f.perPE, box: int(id) % f.perPE, antiMin: gvt.Max}
		f.peers[id] = p
	}
	return p
}

// newID returns an id for an event that may be cancelled.
func (p *peer) newID() uint32 {
	if n := len(p.ids); n > 0 {
		id := p.ids[n-1]
		p.ids = p.ids[:n-1]
		return id
	}
	p.top++
	return p.top
}

// emitFar is emit for a PE of another rank.
func (pe *PE) emitFar(o outgoing, bound *event.Event, p *peer) {
	f := pe.far
	if len(p.unsent) == 0 {
		f.dirty = append(f.dirty, p.id)
	}
	p.unsent = append(p.unsent, o)
	if len(p.unsent) >= f.worth {
		f.full = true
	}
	if pe.red {
		pe.reddenNew(o, bound, p.id)
	}
}

// due reports whether it is time for a flush, after a turn of n events.
func (f *far) due(n int) bool {
	f.turns++
	return f.full || n == 0 || f.turns >= f.worth
}

// flushFar sends what is unsent, as far as the receivers can take it: all of it, or
// what is worth a message.
func (pe *PE) flushFar(all bool) {
	begin := pe.ch.flushes.Start()
	defer func() { pe.ch.flushes.Add(begin, sampleRings) }()
	f := pe.far
	if all = all || f.turns >= f.worth; all {
		f.turns = 0
	}
	f.full = false
	kept := f.dirty[:0]
	for _, id := range f.dirty {
		p := f.peers[id]
		for len(p.unsent) > 0 && (all || len(p.unsent) >= f.worth) && f.box.Room(p.rank, p.box) {
			if !pe.sendTo(p) {
				break
			}
		}
		if len(p.unsent) > 0 {
			kept = append(kept, id)
		} else if !p.antiMin.IsMax() {
			pe.setAntiMin(&p.antiMin, gvt.Max)
		}
	}
	f.dirty = kept
}

// sendTo sends a message with the first of what is unsent for a PE.
func (pe *PE) sendTo(p *peer) bool {
	f := pe.far
	f.pack = append(f.pack[:0], uint64(f.round)<<32|uint64(pe.id))
	n := 0
	for _, o := range p.unsent {
		was := len(f.pack)
		switch {
		case o.here == 0 && o.there == 0: // cancelled
		case o.here == 0:
			f.pack = append(f.pack, farAnti|uint64(o.there))
		default:
			pe.packEvent(p, o)
		}
		if len(f.pack) > packWords && was > 1 {
			f.pack = f.pack[:was]
			break
		}
		n++
		if len(f.pack) > was {
			f.sent++
		}
		if o.here == 0 {
			continue
		}
		e := pe.arena.At(o.here)
		if e.Lineage != 0 {
			pe.arena.Lines.Keep(e.Lineage)
			pe.arena.Lines.Drop(p.lastSent)
			p.lastSent = e.Lineage
		}
		pe.arena.Free(e, o.here)
	}
	if n < len(p.unsent) {
		p.unsent = p.unsent[n:] // not copied: a burst may leave many
	} else {
		p.unsent = p.unsent[:0]
	}
	if len(f.pack) == 1 {
		return true // all were cancelled
	}
	if !f.box.Post(p.rank, p.box, f.pack) {
		_, f.err = f.box.Poll(f.take) // it says why
		return false
	}
	f.balance[f.round&1]++
	return true
}

// packEvent appends an event to the message.
func (pe *PE) packEvent(p *peer, o outgoing) {
	f := pe.far
	e := pe.arena.At(o.here)
	n := len(f.pack)
	f.pack = append(f.pack, pe.arena.Words(o.here, headWords)...)
	f.pack[n+5] = uint64(e.Dst)
	f.pack[n+6] = uint64(o.there)
	if e.Lineage != 0 {
		f.pack[n+5] |= farLineage
		lines := pe.arena.Lines
		same := lines.Common(e.Lineage, p.lastSent)
		at := len(f.pack)
		f.pack = lines.AppendBits(append(f.pack, 0), e.Lineage, same)
		f.pack[at] = uint64(same)<<32 | uint64(len(f.pack)-at-1)
	}
	f.pack = append(f.pack, event.PayloadWords(e, int(e.Bits))...)
}

// reddenFar takes all that is unsent into the bound of this round, and counts the
// messages from now on to the next.
func (pe *PE) reddenFar() {
	f := pe.far
	for _, id := range f.dirty {
		p := f.peers[id]
		pe.reddenUnsent(p.unsent, id)
		if !p.antiMin.IsMax() {
			pe.redden(p.antiMin, true)
		}
	}
	f.round++
}

// turnFar sends what is due after a turn of n events. It reports whether the other
// ranks cannot be reached any more.
func (pe *PE) turnFar(n int) (over bool) {
	f := pe.far
	f.since += n
	if f.err == nil && len(f.dirty) > 0 && f.due(n) {
		pe.flushFar(n == 0)
	}
	return pe.brokenFar(f.err)
}

// brokenFar ends the run of this PE, and all ranks, if there is an error of what
// connects them.
func (pe *PE) brokenFar(err error) bool {
	if err == nil {
		return false
	}
	pe.fail(err)
	pe.sim.breakDown(err)
	pe.over = true
	return true
}

// white returns the messages sent before the first cut of this round less those of
// them that have come.
func (f *far) white() int64 { return f.balance[(f.round-1)&1] }

// jammed is that of channels.
func (f *far) jammed() bool {
	for _, id := range f.dirty {
		if len(f.peers[id].unsent) > mostUnsent {
			return true
		}
	}
	return false
}

// isFar reports whether a PE is in another rank.
func (pe *PE) isFar(id uint32) bool { return id-pe.ch.base >= uint32(len(pe.ch.out)) }

// settled takes note that no anti-message will name an event which went to another PE
// after those that have been sent.
func (pe *PE) settled(to, id uint32) {
	if pe.isFar(to) {
		p := pe.far.peer(to)
		p.ids = append(p.ids, id)
	}
}

// unsent returns what has not left for a PE.
func (pe *PE) unsent(to uint32) []outgoing {
	if pe.isFar(to) {
		return pe.far.peer(to).unsent
	}
	return pe.ch.out[to-pe.ch.base].unsent
}
