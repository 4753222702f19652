// This file owns the likely causes of mistakes, which errors name where the symptom fits.

package kernel

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
)

// Texts about likely causes. They follow a semicolon, or are a line of their own.
const (
	// CausesOfChange are those of an event that does something else when it is handled again.
	CausesOfChange = "likely causes: math/rand, time.Now, the order of a map, a variable of the package, the state of another LP"
	// CausesOfRounding are those of a number that Reverse restores almost.
	CausesOfRounding = "likely cause: rounding, since x+d-d need not be x: keep the old value, or use ross.Save or SaveByDelta"

	causesOfScratch  = "likely cause: %s: scratch (ross:\"-\") is not stored in checkpoints, and a restart does not call Init, which may set it: keep parameters outside of the state"
	causesOfNegative = "likely causes: a difference of times or its rounding, a distribution with negative values"
	causesOfNaN      = "likely causes: 0/0, Inf-Inf, the root or logarithm of a negative number"
	causesOfInfinity = "likely causes: a division by 0, the logarithm of 0"
	causesOfRollback = "if --synch=1 runs without this error, an event is not undone as it should be: --synch=6 finds it"
)

// causesOfDelay returns the likely causes of a delay that cannot be.
func causesOfDelay(delay float64) string {
	switch {
	case math.IsNaN(delay):
		return causesOfNaN
	case math.IsInf(delay, 0):
		return causesOfInfinity
	}
	return causesOfNegative
}

// mayBeUndone reports whether a mistake may be the consequence of an event that the model has not
// undone correctly.
func (pe *PE) mayBeUndone(err error) bool {
	began := pe.Current != nil || pe.Counts.Processed > 0 // otherwise nothing can have been undone
	return began && pe.KeepsHistory() && !pe.Run.Set.Checks() &&
		(errors.Is(err, ErrPanic) || errors.Is(err, ErrDelay) || errors.Is(err, ErrDestination))
}

// causesOfPanic returns the likely causes of a panic in a handler of lp, or "". After a restart a nil
// pointer, or an index into nothing, is probably that of scratch which Init has set.
func (lp *LP) causesOfPanic(r any) string {
	if _, ok := r.(runtime.Error); !ok || !lp.PE.Run.Restarts {
		return ""
	}
	var missing []string
	for i := range lp.Type().Scratch {
		if s := &lp.Type().Scratch[i]; (s.IsPointer() || s.Kind == reflect.Slice) && !s.IsSet(lp.State) {
			missing = append(missing, s.Path)
		}
	}
	switch n := len(missing); {
	case n == 0:
		return ""
	case n > mostMissing:
		missing = append(missing[:mostMissing], "...")
	}
	return fmt.Sprintf(causesOfScratch, strings.Join(missing, ", "))
}

// mostMissing is the number of fields that an error names.
const mostMissing = 8
