// This file owns Sample, the data of a PE's or a KP's record, and the second reading.

package survey

import (
	"math"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

// Part is a part of the time of a PE.
type Part = findings.Part

// The parts that records have.
const (
	EventTime    = findings.EventTime
	RollbackTime = findings.RollbackTime
	NetworkTime  = findings.NetworkTime
	GVTTime      = findings.GVTTime
	FossilTime   = findings.FossilTime
	QueueTime    = findings.QueueTime
	NumParts     = findings.OtherTime
)

// Sample is what happened to a PE or a KP between two of its records.
type Sample struct {
	IsKP     bool
	KP       KP      // its KP is 0 in the sample of a PE
	From, To float64 // real time, seconds; as in the file
	Known    bool    // whether From is known; From is To if not
	By       uint32  // the PE that handles the KP now, which is not that of KP if the KP has moved

	findings.Counts // without computations of GVT for a KP

	GVT   float64           // NaN if it is not in the file, or the run is over
	Queue float64           // pending events; NaN for a KP
	Ahead float64           // virtual time of a KP less GVT; NaN for a PE and if it is meaningless
	Parts [NumParts]float64 // seconds; zero for a KP
	// Saving is the time for memory of states and for LZ4, which in files of ROSS covers all packing of them, seconds. It
	// is part of Parts.
	Saving float64
}

// Primary returns the number of rollbacks due to stragglers.
func (s *Sample) Primary() uint64 { return s.Rollbacks - min(s.Secondary, s.Rollbacks) }

// Add extends s from its own start to the end of a later sample.
func (s *Sample) Add(o *Sample) {
	if !s.Known {
		s.From, s.Known = o.From, o.Known
	}
	s.To = o.To
	s.Counts.Add(&o.Counts)
	s.Saving += o.Saving
	s.GVT, s.Queue, s.Ahead = o.GVT, o.Queue, o.Ahead
	for i := range s.Parts {
		s.Parts[i] += o.Parts[i]
	}
}

// Rest returns the seconds that belong to no part, 0 if they are unknown. The parts of ROSS
// overlap, so they may exceed the whole; then they are scaled down to it.
func (s *Sample) Rest() float64 {
	if !s.Known {
		return 0
	}
	sum := 0.0
	for _, part := range s.Parts {
		sum += part
	}
	whole := s.To - s.From
	if sum > whole {
		for i := range s.Parts {
			s.Parts[i] *= whole / sum
		}
		return 0
	}
	return whole - sum
}

// Samples calls do for each sample of a PE or a KP in the files of one content. The sample is
// valid until do returns.
func (r *Run) Samples(c instr.Content, do func(*Sample)) error {
	last, gvts := map[lastOf]float64{}, map[uint32]uint64{}
	var s Sample
	var pe uint32      // of the last record of a PE
	var of *instr.Meta // its times, nil before the first one
	var times instr.Meta
	return r.records(c, func(rec *instr.Record) {
		switch rec.Kind {
		case instr.KindPE:
			s.ofPE(&rec.PE)
			pe, times, of = s.KP.PE, rec.Meta, &times
			if r.Sources[c].GVTsFromStart {
				now := s.GVTs
				s.GVTs -= min(gvts[s.KP.PE], now)
				gvts[s.KP.PE] = now
			}
		case instr.KindKP:
			s.ofKP(&rec.KP)
			// A PE's record comes before those of the KPs that it handles, at the same times.
			if of != nil && of.TS == rec.Meta.TS && of.RealTime == rec.Meta.RealTime {
				s.By = pe
			}
		default:
			return
		}
		if c != instr.VTFile && c != instr.VTEngine && finite(rec.Meta.TS) && rec.Meta.TS < math.MaxFloat64 {
			s.GVT = rec.Meta.TS
		}
		key := lastOf{s.KP, s.IsKP}
		from, known := last[key]
		real := rec.Meta.RealTime
		switch {
		case !known && r.FromStart:
			known = true
		case !known:
			from = real
		}
		if !finite(real) || real < from { // damaged, or a clock that was set back
			real = from
		}
		if !finite(real) {
			real, from = r.Begin(c), r.Begin(c)
		}
		s.From, s.To, s.Known = from, real, known
		last[key] = real
		do(&s)
	})
}

// LPs calls do for each sample of an LP in the files of one content, with its real time in seconds as in the file. The
// sample is valid until do returns.
func (r *Run) LPs(c instr.Content, do func(at float64, s *instr.LPStats)) error {
	return r.records(c, func(rec *instr.Record) {
		if rec.Kind == instr.KindLP {
			do(rec.Meta.RealTime, &rec.LP)
		}
	})
}

// Memory calls do for each sample of memory, with the real times of the sample before of the same PE and of this one,
// in seconds as in the file. The sample is valid until do returns.
func (r *Run) Memory(do func(from, to float64, m *instr.MemoryStats)) error {
	last := map[uint32]float64{}
	return r.records(instr.Memory, func(rec *instr.Record) {
		m, to := &rec.Memory, rec.Meta.RealTime
		from, known := last[m.PE]
		if !known {
			from = r.Begin(instr.Memory)
		}
		if !finite(to) || to < from { // damaged, or a clock that was set back
			to = from
		}
		last[m.PE] = to
		do(from, to, m)
	})
}

type lastOf struct {
	kp   KP
	isKP bool
}

// Trace calls do for each record of the event trace. The event is valid until do returns.
func (r *Run) Trace(do func(*instr.Event)) error {
	return r.records(instr.Trace, func(rec *instr.Record) { do(&rec.Event) })
}

func (r *Run) records(c instr.Content, do func(*instr.Record)) error {
	for _, file := range r.Files {
		if file.Content != c {
			continue
		}
		// A run that is still going on may have written more since the first reading.
		if _, err := each(file.input, file.Records, do); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sample) ofPE(p *instr.PEStats) {
	*s = Sample{
		KP: KP{PE: p.PE}, By: p.PE,
		Counts: findings.Counts{Processed: uint64(p.Processed), RolledBack: uint64(p.RolledBack),
			Rollbacks: uint64(p.Rollbacks),
			Secondary: uint64(p.SecondaryRollbacks), Aborted: uint64(p.Aborted), Sends: uint64(p.NetworkSends),
			GVTs: uint64(p.GVTs)},
		GVT: math.NaN(), Queue: float64(p.QueueSize), Ahead: math.NaN(),
		Saving: seconds(p.LZ4) + seconds(p.Buddy),
	}
	s.Parts = [NumParts]float64{
		EventTime:    seconds(p.EventProcess),
		RollbackTime: seconds(p.Rollback) + seconds(p.CancelQ) + seconds(p.EventAbort),
		NetworkTime:  seconds(p.NetRead) + seconds(p.NetOther),
		GVTTime:      seconds(p.GVT), FossilTime: seconds(p.FossilCollect), QueueTime: seconds(p.PQ),
	}
}

func (s *Sample) ofKP(k *instr.KPStats) {
	*s = Sample{
		IsKP: true, KP: KP{k.PE, k.KP}, By: k.PE,
		Counts: findings.Counts{Processed: uint64(k.Processed), RolledBack: uint64(k.RolledBack),
			Rollbacks: uint64(k.Rollbacks),
			Secondary: uint64(k.SecondaryRollbacks), Aborted: uint64(k.Aborted), Sends: uint64(k.NetworkSends)},
		GVT: math.NaN(), Queue: math.NaN(), Ahead: math.NaN(),
	}
	if ahead := float64(k.TimeAheadGVT); finite(ahead) && math.Abs(ahead) < math.MaxFloat32 {
		s.Ahead = ahead
	}
}

func seconds(t float32) float64 {
	if t > 0 && t < math.MaxFloat32 {
		return float64(t)
	}
	return 0
}
