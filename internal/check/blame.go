// This file owns the errors of the check of rollback: what is wrong, and how to correct it.

package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
)

// blameUndo ends the run because an event of lp was not undone.
func (c *Checker) blameUndo(lp *kernel.LP, e *event.Event, did *effects, found []string) {
	who, fix := "Reverse of", "undo in Reverse all that Event did to the state and the message"
	switch lp.Type().Saving {
	case kernel.SaveByLog:
		who, fix = "restoring what Save recorded in", "call ross.Save or ross.Write for everything that Event changes, before it changes it"
	case kernel.SaveByDelta:
		who, fix = "restoring the state saved before", "change in Event only what the engine saves: the LP's state, its blocks and the message"
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
	c.blame(lp, who+" "+nameEvent(lp, e), found, fix, causes)
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
	c.blame(lp, "Event, called again after the rollback of "+nameEvent(lp, e)+",", found,
		"let Event depend on state, message and streams alone, and change nothing else", kernel.CausesOfChange)
}

// nameEvent describes an event in an error of lp.
func nameEvent(lp *kernel.LP, e *event.Event) string {
	return fmt.Sprintf("the event that %s sent at time %g", lp.NameFor(e.Src), e.SendTime)
}

// blame ends the run with the differences found in lp. Each says what something is and what
// it was. who is the subject of the error, and fix says how to correct it; causes are the likely ones, or
// "".
func (c *Checker) blame(lp *kernel.LP, who string, found []string, fix, causes string) {
	found = found[:min(len(found), deep.MaxDifferences)]
	if print := c.types[lp.Type().ID].Print; print != nil {
		c.PE.Run.Printf("State of %s at time %g, which differs:\n", lp.Name(), lp.Now)
		print(c.PE.Run.Out, lp.State)
	}
	lp.PE.Running, lp.PE.Current = nil, nil
	lp.BlameWith(kernel.ErrReverse, fix, causes, "%s left %s", who, strings.Join(found, "; "))
}
