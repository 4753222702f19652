// This file owns the command line of `rossreader trace`.

package chrome

import (
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// defaultEvents is about as many as viewers open comfortably.
const defaultEvents = 1_000_000

const helpText = `Draws the files of one run (the folder of --stats-path, or some of its files) as a trace
that ui.perfetto.dev and chrome://tracing open: a process for each PE, a thread for
each KP. The output is compressed if its name ends in .gz.`

// Run runs the subcommand and returns the exit status.
func Run(args []string, stdout, stderr io.Writer) int {
	f := cli.NewFlags("trace", "FOLDER|FILE... -o OUT.json", helpText)
	out := f.String("o", "", "`FILE` to write; - for standard output, the summary then goes to standard error")
	most := f.Uint64("max-events", defaultEvents, "approximate maximum `NUMBER` of trace events to write; 0 = all")
	f.AllowPartial()
	return f.Main(args, stdout, stderr, func(names []string) error {
		inputs, err := f.Inputs(names)
		if err != nil {
			return err
		}
		if *out == "" {
			return cli.Usagef("no output: name a file with -o, or - for standard output")
		}
		return trace(inputs, *out, *most, stdout, stderr)
	})
}

func trace(inputs []cli.Input, out string, most uint64, stdout, stderr io.Writer) error {
	run, err := survey.New(inputs)
	if err != nil {
		return err
	}
	var count uint64
	var t thinning
	err = cli.Write(out, stdout, inputs, func(w io.Writer) (err error) {
		count, t, err = draw(run, w, most)
		return err
	})
	if err != nil {
		return err
	}
	summary := cli.Summary(out, stdout, stderr)
	fmt.Fprintf(summary, "%s: %d events\n", out, count)
	if t.samples > 1 || t.events > 1 {
		fmt.Fprintf(summary, "%d samples in a row are drawn as one, and 1 of %d events is drawn: --max-events=0 draws all\n", t.samples, t.events)
	}
	return nil
}
