// This file owns the page of a study, for which package program/parts/page does the work.

package report

import (
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	results "github.com/ross-go/ross/program/parts/page"
)

var errNoOutput = cli.Usagef("no output: name a file with -o, or - for standard output")

// ofStudy writes the page of a study, unless there is an error.
func ofStudy(f *cli.Flags, study *results.Study, inputs []cli.Input, err error, out string,
	stdout, stderr io.Writer) error {
	if err != nil {
		return err
	}
	for _, name := range []string{"base", "flow-from", "flow-to", "content", "partial"} {
		if f.Changed(name) {
			return cli.Usagef("--%s: is for files of a run, and %s has a study; leave it out", name, inputs[0].Name)
		}
	}
	if out == "" {
		return errNoOutput
	}
	if err := cli.Write(out, stdout, inputs, study.Write); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cli.Summary(out, stdout, stderr), "%s: points: %d, results: %d\n", out, len(study.Points),
		len(study.Results))
	return err
}
