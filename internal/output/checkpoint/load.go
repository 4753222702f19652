// This file owns the start of a run from a checkpoint: finding it, reading it, and restoring LPs and events.

package checkpoint

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/rio"
)

// latest is the name that stands for the newest checkpoint of a running simulation.
const latest = "latest"

// loading is the checkpoint that a run starts from.
type loading struct {
	name   string
	Mode   LoadMode
	cp     *rio.Checkpoint
	rows   []row        // by their number in the checkpoint
	AsROSS bool         // load as ROSS does: fresh tie-breakers, the clock at 0
	clock  float64      // virtual time at which the run starts
	warmUp float64      // at which the statistics of an earlier version begin
	parts  []loadedPart // by number of the partition
}

// loadedPart is a partition that has been read.
type loadedPart struct {
	c      *rio.Contents // nil if this rank does not need the partition
	behind rio.Place     // the end of the LPs, where events begin
	clock  float64       // virtual time at which the events were stored
	events []bool        // by PE of this rank: the partition has events for the PE
	seen   observation   // of its LPs of this rank
}

// lpPlace is the place of the record of an LP.
type lpPlace struct {
	part atomic.Int32 // number of the partition, from 1; 0 before it is known
	at   rio.Place
}

// put sets the place. It reports false if the place was already set.
func (r *lpPlace) put(part int, at rio.Place) bool {
	if !r.part.CompareAndSwap(0, int32(part)+1) {
		return false
	}
	r.at = at
	return true
}

// again returns the partition, positioned at its first event.
func (p *loadedPart) again() *rio.Contents {
	c := p.c.Again()
	c.Events(p.behind)
	return c
}

// close closes the files. l may be nil.
func (l *loading) close() {
	if l != nil && l.cp != nil {
		_ = l.cp.Close()
	}
}

// fail returns an error about the checkpoint. fix is what to do about it, if anything.
func (l *loading) fail(err error, fix, format string, args ...any) error {
	err = fmt.Errorf("ross: checkpoint %s: %s: %w", l.name, fmt.Sprintf(format, args...), err)
	if fix != "" {
		err = fmt.Errorf("%w: %s", err, fix)
	}
	return err
}

// restart loads the checkpoint that --io-restart names. All ranks call it.
func (s *Checkpoints) restart() error {
	name, note := s.Run.Set.Checkpoints.Restart, ""
	if name == "" {
		return nil
	}
	var err error
	if name == latest {
		if s.cluster.Rank == 0 {
			var refused []error
			name, refused, err = rio.Newest(s.Run.Set.Checkpoints.Name)
			s.reportRefused(name, refused)
			if errors.Is(err, rio.ErrNone) && !slices.ContainsFunc(refused, func(err error) bool { return !neverWas(err) }) {
				name, err, note = "", nil, fmt.Sprintf("There is no checkpoint %s-*: the run starts from its beginning\n\n",
					s.Run.Set.Checkpoints.Name)
			}
		}
		if err = s.cluster.Agree(err); err == nil && s.cluster.Ranks > 1 {
			var found []byte
			found, err = s.cluster.World.Bcast([]byte(name), 0)
			name = string(found)
		}
	}
	if err != nil || name == "" {
		s.Run.Printf("%s", note)
		return err
	}
	if err := s.LoadNamed(name, LoadInit); err != nil {
		return err
	}
	s.Run.Printf("Restart at time %g from checkpoint %s\n\n", s.Load.cp.Info().Clock, name)
	return nil
}

// reportRefused reports which checkpoints were skipped, and why. instead is the older one that
// is used, or "" without a checkpoint. It does not mention the remains of checkpoints that were
// never complete.
func (s *Checkpoints) reportRefused(instead string, refused []error) {
	for _, err := range refused {
		var why *rio.RefusedError
		if !errors.As(err, &why) || neverWas(err) {
			continue
		}
		if s.refused == nil {
			s.refused = map[string]bool{}
		}
		s.refused[why.Name] = true
		if instead != "" { // otherwise the error mentions all of them
			s.Run.Caution("checkpoint %s is not used, %s is used instead: %s", filepath.Clean(why.Name), filepath.Clean(instead),
				reason(err))
		}
	}
}

// neverWas reports whether an error of rio.Newest is about files that never were a checkpoint.
func neverWas(err error) bool { return errors.Is(err, rio.ErrNone) && !errors.Is(err, rio.ErrDamaged) }

// reason returns the text of an error of package rio without its standard beginning and end.
func reason(err error) string {
	return strings.TrimSuffix(strings.TrimPrefix(err.Error(), "ross: checkpoint: "), ": load another checkpoint")
}

// readCheckpoint reads what the LPs of this rank need, on all processors.
func (s *Checkpoints) readCheckpoint() error {
	l := s.Load
	if l == nil {
		return nil
	}
	begin := time.Now()
	defer func() { s.Loading += meter.Since(begin) }()
	for _, k := range s.Keepers {
		k.places = make([]lpPlace, len(k.PE.LPs))
	}
	entries := l.cp.Entries()
	needed, err := l.needed(s, entries)
	if err != nil {
		return err
	}
	l.parts = make([]loadedPart, len(entries))
	err = onProcessors(len(entries), func(i int) error {
		if !needed[i] {
			return nil
		}
		return l.readPart(s, i, l.cp.Jobs()[entries[i].Job].Clock)
	})
	if err != nil {
		return err
	}
	return l.whole(s)
}

// needed returns, for each partition, whether this rank needs it. It reads the index also where that does not
// matter, so that every run finds damage of it. ROSS's own has no checksum.
func (l *loading) needed(s *Checkpoints, entries []rio.Entry) ([]bool, error) {
	var index []rio.IndexEntry
	if !l.cp.Original() {
		var err error
		if index, err = l.cp.Index(); err != nil {
			return nil, err
		}
	}
	needed := make([]bool, len(entries))
	if s.cluster.Ranks == 1 || l.AsROSS { // loading as ROSS, events belong to their senders
		for i := range needed {
			needed[i] = true
		}
		return needed, nil
	}
	for i := range entries {
		n := int(entries[i].LPs)
		for _, lp := range index[:n] {
			needed[i] = needed[i] || lp.GID < s.Run.Total && s.Run.LP(lp.GID) != nil
		}
		index = index[n:]
	}
	return needed, nil
}

// readPart reads a partition: it finds the records of this rank's LPs, and checks the events.
func (l *loading) readPart(s *Checkpoints, i int, clock float64) error {
	c, err := l.cp.Read(i)
	if err != nil {
		return err
	}
	p := &l.parts[i]
	p.c, p.clock, p.events = c, clock, make([]bool, len(s.Keepers))
	var lp rio.LP
	for {
		at := c.Place()
		ok, err := c.NextLP(&lp)
		if err != nil {
			return err
		}
		if p.behind = at; !ok {
			break
		}
		if lp.GID >= s.Run.Total {
			return l.fail(rio.ErrDamaged, "", "partition %d: LP %d: ids go from 0 to %d", i, lp.GID, s.Run.Total-1)
		}
		pe, local := s.Run.Layout.Locate(lp.GID)
		here := s.keeperOf(pe)
		if here == nil {
			continue
		}
		if !here.places[local].put(i, at) {
			return l.fail(rio.ErrDamaged, "", "partition %d: %s appears twice", i, s.Run.NameOf(lp.GID))
		}
		p.seen.see(s, l, &lp)
	}
	var e rio.Event
	for {
		ok, err := c.NextEvent(&e)
		if err != nil || !ok {
			return err
		}
		if err := l.checkEvent(s, &e, i); err != nil {
			return err
		}
		gid := e.Dst
		if l.AsROSS {
			gid = e.Src
		}
		pe, _ := s.Run.Layout.Locate(gid)
		if s.keeperOf(pe) != nil {
			p.events[pe-s.Run.Base] = true
		}
	}
}

// checkEvent returns an error about an impossible event, or nil.
func (l *loading) checkEvent(s *Checkpoints, e *rio.Event, part int) error {
	what := ""
	switch {
	case e.Dst >= s.Run.Total || e.Src >= s.Run.Total:
		what = fmt.Sprintf("ids of LPs go from 0 to %d", s.Run.Total-1)
	case !(e.Recv >= 0 && e.Recv <= math.MaxFloat64):
		what = fmt.Sprintf("at time %g", e.Recv)
	case !(e.Priority >= 0 && e.Priority <= 1):
		what = fmt.Sprintf("priority %g", e.Priority)
	default:
		m := l.messageOf(s, e)
		if t := s.Run.TypeAt(e.Dst); m.To != t {
			return l.anotherType(s.Run.NameOf(e.Dst), m.To.Name, t)
		}
		if uintptr(len(e.Msg)) != m.Size {
			return l.fail(Err, sameModel, "partition %d: an event for %s (%s) has a message of %d bytes, the model's have %d",
				part, s.Run.NameOf(e.Dst), m.To.Name, len(e.Msg), m.Size)
		}
		return nil
	}
	return l.fail(rio.ErrDamaged, "", "partition %d: an event from %s to %s: %s", part, s.Run.NameOf(e.Src),
		s.Run.NameOf(e.Dst), what)
}

// anotherType returns an error about an LP that had another type.
func (l *loading) anotherType(lp, was string, is *kernel.Type) error {
	return l.fail(Err, "give the type map that it was stored with", "%s is of type %q in it, and %q in the model", lp, was,
		is.Name)
}

// whole returns an error if an LP of this rank is missing.
func (l *loading) whole(s *Checkpoints) error {
	for _, k := range s.Keepers {
		for local := range k.places {
			if k.places[local].part.Load() == 0 {
				return l.fail(rio.ErrDamaged, "", "%s is missing", s.Run.NameOf(k.PE.LPs[local].ID))
			}
		}
	}
	return nil
}

// loadLP restores an LP from the checkpoint.
func (l *loading) loadLP(k *Keeper, lp *kernel.LP, r *rio.LP) error {
	at, branch := &k.places[lp.Local()], k.Checkpoints.Run.Set.Checkpoints.Branch
	part := at.part.Load() - 1
	if k.reader == nil || k.reads != part {
		k.reads, k.reader = part, l.parts[part].c.Again()
	}
	if err := k.reader.LP(at.at, r); err != nil {
		return err
	}
	if !l.cp.Original() {
		if int(r.Type) >= len(l.rows) || l.rows[r.Type].t != lp.Type() {
			name := fmt.Sprint(r.Type)
			if int(r.Type) < len(l.rows) {
				name = l.rows[r.Type].name()
			}
			return l.anotherType(lp.Name(), name, lp.Type())
		}
		if !branch {
			lp.Core.SetState(r.Core)
		}
	}
	if len(r.Streams) != 1+len(lp.More()) {
		return l.fail(rio.ErrDamaged, "", "%s has %d random streams", lp.Name(), len(r.Streams))
	}
	if !branch {
		lp.RNG = r.Streams[0].Stream()
		for i := range lp.More() {
			lp.More()[i] = r.Streams[i+1].Stream()
		}
	}
	if !l.AsROSS {
		lp.Now = r.Now
		lp.SetDigest(r.Digest)
	}
	if err := restoreTimers(lp, r.Timers); err != nil {
		return err
	}
	if !l.AsROSS {
		restoreStop(lp, r.StopAt, l.parts[part].clock)
	}
	if r.Suspended {
		lp.IgnoreEvents(r.Code)
	}
	if l.cp.Original() { // ROSS stores no statistics
		return deserialize(lp, r.State)
	}
	state, statistics, ok := cutStatistics(lp.Type(), r.State)
	if !ok {
		return ioError(lp, "it has no statistics, and the model has", Err, sameModel)
	}
	if err := deserialize(lp, state); err != nil { // which may write the whole state
		return err
	}
	return l.getStatistics(lp, statistics)
}

// Loaded is called before the first event, when no PE needs the contents of the checkpoint any more. It
// releases their memory.
func (s *Checkpoints) Loaded() {
	if l := s.Load; l != nil {
		l.parts = nil
	}
	s.noteInitial()
}

// Load restores an LP from the checkpoint and reports whether it could. record is memory that
// it may use.
func (k *Keeper) Load(lp *kernel.LP, record *rio.LP) bool {
	pe := k.PE
	err := k.Checkpoints.Load.loadLP(k, lp, record)
	if err != nil {
		pe.Fail(err)
	}
	return err == nil
}

// The loading of a checkpoint's events into the queues.

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

// loadLineage returns the node of the lineage with the given tie-breakers. The first shared
// of them are also those of the node before.
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
	if pe.At(at).Lapsed(e) { // earlier versions stored such events
		pe.Arena.Free(e, i)
		return nil
	}
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
	defer pe.Leave()
	for _, e := range slices.Backward(all) {
		lp := s.Run.LP(e.Src)
		pe.Enter(lp)
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
