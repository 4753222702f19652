// This file owns the subcommand: its options and what it prints.

// Package bins prints the counters of PEs by intervals of virtual time.
package bins

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const about = `Prints CSV with a line for each PE and each interval of virtual time, with the columns that the
first versions of ROSS described for virtual time sampling. An interval is named by its start,
which is a multiple of the length as a decimal number, such as 0.3 for 0.1.

From samples of PEs (by GVT, by real time, at virtual times): a sample counts what happened on its
PE from the time of the previous sample to its own, in virtual time. If that spans several
intervals, the counters are distributed in proportion, in whole numbers (by largest remainder)
whose sum is that of the samples. What a last sample counts beyond the last finite time goes into
the last interval. Reverse events are the events rolled back. Today's files do not distinguish
remote events from events sent over the network, so remote events are network sends. The original
ROSS counts GVTs from the start of the run, not from the previous sample; this is detected if
possible (records of LPs with 48 bytes, or at least 8 samples of a PE with ever more GVTs),
otherwise use --original.

From an event trace: forward events, exactly, by the time of receipt; the other columns, including
the PE, are empty. A trace has times with 32 bits, and so have the starts of the intervals then.`

// header is the columns.
const header = "pe_id,interval,forward_events,reverse_events,gvt_computations,all_reduces,events_aborted,event_ties," +
	"remote_events,network_sends,network_recvs,events_rolled_back,primary_rollbacks,secondary_rollbacks,fossil_collects\n"

// options are the command line.
type options struct {
	interval float64
	maxLines int
	original bool
}

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("bins", "--interval=N FILE|-", "print counters by intervals of virtual time", about)
	var o options
	f.Float64Var(&o.interval, "interval", 0, "`LENGTH` of an interval in virtual time")
	f.IntVar(&o.maxLines, "max-lines", 1_000_000, "refuse to print more than this `NUMBER` of lines")
	f.BoolVar(&o.original, "original", false, "the file is the original's: its number of GVTs counts from the start")
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		in, err := f.One(names)
		switch {
		case err != nil:
			return err
		case !(o.interval > 0) || math.IsInf(o.interval, 1):
			return cli.Usagef("--interval=%v: must be a length in virtual time above 0", o.interval)
		case o.maxLines < 1:
			return cli.Usagef("--max-lines=%d: must be above 0", o.maxLines)
		}
		return o.bins(in, stdout)
	})
}

func (o *options) bins(in cli.Input, stdout io.Writer) error {
	t := newTable(o.interval, o.maxLines)
	if err := in.Each(t.take); err != nil {
		return err
	}
	if t.events+t.samples == 0 {
		return fmt.Errorf(
			"ross: bins: %s: neither samples of PEs nor events: run with --engine-stats and --pe-data=1, or with --event-trace",
			in.Name)
	}
	if lines := t.lines(); t.tooMany || lines > float64(o.maxLines) {
		return fmt.Errorf("ross: bins: %s: --interval=%v makes %.6g lines up to virtual time %v, more than %d: "+
			"choose an interval of %.2g or more, or raise --max-lines", in.Name, o.interval, lines, t.last, o.maxLines,
			t.enough())
	}
	t.finish()
	out, err := cli.Create("", stdout)
	if err != nil {
		return err
	}
	out.WriteString(header)
	t.write(out, o.original || t.origin.CountsGVTsFromStart())
	return out.Close()
}

// write prints the table; cumulative is whether GVTs are counted from the start.
func (t *table) write(out *cli.Output, cumulative bool) {
	var line []byte
	start := func(bin int) []byte { return cli.AppendFloat(append(line, ','), t.interval.Begin(float64(bin)), 64) }
	if t.events > 0 {
		blank := strings.Repeat(",", strings.Count(header, ",")-2) + "\n"
		for bin, n := range t.forward {
			line = strconv.AppendUint(append(start(bin), ','), n, 10)
			out.Write(append(line, blank...))
			line = line[:0]
		}
		return
	}
	for _, pe := range t.sortedPEs() {
		p := t.pes[pe]
		for bin := range t.binCount() {
			var c counters
			if bin < len(p.bins) {
				c = p.bins[bin]
			}
			gvts := c[gvtsSince]
			if cumulative {
				gvts = c[gvtsGrown]
			}
			line = strconv.AppendUint(line[:0], uint64(pe), 10)
			line = start(bin)
			for _, n := range [...]int64{
				c[processed], c[rolledBack], gvts, c[allReduces], c[aborted], c[ties], c[sends], c[sends], c[reads],
				c[rolledBack], c[rollbacks] - c[secondary], c[secondary], c[fossils],
			} {
				line = strconv.AppendInt(append(line, ','), n, 10)
			}
			out.Write(append(line, '\n'))
		}
	}
}
