// This file owns the command line of `rossreader report`.

package report

import (
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

const helpText = `Makes a page of the files of one run (the folder of --stats-path, or some of its files):
charts of event rate, efficiency, GVT, KPs, rollbacks, time and traffic, and remarks on
what stands out. The page is one file that needs no network.`

// Run runs the subcommand and returns the exit status.
func Run(args []string, stdout, stderr io.Writer) int {
	f := cli.NewFlags("report", "FOLDER|FILE... -o OUT.html", helpText)
	out := f.String("o", "", "`FILE` to write; - for standard output, the remarks then go to standard error")
	f.AllowPartial()
	return f.Main(args, stdout, stderr, func(names []string) error {
		inputs, err := f.Inputs(names)
		if err != nil {
			return err
		}
		if *out == "" {
			return cli.Usagef("no output: name a file with -o, or - for standard output")
		}
		return report(inputs, *out, stdout, stderr)
	})
}

func report(inputs []cli.Input, out string, stdout, stderr io.Writer) error {
	run, err := survey.New(inputs)
	if err != nil {
		return err
	}
	f, err := gather(run)
	if err != nil {
		return err
	}
	if err := cli.Write(out, stdout, inputs, f.write); err != nil {
		return err
	}
	summary := cli.Summary(out, stdout, stderr)
	fmt.Fprintf(summary, "%s: remarks: %d\n", out, len(f.findings()))
	for _, remark := range f.findings() {
		fmt.Fprintf(summary, "  %s: %s\n", remark.What, remark.Figure)
	}
	return nil
}
