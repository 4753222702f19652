// Command libross is a library for models that are written in C against the interface of ROSS: it runs them unchanged
// on this engine, in one process. Built as an archive (make libross), it has a C program's side of the interface
// (ross.h), which package csrc/cmodel implements; the Go program in it does nothing by itself.
//
// docs/c-models.md is its manual, and README.md says how to build it and a model.
package main

import (
	"fmt"
	"os"

	_ "github.com/ross-go/ross/csrc/cmodel" // what C calls
)

// main is not called: the program is the model's. It says so if the library was built as a program.
func main() {
	fmt.Fprintln(os.Stderr, "libross: this is a library for C programs: build it with make libross, see csrc/libross/README.md")
	os.Exit(2)
}
