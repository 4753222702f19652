// Package effort says how many of its cases a test runs. The tests run in several builds:
// as users build the package, with assertions, on the Go twins of the C code, under
// sanitizers. Matrices of schedulers, PEs, ranks and loads are run whole in the first; the
// others look for what only they can find, for which some cases are enough.
//
// The environment variable ROSS_TEST is "some" or "few" for such a build; without it, all
// cases are run. The Makefile sets it for each build. A test asks here which it is, so
// that what a build leaves out stands in the test.
package effort

import (
	"fmt"
	"os"
	"testing"
)

// Variable names the environment variable.
const Variable = "ROSS_TEST"

// Level is how many cases are run.
type Level int

// The levels, from most to least.
const (
	All  Level = iota // as users build the package
	Some              // with assertions, and on the Go twins
	Few               // under the race detector and AddressSanitizer, which take several times as long
)

// Of returns the level that a value of the variable stands for.
func Of(value string) (Level, error) {
	switch value {
	case "":
		return All, nil
	case "some":
		return Some, nil
	case "few":
		return Few, nil
	}
	return All, fmt.Errorf("%s=%s: unknown; give some or few, or leave it out for all cases", Variable, value)
}

var level = func() Level {
	l, err := Of(os.Getenv(Variable))
	if err != nil {
		panic(err)
	}
	return l
}()

// Is reports whether no more cases are to be run than at a level.
func Is(l Level) bool { return level >= l }

// Pick returns the cases to be run: all, some of them, or few.
func Pick[T any](all, some, few []T) []T {
	return [...][]T{all, some, few}[level]
}

// Once skips a test under the race detector and AddressSanitizer, which cannot find
// anything with it that they do not find with others. why says what the test looks at.
func Once(t testing.TB, why string) {
	t.Helper()
	if Is(Few) {
		t.Skipf("%s=few: %s", Variable, why)
	}
}
