// This file owns what Auto decides before the run: the lookahead that the model declares, and the
// scheduler of a run that cannot change it.

package ross

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/mapping"
)

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

// memoryOfPE is the least share of --max-memory, in bytes, for each PE that Auto chooses.
const memoryOfPE = 16 << 20

// choosePEs sets the number of PEs for Auto, if the settings leave it open and the model is the same for any
// number: one for each processor that Go may use. There is one if the scheduler could not change anyway: it is
// sequential then.
func (s *Simulation) choosePEs(processors int) {
	c := &s.cfg
	if c.Synch != Auto || c.PEs != 1 || c.pesGiven || s.r.Cluster.Ranks > 1 {
		return
	}
	switch fixed := s.fixedScheduler(); {
	case c.TotalLPs == 0:
		s.r.PEsChosen = "the model grows with the PEs: give its whole size (--lps in place of --nlp, Config.TotalLPs), and auto chooses their number, or give --pes"
	case c.Mapping == mapping.Custom && c.Custom.For == nil:
		s.r.PEsChosen = "the mapping is for so many: give it as Config.Custom.For, and auto chooses their number, or give --pes"
	case fixed != "":
		s.r.PEsChosen = fixed + " auto chooses no other number: give --pes"
	default:
		n := min(uint64(processors), c.TotalLPs, max(c.MaxMemory/memoryOfPE, 1))
		if c.PEs = int(n); n > 1 {
			s.r.PEsChosen = fmt.Sprintf("%d PEs, chosen too (--pes)", n)
		} else {
			s.r.PEsChosen = "there is one processor, one LP, or memory for one (--max-memory)"
		}
	}
}

// fixedScheduler says why the scheduler cannot change while the run goes on, or "" if it can.
func (s *Simulation) fixedScheduler() string {
	set := s.cfg.settings()
	switch {
	case s.r.Cluster.Ranks > 1:
		return "with several ranks"
	case s.cfg.hasHook():
		return "with a GVT hook"
	case set.Collects():
		return "with instrumentation"
	case set.StoresRunning():
		return "with checkpoints while it runs"
	}
	return ""
}

// hasHook reports whether there is a GVT hook.
func (c *Config) hasHook() bool { return c.GVTHook != nil || c.HookTrigger.k.Kind != kernel.HookNever }

// setScheduler sets the lookahead, and, for Auto, the scheduler of a run that cannot change it. The
// types of the LPs are known.
func (s *Simulation) setScheduler() {
	set := &s.r.Set
	ahead, ok := s.declaredLookahead()
	if ok {
		set.ConsLookahead = max(ahead, set.ConsLookahead)
	}
	auto := set.Synch == settings.SynchAuto
	if auto && !ok && set.ConsLookahead == settings.DefaultLookahead {
		set.ConsLookahead = 0 // no LP has promised that
	}
	stops := s.mayStop()
	if auto || set.Synch == settings.SynchConservative {
		s.r.Ahead = set.ConsLookahead
		if auto && stops == "" || !auto && s.numPEs() > 1 { // Auto's number of PEs depends on the machine
			s.r.StopAhead = set.ConsLookahead
		}
	}
	if !auto {
		return
	}
	s.r.MayStop = stops
	if s.numPEs() == 1 {
		set.Synch, s.r.Chosen = settings.SynchSequential, "sequential, since there is one PE"
		if why := s.r.PEsChosen; why != "" {
			s.r.Chosen += ": " + why
		}
		return
	}
	why := s.fixedScheduler()
	if why == "" {
		return
	}
	why += " the scheduler does not change, and "
	hook := s.cfg.hasHook()
	switch {
	case set.ConsLookahead > 0 && !hook && stops == "":
		set.Synch, s.r.Chosen = settings.SynchConservative, "conservative: "+why+"there is a lookahead"
	case set.ConsLookahead > 0 && !hook:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, fmt.Sprintf("optimistic: %sLPs of type %q may end the run (Type.NeverStops)", why, stops)
	default:
		set.Synch, s.r.Chosen = settings.SynchOptimistic, "optimistic: "+why+"conservative needs a lookahead and no hook"
	}
}
