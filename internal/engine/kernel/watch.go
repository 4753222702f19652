// This file owns the watch: what the kernel does for LPs whose events are shown, one by one, when they are committed.
//
// A watched LP has handleWatched as its handler. It calls the handler that the LP would have otherwise, and has a
// viewer look at the LP before and after. Other LPs, and runs without a watch, do not notice. The text about an event
// is made when the event is handled, is a note of its history until it is committed, and is delivered in the order of
// events, as records of the model's log are.

package kernel

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/statistic"
)

// watch has the watched LPs of a rank.
type watch struct {
	log *Log
	lps map[uint64]*watched // by id; it does not change while events are handled
	end atomic.Bool         // nothing more is shown
}

// watched is a watched LP.
type watched struct {
	handler Handler // what its handler would be
	wants   func(time float64) bool
	viewer  viewer
}

// viewer makes the texts about the events of an LP.
type viewer interface {
	// View looks at the LP before an event is handled, and returns what makes the text about it afterwards.
	View(lp *LP, e *event.Event) (after func(s *Sighting) string)
}

// Sighting is what an event of a watched LP did besides changing the LP.
type Sighting struct {
	Sends      []SentWatched
	Recordings []Recording
	Ignored    bool    // the LP was suspended
	least      float64 // PE.least without the watch
}

// SentWatched is a send, or a timer that was set.
type SentWatched struct {
	Dst                   uint64
	Time, Delay, Priority float64
	Word                  unsafe.Pointer // Message.Word
	Message               unsafe.Pointer // nil: the event will not be delivered
	PastEnd               bool           // it is not before the end of the run
	Timer                 uint64         // number of the timer, if it is one
}

// Recording is what a statistic was given.
type Recording struct {
	Op   statistic.Op
	Off  uintptr // of the statistic in the state
	Word uint64
}

// NewWatch returns a watch without LPs, of a rank with a number of PEs. to gets the texts, one at a time.
func NewWatch(to func(text string), pes int) *watch {
	return &watch{log: NewLog(textHandler(to), nil, pes), lps: map[uint64]*watched{}}
}

// textHandler passes on the texts of records. It implements slog.Handler.
type textHandler func(text string)

// Enabled implements slog.Handler.
func (textHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (h textHandler) Handle(_ context.Context, r slog.Record) error {
	h(r.Message)
	return nil
}

// WithAttrs implements slog.Handler.
func (h textHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h textHandler) WithGroup(string) slog.Handler { return h }

// Add watches an LP, at the virtual times that wants chooses. The watch must be that of its run.
func (w *watch) Add(lp *LP, wants func(time float64) bool, v viewer) {
	w.lps[lp.ID] = &watched{handler: lp.Event, wants: wants, viewer: v}
	lp.Event = handleWatched
}

// End ends the watch: events that are handled from now on are not looked at.
func (w *watch) End() { w.end.Store(true) }

// of returns the watched LP, nil if its present event is not to be shown.
func (w *watch) of(lp *LP, time float64) *watched {
	if of := w.lps[lp.ID]; of != nil && !w.end.Load() && of.wants(time) {
		return of
	}
	return nil
}

// setHandler makes a function the handler of an LP, from its next event on.
func (lp *LP) setHandler(h Handler) {
	if w := lp.PE.Run.Watch; w != nil {
		if of := w.lps[lp.ID]; of != nil {
			of.handler = h
			return
		}
	}
	lp.Event = h
}

// handleWatched is the handler of watched LPs.
func handleWatched(state unsafe.Pointer, lp *LP, msg unsafe.Pointer) {
	pe := lp.PE
	w := pe.Run.Watch
	e, handler := pe.Current, w.lps[lp.ID].handler
	of := w.of(lp, e.Time)
	if of == nil || lp.Lapsed(e) {
		handler(state, lp, msg)
		return
	}
	after := of.viewer.View(lp, e)
	s := &Sighting{least: pe.least}
	pe.sighting, pe.least = s, math.Inf(1) // Schedule and Record notice
	pe.RecordSlowly()
	defer func() { // after a panic as well
		pe.sighting, pe.least = nil, s.least
	}()
	handler(state, lp, msg)
	pe.sighting, pe.least = nil, s.least
	if pe.Undoes() {
		s.readRecordings(&lp.KP.History)
	}
	w.show(lp, e, after(s))
}

// watchIgnored shows an event that lp ignores in a run in which its handler is not called for that.
func (lp *LP) watchIgnored() {
	w := lp.PE.Run.Watch
	if w == nil {
		return
	}
	e := lp.PE.Current
	if lp.PE.sighting != nil { // handleWatched shows it
		lp.PE.sighting.Ignored = true
	} else if of := w.of(lp, e.Time); of != nil {
		w.show(lp, e, of.viewer.View(lp, e)(&Sighting{Ignored: true}))
	}
}

// show delivers the text about the running event when it is committed.
func (w *watch) show(lp *LP, e *event.Event, text string) {
	pe := lp.PE
	l := &logged{lp: lp.ID, sig: pe.SignatureOf(e), Record: slog.Record{Message: text}}
	switch pe.mode {
	case settings.Optimistic:
		lp.note(Note{log: l, to: w.log})
	case settings.Sequential: // also if the run is one whose scheduler changes
		w.log.deliver(l)
	default:
		w.log.keep(pe, l)
	}
}

// scheduleWatched is Schedule in the handler of a watched LP. The tie-breaker has been drawn.
func (lp *LP) scheduleWatched(dst uint64, delay, prio float64, msg unsafe.Pointer, size uintptr) unsafe.Pointer {
	pe := lp.PE
	s := pe.sighting
	sent := SentWatched{Dst: dst, Time: lp.Now + delay, Delay: delay, Priority: prio, Word: msg}
	if sent.PastEnd = sent.Time >= pe.End; lp.isTimer(msg) {
		sent.Timer = lp.Timers().next()
	}
	lp.Core.Reverse() // Schedule draws again
	pe.sighting, pe.least = nil, s.least
	sent.Message = lp.Schedule(dst, delay, prio, msg, size)
	pe.sighting, pe.least = s, math.Inf(1)
	s.Sends = append(s.Sends, sent)
	return sent.Message
}

// isTimer reports whether a word identifies the message of a timer of lp.
func (lp *LP) isTimer(word unsafe.Pointer) bool {
	return slices.ContainsFunc(lp.Type().Messages, func(m *Message) bool { return m.Timed != nil && m.Timed.Word == word })
}

// next returns the number of the timer that is set next.
func (t *Timers) next() uint64 {
	if t.Free == 0 {
		return 1<<32 | uint64(len(t.Slots)+1)
	}
	return uint64(t.Slots[t.Free-1].Number)<<32 | uint64(t.Free)
}

// Waiting returns the numbers of the timers that wait, in the order of their slots.
func (t *Timers) Waiting() (all []uint64) {
	free := make([]bool, len(t.Slots)+1)
	for at := t.Free; at != 0; at = t.Slots[at-1].Next {
		free[at] = true
	}
	for i, s := range t.Slots {
		if !free[i+1] {
			all = append(all, uint64(s.Number)<<32|uint64(i+1))
		}
	}
	return all
}

// TimerOf returns the number of the timer that an event is the event of, 0 if no timer has it.
func (pe *PE) TimerOf(e *event.Event) uint64 {
	if r := pe.timerOf(e); r != nil {
		return r.name()
	}
	return 0
}

// noteRecording notes a recording that the history does not have.
func (s *Sighting) noteRecording(op statistic.Op, off uintptr, word uint64) {
	if s != nil {
		s.Recordings = append(s.Recordings, Recording{op, off, word})
	}
}

// readRecordings reads the recordings of the running event from the history.
func (s *Sighting) readRecordings(h *History) {
	for r := h.Newest(); r.Next(); {
		if r.Tag == TagRecord {
			what := Recorded(r.What)
			s.Recordings = append(s.Recordings, Recording{statistic.Op(what >> recordOpShift), uintptr(what & recordOffMask),
				r.Address()})
		}
	}
	slices.Reverse(s.Recordings)
}
