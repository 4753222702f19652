// This file owns sending to PEs of other ranks, in messages of many events. rankreceive.go
// has the receiving side.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/transport"
	"github.com/ross-go/ross/internal/world"
)

// remote is a PE's ends of the channels to the PEs of other ranks. wire.go has the format of messages.
//
// The sender counts: the id of an event is its number among those for the receiver that an anti-message
// may name, modulo 2^32. The receiver keeps a log of them (package avl), from which an event goes when GVT
// has passed the time at which it was sent: its sender can no longer undo that. So nothing that is
// committed has to be given back to the sender.
type remote struct {
	Box      world.Mailbox         // receives and sends messages
	Bed      world.Sleeper         // Box, if the PE can sleep there
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
	joinEvents   = 512  // events since the last GVT before which a PE of a crowded machine takes no part in the next round, if it has more
	packWords    = 2048 // length of a message, unless a single event is longer

	mostFirstRoom = 24 // log2 of the events for which a PE has room in its log at first, at most
)

// newRemote connects a PE to other ranks.
func (pe *PE) newRemote(box world.Mailbox) error {
	set := &pe.Run.Set
	f := &remote{Box: box, Peers: transport.NewTable[peer](pe.Run.NumPEs()), perPE: set.PEs, run: pe.Run, worth: mpiWorth, every: mpiLook, pack: make([]uint64, 0, packWords), sentSince: math.Inf(1), covered: math.Inf(1)}
	f.Bed, _ = box.(world.Sleeper)
	if box.Near() {
		f.worth, f.every = nearWorth, 0
	}
	if set.RemoteWorth != 0 {
		f.worth = set.RemoteWorth
	}
	f.take = pe.takeMessage
	var err error
	if f.log, err = avl.NewChargedLog(1<<min(set.Tuning.AVLSize, mostFirstRoom), set.Tuning.AVL, pe.Budget); err != nil {
		return err
	}
	pe.Remote = f
	return nil
}

// peer returns the peer with a PE's number. It makes the peer on first use.
func (f *remote) peer(id uint32) *peer {
	p := f.Peers.At(id)
	if p == nil {
		p = &peer{id: id, rank: int(id) / f.perPE, box: int(id) % f.perPE, antiMin: gvt.Max}
		p.base = id - uint32(p.box)
		p.offset = uint32(f.run.Offset(uint64(id)))
		p.source = f.sources
		f.sources++
		f.Peers.Set(id, p)
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
	f := pe.Remote
	if len(p.unsent) == 0 {
		f.dirty = append(f.dirty, p.id)
	}
	p.unsent = append(p.unsent, o)
	if len(p.unsent) >= f.worth {
		f.full = true
	}
	if pe.Red {
		pe.reddenNew(o, bound, p.base)
	}
}

// due reports whether a flush is due after a turn of n events.
func (f *remote) due(n int) bool {
	f.turns++
	return f.full || n == 0 || f.turns >= f.worth
}

// flushRemote sends what is unsent and the receivers can take: everything if all is
// set or it has waited long enough, otherwise only where it justifies a message.
func (pe *PE) flushRemote(all bool) {
	begin := pe.Channels.Flushes.Start()
	defer func() { pe.Channels.Flushes.Add(begin, sampleRings) }()
	f := pe.Remote
	if all = all || f.turns >= f.worth; all {
		f.turns = 0
	}
	f.full = false
	kept := f.dirty[:0]
	for _, id := range f.dirty {
		p := f.Peers.At(id)
		for len(p.unsent) > 0 && (all || len(p.unsent) >= f.worth) && f.Box.Room(p.rank, p.box) {
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

// sendTo sends a message with the first unsent entries for a PE. It reports whether that
// worked.
func (pe *PE) sendTo(p *peer) bool {
	f := pe.Remote
	f.pack = append(f.pack[:0], wireHead(f.round, pe.ID))
	n := 0
	for _, o := range p.unsent {
		was := len(f.pack)
		switch {
		case o.here == 0 && o.there == 0: // cancelled
		case o.here == 0:
			f.pack = append(f.pack, wireAnti|uint64(o.there))
		default:
			pe.packEvent(p, o)
		}
		if len(f.pack) > packWords && was > 1 {
			f.pack = f.pack[:was]
			break
		}
		n++
		if len(f.pack) > was {
			f.Sent++
		}
		if o.here == 0 {
			continue
		}
		e := pe.Arena.At(o.here)
		f.sentSince = min(f.sentSince, e.Time)
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
	if len(f.pack) == 1 {
		return true // all entries were cancelled
	}
	if !f.Box.Post(p.rank, p.box, f.pack) {
		_, f.err = f.Box.Poll(f.take) // Poll returns the cause
		return false
	}
	f.balance[f.round&1]++
	return true
}

// packEvent appends an event to the message being written.
func (pe *PE) packEvent(p *peer, o outgoing) {
	f := pe.Remote
	e := pe.Arena.At(o.here)
	n := len(f.pack)
	f.pack = append(f.pack, pe.Arena.Words(o.here, headWords)...)
	entry(f.pack[n:]).address(e.Dst, uint16(e.Type), o.there)
	if e.Lineage != 0 {
		lines := pe.Arena.Lines
		same := lines.Common(e.Lineage, p.LastSent)
		f.pack = lines.AppendBits(append(f.pack, 0), e.Lineage, same)
		entry(f.pack[n:]).setLineage(same, len(f.pack)-n-headWords-1)
	}
	f.pack = append(f.pack, event.PayloadWords(e, int(e.Bits))...)
}

// TurnRemote sends what is due after a turn of n events. It reports whether the other ranks
// can no longer be reached.
func (pe *PE) TurnRemote(n int) (over bool) {
	f := pe.Remote
	f.since += n
	if f.err == nil && len(f.dirty) > 0 && f.due(n) {
		pe.flushRemote(n == 0)
	}
	return pe.FailRemote(f.err)
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
func (f *remote) Unsent() bool { return len(f.dirty) > 0 || len(f.Waiting) > 0 }

// White returns the number of messages sent before the first cut of this round, less those
// of them that have been received.
func (f *remote) White() int64 { return f.balance[(f.round-1)&1] }

// MayCover reports whether the report of a round of GVT may cover what the PE has sent to other ranks since its last report.
// That is possible where receivers find at once what is sent, and handle events in their order, each a lookahead before what
// it sends: a receiver takes in what it has been sent before it handles anything beyond the new GVT. Without it, a rank that
// waits for GVT, perhaps without a processor, has to report again what has come meanwhile, in nearly every round.
func (pe *PE) MayCover() bool {
	f := pe.Remote
	if f.perPE > 1 || !pe.Conservative() || !(pe.Run.Set.ConsLookahead > 0) || !f.Box.Near() || f.Unsent() || !pe.RedMin.IsMax() {
		return false
	}
	sent := f.Box.Counts()
	return sent.Sent == sent.Near // a long message may take its time
}

// Cover lowers the bound of a report to what the PE has sent since its last report, if it covers that.
func (pe *PE) Cover(b *gvt.Bound, covers bool) {
	f := pe.Remote
	f.Covers, f.covered, f.sentSince = covers, min(f.covered, f.sentSince), math.Inf(1)
	if !covers || math.IsInf(f.covered, 1) || kernel.TimeBits(f.covered) >= pe.Last {
		return
	}
	least := gvt.Before(f.covered, -1, 0)
	if least.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		least = pe.Bound
	}
	if least.Compare(b, pe.Arena.Lines) < 0 {
		*b = least
	}
}

// Covered is called with the GVT of a round.
func (f *remote) Covered() { f.covered = math.Inf(1) }

// LacksArrivals reports whether there is no memory for a message that was under way at the last GVT. Before the next one
// nothing may be handled.
func (f *remote) LacksArrivals() bool { return f.Covers && len(f.Waiting) > 0 }

// Jammed is channels.Jammed for the PEs of other ranks.
func (f *remote) Jammed() bool {
	for _, id := range f.dirty {
		if len(f.Peers.At(id).unsent) > mostUnsent {
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
