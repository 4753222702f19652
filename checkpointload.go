// This file owns the start of a run from a checkpoint: what fits, what is read, and how
// LPs and events come to be what they were.

package ross

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

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/rio"
)

// latest is the name that stands for the newest checkpoint of a running simulation.
const latest = "latest"

// loading is a checkpoint that a run starts from.
type loading struct {
	name   string
	mode   LoadMode
	cp     *rio.Checkpoint
	types  []*lpType // by their number in the checkpoint
	asROSS bool
	clock  float64
	parts  []loadedPart
}

// loadedPart is a partition that was read.
type loadedPart struct {
	c      *rio.Contents // at its events
	behind rio.Place     // the last LP
	clock  float64       // virtual time at which its events were stored
	events []bool        // by PE of this rank: it has events for it
}

// record is where the record of an LP is.
type record struct {
	part atomic.Int32 // number of the partition, from 1
	at   rio.Place
}

// put reports whether there was no other.
func (r *record) put(part int, at rio.Place) bool {
	if !r.part.CompareAndSwap(0, int32(part)+1) {
		return false
	}
	r.at = at
	return true
}

// again returns the events of a partition.
func (p *loadedPart) again() *rio.Contents {
	c := p.c.Again()
	c.Events(p.behind)
	return c
}

func (l *loading) close() {
	if l != nil && l.cp != nil {
		_ = l.cp.Close()
	}
}

// fail is an error about the checkpoint, with what to do about it, if there is anything.
func (l *loading) fail(err error, fix, format string, args ...any) error {
	err = fmt.Errorf("ross: checkpoint %s: %s: %w", l.name, fmt.Sprintf(format, args...), err)
	if fix != "" {
		err = fmt.Errorf("%w: %s", err, fix)
	}
	return err
}

// ErrCheckpoint is what errors about checkpoints are that belong to another model or to
// other options (errors.Is). Damaged and foreign files are errors of package rio.
var ErrCheckpoint = errors.New("not a checkpoint of this simulation")

const sameModel = "use the version of the model that stored it"

// openLoading reads the manifest and sees whether it fits.
func (s *Simulation) openLoading(name string, mode LoadMode) (*loading, error) {
	cp, err := rio.Open(name)
	if err != nil {
		return nil, err
	}
	if newer := cp.Newer(); newer != nil {
		s.caution("checkpoint %s is the one before the newest of this name: %s", filepath.Clean(name), reason(newer))
	}
	l := &loading{name: name, mode: mode, cp: cp, asROSS: s.cfg.IOAsROSS || cp.Original()}
	if !l.asROSS {
		l.clock = cp.Info().Clock
	}
	if err := l.fits(s); err != nil {
		return l, err
	}
	return l, nil
}

// fits compares the checkpoint with the simulation.
func (l *loading) fits(s *Simulation) error {
	info := l.cp.Info()
	switch {
	case info.LPs != s.total:
		return l.fail(ErrCheckpoint, "have as many: --nlp times PEs", "it has %d LPs, the simulation has %d", info.LPs, s.total)
	case uint64(info.Streams) != s.cfg.RNGsPerLP:
		return l.fail(ErrCheckpoint, "set Config.RNGsPerLP", "its LPs have %d random streams, those of the simulation %d", info.Streams, s.cfg.RNGsPerLP)
	case !l.asROSS && l.clock >= s.cfg.End:
		return l.fail(ErrCheckpoint, "raise --end, or load it with --io-as-ross, which starts the clock at 0",
			"it was stored at virtual time %g, and the run ends at %g", l.clock, s.cfg.End)
	}
	for _, job := range l.cp.Jobs() {
		if !l.asROSS && job.Clock != l.clock {
			return l.fail(ErrCheckpoint, "load it with --io-as-ross, which starts all at 0",
				"it was put together from simulations stored at virtual times %g and %g", job.Clock, l.clock)
		}
	}
	if l.cp.Original() {
		return nil
	}
	if err := l.compareOptions(s); err != nil {
		return err
	}
	for i := range info.Types {
		t, err := l.typeLike(s, i, &info.Types[i])
		if err != nil {
			return err
		}
		l.types = append(l.types, t)
	}
	return nil
}

// typeLike returns the type of LPs that type i of the checkpoint is.
func (l *loading) typeLike(s *Simulation, i int, is *rio.Type) (*lpType, error) {
	at := slices.IndexFunc(s.types, func(t *lpType) bool { return t.name == is.Name })
	if i < len(s.types) && s.types[i].name == is.Name { // of several with one name
		at = i
	}
	if at < 0 {
		var names []string
		for _, t := range s.types {
			names = append(names, t.name)
		}
		return nil, l.fail(ErrCheckpoint, sameModel, "it has LPs of type %q, which the model has not, only %q", is.Name, names)
	}
	t := s.types[at]
	switch {
	case is.MessageSize != uint64(t.msgSize):
		return nil, l.fail(ErrCheckpoint, sameModel, "messages to LPs of type %q have %d bytes in it, and %d in the model", t.name, is.MessageSize, t.msgSize)
	case is.Message != t.serial.message:
		return nil, l.fail(ErrCheckpoint, sameModel, "messages to LPs of type %q have other fields in it than in the model", t.name)
	case is.Serialized != (t.serial.get != nil):
		return nil, l.fail(ErrCheckpoint, sameModel, "states of LPs of type %q were serialized by the model, or are now, but not both", t.name)
	case !is.Serialized && is.StateSize != uint64(t.stateSize):
		return nil, l.fail(ErrCheckpoint, sameModel, "states of LPs of type %q have %d bytes in it, and %d in the model", t.name, is.StateSize, t.stateSize)
	case !is.Serialized && is.State != t.serial.state:
		return nil, l.fail(ErrCheckpoint, sameModel, "states of LPs of type %q have other fields in it than in the model", t.name)
	}
	return t, nil
}

// restart loads what Config.IORestart names. All ranks call it.
func (s *Simulation) restart() error {
	name, note := s.cfg.IORestart, ""
	if name == "" {
		return nil
	}
	var err error
	if name == latest {
		if s.rank == 0 {
			var refused []error
			name, refused, err = rio.Newest(s.cfg.IOName)
			s.tellRefused(name, refused)
			if errors.Is(err, rio.ErrNone) && !slices.ContainsFunc(refused, func(err error) bool { return !neverWas(err) }) {
				name, err, note = "", nil, fmt.Sprintf("There is no checkpoint %s-*: the run starts from its beginning\n\n", s.cfg.IOName)
			}
		}
		if err = s.agree(err); err == nil && s.ranks > 1 {
			var found []byte
			found, err = s.world.Bcast([]byte(name), 0)
			name = string(found)
		}
	}
	if err != nil || name == "" {
		s.printf("%s", note)
		return err
	}
	if err := s.loadNamed(name, LoadInit); err != nil {
		return err
	}
	s.printf("Restart at time %g from checkpoint %s\n\n", s.io.load.cp.Info().Clock, name)
	return nil
}

// tellRefused tells which checkpoints were passed over for an older one, "" if there is none, and why. What was
// left of one that was never complete is not worth a word.
func (s *Simulation) tellRefused(instead string, refused []error) {
	for _, err := range refused {
		var why *rio.RefusedError
		if !errors.As(err, &why) || neverWas(err) {
			continue
		}
		if s.io.refused == nil {
			s.io.refused = map[string]bool{}
		}
		s.io.refused[why.Name] = true
		if instead != "" { // else the error tells of all
			s.caution("checkpoint %s is not used, %s is used instead: %s", filepath.Clean(why.Name), filepath.Clean(instead), reason(err))
		}
	}
}

// neverWas reports whether an error of Newest is about files that never were a checkpoint.
func neverWas(err error) bool { return errors.Is(err, rio.ErrNone) && !errors.Is(err, rio.ErrDamaged) }

// reason is the text of an error of package rio without what frames it.
func reason(err error) string {
	return strings.TrimSuffix(strings.TrimPrefix(err.Error(), "ross: checkpoint: "), ": load another checkpoint")
}

// readCheckpoint reads what the LPs of this rank need, on all processors.
func (s *Simulation) readCheckpoint() error {
	l := s.io.load
	if l == nil {
		return nil
	}
	begin := time.Now()
	defer func() { s.io.loading += meter.Since(begin) }()
	for _, pe := range s.pes {
		pe.records = make([]record, len(pe.lpSlab))
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

// needed returns which partitions have something for this rank.
func (l *loading) needed(s *Simulation, entries []rio.Entry) ([]bool, error) {
	needed := make([]bool, len(entries))
	if s.ranks == 1 || l.asROSS { // there events belong to who sent them
		for i := range needed {
			needed[i] = true
		}
		return needed, nil
	}
	index, err := l.cp.Index()
	if err != nil {
		return nil, err
	}
	for i := range entries {
		n := int(entries[i].LPs)
		for _, lp := range index[:n] {
			needed[i] = needed[i] || lp.GID < s.total && s.LP(LPID(lp.GID)) != nil
		}
		index = index[n:]
	}
	return needed, nil
}

// readPart reads a partition: it finds the records of this rank's LPs, and looks at the
// events.
func (l *loading) readPart(s *Simulation, i int, clock float64) error {
	c, err := l.cp.Read(i)
	if err != nil {
		return err
	}
	p := &l.parts[i]
	p.c, p.clock, p.events = c, clock, make([]bool, len(s.pes))
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
		if lp.GID >= s.total {
			return l.fail(rio.ErrDamaged, "", "partition %d: LP %d: ids go from 0 to %d", i, lp.GID, s.total-1)
		}
		pe, local := s.layout.Locate(lp.GID)
		if here := s.PE(PEID(pe)); here != nil && !here.records[local].put(i, at) {
			return l.fail(rio.ErrDamaged, "", "partition %d: LP %d is there twice", i, lp.GID)
		}
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
		if l.asROSS {
			gid = e.Src
		}
		pe, _ := s.layout.Locate(gid)
		if s.PE(PEID(pe)) != nil {
			p.events[PEID(pe)-s.base] = true
		}
	}
}

// checkEvent returns an error about an event that cannot be.
func (l *loading) checkEvent(s *Simulation, e *rio.Event, part int) error {
	what := ""
	switch {
	case e.Dst >= s.total || e.Src >= s.total:
		what = fmt.Sprintf("ids of LPs go from 0 to %d", s.total-1)
	case !(e.Recv >= 0 && e.Recv <= math.MaxFloat64):
		what = fmt.Sprintf("at time %g", e.Recv)
	case !(e.Priority >= 0 && e.Priority <= 1):
		what = fmt.Sprintf("priority %g", e.Priority)
	default:
		if t := s.typeAt(LPID(e.Dst)); uint64(len(e.Msg)) != uint64(t.msgSize) {
			return l.fail(ErrCheckpoint, sameModel, "partition %d: an event for LP %d (%s) has a message of %d bytes, the model's have %d",
				part, e.Dst, t.name, len(e.Msg), t.msgSize)
		}
		return nil
	}
	return l.fail(rio.ErrDamaged, "", "partition %d: an event from LP %d to LP %d: %s", part, e.Src, e.Dst, what)
}

// whole returns an error if an LP of this rank is missing.
func (l *loading) whole(s *Simulation) error {
	for _, pe := range s.pes {
		for local := range pe.records {
			if pe.records[local].part.Load() == 0 {
				return l.fail(rio.ErrDamaged, "", "LP %d is missing", pe.lpSlab[local].id)
			}
		}
	}
	return nil
}

// loadLP makes an LP what it was when the checkpoint was stored.
func (l *loading) loadLP(lp *LP, r *rio.LP) error {
	pe := lp.pe
	at := &pe.records[lp.local()]
	part := at.part.Load() - 1
	if pe.reader == nil || pe.reads != part {
		pe.reads, pe.reader = part, l.parts[part].c.Again()
	}
	if err := pe.reader.LP(at.at, r); err != nil {
		return err
	}
	if !l.cp.Original() {
		if int(r.Type) >= len(l.types) || l.types[r.Type] != lp.typ {
			name := fmt.Sprint(r.Type)
			if int(r.Type) < len(l.types) {
				name = l.types[r.Type].name
			}
			return l.fail(ErrCheckpoint, "give the type map that it was stored with", "LP %d is of type %q in it, and %q in the model", lp.id, name, lp.typ.name)
		}
		lp.core.SetState(r.Core)
	}
	if len(r.Streams) != 1+len(lp.more) {
		return l.fail(rio.ErrDamaged, "", "LP %d has %d random streams", lp.id, len(r.Streams))
	}
	lp.rng.SetState(r.Streams[0])
	for i := range lp.more {
		lp.more[i].SetState(r.Streams[i+1])
	}
	if !l.asROSS {
		lp.now, lp.digest = r.Now, r.Digest
	}
	if r.Suspended {
		lp.ignoreEvents(r.Code)
	}
	return lp.deserialize(r.State)
}

// loadEvents puts the events into the queue that wait for the LPs of the PE, or, as ROSS
// does, has the LPs of the PE send anew what they had sent.
func (pe *PE) loadEvents() {
	l := pe.sim.io.load
	if l == nil || pe.err != nil {
		return
	}
	begin := time.Now()
	for i := range l.parts {
		p := &l.parts[i]
		if l.asROSS {
			p = &l.parts[len(l.parts)-1-i]
		}
		if pe.err != nil || p.c == nil || !p.events[pe.id-pe.sim.base] {
			continue
		}
		var err error
		if l.asROSS {
			err = pe.resend(p, l)
		} else {
			err = pe.loadPart(p)
		}
		if err != nil {
			pe.fail(err)
		}
	}
	pe.records, pe.reader = nil, nil
	pe.loadSeconds = meter.Since(begin)
}

// loadPart loads the events of a partition for the PE's LPs.
func (pe *PE) loadPart(p *loadedPart) error {
	s := pe.sim
	lines := pe.arena.Lines
	c := p.again()
	node := uint32(0) // of the event loaded last
	defer func() { lines.Drop(node) }()
	shared := uint32(0) // what the event read now has in common with that
	var e rio.Event
	for {
		ok, err := c.NextEvent(&e)
		if err != nil || !ok {
			return err
		}
		shared = min(shared, e.Shared)
		id, local := s.layout.Locate(e.Dst)
		if PEID(id) != pe.id {
			continue
		}
		ties := c.Lineage()
		lineage, err := pe.loadLineage(node, shared, ties)
		if err == nil {
			err = pe.loadEvent(&e, uint32(local), ties[0], lineage)
		}
		if err != nil {
			return fmt.Errorf("ross: checkpoint: event for LP %d: %w: raise --max-memory", e.Dst, err)
		}
		lines.Keep(lineage)
		lines.Drop(node)
		node, shared = lineage, uint32(len(ties))
	}
}

// loadLineage returns the node of a lineage, of which so many tie-breakers are those of
// another node.
func (pe *PE) loadLineage(before, shared uint32, ties []float64) (uint32, error) {
	lines := pe.arena.Lines
	node, depth := uint32(0), uint32(0)
	if shared > 1 {
		depth = min(shared-1, uint32(len(ties)-1), lines.Depth(before))
		node = lines.Ancestor(before, depth)
	}
	lines.Keep(node)
	for _, tie := range ties[depth+1:] {
		next, err := lines.Extend(node, tie)
		lines.Drop(node) // its child holds it
		if err != nil {
			return 0, err
		}
		node = next
	}
	return node, nil
}

// loadEvent puts an event into the queue, with its lineage.
func (pe *PE) loadEvent(r *rio.Event, local uint32, tie float64, lineage uint32) error {
	e, i, err := pe.arena.Alloc()
	if err != nil {
		return err
	}
	e.Time, e.Tie, e.SendTime, e.Src, e.Prio = r.Recv, tie, r.Send, r.Src, r.Priority
	e.Dst, e.State, e.Lineage, e.Type = local, event.Pending, lineage, 0
	if pe.typeOf != nil {
		e.Type = pe.typeOf[local]
	}
	if size := uintptr(len(r.Msg)); size > pe.arena.Inline() {
		if err := pe.arena.AllocBlock(e, size); err != nil {
			pe.arena.Free(e, i)
			return err
		}
	}
	copyMessage(e, r.Msg)
	pe.q.Push(event.KeyOf(e, i))
	return nil
}

// copyMessage copies bytes into the payload of an event.
func copyMessage(e *event.Event, msg []byte) {
	if len(msg) > 0 {
		copy(unsafe.Slice((*byte)(event.Payload(e)), len(msg)), msg)
	}
}

// resend has the LPs of the PE send the events of a partition, the last first, as ROSS does.
func (pe *PE) resend(p *loadedPart, l *loading) error {
	s := pe.sim
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
		if id, _ := s.layout.Locate(e.Src); PEID(id) == pe.id {
			all = append(all, e)
		}
	}
	defer func() { pe.running = nil }()
	for _, e := range slices.Backward(all) {
		lp := s.LP(LPID(e.Src))
		pe.running = lp
		t := s.typeAt(LPID(e.Dst))
		to := lp.schedule(LPID(e.Dst), max(e.Recv-p.clock, 0), DefaultPriority, t.msg, t.msgSize)
		if to != nil {
			copy(unsafe.Slice((*byte)(to), len(e.Msg)), e.Msg)
		}
		if pe.err != nil {
			return nil
		}
	}
	return nil
}

// loaded is called when all PEs have what they need from the checkpoint, which is large.
func (s *Simulation) loaded() {
	if l := s.io.load; l != nil {
		l.parts = nil
	}
}

// load makes an LP what it was, and reports whether it could.
func (pe *PE) load(lp *LP, record *rio.LP) bool {
	err := pe.sim.io.load.loadLP(lp, record)
	if err != nil {
		pe.fail(err)
	}
	return err == nil
}

// prepareIO reads what the run starts from, and prepares what it is to store. All ranks
// call it.
func (s *Simulation) prepareIO() error {
	if err := s.restart(); err != nil {
		return err
	}
	if s.cfg.storesRunning() {
		if err := s.agree(s.keepEvents()); err != nil {
			return err
		}
		s.tellFiles()
	}
	if !s.io.keeps {
		return nil
	}
	err := s.storable() // known only now if InitIO was called before Define
	if err == nil {
		err = s.readCheckpoint()
	}
	if err = s.agree(err); err != nil {
		return err
	}
	if s.io.load != nil {
		s.io.load.tellVersions(s)
	}
	if l := s.io.load; l != nil && s.cfg.Digest && !l.asROSS && !l.cp.Info().Digests {
		s.printf("The checkpoint was stored without --digest: the digest will be that of the events after it\n\n")
	}
	for _, pe := range s.pes {
		pe.last = timeBits(pe.end)
		if math.IsInf(pe.end, 1) {
			pe.last = never
		}
	}
	return s.agree(s.beginStoring())
}
