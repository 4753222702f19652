// This file owns the copy of a PE that a checkpoint is made of: its LPs and the events
// that wait, KP by KP. The simulation stands still meanwhile.

package ross

import (
	"math"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

// copier copies a PE.
type copier struct {
	pe    *PE
	parts []*rio.Part // by KP
	lines []uint32    // by KP: lineage of the event copied last
	kps   []uint32    // by local index of an LP: its KP, so that events need not look at LPs
	lp    rio.LP
	ev    rio.Event
	words []uint64
}

// copyPE returns the partitions of a PE. Nothing of it is speculation, and nothing is
// under way.
func (pe *PE) copyPE() (parts []*rio.Part, err error) {
	begin := time.Now()
	defer func() { pe.counts.StoreSeconds += meter.Since(begin) }()
	if invariants.Enabled {
		for i := range pe.kps {
			invariants.Check(pe.kps[i].hist.empty(), "KP %d of PE %d has a history at a checkpoint", i, pe.id)
		}
	}
	c := copier{pe: pe, parts: make([]*rio.Part, len(pe.kps)), lines: make([]uint32, len(pe.kps))}
	c.kps = make([]uint32, len(pe.lpSlab))
	c.lp.Streams = make([]rng.StreamState, pe.sim.cfg.RNGsPerLP)
	for i := range c.parts {
		c.parts[i] = &rio.Part{Index: make([]rio.IndexEntry, 0, pe.kps[i].lps)}
	}
	sizes, err := c.measureLPs()
	if err != nil {
		return nil, err
	}
	keys := pe.waiting()
	defer pe.wait(keys)
	c.measureEvents(keys, sizes)
	for i, n := range sizes {
		c.parts[i].Data = make([]byte, 0, n)
		mem.AdviseHuge(unsafe.Pointer(unsafe.SliceData(c.parts[i].Data)), uintptr(n))
	}
	for i := range pe.lpSlab {
		if err := c.addLP(&pe.lpSlab[i]); err != nil {
			return nil, err
		}
	}
	for len(keys) > 0 {
		keys = c.addEvents(keys)
	}
	return c.parts, nil
}

// measureLPs returns how many bytes the LPs of each KP take, and makes their index.
func (c *copier) measureLPs() ([]int, error) {
	sizes := make([]int, len(c.parts))
	for i := range c.pe.lpSlab {
		lp := &c.pe.lpSlab[i]
		c.pe.shown = lp
		n, err := lp.serializedSize()
		if err != nil {
			return nil, err
		}
		c.kps[i] = uint32(lp.kp.id)
		p := c.parts[lp.kp.id]
		p.Index = append(p.Index, rio.IndexEntry{GID: uint64(lp.id), Size: uint64(n)})
		sizes[lp.kp.id] += rio.LPSize(len(c.lp.Streams), n)
	}
	return sizes, nil
}

// measureEvents adds what the events take, as far as that is known without their lineages.
func (c *copier) measureEvents(keys []event.Key, sizes []int) {
	for _, k := range keys {
		e := c.pe.arena.At(k.Index())
		if int(e.Dst) < len(c.kps) { // and not to an analysis LP
			sizes[c.kps[e.Dst]] += rio.EventSize(1, int(c.pe.typeAt(e.Dst).msgSize))
		}
	}
}

// addLP copies an LP.
func (c *copier) addLP(lp *LP) error {
	c.pe.shown = lp
	p := c.parts[lp.kp.id]
	r := &c.lp
	r.GID, r.Type, r.Now, r.Digest = uint64(lp.id), uint32(lp.typ.id), lp.now, lp.digest
	r.Suspended, r.Code = lp.suspended, lp.code
	r.Core = lp.core.State()
	r.Streams[0] = lp.rng.State()
	for i := range lp.more {
		r.Streams[i+1] = lp.more[i].State()
	}
	n := int(p.Index[p.LPs].Size)
	if s := &lp.typ.serial; s.put == nil && len(s.spans) == 1 && s.spans[0] == (plain.Span{Size: uintptr(n)}) {
		r.State = unsafe.Slice((*byte)(lp.state), n)
	} else {
		r.State = c.buffer(n)
		lp.serialize(r.State)
	}
	p.Data = rio.AppendLP(p.Data, r)
	p.LPs++
	return nil
}

// buffer returns n zeroed bytes.
func (c *copier) buffer(n int) []byte {
	if need := (n + 7) / 8; need > len(c.words) {
		c.words = make([]uint64, 2*need)
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.words))), n)
	clear(b)
	return b
}

// addEvents copies the next events of the queue, and returns what is left of it. It reads a
// word of each before: the reads do not wait for one another.
func (c *copier) addEvents(keys []event.Key) []event.Key {
	const near = 64
	next := keys[:min(near, len(keys))]
	sum := uint64(0)
	for _, k := range next {
		sum += c.pe.arena.At(k.Index()).Src
	}
	c.pe.touched = sum // so that the compiler does not drop the reads
	for _, k := range next {
		c.addEvent(c.pe.arena.At(k.Index()))
	}
	return keys[len(next):]
}

// addEvent copies an event. Events come in the order of their signatures, so that those
// of one chain without delay follow one another.
func (c *copier) addEvent(e *event.Event) {
	pe := c.pe
	if int(e.Dst) >= len(c.kps) {
		return // analysis LPs have no part in the simulation
	}
	kp, typ := c.kps[e.Dst], pe.typeAt(e.Dst)
	r := &c.ev
	r.Src, r.Dst, r.Recv, r.Send, r.Priority = e.Src, pe.gid(e.Dst), e.Time, e.SendTime, e.Prio
	r.Type = uint32(typ.id)
	r.Shared, r.Own = 0, append(r.Own[:0], e.Tie)
	if e.Lineage != 0 {
		lines := pe.arena.Lines
		common := uint32(0)
		if before := c.lines[kp]; before != 0 {
			common = lines.Common(e.Lineage, before)
		}
		if common > 0 { // then the first one is the same, too
			r.Shared, r.Own = common+1, r.Own[:0]
		}
		c.words = lines.AppendBits(c.words[:0], e.Lineage, common)
		for _, w := range c.words {
			r.Own = append(r.Own, math.Float64frombits(w))
		}
	}
	c.lines[kp] = e.Lineage
	size := int(typ.msgSize)
	r.Msg = c.message(typ, unsafe.Slice((*byte)(pe.arena.Sent(e)), size)) // what it was, if it was undone
	p := c.parts[kp]
	p.Data = rio.AppendEvent(p.Data, r)
	p.Events++
}

// message returns the bytes of a message without what is between its values.
func (c *copier) message(t *lpType, msg []byte) []byte {
	if len(t.spans) == 1 && t.spans[0] == (plain.Span{Size: uintptr(len(msg))}) || len(msg) == 0 {
		return msg
	}
	b := c.buffer(len(msg))
	for _, s := range t.spans {
		copy(b[s.Off:s.Off+s.Size], msg[s.Off:])
	}
	return b
}

// waiting takes all events out of the queue, in the order of their signatures, and frees the
// cancelled ones.
func (pe *PE) waiting() []event.Key {
	keys := make([]event.Key, 0, pe.q.Len())
	for k, ok := pe.q.Pop(); ok; k, ok = pe.q.Pop() {
		if e := pe.arena.At(k.Index()); e.State == event.Cancelled {
			pe.arena.Free(e, k.Index())
		} else {
			keys = append(keys, k)
		}
	}
	return keys
}

// wait puts them back.
func (pe *PE) wait(keys []event.Key) {
	for _, k := range keys {
		pe.q.Push(k)
	}
}
