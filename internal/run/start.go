// This file owns what is before the first event: the places of the LPs, and their Init and PreRun.

package run

import (
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/rio"
)

// MakeLayout computes the places of all LPs, as the settings ask.
func (s *Engine) MakeLayout() (err error) {
	set, npe := &s.Set, s.AllPEs()
	if npe > kernel.MostPEs {
		return usage.Errorf("option --pes=%d: %d ranks have %d PEs; there can be %d: use fewer ranks or PEs", set.PEs,
			s.Cluster.Ranks, npe, kernel.MostPEs)
	}
	if err := s.checkPEs(); err != nil {
		return err
	}
	kind, builtin := s.kind()
	switch {
	case !builtin:
		if s.Layout, err = s.mapping.Map(mapping.Shape{PEs: npe, KPs: set.NKP, LPs: s.Total}); err == nil {
			err = s.checkLayout()
		}
	case set.LPs != 0:
		s.Layout, err = mapping.NewEven(kind, npe, set.LPs, set.NKP)
	case kind == mapping.RoundRobin:
		s.Layout, err = mapping.NewRoundRobin(npe, set.NLP, set.NKP)
	default:
		s.Layout, err = mapping.NewLinear(npe, set.NLP, set.NKP)
	}
	return err
}

// kind returns which of the mappings that package mapping makes from numbers the run has; builtin is false if it has
// another.
func (s *Engine) kind() (kind mapping.Kind, builtin bool) {
	if s.mapping == nil {
		return mapping.Linear, true
	}
	kind, builtin = s.mapping.(mapping.Kind)
	return kind, builtin && kind != mapping.Custom
}

// checkLayout refuses a Map that is for another run.
func (s *Engine) checkLayout() error {
	m := s.Layout
	if m == nil {
		return fmt.Errorf("ross: Config.Mapping: %T returned no Map: %w: return what package mapping makes", s.mapping,
			kernel.ErrModel)
	}
	if m.NumPEs() != s.AllPEs() || m.Total() != s.Total {
		return fmt.Errorf(
			"ross: Config.Mapping: %T returned a Map of %d LPs on %d PEs for a run of %d on %d: %w: make it for the numbers that it is given",
			s.mapping, m.Total(), m.NumPEs(), s.Total, s.AllPEs(), kernel.ErrModel)
	}
	return nil
}

// checkPEs refuses a number of PEs that does not fit into memory, before any PE is made. The
// structures of PEs are not charged to the budget; those of a few PEs take almost nothing.
func (s *Engine) checkPEs() error {
	const few = 64 << 20 // bytes
	n := uint64(s.Set.PEs)
	each := uint64(unsafe.Sizeof(PE{})+unsafe.Sizeof(event.Arena{})+unsafe.Sizeof(pq.EventSet{})) + n*uint64(
		unsafe.Sizeof(timewarp.Outbox{}))
	if limit := max(s.Budget.Limit(), few); each > limit/n {
		return fmt.Errorf(
			"ross: Define: %d PEs of %d bytes each: %w: %d bytes are allowed: raise --max-memory or lower --pes", n, each,
			mem.ErrLimit, limit)
	}
	return nil
}

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

// prepareEvents takes memory for as many events as the model asks for before the clock of the run starts, as ROSS does.
func (pe *PE) prepareEvents() { pe.Arena.Prepare(pe.Run.Set.Events) }

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
