// This file owns the program: the list of its subcommands, and their dispatch.

// Command rossreader reads the instrumentation files of a simulation: samples of the
// engine and of models, and event traces; and checkpoints. It also reads those of the
// original ROSS. See README.md.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/bins"
	"github.com/ross-go/ross/cmd/rossreader/internal/check"
	"github.com/ross-go/ross/cmd/rossreader/internal/checkpoint"
	"github.com/ross-go/ross/cmd/rossreader/internal/chrome"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/dump"
	"github.com/ross-go/ross/cmd/rossreader/internal/gvt"
	"github.com/ross-go/ross/cmd/rossreader/internal/info"
	"github.com/ross-go/ross/cmd/rossreader/internal/report"
	"github.com/ross-go/ross/cmd/rossreader/internal/serve"
	"github.com/ross-go/ross/cmd/rossreader/internal/split"
)

// commands are the subcommands in the order of the usage. Run returns the exit status.
var commands = []struct {
	name, line string
	run        func(args []string, stdout, stderr io.Writer) int
}{
	{"info", "describe files: kinds and numbers of records, ranges of time, sums", info.Run},
	{"check", "find what is wrong in files", check.Run},
	{"dump", "write the records of a file as CSV, JSON lines or Parquet", dump.Run},
	{"split", "divide a file that mixes samples of the engine and of models", split.Run},
	{"gvt", "print a table of the samples of PEs by GVT", gvt.Run},
	{"bins", "print counters by intervals of virtual time", bins.Run},
	{"report", "make an HTML page with the charts of a run", report.Run},
	{"serve", "serve the reports of the runs in a folder as pages", serve.Run},
	{"trace", "make a trace for Perfetto and chrome://tracing", chrome.Run},
	{"checkpoint", "describe checkpoints, verify them, compare two", checkpoint.Run},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return cli.StatusUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if args[0] != "help" || len(args) == 1 {
			usage(stdout)
			return cli.StatusOK
		}
	}
	if status, ok := generalRun(args, stdout, stderr); ok {
		return status
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "rossreader: no subcommand %q\n", args[0])
	usage(stderr)
	return cli.StatusUsage
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "usage: rossreader SUBCOMMAND [options] FILE...\n\nSubcommands:\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.line)
	}
	for _, g := range general() {
		fmt.Fprintf(w, "  %-10s %s\n", g.name, g.line)
	}
	fmt.Fprintf(w, "\nFor more, see rossreader help SUBCOMMAND. A FILE is a file of a run, a folder with such\n"+
		"files, or - for standard input (with --content). Exit status: 0 good, 1 a file or the\noutput is bad, 2 wrong usage.\n")
}
