// Command libross is a library for models that are written in C against the interface of ROSS: it runs them unchanged
// on this engine. Built as an archive (make libross), it has a C program's side of the interface
// (ross.h), which package csrc/cmodel implements. Run as a program, it writes the headers for a Go program with C types
// of LPs:
//
//	go run github.com/ross-go/ross/csrc/libross FOLDER
//
// docs/c-models.md is its manual, and README.md says how to build it and a model.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross/csrc/cmodel" // what C calls
)

// main is not called in the library: the program is the model's.
func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the headers into the only folder in args, and returns the status of the program.
func run(args []string, errs io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(errs,
			"libross: give the folder for the headers of a Go program; for C programs build the library with make libross, see csrc/libross/README.md")
		return 2
	}
	if err := cmodel.WriteHeaders(args[0]); err != nil {
		fmt.Fprintln(errs, "libross:", err)
		return 1
	}
	return 0
}
