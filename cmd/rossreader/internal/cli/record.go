// This file owns what records of all kinds have in common.

package cli

import "github.com/ross-go/ross/instr"

// Common is what a record is about. Kinds differ in what they have of it.
type Common struct {
	PE, KP, LP          uint64 // the KP on its PE; of an event the LP that receives it
	HasPE, HasKP, HasLP bool
	At                  float64 // virtual time; of an event that of its receipt
	Real                float64 // real time, seconds
}

// CommonOf returns what a record is about.
func CommonOf(r *instr.Record) Common {
	c := Common{HasPE: true, At: r.Meta.TS, Real: r.Meta.RealTime}
	switch r.Kind {
	case instr.KindEvent:
		e := &r.Event
		return Common{LP: uint64(e.Dest), HasLP: true, At: float64(e.RecvTS), Real: float64(e.RealTS)}
	case instr.KindVTModel:
		v := &r.VTModel
		return Common{v.PE, v.KP, v.LP, true, true, true, v.TS, v.RealTime}
	case instr.KindPE:
		c.PE = uint64(r.PE.PE)
	case instr.KindKP:
		c.PE, c.KP, c.HasKP = uint64(r.KP.PE), uint64(r.KP.KP), true
	case instr.KindLP:
		c.PE, c.KP, c.LP, c.HasKP, c.HasLP = uint64(r.LP.PE), uint64(r.LP.KP), uint64(r.LP.LP), true, true
	case instr.KindModel:
		c.PE, c.KP, c.LP, c.HasKP, c.HasLP = uint64(r.Model.PE), uint64(r.Model.KP), uint64(r.Model.LP), true, true
	case instr.KindMemory:
		c.PE = uint64(r.Memory.PE)
	}
	return c
}

// HasPayload reports whether records of a kind may have a payload.
func HasPayload(kind instr.Kind) bool {
	return kind == instr.KindModel || kind == instr.KindVTModel || kind == instr.KindEvent
}

// PayloadOf returns the payload of a record, which is valid as long as the record; nil if its kind has none.
func PayloadOf(r *instr.Record) []byte {
	switch r.Kind {
	case instr.KindModel:
		return r.Model.Payload
	case instr.KindVTModel:
		return r.VTModel.Payload
	case instr.KindEvent:
		return r.Event.Payload
	}
	return nil
}
