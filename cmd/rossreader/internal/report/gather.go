// This file reads a run into the data of the charts.

package report

import (
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

// sums are counters of a PE, a KP or a run.
type sums struct {
	processed, rolledBack, rollbacks, secondary, aborted, sends, gvts uint64

	parts        [survey.NumParts]float64 // seconds
	rest, saving float64
}

func (t *sums) add(s *survey.Sample) {
	t.processed += s.Processed
	t.rolledBack += s.RolledBack
	t.rollbacks += s.Rollbacks
	t.secondary += min(s.Secondary, s.Rollbacks)
	t.aborted += s.Aborted
	t.sends += s.Sends
	t.gvts += s.GVTs
	t.rest += s.Rest()
	t.saving += s.Saving
	for i, part := range s.Parts {
		t.parts[i] += part
	}
}

// time returns the seconds of all parts and of the rest.
func (t *sums) time() float64 {
	sum := t.rest
	for _, part := range t.parts {
		sum += part
	}
	return sum
}

func (t *sums) net() int64 { return int64(t.processed - t.rolledBack) }

func (t *sums) efficiency() float64 {
	return survey.Efficiency(float64(t.processed), float64(t.rolledBack))
}

// ofPE is the data of a PE over time.
type ofPE struct {
	processed, rolledBack []float64 // in each bucket
	queue                 mean
}

// ofKPs is the data of heat maps for one KP, or for several adjacent ones.
type ofKPs struct {
	rolledBack []float64
	ahead      mean
}

// figures is all data of a report.
type figures struct {
	run    *survey.Run
	source *survey.Source // of samples
	begin  float64        // real time that counts as 0
	lines  grid           // of charts of lines
	heat   grid           // of heat maps

	total sums
	perPE []sums // in the order of run.PEs
	perKP []sums // of run.KPs
	pes   []ofPE
	rows  []ofKPs
	gvt   []float64 // by bucket, NaN where there is none

	inUse      memory
	lps, pairs *traffic // nil if there is none
	flow       *flow    // likewise
	sampled    []chart  // of the model's samples
	busiest    []lpSums // LPs by events rolled back, then by events handled; nil without samples of LPs
}

// gather reads the run.
func gather(run *survey.Run) (*figures, error) {
	f := &figures{run: run, source: &run.Sources[instr.GVTFile]}
	for _, c := range []instr.Content{instr.RTFile, instr.VTFile, instr.VTEngine} {
		if s := &run.Sources[c]; s.PE+s.KP > f.source.PE+f.source.KP {
			f.source = s
		}
	}
	if m := &run.Sources[instr.Memory]; f.source.PE+f.source.KP == 0 && m.Memory > 0 { // the only file
		f.source = m
	}
	f.size()
	if err := f.samples(); err != nil {
		return nil, err
	}
	if err := f.gatherMemory(); err != nil {
		return nil, err
	}
	if err := f.rank(); err != nil {
		return nil, err
	}
	if err := f.models(); err != nil {
		return nil, err
	}
	return f, f.trace()
}

func (f *figures) size() {
	run, s := f.run, f.source
	f.begin = run.Begin(s.Content)
	perPE := s.PerPE
	if perPE == 0 && len(run.KPs) > 0 {
		perPE = s.KP / uint64(len(run.KPs))
	}
	n := int(min(perPE, uint64(min(maxBuckets, max(maxCells/max(len(run.PEs), 1), 50)))))
	f.lines = newGrid(f.begin, s.Last, max(n, 1))
	f.heat = newGrid(f.begin, s.Last, max(min(n, maxColumns), 1))
	f.perPE, f.perKP = make([]sums, len(run.PEs)), make([]sums, len(run.KPs))
	f.pes, f.rows = make([]ofPE, len(run.PEs)), make([]ofKPs, min(len(run.KPs), maxRows))
	for i := range f.pes {
		f.pes[i] = ofPE{f.lines.row(), f.lines.row(), newMean(f.lines)}
	}
	for i := range f.rows {
		f.rows[i] = ofKPs{f.heat.row(), newMean(f.heat)}
	}
	f.gvt = f.lines.row()
	for i := range f.gvt {
		f.gvt[i] = math.NaN()
	}
}

func (f *figures) samples() error {
	pes, kps := map[uint32]int{}, map[survey.KP]int{}
	for i, pe := range f.run.PEs {
		pes[pe] = i
	}
	for i, kp := range f.run.KPs {
		kps[kp] = i
	}
	err := f.run.Samples(f.source.Content, func(s *survey.Sample) {
		if s.IsKP {
			f.kp(kps[s.KP], s)
		} else {
			f.pe(pes[s.KP.PE], s)
		}
	})
	of := f.perPE
	if f.source.PE == 0 { // --pe-data=0
		of = f.perKP
	}
	for i := range of {
		t := &of[i]
		f.total.add(&survey.Sample{Processed: t.processed, RolledBack: t.rolledBack, Rollbacks: t.rollbacks,
			Secondary: t.secondary, Aborted: t.aborted, Sends: t.sends, GVTs: t.gvts})
	}
	return err
}

func (f *figures) pe(i int, s *survey.Sample) {
	f.perPE[i].add(s)
	pe := &f.pes[i]
	f.lines.spread(pe.processed, s.From, s.To, float64(s.Processed))
	f.lines.spread(pe.rolledBack, s.From, s.To, float64(s.RolledBack))
	pe.queue.add(f.lines, s.From, s.To, s.Queue)
	if f.lines.n > 0 && !math.IsNaN(s.GVT) {
		at := f.lines.at(s.To)
		f.gvt[at] = math.Max(s.GVT, orLess(f.gvt[at]))
	}
}

func (f *figures) kp(i int, s *survey.Sample) {
	f.perKP[i].add(s)
	row := &f.rows[share(i, len(f.run.KPs), maxRows)]
	f.heat.spread(row.rolledBack, s.From, s.To, float64(s.RolledBack))
	row.ahead.add(f.heat, s.From, s.To, s.Ahead)
}

func orLess(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(-1)
	}
	return x
}
