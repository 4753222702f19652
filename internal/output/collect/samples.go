// This file owns samples: of the engine (what PEs, KPs and LPs have counted since the previous sample),
// of memory, and of models.

package collect

import (
	"math"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/counters"
)

// figures is what a PE has counted up to some point.
type figures struct {
	pe  peCounts
	kps []kpCounts // of all KPs of the process, by Run.IndexOf
	lps []lpCounts // of all LPs of the process, by LP.Index
}

// peCounts is what a PE has counted, without analysis LPs, and its seconds: by the names of instr.PEStats, which says
// what each is.
type peCounts struct {
	Processed, Aborted, RolledBack, Rollbacks, SecondaryRollbacks, FossilCollects uint64
	NetworkSends, NetworkReads, GVTs, EventTies, AllReduces                       uint64

	NetRead, NetOther, GVT, FossilCollect, EventAbort, EventProcess float64
	PQ, Rollback, CancelQ, AVL, Buddy, LZ4                          float64
}

// kpCounts is what a KP has counted: the sum of its LPs, and its rollbacks. The names are those of instr.KPStats.
type kpCounts struct {
	lpCounts
	Rollbacks, SecondaryRollbacks uint64
}

// lpCounts is what an LP has counted, by the names of instr.LPStats.
type lpCounts struct {
	Processed, Aborted, RolledBack, NetworkSends, NetworkReads uint64 `merge:"sum"`
}

// A sample has the differences between two of these. A KP has the sums of its LPs.
var (
	toPE  = counters.Between[instr.PEStats, peCounts]()
	toKP  = counters.Between[instr.KPStats, kpCounts]()
	toLP  = counters.Between[instr.LPStats, lpCounts]()
	ofLPs = counters.Of[lpCounts]()
)

// peCounts returns what the PE has counted, for events of the model's LPs only.
func (p *Probe) peCounts() peCounts {
	pe := p.pe
	c, t := &pe.Counts, p.times()
	of := pe.Counters(c.Processed - pe.Analysed())
	f := peCounts{
		Processed: of.EventsProcessed, Aborted: of.EventsAborted, RolledBack: of.EventsRolledBack,
		Rollbacks: of.RollBacks(), SecondaryRollbacks: of.SecondaryRollBacks, FossilCollects: c.Fossils,
		NetworkSends: c.Remote, NetworkReads: c.Reads, GVTs: c.GVTs, EventTies: c.Ties,
		NetRead: t.NetRead, NetOther: t.NetOther, GVT: t.GVT, FossilCollect: t.FossilCollect, EventAbort: t.EventAbort,
		EventProcess: t.EventProcess, PQ: t.PQ, Rollback: t.PrimaryRollback, CancelQ: t.EventCancel, AVL: t.AVL,
		Buddy: t.Buddy, LZ4: t.LZ4,
	}
	if pe.Team != nil {
		f.AllReduces = pe.Team.Reductions.Load()
	}
	return f
}

// count updates p.now.
func (p *Probe) count() {
	pe := p.pe
	f := &p.now
	f.pe = p.peCounts()
	if pe.PerLP == nil {
		return
	}
	for _, kp := range pe.Mine {
		i := pe.Run.IndexOf(kp)
		f.kps[i] = kpCounts{Rollbacks: kp.Primary + kp.Secondary, SecondaryRollbacks: kp.Secondary}
		p.clocks[i] = 0
	}
	for _, lp := range pe.Handled() {
		i, j := pe.Run.IndexOf(lp.KP), lp.Index()
		c := &pe.PerLP[j]
		f.lps[j] = lpCounts{lp.Processed, c.Aborted, c.Undone, c.Sends, c.Reads}
		ofLPs.Merge(&f.kps[i].lpCounts, &f.lps[j])
		p.clocks[i] = max(p.clocks[i], lp.Now)
	}
}

// makeRoom makes room for the figures of KPs and LPs. All PEs of the process share it: each touches only
// what belongs to KPs that it handles.
func (f *figures) makeRoom(run *kernel.Run, first *figures) {
	if f.kps, f.lps = first.kps, first.lps; f.kps == nil {
		f.kps, f.lps = make([]kpCounts, run.NumKPs()), make([]lpCounts, run.NumLPs())
	}
}

// keep copies what belongs to a PE from the figures o to f.
func (f *figures) keep(o *figures, pe *kernel.PE) {
	f.pe = o.pe
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
	if !c.Instruments.WithoutPEs {
		n += instr.MetaSize + instr.PESize
	}
	if c.Instruments.KPs {
		n += (instr.MetaSize + instr.KPSize) * len(pe.Mine)
	}
	if c.Instruments.LPs {
		n += (instr.MetaSize + instr.LPSize) * len(pe.Handled())
	}
	return n
}

// putSample appends the records of a sample.
func (p *Probe) putSample(to []byte, last *figures, ts, real float64) {
	pe := p.pe
	c := &pe.Run.Set
	if !c.Instruments.WithoutPEs {
		to = p.putPE(to, last, ts, real)
	}
	if c.Instruments.KPs {
		to = p.putKPs(to, last, ts, real)
	}
	if c.Instruments.LPs {
		p.putLPs(to, last, ts, real)
	}
}

// putPE appends the record of the PE.
func (p *Probe) putPE(to []byte, last *figures, ts, real float64) []byte {
	pe := p.pe
	now, was := &p.now.pe, &last.pe
	s := instr.PEStats{
		PE: uint32(pe.ID), QueueSize: uint32(pe.Queue.Len()),
		Efficiency: instr.Efficiency(now.Processed-was.Processed, now.RolledBack-was.RolledBack),
	}
	toPE.Since(&s, now, was)
	return instr.AppendPE(to, ts, real, &s)
}

// putKPs appends the records of the KPs.
func (p *Probe) putKPs(to []byte, last *figures, ts, real float64) []byte {
	pe := p.pe
	for _, kp := range pe.Mine {
		i := pe.Run.IndexOf(kp)
		now, was := &p.now.kps[i], &last.kps[i]
		s := instr.KPStats{
			PE: uint32(kp.Home.ID), KP: uint32(kp.ID), TimeAheadGVT: finite32(p.clocks[i] - ts),
			Efficiency: instr.Efficiency(now.Processed-was.Processed, now.RolledBack-was.RolledBack),
		}
		toKP.Since(&s, now, was)
		to = instr.AppendKP(to, ts, real, &s)
	}
	return to
}

// finite32 returns the finite float32 nearest to x.
func finite32(x float64) float32 {
	return float32(max(min(x, math.MaxFloat32), -math.MaxFloat32))
}

// putLPs appends the records of the LPs.
func (p *Probe) putLPs(to []byte, last *figures, ts, real float64) {
	pe := p.pe
	for _, lp := range pe.Handled() {
		now, was := &p.now.lps[lp.Index()], &last.lps[lp.Index()]
		s := instr.LPStats{
			PE: uint32(lp.KP.Home.ID), KP: uint32(lp.KP.ID), LP: uint32(lp.ID),
			Efficiency: instr.Efficiency(now.Processed-was.Processed, now.RolledBack-was.RolledBack),
		}
		toLP.Since(&s, now, was)
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
		s := instr.ModelStats{PE: uint32(lp.KP.Home.ID), KP: uint32(lp.KP.ID), LP: uint32(lp.ID), GVT: finite32(gvt),
			Mode: mode}
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
