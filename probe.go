// This file owns probe: what a PE collects, and when.

package ross

import (
	"math"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/ticks"
)

// probe is what a PE collects for the files of the instrumentation.
type probe struct {
	buffers   [numFiles]*instr.Buffer // nil where nothing is asked for
	size      int                     // of each, bytes at most
	enough    int                     // bytes in one of them from which on they are to be written
	came      [numFiles]inflow
	handed    int    // how many times they were
	untold    uint64 // GVT computations since the last sample, of those that count
	due       bool   // a GVT has come
	counts    bool   // and is one of the interval
	counted   uint64 // events that had been committed at the last one that counts
	countedAt time.Time
	flush     bool // at which the buffers are to be written
	unplaced  bool // what was written last has no place in the files yet
	clock     *ticks.Clock
	nextRT    time.Time
	points    []float64 // sampling points that are committed and have no sample of the engine yet
	last      [numFiles]figures
	now       figures
	clocks    []float64 // of KPs
	modelRT   bool      // models are sampled by real time
	modelGV   bool      // and by GVT
}

// makeProbe makes the probe of a PE, the i-th of this rank.
func (pe *PE) makeProbe(i int) {
	c := &pe.sim.cfg
	p := &probe{counts: true, modelGV: asks(c.ModelStats, sampleByGVT), modelRT: asks(c.ModelStats, sampleByReal)}
	for k, f := range pe.sim.inst.files {
		if f != nil {
			p.buffers[k] = f.Buffer(i)
			p.size = p.buffers[k].Size()
		}
	}
	p.enough = max(int(uint64(p.size)*c.BufferFree/100), 1)
	if c.EngineStats != 0 && (c.KPData != 0 || c.LPData != 0) {
		pe.perLP = make([]meter.LPCounts, len(pe.lpSlab)+len(pe.analysis))
		p.clocks = make([]float64, len(pe.kps))
		p.now.makeRoom(pe)
		for _, file := range []int{gvtFile, realFile, vtFile} {
			if p.buffers[file] != nil {
				p.last[file].makeRoom(pe)
			}
		}
	}
	p.clock = ticks.NewClock(time.Now()) // the first one takes a moment
	pe.probe = p
	pe.makeTracer()
}

// seconds returns how long the run has lasted, cheaply.
func (p *probe) seconds() float64 { return p.clock.Seconds(ticks.Now()) }

// samplesReal reports whether the PE has to look at the clock.
func (p *probe) samplesReal() bool { return p.modelRT || p.buffers[realFile] != nil }

// beginProbe is called when the clock of the PE has started.
func (pe *PE) beginProbe() {
	p := pe.probe
	if p == nil {
		return
	}
	p.clock = ticks.NewClock(pe.sim.inst.begins(pe.clock.Begin))
	if p.samplesReal() {
		p.nextRT = pe.clock.Begin.Add(pe.sim.cfg.rtInterval())
	}
}

// rtInterval returns the time from one sample to the next.
func (c *Config) rtInterval() time.Duration {
	const most = uint64(1 << 62 / time.Millisecond)
	return time.Duration(min(c.RTInterval, most)) * time.Millisecond
}

// collectSamples takes the samples that are due. It is called between events, and between the
// phases of a PE, in each turn of its loop.
func (pe *PE) collectSamples() {
	p := pe.probe
	if len(p.points) > 0 {
		pe.samplePoints()
	}
	if p.due {
		p.due = false
		p.clock.Tune()
		p.lookBack()
		pe.flushAtGVT() // first, so that there is room for the samples
		if p.counts && pe.countGVT() {
			pe.sample(gvtFile, pe.gvt)
			if p.modelGV {
				pe.sampleModels(instr.ByGVT, pe.gvt)
			}
		}
		for i, b := range p.buffers {
			if b != nil {
				p.came[i].begun = b.Used()
			}
		}
	}
	if p.samplesReal() {
		if now := time.Now(); now.After(p.nextRT) {
			p.nextRT = now.Add(pe.sim.cfg.rtInterval())
			pe.sample(realFile, pe.gvt)
			if p.modelRT {
				pe.sampleModels(instr.ByRealTime, pe.gvt)
			}
		}
	}
}

// stop ends the collection.
func (p *probe) stop() {
	for _, b := range p.buffers {
		if b != nil {
			b.Stop()
		}
	}
}

// askSamples returns the flags by which a PE has its say on flushes and samples at the GVT to come.
func (pe *PE) askSamples() (flags uint32) {
	if pe.full() {
		flags |= flagFlush
	}
	if l := pe.sim.inst.limit; l != nil && l.Reached() {
		flags |= flagLimit
	}
	if p := &pe.pace; pe.short || pe.starved || p.urgent || p.allow < min(p.window, p.interval) {
		flags |= flagHurried
		if pe.hasInterval() {
			flags |= flagInterval
		}
	}
	return flags
}

// hasInterval reports whether the PE has done as much, since the last GVT that counts for samples, as the
// interval of GVT has.
func (pe *PE) hasInterval() bool {
	if pe.sim.cfg.Synch == OptimisticRealTime {
		return time.Since(pe.probe.countedAt) >= time.Duration(min(pe.sim.cfg.GVTInterval, 1<<40))*time.Millisecond
	}
	return pe.done()-pe.probe.counted >= uint64(pe.pace.interval)
}

// done returns how many events the PE has handled for good.
func (pe *PE) done() uint64 {
	if pe.mode == optimistic {
		return pe.counts.Committed
	}
	return pe.counts.Processed
}

// countGVT counts a GVT, and reports whether it is one at which samples are taken.
func (pe *PE) countGVT() bool {
	p := pe.probe
	p.counted = pe.done()
	if pe.sim.cfg.Synch == OptimisticRealTime {
		p.countedAt = time.Now()
	}
	if p.untold++; p.untold < pe.sim.cfg.NumGVT {
		return false
	}
	p.untold = 0
	return true
}

// lastSamples takes the samples of what has happened since the last ones, when the run is
// over. end is the virtual time that stands in them.
func (pe *PE) lastSamples(end float64) {
	p := pe.probe
	pe.samplePoints()
	for _, file := range []int{gvtFile, realFile, vtFile} {
		pe.sample(file, end)
	}
	if p.modelGV {
		pe.sampleModels(instr.ByGVT, end)
	}
	if p.modelRT {
		pe.sampleModels(instr.ByRealTime, end)
	}
}

// endOfSampling returns the virtual time of the last samples: the end of the run, if it has
// come so far, else GVT. A run without an end has ended with its last event, where GVT is
// not a time any more. All ranks call it.
func (s *Simulation) endOfSampling() (float64, error) {
	end := min(s.pes[0].gvt, s.cfg.End)
	if !math.IsInf(s.cfg.End, 1) {
		return end, nil
	}
	last := [1]int64{}
	for _, pe := range s.pes {
		for i := range pe.lpSlab {
			last[0] = max(last[0], int64(timeBits(pe.lpSlab[i].now)))
		}
	}
	var err error
	if s.ranks > 1 {
		err = s.world.AllReduceInt64(mpi.Max, last[:])
	}
	return min(end, math.Float64frombits(uint64(last[0]))), err
}

// inflow is what comes into a buffer.
type inflow struct {
	used   int    // bytes in it at the last GVT, once it had been handed over
	begun  int    // with the samples of that GVT
	most   int    // bytes that have come from one GVT to the next, at most
	missed uint64 // bytes that had found no room until the last one
}

// lookBack finds out how much has come into the buffers since the last GVT.
func (p *probe) lookBack() {
	for i, b := range p.buffers {
		if b == nil {
			continue
		}
		in := &p.came[i]
		_, missed := b.Missed()
		in.most = max(in.most, b.Used()-in.used+int(min(missed-in.missed, instr.MaxBuffer)))
		in.used, in.missed = b.Used(), missed
	}
}

// full reports whether the buffers are to be written: one has as much in it as is asked for
// (--buffer-free), or what is to come may find no room. What comes until they are handed over, with
// the GVT that is being computed, and what would come until the next one are two lots; a third
// is for a run whose GVTs are getting rarer.
func (pe *PE) full() bool {
	p := pe.probe
	for i, b := range p.buffers {
		if b == nil || b.Used() == 0 {
			continue
		}
		if used := b.Used(); used >= p.enough || used+3*p.came[i].most > p.size || used+pe.toCommit(i) > p.size/2 {
			return true
		}
	}
	return false
}

// toCommit returns how many bytes will come into a buffer when the events are committed that the PE
// has handled, at most.
func (pe *PE) toCommit(file int) int {
	if file != traceFile || pe.mode != optimistic || pe.trace == nil || pe.trace.what != TraceCommitted {
		return 0
	}
	return pe.uncommitted * (instr.EventSize + len(pe.trace.payload))
}

// leastCrowd is the size of a buffer, bytes, from which on it is worth a GVT that it does not run over.
const leastCrowd = 64 << 10

// hurry asks for GVT ahead of its interval if a buffer is about to be half full, and an eighth of
// it is new since the last GVT. If it is about to be three quarters full, as when another PE of
// the processor keeps GVT waiting, the PE handles no events until GVT: a trace with holes is worth
// less than a slow one.
func (pe *PE) hurry() {
	p := pe.probe
	if p.size < leastCrowd {
		return
	}
	for i, b := range p.buffers {
		if b == nil {
			continue
		}
		more, fresh := pe.toCommit(i), 0
		all := b.Used() + more
		if all > p.size/2 {
			fresh = b.Used() - p.came[i].begun + min(more, pe.pace.since*instr.EventSize)
		}
		switch {
		case all > p.size/4*3 && fresh > p.size/16:
			pe.pace.urgent, pe.short, pe.held = true, true, true
		case fresh > p.size/8:
			pe.pace.urgent = true
		}
	}
}

// flushAtGVT gives what was collected to those who write it, if some PE has enough. Where
// it goes, if other ranks write too, the first PE of each rank finds out a GVT later,
// when all PEs of its rank have given theirs.
func (pe *PE) flushAtGVT() {
	p := pe.probe
	if p.unplaced {
		p.unplaced = false
		if err := pe.sim.placeFlushes(); err != nil {
			pe.brokenFar(err)
		}
	}
	if p.flush {
		pe.handOver()
		p.unplaced = pe.far != nil && pe.id == pe.sim.base
	}
}

// collectAlone is collectSamples for a scheduler without GVT.
func (pe *PE) collectAlone() {
	if l := pe.sim.inst.limit; l != nil && l.Reached() {
		pe.probe.stop()
	}
	pe.collectSamples()
	pe.probe.lookBack()
	if pe.full() {
		pe.handOver()
	}
}

// handOver gives what was collected to those who write it.
func (pe *PE) handOver() {
	whole := pe.counts.Enter()
	for i, b := range pe.probe.buffers {
		if b != nil {
			b.HandOver()
			pe.probe.came[i].used = b.Used()
		}
	}
	pe.probe.handed++
	pe.counts.Leave(whole, &pe.counts.WriteSeconds)
}
