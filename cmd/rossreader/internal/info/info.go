// This file owns the subcommand: its options and what it prints.

// Package info describes instrumentation files.
package info

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

const about = `Describes files: the number of records of each kind, PEs, KPs and LPs seen, ranges of virtual and
real time, sums of the engine's counters, the most memory in use, sizes of payloads, and whether
the file is whole, or else where it is truncated (exit status 1).

The sums are those of the records of PEs; in a file without any, of KPs, or else of LPs. Real time
is in seconds since the start of the run; files of the original ROSS have cycles of the processor's
counter divided by --clock-rate instead. The last sample by real time is taken after the end and
has no finite virtual time: it counts, but is not in the range of times.

A run that was killed leaves files that end in ` + instr.PartSuffix + `. They hold what it had written, in
order, but the last record may be truncated.`

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("info", "FILE...|FOLDER|-", "describe files: kinds and numbers of records, ranges of time, sums",
		about)
	asJSON := f.Bool("json", false, "print a JSON array with an object for each file")
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		inputs, err := f.Inputs(names)
		if err != nil {
			return err
		}
		return cli.Summarise(inputs, *asJSON, stdout, summarise, (*Summary).print, func(s *Summary) bool { return s.Whole })
	})
}

func (s *Summary) print(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-16s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(w, s.File)
	content := s.Content
	if s.Original {
		content += ", written by the original ROSS"
	}
	line("content", "%s", content)
	if s.Whole {
		line("size", "%d bytes, whole", s.Bytes)
	} else {
		line("size", "%d bytes are good", s.Bytes)
	}
	if s.Part {
		line("not complete", "the run that writes it is still going on, or was interrupted")
	}
	var kinds []string
	for _, kind := range cli.AllKinds {
		if n := s.Records[kind.String()]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	line("records", "%s", orNone(strings.Join(kinds, ", ")))
	if !s.Whole {
		line("not whole", "%s", s.Error)
	}
	if len(kinds) == 0 {
		return
	}
	line("seen", "%d PEs, %d KPs, %d LPs", s.PEs, s.KPs, s.LPs)
	line("virtual time", "%s", s.VirtualTime.text(""))
	line("real time", "%s", s.RealTime.text(" s"))
	if s.Totals != nil {
		s.Totals.print(line)
	}
	if m := s.Memory; m != nil {
		line("memory", "at most %d of %d bytes in use in a process", m.Used, m.Limit)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Payloads)) {
		line("payload", "%s: %s", kind, s.Payloads[kind].text())
	}
}

func (t *Totals) print(line func(name, format string, args ...any)) {
	line("counters of", "%s", t.Of)
	line("processed", "%d", t.Processed)
	line("rolled back", "%d, %d of them aborted", t.RolledBack, t.Aborted)
	line("net", "%d", t.Net)
	line("efficiency", "%.2f %%", t.Efficiency)
	if t.Of != "lp" {
		line("rollbacks", "%d: %d primary, %d secondary", t.Rollbacks, t.Primary, t.SecondaryRollbacks)
	}
	line("network", "%d sends, %d reads", t.NetworkSends, t.NetworkReads)
	if t.Of == "pe" {
		line("fossil collects", "%d", t.FossilCollects)
	}
}

func (r *Range) text(unit string) string {
	if r == nil {
		return "none"
	}
	return cli.FormatFloat(r.From, 64) + " to " + cli.FormatFloat(r.To, 64) + unit
}

// listed is how many sizes of payloads are listed one by one.
const listed = 8

func (p sizes) text() string {
	all := slices.Sorted(maps.Keys(p))
	if len(all) > listed {
		return fmt.Sprintf("%d sizes from %d to %d bytes", len(all), all[0], all[len(all)-1])
	}
	var parts []string
	for _, size := range all {
		parts = append(parts, fmt.Sprintf("%d bytes in %d records", size, p[size]))
	}
	return strings.Join(parts, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
