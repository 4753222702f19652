// This file owns the samples of the engine: what PEs, KPs and LPs have counted since the
// sample before.

package ross

import (
	"math"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/report"
)

// figures is what a PE had counted at a sample.
type figures struct {
	pe    peCounts
	kps   []kpCounts
	lps   []lpFigures
	times report.PhaseTimes
}

type peCounts struct {
	processed, aborted, undone, primary, secondary, fossils, sends, reads, gvts, reductions uint64
}

type kpCounts struct {
	lpFigures
	primary, secondary uint64
}

type lpFigures struct {
	processed uint64
	meter.LPCounts
}

func (f *lpFigures) add(o *lpFigures) {
	f.processed += o.processed
	f.Aborted += o.Aborted
	f.Undone += o.Undone
	f.Sends += o.Sends
	f.Reads += o.Reads
}

// minus returns what was counted since another time.
func (f *lpFigures) minus(o *lpFigures) lpFigures {
	return lpFigures{f.processed - o.processed,
		meter.LPCounts{Aborted: f.Aborted - o.Aborted, Undone: f.Undone - o.Undone, Sends: f.Sends - o.Sends, Reads: f.Reads - o.Reads}}
}

// peCounts returns what a PE has counted: events of the model's LPs only.
func (pe *PE) peCounts() peCounts {
	c := &pe.counts
	f := peCounts{processed: c.Processed - pe.analysed(), aborted: c.Aborted, undone: c.Undone - pe.pointsUndone, primary: c.Primary, secondary: c.Secondary,
		fossils: c.Fossils, sends: c.Remote, reads: c.Reads, gvts: c.GVTs}
	if pe.team != nil {
		f.reductions = pe.team.reductions.Load()
	}
	return f
}

// count brings what a PE has counted up to date.
func (p *probe) count(pe *PE) {
	f := &p.now
	f.pe, f.times = pe.peCounts(), pe.times()
	if pe.perLP == nil {
		return
	}
	for i := range pe.kps {
		f.kps[i] = kpCounts{primary: pe.kps[i].primary, secondary: pe.kps[i].secondary}
		p.clocks[i] = 0
	}
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		f.lps[i] = lpFigures{lp.processed, pe.perLP[i]}
		f.kps[lp.kp.id].add(&f.lps[i])
		p.clocks[lp.kp.id] = max(p.clocks[lp.kp.id], lp.now)
	}
}

// makeRoom makes room for what KPs and LPs count.
func (f *figures) makeRoom(pe *PE) {
	f.kps, f.lps = make([]kpCounts, len(pe.kps)), make([]lpFigures, len(pe.lpSlab))
}

// keep makes a copy of what was counted.
func (f *figures) keep(o *figures) {
	f.pe, f.times = o.pe, o.times
	copy(f.kps, o.kps)
	copy(f.lps, o.lps)
}

// sample puts what was counted since the last sample of a file into it: the PE, its KPs,
// its LPs, as far as they are asked for, or nothing of it if there is no room; then the
// next sample is of both times. ts is the virtual time that stands in it.
func (pe *PE) sample(file int, ts float64) {
	p := pe.probe
	b := p.buffers[file]
	if b == nil || file == vtFile && !pe.sim.cfg.samples(sampleByVT) {
		return
	}
	whole := pe.counts.Enter()
	p.count(pe)
	if at := b.Reserve(pe.sampleSize()); at != nil {
		pe.putSample(at[:0], &p.last[file], ts, p.seconds())
		p.last[file].keep(&p.now)
	}
	pe.counts.Leave(whole, &pe.counts.SampleSeconds)
}

// sampleSize returns the bytes of a sample.
func (pe *PE) sampleSize() (n int) {
	c := &pe.sim.cfg
	if c.PEData != 0 {
		n += instr.MetaSize + instr.PESize
	}
	if c.KPData != 0 {
		n += (instr.MetaSize + instr.KPSize) * len(pe.kps)
	}
	if c.LPData != 0 {
		n += (instr.MetaSize + instr.LPSize) * len(pe.lpSlab)
	}
	return n
}

// putSample appends the records of a sample.
func (pe *PE) putSample(to []byte, last *figures, ts, real float64) {
	c := &pe.sim.cfg
	if c.PEData != 0 {
		to = pe.putPE(to, last, ts, real)
	}
	if c.KPData != 0 {
		to = pe.putKPs(to, last, ts, real)
	}
	if c.LPData != 0 {
		pe.putLPs(to, last, ts, real)
	}
}

func (pe *PE) putPE(to []byte, last *figures, ts, real float64) []byte {
	now, was, t, before := &pe.probe.now.pe, &last.pe, &pe.probe.now.times, &last.times
	s := instr.PEStats{
		PE: uint32(pe.id), Processed: uint32(now.processed - was.processed), Aborted: uint32(now.aborted - was.aborted),
		RolledBack: uint32(now.undone - was.undone), SecondaryRollbacks: uint32(now.secondary - was.secondary),
		Rollbacks:      uint32(now.primary + now.secondary - was.primary - was.secondary),
		FossilCollects: uint32(now.fossils - was.fossils), QueueSize: uint32(pe.q.Len()),
		NetworkSends: uint32(now.sends - was.sends), NetworkReads: uint32(now.reads - was.reads),
		GVTs: uint32(now.gvts - was.gvts), AllReduces: uint32(now.reductions - was.reductions),
		Efficiency:    instr.Efficiency(now.processed-was.processed, now.undone-was.undone),
		NetRead:       float32(t.NetRead - before.NetRead),
		NetOther:      float32(t.NetOther - before.NetOther),
		GVT:           float32(t.GVT - before.GVT),
		FossilCollect: float32(t.FossilCollect - before.FossilCollect),
		EventAbort:    float32(t.EventAbort - before.EventAbort),
		EventProcess:  float32(t.EventProcess - before.EventProcess),
		PQ:            float32(t.PQ - before.PQ),
		Rollback:      float32(t.PrimaryRollback - before.PrimaryRollback),
		CancelQ:       float32(t.EventCancel - before.EventCancel),
		Buddy:         float32(t.Buddy - before.Buddy),
		LZ4:           float32(t.LZ4 - before.LZ4),
	}
	return instr.AppendPE(to, ts, real, &s)
}

func (pe *PE) putKPs(to []byte, last *figures, ts, real float64) []byte {
	for i := range pe.kps {
		now, was := &pe.probe.now.kps[i], &last.kps[i]
		d := now.minus(&was.lpFigures)
		s := instr.KPStats{
			PE: uint32(pe.id), KP: uint32(i), Processed: uint32(d.processed), Aborted: uint32(d.Aborted), RolledBack: uint32(d.Undone),
			Rollbacks:          uint32(now.primary + now.secondary - was.primary - was.secondary),
			SecondaryRollbacks: uint32(now.secondary - was.secondary),
			NetworkSends:       uint32(d.Sends), NetworkReads: uint32(d.Reads),
			TimeAheadGVT: finite32(pe.probe.clocks[i] - ts), Efficiency: instr.Efficiency(d.processed, d.Undone),
		}
		to = instr.AppendKP(to, ts, real, &s)
	}
	return to
}

// finite32 returns the float32 next to x that is finite.
func finite32(x float64) float32 {
	return float32(max(min(x, math.MaxFloat32), -math.MaxFloat32))
}

func (pe *PE) putLPs(to []byte, last *figures, ts, real float64) {
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		d := pe.probe.now.lps[i].minus(&last.lps[i])
		s := instr.LPStats{
			PE: uint32(pe.id), KP: uint32(lp.kp.id), LP: uint32(lp.id), Processed: uint32(d.processed), Aborted: uint32(d.Aborted),
			RolledBack: uint32(d.Undone), NetworkSends: uint32(d.Sends), NetworkReads: uint32(d.Reads),
			Efficiency: instr.Efficiency(d.processed, d.Undone),
		}
		to = instr.AppendLP(to, ts, real, &s)
	}
}
