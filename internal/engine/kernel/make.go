// This file owns the making of a PE: its parts, its event pool and its pending-event set.

package kernel

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/pq"
)

// slotInline is the largest payload in bytes for which every event has room, so that an event with its message takes
// two cache lines at most. If all messages are larger, the next of inlineLimits takes its place that some message fits
// into. Larger payloads get a block of their own, so that a single large message does not make all events large.
//
// A message in the slot costs less than one in a block, whatever its size: its lines follow the event's, a slot is as
// long as the message and not the next power of two, and nothing else has to be allocated and freed.
const slotInline = 72

var inlineLimits = [...]uintptr{slotInline, 256, 512, 1024}

// inline returns the size of payloads for which every event has room.
func (r *Run) inline() (n uintptr) {
	for _, most := range inlineLimits {
		found := false
		for _, t := range r.Types {
			for _, m := range t.Messages {
				if m.Size <= most {
					n, found = max(n, m.Size), true
				}
			}
		}
		if found {
			return n
		}
	}
	return 0
}

// Open makes the parts of PE id: KPs, LPs with their states and streams, the event pool and
// the pending-event set. Errors name the setting that asks for too much.
func (pe *PE) Open(r *Run, id uint64, out Outlet) error {
	pe.Run, pe.layout, pe.ID, pe.Out = r, r.Layout, id, out
	pe.Address, pe.abroad = &Address{ID: id, offset: r.Offset(id)}, &Address{}
	r.addFace(pe.Address)
	pe.End, pe.total, pe.chainFrom = r.Set.End, r.Total, chainFrom(r.Set.MaxChain)
	pe.setMode(r.Set.Mode())
	pe.Horizon, pe.Last, pe.least = Never, Never, r.leastDelay()
	pe.Counts = meter.NewCounts()
	pe.Hook.Bound = gvt.Max
	pe.Budget = r.Budget.Share()
	pe.Budget.Parts = 4 * uint64(r.Set.PEs) // for the buddy pool of each PE
	err := pe.charge()
	if err == nil {
		err = pe.makeLPs(r.Layout.NumLPs(id))
	}
	if err == nil {
		err = pe.makeEvents()
	}
	return err
}

// charge charges the KPs, and for the first PE the LPs of the process, to the memory of the run before
// anything is allocated. See LPBytes for the charge of an LP.
func (pe *PE) charge() error {
	nkp := pe.Run.Set.NKP
	kp := uint64(unsafe.Sizeof(KP{}))
	if err := pe.Budget.Charge(nkp * kp); err != nil {
		return fmt.Errorf("ross: Define: %d KPs of %d bytes each: %w: raise --max-memory or lower --nkp", nkp, kp, err)
	}
	if pe.ID != pe.Run.Base {
		return nil
	}
	n, each := pe.Run.NumModelLPs(), pe.Run.LPBytes()
	if n > math.MaxInt64/each {
		n = math.MaxInt64 / each
	}
	if err := pe.Budget.Charge(n * each); err != nil {
		fix := "raise --max-memory or lower --nlp (or --lps)"
		if pe.Run.Set.Streams.PerLP > 1 {
			fix += " or Config.Streams.PerLP"
		}
		return fmt.Errorf("ross: Define: %d LPs of %d bytes each: %w: %s", n, each, err, fix)
	}
	return nil
}

// makeEvents makes the event pool and the pending-event set.
func (pe *PE) makeEvents() (err error) {
	c := &pe.Run.Set
	s := pe.Run
	undo := uintptr(0)
	for _, m := range s.Messages {
		undo = max(undo, m.Undo)
	}
	if len(s.Types) == 1 && len(s.Types[0].Messages) == 1 {
		pe.onlyMsg = s.Types[0].Messages[0].Word
	}
	pe.Void, pe.undo = make([]uint64, s.Room()/8+1), make([]uint64, (undo+7)/8)
	inline := s.inline()
	if s.Space == nil {
		newSpace := event.NewSpace
		if c.KeepsSent() {
			newSpace = event.NewKeepingSpace
		}
		if s.Space, err = newSpace(s.Set.PEs, inline, c.MaxMemory/event.Size, s.Budget); err != nil {
			return fmt.Errorf("ross: Define: %w", err)
		}
		s.Space.Buddy = c.Tuning.Buddy
		if s.Space.Cut() && !mem.Zoned {
			s.Warn("the limit of the address space (ulimit -v) lets events take less than --max-memory")
		}
		s.Budget.Others = s.QueueBytes
	}
	if pe.Arena = s.Space.Arena(int(pe.ID - s.Base)); s.Room() > slotInline {
		pe.Arena.ReadAhead()
	}
	if pe.Queue, err = pq.NewEventSet(pe.Arena, c.Tuning.PQ, c.Window); errors.Is(err, ErrMemory) {
		return fmt.Errorf("ross: Define: %w", err)
	} else if err != nil {
		return err
	}
	pe.Address.QueueBytes.Store(pe.Queue.Bytes())
	return nil
}

// QueueBytes returns the size of the event queues in bytes. In a parallel run each PE
// publishes its size when it changes.
func (s *Run) QueueBytes() uint64 {
	if len(s.PEs) == 1 {
		return s.PEs[0].Queue.Bytes()
	}
	sum := uint64(0)
	for _, pe := range s.PEs {
		sum += pe.Address.QueueBytes.Load()
	}
	return sum
}

// Release gives back the PE's memory outside the Go heap.
func (pe *PE) Release() {
	pe.TakeSpares()
	if pe.Queue != nil {
		pe.Queue.Close()
	}
	if pe.Pool != nil {
		pe.Pool.Close()
		pe.Pool = nil
	}
}
