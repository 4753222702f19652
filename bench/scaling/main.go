// This file owns the command line.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross/internal/sys/buildinfo"
)

func main() {
	if buildinfo.Asked("scaling", os.Args[1:], os.Stdout) {
		return
	}
	switch err := run(os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run does what the arguments ask for.
func run(args []string, out io.Writer) error {
	fs := flag.NewFlagSet("scaling", flag.ContinueOnError)
	fs.SetOutput(out)
	table := fs.String("table", "", "print what the runs in a `file` have measured, next to the model")
	model := fs.Bool("model", false, "print the model of a typical cluster")
	if err := fs.Parse(args); err != nil {
		return err
	}
	switch {
	case *table != "":
		f, err := os.Open(*table)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := read(f)
		if err != nil {
			return err
		}
		return r.print(out)
	case *model:
		return printModel(out)
	}
	return measure(out)
}
