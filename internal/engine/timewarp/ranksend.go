// This file owns sending to PEs of other ranks, in messages of many events. rankreceive.go
// has the receiving side.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/ranks/world"
)

// remote is a PE's ends of the channels to the PEs of other ranks. wire.go has the format of messages.
//
// The sender counts: the id of an event is its number among those for the receiver that an anti-message
// may name, modulo 2^32. The receiver keeps a log of them (package avl), from which an event goes when GVT
// has passed the time at which it was sent: its sender can no longer undo that. So nothing that is
// committed has to be given back to the sender.
type remote struct {
	Box      world.Mailbox         // receives and sends messages
	Sleeper  world.Sleeper         // Box, if the PE can sleep there
	Peers    transport.Table[peer] // by PE; those of this rank, and those not used yet, are not set
	perPE    int                   // number of PEs of a rank
	run      *kernel.Run
	dirty    []uint32 // PEs for which something is unsent
	full     bool     // worth events are unsent for some receiver
	turns    int      // since the last flush
	worth    int      // events for one PE that justify a message
	since    int      // events handled since the last poll of the whole mailbox
	every    int      // events between such polls
	tests    int      // turns since the last check of GVT's progress
	Patience int      // turns between such checks
	pack     []uint64 // the message being written

	round   uint32                         // number of first cuts that the PE has passed
	balance [2]int64                       // messages sent less received, by parity of the round
	behind  bool                           // another rank has begun the next round
	take    func(rank int, words []uint64) // takeMessage
	Waiting [][]uint64                     // messages that found no memory
	log     *avl.Log                       // where the events that have come are
	sources uint32                         // number of peers

	// The least time of what was sent since the last report to GVT, and of what that report covers.
	sentSince, covered float64
	Covers             bool // the last report covers what was sent

	Sent, Came uint64 // number of events and anti-messages
	err        error  // why the other ranks cannot be reached
}

// peer is a PE of another rank.
type peer struct {
	id        uint32
	rank, box int        // where it is: rank, and mailbox there
	base      uint32     // number of the first PE there
	offset    uint32     // of its first LP among those of its process
	unsent    []outgoing // events and anti-messages for it
	antiMin   gvt.Bound  // bound of the unsent anti-messages
	given     uint32     // the last id given to an event for it
	LastSent  uint32     // lineage of the last event with one
	source    uint32     // number of this peer in the log
	came      uint64     // the last id that has come, not modulo 2^32
	LastCame  uint32     // lineage of the last event with one
}

// When messages are sent.
const (
	// A message through MPI costs both sides about a microsecond, whether it has one event
	// or a hundred; one through memory that ranks of a machine share costs some cache
	// misses. But events that arrive late cause rollbacks.
	mpiWorth     = 32   // events that justify a message through MPI
	nearWorth    = 16   // events that justify a message through shared memory
	mpiLook      = 128  // events between polls of MPI
	idleTest     = 16   // turns between checks of a round of GVT, of an idle PE that polls
	LeastTest    = 4    // the same, of a PE that has events, at first
	mostTest     = 16   // the same, at most
	RemoteWindow = 4096 // events that may be uncommitted in a run of several ranks
	// events since the last GVT before which a PE of a crowded machine takes no part in the next round, if it has more
	joinEvents = 512
	packWords  = 2048 // length of a message, unless a single event is longer

	mostFirstRoom = 24 // log2 of the events for which a PE has room in its log at first, at most
)

// newRemote connects a PE to other ranks.
func (pe *PE) newRemote(box world.Mailbox) error {
	set := &pe.Run.Set
	r := &remote{Box: box, Peers: transport.NewTable[peer](pe.Run.NumPEs()), perPE: set.PEs, run: pe.Run, worth: mpiWorth,
		every: mpiLook, pack: make([]uint64, 0, packWords), sentSince: math.Inf(1), covered: math.Inf(1)}
	r.Sleeper, _ = box.(world.Sleeper)
	if box.Near() {
		r.worth, r.every = nearWorth, 0
	}
	if set.RemoteWorth != 0 {
		r.worth = set.RemoteWorth
	}
	r.take = pe.takeMessage
	var err error
	if r.log, err = avl.NewChargedLog(1<<min(set.Tuning.AVLSize, mostFirstRoom), set.Tuning.AVL, pe.Budget); err != nil {
		return err
	}
	pe.Remote = r
	return nil
}

// peer returns the peer with a PE's number. It makes the peer on first use.
func (r *remote) peer(id uint32) *peer {
	p := r.Peers.At(id)
	if p == nil {
		p = &peer{id: id, rank: int(id) / r.perPE, box: int(id) % r.perPE, antiMin: gvt.Max}
		p.base = id - uint32(p.box)
		p.offset = uint32(r.run.Offset(uint64(id)))
		p.source = r.sources
		r.sources++
		r.Peers.Set(id, p)
	}
	return p
}

// newID returns an id for an event that may be cancelled. It is not 0, the id of those that cannot be.
func (p *peer) newID() uint32 {
	p.given++
	if p.given == 0 {
		p.given++
	}
	return p.given
}

// emitRemote is emit for a PE of another rank.
func (pe *PE) emitRemote(o outgoing, bound *event.Event, p *peer) {
	r := pe.Remote
	if len(p.unsent) == 0 {
		r.dirty = append(r.dirty, p.id)
	}
	p.unsent = append(p.unsent, o)
	if len(p.unsent) >= r.worth {
		r.full = true
	}
	if pe.Red {
		pe.reddenNew(o, bound, p.base)
	}
}

// due reports whether a flush is due after a turn of n events.
func (r *remote) due(n int) bool {
	r.turns++
	return r.full || n == 0 || r.turns >= r.worth
}

// flushRemote sends what is unsent and the receivers can take: everything if all is
// set or it has waited long enough, otherwise only where it justifies a message.
func (pe *PE) flushRemote(all bool) {
	begin := pe.Channels.Flushes.Start()
	defer func() { pe.Channels.Flushes.Add(begin, sampleRings) }()
	r := pe.Remote
	if all = all || r.turns >= r.worth; all {
		r.turns = 0
	}
	r.full = false
	kept := r.dirty[:0]
	for _, id := range r.dirty {
		p := r.Peers.At(id)
		for len(p.unsent) > 0 && (all || len(p.unsent) >= r.worth) && r.Box.Room(p.rank, p.box) {
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
	r.dirty = kept
}

// sendTo sends a message with the first unsent entries for a PE. It reports whether that
// worked.
func (pe *PE) sendTo(p *peer) bool {
	r := pe.Remote
	r.pack = append(r.pack[:0], wireHead(r.round, pe.ID))
	n := 0
	for _, o := range p.unsent {
		was := len(r.pack)
		switch {
		case o.here == 0 && o.there == 0: // cancelled
		case o.here == 0:
			r.pack = append(r.pack, wireAnti|uint64(o.there))
		default:
			pe.packEvent(p, o)
		}
		if len(r.pack) > packWords && was > 1 {
			r.pack = r.pack[:was]
			break
		}
		n++
		if len(r.pack) > was {
			r.Sent++
		}
		if o.here == 0 {
			continue
		}
		e := pe.Arena.At(o.here)
		r.sentSince = min(r.sentSince, e.Time)
		if e.Lineage != 0 {
			pe.Arena.Lines.Keep(e.Lineage)
			pe.Arena.Lines.Drop(p.LastSent)
			p.LastSent = e.Lineage
		}
		pe.Arena.Free(e, o.here)
	}
	if n < len(p.unsent) {
		p.unsent = p.unsent[n:] // not copied: after a burst there may be many
	} else {
		p.unsent = p.unsent[:0]
	}
	if len(r.pack) == 1 {
		return true // all entries were cancelled
	}
	if !r.Box.Post(p.rank, p.box, r.pack) {
		_, r.err = r.Box.Poll(r.take) // Poll returns the cause
		return false
	}
	r.balance[r.round&1]++
	return true
}

// packEvent appends an event to the message being written.
func (pe *PE) packEvent(p *peer, o outgoing) {
	r := pe.Remote
	e := pe.Arena.At(o.here)
	n := len(r.pack)
	r.pack = append(r.pack, pe.Arena.Words(o.here, headWords)...)
	entry(r.pack[n:]).address(e.Dst, uint16(e.Type), o.there)
	if e.Lineage != 0 {
		lines := pe.Arena.Lines
		same := lines.Common(e.Lineage, p.LastSent)
		r.pack = lines.AppendBits(append(r.pack, 0), e.Lineage, same)
		entry(r.pack[n:]).setLineage(same, len(r.pack)-n-headWords-1)
	}
	r.pack = append(r.pack, event.PayloadWords(e, int(e.Bits))...)
}

// TurnRemote sends what is due after a turn of n events. It reports whether the other ranks
// can no longer be reached.
func (pe *PE) TurnRemote(n int) (over bool) {
	r := pe.Remote
	r.since += n
	if r.err == nil && len(r.dirty) > 0 && r.due(n) {
		pe.flushRemote(n == 0)
	}
	return pe.FailRemote(r.err)
}

// FailRemote ends the run on all ranks if err, an error of the connection between them, is
// not nil. It reports whether the PE must leave its loop. The other PEs of the rank leave theirs as well:
// they may never find out by themselves.
func (pe *PE) FailRemote(err error) bool {
	if err == nil {
		return false
	}
	pe.Fail(err)
	pe.Remote.err = err
	pe.Team.Break()
	pe.Team.cluster.BreakDown(err)
	return true
}

// Unsent reports whether there is something for other ranks that found no room, or from them that found no memory.
func (r *remote) Unsent() bool { return len(r.dirty) > 0 || len(r.Waiting) > 0 }

// White returns the number of messages sent before the first cut of this round, less those
// of them that have been received.
func (r *remote) White() int64 { return r.balance[(r.round-1)&1] }

// MayCover reports whether the report of a round of GVT may cover what the PE has sent to other ranks since its last
// report. That is possible where receivers find at once what is sent, and handle events in their order, each a
// lookahead before what it sends: a receiver takes in what it has been sent before it handles anything beyond the new
// GVT. Without it, a rank that waits for GVT, perhaps without a processor, has to report again what has come meanwhile,
// in nearly every round.
func (pe *PE) MayCover() bool {
	r := pe.Remote
	if r.perPE > 1 || !pe.Conservative() || !(pe.Run.Set.ConsLookahead > 0) || !r.Box.Near() || r.Unsent() ||
		!pe.RedMin.IsMax() {
		return false
	}
	sent := r.Box.Counts()
	return sent.Sent == sent.Near // a long message may take its time
}

// Cover lowers the bound of a report to what the PE has sent since its last report, if it covers that.
func (pe *PE) Cover(b *gvt.Bound, covers bool) {
	r := pe.Remote
	r.Covers, r.covered, r.sentSince = covers, min(r.covered, r.sentSince), math.Inf(1)
	if !covers || math.IsInf(r.covered, 1) || kernel.TimeBits(r.covered) >= pe.Last {
		return
	}
	least := gvt.Before(r.covered, -1, 0)
	if least.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		least = pe.Bound
	}
	if least.Compare(b, pe.Arena.Lines) < 0 {
		*b = least
	}
}

// Covered is called with the GVT of a round.
func (r *remote) Covered() { r.covered = math.Inf(1) }

// LacksArrivals reports whether there is no memory for a message that was under way at the last GVT. Before the next
// one nothing may be handled.
func (r *remote) LacksArrivals() bool { return r.Covers && len(r.Waiting) > 0 }

// Jammed is channels.Jammed for the PEs of other ranks.
func (r *remote) Jammed() bool {
	for _, id := range r.dirty {
		if len(r.Peers.At(id).unsent) > mostUnsent {
			return true
		}
	}
	return false
}

// isRemote reports whether a PE is in another rank.
func (pe *PE) isRemote(id uint32) bool { return id-pe.Channels.Base >= uint32(len(pe.Channels.Out)) }

// unsent returns the unsent entries for a PE.
func (pe *PE) unsent(to uint32) []outgoing {
	if pe.isRemote(to) {
		return pe.Remote.peer(to).unsent
	}
	return pe.Channels.Out[to-pe.Channels.Base].Unsent
}
