// This file owns samples: of the engine (what PEs, KPs and LPs have counted since the previous sample),
// of memory, and of models.

package collect

import (
	"math"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/report"
)

// figures is what a PE has counted up to some point.
type figures struct {
	pe    peCounts
	kps   []kpCounts  // of all KPs of the process, by Run.IndexOf
	lps   []lpFigures // of all LPs of the process, by LP.Index
	times report.PhaseTimes
}

// peCounts is what a PE counts, without analysis LPs.
type peCounts struct {
	report.Counters
	fossils, sends, reads, gvts, reductions, ties uint64
}

// kpCounts is what a KP counts: the sum of its LPs, and its rollbacks.
type kpCounts struct {
	lpFigures
	primary, secondary uint64
}

// lpFigures is what an LP counts.
type lpFigures struct {
	processed uint64
	meter.LPCounts
}

// add adds what another LP has counted.
func (f *lpFigures) add(o *lpFigures) {
	f.processed += o.processed
	f.Aborted += o.Aborted
	f.Undone += o.Undone
	f.Sends += o.Sends
	f.Reads += o.Reads
}

// minus returns what was counted since an earlier count.
func (f *lpFigures) minus(o *lpFigures) lpFigures {
	return lpFigures{f.processed - o.processed,
		meter.LPCounts{Aborted: f.Aborted - o.Aborted, Undone: f.Undone - o.Undone, Sends: f.Sends - o.Sends, Reads: f.Reads - o.Reads}}
}

// peCounts returns what the PE has counted, for events of the model's LPs only.
func (p *Probe) peCounts() peCounts {
	pe := p.pe
	c := &pe.Counts
	f := peCounts{Counters: pe.Counters(c.Processed - pe.Analysed()), fossils: c.Fossils, sends: c.Remote, reads: c.Reads, gvts: c.GVTs, ties: c.Ties}
	if pe.Team != nil {
		f.reductions = pe.Team.Reductions.Load()
	}
	return f
}

// count updates p.now.
func (p *Probe) count() {
	pe := p.pe
	f := &p.now
	f.pe, f.times = p.peCounts(), p.times()
	if pe.PerLP == nil {
		return
	}
	for _, kp := range pe.Mine {
		i := pe.Run.IndexOf(kp)
		f.kps[i] = kpCounts{primary: kp.Primary, secondary: kp.Secondary}
		p.clocks[i] = 0
	}
	for _, lp := range pe.Handled() {
		i, j := pe.Run.IndexOf(lp.KP), lp.Index()
		f.lps[j] = lpFigures{lp.Processed, pe.PerLP[j]}
		f.kps[i].add(&f.lps[j])
		p.clocks[i] = max(p.clocks[i], lp.Now)
	}
}

// makeRoom makes room for the figures of KPs and LPs. All PEs of the process share it: each touches only
// what belongs to KPs that it handles.
func (f *figures) makeRoom(run *kernel.Run, first *figures) {
	if f.kps, f.lps = first.kps, first.lps; f.kps == nil {
		f.kps, f.lps = make([]kpCounts, run.NumKPs()), make([]lpFigures, run.NumLPs())
	}
}

// keep copies what belongs to a PE from the figures o to f.
func (f *figures) keep(o *figures, pe *kernel.PE) {
	f.pe, f.times = o.pe, o.times
	if len(f.kps) == 0 {
		return
	}
	for _, kp := range pe.Mine {
		i := pe.Run.IndexOf(kp)
		f.kps[i] = o.kps[i]
	}
	for _, lp := range pe.Handled() {
		i := lp.Index()
		f.lps[i] = o.lps[i]
	}
}

// sample writes a sample of the PE, its KPs and its LPs, if the settings ask for
// them, to a file: what has been counted since the file's previous sample. Without room in
// the buffer it writes nothing, and the next sample covers both periods. ts is the virtual
// time in the sample.
func (p *Probe) sample(file int, ts float64) {
	pe := p.pe
	b := p.Buffers[file]
	if b == nil || file == vtFile && !pe.Run.Set.Samples(settings.SampleByVT) {
		return
	}
	whole := pe.Counts.Enter()
	p.count()
	if at := b.Reserve(p.sampleSize()); at != nil {
		real := p.seconds()
		p.putSample(at[:0], &p.last[file], ts, real)
		if file == realFile {
			p.putMemory(ts, real)
		}
		p.last[file].keep(&p.now, pe.Kernel())
	}
	pe.Counts.Leave(whole, &pe.Counts.SampleSeconds)
}

// sampleSize returns the size of a sample in bytes.
func (p *Probe) sampleSize() (n int) {
	pe := p.pe
	c := &pe.Run.Set
	if c.PEData {
		n += instr.MetaSize + instr.PESize
	}
	if c.KPData {
		n += (instr.MetaSize + instr.KPSize) * len(pe.Mine)
	}
	if c.LPData {
		n += (instr.MetaSize + instr.LPSize) * len(pe.Handled())
	}
	return n
}

// putSample appends the records of a sample.
func (p *Probe) putSample(to []byte, last *figures, ts, real float64) {
	pe := p.pe
	c := &pe.Run.Set
	if c.PEData {
		to = p.putPE(to, last, ts, real)
	}
	if c.KPData {
		to = p.putKPs(to, last, ts, real)
	}
	if c.LPData {
		p.putLPs(to, last, ts, real)
	}
}

// putPE appends the record of the PE.
func (p *Probe) putPE(to []byte, last *figures, ts, real float64) []byte {
	pe := p.pe
	now, was, t, before := &p.now.pe, &last.pe, &p.now.times, &last.times
	s := instr.PEStats{
		PE: uint32(pe.ID), Processed: uint32(now.EventsProcessed - was.EventsProcessed), Aborted: uint32(now.EventsAborted - was.EventsAborted),
		RolledBack: uint32(now.EventsRolledBack - was.EventsRolledBack), SecondaryRollbacks: uint32(now.SecondaryRollBacks - was.SecondaryRollBacks),
		Rollbacks:      uint32(now.PrimaryRollBacks + now.SecondaryRollBacks - was.PrimaryRollBacks - was.SecondaryRollBacks),
		FossilCollects: uint32(now.fossils - was.fossils), QueueSize: uint32(pe.Queue.Len()),
		NetworkSends: uint32(now.sends - was.sends), NetworkReads: uint32(now.reads - was.reads),
		GVTs: uint32(now.gvts - was.gvts), EventTies: uint32(now.ties - was.ties), AllReduces: uint32(now.reductions - was.reductions),
		Efficiency:    instr.Efficiency(now.EventsProcessed-was.EventsProcessed, now.EventsRolledBack-was.EventsRolledBack),
		NetRead:       spent(t.NetRead, before.NetRead),
		NetOther:      spent(t.NetOther, before.NetOther),
		GVT:           spent(t.GVT, before.GVT),
		FossilCollect: spent(t.FossilCollect, before.FossilCollect),
		EventAbort:    spent(t.EventAbort, before.EventAbort),
		EventProcess:  spent(t.EventProcess, before.EventProcess),
		PQ:            spent(t.PQ, before.PQ),
		Rollback:      spent(t.PrimaryRollback, before.PrimaryRollback),
		CancelQ:       spent(t.EventCancel, before.EventCancel),
		AVL:           spent(t.AVL, before.AVL),
		Buddy:         spent(t.Buddy, before.Buddy),
		LZ4:           spent(t.LZ4, before.LZ4),
	}
	return instr.AppendPE(to, ts, real, &s)
}

// putKPs appends the records of the KPs.
func (p *Probe) putKPs(to []byte, last *figures, ts, real float64) []byte {
	pe := p.pe
	for _, kp := range pe.Mine {
		i := pe.Run.IndexOf(kp)
		now, was := &p.now.kps[i], &last.kps[i]
		d := now.minus(&was.lpFigures)
		s := instr.KPStats{
			PE: uint32(kp.Home.ID), KP: uint32(kp.ID), Processed: uint32(d.processed), Aborted: uint32(d.Aborted), RolledBack: uint32(d.Undone),
			Rollbacks:          uint32(now.primary + now.secondary - was.primary - was.secondary),
			SecondaryRollbacks: uint32(now.secondary - was.secondary),
			NetworkSends:       uint32(d.Sends), NetworkReads: uint32(d.Reads),
			TimeAheadGVT: finite32(p.clocks[i] - ts), Efficiency: instr.Efficiency(d.processed, d.Undone),
		}
		to = instr.AppendKP(to, ts, real, &s)
	}
	return to
}

// spent returns the seconds between two samples. The times are sums and differences of
// others, so that rounding may make them decrease a little; the result is at least 0.
func spent(now, before float64) float32 { return float32(max(now-before, 0)) }

// finite32 returns the finite float32 nearest to x.
func finite32(x float64) float32 {
	return float32(max(min(x, math.MaxFloat32), -math.MaxFloat32))
}

// putLPs appends the records of the LPs.
func (p *Probe) putLPs(to []byte, last *figures, ts, real float64) {
	pe := p.pe
	for _, lp := range pe.Handled() {
		i := lp.Index()
		d := p.now.lps[i].minus(&last.lps[i])
		s := instr.LPStats{
			PE: uint32(lp.KP.Home.ID), KP: uint32(lp.KP.ID), LP: uint32(lp.ID), Processed: uint32(d.processed), Aborted: uint32(d.Aborted),
			RolledBack: uint32(d.Undone), NetworkSends: uint32(d.Sends), NetworkReads: uint32(d.Reads),
			Efficiency: instr.Efficiency(d.processed, d.Undone),
		}
		to = instr.AppendLP(to, ts, real, &s)
	}
}

// The samples that models give at GVT and by real time.

// sampleModels takes a sample of each LP whose type has a Sample function. mode is
// instr.ByGVT or instr.ByRealTime, and gvt is the virtual time in the samples. An LP gives
// its present state, and parts of it may be undone later.
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
		pe.Show(lp)
		t.Sample(lp.State, lp, payload)
		pe.Hide()
		s.Payload = payload // already in place
		instr.AppendModel(at[:0], lp.Now, real, &s)
	}
	pe.Counts.Leave(whole, &pe.Counts.SampleSeconds)
}

// The samples of memory: what a PE has in use when its sample by real time is taken.

// putMemory writes the record of memory that belongs to a sample of the PE, and has the times of that. All
// that it reads is the PE's own or made to be read by any.
func (p *Probe) putMemory(ts, real float64) {
	b := p.Buffers[memoryFile]
	if b == nil {
		return
	}
	pe, budget := p.pe, p.pe.Run.Budget
	if at := b.Reserve(instr.MetaSize + instr.MemorySize); at != nil {
		instr.AppendMemory(at[:0], ts, real, &instr.MemoryStats{
			PE: uint32(pe.ID), Events: pe.Arena.InUse(), Queue: pe.Queue.Bytes(), Undo: pe.UndoBytes(),
			Used: budget.Used(), Limit: budget.Limit(),
		})
	}
}
