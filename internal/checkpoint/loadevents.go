// This file owns the loading of a checkpoint's events into the queues.

package checkpoint

import (
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/rio"
)

// LoadEvents puts the pending events for the LPs of the PE into its queue. When loading as
// ROSS, it makes the LPs of the PE send again the events that they had sent.
func (k *Keeper) LoadEvents() {
	pe := k.PE
	l := k.Checkpoints.Load
	if l == nil || pe.Err != nil {
		return
	}
	begin := time.Now()
	for i := range l.parts {
		p := &l.parts[i]
		if l.AsROSS {
			p = &l.parts[len(l.parts)-1-i]
		}
		if pe.Err != nil || p.c == nil || !p.events[pe.ID-pe.Run.Base] {
			continue
		}
		var err error
		if l.AsROSS {
			err = k.resend(p, l)
		} else {
			err = k.loadPart(p)
		}
		if err != nil {
			pe.Fail(err)
		}
	}
	k.places, k.reader = nil, nil
	k.LoadSeconds = meter.Since(begin)
}

// loadPart loads the events of a partition for the LPs of the PE.
func (k *Keeper) loadPart(p *loadedPart) error {
	pe := k.PE
	s := k.Checkpoints
	lines := pe.Arena.Lines
	c := p.again()
	node := uint32(0) // lineage of the event loaded last
	defer func() { lines.Drop(node) }()
	shared := uint32(0) // number of tie-breakers that the current event shares with that one
	var e rio.Event
	for {
		ok, err := c.NextEvent(&e)
		if err != nil || !ok {
			return err
		}
		shared = min(shared, e.Shared)
		id, local := s.Run.Layout.Locate(e.Dst)
		if uint64(id) != pe.ID {
			continue
		}
		ties := c.Lineage()
		lineage, err := k.loadLineage(node, shared, ties)
		if err == nil {
			err = k.loadEvent(&e, s.Load.messageOf(s, &e), pe.From()+uint32(local), ties[0], lineage)
		}
		if err != nil {
			return fmt.Errorf("ross: checkpoint: event for %s: %w: raise --max-memory", pe.Run.NameOf(e.Dst), err)
		}
		lines.Keep(lineage)
		lines.Drop(node)
		node, shared = lineage, uint32(len(ties))
	}
}

// loadLineage returns the node of the lineage with the given tie-breakers, of which the first
// shared are also those of the node before.
func (k *Keeper) loadLineage(before, shared uint32, ties []float64) (uint32, error) {
	pe := k.PE
	lines := pe.Arena.Lines
	node, depth := uint32(0), uint32(0)
	if shared > 1 {
		depth = min(shared-1, uint32(len(ties)-1), lines.Depth(before))
		node = lines.Ancestor(before, depth)
	}
	lines.Keep(node)
	for _, tie := range ties[depth+1:] {
		next, err := lines.Extend(node, tie)
		lines.Drop(node) // the child refers to it
		if err != nil {
			return 0, err
		}
		node = next
	}
	return node, nil
}

// loadEvent puts an event with its lineage into the queue.
func (k *Keeper) loadEvent(r *rio.Event, m *kernel.Message, at uint32, tie float64, lineage uint32) error {
	pe := k.PE
	e, i, err := pe.Arena.Alloc()
	if err != nil {
		return err
	}
	e.Fill(r.Recv, tie, r.Send, r.Src, r.Priority)
	e.Address(at, m.ID)
	e.Lineage = lineage
	if size := uintptr(len(r.Msg)); size > pe.Arena.Inline() {
		if err := pe.Arena.AllocBlock(e, size); err != nil {
			pe.Arena.Free(e, i)
			return err
		}
	}
	copyMessage(e, r.Msg)
	pe.Queue.Push(event.KeyOf(e, i))
	return nil
}

// copyMessage copies bytes to the payload of an event.
func copyMessage(e *event.Event, msg []byte) {
	if len(msg) > 0 {
		copy(unsafe.Slice((*byte)(event.Payload(e)), len(msg)), msg)
	}
}

// resend makes the LPs of the PE send the events of a partition, the last one first, as ROSS
// does.
func (k *Keeper) resend(p *loadedPart, l *loading) error {
	pe := k.PE
	s := k.Checkpoints
	var all []rio.Event
	c := p.again()
	for {
		var e rio.Event
		ok, err := c.NextEvent(&e)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if id, _ := s.Run.Layout.Locate(e.Src); uint64(id) == pe.ID {
			all = append(all, e)
		}
	}
	defer func() { pe.Running = nil }()
	for _, e := range slices.Backward(all) {
		lp := s.Run.LP(e.Src)
		pe.Running = lp
		m := l.messageOf(s, &e)
		to := lp.Schedule(uint64(e.Dst), max(e.Recv-p.clock, 0), kernel.DefaultPriority, m.Word, m.Size)
		if to != nil {
			copy(unsafe.Slice((*byte)(to), len(e.Msg)), e.Msg)
		}
		if pe.Err != nil {
			return nil
		}
	}
	return nil
}
