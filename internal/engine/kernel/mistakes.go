// This file owns the places of mistakes: GVT does not pass the event of the model's earliest one, at which a
// sequential run would end.

package kernel

import (
	"errors"
	"slices"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/mem"
)

// mistakeAt is a mistake of the model and its event. A conservative PE has one at most: its error.
type mistakeAt struct {
	at  gvt.Bound
	err error
}

// keepMistake keeps where a conservative PE has failed, if that is an event. Without memory a run ends at
// once: GVT might never come to the event.
func (pe *PE) keepMistake(err error) {
	if pe.Err != nil || pe.KeepsHistory() || pe.Sequential() || pe.Current == nil || errors.Is(err, mem.ErrLimit) {
		return
	}
	if _, ok := pe.Run.TimeOf(err); ok {
		pe.addMistake(err)
	}
}

// addMistake adds a mistake in the event that the PE handles.
func (pe *PE) addMistake(err error) {
	at := pe.BoundAt(pe.Current)
	pe.Arena.Lines.Keep(at.Node)
	pe.mistakes = append(pe.mistakes, mistakeAt{at, err})
}

// NoteMistake makes err, a mistake of the model in the event that an optimistic PE handles, the error of
// the run if GVT comes to the event.
func (lp *LP) NoteMistake(err error) {
	lp.PE.addMistake(err)
	lp.note(Note{Err: err})
}

// DropMistake drops the newest mistake in an event of the PE, which is undone or committed.
func (pe *PE) DropMistake(e *event.Event) {
	of, all := pe.BoundAt(e), pe.mistakes
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].at.Compare(&of, pe.Arena.Lines) == 0 {
			pe.Arena.Lines.Drop(all[i].at.Node)
			pe.mistakes = slices.Delete(all, i, i+1)
			return
		}
	}
}

// FirstMistake returns the earliest mistake in an event that is not committed, and where it is, or nil. Of
// several in one event it is the one that was made first.
func (pe *PE) FirstMistake() (at *gvt.Bound, err error) {
	for i := range pe.mistakes {
		if m := &pe.mistakes[i]; at == nil || m.at.Compare(at, pe.Arena.Lines) < 0 {
			at, err = &m.at, m.err
		}
	}
	return at, err
}

// MistakeIn returns the first mistake in an event of an optimistic PE that is not committed, or nil.
func (pe *PE) MistakeIn(e *event.Event) error {
	of := pe.BoundAt(e)
	for i := range pe.mistakes {
		if m := &pe.mistakes[i]; m.at.Compare(&of, pe.Arena.Lines) == 0 {
			return m.err
		}
	}
	return nil
}

// HasMistake reports whether there is a mistake in an event that is not committed.
func (pe *PE) HasMistake() bool { return len(pe.mistakes) > 0 }
