// This file owns the copy of a PE for a checkpoint: its LPs and pending events, KP by KP, and the memory for
// it. The simulation stands still while the copy is made.

package checkpoint

import (
	"math"
	"path/filepath"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

// copier copies a PE.
type copier struct {
	pe    *timewarp.PE
	parts []*rio.Part // by KP
	lines []uint32    // by KP: lineage of the event copied last
	kps   []uint32    // by index of an LP on its PE: its KP, which saves access to the LP for each event
	from  uint32      // which LP of the process the first one is
	lp    rio.LP      // reused for each LP
	ev    rio.Event   // reused for each event
	words []uint64    // memory of buffer
	kinds []kindOf    // by Message.ID
	room  *copyRoom   // of the data of the parts
}

// copyPE returns the partitions of the PE, one for each KP, and the room that they are in. A copy
// that does not fit under the ceiling goes to a file in the folder. It is called when all handled
// events are committed and no messages are under way.
func (k *Keeper) copyPE(into *Copied) (parts []*rio.Part, room *copyRoom, err error) {
	pe := k.PE
	begin := time.Now()
	defer func() { pe.Counts.StoreSeconds += meter.Since(begin) }()
	if invariants.Enabled {
		for i := range pe.KPs {
			invariants.Check(pe.KPs[i].History.Empty(), "KP %d of PE %d has a history at a checkpoint", i, pe.ID)
		}
	}
	c := copier{pe: pe, parts: make([]*rio.Part, len(pe.KPs)), lines: make([]uint32, len(pe.KPs)), kinds: kindsOf(pe.Run)}
	c.kps, c.from = make([]uint32, len(pe.LPs)), pe.From()
	c.lp.Streams = make([]rng.StreamState, pe.Run.Set.Streams.PerLP)
	for i := range c.parts {
		c.parts[i] = &rio.Part{Index: make([]rio.IndexEntry, 0, pe.KPs[i].LPs)}
	}
	sizes, err := c.measureLPs()
	if err != nil {
		return nil, nil, err
	}
	into.findScratch(pe.LPs)
	keys := k.waiting()
	defer k.wait(keys)
	c.measureEvents(keys, sizes)
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	const entry = int(unsafe.Sizeof(rio.IndexEntry{}))
	besides := len(keys)*int(unsafe.Sizeof(event.Key{})) + 2*len(pe.LPs)*entry
	if c.room, err = k.newRoom(sum, besides, into.folder); err != nil {
		into.fail(err) // this checkpoint cannot be stored, but the run goes on
		return nil, nil, nil
	}
	for i, n := range sizes {
		c.parts[i].Data = c.room.bytes(n)
	}
	for i := range pe.LPs {
		if err := c.addLP(&pe.LPs[i]); err != nil {
			return nil, c.room, err
		}
	}
	for len(keys) > 0 {
		keys = c.addEvents(keys)
	}
	return c.parts, c.room, nil
}

// measureLPs returns the bytes that the LPs of each KP take, and makes the index of the LPs.
func (c *copier) measureLPs() ([]int, error) {
	sizes := make([]int, len(c.parts))
	for i := range c.pe.LPs {
		lp := &c.pe.LPs[i]
		c.pe.Show(lp)
		n, err := serializedSize(lp)
		if err != nil {
			return nil, err
		}
		c.kps[i] = uint32(lp.KP.ID)
		p := c.parts[lp.KP.ID]
		p.Index = append(p.Index, rio.IndexEntry{GID: uint64(lp.ID), Size: uint64(n)})
		sizes[lp.KP.ID] += rio.LPSize(len(c.lp.Streams), n) + timersSize(lp) + stopSize(lp)
	}
	return sizes, nil
}

// measureEvents adds the bytes that the events take, those that are known without the
// lineages.
func (c *copier) measureEvents(keys []event.Key, sizes []int) {
	for _, k := range keys {
		e := c.pe.Arena.At(k.Index())
		if i := e.Dst - c.from; int(i) < len(c.kps) { // it is not for an analysis LP
			sizes[c.kps[i]] += rio.EventSize(1, int(c.pe.MessageOf(e).Size))
		}
	}
}

// addLP copies an LP.
func (c *copier) addLP(lp *kernel.LP) error {
	c.pe.Show(lp)
	p := c.parts[lp.KP.ID]
	r := &c.lp
	r.GID, r.Type, r.Now, r.Digest = uint64(lp.ID), uint32(lp.Type().ID), lp.Now, lp.Digest()
	r.Suspended, r.Code = lp.Suspended(), lp.Code()
	r.Core = lp.Core.State()
	r.Streams[0] = lp.RNG.State()
	for i := range lp.More() {
		r.Streams[i+1] = lp.More()[i].State()
	}
	r.Timers, r.StopAt = appendTimers(r.Timers[:0], lp), lp.StopsAt()
	n := int(p.Index[p.LPs].Size)
	if s := &lp.Type().Serial; s.Put == nil && s.Shape.Dense() {
		r.State = unsafe.Slice((*byte)(lp.State), n)
	} else {
		r.State = c.buffer(n)
		serialize(lp, r.State)
	}
	before := len(p.Data)
	p.Data = rio.AppendLP(p.Data, r)
	c.room.touch(len(p.Data) - before)
	p.LPs++
	return nil
}

// buffer returns n zeroed bytes, which are valid until the next call.
func (c *copier) buffer(n int) []byte {
	if need := (n + 7) / 8; need > len(c.words) {
		c.words = make([]uint64, 2*need)
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.words))), n)
	clear(b)
	return b
}

// addEvents copies the next events of the queue and returns the rest of the queue. It first
// reads a word of each event, because these reads do not wait for each other.
func (c *copier) addEvents(keys []event.Key) []event.Key {
	const near = 64
	next := keys[:min(near, len(keys))]
	sum := uint64(0)
	for _, k := range next {
		sum += c.pe.Arena.At(k.Index()).Src
	}
	c.pe.Touched = sum // keeps the compiler from dropping the reads
	for _, k := range next {
		c.addEvent(c.pe.Arena.At(k.Index()))
	}
	return keys[len(next):]
}

// addEvent copies an event. Events come in the order of their signatures, so events of a chain
// without delay are adjacent.
func (c *copier) addEvent(e *event.Event) {
	pe := c.pe
	i := e.Dst - c.from
	if int(i) >= len(c.kps) {
		return // analysis LPs are not part of the model
	}
	kp, m := c.kps[i], pe.MessageOf(e)
	r := &c.ev
	r.Src, r.Dst, r.Recv, r.Send, r.Priority = e.Src, pe.GID(e.Dst), e.Time, e.SendTime, e.Prio
	kind := c.kinds[e.Type]
	r.Type, r.Bits = kind.row, kind.bits
	r.Shared, r.Own = 0, append(r.Own[:0], e.Tie)
	if e.Lineage != 0 {
		lines := pe.Arena.Lines
		common := uint32(0)
		if before := c.lines[kp]; before != 0 {
			common = lines.Common(e.Lineage, before)
		}
		if common > 0 { // the first tie-breaker is then also the same
			r.Shared, r.Own = common+1, r.Own[:0]
		}
		c.words = lines.AppendBits(c.words[:0], e.Lineage, common)
		for _, w := range c.words {
			r.Own = append(r.Own, math.Float64frombits(w))
		}
	}
	c.lines[kp] = e.Lineage
	size := int(m.Size)
	r.Msg = c.message(m, unsafe.Slice((*byte)(pe.Arena.Sent(e)), size)) // as it was sent, even if the event was undone
	p := c.parts[kp]
	before := len(p.Data)
	p.Data = rio.AppendEvent(p.Data, r)
	c.room.touch(len(p.Data) - before)
	p.Events++
}

// message returns the bytes of a message without the padding between its values.
func (c *copier) message(m *kernel.Message, msg []byte) []byte {
	if m.Raw || len(m.Spans) == 1 && m.Spans[0] == (plain.Span{Size: uintptr(len(msg))}) || len(msg) == 0 {
		return msg
	}
	b := c.buffer(len(msg))
	for _, s := range m.Spans {
		copy(b[s.Off:s.Off+s.Size], msg[s.Off:])
	}
	return b
}

// waiting removes all events from the queue, in the order of their signatures. It frees those that
// are cancelled or have lapsed, and returns the others.
func (k *Keeper) waiting() []event.Key {
	pe := k.PE
	keys := make([]event.Key, 0, pe.Queue.Len())
	for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
		switch e := pe.Arena.At(k.Index()); {
		case e.State == event.Cancelled:
			pe.DropCancelled(e, k.Index())
		case pe.HasLapsed(e):
			pe.DropLapsed(e, k.Index())
		default:
			keys = append(keys, k)
		}
	}
	return keys
}

// wait puts events back into the queue.
func (k *Keeper) wait(keys []event.Key) {
	pe := k.PE
	for _, k := range keys {
		pe.Queue.Push(k)
	}
}

// The memory of a copy. It counts towards the ceiling; a copy that finds no room
// under it goes to a file without a name next to the checkpoint.

// dropEach is the number of bytes of a file after which the memory of the whole is given back.
const dropEach = 4 << 20

// copyRoom is the memory of the copy of a PE.
type copyRoom struct {
	budget  *mem.Budget
	charged uint64
	filed   []byte // in a file; nil: in Go's heap
	rest    []byte // of filed, not given out yet
	touched int    // bytes of filed written or read since they were last dropped
	release func() // of filed
}

// newRoom makes room for n bytes of data, and counts extra bytes that are there in any case.
func (k *Keeper) newRoom(n, extra int, folder string) (*copyRoom, error) {
	r := &copyRoom{budget: k.PE.Budget}
	if r.charge(n+extra) || k.relieve() && r.charge(n+extra) {
		return r, nil
	}
	r.budget.Take(uint64(extra))
	r.charged = uint64(extra)
	if n == 0 {
		return r, nil
	}
	var err error
	r.filed, r.release, err = mem.Filed(folder, n)
	if r.rest = r.filed; err != nil {
		r.give()
	}
	return r, err
}

// charge charges n bytes, unless they are too many.
func (r *copyRoom) charge(n int) bool {
	if r.budget.Charge(uint64(n)) != nil {
		return false
	}
	r.charged = uint64(n)
	return true
}

// relieve gives back what the PE can do without while it stands still: its histories are empty.
func (k *Keeper) relieve() bool {
	pe := k.PE
	pe.Arena.GiveBack()
	pe.DropHistories()
	return true
}

// bytes returns room for n bytes, to be appended to.
func (r *copyRoom) bytes(n int) []byte {
	if r.filed == nil {
		b := make([]byte, 0, n)
		mem.AdviseHuge(unsafe.Pointer(unsafe.SliceData(b)), uintptr(n))
		return b
	}
	b := r.rest[:0:n]
	r.rest = r.rest[n:]
	return b
}

// touch is called when n bytes of the room have been written or read.
func (r *copyRoom) touch(n int) {
	if r.filed == nil {
		return
	}
	if r.touched += n; r.touched >= dropEach {
		r.touched = 0
		mem.Drop(r.filed)
	}
}

// give gives the memory back. r may be nil, and nothing of it may be used afterwards.
func (r *copyRoom) give() {
	if r == nil {
		return
	}
	r.budget.Give(r.charged)
	if r.release != nil {
		r.release()
	}
	*r = copyRoom{budget: r.budget}
}

// freeRooms gives back the memory of the copy: it has been written, or will not be.
func (c *Copied) freeRooms() {
	c.lock.Lock()
	rooms := c.rooms
	c.rooms = nil
	c.lock.Unlock()
	c.parts, c.index = nil, nil
	for _, r := range rooms {
		r.give()
	}
}

// used is called when a part has been read: what is in a file need not stay in memory.
func (c *Copied) used(p *rio.Part) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(p.Data)))
	for _, r := range c.rooms {
		if from := uintptr(unsafe.Pointer(unsafe.SliceData(r.filed))); r.filed != nil && at-from < uintptr(len(r.filed)) {
			mem.Drop(r.filed)
		}
	}
}

// folderOf returns the folder of a checkpoint with this name, or of those of the running simulation.
func (s *Checkpoints) folderOf(name string) string {
	if name == "" {
		name = s.Run.Set.Checkpoints.Name
	}
	return filepath.Dir(name)
}
