// This file owns notes: what an event has to say to the user, which is said when
// it is committed, and never if it is undone.

package ross

import "fmt"

// note is a text to be printed or an error to be reported.
type note struct {
	text string
	err  error
}

// Printf prints to Config.Output when the event that is being handled is
// committed (tw_output). What an event prints that is rolled back is not
// printed. In Init, PreRun, Commit and Final, and in schedulers that do not roll
// back, it prints at once.
func (lp *LP) Printf(format string, args ...any) {
	if pe := lp.pe; pe.mode == optimistic && pe.running == lp && pe.cur != nil {
		lp.note(note{text: fmt.Sprintf(format, args...)})
		return
	}
	fmt.Fprintf(lp.pe.sim.out, format, args...)
}

// note keeps a note until the running event is committed.
func (lp *LP) note(n note) {
	lp.record(tagNote, 0, groupWork)
	lp.kp.notes = append(lp.kp.notes, n)
}

// tell says the n oldest notes of a KP.
func (kp *KP) tell(n int) {
	for i := range kp.notes[:n] {
		switch note := &kp.notes[i]; {
		case note.err != nil:
			kp.pe.fail(note.err)
		default:
			fmt.Fprint(kp.pe.sim.out, note.text)
		}
	}
	kp.notes = kp.notes[:copy(kp.notes, kp.notes[n:])]
}
