// This file guesses whether the original ROSS wrote a file.

// Package origin distinguishes files of the original ROSS from ours by what the original
// writes differently: records of LPs with 12 more bytes, samples of models at virtual times
// whose real time was never set, and a number of GVTs that counts from the start of the
// run. A file without any of these counts as ours.
package origin

import "github.com/ross-go/ross/instr"

// fewest is the number of samples of a PE from which its way of counting GVTs is clear.
const fewest = 8

// Detector examines the records of one file. The zero value is ready for use.
type Detector struct {
	sure bool // a record that only the original writes
	pes  map[uint32]*gvts
}

// gvts is the course of a PE's number of GVTs from sample to sample.
type gvts struct {
	last, samples, grew uint32
	fell                bool
}

// See examines the next record.
func (d *Detector) See(r *instr.Record) {
	switch r.Kind {
	case instr.KindLP:
		d.sure = d.sure || r.Meta.Size == instr.LPSizeLong
	case instr.KindVTModel: // never set: it is the bits of an address, 1e-300 or less as a number
		t := r.VTModel.RealTime
		d.sure = d.sure || t != t || t < 0 || t > 0 && t < 1e-300
	case instr.KindPE:
		d.seePE(&r.PE)
	}
}

func (d *Detector) seePE(s *instr.PEStats) {
	g := d.pes[s.PE]
	if g == nil {
		if d.pes == nil {
			d.pes = map[uint32]*gvts{}
		}
		g = &gvts{last: s.GVTs}
		d.pes[s.PE] = g
	}
	if s.GVTs > g.last {
		g.grew++
	}
	g.fell = g.fell || s.GVTs < g.last
	g.samples++
	g.last = s.GVTs
}

// Sure reports whether there was a record that only the original writes.
func (d *Detector) Sure() bool { return d.sure }

// CountsGVTsFromStart reports whether the number of GVTs counts from the start of the run:
// a record is the original's, or the number increased at most samples of each PE and never
// decreased.
func (d *Detector) CountsGVTsFromStart() bool {
	if d.sure {
		return true
	}
	enough := false
	for _, g := range d.pes {
		if g.fell || g.samples >= fewest && g.grew <= g.samples/2 {
			return false
		}
		enough = enough || g.samples >= fewest
	}
	return enough
}
