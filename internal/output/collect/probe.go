// This file owns Probe: what a PE collects, and when; and the choice of the events to trace.

package collect

import (
	"math"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/sys/ticks"
	"github.com/ross-go/ross/report"
)

// Probe is what a PE collects for the files of the instrumentation.
type Probe struct {
	pe        *timewarp.PE
	in        *Instruments
	times     func() report.PhaseTimes // of the PE, until now
	Buffers   [numFiles]*instr.Buffer  // by file; nil for files that are not asked for
	Size      int                      // of each buffer, bytes
	reduced   bool                     // that is less than was asked for, since memory is short
	Enough    int                      // bytes in one buffer from which all are to be written
	came      [numFiles]inflow         // by file
	Handed    int                      // number of times that the buffers were handed over
	untold    uint64                   // computations of GVT that count, since the last sample
	Due       bool                     // there is a new GVT
	Counts    bool                     // the new GVT counts for samples: it was not early
	counted   uint64                   // events that were final at the last GVT that counts
	countedAt time.Time                // real time of that GVT
	Flush     bool                     // the buffers are to be written at the new GVT
	unplaced  bool                     // the last flush has no place in the files yet
	clock     *ticks.Clock
	nextRT    time.Time         // when the next sample by real time is due
	Points    []float64         // committed sampling points without a sample of the engine yet
	last      [numFiles]figures // by file: what had been counted at its last sample
	now       figures           // what has been counted now
	clocks    []float64         // latest time of the LPs of each KP, by Run.IndexOf
	vtEngine  int               // file of the samples of the engine at virtual times
	modelRT   bool              // models are sampled by real time
	modelGV   bool              // models are sampled at GVT
}

// Host is a PE that gets a probe.
type Host struct {
	PE    *timewarp.PE
	Times func() report.PhaseTimes // of the PE, until now
}

// newProbe makes the probe of a PE, the i-th of this rank.
func (in *Instruments) newProbe(h Host, i int) *Probe {
	pe := h.PE
	c := &pe.Run.Set
	p := &Probe{pe: pe, in: in, times: h.Times, Counts: true, vtEngine: vtEngine(c)}
	p.modelGV = settings.Asks(c.Instruments.Model, settings.SampleByGVT)
	p.modelRT = settings.Asks(c.Instruments.Model, settings.SampleByReal)
	for k, f := range in.files {
		if f != nil {
			p.Buffers[k] = f.Buffer(i)
			p.Size = p.Buffers[k].Size()
		}
	}
	p.reduced = in.reduced(p.Size)
	p.Enough = max(int(uint64(p.Size)*c.Instruments.BufferFree/100), 1)
	if c.Instruments.Engine != 0 && (c.Instruments.KPs || c.Instruments.LPs) {
		if pe.PerLP = pe.Run.PEs[0].PerLP; pe.PerLP == nil {
			pe.PerLP = make([]meter.LPCounts, pe.Run.NumLPs())
		}
		first := p
		if len(in.Probes) > 0 {
			first = in.Probes[0]
		}
		if p.clocks = first.clocks; p.clocks == nil {
			p.clocks = make([]float64, pe.Run.NumKPs())
		}
		p.now.makeRoom(pe.Run, &first.now)
		for _, file := range []int{gvtFile, realFile, p.vtEngine} {
			if p.Buffers[file] != nil {
				p.last[file].makeRoom(pe.Run, &first.last[file])
			}
		}
	}
	p.clock = ticks.NewClock(time.Now()) // the first clock takes a moment
	p.makeAnalysis()
	pe.SetTrace(p.Buffers[TraceFile], p.clock)
	return p
}

// seconds returns how long the run has lasted. It is cheap.
func (p *Probe) seconds() float64 { return p.clock.Seconds(ticks.Now()) }

// samplesReal reports whether there are samples by real time.
func (p *Probe) samplesReal() bool { return p.modelRT || p.Buffers[realFile] != nil }

// Begin is called when the clock of the PE has started.
func (p *Probe) Begin() {
	if p == nil {
		return
	}
	pe := p.pe
	p.clock = ticks.NewClock(p.in.begins(pe.Phases.Begin))
	if pe.Trace != nil {
		pe.Trace.Clock = p.clock
	}
	if p.samplesReal() {
		p.nextRT = pe.Phases.Begin.Add(pe.Run.Set.Instruments.RealInterval)
	}
}

// Collect takes the samples that are due. Each turn of a PE's loop calls it, between events
// and between the phases of the PE.
func (p *Probe) Collect() {
	pe := p.pe
	if len(p.Points) > 0 {
		p.samplePoints()
	}
	if p.Due {
		p.Due = false
		p.clock.Tune()
		p.measureInflow()
		p.flushAtGVT() // first, to make room for the samples
		if p.Counts && p.countGVT() {
			p.sample(gvtFile, pe.GVT)
			if p.modelGV {
				p.sampleModels(instr.ByGVT, pe.GVT)
			}
		}
		for i, b := range p.Buffers {
			if b != nil {
				p.came[i].begun = b.Used()
			}
		}
	}
	if p.samplesReal() {
		if now := time.Now(); now.After(p.nextRT) {
			p.nextRT = now.Add(pe.Run.Set.Instruments.RealInterval)
			p.sample(realFile, pe.GVT)
			if p.modelRT {
				p.sampleModels(instr.ByRealTime, pe.GVT)
			}
		}
	}
}

// Stop ends the collection.
func (p *Probe) Stop() {
	for _, b := range p.Buffers {
		if b != nil {
			b.Stop()
		}
	}
}

// Ask returns the PE's flags about flushes and samples for the next GVT.
func (p *Probe) Ask() (flags uint32) {
	pe := p.pe
	if p.full() {
		flags |= timewarp.FlagFlush
	}
	if l := p.in.limit; l != nil && l.Reached() {
		flags |= timewarp.FlagLimit
	}
	if pe.Need != timewarp.NeedNone || pe.Urgent || pe.Allow < min(pe.Window, pe.Interval) {
		flags |= timewarp.FlagHurried
		if p.hasInterval() {
			flags |= timewarp.FlagInterval
		}
	}
	return flags
}

// hasInterval reports whether a whole interval of GVT has passed for this PE since the last
// GVT that counts for samples.
func (p *Probe) hasInterval() bool {
	pe := p.pe
	if pe.Run.Set.Synch == settings.SynchRealTime {
		return time.Since(p.countedAt) >= time.Duration(min(pe.Run.Set.Tuning.GVTInterval, 1<<40))*time.Millisecond
	}
	return p.done()-p.counted >= uint64(pe.Interval)
}

// done returns the number of events that are final.
func (p *Probe) done() uint64 {
	pe := p.pe
	if pe.Undoes() {
		return pe.Counts.Committed
	}
	return pe.Counts.Processed
}

// countGVT counts a GVT, and reports whether samples are taken at it.
func (p *Probe) countGVT() bool {
	pe := p.pe
	p.counted = p.done()
	if pe.Run.Set.Synch == settings.SynchRealTime {
		p.countedAt = time.Now()
	}
	if p.untold++; p.untold < pe.Run.Set.Instruments.EveryGVTs {
		return false
	}
	p.untold = 0
	return true
}

// lastSamples takes the samples of what has happened since the previous ones, at the end of
// the run. end is the virtual time in the samples.
func (p *Probe) lastSamples(end float64) {
	p.samplePoints()
	for _, file := range []int{gvtFile, realFile, p.vtEngine} {
		p.sample(file, end)
	}
	if p.modelGV {
		p.sampleModels(instr.ByGVT, end)
	}
	if p.modelRT {
		p.sampleModels(instr.ByRealTime, end)
	}
}

// endOfSampling returns the virtual time of the last samples: the end of the run, or GVT if
// the run stopped earlier. In a run without an end the result is at most the time of the
// last event, after which GVT is not a time of the model any more. All ranks call it.
func (in *Instruments) endOfSampling() (float64, error) {
	end := min(in.run.PEs[0].GVT, in.run.Set.End)
	if !math.IsInf(in.run.Set.End, 1) {
		return end, nil
	}
	last := [1]int64{int64(kernel.TimeBits(in.run.LastEvent()))}
	var err error
	if in.cluster.Ranks > 1 {
		err = in.cluster.World.AllReduceInt64(mpi.Max, last[:])
	}
	return min(end, math.Float64frombits(uint64(last[0]))), err
}

// inflow measures what comes into a buffer.
type inflow struct {
	used   int    // bytes in the buffer at the last GVT, after it was handed over
	begun  int    // the same, after the samples of that GVT
	most   int    // largest number of bytes that came between two GVTs
	missed uint64 // bytes that had found no room up to the last GVT
}

// measureInflow measures what has come into the buffers since the last GVT.
func (p *Probe) measureInflow() {
	for i, b := range p.Buffers {
		if b == nil {
			continue
		}
		in := &p.came[i]
		_, missed := b.Missed()
		in.most = max(in.most, b.Used()-in.used+int(min(missed-in.missed, instr.MaxBuffer)))
		in.used, in.missed = b.Used(), missed
	}
}

// full reports whether the buffers are to be written: one has as much data as --buffer-free
// asks for, or may have no room for what is to come. That is estimated as three times the
// largest inflow between two GVTs: once until the GVT being computed, when the buffers are
// handed over, once until the next one, and once more in case GVTs become rarer.
func (p *Probe) full() bool {
	for i, b := range p.Buffers {
		if b == nil || b.Used() == 0 {
			continue
		}
		if used := b.Used(); used >= p.Enough || used+3*p.came[i].most > p.Size || used+p.toCommit(i) > p.Size/2 {
			return true
		}
	}
	return false
}

// toCommit returns the largest number of bytes that a buffer will receive when the PE's
// uncommitted events are committed or, if that is recorded, undone.
func (p *Probe) toCommit(file int) int {
	pe := p.pe
	if file != TraceFile || !pe.Undoes() || !pe.Trace.IsDue(kernel.OnCommit) && !pe.Trace.RecordsUndone() {
		return 0
	}
	return pe.Uncommitted * pe.Trace.RecordSize()
}

// leastCrowd is the size in bytes from which a buffer justifies an early GVT to keep it
// from overflowing. One that is smaller only since memory is short always does.
const leastCrowd = 64 << 10

// Hurry requests an early GVT if a buffer is about to be half full and an eighth of it is
// new since the last GVT. If the buffer is about to be three quarters full, as when another
// PE of the same processor delays GVT, the PE handles no events until GVT: a slow trace is
// better than one with gaps.
func (p *Probe) Hurry() {
	pe := p.pe
	if p.Size < leastCrowd && !p.reduced {
		return
	}
	for i, b := range p.Buffers {
		if b == nil {
			continue
		}
		more, fresh := p.toCommit(i), 0
		all := b.Used() + more
		if all > p.Size/2 {
			fresh = b.Used() - p.came[i].begun + min(more, pe.Since*instr.EventSize)
		}
		switch {
		case all > p.Size/4*3 && fresh > p.Size/16:
			pe.Urgent = true
			pe.WaitFor(timewarp.WaitGVT)
			pe.Needs(timewarp.NeedGVT)
		case fresh > p.Size/8:
			pe.Urgent = true
		}
	}
}

// flushAtGVT hands the buffers over if some PE has enough data. In a run of several ranks,
// the first PE of each rank agrees on the place of the data in the files one GVT later,
// when all PEs of its rank have handed theirs over.
func (p *Probe) flushAtGVT() {
	pe := p.pe
	if p.unplaced {
		p.unplaced = false
		if err := p.in.placeFlushes(); err != nil {
			pe.FailRemote(err)
		}
	}
	if p.Flush {
		p.handOver()
		p.unplaced = pe.Remote != nil && pe.ID == pe.Run.Base
	}
}

// CollectAlone is Collect for schedulers without GVT.
func (p *Probe) CollectAlone() {
	if l := p.in.limit; l != nil && l.Reached() {
		p.Stop()
	}
	p.Collect()
	p.measureInflow()
	if p.full() {
		p.handOver()
	}
}

// HandOver hands the buffers over for writing. It is called while all PEs of all ranks stand still, for each of
// them: KPs may move now, and what one PE has recorded of an LP stays before what another records.
func (p *Probe) HandOver() {
	if p == nil {
		return
	}
	p.handOver()
	p.unplaced = p.pe.Remote != nil && p.pe.ID == p.pe.Run.Base
}

// handOver hands the buffers over for writing.
func (p *Probe) handOver() {
	pe := p.pe
	whole := pe.Counts.Enter()
	for i, b := range p.Buffers {
		if b != nil {
			b.HandOver()
			p.came[i].used = b.Used()
		}
	}
	p.Handed++
	pe.Counts.Leave(whole, &pe.Counts.WriteSeconds)
}
