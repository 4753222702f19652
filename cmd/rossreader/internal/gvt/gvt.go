// This file owns the subcommand: its options and its two tables.

// Package gvt prints the samples of PEs by GVT as a table.
package gvt

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

const about = `Prints a table with a line for each sample of a PE, in the order of the file. It is meant for
samples by GVT, but also reads those by real time and at virtual times. Counters count from the
previous sample of the same PE; the sample taken after the end has "end" for GVT. Times are rounded
to nine digits.

With --readme it is CSV with the columns that the first versions of ROSS described in their README
for data collection, in its order: PE_ID, GVT, all_reduce_count, events_processed, events_aborted,
events_rolled_back, event_ties, total_rollbacks, primary_rollbacks,
secondary_rollbacks, fossil_collects, network_sends, network_recvs, remote_events, net_events,
efficiency. Not in the file but derived: primary_rollbacks = total - secondary, net_events =
processed - rolled back. Today's files do not distinguish remote events from events sent over the
network, so remote_events is network_sends again.`

const readmeHeader = "PE_ID,GVT,all_reduce_count,events_processed,events_aborted,events_rolled_back,event_ties,total_rollbacks," +
	"primary_rollbacks,secondary_rollbacks,fossil_collects,network_sends,network_recvs,remote_events,net_events,efficiency\n"

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("gvt", "FILE|-", "print a table of the samples of PEs by GVT", about)
	readme := f.Bool("readme", false, "CSV with the columns of the older README")
	var pes cli.IDs
	f.Var(&pes, "pe", "only these PEs: `LIST` such as 0,4-7")
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		in, err := f.One(names)
		if err != nil {
			return err
		}
		out, err := cli.Create("", stdout)
		if err != nil {
			return err
		}
		row, header := appendTable, tableHeader
		if *readme {
			row, header = appendReadme, readmeHeader
		}
		var line []byte
		samples := 0
		err = in.Each(func(r *instr.Record) error {
			if r.Kind != instr.KindPE || !pes.Contains(uint64(r.PE.PE)) {
				return nil
			}
			if samples++; samples == 1 {
				out.WriteString(header)
			}
			line = row(line[:0], r)
			_, err := out.Write(line)
			return err
		})
		if closeErr := out.Close(); closeErr != nil {
			return closeErr
		}
		if err == nil && samples == 0 {
			err = fmt.Errorf("ross: gvt: %s: no samples of PEs: run with --engine-stats=1 and --pe-data=1", in.Name)
		}
		return err
	})
}

func appendReadme(b []byte, r *instr.Record) []byte {
	s := &r.PE
	b = strconv.AppendUint(b, uint64(s.PE), 10)
	b = cli.AppendFloat(append(b, ','), r.Meta.TS, 64)
	for _, n := range [...]int64{
		int64(s.AllReduces), int64(s.Processed), int64(s.Aborted), int64(s.RolledBack), int64(s.EventTies),
		int64(s.Rollbacks),
		primary(s), int64(s.SecondaryRollbacks), int64(s.FossilCollects), int64(s.NetworkSends), int64(s.NetworkReads),
		int64(s.NetworkSends), net(s),
	} {
		b = strconv.AppendInt(append(b, ','), n, 10)
	}
	b = cli.AppendFloat(append(b, ','), float64(s.Efficiency), 32)
	return append(b, '\n')
}

const tableFormat = "%5s %14s %14s %12s %12s %12s %10s %10s %10s %10s %8s %10s %10s %9s\n"

var tableHeader = fmt.Sprintf(tableFormat, "PE", "GVT", "real time s", "processed", "rolled back", "net", "efficiency",
	"rollbacks", "primary", "secondary", "fossil", "sends", "reads", "queue")

func appendTable(b []byte, r *instr.Record) []byte {
	s := &r.PE
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	at := "end" // after the run there is no GVT
	if r.Meta.TS < math.MaxFloat64 {
		at = rounded(r.Meta.TS)
	}
	return fmt.Appendf(b, tableFormat, text(int64(s.PE)), at, rounded(r.Meta.RealTime),
		text(int64(s.Processed)), text(int64(s.RolledBack)), text(net(s)), fmt.Sprintf("%.2f", s.Efficiency),
		text(int64(s.Rollbacks)), text(primary(s)), text(int64(s.SecondaryRollbacks)), text(int64(s.FossilCollects)),
		text(int64(s.NetworkSends)), text(int64(s.NetworkReads)), text(int64(s.QueueSize)))
}

// rounded returns a time that fits its column; --readme and dump print all digits.
func rounded(x float64) string { return strconv.FormatFloat(x, 'g', 9, 64) }

func primary(s *instr.PEStats) int64 { return int64(s.Rollbacks) - int64(s.SecondaryRollbacks) }

func net(s *instr.PEStats) int64 { return int64(s.Processed) - int64(s.RolledBack) }
