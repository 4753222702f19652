// This file owns PE: a processor's share of a simulation.

package ross

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/delta"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// PEID is the index of a PE among all PEs of a run (tw_peid).
type PEID uint64

// apart keeps what PEs work with in different pages, bytes: a processor fetches lines
// ahead of what it reads or writes one after the other, up to the end of a page, and
// takes them from the one that works with them. Most of the space is at the end of
// structures, because fields beyond the first 4096 bytes cost a comparison with nil.
// At their beginning is what keeps them from being at the same place of their pages,
// which would put them into the same sets of the cache.
const apart = 4096

// PE is a physical process (tw_pe): a thread with LPs, a pending-event set, a
// pool of events and a clock of its own.
type PE struct {
	_ [512]byte
	// What every event touches.
	lps     unsafe.Pointer // LP i is at lps + i * lpSize
	cur     *event.Event   // the event that is being handled
	running *LP            // the LP whose handler runs; nil between events
	left    int            // events to go before the scheduler looks around
	horizon uint64         // bits of the time at which it has to look before an event
	last    uint64         // bits of the time from which on events wait for a checkpoint
	observe bool           // somebody wants to see each committed event
	first   uint64         // ids first to first + span - 1 are here, in the order of local indices
	span    uint64         // 0 if the mapping is no such simple one
	end     float64
	total   uint64
	pastEnd uint64
	onlyMsg unsafe.Pointer // type of all messages, if there is only one
	mode    mode
	after   bool   // the handler that runs left something to be done after it
	red     bool   // the least of what is sent is being kept for GVT
	held    bool   // an event has to wait for GVT, or for memory
	aborted bool   // the handler that runs found no memory
	short   bool   // an event found no memory since the last GVT
	starved bool   // not even an event that GVT has reached finds memory
	front   uint64 // no KP has handled an event after this time; its bits
	arena   *event.Arena
	q       *pq.Queue

	// What a parallel run adds.
	team                    *team
	member                  *gvt.Member
	ch                      channels
	far                     *far        // nil in a run of one rank
	stragglers              []event.Key // events that came too late, to be seen to
	doomed                  []uint32    // handled events that were cancelled, to be seen to
	bound                   gvt.Bound   // GVT
	redMin                  gvt.Bound
	redAnti                 bool      // redMin is that of an anti-message
	unsure                  bool      // the event at GVT may still be cancelled
	early                   bool      // conservative: nothing is handled beyond GVT
	traceAll                bool      // each execution is traced when it happens
	over                    bool      // the run has ended
	published               [4]uint32 // lineages of the bounds that it published last
	rounds                  uint64
	uncommitted             int
	dead                    uint64 // events cancelled since the queue was purged
	mostPending             uint64
	lastLP                  *LP // of the event handled last, if nothing came after it
	batchSize               int
	unused                  int // of a batch that was ended early
	tightRounds             int
	reserve                 uint64 // bytes that are left to the event at GVT if it cannot be undone
	margin                  uint64 // that slots leave to everything else
	wanted                  uint64 // that must be free before it is handled
	lack                    error  // why there was no memory
	pace                    pace
	counts                  meter.Counts
	account                 meter.Account
	idled                   int
	stirred                 bool        // other than by news or a new GVT it may have events in its next turn
	alarm                   *time.Timer // of a nap
	pause                   meter.Phase // that goes on while it has no event
	pool                    *buddy.Pool // deltas, and what models allocate
	coder                   *delta.Encoder
	before, beforeMsg, diff []uint64       // state and message before the event; room for a delta
	inDelta                 bool           // the handler of an LP whose state is saved by deltas runs
	accessed                []uint64       // blocks that it has looked at
	plainWord               unsafe.Pointer // a type that is known to hold no pointers
	spares                  [][]uint64     // memory for a handler that is going to be undone
	tags                    []uint8        // of the units of the pool, see blocktags.go
	freed                   []freedBlock   // by the event of freer that freedAt says
	freer                   *LP
	freedAt                 uint64
	lent                    []*mem.Region // large pieces of it
	lentBytes               uint64
	skipped                 bool     // the LP of the event is suspended
	check                   *checker // with a scheduler that checks rollback
	hold                    hold     // for a checkpoint
	settling                bool     // it has held for a round of GVT
	ended                   bool     // a sequential run has come to the events that wait for one
	storeAt                 uint64   // bits of the time at which a sequential run stores one
	storeDue                bool     // it has come there

	// The rest.
	sim          *Simulation
	layout       *mapping.Map
	lpSlab       []LP
	kps          []KP
	states       []any // keeps the slabs of states alive
	budget       *mem.Budget
	err          error
	shown        *LP // the LP whose Trace, Commit or Final runs
	gvt          float64
	hook         hookState
	progress     *report.Progress
	started      uint64 // events that Init and PreRun scheduled
	clock        meter.PhaseClock
	touched      uint64   // sum of what was read only to have it near
	void         []uint64 // message of events that are not delivered
	stateDigest  uint64   // of its LPs, after the run
	trace        *tracer
	probe        *probe           // nil if nothing is collected
	perLP        []meter.LPCounts // by local index, nil if nobody asks
	analysis     []LP             // of virtual time, behind those of lpSlab
	pointsUndone uint64           // events of theirs
	chain        chain
	chainFrom    uint32  // length of chains that are looked at
	live         *livePE // for those who look on
	abroad       public  // stands for a PE of another rank
	loadSeconds  float64 // that loading events took
	reader       *rio.Contents
	reads        int32    // the partition that it reads
	records      []record // of the LPs in the checkpoint that the run starts from, by local index

	_ [apart]byte
	public
	_ [apart]byte
}

// public is what other PEs look at. It seldom changes, and nothing that does is
// in the same cache lines.
type public struct {
	id         PEID
	typeOf     []uint16 // type of LP by local index, if there are several
	wake       chan struct{}
	asleep     atomic.Bool   // waits for wake
	queueBytes atomic.Uint64 // memory of the event queue
}

// mode is the kind of scheduler that runs.
type mode uint8

const (
	sequential mode = iota
	conservative
	optimistic
)

// PEType holds functions that the engine calls for each PE (tw_petype). Each
// may be nil. In a parallel run the PEs call the first two at the same time; Final
// is called for one PE after the other.
type PEType struct {
	PreLPInit  func(*PE) // before the LPs' Init (pre_lp_init)
	PostLPInit func(*PE) // after it (post_lp_init)
	Final      func(*PE) // at the end of the run (final)
}

// ID returns the index of the PE.
func (pe *PE) ID() PEID { return pe.id }

// Simulation returns the simulation that the PE belongs to.
func (pe *PE) Simulation() *Simulation { return pe.sim }

// NumLPs returns how many LPs are on the PE (g_tw_nlp).
func (pe *PE) NumLPs() int { return len(pe.lpSlab) }

// LP returns the LP with a local index, 0 <= i < NumLPs() (tw_getlp), nil
// beyond. A nil PE, as one of another rank, has none.
func (pe *PE) LP(i int) *LP {
	if pe == nil || i < 0 || i >= len(pe.lpSlab) {
		return nil
	}
	return &pe.lpSlab[i]
}

// NumKPs returns how many KPs are on the PE (g_tw_nkp).
func (pe *PE) NumKPs() int { return len(pe.kps) }

// KP returns the KP with an index, 0 <= i < NumKPs() (tw_getkp), nil beyond. A nil
// PE, as one of another rank, has none.
func (pe *PE) KP(i int) *KP {
	if pe == nil || i < 0 || i >= len(pe.kps) {
		return nil
	}
	return &pe.kps[i]
}

// GVT returns the virtual time before which everything is committed. In a
// sequential run that is the time of the next event.
func (pe *PE) GVT() float64 { return pe.gvt }

// at returns the LP with a local index.
func (pe *PE) at(i uint32) *LP { return (*LP)(unsafe.Add(pe.lps, uintptr(i)*lpSize)) }

// locate returns the PE of an LP and its local index there. Of a PE of another rank
// nothing is known but the number.
func (pe *PE) locate(gid uint64) (*public, uint32) {
	id, local := pe.layout.Locate(gid)
	if id == uint64(pe.id) {
		return &pe.public, uint32(local)
	}
	if other := pe.sim.PE(PEID(id)); other != nil {
		return &other.public, uint32(local)
	}
	pe.abroad.id = PEID(id)
	return &pe.abroad, uint32(local)
}

// pending returns how many events wait in the pending-event set.
func (pe *PE) pending() uint64 { return pe.q.Len() }

// maxPending returns the most events that ever waited at once. While a handler
// runs, its own event is allocated and does not wait.
func (pe *PE) maxPending() uint64 {
	if pe.mode != sequential {
		return pe.mostPending
	}
	if peak := uint64(pe.arena.Peak()); peak > pe.started {
		return max(peak-1, pe.started)
	}
	return pe.started
}

// never is a horizon that no event reaches.
const never = math.MaxUint64

// gid returns the id of the LP with a local index.
func (pe *PE) gid(i uint32) uint64 {
	if pe.span > 0 {
		return pe.first + uint64(i)
	}
	return uint64(pe.at(i).id)
}
