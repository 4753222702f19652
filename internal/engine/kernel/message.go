// This file owns Message: a type of messages that the LPs of a type receive, with its handlers.

package kernel

import (
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Message is a type of messages that the LPs of a type receive. Event.Type says which one an
// event has.
type Message struct {
	ID      uint16         // index into Run.Messages
	To      *Type          // of the LPs that receive it
	Word    unsafe.Pointer // identifies the Go type, see plain.TypeWord; for events of After the Message itself
	Name    string         // of the Go type
	Go      reflect.Type
	Size    uintptr      // bytes
	Spans   []plain.Span // its bytes without padding
	Raw     bool         // of another language: checkpoints store all of its bytes, and the digest covers none
	Layout  string       // must match when a checkpoint is loaded
	Event   Handler      // nil if Undo is not 0
	Undoes  UndoHandler  // an Event with undo data; nil if Undo is 0
	Reverse UndoHandler
	Commit  UndoHandler
	// Trace returns false to leave an event out of a trace. It fills in Type.TraceSize bytes.
	Trace func(lp *LP, kind TraceKind, msg unsafe.Pointer, buf []byte) bool
	// Undo is the size of the undo data in bytes.
	Undo uintptr
	// Timed is what an event of After has: the message, and then the number of the timer. It is
	// nil in Timed itself.
	Timed *Message
}

// MaxMessages is the largest number of messages of a model: Event.Type has 16 bits, there is
// another message for timers, and one of the engine.
const MaxMessages = (math.MaxUint16 - 1) / 2

// AddMessages numbers the messages of a type. It reports whether there are numbers.
func (r *Run) AddMessages(t *Type) bool {
	add := func(m *Message) {
		m.ID, m.To = uint16(len(r.Messages)), t
		r.Messages = append(r.Messages, m)
		t.words, t.ids = append(t.words, m.Word), append(t.ids, m.ID)
	}
	if len(r.Messages)+2*len(t.Messages) > math.MaxUint16+1 {
		return false
	}
	for _, m := range t.Messages {
		add(m)
	}
	for _, m := range t.Messages { // last, because find looks at them in order
		if m.Timed != nil {
			add(m.Timed)
		}
	}
	return true
}

// NoKind is no Message.ID.
const NoKind = -1

// NextKind returns the Message.ID of the event that comes next in the PE's queue, NoKind if there is none that is
// sure to be handled next.
func (pe *PE) NextKind() int {
	if k, ok := pe.Queue.Min(); ok {
		if e := pe.Arena.At(k.Index()); e.State == event.Pending {
			return int(e.Type)
		}
	}
	return NoKind
}

// MessageOf returns the type of the message of an event.
func (pe *PE) MessageOf(e *event.Event) *Message { return pe.Run.Messages[e.Type] }

// messageName returns the Go type of a message that a send has named by its word.
func (r *Run) messageName(word unsafe.Pointer) string {
	for _, m := range r.Messages {
		if m.Word == word {
			return m.Name
		}
	}
	return plain.TypeOf(word).String()
}

// find returns the id of the message that a Go type stands for; ok is false if the type has none.
func (t *Type) find(word unsafe.Pointer) (id uint16, ok bool) {
	for i, w := range t.words {
		if w == word {
			return t.ids[i], true
		}
	}
	return 0, false
}

// largest returns the size in bytes of the largest message of a type.
func (t *Type) largest() (n uintptr) {
	for _, m := range t.Messages {
		n = max(n, m.Size)
	}
	return n
}

// Room returns the size in bytes of the largest message of the type, with the number of a timer.
func (t *Type) Room() uintptr { return roomOf(t.Messages) }

// Room returns the size in bytes of the largest message of the run, with the number of a timer.
func (r *Run) Room() uintptr { return roomOf(r.Messages) }

func roomOf(all []*Message) (n uintptr) {
	for _, m := range all {
		if n = max(n, m.Size); m.Timed != nil {
			n = max(n, m.Timed.Size)
		}
	}
	return n
}

// simple reports whether the events of a type need no choice between handlers.
func (t *Type) simple() bool { return len(t.Messages) == 1 && t.Messages[0].Undo == 0 }

// handleMessage is the handler of LPs that receive several messages, or whose handlers leave undo
// data: it calls the handler of the message.
func handleMessage(state unsafe.Pointer, lp *LP, msg unsafe.Pointer) {
	pe := lp.PE
	m := pe.Run.Messages[pe.Current.Type]
	if m.Timed == nil && !lp.expire(*(*timerRef)(unsafe.Add(msg, m.Size-TimerSize))) {
		lp.skip()
		return
	}
	if m.Undo == 0 {
		m.Event(state, lp, msg)
		return
	}
	words := int(m.Undo+7) / 8
	undo := pe.undo[:words]
	for i := 0; i < len(undo); i++ { // not a loop over a range, which would call a function to clear these few
		undo[i] = 0
	}
	m.Undoes(state, lp, (*uint32)(unsafe.Pointer(unsafe.SliceData(undo))), msg)
	if !pe.KeepsHistory() || pe.Current == nil {
		return
	}
	h := &lp.KP.History
	if h.Head+words+1 > len(h.Buf) {
		lp.KP.Grow(words + 1)
	}
	to := h.Buf[h.Head : h.Head+words+1]
	if to[0] = undo[0]; words > 1 {
		copy(to, undo)
	}
	to[words] = TagUndo<<TagShift | uint64(m.Undo)
	h.Head += words + 1
}

// UndoData returns what handlers of a message get as their third argument: the address of the
// undo data that Event left in the group at a word of the history, or else that of the bits.
func (m *Message) UndoData(h *History, at int, e *event.Event) *uint32 {
	if m.Undo == 0 {
		return &e.Bits
	}
	for r := h.Group(at); r.Next(); {
		if r.Tag == TagUndo {
			return (*uint32)(unsafe.Pointer(&r.Words()[0]))
		}
	}
	return &e.Bits // Event was not called
}

// IgnoreEvent counts the running event as one that lp, which is suspended, ignores.
func (lp *LP) IgnoreEvent() {
	if lp.Lapsed(lp.PE.Current) {
		lp.skip()
		return
	}
	lp.PE.Counts.Ignored++
	lp.watchIgnored()
}

// receives returns advice for senders: what LPs of a type receive.
func (t *Type) receives() string {
	var names []string
	for _, m := range t.Messages {
		names = append(names, m.Name)
	}
	if len(names) == 1 {
		return "send what its type's Event expects, " + names[0]
	}
	return "send what its type has handlers for: " + strings.Join(names, ", ")
}

// reversed returns how many messages of the type have a Reverse.
func (t *Type) reversed() (n int) {
	for _, m := range t.Messages {
		if m.Reverse != nil {
			n++
		}
	}
	return n
}

// NoGroup stands for the place of an event's group if there is no history.
const NoGroup = -1

// undoOf returns what Commit gets as its third argument, see Message.UndoData.
func (pe *PE) undoOf(m *Message, e *event.Event, group int) *uint32 {
	switch {
	case m.Undo == 0:
		return &e.Bits
	case group == NoGroup: // Event has just returned
		return (*uint32)(unsafe.Pointer(unsafe.SliceData(pe.undo)))
	}
	return m.UndoData(&pe.At(e.Dst).KP.History, group, e)
}
