// This file checks samples of models, samples of memory, and event traces.

package check

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
)

// models is the state of the check of models' samples.
type models struct {
	lps map[uint64]*lpModel
	pes map[uint64]*peModel // by PE and mode
	together
}

type lpModel struct {
	size     int
	lastTS   float64 // of samples at virtual times
	lastReal float64 // likewise
}

type peModel struct{ gvt, real float64 }

// payload checks that payloads of an LP always have the same size, and reports
// whether there was an earlier one.
func (c *checker) payload(at *where, size int) (lp *lpModel, known bool) {
	lp, known = c.models.lps[at.lp]
	if !known {
		lp = &lpModel{size: size}
		c.models.lps[at.lp] = lp
	}
	if size != lp.size {
		c.find(at, "size of the payload", fmt.Sprintf("%d bytes as before", lp.size), text(size))
	}
	return lp, known
}

func (c *checker) model(r *instr.Record) {
	s, at := &r.Model, whereIs(r)
	c.known(at)
	c.place(at)
	c.sampled(at, [3]float64{float64(s.Mode), float64(s.GVT), r.Meta.RealTime})
	c.payload(at, len(s.Payload))
	if !(r.Meta.TS >= 0) {
		c.find(at, "virtual time", "not negative", text(r.Meta.TS))
	}
	if !(s.GVT >= 0) {
		c.find(at, "GVT", "not negative", text(s.GVT))
	}
	if !sound(r.Meta.RealTime) {
		c.find(at, "real time", "finite and not negative", text(r.Meta.RealTime))
	}

	if c.moving != nil {
		c.modelMoving(at, s, r.Meta.RealTime)
		return
	}
	key := uint64(s.PE)<<1 | uint64(s.Mode&1)
	p := c.models.pes[key]
	if p == nil {
		p = &peModel{}
		c.models.pes[key] = p
	}
	// The virtual time is that of a KP, which may be rolled back, so it can go back.
	if float64(s.GVT) < p.gvt {
		c.find(at, "GVT", text(float32(p.gvt))+" as before on this PE, or later", text(s.GVT))
	}
	c.notBack(at, "real time", p.real, r.Meta.RealTime)
	p.gvt, p.real = float64(s.GVT), r.Meta.RealTime
}

// modelTimes is the state of the check of the times of models' samples when KPs may have moved: those of a
// PE are in several places of the file.
type modelTimes struct {
	lps    map[lpMode]*modelTime
	before [2]modelRecord // the last two records, the latest first
}

type lpMode struct {
	lp   uint32
	mode int32
}

type modelTime struct {
	gvt  float32
	real float64
}

type modelRecord struct {
	at   *where
	mode int32
	modelTime
}

// modelMoving checks the times of a model's sample: those of an LP never go back, and LPs that are sampled
// together, by one PE, have the same.
func (c *checker) modelMoving(at *where, s *instr.ModelStats, real float64) {
	m := &c.moving.models
	now := modelRecord{at, s.Mode, modelTime{s.GVT, real}}
	last, first := m.before[0], m.before[1]
	m.before = [2]modelRecord{now, last}
	if last.at != nil && last.mode == now.mode && last.real == real {
		c.moving.seen = c.moving.seen || last.at.pe != at.pe
		if s.GVT != last.gvt {
			c.find(at, "GVT", text(last.gvt)+" as in the record before, of the same real time", text(s.GVT))
		}
	}
	if first.at != nil && first.mode == now.mode && last.mode == now.mode && first.modelTime == now.modelTime &&
		last.real != real {
		c.find(last.at, "real time", text(real)+" as in the records before and after it", text(last.real))
	}
	key := lpMode{s.LP, s.Mode}
	was := m.lps[key]
	if was == nil {
		was = &modelTime{}
		m.lps[key] = was
	}
	if s.GVT < was.gvt {
		c.find(at, "GVT", text(was.gvt)+" as before of this LP, or later", text(s.GVT))
	}
	if real < was.real-skew {
		c.find(at, "real time", text(was.real)+" as before of this LP, or later", text(real))
	}
	*was = now.modelTime
}

func (c *checker) vtModel(r *instr.Record) {
	s, at := &r.VTModel, whereIs(r)
	c.known(at)
	c.place(at)
	c.sampled(at, [3]float64{float64(s.PE), float64(s.KP), s.TS})
	if !sound(s.TS) {
		c.find(at, "virtual time", "finite and not negative", text(s.TS))
	}
	lp, known := c.payload(at, len(s.Payload))
	if known && s.TS <= lp.lastTS {
		c.find(at, "virtual time", "later than "+text(lp.lastTS)+" as before of this LP", text(s.TS))
	}
	lp.lastTS = s.TS
	if c.originals() {
		return
	}
	if !sound(s.RealTime) {
		c.find(at, "real time", "finite and not negative", text(s.RealTime))
	}
	if s.RealTime < lp.lastReal-skew {
		c.find(at, "real time", text(lp.lastReal)+" as before of this LP, or later", text(s.RealTime))
	}
	lp.lastReal = s.RealTime
}

// memories is the state of the check of samples of memory.
type memories struct {
	last    map[uint32]*memoryOf
	peTimes map[uint32][]times // of the samples of PEs by real time that are left; nil: they are not known
	rt      string             // the file with these
}

// memoryOf is the last sample of the memory of a PE.
type memoryOf struct {
	at    where
	real  float64
	limit uint64
}

// times are the virtual and the real time of a sample.
type times struct{ ts, real float64 }

func (c *checker) memory(r *instr.Record) {
	m := &c.memories
	if m.last == nil {
		m.last = map[uint32]*memoryOf{}
		m.readBeside(c.file)
	}
	now := &memoryOf{at: *whereIs(r), real: r.Meta.RealTime, limit: r.Memory.Limit}
	at := &now.at
	c.known(at)
	c.soundTimes(at, now.real)
	if was := m.last[r.Memory.PE]; was != nil {
		c.notBack(at, "virtual time", was.at.ts, at.ts)
		c.notBack(at, "real time", was.real, now.real)
		if now.limit != was.limit {
			c.find(at, "limit", text(was.limit)+" as before on this PE", text(now.limit))
		}
	}
	m.last[r.Memory.PE] = now
	if m.peTimes != nil {
		c.pair(at, now.real)
	}
}

// pair looks for the sample of the PE that a sample of its memory belongs to. Both files have them in order.
func (c *checker) pair(at *where, real float64) {
	m := &c.memories
	left, pe := m.peTimes[uint32(at.pe)], uint32(at.pe)
	i := 0
	for i < len(left) && left[i].real < real {
		i++
	}
	m.peTimes[pe] = left[i:]
	if i == len(left) || !same(left[i].real, real) {
		c.find(at, "sample", "one of the PE at real time "+text(real)+" in "+m.rt, "none")
		return
	}
	if left[i].ts != at.ts {
		c.find(at, "virtual time", text(left[i].ts)+" as in "+m.rt, text(at.ts))
	}
	if i > 0 && c.run.complete {
		c.find(at, "sample before", "one at real time "+text(left[0].real)+", as in "+m.rt, "none")
	}
	m.peTimes[pe] = left[i+1:]
}

// readBeside reads the times of the samples of PEs by real time in the same folder, unless they may lack something.
func (m *memories) readBeside(file string) {
	before, ok := strings.CutSuffix(file, instr.MemorySuffix+".bin")
	if !ok {
		return
	}
	r, err := instr.Open(before + instr.RTSuffix + ".bin")
	if err != nil {
		return
	}
	defer r.Close()
	peTimes := map[uint32][]times{}
	for rec, err := range r.All() {
		if err != nil {
			return // the check of that file reports it
		}
		if rec.Kind == instr.KindPE {
			peTimes[rec.PE.PE] = append(peTimes[rec.PE.PE], times{rec.Meta.TS, rec.Meta.RealTime})
		}
	}
	m.peTimes, m.rt = peTimes, filepath.Base(before+instr.RTSuffix+".bin")
}

// endMemory checks that there is no sample of a PE without its memory.
func (c *checker) endMemory() {
	m := &c.memories
	if m.last == nil {
		m.readBeside(c.file)
	}
	if !c.run.complete {
		return
	}
	for _, pe := range slices.Sorted(maps.Keys(m.peTimes)) {
		if left := m.peTimes[pe]; len(left) > 0 {
			c.add(c.follows(), "%s: pe %d: expected its memory also at real time %s, as in %s, found none", c.file, pe,
				text(left[0].real), m.rt)
		}
	}
}

func (c *checker) event(r *instr.Record) {
	e := &r.Event
	if size, known := c.sizes[e.Dest]; !known || size != len(e.Payload) {
		if c.sizes[e.Dest] = len(e.Payload); known { // once, not for each later event
			c.find(whereIs(r), "size of the payload", fmt.Sprintf("%d bytes as before for this LP", size), text(len(e.Payload)))
		}
	}
	sent, received := e.SendTS, e.RecvTS
	if !(sent <= received) { // NaN too
		c.find(whereIs(r), "time of receipt", "the time of sending, "+text(sent)+", or later", text(received))
	}
	if !sound(float64(e.RealTS)) {
		c.find(whereIs(r), "real time", "finite and not negative", text(e.RealTS))
	}
	if c.run.exact {
		c.exact(r)
	}
	if !c.committed {
		return
	}
	if last, known := c.lastDue[e.Dest]; known && received < last {
		c.find(whereIs(r), "order of committed events", "a time of receipt of "+text(last)+" or later", text(received))
	}
	c.lastDue[e.Dest] = received
}
