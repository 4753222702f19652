// Mutants puts plausible faults into the engine, one at a time, and reports which of them its tests
// catch. Files of the kind NAME.mutants next to this one list the faults; list.go says how.
//
//	tools/tool.sh mutants [flags] ROOT [REGEXP]
//
// runs the tests of those faults whose name matches, and prints a line for each: caught, and after
// how many seconds of the test, or survived. The tree is left alone: the compiler reads the faulty
// files through an overlay.
//
//	-check  only see to it that each fault can still be put in
//	-table  print the table of README.md instead
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

func main() {
	check := flag.Bool("check", false, "only see to it that each fault can still be put in")
	table := flag.Bool("table", false, "print the table of README.md")
	limit := flag.Duration("limit", 5*time.Minute, "time for the test of a fault; a test that needs more hangs")
	flag.Parse()
	if flag.NArg() < 1 || flag.NArg() > 2 {
		fail(fmt.Errorf("give the folder of the module, and perhaps a regular expression for names"))
	}
	root, err := filepath.Abs(flag.Arg(0))
	fail(err)
	wanted, err := regexp.Compile(flag.Arg(1))
	fail(err)
	all, err := readAll(filepath.Join(root, "tools", "mutants"))
	fail(err)
	all = slices.DeleteFunc(all, func(m mutant) bool { return !wanted.MatchString(m.name) })
	switch {
	case *table:
		for _, m := range all {
			fmt.Println(m.row())
		}
	case *check:
		stale := 0
		for _, m := range all {
			if err := m.applies(root); err != nil {
				fmt.Fprintln(os.Stderr, "mutants:", err)
				stale++
			}
		}
		if stale > 0 {
			os.Exit(1)
		}
	default:
		if !runAll(root, all, *limit) {
			os.Exit(1)
		}
	}
}

// fail ends the program if there is an error.
func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}
