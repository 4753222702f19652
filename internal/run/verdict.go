// This file owns what a PE decides at a new GVT: whether it stays in its loop, and why not. The decision depends on
// nothing but standing, which is the same for all PEs of all ranks: they decide the same at the same GVT.
// newgvt.go acts.
//
// Who asks for the end comes first: a signal, an error, the last event. Then a stop by an LP, then those who want the
// PEs to leave their loops, then a checkpoint. All but the first need that nothing is under way, which takes more
// than one GVT: the PE stands still from the first on.

package run

import (
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
)

// standing is what a decision depends on.
type standing struct {
	flags   uint32          // of the round
	state   state           // since the GVT before
	hold    checkpoint.Hold // the same for a checkpoint
	done    bool            // no event is left before the end
	stopped bool            // GVT is at the stop of an LP
	closed  bool            // all that is committed is before all that is not
	stores  bool            // the run stores checkpoints
	onExit  bool            // and one of them when it is stopped from outside
	due     bool            // GVT has come to the time of a checkpoint
}

// has reports whether some PE has set a flag.
func (s *standing) has(flag uint32) bool { return s.flags&flag != 0 }

// verdict is a decision: in which state the PE acts.
type verdict struct {
	state state
	hold  checkpoint.Hold
	act   action
	waits bool // all that keeps the PE from being copied is that the checkpoint before is being written
}

// action is what a PE does at a GVT.
type action uint8

const (
	goOn   action = iota // do the work that GVT makes possible
	cutOff               // commit what is before GVT, undo the rest, and end the run
	finish               // end the run: an LP has stopped it
	leave                // leave the loop with events left
	goHome               // do the work, and leave the loop so that KPs go where the mapping puts them
	copyPE               // do the work, and copy the PE for a checkpoint
)

// decide returns what a PE does at a new GVT.
func decide(s *standing) verdict {
	v := verdict{state: s.state, hold: s.hold}
	stop := s.stops()
	ends := stop || s.done // the others end here, even if this PE fails
	if s.stores {
		v.hold, ends = s.holdOn(stop, ends)
	}
	if ends {
		v.state = over
	}
	switch {
	case stop && ends:
		v.act = cutOff
	case s.stopped && s.state != ending: // other PEs may be undoing events only now
		v.state = ending
	case s.stopped && !s.has(timewarp.FlagUnderWay):
		v.act = finish
	case s.stopped:
	case s.has(timewarp.FlagLeave) && v.state < ending && v.hold == checkpoint.HoldNone:
		if s.state == leaving && s.closed && !s.has(timewarp.FlagUnderWay) {
			v.act = leave
		}
		v.state = leaving
	case s.closed:
		s.advanceHold(&v, stop)
	}
	return v
}

// stops reports whether the run ends at this GVT although events may be left. A run that an LP has stopped is
// complete, whoever else wants to stop it.
func (s *standing) stops() bool {
	return s.has(timewarp.FlagStop) && (!s.stopped || s.has(timewarp.FlagFailed))
}

// mayBegin reports whether the next checkpoint is due, and the one before it has been written, on all ranks.
func (s *standing) mayBegin() bool {
	return s.has(timewarp.FlagCheckpoint) && !s.has(timewarp.FlagWriting)
}

// holdOn makes the PE stand still for a checkpoint, or go on after it. ends says whether the run ends at this GVT;
// holdOn returns whether it still does, since a run that is to stop with a checkpoint goes on until that is copied.
func (s *standing) holdOn(stop, ends bool) (checkpoint.Hold, bool) {
	last := stop && s.onExit
	switch {
	case s.stopped, // a checkpoint of this moment would not know of it
		s.done && !(s.due && s.has(timewarp.FlagLeft)), s.has(timewarp.FlagFailed), stop && !last:
		return checkpoint.HoldNone, ends
	case s.hold == checkpoint.HoldCopied && last: // the copy is of this very moment
		return s.hold, true
	case s.hold == checkpoint.HoldCopied:
		return checkpoint.HoldNone, false
	case s.hold == checkpoint.HoldNone && (last || s.due || s.mayBegin()):
		return checkpoint.HoldBegun, false
	}
	return s.hold, false
}

// advanceHold brings a PE that stands still for a checkpoint nearer to its copy. Nothing is uncommitted in it.
func (s *standing) advanceHold(v *verdict, stop bool) {
	switch v.hold {
	case checkpoint.HoldBegun: // events of other PEs may still be under way
		v.hold = checkpoint.HoldDraining
	case checkpoint.HoldDraining:
		switch {
		case s.has(timewarp.FlagUnderWay):
		case s.has(timewarp.FlagAway):
			v.act = goHome
		case !stop && !s.mayBegin():
			v.waits = true
		default:
			v.act = copyPE
		}
	}
}
