// This file owns Saving and Save: how the events of an LP type are undone, as models see it.

package ross

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/settings"
)

// Saving says how the events of an LP type are undone.
type Saving uint8

// The ways to undo events.
const (
	// SaveAuto, the default, means SaveByReverse for a type with a Reverse handler and
	// SaveByDelta for others.
	SaveAuto Saving = iota
	// SaveByReverse means that Reverse undoes what Event did (reverse computation, as in
	// ROSS). Reverse sees the state as Event left it. After it the engine restores the values
	// that Event saved with Save.
	SaveByReverse
	// SaveByLog means that Event calls Save or Write for each field before it changes it.
	SaveByLog
	// SaveByDelta means that the engine compares the state after each event with a copy from
	// before, and stores the difference (tw_snapshot, tw_snapshot_delta). The state must hold
	// no pointers, strings, slices, maps or interfaces, except in scratch (see Type), which is
	// neither copied nor restored. The cost grows with the size of the state: some 25 ns an
	// event for 64 bytes, 200 ns for 2.7 KB. For large states of which an event changes
	// little, SaveByLog with Write is faster.
	SaveByDelta
	// SaveNever means that events of this type cannot be undone. An optimistic scheduler
	// handles them when nothing earlier can arrive any more and a reserve of memory is free;
	// until then later events of the PE wait as well. A handler that takes more than an eighth
	// of Config.MaxMemory may end the run.
	SaveNever
)

var savingNames = [...]string{"automatic", "Reverse", "Save", "deltas", "never"}

// String returns the name that the report uses.
func (s Saving) String() string {
	if int(s) < len(savingNames) {
		return savingNames[s]
	}
	return fmt.Sprintf("Saving(%d)", uint8(s))
}

// Save stores the value of *p before the handler of lp changes it, so that a rollback can
// restore it. It has an effect only in schedulers that roll back. *p lies in the state of lp,
// in memory of Alloc, or in the current message, and holds no pointers. A type whose Saving is
// SaveByLog needs nothing else to be undone if it calls Save or Write for everything that it
// changes.
//
// A type with a Reverse handler may call Save for single fields. On a rollback, Reverse is
// called first, with the state as Event left it; then the engine restores the saved values,
// the newest first. So undo each field either by Save, called before the event first changes
// it, or by Reverse.
//
// A type whose Saving is SaveByDelta need not call Save: the engine undoes all changes, and
// Save has no effect.
func Save[T any](lp *LP, p *T) {
	k := &lp.k
	if pe := k.PE; pe.Mode == settings.Optimistic && pe.Running == k && pe.Current != nil && unsafe.Sizeof(*p) > 0 {
		if !pe.InDelta && k.InPlainState(unsafe.Pointer(p), unsafe.Sizeof(*p)) && kernel.SaveValue(&k.KP.History, p) {
			return
		}
		if pe.MaySave(k, unsafe.Pointer(p), unsafe.Sizeof(*p), plain.TypeWord[T](), reflect.TypeFor[T]) && !pe.InDelta {
			k.SaveKept(unsafe.Pointer(p), unsafe.Sizeof(*p))
		}
	}
}

// Write is Save for a part of the state that the handler is about to change through a
// pointer: it saves *p and returns p.
//
//	port := ross.Write(lp, &s.Ports[i])
//	port.Credits--
//	port.Sent++
//
// If a handler changes its state only through such pointers, undoing an event costs what the
// parts cost that it changes, however large the state is. A Write takes a few nanoseconds and
// the size of T + 16 bytes until the event is committed, so choose a field or a small struct,
// not the whole state. A rollback check (--synch=6) names each field that was changed without.
func Write[T any](lp *LP, p *T) *T {
	Save(lp, p)
	return p
}
