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
	out := f.String("o", "", "`FILE` to write")
	f.AllowPartial()
	return f.Main(args, stdout, stderr, func(names []string) error {
		inputs, err := f.Inputs(names)
		if err != nil {
			return err
		}
		if *out == "" {
			return cli.Usagef("no output: name a file with -o")
		}
		return report(inputs, *out, stdout)
	})
}

func report(inputs []cli.Input, out string, stdout io.Writer) error {
	run, err := survey.New(inputs)
	if err != nil {
		return err
	}
	f, err := gather(run)
	if err != nil {
		return err
	}
	if err := cli.Write(out, inputs, f.write); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: remarks: %d\n", out, len(f.findings()))
	for _, remark := range f.findings() {
		fmt.Fprintf(stdout, "  %s: %s\n", remark.What, remark.Figure)
	}
	return nil
}
