// This file owns the end of a run by a mistake of the model. Several LPs may make one before the PEs know of
// each other's, and some of these a sequential run would not come to. So GVT does not pass the event of a
// mistake, and the run fails when GVT has come to one: all events before it are committed then, and it is the
// first.

package run

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/timewarp"
)

// lowerToMistake lowers the bound that the PE reports to its earliest mistake. It reports whether that is
// before the bound.
func (pe *PE) lowerToMistake(b *gvt.Bound) bool {
	at, _ := pe.FirstMistake()
	if at == nil || at.Compare(b, pe.Arena.Lines) >= 0 {
		return false
	}
	*b = *at
	return true
}

// waitsForGVT reports whether the error of the PE is a mistake to which GVT has not come. Only in a conservative run is
// it an error before that.
func (pe *PE) waitsForGVT() bool {
	at, _ := pe.FirstMistake()
	return at != nil && pe.Conservative() && pe.Bound.Compare(at, pe.Arena.Lines) < 0
}

// forgetMistake is called when a PE has failed: a sequential run would not have come to a mistake that GVT
// has not come to.
func (pe *PE) forgetMistake() {
	if pe.waitsForGVT() {
		pe.Err = nil
	}
}

// applyMistake is called at each GVT. It returns the mistake of an optimistic PE to which GVT has come, or nil.
func (pe *PE) applyMistake() error {
	if !pe.Undoes() || pe.GVTIs == timewarp.GVTUnsure {
		return nil
	}
	if at, err := pe.FirstMistake(); at != nil && pe.Bound.Compare(at, pe.Arena.Lines) == 0 {
		return err
	}
	return nil
}
