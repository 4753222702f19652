// This file owns the samples that models give at GVT and by real time.

package collect

import "github.com/ross-go/ross/instr"

// sampleModels takes a sample of each LP whose type has a Sample function. mode is
// instr.ByGVT or instr.ByRealTime, and gvt is the virtual time in the samples. An LP gives
// its present state, parts of which may be undone later.
func (p *Probe) sampleModels(mode int32, gvt float64) {
	pe := p.pe
	b := p.Buffers[modelFile]
	if b == nil || pe.Err != nil {
		return
	}
	whole := pe.Counts.Enter()
	real := p.seconds()
	for _, lp := range pe.Handled() {
		t := lp.Type()
		if t.Sample == nil {
			continue
		}
		head := instr.MetaSize + instr.ModelSize
		at := b.Reserve(head + t.SampleSize)
		if at == nil {
			continue
		}
		s := instr.ModelStats{PE: uint32(lp.KP.Home.ID), KP: uint32(lp.KP.ID), LP: uint32(lp.ID), GVT: finite32(gvt), Mode: mode}
		payload := at[head:]
		clear(payload)
		pe.Shown = lp
		t.Sample(lp.State, lp, payload)
		pe.Shown = nil
		s.Payload = payload // already in place
		instr.AppendModel(at[:0], lp.Now, real, &s)
	}
	pe.Counts.Leave(whole, &pe.Counts.SampleSeconds)
}
