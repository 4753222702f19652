// This file owns the samples of memory: what a PE has in use when its sample by real time is taken.

package collect

import "github.com/ross-go/ross/instr"

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
