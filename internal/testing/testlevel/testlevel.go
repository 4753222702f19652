// Package testlevel decides how many of its cases a test runs. The tests run in several builds:
// as users build the package, with assertions, on the Go twins of the C code, and under
// sanitizers. The first build runs matrices of schedulers, PEs, ranks and loads completely.
// The others look for what only they can find, for which some of the cases are enough.
//
// The environment variable ROSS_TEST is "some", "few" or "least" for such a build; without
// it all cases run. The Makefile sets it for each build. Tests ask this package, so that
// each test shows what a build leaves out; no pattern over test names does, which a renamed
// test would silently escape.
//
//	some   the root, models, commands and documents in test-go; the models under mpirun
//	few    make check and make mutants; the library in test-go; under the race detector, packages that share memory
//	       or run simulations, and of the engine's tests those that internal/run/race_test.go names; with assertions,
//	       and C under UndefinedBehaviorSanitizer, packages that assertions change (tools/affected.sh); the queue
//	       without AVX2
//	least  the engine in test-go; under AddressSanitizer, and on the Go twins: few, and of the engine's own tests
//	       those that TestMain (of package ross and internal/run) names: memory changes hands in them, or assertions
//	       leave them out
package testlevel

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Variable is the name of the environment variable.
const Variable = "ROSS_TEST"

// Level is how many cases run.
type Level int

// The levels, from most to least.
const (
	All   Level = iota // go test ./..., and make soak
	Some               // of the root, models and documents in make test
	Few                // of the library there; under the race detector, with assertions, without AVX2, and in make check
	Least              // under AddressSanitizer and on the Go twins: as Few, and only the tests named to Only
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
	case "least":
		return Least, nil
	}
	return All, fmt.Errorf("%s=%s: unknown; give some, few or least, or leave it out for all cases", Variable, value)
}

// level reads the variable at each call within a test, so that go test knows that a cached
// result depends on it.
func level() Level {
	l, err := Of(os.Getenv(Variable))
	if err != nil {
		panic(err)
	}
	return l
}

// Is reports whether at most as many cases run as at level l.
func Is(l Level) bool { return level() >= l }

// Pick returns the cases to run: all, some or few of them.
func Pick[T any](all, some, few []T) []T {
	return [...][]T{all, some, few, few}[level()]
}

// Times returns how often a test does something: as often as all cases need, or as some and few do.
func Times(all, few int) int {
	if Is(Some) {
		return few
	}
	return all
}

// LeavesOut reports whether a case is left out because of level l, at which only the cases
// in but run.
func (l Level) LeavesOut(name string, but ...string) bool {
	return Is(l) && !slices.Contains(but, name)
}

// Once skips a test at level Few, because the builds at that level find nothing in it that they
// do not find in other tests. why is what the test examines.
func Once(t testing.TB, why string) {
	t.Helper()
	if Is(Few) {
		t.Skipf("%s=%s: %s", Variable, os.Getenv(Variable), why)
	}
}

// Only makes a package run no other tests than the given ones at level l, unless -run names
// some. TestMain calls it. The tests are given as functions, so that renaming one cannot
// lose it. If none is given, all run.
func Only(l Level, tests ...func(*testing.T)) {
	if !Is(l) || len(tests) == 0 {
		return
	}
	names := make([]string, len(tests))
	for i, test := range tests {
		name := runtime.FuncForPC(reflect.ValueOf(test).Pointer()).Name()
		names[i] = name[strings.LastIndexByte(name, '.')+1:]
	}
	if err := flag.Set("test.run", "^("+strings.Join(names, "|")+")$"); err != nil {
		panic(err)
	}
}
