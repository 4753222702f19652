// This file owns the stages before the first event: Init and PreRun of the LPs.

package run

import (
	"slices"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/rio"
)

// callInits calls Init of all LPs of the PE, and loads them from a checkpoint if there is one.
func (pe *PE) callInits() {
	begin := time.Now()
	defer func() { pe.Counts.InitSeconds = meter.Since(begin) }()
	hooks := &pe.Engine.Hooks
	if hooks.PreInit != nil {
		pe.call(func() { hooks.PreInit(pe) })
	}
	var record rio.LP
	load, clock := pe.Engine.Checkpoints.Load, pe.Run.StartTime
	for i := range pe.LPs {
		if order := pe.Run.Set.InitOrder; order != nil {
			i = order(i)
		}
		lp := &pe.LPs[i]
		pe.Enter(lp)
		if load != nil && load.Mode != checkpoint.LoadPostInit && !pe.cp.Load(lp, &record) {
			break
		}
		if lp.Type().Init != nil && (load == nil || load.Mode != checkpoint.LoadInit) {
			callAt(lp, clock, lp.Type().Init)
			lp.Begin()
		}
		if load != nil && load.Mode == checkpoint.LoadPostInit && !pe.cp.Load(lp, &record) {
			break
		}
	}
	pe.Leave()
	if hooks.PostInit != nil {
		pe.call(func() { hooks.PostInit(pe) })
	}
}

// callAt calls Init or PreRun of an LP at a virtual time.
func callAt(lp *kernel.LP, time float64, f func(unsafe.Pointer, *kernel.LP)) {
	now := lp.Now
	lp.Now = time
	f(lp.State, lp)
	lp.Now = now
}

// callPreRuns calls PreRun of all LPs of the PE.
func (pe *PE) callPreRuns() {
	if load := pe.Engine.Checkpoints.Load; load != nil && load.Mode == checkpoint.LoadInit && !load.AsROSS {
		return // PreRun was called before the checkpoint
	}
	if !slices.ContainsFunc(pe.Run.Types, func(t *kernel.Type) bool { return t.PreRun != nil }) {
		return
	}
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		if pe.Enter(lp); lp.Type().PreRun != nil {
			callAt(lp, pe.Run.StartTime, lp.Type().PreRun)
		}
	}
	pe.Leave()
}
