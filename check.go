// This file owns the sequential rollback check (--synch=6): every event is
// handled, rolled back, and handled again, and what that leaves behind is
// compared with what should be (core/check-revent in ROSS).

package ross

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/plain"
)

// Checker says how the states of a type are compared by --synch=4 and 6, where
// comparing all that can be reached from the state is not what the model wants:
// floating-point sums that Reverse restores but for rounding, say, caches, or
// objects that several LPs share (crv_checkpointer,
// crv_add_custom_state_checkpoint).
type Checker[S any] struct {
	// Save returns a copy of what is to be compared (save_lp). It is set if
	// Compare is.
	Save func(s *S) any
	// Compare returns an error that says what differs, nil if nothing does
	// (check_lps).
	Compare func(s *S, saved any) error
	// Clean, if set, is told of copies that are needed no more (clean_lp).
	Clean func(saved any)
	// Print, if set, writes a state that was found to differ to the report, for
	// the eye (print_lp). It goes with the comparison of all fields, too.
	Print func(w io.Writer, s *S)
	// Message has the message compared too: after Reverse it has to be as
	// before. Without it Event may leave in the message what Reverse needs, as
	// models of ROSS do. Whatever is left there must not make a difference when
	// Event is called again: that is always checked.
	Message bool
	// Digest returns what of the state goes into the digest of the final states
	// (Config.Digest): a value of any kind, which has to come out the same, bit by bit,
	// whatever was rolled back. It leaves out what need not: sums that are off by rounding
	// after Reverse, caches. nil: all fields, or nothing of the state if Compare is set.
	Digest func(s *S) any
}

// stateCheck is a Checker without its type parameter.
type stateCheck struct {
	state, msg reflect.Type
	save       func(state unsafe.Pointer) any // nil: compare all fields
	compare    func(state unsafe.Pointer, saved any) error
	clean      func(saved any)
	print      func(w io.Writer, state unsafe.Pointer)
	digest     func(state unsafe.Pointer) any // nil: all fields
	message    bool
}

// stateCheck returns the checks of a type.
func (t *Type[S, M]) stateCheck() (stateCheck, error) {
	sc := stateCheck{state: reflect.TypeFor[S](), msg: reflect.TypeFor[M](), clean: func(any) {}}
	c := t.Check
	if c == nil {
		return sc, nil
	}
	if (c.Save == nil) != (c.Compare == nil) {
		return sc, fmt.Errorf("ross: LP type %q: Check has one of Save and Compare: %w: give both, or none", t.Name, ErrModel)
	}
	if c.Save != nil {
		sc.save = func(p unsafe.Pointer) any { return c.Save((*S)(p)) }
		sc.compare = func(p unsafe.Pointer, saved any) error { return c.Compare((*S)(p), saved) }
	}
	if c.Clean != nil {
		sc.clean = c.Clean
	}
	if c.Print != nil {
		sc.print = func(w io.Writer, p unsafe.Pointer) { c.Print(w, (*S)(p)) }
	}
	if c.Digest != nil {
		sc.digest = func(p unsafe.Pointer) any { return c.Digest((*S)(p)) }
	}
	sc.message = c.Message
	return sc, nil
}

// checker is what a PE keeps for the schedulers that check rollback.
type checker struct {
	pe      *PE
	types   []typeCheck // by lpType.id
	last    []lpCopy    // of each LP, after its last event; by local index
	sent    *deep.Copier
	live    map[uint64]bool          // addresses of blocks of Alloc
	before  map[uint32]*beforeCommit // of LPs whose last Commit changed the state; by local index
	bytes   []byte                   // of a state
	checked uint64                   // events that were rolled back and compared
	pending int                      // events that wait
	when    string                   // since when what is compared should be as it was

	// Of the event that is being checked.
	after     lpCopy      // what its first run left
	msg       [2][]uint64 // message before it, and after its first run
	reversing bool
	reversed  []string // what Reverse did wrong to the streams
}

// typeCheck is what comparing LPs of a type takes.
type typeCheck struct {
	stateCheck
	copier, msgCopier *deep.Copier
	blocks            []blockField
}

// checks reports whether the scheduler is one that checks rollback.
func (c *Config) checks() bool { return c.Synch == OptimisticDebug || c.Synch == RollbackCheck }

// makeChecker prepares a PE for a scheduler that checks rollback.
func (pe *PE) makeChecker() error {
	s := pe.sim
	if !s.cfg.checks() {
		return nil
	}
	z := s.sizes()
	n := uint64(len(pe.lpSlab))
	each := uint64(unsafe.Sizeof(lpCopy{})) + 2*z.LPModel + z.LPRNGs
	if err := pe.budget.Charge(n * each); err != nil {
		return fmt.Errorf("ross: Define: copies of %d LPs of %d bytes each: %w: raise --max-memory or lower --nlp", n, each, err)
	}
	c := &checker{pe: pe, last: make([]lpCopy, n), live: map[uint64]bool{}, before: map[uint32]*beforeCommit{}, sent: deep.NewCopier(reflect.TypeFor[sent]())}
	blocks := blockPlans{}
	largest := uintptr(0)
	for _, t := range s.types {
		if s.cfg.Synch == OptimisticDebug && t.saving == SaveNever {
			return fmt.Errorf("ross: LP type %q: Saving is SaveNever, and --synch=4 rolls back every event: %w: use --synch=6, which checks the other types",
				t.name, ErrModel)
		}
		c.types = append(c.types, typeCheck{
			stateCheck: t.check,
			copier:     deep.NewCopier(t.check.state, engineTypes()...),
			msgCopier:  deep.NewCopier(t.check.msg),
			blocks:     blocks.fields(t.check.state, 0, t.check.state.Name()),
		})
		largest = max(largest, t.msgSize)
		t.watchReverse()
	}
	for i := range c.msg {
		c.msg[i] = make([]uint64, largest/8+1)
	}
	pe.check = c
	return nil
}

// watchReverse has the checker look at what Reverse does to the streams, before
// the engine restores them.
func (t *lpType) watchReverse() {
	reverse := t.reverse
	if reverse == nil {
		return
	}
	t.reverse = func(state unsafe.Pointer, lp *LP, bits *Bits, msg unsafe.Pointer) {
		reverse(state, lp, bits, msg)
		if c := lp.pe.check; c.reversing {
			c.watchStreams(lp)
		}
	}
}

// watchStreams looks at the streams of lp just after Reverse. A Reverse that
// takes draws back by hand, as models of ROSS do, has to take back all of them.
func (c *checker) watchStreams(lp *LP) {
	before, after := c.last[lp.local()].streams, c.after.streams
	for i := range before {
		now, was, ran := lp.Stream(i).State().State, before[i].State, after[i].State
		if now == was || now == ran {
			continue
		}
		c.reversed = append(c.reversed, fmt.Sprintf("%s at draw %d, it was %d before and %d after Event",
			streamName(i), now.Count, was.Count, ran.Count))
	}
}

// local returns the index of lp on its PE.
func (lp *LP) local() uintptr { return (uintptr(unsafe.Pointer(lp)) - uintptr(lp.pe.lps)) / lpSize }

// begin notes down how all LPs stand before the first event.
func (c *checker) begin() {
	c.pe.bound = gvt.Max // nothing is speculation: every event commits when it has been checked
	c.pending = int(c.pe.started)
	c.pe.mostPending = c.pe.started
	if c.pe.sim.cfg.keepsSent() {
		c.keepPending()
	}
	for i := range c.pe.lpSlab {
		c.take(&c.pe.lpSlab[i], &c.last[i])
	}
}

// handleChecked handles at most pe.left events of the window.
func (pe *PE) handleChecked() {
	for n := pe.left; n > 0 && pe.err == nil; n-- {
		k, ok := pe.q.Min()
		if !ok {
			break
		}
		e := pe.arena.At(k.Index())
		if k.TS >= pe.last {
			pe.ended = true
			break
		}
		if k.TS >= pe.storeAt {
			pe.comesToStore()
			break
		}
		if k.TS >= pe.horizon {
			if pe.hookDue(e) { // it may change what it likes
				pe.check.forget()
			}
			if pe.reachHorizon(e); pe.err != nil {
				break
			}
		}
		pe.check.event(e, k.Index())
	}
	pe.left = 0
}

// forget gives up what is noted: LPs stand as they do when their next event comes.
func (c *checker) forget() {
	for i := range c.last {
		c.drop(&c.pe.lpSlab[i], &c.last[i])
	}
	clear(c.before)
}

// event handles the event that comes next, takes it back, handles it again and
// commits it.
func (c *checker) event(e *event.Event, i uint32) {
	lp := c.pe.at(e.Dst)
	if lp.typ == analysisType {
		c.point(lp, i)
		return
	}
	last := &c.last[e.Dst]
	lp.now = e.Time
	if !c.isUnchanged(lp, last) || !c.isAsSent(lp, e) {
		return
	}
	plain.CopyBytes(plain.WordsAt(c.msg[0]), event.Payload(e), lp.typ.msgSize)
	ignores := lp.suspended
	if !c.run(lp, i) {
		return
	}
	did := c.effects(lp)
	c.apply(&did)
	// What an event that failed leaves is not worth a look: the run ends.
	if ignores || did.failed || lp.typ.saving == SaveNever {
		c.drop(lp, last)
		delete(c.before, e.Dst)
	} else {
		if !c.undo(lp, e, &did) || !c.withoutCommit(lp, e, i, &did) || !c.repeat(lp, e, i, &did) {
			return // with an error
		}
		c.checked++
		c.drop(lp, last)
		*last, c.after = c.after, *last
	}
	c.pending += len(did.sends) - 1
	c.pe.mostPending = max(c.pe.mostPending, uint64(c.pending))
	c.commit(lp, last)
}

// point handles and commits the event of an analysis LP, in which models may change the
// states of LPs, as a hook may.
func (c *checker) point(lp *LP, i uint32) {
	pe := c.pe
	if !c.run(lp, i) {
		return
	}
	if h := &lp.kp.hist; h.head == h.last+groupWords { // the next one was not sent
		c.pending--
	}
	c.forget()
	pe.running = nil
	lp.kp.fossilCollect()
	pe.uncommitted = 0
}

// undo rolls the event of lp back and reports whether all is as it was before.
func (c *checker) undo(lp *LP, e *event.Event, did *effects) bool {
	c.take(lp, &c.after)
	plain.CopyBytes(plain.WordsAt(c.msg[1]), event.Payload(e), lp.typ.msgSize)
	c.unapply(did)
	c.when = "before"
	found := c.rollBack(lp)
	found = append(found, c.differences(lp, &c.last[e.Dst])...)
	if t := &c.types[lp.typ.id]; t.message || lp.typ.saving == SaveByDelta {
		found = append(found, c.texts(t.msgCopier.Compare(plain.WordsAt(c.msg[0]), event.Payload(e), "Message"))...)
	}
	if len(found) > 0 {
		c.blameUndo(lp, e, did, found)
	}
	return len(found) == 0
}

// repeat runs event i of lp again and reports whether it did the same.
func (c *checker) repeat(lp *LP, e *event.Event, i uint32, first *effects) bool {
	if !c.run(lp, i) {
		return false
	}
	did := c.effects(lp)
	c.apply(&did)
	c.when = "after the first call"
	found := c.compareOutcomes(first, &did)
	found = append(found, c.differences(lp, &c.after)...)
	found = append(found, c.texts(c.types[lp.typ.id].msgCopier.Compare(plain.WordsAt(c.msg[1]), event.Payload(e), "Message"))...)
	if len(found) > 0 {
		c.blameRerun(lp, e, found)
	}
	return len(found) == 0
}

// run runs the next event, which is event i, of lp. It reports whether that
// was possible.
func (c *checker) run(lp *LP, i uint32) bool {
	pe := c.pe
	pe.held = false
	for pe.left = 1; pe.left > 0 && !pe.held; {
		if pe.q.Empty() {
			if pe.refill(); pe.q.Empty() {
				pe.fail(pe.queueError())
				return false
			}
		}
		pe.handleOptimistic()
	}
	if pe.held { // there was no memory, and nothing that waiting would free
		pe.running, pe.cur = nil, nil
		lp.giveUp(cmp.Or(pe.lack, ErrMemory))
		return false
	}
	pe.counts.Processed++
	h := &lp.kp.hist
	if invariants.Enabled {
		invariants.Check(h.at(h.last).event == i, "event %d ran in place of %d", h.at(h.last).event, i)
	}
	pe.cur = nil
	return true
}

// rollBack rolls the event of lp back. It returns what Reverse did wrong to the
// streams.
func (c *checker) rollBack(lp *LP) []string {
	pe := c.pe
	pe.running = nil // Reverse must not send
	c.reversing, c.reversed = true, nil
	lp.kp.rollback(func(event.Key, *event.Event) bool { return true })
	c.reversing = false
	return c.reversed
}

// commit commits the event of lp.
func (c *checker) commit(lp *LP, last *lpCopy) {
	pe := c.pe
	calls := len(pe.hook.calls) > 0
	pe.running = nil // Commit must not send
	c.keepSends(lp)
	c.bytes = append(c.bytes[:0], unsafe.Slice((*byte)(lp.state), lp.typ.stateSize)...)
	lp.kp.fossilCollect()
	pe.running = lp
	pe.uncommitted = 0
	if calls {
		pe.dropCalls()
		pe.hook.called = true
		pe.horizon = 0
	}
	if lp.typ.commit != nil {
		c.noteCommit(lp, last, c.bytes)
	}
	if !last.taken {
		c.take(lp, last)
	}
}

// isUnchanged looks whether an LP is as its last event left it: only its own
// handlers may change it.
func (c *checker) isUnchanged(lp *LP, last *lpCopy) bool {
	if !last.taken {
		c.take(lp, last)
		return true
	}
	c.when = "after its last event"
	found := c.differences(lp, last)
	if len(found) > 0 {
		c.blame(lp, "something other than its events", found,
			"an LP's state and streams are for its own handlers: send an event to change them")
	}
	return len(found) == 0
}

// end looks at all LPs after the last event.
func (c *checker) end() {
	for i := range c.last {
		if lp := &c.pe.lpSlab[i]; c.pe.err == nil && c.last[i].taken {
			c.isUnchanged(lp, &c.last[i])
		}
	}
	c.forget()
}

// blameUndo ends the run because an event of lp was not undone.
func (c *checker) blameUndo(lp *LP, e *event.Event, did *effects, found []string) {
	who, fix := "Reverse of", "undo in Reverse all that Event did to the state and the message"
	switch lp.typ.saving {
	case SaveByLog:
		who, fix = "putting back what Save noted of", "call ross.Save for all that Event changes, before it changes it"
	case SaveByDelta:
		who, fix = "putting back the state saved before", "change in Event only what the engine saves: the LP's state, its blocks and the message"
	}
	if lp.typ.saving == SaveByReverse && did.saves > 0 {
		fix += "; a field that Event saves, before it first changes it, leave to Save"
	}
	if len(found) == len(c.reversed) {
		fix = "take back in Reverse as many draws as Event made, or none: the engine restores the streams"
	}
	c.blame(lp, who+" "+c.nameEvent(e), found, fix)
}

// blameRerun ends the run because an event did something else the second time.
func (c *checker) blameRerun(lp *LP, e *event.Event, found []string) {
	c.blame(lp, "Event, called again after the rollback of "+c.nameEvent(e)+",", found,
		"let Event depend on state, message and streams alone, and change nothing else")
}

func (c *checker) nameEvent(e *event.Event) string {
	return fmt.Sprintf("the event that LP %d sent at time %g", e.Src, e.SendTime)
}

// blame ends the run with the differences that were found in lp. Each says what
// something is and what it was.
func (c *checker) blame(lp *LP, who string, found []string, fix string) {
	found = found[:min(len(found), deep.MaxDifferences)]
	if print := c.types[lp.typ.id].print; print != nil {
		c.pe.sim.printf("State of LP %d at time %g, which differs:\n", lp.id, lp.now)
		print(c.pe.sim.out, lp.state)
	}
	lp.pe.running, lp.pe.cur = nil, nil
	lp.blame(ErrReverse, fix, "%s left %s", who, strings.Join(found, "; "))
}
