// This file owns diff: its options, and what it prints.

package checkpoint

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/rio"
)

const aboutDiff = `Shows how checkpoints A and B differ: which LPs, by gid, and in what (type, time of the last event,
suspension, critical path, digest, random streams, the engine's own stream, state), and which
pending events are only in one of them; also virtual time, types, and streams of each LP. Values
are printed as A | B. For states it prints the first byte that differs. If the model has names for
its LPs, they follow the gids: gid 7 "router (3,4,5)".

It does not matter how LPs and events are spread over partitions and files, in which order they are
stored, whether they are compressed, when they were stored and by which version. Types are matched
by name. Digests are compared unless only one of the two has them. Memory: 16 bytes for each LP,
some partitions, what is printed, and about 50 bytes for each event of an LP whose events differ.

Exit status: 0 equal, 1 different, 2 trouble.`

func diffCommand() *cobra.Command {
	f := cli.NoFlags("diff", "A B", "show how two checkpoints differ, by LPs and events", aboutDiff)
	most := f.Int("most", 100, "print at most this `NUMBER` of differences; all are counted")
	return f.Command(func(names []string, stdout, _ io.Writer) error {
		if len(names) != 2 {
			return cli.Usagef("%d checkpoints: name two", len(names))
		}
		if *most < 0 {
			return cli.Usagef("--most=%d: must not be negative", *most)
		}
		out, err := cli.Create("", stdout)
		if err != nil {
			return cli.Trouble(err)
		}
		equal, err := diff(nameOf(names[0]), nameOf(names[1]), *most, out)
		if err == nil {
			err = out.Close()
		}
		switch {
		case err != nil:
			return cli.Trouble(err)
		case !equal:
			return cli.ErrBad
		}
		return nil
	})
}

// diff compares two checkpoints and prints at most the given number of
// differences.
func diff(a, b string, most int, out io.Writer) (equal bool, err error) {
	d := &differ{names: [2]string{a, b}, most: most}
	for i, name := range d.names {
		c, err := rio.Open(name)
		if err != nil {
			return false, err
		}
		defer c.Close()
		d.side[i] = newSide(name, c)
	}
	if err := d.compare(); err != nil {
		return false, err
	}
	return d.print(out), nil
}

// print prints the differences, and reports whether there are none.
func (d *differ) print(out io.Writer) (equal bool) {
	if d.side[A].info.Digests != d.side[B].info.Digests {
		which := A
		if d.side[B].info.Digests {
			which = B
		}
		fmt.Fprintf(out, "digests are not compared: only %s has them\n", d.names[which])
	}
	total := uint64(len(d.run)) + d.lpCount + uint64(len(d.only)) + d.eventLines
	if total == 0 {
		fmt.Fprintf(out, "equal: %d LPs, %d events\n", d.side[A].info.LPs, d.side[A].events)
		return true
	}
	fmt.Fprintf(out, "A: %s: %d LPs, %d events\nB: %s: %d LPs, %d events\n",
		d.names[A], d.side[A].info.LPs, d.side[A].events, d.names[B], d.side[B].info.LPs, d.side[B].events)
	printed := 0
	line := func(text string) {
		if printed < d.most {
			fmt.Fprintln(out, text)
			printed++
		}
	}
	for _, text := range d.run {
		line(text)
	}
	for _, text := range d.only {
		line(text)
	}
	for _, gid := range d.first {
		line(d.name(gid) + ": " + d.texts[gid])
	}
	for i := range d.found {
		line(d.eventText(&d.found[i]))
	}
	if more := total - uint64(printed); more > 0 {
		fmt.Fprintf(out, "differences not printed: %d, see --most\n", more)
	}
	fmt.Fprintf(out, "LPs that differ: %d. Events only in A: %d, only in B: %d.\n", d.lpCount, d.eventCount[A], d.eventCount[B])
	return false
}
