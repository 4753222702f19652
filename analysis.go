// This file owns analysis LPs: one for each KP, which the model does not see. Each sends
// itself an event for every virtual time at which samples are wanted, so that it
// meets the LPs of its KP as they are at that time, and is rolled back with them.

package ross

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/event"
)

// analysis is the state of an analysis LP.
type analysis struct {
	lps  []*LP // of the KP, those whose models give samples at virtual times
	size int   // bytes of their records, together
	// held are the samples of events that are not committed, oldest first: one may still be
	// undone, newest first.
	held  [][]byte
	spare [][]byte
}

// analysisType is the type of all analysis LPs.
var analysisType = &lpType{
	name: "analysis", saving: SaveByReverse, plain: true,
	event: samplePoint, reverse: unsamplePoint, commit: commitPoint,
}

// makeAnalysis makes the analysis LPs of a PE, whose places follow those of the model's
// LPs. Their ids are those of ROSS: after all of the model's.
func (pe *PE) makeAnalysis() {
	if len(pe.analysis) == 0 {
		return
	}
	states := make([]analysis, len(pe.analysis))
	for i := range pe.analysis {
		gid := pe.sim.total + uint64(pe.id)*pe.sim.cfg.NKP + uint64(i)
		pe.analysis[i] = LP{id: LPID(gid), event: samplePoint, pe: pe, typ: analysisType, kp: &pe.kps[i], state: unsafe.Pointer(&states[i])}
	}
	if asks(pe.sim.cfg.ModelStats, sampleByVT) {
		for i := range pe.lpSlab {
			if lp := &pe.lpSlab[i]; lp.typ.samplePoint != nil {
				s := &states[lp.kp.id]
				s.lps = append(s.lps, lp)
				s.size += instr.VTModelSize + lp.typ.pointSize
			}
		}
	}
	pe.states = append(pe.states, states)
}

// firstPoints schedules the first event of each analysis LP.
func (pe *PE) firstPoints() {
	if len(pe.analysis) == 0 {
		return
	}
	before := pe.sim.cfg.pointBefore(pe.sim.io.clock)
	for i := range pe.analysis {
		lp := &pe.analysis[i]
		lp.now = before
		pe.running = lp
		lp.nextPoint()
	}
	pe.running = nil
}

// pointBefore returns the last of the points that nextPoint comes to before a time, 0 if there
// is none: so a run that starts from a checkpoint has the points of one that was not stopped.
func (c *Config) pointBefore(clock float64) float64 {
	const most = 1 << 30 // steps, of a nanosecond
	at := 0.0
	if clock/c.VTInterval > most {
		at = min(math.Floor(clock/c.VTInterval-1)*c.VTInterval, math.Nextafter(clock, 0))
	}
	for next := at + c.VTInterval; next < clock && next > at; next += c.VTInterval {
		at = next
	}
	return at
}

// lastPoint returns the virtual time after which there are no samples.
func (c *Config) lastPoint() float64 {
	if c.VTSampEnd > 0 {
		return c.VTSampEnd
	}
	return c.End
}

// nextPoint schedules an analysis LP's next event, as schedule does for those of models.
func (lp *LP) nextPoint() {
	pe := lp.pe
	c := &pe.sim.cfg
	tie := lp.core.Unif()
	time := lp.now + c.VTInterval
	if time > c.lastPoint() || time >= pe.end || time == lp.now {
		return
	}
	e, i, err := pe.arena.Alloc()
	if err != nil {
		lp.outOfMemory(err)
		return
	}
	e.Time, e.Tie, e.SendTime, e.Src, e.Prio = time, tie, lp.now, uint64(lp.id), DefaultPriority
	e.Dst, e.Type, e.State = uint32(lp.local()), 0, event.Pending
	k := event.Key{TS: math.Float64bits(time), Lo: uint64(event.Prefix(DefaultPriority, tie))<<32 | uint64(i)}
	if pe.mode == sequential {
		pe.q.Push(k)
		return
	}
	pe.post(lp, &pe.public, k, e, c.VTInterval, 0)
}

// samplePoint is the event of an analysis LP.
func samplePoint(state unsafe.Pointer, lp *LP, bits *Bits, _ unsafe.Pointer) {
	s := (*analysis)(state)
	lp.nextPoint()
	if s.size == 0 {
		return
	}
	var all []byte
	if n := len(s.spare) - 1; n >= 0 {
		all, s.spare = s.spare[n], s.spare[:n]
	} else {
		all = make([]byte, s.size)
	}
	s.held = append(s.held, all)
	clear(all)
	pe := lp.pe
	pe.running = nil // models must not send
	for _, of := range s.lps {
		payload := all[instr.VTModelSize : instr.VTModelSize+of.typ.pointSize]
		now := of.now
		of.now, pe.shown = lp.now, of
		of.typ.samplePoint(of.state, of, bits, payload)
		of.now = now
		instr.AppendVTModel(all[:0], &instr.VTModel{LP: uint64(of.id), KP: of.kp.id, PE: uint64(pe.id), TS: lp.now, Payload: payload})
		all = all[instr.VTModelSize+of.typ.pointSize:]
	}
	pe.running, pe.shown = lp, nil
}

// unsamplePoint is its reverse.
func unsamplePoint(state unsafe.Pointer, lp *LP, bits *Bits, _ unsafe.Pointer) {
	s := (*analysis)(state)
	lp.pe.pointsUndone++
	if s.size == 0 {
		return
	}
	last := len(s.held) - 1
	all := s.held[last]
	s.held = s.held[:last]
	s.spare = append(s.spare, all)
	end := len(all)
	for i := len(s.lps) - 1; i >= 0; i-- {
		of := s.lps[i]
		if of.typ.unsamplePoint != nil {
			now := of.now
			of.now = lp.now
			of.typ.unsamplePoint(of.state, of, bits, all[end-of.typ.pointSize:end])
			of.now = now
		}
		end -= instr.VTModelSize + of.typ.pointSize
	}
}

// commitPoint writes what it has sampled. The LPs of KP 0 have the engine sampled, too.
func commitPoint(state unsafe.Pointer, lp *LP, _ *Bits, _ unsafe.Pointer) {
	s, pe := (*analysis)(state), lp.pe
	p := pe.probe
	if lp.kp.id == 0 && pe.sim.cfg.samples(sampleByVT) {
		p.points = append(p.points, lp.now)
	}
	if s.size == 0 || len(s.held) == 0 {
		return
	}
	all := s.held[0]
	copy(s.held, s.held[1:])
	s.held = s.held[:len(s.held)-1]
	s.spare = append(s.spare, all)
	real := pe.probe.seconds()
	for _, of := range s.lps {
		n := instr.VTModelSize + of.typ.pointSize
		if at := p.buffers[vtFile].Reserve(n); at != nil {
			copy(at, all[:n])
			instr.PutVTModelTime(at, real)
		}
		all = all[n:]
	}
}

// analysed returns how many events the analysis LPs of the PE have handled.
func (pe *PE) analysed() (n uint64) {
	for i := range pe.analysis {
		n += pe.analysis[i].processed
	}
	return n
}

// samplePoints samples the engine for the points that were committed. What was counted
// belongs to the first of them.
func (pe *PE) samplePoints() {
	p := pe.probe
	for _, ts := range p.points {
		pe.sample(vtFile, ts)
	}
	p.points = p.points[:0]
}
