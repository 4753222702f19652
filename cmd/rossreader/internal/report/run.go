// This file owns the command line of `rossreader report`.

package report

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

const usage = `usage: rossreader report FOLDER|FILE... -o report.html

Makes a page of the files of one run (the folder of --stats-path, or some of its files):
charts of event rate, efficiency, GVT, KPs, rollbacks, time and traffic, and remarks on
what stands out. The page is one file that needs no network.

`

// Run is the command. It returns the exit status: 0, 1 for a file that cannot be read or
// written, 2 for a command line that cannot be used.
func Run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	out := flags.String("o", "", "`file` to write")
	help := func(w io.Writer) {
		fmt.Fprint(w, usage)
		flags.SetOutput(w)
		flags.PrintDefaults()
	}
	paths, err := survey.Parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(stdout)
		return 0
	case err == nil && len(paths) == 0:
		err = errors.New("no folder and no file: name the folder of --stats-path")
	case err == nil && *out == "":
		err = errors.New("no output: name a file with -o")
	}
	if err != nil {
		fmt.Fprintf(stderr, "ross: report: %v\n\n", err)
		help(stderr)
		return 2
	}
	if err := report(paths, *out, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func report(paths []string, out string, stdout io.Writer) error {
	files, err := survey.Find(paths)
	if err != nil {
		return err
	}
	run, err := survey.New(files)
	if err != nil {
		return err
	}
	f, err := gather(run)
	if err != nil {
		return err
	}
	if err := run.Write(out, f.write); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: remarks: %d\n", out, len(f.findings()))
	for _, remark := range f.findings() {
		fmt.Fprintf(stdout, "  %s: %s\n", remark.What, remark.Figure)
	}
	return nil
}
