// This file owns analysis LPs, one for each KP, which the model does not know. Each
// sends itself an event for every virtual time at which samples are wanted. It finds the
// LPs of its KP as they are at that time, and is rolled back with them.

package collect

import (
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
)

// analysis is the state of an analysis LP.
type analysis struct {
	in   *Instruments
	lps  []*kernel.LP // LPs of the KP whose models give samples at virtual times
	size int          // total size of their records in bytes
	// held has the samples of uncommitted events, oldest first: rollbacks remove the
	// newest, commits the oldest.
	held  [][]byte
	spare [][]byte // buffers to use again
}

// AnalysisType returns the type of the analysis LPs of a run.
func AnalysisType() *kernel.Type {
	return &kernel.Type{
		Name: "analysis", Saving: kernel.SaveByReverse, Plain: true, Hidden: true,
		Messages: []*kernel.Message{{Event: samplePoint, Reverse: unsamplePoint, Commit: commitPoint}},
	}
}

// makeAnalysis completes the analysis LPs of a PE. The kernel has made room for them if
// there are samples at virtual times.
func (p *Probe) makeAnalysis() {
	pe := p.pe
	if len(pe.Analysis) == 0 {
		return
	}
	states := make([]analysis, len(pe.Analysis))
	for i := range pe.Analysis {
		lp := &pe.Analysis[i]
		lp.Event, lp.PE, lp.KP = samplePoint, pe.Kernel(), &pe.KPs[i]
		states[i].in = p.in
		lp.State = unsafe.Pointer(&states[i])
	}
	if settings.Asks(pe.Run.Set.Instruments.Model, settings.SampleByVT) {
		for i := range pe.LPs {
			if lp := &pe.LPs[i]; lp.Type().SamplePoint != nil {
				s := &states[lp.KP.ID]
				s.lps = append(s.lps, lp)
			}
		}
	}
	pe.States = append(pe.States, states)
}

// FirstPoints schedules the first event of each analysis LP.
func (p *Probe) FirstPoints() {
	if p == nil {
		return
	}
	pe := p.pe
	if len(pe.Analysis) == 0 {
		return
	}
	before := pe.Run.Set.PointBefore(pe.Run.StartTime)
	for i := range pe.Analysis {
		lp := &pe.Analysis[i]
		lp.Now = before
		pe.Enter(lp)
		nextPoint(lp)
	}
	pe.Leave()
}

// nextPoint schedules the next event of an analysis LP, as LP.Schedule does for models.
func nextPoint(lp *kernel.LP) {
	pe := lp.PE
	c := &pe.Run.Set
	tie := lp.Core.Unif()
	time := lp.Now + c.Instruments.VirtualInterval
	if time > c.LastPoint() || time >= pe.End || time == lp.Now {
		return
	}
	e, i, err := pe.Arena.Alloc()
	if err != nil {
		lp.OutOfMemory(err)
		return
	}
	e.Fill(time, tie, lp.Now, lp.ID, kernel.DefaultPriority)
	e.Address(lp.Index(), lp.Type().Messages[0].ID)
	k := event.KeyOf(e, i)
	if pe.Sequential() {
		pe.Queue.Push(k)
		return
	}
	pe.Out.Post(lp, pe.Address, k, e, c.Instruments.VirtualInterval, 0)
}

// samplePoint is the Event of analysis LPs.
func samplePoint(state unsafe.Pointer, lp *kernel.LP, _ unsafe.Pointer) {
	s := (*analysis)(state)
	lp.PE.Points++
	nextPoint(lp)
	if len(s.lps) == 0 {
		return
	}
	if s.size == 0 { // the first one: Init of LPs has said how long samples are
		for _, of := range s.lps {
			s.size += instr.VTModelSize + of.Type().PointSize
		}
	}
	var all []byte
	if n := len(s.spare) - 1; n >= 0 {
		all, s.spare = s.spare[n], s.spare[:n]
	} else {
		all = make([]byte, s.size)
	}
	s.held = append(s.held, all)
	clear(all)
	pe := lp.PE
	pe.Leave() // models must not send
	for _, of := range s.lps {
		payload := all[instr.VTModelSize : instr.VTModelSize+of.Type().PointSize]
		now := of.Now
		of.Now = lp.Now
		pe.Show(of)
		of.Type().SamplePoint(of.State, of, payload)
		of.Now = now
		instr.AppendVTModel(all[:0], &instr.VTModel{LP: uint64(of.ID), KP: of.KP.ID, PE: lp.KP.Home.ID, TS: lp.Now,
			Payload: payload})
		all = all[instr.VTModelSize+of.Type().PointSize:]
	}
	pe.Enter(lp)
	pe.Hide()
}

// unsamplePoint is the Reverse of analysis LPs.
func unsamplePoint(state unsafe.Pointer, lp *kernel.LP, _ *uint32, _ unsafe.Pointer) {
	s := (*analysis)(state)
	lp.PE.PointsUndone++
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
		if of.Type().UnsamplePoint != nil {
			now := of.Now
			of.Now = lp.Now
			of.Type().UnsamplePoint(of.State, of, all[end-of.Type().PointSize:end])
			of.Now = now
		}
		end -= instr.VTModelSize + of.Type().PointSize
	}
}

// commitPoint is the Commit of analysis LPs: it writes the samples of the event. For KP 0
// it also requests a sample of the engine.
func commitPoint(state unsafe.Pointer, lp *kernel.LP, _ *uint32, _ unsafe.Pointer) {
	s, pe := (*analysis)(state), lp.PE
	p := s.in.Probes[pe.ID-pe.Run.Base]
	if lp.KP.ID == 0 && pe.Run.Set.Samples(settings.SampleByVT) {
		p.Points = append(p.Points, lp.Now)
	}
	if s.size == 0 || len(s.held) == 0 {
		return
	}
	all := s.held[0]
	copy(s.held, s.held[1:])
	s.held = s.held[:len(s.held)-1]
	s.spare = append(s.spare, all)
	real := p.seconds()
	for _, of := range s.lps {
		n := instr.VTModelSize + of.Type().PointSize
		if at := p.Buffers[vtFile].Reserve(n); at != nil {
			copy(at, all[:n])
			instr.PutVTModelTime(at, real)
		}
		all = all[n:]
	}
}

// samplePoints samples the engine for the committed points. What was counted since the
// previous sample goes to the first of them.
func (p *Probe) samplePoints() {
	for _, ts := range p.Points {
		p.sample(p.vtEngine, ts)
	}
	p.Points = p.Points[:0]
}
