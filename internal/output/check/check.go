// This file owns the sequential check of rollback (--synch=6), and its errors: every event is handled,
// rolled back and handled again, and the results are compared (core/check-revent in ROSS).

package check

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/output/held"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Checker is the state of a scheduler that checks rollback.
type Checker struct {
	PE      *timewarp.PE
	types   []typeCheck              // by kernel.Type.ID
	msgs    []*deep.Copier           // by kernel.Message.ID; nil for those without a message
	last    []lpCopy                 // LPs after their last event, by local index
	sent    *deep.Copier             // copies and compares sent events
	live    map[uint64]uint64        // words of the blocks of Alloc, by address
	before  map[uint32]*beforeCommit // LPs whose last Commit changed the state; by local index
	bytes   []byte                   // of a state
	Checked uint64                   // number of events that were rolled back and compared
	pending int                      // number of events that wait
	hidden  statistic.Hidden         // statistics of LPs whose handlers run
	unread  []*kernel.LP             // the LPs of hidden, in the order of Hide
	When    string                   // end of a difference in errors: which value was expected

	// The event that is being checked.
	after     lpCopy      // LP after the first run
	msg       [2][]uint64 // message before the event, and after its first run
	reversing bool        // Reverse is being called by the check
	reversed  []string    // what Reverse did wrong to the streams
}

// typeCheck is what the comparison of LPs needs for a type.
type typeCheck struct {
	kernel.StateCheck
	copier *deep.Copier
	blocks []blockField // Blocks in a state
	held   []held.Field // fields of a state that name what they hold
}

// New prepares a PE for a scheduler that checks rollback. For other schedulers it returns
// nil.
func New(pe *timewarp.PE) (*Checker, error) {
	s := pe.Run
	if !s.Set.Checks() {
		return nil, nil
	}
	z := s.Sizes()
	n := uint64(len(pe.LPs))
	each := uint64(unsafe.Sizeof(lpCopy{})) + 2*z.LPModel + z.LPRNGs
	if err := pe.Budget.Charge(n * each); err != nil {
		return nil,
			fmt.Errorf("ross: Define: copies of %d LPs of %d bytes each: %w: raise --max-memory or lower --nlp (or --lps)", n,
				each, err)
	}
	c := &Checker{PE: pe, last: make([]lpCopy, n), live: map[uint64]uint64{}, before: map[uint32]*beforeCommit{},
		sent: deep.NewCopier(reflect.TypeFor[sent]())}
	blocks := newBlockPlans(s.BlockElem)
	for _, t := range s.Types {
		if s.Set.Synch == settings.SynchDebug && t.Saving == kernel.SaveNever {
			return nil,
				fmt.Errorf(
					"ross: LP type %q: Saving is SaveNever, and --synch=4 rolls back every event: %w: use --synch=6, which checks the other types",
					t.Name, kernel.ErrModel)
		}
		c.types = append(c.types, typeCheck{
			StateCheck: t.Check,
			copier:     deep.NewCopier(t.Check.State, s.Opaque...),
			blocks:     blocks.fields(t.Check.State, 0, t.Check.State.Name()),
			held:       held.Fields(t.Check.State),
		})
	}
	for _, m := range s.Messages {
		c.msgs = append(c.msgs, copierOf(m))
		c.watchReverse(m)
	}
	for i := range c.msg {
		c.msg[i] = make([]uint64, s.Room()/8+1)
	}
	pe.Checked, pe.LiveBlocks = true, c.live
	return c, nil
}

// watchReverse makes the checker look at what Reverse does to the streams, before the
// engine restores them.
func (c *Checker) watchReverse(t *kernel.Message) {
	reverse := t.Reverse
	if reverse == nil || t.To.Hidden {
		return
	}
	t.Reverse = func(state unsafe.Pointer, lp *kernel.LP, bits *uint32, msg unsafe.Pointer) {
		reverse(state, lp, bits, msg)
		if c.reversing {
			c.watchStreams(lp)
		}
	}
}

// watchStreams examines the streams of lp just after Reverse. A Reverse that takes back
// draws by hand, as models of ROSS do, has to take back all of them.
func (c *Checker) watchStreams(lp *kernel.LP) {
	before, after := c.last[lp.Local()].streams, c.after.streams
	for i := range before {
		now, was, ran := lp.Stream(i).State().State, before[i].State, after[i].State
		if now == was || now == ran {
			continue
		}
		c.reversed = append(c.reversed, fmt.Sprintf("%s at draw %d, it was %d before and %d after Event",
			streamName(i), now.Count, was.Count, ran.Count))
	}
}

// Begin copies all LPs before the first event.
func (c *Checker) Begin() {
	c.PE.Bound = gvt.Max // nothing is speculative: every event commits once it has been checked
	c.pending = int(c.PE.Started)
	c.PE.MostPending = c.PE.Started
	if c.PE.Run.Set.KeepsSent() {
		c.keepPending()
	}
	for i := range c.PE.LPs {
		c.take(&c.PE.LPs[i], &c.last[i])
	}
}

// Forget drops the copies. LPs are then copied again when their next event comes.
func (c *Checker) Forget() {
	for i := range c.last {
		c.drop(&c.PE.LPs[i], &c.last[i])
	}
	clear(c.before)
}

// Event handles the next event, undoes it, handles it again and commits it.
func (c *Checker) Event(e *event.Event, i uint32) {
	lp := c.PE.At(e.Dst)
	if lp.Type().Hidden {
		c.point(lp, i)
		return
	}
	last := &c.last[lp.Local()]
	lp.Now = e.Time
	if !c.isUnchanged(lp, last) || !c.isAsSent(lp, e) {
		return
	}
	m := c.PE.MessageOf(e)
	plain.CopyBytes(plain.WordsAt(c.msg[0]), event.Payload(e), m.Size)
	ignores := lp.Suspended()
	if !c.run(lp, i) {
		return
	}
	did := c.effects(lp)
	c.apply(lp, &did)
	// What a failed event leaves behind is not compared: the run ends.
	if ignores || did.failed || lp.Type().Saving == kernel.SaveNever {
		c.drop(lp, last)
		delete(c.before, uint32(lp.Local()))
	} else {
		if !c.undo(lp, e, &did) || !c.withoutCommit(lp, e, i, &did) || !c.repeat(lp, e, i, &did) {
			return // with an error
		}
		c.Checked++
		c.drop(lp, last)
		*last, c.after = c.after, *last
	}
	c.pending += len(did.sends) - 1
	c.PE.MostPending = max(c.PE.MostPending, uint64(c.pending))
	c.commit(lp, m, last)
}

// Lapsed is called when n events have left the queue because their timers were cancelled.
func (c *Checker) Lapsed(n int) { c.pending -= n }

// point handles and commits an event of an analysis LP, in which models may change the
// states of LPs, as in a hook.
func (c *Checker) point(lp *kernel.LP, i uint32) {
	pe := c.PE
	if !c.run(lp, i) {
		return
	}
	if h := &lp.KP.History; h.Head == h.Last+kernel.GroupWords { // the next one was not sent
		c.pending--
	}
	c.Forget()
	pe.Leave()
	pe.FossilCollectKP(lp.KP)
	pe.AddUp()
	pe.Uncommitted = 0
}

// undo rolls the event of lp back and reports whether everything is as before.
func (c *Checker) undo(lp *kernel.LP, e *event.Event, did *effects) bool {
	c.take(lp, &c.after)
	plain.CopyBytes(plain.WordsAt(c.msg[1]), event.Payload(e), c.PE.MessageOf(e).Size)
	c.unapply(lp, did)
	c.When = "before"
	found := c.rollBack(lp)
	if c.PE.Err != nil {
		return false
	}
	found = append(found, c.differences(lp, &c.last[lp.Local()])...)
	if c.types[lp.Type().ID].Message || lp.Type().Saving == kernel.SaveByDelta {
		found = append(found, c.texts(c.msgs[e.Type].Compare(plain.WordsAt(c.msg[0]), event.Payload(e), "Message"))...)
	}
	if len(found) > 0 {
		c.blameUndo(lp, e, did, found)
	}
	return len(found) == 0
}

// repeat handles event i of lp again and reports whether it had the same effects.
func (c *Checker) repeat(lp *kernel.LP, e *event.Event, i uint32, first *effects) bool {
	_, found, ok := c.again(lp, e, i, first, "after the first call")
	if !ok {
		return false
	}
	if found = append(found, c.differences(lp, &c.after)...); len(found) > 0 {
		c.blameRerun(lp, e, found)
	}
	return len(found) == 0
}

// again handles event i of lp once more. It returns what the event did, and how its sends, calls
// and message differ from those of its first run; when states in errors when that was. ok is false if
// the event could not be handled.
func (c *Checker) again(lp *kernel.LP, e *event.Event, i uint32, first *effects, when string) (
	did effects, found []string, ok bool) {
	if !c.run(lp, i) {
		return did, nil, false
	}
	did = c.effects(lp)
	c.apply(lp, &did)
	c.When = when
	found = c.compareOutcomes(first, &did)
	message := c.msgs[e.Type].Compare(plain.WordsAt(c.msg[1]), event.Payload(e), "Message")
	return did, append(found, c.texts(message)...), true
}

// run handles the next event, which is event i of lp. It reports whether that was possible.
func (c *Checker) run(lp *kernel.LP, i uint32) bool {
	pe := c.PE
	pe.GoOn()
	for pe.Left = 1; pe.Left > 0 && !pe.Waits(); {
		if pe.Queue.Empty() {
			if pe.Refill(); pe.Queue.Empty() {
				pe.Fail(pe.QueueError())
				return false
			}
		}
		if !c.unseen(lp, "Event", pe.HandleOptimistic) {
			return false
		}
	}
	if pe.Waits() { // there was no memory, and waiting would not free any
		pe.Rest()
		lp.GiveUp(cmp.Or(pe.Lack, kernel.ErrMemory))
		return false
	}
	pe.Counts.Processed++
	h := &lp.KP.History
	if invariants.Enabled {
		invariants.Check(h.At(h.Last).Event == i, "event %d ran in place of %d", h.At(h.Last).Event, i)
	}
	pe.Current = nil
	return true
}

// rollBack rolls the event of lp back. It returns what Reverse did wrong to the streams.
func (c *Checker) rollBack(lp *kernel.LP) []string {
	pe := c.PE
	pe.Leave() // Reverse must not send
	c.reversing, c.reversed = true, nil
	c.unseen(lp, "Reverse", func() {
		pe.Rollback(lp.KP, func(event.Key, *event.Event) bool { return true })
	})
	c.reversing = false
	return c.reversed
}

// commit commits the event of lp, which has a message m.
func (c *Checker) commit(lp *kernel.LP, m *kernel.Message, last *lpCopy) {
	pe := c.PE
	calls := len(pe.Hook.Calls) > 0
	pe.Leave() // Commit must not send
	c.keepSends(lp)
	c.bytes = append(c.bytes[:0], unsafe.Slice((*byte)(lp.State), lp.Type().StateSize)...)
	pe.FossilCollectKP(lp.KP)
	pe.AddUp()
	pe.Enter(lp)
	pe.Uncommitted = 0
	if calls {
		pe.DropCalls()
		pe.Hook.Called = true
		pe.LookNow()
	}
	if m.Commit != nil {
		c.noteCommit(lp, last, c.bytes)
	}
	if !last.taken {
		c.take(lp, last)
	}
}

// isUnchanged reports whether an LP is as its last event left it. Only its own handlers may
// change it.
func (c *Checker) isUnchanged(lp *kernel.LP, last *lpCopy) bool {
	if !last.taken {
		c.take(lp, last)
		return true
	}
	c.When = "after its last event"
	found := c.differences(lp, last)
	if len(found) > 0 {
		c.blame(lp, "something other than its events", found,
			"an LP's state and streams are for its own handlers: send an event to change them", "")
	}
	return len(found) == 0
}

// End checks all LPs after the last event.
func (c *Checker) End() {
	for i := range c.last {
		if lp := &c.PE.LPs[i]; c.PE.Err == nil && c.last[i].taken {
			c.isUnchanged(lp, &c.last[i])
		}
	}
	c.Forget()
}

// The errors of the check of rollback: what is wrong, and how to correct it.

// blameUndo ends the run because an event of lp was not undone.
func (c *Checker) blameUndo(lp *kernel.LP, e *event.Event, did *effects, found []string) {
	who, fix := "Reverse of", "undo in Reverse all that Event did to the state and the message"
	switch lp.Type().Saving {
	case kernel.SaveByLog:
		who, fix = "restoring what Save recorded in",
			"call ross.Save or ross.Write for everything that Event changes, before it changes it"
	case kernel.SaveByDelta:
		who, fix = "restoring the state saved before",
			"change in Event only what the engine saves: the LP's state, its blocks and the message"
	}
	if lp.Type().Saving == kernel.SaveByReverse && did.saves > 0 {
		fix += "; leave to Save the fields that Event saves before it first changes them"
	}
	if len(found) == len(c.reversed) {
		fix = "take back in Reverse as many draws as Event made, or none: the engine restores the streams"
	}
	causes := ""
	if slices.ContainsFunc(found, isRounding) {
		causes = kernel.CausesOfRounding
	}
	c.blame(lp, who+" "+c.nameEvent(lp, e), found, fix, causes)
}

// isRounding reports whether a difference is between two numbers that a rounding error may have made of
// one.
func isRounding(difference string) bool {
	_, values, _ := strings.Cut(difference, " at ")
	now, was, _ := strings.Cut(values, ", it was ")
	was, _, _ = strings.Cut(was, " ")
	a, err := strconv.ParseFloat(now, 64)
	b, none := strconv.ParseFloat(was, 64)
	return err == nil && none == nil && a != b && math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) &&
		(a != math.Trunc(a) || b != math.Trunc(b))
}

// blameRerun ends the run because an event had a different effect when it was handled
// again.
func (c *Checker) blameRerun(lp *kernel.LP, e *event.Event, found []string) {
	c.blame(lp, "Event, called again after the rollback of "+c.nameEvent(lp, e)+",", found,
		"let Event depend on state, message and streams alone, and change nothing else", kernel.CausesOfChange)
}

// nameEvent describes an event in an error of lp.
func (c *Checker) nameEvent(lp *kernel.LP, e *event.Event) string {
	name := fmt.Sprintf("the event that %s sent at time %g", lp.NameFor(e.Src), e.SendTime)
	for _, f := range c.types[lp.Type().ID].held {
		if ran := f.Of(lp.State).Ran(lp); ran != "" {
			name += " (" + ran + ")"
		}
	}
	return name
}

// inC has the words of models of C for those of Go in errors.
var inC = strings.NewReplacer("Reverse of", "the reverse event handler for", "in Reverse",
	"in the reverse event handler", "Event", "the event handler",
	"math/rand, time.Now, the order of a map, a variable of the package", "rand, time, a static variable",
	"ross.Save or ross.Write", "tw_snapshot", "Save ", "tw_snapshot ")

// blame ends the run with the differences found in lp. Each states what something is and what
// it was. who is the subject of the error, and fix is how to correct it; causes are the likely ones, or
// "".
func (c *Checker) blame(lp *kernel.LP, who string, found []string, fix, causes string) {
	found = found[:min(len(found), deep.MaxDifferences)]
	if print := c.types[lp.Type().ID].Print; print != nil {
		c.PE.Run.Printf("State of %s at time %g, which differs:\n", lp.Name(), lp.Now)
		print(c.PE.Run.Out, lp.State)
	}
	lp.PE.Rest()
	if lp.Type().Life != nil {
		who, fix, causes = inC.Replace(who), inC.Replace(fix), inC.Replace(causes)
	}
	lp.BlameWith(kernel.ErrReverse, fix, causes, "%s left %s", who, strings.Join(found, "; "))
}
