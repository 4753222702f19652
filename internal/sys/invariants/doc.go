// Package invariants switches the engine's own assertions. They run under the
// build tag `invariants`, which tests use, and cost nothing without it.
//
//	if invariants.Enabled {
//		invariants.Check(n > 0, "rung %d is empty", i)
//	}
package invariants

import "fmt"

// Check panics with the message when ok is false: a broken invariant is a bug
// of the engine, never a mistake of its user.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic("ross: broken invariant: " + fmt.Sprintf(format, args...))
	}
}
