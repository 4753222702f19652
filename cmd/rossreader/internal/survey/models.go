// This file reads the samples of models.

package survey

import "github.com/ross-go/ross/instr"

// Models calls do for each sample of a model in the files of one content: the LP, the virtual time of the
// sample, or GVT at it, and its payload, which is valid until do returns.
func (r *Run) Models(c instr.Content, do func(lp uint64, at float64, payload []byte)) error {
	return r.records(c, func(rec *instr.Record) {
		switch rec.Kind {
		case instr.KindModel:
			do(uint64(rec.Model.LP), rec.Meta.TS, rec.Model.Payload)
		case instr.KindVTModel:
			do(rec.VTModel.LP, rec.VTModel.TS, rec.VTModel.Payload)
		}
	})
}
