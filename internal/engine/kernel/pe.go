// This file owns PE: one processing element's share of a simulation.

package kernel

import (
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

// Apart is the distance in bytes that keeps the data of PEs in different pages. A processor
// prefetches the lines after those it accesses in sequence, up to the end of the page, and
// so takes them away from the PE that uses them. Most of the space is at the end of
// structures, because fields beyond the first 4096 bytes cost a comparison with nil. The
// space at the beginning keeps structures from starting at the same offset of their pages,
// which would put them into the same sets of the cache.
const Apart = 4096

// PE is a processing element as the handlers of its LPs see it: LPs, pending-event set,
// event pool, and the histories of what the handlers did. Schedulers embed it in PEs of
// their own. The bits of a time are those of TimeBits.
type PE struct {
	_ [512]byte
	hot
	handling
	batch
	memory
	ending
	cold coldFields // what the LPs have besides their two cache lines
	lps
	_ [56]byte
}

// hot is what every event touches.
type hot struct {
	lpBase  unsafe.Pointer // LP i of this process is at lpBase + i*LPSize
	Current *event.Event   // the event that is being handled
	Running *LP            // the LP whose handler runs; nil between events
	Left    int            // events left in the batch
	Horizon uint64         // bits of the time from which the scheduler has to check before an event
	Earlier float64        // without a history: time of the LP before the event that is being handled
	first   uint64         // LP i of these, see from, has id first+i, modulo 2^64
	from    uint32         // first of span LPs here
	span    uint32         // that have consecutive ids
	End     float64        // virtual time of the end of the run
	total   uint64         // LPs of all ranks
	least   float64        // delay below which a send has to be looked at, see Run.leastDelay
	PastEnd uint64         // events sent past the end
	onlyMsg unsafe.Pointer // type of all messages, nil if there are several
	mode    settings.Mode
	After   aftermath    // what to do after the running handler
	Observe bool         // commit calls Committed for each event
	Skipped bool         // the LP of the event was suspended, or the event has lapsed: its handler did not run
	InDelta bool         // a handler runs whose changes are saved as a delta
	Checked bool         // the scheduler checks rollback (--synch=4 and 6)
	history bool         // what handlers do is noted in the histories, see KeepsHistory
	direct  bool         // recordings need no history and are not before the warm-up
	Front   uint64       // bits of a time after which no KP has handled an event
	Arena   *event.Arena // events
	Queue   *pq.EventSet // pending-event set
	Address *Address     // what other PEs see of this one
	Out     Outlet       // what a parallel scheduler adds to sends
	ID      uint64       // number of the PE, across ranks
}

// handling is what handlers and their effects need.
type handling struct {
	Run       *Run             // shared by the PEs of this rank
	KPs       []KP             // that the mapping gives to the PE
	LPs       []LP             // that the mapping gives to the PE, by local index
	Analysis  []LP             // LPs for samples at virtual times, in memory right after LPs
	Counts    meter.Counts     // of events, rollbacks, sends and so on
	PerLP     []meter.LPCounts // by LP.Index, nil unless needed for samples
	Phases    meter.PhaseClock // where the time goes
	Budget    *mem.Budget      // this PE's share of the memory of the run
	Lack      error            // why memory was refused
	Err       error            // ends the run
	Shown     *LP              // LP whose Reverse, Commit, Trace, Sample or Final runs
	GVT       float64          // last GVT, as a virtual time
	Hook      hookState
	Trace     *Tracer // nil without an event trace
	Chain     Chain
	chainFrom uint32   // length from which chains are looked at
	Void      []uint64 // message of events that are not delivered
	undo      []uint64 // undo data of the running event
	States    []any    // keep the memory of the LPs' states alive
}

// batch is what a PE notes of the events of one turn of its loop.
type batch struct {
	LastLP    *LP    // LP whose handler ran last in the last batch, nil if something ran after it
	BatchSize int    // events of the batch that are not counted yet
	Unused    int    // events left over when the batch was ended early
	Touched   uint64 // sum of words that were read only to bring them into the cache
	Started   uint64 // events that Init and PreRun scheduled
	Dead      uint64 // cancelled events that are still in the queue
}

// memory is that of Alloc, see blocktags.go.
type memory struct {
	Pool      *buddy.Pool              // for deltas and for what models allocate; nil until first needed
	Accessed  []uint64                 // words of blocks that the handler, saved by deltas, has accessed
	plainWord unsafe.Pointer           // a type that is known to hold no pointers
	spares    [][]uint64               // memory on loan, see lendBlock
	tags      atomic.Pointer[tagTable] // of the units of the pool, see blocktags.go
	freed     []freedBlock             // by the event of LP freer whose number is freedAt
	freer     *LP
	freedAt   uint64        // LP.Processed at that event
	lent      []*mem.Region // regions behind large spares
	LentBytes uint64        // size of spares
	// Words of the blocks in use by address, for the check of rollback; otherwise nil.
	LiveBlocks map[uint64]uint64
	poolLock   sync.Mutex
}

// ending is what may end the run, and how far the PE may come and has come.
type ending struct {
	Stops    Stops       // where handlers end the run
	mistakes []mistakeAt // of the model, in events that GVT has not passed
	Last     uint64      // bits of the time from which events wait for a checkpoint
	Passed   float64     // without a history: time of the newest event that had lapsed
}

// lps is which LPs and KPs the PE has.
type lps struct {
	Points       uint64           // events of analysis LPs
	PointsUndone uint64           // of these, those undone
	layout       *mapping.Map     // where LPs are
	abroad       *Address         // stands for a PE of another rank
	Figures      *statistic.Store // of statistics; nil without any
	Mine         []*KP            // KPs that it handles
	handled      []*LP            // LPs that it handles, nil until needed
	ownSpan      uint32           // span if no KP has moved
	serial       bool             // the first PE of the process handles the events of this one
	omit         bool             // with Observe: the event has lapsed, and Committed leaves it out
	commits      bool             // Commit of the model runs
	_            [1]byte
	sighting     *Sighting // of the event of a watched LP that is being handled, otherwise nil
	LapsedIn     int       // lapsed events in the queue, see lapsed.go; it need not be exact
	lapsedKept   int       // those that the last sweep has left, since their timers may wait again
}

// This compiles only if a PE takes whole cache lines, as what embeds it expects.
var _ [0]struct{} = [unsafe.Sizeof(PE{}) % 64]struct{}{}

// aftermath says what is left to do when the running handler returns. A later value
// includes the earlier ones.
type aftermath uint8

// The values of aftermath.
const (
	AfterNone   aftermath = iota // nothing
	AfterSettle                  // roll back for stragglers
	AfterAbort                   // undo the event, whose handler found no memory
)

// Outlet is what a parallel scheduler adds to handlers. The kernel calls it for events to
// other PEs, and for all sends outside the common case.
type Outlet interface {
	// Post sends to home an event that is complete except for its message of size bytes. It
	// reports whether the event was accepted.
	Post(lp *LP, home *Address, k event.Key, e *event.Event, delay float64, size uintptr) bool
	// MustKeep reports whether the running event cannot or should not be undone for lack of
	// memory.
	MustKeep() bool
}

// Address is what other PEs see of a PE. It rarely changes, and nothing that changes often
// shares its cache lines.
type Address struct {
	_          [Apart]byte
	ID         uint64        // number of the PE
	offset     uint64        // of its first LP among those of the process, see numbers.go
	Wake       chan struct{} // receives a value to wake the PE
	_          [Apart]byte   // what is above does not change, and each send reads it
	Asleep     atomic.Bool   // the PE waits for Wake
	QueueBytes atomic.Uint64 // size of the event queue
	_          [Apart]byte
}

// At returns LP i of this process.
func (pe *PE) At(i uint32) *LP { return (*LP)(unsafe.Add(pe.lpBase, uintptr(i)*LPSize)) }

// locate returns the PE of an LP, and which LP of the process it is. The Address of a PE of another
// rank has only its number, and holds until the next call; then the LP's local index is returned.
func (pe *PE) locate(gid uint64) (*Address, uint32) {
	m := &pe.Run.moved
	if gid-m.first < m.span && !pe.serial {
		i := uint32(gid - m.first)
		return m.faces[m.owner[i]], i
	}
	id, local := pe.layout.Locate(gid)
	if id-pe.Run.Base >= uint64(len(m.faces)) {
		pe.abroad.ID = id
		return pe.abroad, uint32(local)
	}
	home := m.faces[id-pe.Run.Base]
	i := uint32(home.offset + local)
	switch {
	case pe.serial:
		return pe.Address, i
	case m.owner != nil:
		return m.faces[m.owner[i]], i
	}
	return home, i
}

// From returns which LP of this process the first one is that the mapping gives to the PE.
func (pe *PE) From() uint32 { return uint32(pe.Address.offset) }

// pending returns the number of events in the pending-event set.
func (pe *PE) pending() uint64 { return pe.Queue.Len() }

// Never is a horizon that no event reaches.
const Never = math.MaxUint64

// GID returns the id of LP i of this process.
func (pe *PE) GID(i uint32) uint64 {
	if i-pe.from < pe.span {
		return pe.first + uint64(i)
	}
	return pe.At(i).ID
}

// Consecutive reports whether the ids of the PE's LPs are consecutive.
func (pe *PE) Consecutive() bool { return pe.span > 0 }

// Analysed returns the number of events of analysis LPs that the PE has handled.
func (pe *PE) Analysed() uint64 { return pe.Points }

// Reached returns GVT for display. If no event is left, this is the end of the run, or 0 if
// the run has no end.
func (pe *PE) Reached() float64 {
	switch {
	case pe.GVT < math.MaxFloat64:
		return min(pe.GVT, pe.End)
	case math.IsInf(pe.End, 1):
		return 0
	}
	return pe.End
}
