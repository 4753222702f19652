// This file owns the subcommand: its options, its help, and the reading of the file.

// Package dump writes the records of an instrumentation file as CSV, JSON lines or Parquet.
package dump

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
)

const about = `Writes the records of a file as CSV with a header, as JSON lines, or as Parquet. The names of the
columns are those of the format's documentation. Numbers are as short as possible and read back as
the same number.

JSON lines: one output, one object for each record in the order of the file, "kind" first. Values
that are not numbers in JSON are "Infinity", "-Infinity" or "NaN".
CSV and Parquet: one output for each kind. Files of models' samples by GVT and real time, of
memory, and event traces, have one kind; the others have several: choose one with --kind, or name a
folder (that exists, or with a / at its end) or a prefix with -o. The outputs are then called
FOLDER/FILE-KIND.csv, or PREFIX-KIND.csv. A kind without records has no output.
An output file gets its name when it is complete, and replaces a file of this name, or the target
of a link. A device or a FIFO is written into. The output is compressed if its name ends in .gz.

Payloads of models and events have a column for each field of the layouts that the model gave its
types of LPs, if the folder has the run's run.json; an array has a column for each value. With
several types, lp_type precedes them, types share columns of the same name and kind, and columns of
other types are empty. In JSON lines a payload is an object. Without layouts, or with
--payload=hex, payloads are hexadecimal (bytes in Parquet). Otherwise they are read as numbers, low
byte first, which are in columns payload_0, payload_1, ... (an array in JSON). The number of
columns is that of the largest payload, for which the file is read twice, or --payload-columns.
Bytes beyond the last whole number are left out, and reported.

Of the statistics of a model, the run's file that ends in -statistics.json, CSV and Parquet have
tables of rows, courses over the time, bins of histograms and values of levels, as several kinds.

With --labels, each column of LPs has one with what the model calls them: source_label and
destination_label of events, lp_label of samples. The names come from the run's file that ends in
-labels.csv, in the folder of the input. Without it, or if it is damaged, they are empty.

If the file is damaged, nothing is kept unless --partial is given; either way the exit status is 1.`

// options are the command line.
type options struct {
	format   string
	out      string
	kinds    cli.Kinds
	pes, lps cli.IDs
	from, to float64
	payload  payloadForm
	labels   bool                      // show them
	names    labels.Labels             // of all LPs, if so
	tables   [cli.NumKinds]*fieldTable // of payloads, by kind of record
}

// Command returns the subcommand.
func Command() *cobra.Command {
	o := options{payload: payloadForm{style: payloadAuto}}
	f := cli.NewFlags("dump", "FILE|-", "write the records of a file as CSV, JSON lines or Parquet", about)
	o.register(f.FlagSet)
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		if len(names) == 1 && isStatistics(names[0]) {
			if err := o.check(); err != nil {
				return err
			}
			return o.dumpStatistics(names[0], stdout)
		}
		in, err := f.One(names)
		if err == nil {
			err = o.check()
		}
		if err != nil {
			return err
		}
		return o.dump(in, stdout, stderr)
	})
}

func (o *options) register(f *pflag.FlagSet) {
	f.StringVar(&o.format, "format", "csv", "output as `FORMAT`: csv, jsonl or parquet")
	f.StringVarP(&o.out, "output", "o", "", "write to `FILE`, a folder or a prefix instead of standard output (-)")
	f.Var(&o.kinds, "kind", "only records of these kinds: `LIST` of pe, kp, lp, model, vt-model, event, memory")
	f.Var(&o.pes, "pe", "only records of these PEs: `LIST` such as 0,4-7; events do not have a PE")
	f.Var(&o.lps, "lp", "only records of these LPs: `LIST`; for events, the receiving LP counts")
	f.Float64Var(&o.from, "from", math.Inf(-1),
		"only records at virtual `TIME` or later; for events, the time of receipt counts")
	f.Float64Var(&o.to, "to", math.Inf(1), "only records before virtual `TIME`")
	f.Var(&o.payload, "payload",
		"payloads as `FORM`: fields, hex, none, u32, f32 or f64; fields if run.json has their layouts, otherwise hex")
	f.BoolVar(&o.labels, "labels", false, "after the numbers, the model's names of LPs (CSV and JSON lines)")
	f.IntVar(&o.payload.count, "payload-columns", 0, "`NUMBER` of columns for payloads as numbers")
}

func (o *options) check() error {
	switch {
	case o.format != "csv" && o.format != "jsonl" && o.format != "parquet":
		return cli.Usagef("--format=%s: must be csv, jsonl or parquet", o.format)
	case o.labels && o.format == "parquet":
		return cli.Usagef("--labels: the format must be csv or jsonl")
	case !(o.from <= o.to):
		return cli.Usagef("--from=%v --to=%v: the first must not be later", o.from, o.to)
	case o.payload.count < 0 || o.payload.count > maxColumns:
		return cli.Usagef("--payload-columns=%d: must be from 0 to %d", o.payload.count, maxColumns)
	}
	return nil
}

// wants reports whether a record is selected.
func (o *options) wants(r *instr.Record) bool {
	if !o.kinds.Contains(r.Kind) {
		return false
	}
	// Without a limit NaN and the last sample, which has no finite time, are selected as well.
	if o.pes.All() && o.lps.All() && math.IsInf(o.from, -1) && math.IsInf(o.to, 1) {
		return true
	}
	of := cli.CommonOf(r)
	if o.from > of.At || o.to <= of.At && !math.IsInf(o.to, 1) {
		return false
	}
	return (o.pes.All() || of.HasPE && o.pes.Contains(of.PE)) && (o.lps.All() || of.HasLP && o.lps.Contains(of.LP))
}

// maxColumns is the largest number of columns for the numbers of a payload.
const maxColumns = 4096

// dumper is a dump in progress.
type dumper struct {
	*options
	outs *outputs
	pipe *pipeline
	left uint64 // records with bytes of payload that were left out
}

func (o *options) dump(in cli.Input, stdout, stderr io.Writer) error {
	if err := o.countColumns(in); err != nil {
		return err
	}
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	first, readErr := r.Next() // determines the content
	if readErr != nil && readErr != io.EOF {
		return readErr
	}
	o.readLabels(in, stderr)
	if err := o.readFields(in, stderr); err != nil {
		return err
	}
	outs, err := newOutputs(o, in, r.Content(), stdout)
	if err != nil {
		return err
	}
	defer outs.abort()
	if err := outs.start(); err != nil {
		return err
	}
	d := &dumper{options: o, outs: outs, pipe: newPipeline()}
	var writeErr error
	if readErr == nil {
		readErr, writeErr = d.read(r, first)
	}
	if err := d.pipe.wait(); err != nil {
		return fmt.Errorf("ross: output: %w: free space on the disk or choose another place", err)
	}
	if readErr == io.EOF {
		readErr = nil
	}
	if writeErr == nil && readErr == nil {
		writeErr = outs.finish()
	}
	if d.left > 0 {
		what, fix := "bytes at the end of", ", or more --payload-columns"
		if d.payload.style == payloadFields {
			what, fix = "the bytes of", ""
		}
		fmt.Fprintf(stderr, "rossreader dump: %s %d payloads were left out: use --payload=hex%s\n", what, d.left, fix)
	}
	return errors.Join(readErr, writeErr)
}

// read passes all records to the outputs. It returns the error of reading, io.EOF at the
// end, and the error of starting outputs.
func (d *dumper) read(r *cli.Reader, record *instr.Record) (readErr, err error) {
	for ; readErr == nil; record, readErr = r.Next() {
		if !d.wants(record) {
			continue
		}
		if err := d.add(record); err != nil {
			if err == errStopped {
				err = nil // wait returns the cause
			}
			return io.EOF, err
		}
	}
	for _, out := range d.outs.all {
		if out.batch != nil {
			d.pipe.give(out.batch)
		}
	}
	return readErr, nil
}

func (d *dumper) add(record *instr.Record) error {
	out := d.outs.byKind[record.Kind]
	if out == nil {
		var err error
		if out, err = d.outs.of(record.Kind); err != nil {
			return err
		}
	}
	if out.batch == nil {
		b, err := d.pipe.take(out.sink)
		if err != nil {
			return err
		}
		out.batch = b
	}
	out.batch.add(record, d.payload.style != payloadNone)
	out.records++
	if d.payload.style >= payloadWords {
		d.countLeft(out.batch, record)
	}
	if out.batch.full() {
		d.pipe.give(out.batch)
		out.batch = nil
	}
	return nil
}

// countLeft counts a record if the output does not have all its bytes.
func (d *dumper) countLeft(b *batch, record *instr.Record) {
	payload := cli.PayloadOf(record)
	if d.payload.style == payloadFields {
		t := d.tables[record.Kind]
		if len(payload) > 0 && t != nil && d.format != "jsonl" {
			cells := b.cells[len(b.cells)-len(columns[record.Kind]):]
			if !t.typeOf(cells[t.lp]).fits(payload) {
				d.left++
			}
		}
		return
	}
	size := d.payload.size()
	if len(payload)%size != 0 || d.format != "jsonl" && len(payload)/size > d.payload.count {
		d.left++
	}
}

// countColumns reads the file to find its largest payload, if that is needed.
func (o *options) countColumns(in cli.Input) error {
	if o.payload.style != payloadWords || o.payload.count > 0 || o.format == "jsonl" {
		return nil
	}
	if in.Stdin {
		return cli.Usagef("--payload=%s: standard input cannot be read twice: give --payload-columns", &o.payload)
	}
	largest := 0
	err := in.Each(func(r *instr.Record) error {
		if o.wants(r) {
			largest = max(largest, len(cli.PayloadOf(r)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.payload.count = largest / o.payload.size(); o.payload.count > maxColumns {
		return fmt.Errorf(
			"ross: dump: %s: the largest payload makes %d columns, more than %d: use --payload=hex or fewer --payload-columns",
			in.Name, o.payload.count, maxColumns)
	}
	return nil
}
