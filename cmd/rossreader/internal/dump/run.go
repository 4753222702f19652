// This file owns a dump from the first record to the last.

package dump

import (
	"errors"
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

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
	d := &dumper{options: o, outs: outs, pipe: newPipeline(len(outs.kinds))}
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
	payload, _ := payloadOf(record)
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
		if payload, ok := payloadOf(r); ok && o.wants(r) {
			largest = max(largest, len(payload))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.payload.count = largest / o.payload.size(); o.payload.count > maxColumns {
		return fmt.Errorf("ross: dump: %s: the largest payload makes %d columns, more than %d: use --payload=hex or fewer --payload-columns",
			in.Name, o.payload.count, maxColumns)
	}
	return nil
}
