// This file owns the samples that models give by GVT and by real time.

package ross

import "github.com/ross-go/ross/instr"

// sampleModels asks the model about each of its LPs that has something to say. mode is
// instr.ByGVT or instr.ByRealTime, and gvt what stands in the samples. An LP shows the state that it is in, of which some may
// be undone later.
func (pe *PE) sampleModels(mode int32, gvt float64) {
	b := pe.probe.buffers[modelFile]
	if b == nil || pe.err != nil {
		return
	}
	whole := pe.counts.Enter()
	real := pe.probe.seconds()
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		t := lp.typ
		if t.sample == nil {
			continue
		}
		head := instr.MetaSize + instr.ModelSize
		at := b.Reserve(head + t.sampleSize)
		if at == nil {
			continue
		}
		s := instr.ModelStats{PE: uint32(pe.id), KP: uint32(lp.kp.id), LP: uint32(lp.id), GVT: finite32(gvt), Mode: mode}
		payload := at[head:]
		clear(payload)
		pe.shown = lp
		t.sample(lp.state, lp, payload)
		pe.shown = nil
		s.Payload = payload // in its place already
		instr.AppendModel(at[:0], lp.now, real, &s)
	}
	pe.counts.Leave(whole, &pe.counts.SampleSeconds)
}
