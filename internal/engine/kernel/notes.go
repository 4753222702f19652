// This file owns notes: texts, errors and log records of an event that are printed, reported or
// logged when the event is committed, and dropped if it is undone.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ross-go/ross/internal/engine/event"
)

// Note is a text to be printed, an error to be reported or a record to be logged.
type Note struct {
	text string  // to be printed, if there is nothing else
	Err  error   // to be reported
	log  *logged // to be logged, or shown
	to   *Log    // where
}

// Print prints a text when the event being handled is committed, or at once if it cannot be
// undone.
func (lp *LP) Print(text string) {
	if pe := lp.PE; pe.KeepsHistory() && pe.Running == lp && pe.Current != nil {
		lp.note(Note{text: text})
		return
	}
	fmt.Fprint(lp.PE.Run.Out, text)
}

// note keeps a note until the running event is committed.
func (lp *LP) note(n Note) {
	lp.record(TagNote, 0, GroupWork)
	lp.KP.Notes = append(lp.KP.Notes, n)
}

// EmitNotes prints, reports or logs the n oldest notes of a KP, those of event e, which is committed.
func (kp *KP) EmitNotes(n int, e *event.Event) {
	for i := range kp.Notes[:n] {
		switch note := &kp.Notes[i]; {
		case note.Err != nil:
			kp.PE.DropMistake(e)
			kp.PE.Fail(note.Err)
		case note.log != nil:
			note.to.keep(kp.PE, note.log)
		default:
			fmt.Fprint(kp.PE.Run.Out, note.text)
		}
	}
	kp.Notes = slices.Delete(kp.Notes, 0, n)
}
