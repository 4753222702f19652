// This file owns the command line of `rossreader network`.

package network

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/serving"
	"github.com/ross-go/ross/program/parts/places"
)

const helpText = `Draws the network of a run, the folder of --stats-path: its LPs and links, coloured by what they
did in an interval of virtual time, which a slider chooses; the worst link at each time, and of the
whole run. The model has to say where its LPs are, as models/network, dragonfly, torus and fabric
do, and the run to record what its links do: --model-stats=3 --vt-interval=T, or --event-trace=3.
The page is one file that needs no network. With --http the picture is served instead, and follows
a run that has not ended: give that one a small --buffer-size and --buffer-free=0, so that its
files come early.`

// mostIntervals is the most intervals in which events are counted.
const mostIntervals = 10000

var errNoOutput = errors.New("no output: give -o FILE.html, or --http to serve the picture")

// Command returns the subcommand. With --http it runs until a signal or its context ends it.
func Command() (c *cobra.Command) {
	f := cli.NoFlags("network", "FOLDER -o OUT.html", "draw the links of a network over virtual time", helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output")
	value := f.String("value", "", "`NAME` of the value that is shown first, such as load, buffer or stall")
	intervals := f.Int("intervals", 100, "`NUMBER` of intervals in which events of a trace are counted")
	address := f.String("http", "", serving.Help)
	c = f.Command(func(names []string, stdout, stderr io.Writer) error {
		if len(names) != 1 {
			return cli.Usagef("%d folders: name the one of a run", len(names))
		}
		if *intervals < 1 || *intervals > mostIntervals {
			return cli.Usagef("--intervals=%d: must be 1 to %d", *intervals, mostIntervals)
		}
		if *out == "" && *address == "" {
			return cli.Usagef("%w", errNoOutput)
		}
		if *out != "" && *address != "" {
			return cli.Usagef("-o and --http: give one of them")
		}
		s, err := open(names[0], *intervals)
		if err != nil {
			return err
		}
		shown, err := s.number(*value)
		if err != nil {
			return err
		}
		if *address != "" {
			server := serving.Server{Name: "network", What: "network of " + names[0], Pages: "the picture", Address: *address,
				Handler: newServer(s, shown).handler()}
			return server.Run(c.Context(), stdout, stderr)
		}
		return s.write(shown, *out, stdout, stderr)
	})
	return c
}

// number returns the place of the value with a name.
func (s *source) number(name string) (int, error) {
	if name == "" {
		return 0, nil
	}
	i := slices.IndexFunc(s.values, func(v places.Value) bool { return v.Name == name })
	if i < 0 {
		var names []string
		for _, v := range s.values {
			names = append(names, v.Name)
		}
		return 0, cli.Usagef("--value=%s: this run has %s", name, strings.Join(names, ", "))
	}
	return i, nil
}

// write writes the page.
func (s *source) write(shown int, out string, stdout, stderr io.Writer) error {
	if _, err := s.read(); err != nil {
		return err
	}
	if len(s.all) == 0 {
		return fmt.Errorf("ross: input: %s: %w up to the end of an interval: run it longer, or with a smaller --vt-interval",
			s.file, errNothing)
	}
	page, err := s.page(shown, false)
	if err != nil {
		return err
	}
	if err := cli.Write(out, stdout, []cli.Input{{Name: s.file}}, page.Write); err != nil {
		return err
	}
	w := cli.Summary(out, stdout, stderr)
	fmt.Fprintf(w, "%s: %d nodes, %d links, %d intervals up to virtual time %g\n", out, len(s.m.Nodes), len(s.links),
		len(s.all), s.all[len(s.all)-1].to)
	if note := s.note(); note != "" {
		fmt.Fprintln(w, note)
	}
	return nil
}
