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
}

type lpModel struct {
	size   int
	lastTS float64 // of samples at virtual times
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
	c.place(at)
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
	if r.Meta.RealTime < p.real {
		c.find(at, "real time", text(p.real)+" as before on this PE, or later", text(r.Meta.RealTime))
	}
	p.gvt, p.real = float64(s.GVT), r.Meta.RealTime
}

func (c *checker) vtModel(r *instr.Record) {
	s, at := &r.VTModel, whereIs(r)
	c.place(at)
	if !sound(s.TS) {
		c.find(at, "virtual time", "finite and not negative", text(s.TS))
	}
	lp, known := c.payload(at, len(s.Payload))
	if known && s.TS <= lp.lastTS {
		c.find(at, "virtual time", "later than "+text(lp.lastTS)+" as before of this LP", text(s.TS))
	}
	lp.lastTS = s.TS
	if !c.originals() && !sound(s.RealTime) {
		c.find(at, "real time", "finite and not negative", text(s.RealTime))
	}
}
