// This file owns what Auto decides before the run: the lookahead that the model declares, and the
// scheduler of a run that cannot change it.

package ross

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

// defaultLookahead is the lookahead of ROSS, which says nothing about the model.
const defaultLookahead = 0.005

// declaredLookahead returns the least lookahead that the LP types declare; ok is false unless each
// of them does.
func (s *Simulation) declaredLookahead() (least float64, ok bool) {
	least = math.Inf(1)
	for _, t := range s.r.Types {
		if t.Lookahead <= 0 {
			return 0, false
		}
		least = min(least, t.Lookahead)
	}
	return least, true
}

// mayStop returns the name of a type whose LPs may end the run sooner than with the lookahead, or "".
func (s *Simulation) mayStop() string {
	for _, t := range s.r.Types {
		if !t.NeverStops {
			return t.Name
		}
	}
	return ""
}

// setScheduler sets the lookahead, and, for Auto, the scheduler of a run that cannot change it. The
// types of the LPs are known.
func (s *Simulation) setScheduler() {
	set := &s.r.Set
	ahead, ok := s.declaredLookahead()
	if ok {
		set.ConsLookahead = max(ahead, set.ConsLookahead)
	}
	auto := set.Synch == settings.SynchAuto
	if auto && !ok && set.ConsLookahead == defaultLookahead {
		set.ConsLookahead = 0 // no LP has promised that
	}
	stops := s.mayStop()
	if auto || set.Synch == settings.SynchConservative {
		s.r.Ahead = set.ConsLookahead
		if s.numPEs() > 1 && (!auto || stops == "") {
			s.r.StopAhead = set.ConsLookahead
		}
	}
	if !auto {
		return
	}
	s.r.MayStop = stops
	hook := s.cfg.GVTHook != nil || s.r.Hooks.Trigger.Kind != kernel.HookNever
	switch {
	case s.numPEs() == 1:
		set.Synch, s.r.Chosen = settings.SynchSequential, "sequential, since there is one PE"
	case s.r.Cluster.Ranks > 1:
		s.r.Chosen = "with several ranks"
	case hook:
		s.r.Chosen = "with a GVT hook"
	case set.Collects():
		s.r.Chosen = "with instrumentation"
	case set.StoresRunning():
		s.r.Chosen = "with checkpoints while it runs"
	}
	if set.Synch != settings.SynchAuto || s.r.Chosen == "" {
		return
	}
	why := s.r.Chosen + " the scheduler does not change, and "
	switch {
	case set.ConsLookahead > 0 && !hook && stops == "":
		set.Synch, s.r.Chosen = settings.SynchConservative, "conservative: "+why+"there is a lookahead"
	case set.ConsLookahead > 0 && !hook:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, fmt.Sprintf("optimistic: %sLPs of type %q may end the run (Type.NeverStops)", why, stops)
	default:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, "optimistic: "+why+"conservative needs a lookahead and no hook"
	}
}
