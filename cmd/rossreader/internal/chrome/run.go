// This file owns the command line of `rossreader trace`.

package chrome

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// defaultEvents is about as many as viewers open comfortably.
const defaultEvents = 1_000_000

const helpText = `Draws the files of one run (the folder of --stats-path, or some of its files) as a trace that
ui.perfetto.dev and chrome://tracing open: a process for each PE, a thread for
each KP, and arrows from each event of an event trace to those that it sent. The output is
compressed if its name ends in .gz.`

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("trace", "FOLDER|FILE... -o OUT.json", "make a trace for Perfetto and chrome://tracing", helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output, the summary then goes to standard error")
	var o options
	f.Uint64Var(&o.most, "max-events", defaultEvents,
		"approximate maximum `NUMBER` of trace events to write, without arrows; 0 = all")
	f.BoolVar(&o.noArrows, "no-arrows", false, "do not draw arrows from events to those that they sent")
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		inputs, err := f.Inputs(names)
		if err != nil {
			return err
		}
		if *out == "" {
			return cli.Usagef("no output: name a file with -o, or - for standard output")
		}
		return trace(inputs, *out, &o, stdout, stderr)
	})
}

// options are those of the drawing.
type options struct {
	most     uint64
	noArrows bool
}

func trace(inputs []cli.Input, out string, o *options, stdout, stderr io.Writer) error {
	run, err := survey.New(inputs)
	if err != nil {
		return err
	}
	var d drawn
	err = cli.Write(out, stdout, inputs, func(w io.Writer) (err error) {
		d, err = draw(run, w, o)
		return err
	})
	if err != nil {
		return err
	}
	summary := cli.Summary(out, stdout, stderr)
	text := ""
	if d.drawn > 0 {
		text = fmt.Sprintf(", and %d arrows", d.drawn)
	}
	fmt.Fprintf(summary, "%s: %d events%s\n", out, d.count, text)
	if d.samples > 1 || d.events > 1 {
		fmt.Fprintf(summary, "%d samples in a row are drawn as one, and 1 of %d events is drawn: --max-events=0 draws all\n",
			d.samples, d.events)
	}
	if d.backward > 0 {
		fmt.Fprintf(summary,
			"%d arrows are left out, since the event that was sent has an earlier real time: traces of committed events (--event-trace=3) have that of the commitment\n", d.backward)
	}
	if d.full {
		fmt.Fprintf(summary, "arrows are drawn for the first %d events only\n", mostRemembered)
	}
	return nil
}
