// This file owns a PE's part in a round of GVT, newgvt.go adopts the result; and the bounds of a round: how long their
// lineages are kept, and how far the lookahead lowers the bound of a conservative PE.

package run

import (
	"math"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
)

// pollGVT does what the round of GVT currently requires of the PE. It reports whether the run
// is over.
func (pe *PE) pollGVT() (over bool) {
	if pe.Member.Poll() == gvt.Idle { // the round waits for others
		return false
	}
	whole := pe.Counts.Enter()
	defer func() { pe.Counts.Leave(whole, &pe.Counts.GVTSeconds) }()
	for {
		due := pe.Member.Poll()
		if pe.Remote != nil && (due == gvt.ReportDue || due == gvt.Done) && pe.ID == pe.Run.Base { // what ranks agree on
			pe.Team.RouseAll()
		}
		switch due {
		case gvt.Idle:
			return false
		case gvt.Cut:
			pe.cut()
		case gvt.ReportDue:
			pe.report()
		case gvt.Done:
			return pe.newGVT()
		}
	}
}

// cut passes the first cut of a round: from now on the PE keeps the minimum of what it sends,
// beginning with events that it has not been able to send yet.
func (pe *PE) cut() {
	pe.Red = true
	if pe.pace.deep > 0 {
		pe.pace.began = time.Now()
	}
	sends, whole := pe.Channels.Flushes, pe.Counts.Enter()
	pe.Flush()
	pe.Counts.Leave(whole, &pe.Counts.SendSeconds)
	pe.Channels.Flushes = sends // this flush is timed by itself, so it is not a sample
	pe.SetRedMin(gvt.Max)
	pe.RedAnti = false
	for _, to := range pe.Channels.Dirty {
		pe.ReddenUnsent(pe.Channels.Out[to].Unsent, pe.Channels.Base)
	}
	pe.ReddenAntis()
	if pe.Remote != nil {
		if pe.Conservative() {
			pe.TurnRemote(0) // what is sent before the report can be covered (MayCover); the loop meets an error again
		}
		pe.ReddenRemote()
		pe.Remote.Patience = timewarp.LeastTest
	}
	pe.Member.PassCut()
	if pe.Member.Poll() != gvt.Idle {
		pe.Team.RouseAll()
	}
}

// report receives everything that had been sent before the first cut, and reports to the
// round: the bound of what the PE has, and what it asks of all PEs.
func (pe *PE) report() {
	balance := pe.receiveSent()
	pe.MostPending = max(pe.MostPending, pe.Queue.Len())
	b, flags, left := pe.lowest()
	failed := pe.Err != nil && !pe.waitsForGVT()
	covers := false
	if pe.Remote != nil {
		covers = !failed && pe.covers()
		pe.Cover(&b, covers)
	}
	pe.Arena.Lines.Keep(b.Node)
	pe.keepNode(b.Node)
	pe.Red = pe.Remote != nil // it may have to report again
	flags |= pe.asks(failed, left)
	if covers && flags&^timewarp.FlagBusy == 0 {
		flags |= gvt.Covered
	}
	pe.Member.Report(b, flags, balance)
	if pe.Member.Poll() != gvt.Idle {
		pe.Team.RouseAll()
	} else if pe.Remote != nil {
		pe.Team.RouseFirst()
	}
}

// receiveSent receives what had been sent before the first cut. It returns how many messages the PE had sent to other
// ranks by then, less those of them that it has received.
func (pe *PE) receiveSent() (balance int64) {
	reads, whole := pe.Channels.Drains, pe.Counts.Enter()
	if pe.Drain() {
		pe.Stirred = true
	}
	for pe.Remote != nil && pe.DrainRemote() {
		pe.Stirred = true
	}
	pe.Counts.Leave(whole, &pe.Counts.ReadSeconds)
	pe.Channels.Drains = reads // as in cut
	pe.Settle()
	if pe.Remote == nil {
		return 0
	}
	if len(pe.Remote.Waiting) > 0 {
		pe.ReddenWaiting()
	}
	return pe.Remote.White()
}

// lowest returns the bound of all that the PE has or has sent since the cut, with what it says about that, and whether
// any event is left.
func (pe *PE) lowest() (b gvt.Bound, flags uint32, left bool) {
	b = pe.RedMin
	switch {
	case pe.RedAnti:
		flags |= timewarp.FlagUnsure
	case !b.IsMax() || pe.Uncommitted > 0:
		flags |= timewarp.FlagBusy
	}
	if pe.Conservative() && pe.lowerByLookahead(&b) {
		flags |= timewarp.FlagEarly
	}
	lapsed := pe.LapsedIn
	k, left := pe.Least()
	if pe.LapsedIn < lapsed { // the PE may have waited because of one of these
		pe.Stirred = true
	}
	if pe.next = k.Time(); !left {
		pe.next = math.Inf(1)
	}
	if left && k.TS < pe.Last {
		flags |= timewarp.FlagBusy
		if least := pe.BoundAt(pe.Arena.At(k.Index())); least.Compare(&b, pe.Arena.Lines) < 0 {
			b = least
			flags &^= timewarp.FlagUnsure
		}
	}
	pe.lowerToHook(&b)
	pe.lowerToStop(&b)
	if pe.lowerToMistake(&b) {
		flags &^= timewarp.FlagUnsure
	}
	return b, flags, left
}

// asks returns the flags for what the PE wants all PEs to do, or not to do yet.
func (pe *PE) asks(failed, left bool) (flags uint32) {
	set := func(asks bool, flag uint32) {
		if asks {
			flags |= flag
		}
	}
	set(failed || pe.Team.Stop.Load(), timewarp.FlagStop)
	set(failed, timewarp.FlagFailed)
	set(pe.Need >= timewarp.NeedUndo, timewarp.FlagTight)
	set(pe.Team.Leave.Load(), timewarp.FlagLeave)
	waits := pe.Hook.Ready && pe.Run.HookTakes
	pauses := pe.state == leaving || waits
	set((pauses || pe.state == ending) && pe.IsUnderWay() || pauses && pe.Uncommitted > 0, timewarp.FlagUnderWay)
	if pe.Probe != nil {
		flags |= pe.Probe.Ask()
	}
	if pe.Engine.Checkpoints.Running != nil {
		flags |= pe.cp.Ask(left)
	}
	return flags
}

// covers reports whether the report to a round may cover what is under way: nobody looks at the run at this GVT, and
// the PE goes on.
func (pe *PE) covers() bool {
	s := pe.Engine
	return pe.state == running && s.Hooks.GVT == nil && pe.Probe == nil && s.Checkpoints.Running == nil &&
		pe.cp.Hold == checkpoint.HoldNone && pe.MayCover()
}

// lowerByLookahead lowers the bound of events under way by the lookahead. The window of a
// conservative PE extends by the lookahead beyond GVT, so these events may have been sent by
// events before GVT. It reports whether the bound would be below 0, because Init may send with
// any delay; in that case nothing beyond GVT is handled.
func (pe *PE) lowerByLookahead(b *gvt.Bound) (early bool) {
	if ahead := pe.Run.Set.ConsLookahead; ahead > 0 && !b.IsMax() {
		at := b.Key.Time()
		early = at < ahead
		*b = gvt.Bound{Key: event.Key{TS: kernel.TimeBits(TimeBehind(at, ahead))}}
	}
	if b.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		*b = pe.Bound // sends of events after the last GVT are at least the lookahead after it
	}
	return early
}

// TimeBehind returns a time t, at - ahead or slightly less, for which t + ahead is not later
// than at in floating-point arithmetic: both the difference and the sum may be rounded up.
func TimeBehind(at, ahead float64) float64 {
	t := at - ahead
	for t+ahead > at {
		t = math.Nextafter(t, math.Inf(-1))
	}
	return t
}

// keepNode keeps the lineage of a bound that the PE has published until no PE can read it any
// more. The GVT of a round is in use until the PE has the next one, which is certain once the
// PE is in the round after that.
func (pe *PE) keepNode(node uint32) {
	if pe.Remote != nil { // it is in use at most until the next Report
		pe.Arena.Lines.Drop(pe.Published[0])
		pe.Published[0] = node
		return
	}
	i := pe.rounds % uint64(len(pe.Published))
	pe.Arena.Lines.Drop(pe.Published[i])
	pe.Published[i] = node
	pe.rounds++
}

// keepBound keeps the lineage of GVT until there is a new one.
func (pe *PE) keepBound(node uint32) {
	lines := pe.Arena.Lines
	lines.Keep(node)
	lines.Drop(pe.Published[2])
	pe.Published[1], pe.Published[2] = node, pe.Published[1]
}
