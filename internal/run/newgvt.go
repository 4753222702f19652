// This file owns the adoption of a new GVT, and what the PE does then; verdict.go decides what that is.

package run

import (
	"errors"
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
)

// newGVT adopts the GVT of a round, decides what follows from it, and acts.
func (pe *PE) newGVT() (leaves bool) {
	r := pe.Member.Result(pe.Arena.Lines)
	if !pe.adopt(&r) {
		pe.state = over
		return true
	}
	s := pe.standing(r.Flags)
	v := decide(&s)
	pe.state, pe.cp.Hold, pe.cp.Waits = v.state, v.hold, v.waits
	switch v.act {
	case cutOff:
		if v.hold == checkpoint.HoldCopied {
			pe.cp.StopAtCopy()
		}
		pe.stopAt(r.Flags)
		return true
	case finish:
		pe.noteStop(&pe.Bound)
		pe.state = over
		pe.publish()
		return true
	case leave:
		pe.leave()
		return true
	}
	mistake := pe.applyMistake()
	pe.advance(r.Flags)
	if mistake != nil {
		pe.Fail(mistake)
	}
	switch v.act {
	case goHome:
		pe.goHome()
		return true
	case copyPE:
		stop := s.stops()
		if pe.cp.Copy(stop); stop { // the checkpoint was the last thing to do
			pe.state = over
			pe.stopAt(r.Flags)
			return true
		}
	}
	pe.show()
	return pe.state == over
}

// adopt makes the result of a round the GVT of the PE. It returns false if the round has failed.
func (pe *PE) adopt(r *gvt.Report) bool {
	if pe.Remote != nil {
		pe.Red = false
		pe.Remote.Covered()
		pe.Idled = 0 // stay awake, so that the next round does not wait for this PE
		pe.keepBound(r.Node)
		if pe.FailRemote(pe.Member.Err()) {
			return false
		}
	}
	if r.Bound.Compare(&pe.Bound, pe.Arena.Lines) < 0 && pe.Err == nil {
		pe.Fail(errors.New("ross: GVT went back: this is a bug in the engine: report it with the model"))
	}
	if pe.Bound = r.Bound; pe.Remote != nil {
		pe.setDeep()
	}
	switch pe.GVTIs = timewarp.GVTCertain; {
	case r.Flags&timewarp.FlagEarly != 0:
		pe.GVTIs = timewarp.GVTEarly
	case r.Flags&timewarp.FlagUnsure != 0:
		pe.GVTIs = timewarp.GVTUnsure
	}
	pe.GVT = min(r.Time(), math.MaxFloat64)
	if pe.Last != kernel.Never {
		pe.GVT = min(pe.GVT, pe.End) // events beyond the end that are kept do not raise it
	}
	pe.learnStop()
	pe.Counts.GVTs++
	if pe.Remote != nil && pe.ID == pe.Run.Base {
		pe.Team.Reductions.Store(pe.Team.Ranks.Reductions)
	}
	if r.Flags&timewarp.FlagFailed != 0 {
		pe.forgetMistake()
	}
	if pe.Engine.Checkpoints.Running != nil {
		pe.cp.GoOnWriting(r.Flags)
	}
	return true
}

// standing returns what the decision at the GVT that the PE has adopted depends on.
func (pe *PE) standing(flags uint32) standing {
	_, stopped := pe.Bound.StoppedBy()
	return standing{
		flags: flags, state: pe.state, hold: pe.cp.Hold, done: pe.Bound.IsMax(), stopped: stopped, closed: pe.closed(),
		stores: pe.Engine.Checkpoints.Running != nil, onExit: pe.Run.Set.Checkpoints.OnExit, due: pe.cp.IsDue(),
	}
}

// show publishes what a PE that goes on has come to, and has the balance of PEs looked after.
func (pe *PE) show() {
	pe.publish()
	if pe.Bound.IsMax() && pe.ID == pe.Run.Base {
		pe.Engine.Live.Complete.Store(true)
	}
	pe.Run.HandOverLogs(pe.Kernel(), pe.GVT)
	if pe.ID == 0 {
		pe.showProgress()
	}
	if s := pe.Engine; pe.ID == pe.Run.Base {
		switch {
		case s.balance != nil:
			s.balance.look()
		case s.auto != nil:
			s.auto.look()
		}
	}
}

// advance does the work that a new GVT makes possible.
func (pe *PE) advance(flags uint32) {
	pe.Counts.Uncommitted = max(pe.Counts.Uncommitted, pe.Uncommitted)
	pe.PassGVT()
	fires := pe.hookFires()
	if pe.Undoes() && pe.Err == nil {
		if fires || flags&timewarp.FlagTight != 0 || pe.standsStill() {
			pe.RollbackTo(&pe.Bound)
		}
		if n := pe.FossilCollect(); n > 0 {
			pe.OnProgress()
		}
	}
	if pe.Probe != nil {
		pe.Probe.Due = true
		if flags&timewarp.FlagLimit != 0 {
			pe.Probe.Stop()
		}
		pe.Probe.Counts = flags&timewarp.FlagHurried == 0 || flags&timewarp.FlagInterval != 0
		pe.Probe.Flush = flags&timewarp.FlagFlush != 0
	}
	if fires {
		whole := pe.Counts.Enter()
		pe.meetHook(flags)
		pe.Counts.Leave(whole, &pe.Counts.HookSeconds)
	}
	if pe.MustSweep() {
		pe.Purge()
	}
	pe.newPace()
	if flags&timewarp.FlagTight != 0 {
		pe.Tighten()
	}
	if pe.Conservative() {
		pe.ShareFree()
		return
	}
	pe.Arena.GiveBack()
}

// leave makes the PE leave its loop with events left.
func (pe *PE) leave() {
	if pe.state = over; pe.ID == pe.Run.Base {
		pe.Engine.left = true
	}
	pe.publish()
}

// goHome is called at a GVT with nothing uncommitted or under way: the PE leaves its loop so that each PE
// gets back the KPs that the mapping gives it.
func (pe *PE) goHome() {
	if pe.leave(); pe.ID == pe.Run.Base {
		pe.Engine.balance.home = true
	}
}

// stopAt ends the run of this PE at a GVT: events before it are committed, and all others are
// undone.
func (pe *PE) stopAt(flags uint32) {
	pe.Counts.Uncommitted = max(pe.Counts.Uncommitted, pe.Uncommitted)
	if pe.Undoes() && flags&timewarp.FlagFailed == 0 {
		pe.RollbackTo(&pe.Bound)
		pe.FossilCollect()
	}
	if pe.Err == nil && pe.ID == pe.Run.Base {
		if err := pe.stopped(pe.Engine.ctx); err != nil {
			pe.Fail(err)
		}
	}
}

// showProgress prints a progress line at a GVT if one is due. PE 0 calls it for all PEs.
func (pe *PE) showProgress() {
	if at := pe.GVT; pe.progress.Due(at) && !pe.Bound.IsMax() {
		pe.reportProgress()
		if err := pe.Run.Out.Err(); err != nil {
			pe.Fail(err)
		}
	}
}
