// This file owns the command line of `rossreader trace`.

package chrome

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// defaultEvents is about what viewers open without pain.
const defaultEvents = 1_000_000

const usage = `usage: rossreader trace FOLDER|FILE... -o out.json [--max-events=N]

Draws the files of one run (the folder of --stats-path, or some of its files) as a trace
that ui.perfetto.dev and chrome://tracing open: a process for each PE, a thread for
each KP. Compressed if the name ends in .gz.

`

// Run is the command. It returns the exit status: 0, 1 for a file that cannot be read or
// written, 2 for a command line that cannot be used.
func Run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("trace", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	out := flags.String("o", "", "`file` to write")
	most := flags.Uint64("max-events", defaultEvents, "about how many trace events to write at most; 0 = all")
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
		fmt.Fprintf(stderr, "ross: trace: %v\n\n", err)
		help(stderr)
		return 2
	}
	if err := trace(paths, *out, *most, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func trace(paths []string, out string, most uint64, stdout io.Writer) error {
	files, err := survey.Find(paths)
	if err != nil {
		return err
	}
	run, err := survey.New(files)
	if err != nil {
		return err
	}
	var count uint64
	var t thinning
	err = run.Write(out, func(w io.Writer) (err error) {
		count, t, err = draw(run, w, most)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d events\n", out, count)
	if t.samples > 1 || t.events > 1 {
		fmt.Fprintf(stdout, "%d samples in a row are one, and 1 of %d events is drawn: --max-events=0 draws all\n", t.samples, t.events)
	}
	return nil
}
