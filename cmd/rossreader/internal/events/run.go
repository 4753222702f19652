// This file owns the command line of `rossreader events`, and what it serves.

package events

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
	"github.com/ross-go/ross/instr"
)

const helpText = `Shows an event trace (--event-trace=1 or 3, better with --trace-exact=1) as a sequence chart: a
lane for each LP, virtual time from left to right, an arrow for each message; each event with its
fields, its effects and the way back to its first cause. With -o it writes a page with an excerpt:
of some LPs, of a stretch of virtual time, or else the last events. With --http it serves a page of
the whole trace, of any size, until Ctrl-C.`

// defaultMost is about as many events as a page of some 20 MB has.
const defaultMost = 100_000

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("events", "FOLDER|TRACE -o OUT.html", "make a sequence chart of an event trace", helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output, the summary then goes to standard error")
	address := f.String("http", "", serving.Help)
	c := choice{from: math.NaN(), to: math.NaN()}
	f.StringSliceVar(&c.lps, "lp", nil, "`LPS` of the page, ids or names with commas between them (default all)")
	f.Var((*virtualTime)(&c.from), "from", "first virtual `TIME` of the page (default the beginning)")
	f.Var((*virtualTime)(&c.to), "to", "last virtual `TIME` of the page (default the end)")
	f.IntVar(&c.most, "most", defaultMost, "most `EVENTS` of the page, besides those of the path to the last one")
	f.AllowPartial()
	var command *cobra.Command
	command = f.Command(func(names []string, stdout, stderr io.Writer) error {
		switch {
		case *out == "" && *address == "":
			return cli.Usagef("no output: name a page with -o, - for standard output, or serve the trace with --http=8080")
		case *out != "" && *address != "":
			return cli.Usagef("-o and --http: give one of them")
		case c.most < 1:
			return cli.Usagef("--most=%d: give 1 or more", c.most)
		case c.from > c.to:
			return cli.Usagef("--from=%v: after --to=%v", c.from, c.to)
		}
		in, err := traceOf(f, names)
		if err != nil {
			return err
		}
		begin := time.Now()
		t, err := read(in)
		if err != nil {
			return err
		}
		defer t.Close()
		if *address != "" {
			return serve(command.Context(), t, *address, time.Since(begin), stdout, stderr)
		}
		return t.write(&c, *out, in, stdout, stderr)
	})
	return command
}

// virtualTime is a virtual time of the command line.
type virtualTime float64

func (m *virtualTime) Type() string { return "TIME" }

func (m *virtualTime) String() string {
	if math.IsNaN(float64(*m)) {
		return ""
	}
	return text(float64(*m))
}

func (m *virtualTime) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) {
		return errors.New("must be a virtual time, such as 12.5")
	}
	*m = virtualTime(v)
	return nil
}

// traceOf returns the trace among the named files.
func traceOf(f *cli.Flags, names []string) (found cli.Input, err error) {
	inputs, err := f.Inputs(names)
	if err != nil {
		return found, err
	}
	n := 0
	for _, in := range inputs {
		if len(inputs) == 1 || instr.ContentOf(in.Name) == instr.Trace {
			found = in
			n++
		}
	}
	if n != 1 {
		return found, cli.Usagef("%d event traces: name one, or a folder with one: a run with --event-trace=3 writes it", n)
	}
	return found, nil
}

// write writes the page with an excerpt.
func (t *Trace) write(c *choice, out string, in cli.Input, stdout, stderr io.Writer) error {
	x, text, err := t.excerpt(c)
	if err != nil {
		return err
	}
	a := t.about()
	err = cli.Write(out, stdout, []cli.Input{in}, func(w io.Writer) error {
		return writePage(w, t, &pageData{About: a, Text: text + t.kindText(a), Excerpt: x})
	})
	if err == nil {
		fmt.Fprintf(cli.Summary(out, stdout, stderr), "%s: %s of %s\n", out, grouped(len(x.Events)), plural(len(t.entries), "event"))
	}
	return err
}

// serve serves the page of a trace until ctx ends, or a signal comes.
func serve(ctx context.Context, t *Trace, address string, took time.Duration, stdout, stderr io.Writer) error {
	s, err := newServer(t)
	if err != nil {
		return err
	}
	all := serving.Server{Name: "events", Pages: "the trace", Address: address, Handler: s.handler(),
		What: fmt.Sprintf("%s, read in %.1f s,", plural(len(t.entries), "event"), took.Seconds())}
	return all.Run(ctx, stdout, stderr)
}
