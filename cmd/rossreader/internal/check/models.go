// This file owns the checks of models' samples.

package check

import (
	"fmt"

	"github.com/ross-go/ross/instr"
)

// models is the state of the check of models' samples.
type models struct {
	lps map[uint64]*lpModel
	pes map[uint64]*peModel // by PE and mode
	together
}

type lpModel struct {
	size     int
	lastTS   float64 // of samples at virtual times
	lastReal float64 // likewise
}

type peModel struct{ gvt, real float64 }

// payload checks that payloads of an LP always have the same size, and reports
// whether there was an earlier one.
func (c *checker) payload(at *where, size int) (lp *lpModel, known bool) {
	lp, known = c.models.lps[at.lp]
	if !known {
		lp = &lpModel{size: size}
		c.models.lps[at.lp] = lp
	}
	if size != lp.size {
		c.find(at, "size of the payload", fmt.Sprintf("%d bytes as before", lp.size), text(size))
	}
	return lp, known
}

func (c *checker) model(r *instr.Record) {
	s, at := &r.Model, whereIs(r)
	c.known(at)
	c.place(at)
	c.sampled(at, [3]float64{float64(s.Mode), float64(s.GVT), r.Meta.RealTime})
	c.payload(at, len(s.Payload))
	if !(r.Meta.TS >= 0) {
		c.find(at, "virtual time", "not negative", text(r.Meta.TS))
	}
	if !(s.GVT >= 0) {
		c.find(at, "GVT", "not negative", text(s.GVT))
	}
	if !sound(r.Meta.RealTime) {
		c.find(at, "real time", "finite and not negative", text(r.Meta.RealTime))
	}

	if c.moving != nil {
		c.modelMoving(at, s, r.Meta.RealTime)
		return
	}
	key := uint64(s.PE)<<1 | uint64(s.Mode&1)
	p := c.models.pes[key]
	if p == nil {
		p = &peModel{}
		c.models.pes[key] = p
	}
	// The virtual time is that of a KP, which may be rolled back, so it can go back.
	if float64(s.GVT) < p.gvt {
		c.find(at, "GVT", text(float32(p.gvt))+" as before on this PE, or later", text(s.GVT))
	}
	c.notBack(at, "real time", p.real, r.Meta.RealTime)
	p.gvt, p.real = float64(s.GVT), r.Meta.RealTime
}

// modelTimes is the state of the check of the times of models' samples when KPs may have moved: those of a
// PE are in several places of the file.
type modelTimes struct {
	lps    map[lpMode]*modelTime
	before [2]modelRecord // the last two records, the latest first
}

type lpMode struct {
	lp   uint32
	mode int32
}

type modelTime struct {
	gvt  float32
	real float64
}

type modelRecord struct {
	at   *where
	mode int32
	modelTime
}

// modelMoving checks the times of a model's sample: those of an LP never go back, and LPs that are sampled
// together, by one PE, have the same.
func (c *checker) modelMoving(at *where, s *instr.ModelStats, real float64) {
	m := &c.moving.models
	now := modelRecord{at, s.Mode, modelTime{s.GVT, real}}
	last, first := m.before[0], m.before[1]
	m.before = [2]modelRecord{now, last}
	if last.at != nil && last.mode == now.mode && last.real == real {
		c.moving.seen = c.moving.seen || last.at.pe != at.pe
		if s.GVT != last.gvt {
			c.find(at, "GVT", text(last.gvt)+" as in the record before, of the same real time", text(s.GVT))
		}
	}
	if first.at != nil && first.mode == now.mode && last.mode == now.mode && first.modelTime == now.modelTime && last.real != real {
		c.find(last.at, "real time", text(real)+" as in the records before and after it", text(last.real))
	}
	key := lpMode{s.LP, s.Mode}
	was := m.lps[key]
	if was == nil {
		was = &modelTime{}
		m.lps[key] = was
	}
	if s.GVT < was.gvt {
		c.find(at, "GVT", text(was.gvt)+" as before of this LP, or later", text(s.GVT))
	}
	if real < was.real-skew {
		c.find(at, "real time", text(was.real)+" as before of this LP, or later", text(real))
	}
	*was = now.modelTime
}

func (c *checker) vtModel(r *instr.Record) {
	s, at := &r.VTModel, whereIs(r)
	c.known(at)
	c.place(at)
	c.sampled(at, [3]float64{float64(s.PE), float64(s.KP), s.TS})
	if !sound(s.TS) {
		c.find(at, "virtual time", "finite and not negative", text(s.TS))
	}
	lp, known := c.payload(at, len(s.Payload))
	if known && s.TS <= lp.lastTS {
		c.find(at, "virtual time", "later than "+text(lp.lastTS)+" as before of this LP", text(s.TS))
	}
	lp.lastTS = s.TS
	if c.originals() {
		return
	}
	if !sound(s.RealTime) {
		c.find(at, "real time", "finite and not negative", text(s.RealTime))
	}
	if s.RealTime < lp.lastReal-skew {
		c.find(at, "real time", text(lp.lastReal)+" as before of this LP, or later", text(s.RealTime))
	}
	lp.lastReal = s.RealTime
}
