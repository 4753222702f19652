// Command rossproc generates what processes of package proc need for schedulers that undo events:
//
//	//go:generate go tool rossproc
//
// It reads the packages that its arguments name, or that of the current folder, and writes zz_proc.go next to their
// source. With -check it writes nothing and fails if a file is not what it would write, for tests of a repository.
// Whatever a process does that cannot be generated is an error with its file and line, and the way out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/ross-go/ross/cmd/rossproc/internal/gen"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	flags := flag.NewFlagSet("rossproc", flag.ContinueOnError)
	check := flags.Bool("check", false, "write nothing, and fail if a file is not up to date")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: rossproc [-check] [package...]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return 2
	}
	files, errs := gen.Packages(".", flags.Args()...)
	for _, err := range errs {
		fmt.Fprintln(os.Stderr, err)
	}
	status := min(len(errs), 1)
	for _, f := range files {
		old, err := os.ReadFile(f.Path)
		switch {
		case err == nil && bytes.Equal(old, f.Text), f.Text == nil && err != nil:
			continue
		case *check:
			fmt.Fprintf(os.Stderr, "%s: is not what rossproc generates: run go generate\n", f.Path)
			status = 1
			continue
		case f.Text == nil:
			err = os.Remove(f.Path)
		default:
			err = os.WriteFile(f.Path, f.Text, 0o666)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "rossproc: %v\n", err)
			status = 1
		}
	}
	return status
}
