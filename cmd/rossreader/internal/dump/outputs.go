// This file owns the outputs of a dump: their number, names and completion; and the goroutines: one reads
// records into batches, several encode batches at the same time, and one writes them in the order of reading.

package dump

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// outputs are the outputs of a dump. An output is begun at its first record, or by start.
type outputs struct {
	opts    *options
	in      cli.Input
	stdout  io.Writer
	name    string                // of the one output, empty for standard output
	prefix  string                // of several
	several bool                  // one for each kind
	kinds   []instr.Kind          // there may be
	byKind  [cli.NumKinds]*output // of one output of JSON, all the same
	all     []*output
}

type output struct {
	sink    sink
	file    *cli.Output
	name    string
	records uint64
	batch   *batch // being filled
}

// newOutputs decides how many outputs there are and what they are called.
func newOutputs(o *options, in cli.Input, content instr.Content, stdout io.Writer) (*outputs, error) {
	to := o.out
	if cli.IsStdout(to, stdout) {
		to = ""
	}
	outs := &outputs{opts: o, in: in, stdout: stdout, name: to}
	var kinds []instr.Kind
	for _, kind := range cli.KindsOf(content) {
		if o.kinds.Contains(kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return nil, cli.Usagef("--kind=%s: %s holds no such records, only those of %s", &o.kinds, in.Name, cli.ContentName(content))
	}
	if !o.pes.All() && content == instr.Trace {
		return nil, cli.Usagef("--pe=%s: events do not have a PE: choose with --lp", &o.pes)
	}
	outs.kinds = kinds
	isFolder, isFile := strings.HasSuffix(to, string(filepath.Separator)), true
	if info, err := os.Stat(to); err == nil {
		isFolder, isFile = info.IsDir(), info.Mode().IsRegular()
	}
	base := filepath.Join(to, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(in.Name), instr.PartSuffix), ".bin"))
	switch outs.several = len(kinds) > 1 && o.format != "jsonl"; {
	case outs.several && (to == "" || !isFolder && !isFile):
		return nil, cli.Usagef("%s may hold records of several kinds, and each kind needs a separate output: "+
			"choose one with --kind, name a folder or a prefix with -o, or use --format=jsonl", in.Name)
	case isFolder:
		if err := os.MkdirAll(to, 0o755); err != nil {
			return nil, fmt.Errorf("ross: output: %w: %s", err, atomicfile.Remedy(err, "name a folder that can be made"))
		}
		outs.prefix = base
		outs.name = base + "." + o.format
	case outs.several:
		outs.prefix = strings.TrimSuffix(to, "."+o.format)
	}
	return outs, nil
}

// of returns the output for a kind.
func (outs *outputs) of(kind instr.Kind) (*output, error) {
	if out := outs.byKind[kind]; out != nil {
		return out, nil
	}
	out := &output{name: outs.name}
	if outs.several {
		out.name = fmt.Sprintf("%s-%s.%s", outs.prefix, kind, outs.opts.format)
	}
	var err error
	if out.file, err = cli.Create(out.name, outs.stdout, outs.in); err != nil {
		return nil, err
	}
	outs.all = append(outs.all, out)
	switch outs.opts.format {
	case "csv":
		out.sink, err = newCSV(out.file, kind, outs.opts.formOf(kind), outs.opts.labelsOf(kind))
	case "jsonl":
		out.sink = newJSON(out.file, outs.opts.formOf, outs.opts.labelsOf)
		for kind := range outs.byKind {
			outs.byKind[kind] = out
		}
	case "parquet":
		out.sink = newParquet(out.file, kind, outs.opts.formOf(kind))
	}
	outs.byKind[kind] = out
	return out, err
}

// start begins the only output, so that it exists even without records.
func (outs *outputs) start() error {
	if outs.several {
		return nil
	}
	_, err := outs.of(outs.kinds[0])
	return err
}

// finish completes all outputs and prints their names.
func (outs *outputs) finish() error {
	for _, out := range outs.all {
		if s, ok := out.sink.(*parquetSink); ok {
			if err := s.finish(); err != nil {
				return fmt.Errorf("ross: output: %s: %w: free space on the disk or choose another place", out.name, err)
			}
		}
		if err := out.file.Close(); err != nil {
			return err
		}
		if out.name != "" {
			fmt.Fprintf(outs.stdout, "%s: %d records\n", out.name, out.records)
		}
	}
	return nil
}

// abort removes incomplete outputs.
func (outs *outputs) abort() {
	for _, out := range outs.all {
		out.file.Abort()
	}
}

// batch is a number of records of one output.
type batch struct {
	sink     sink
	kinds    []instr.Kind
	cells    []uint64      // of successive records
	payloads []byte        // likewise
	ends     []int         // of the payload of each record in payloads
	text     []byte        // encoded, by sinks of text
	group    *parquetGroup // likewise, by those of Parquet
	err      error         // of encoding
	encoded  chan struct{}
}

// sink is an output. Several goroutines call encode, for different batches; one calls
// commit, in the order of the batches.
type sink interface {
	encode(*batch) error
	commit(*batch) error
	limits() (cells, payload int) // at which a batch is full
}

func (b *batch) add(r *instr.Record, withPayload bool) {
	b.kinds = append(b.kinds, r.Kind)
	b.cells = appendCells(b.cells, r)
	if withPayload {
		payload, _ := payloadOf(r)
		b.payloads = append(b.payloads, payload...)
		b.ends = append(b.ends, len(b.payloads))
	}
}

func (b *batch) full() bool {
	cells, payload := b.sink.limits()
	return len(b.cells) >= cells || len(b.payloads) >= payload
}

// largeBuffer is the most memory in bytes that a batch keeps after a record with a huge
// payload.
const largeBuffer = 4 << 20

func (b *batch) reset() {
	b.kinds, b.cells, b.ends, b.err = b.kinds[:0], b.cells[:0], b.ends[:0], nil
	b.group = nil
	if b.payloads = b.payloads[:0]; cap(b.payloads) > largeBuffer {
		b.payloads = nil
	}
	if b.text = b.text[:0]; cap(b.text) > largeBuffer {
		b.text = nil
	}
}

// pipeline is the goroutines between the reader and the outputs.
type pipeline struct {
	free   chan *batch // bounds the memory
	work   chan *batch
	order  chan *batch
	done   chan struct{}
	failed chan struct{} // closed at the first error
	err    error         // set before failed is closed
}

// errStopped stops the reader after an output failed; wait returns the error.
var errStopped = errors.New("stopped")

// maxEncoders bounds the memory on machines with many cores.
const maxEncoders = 8

// newPipeline starts the goroutines; sinks is the number of batches that the reader fills
// at a time.
func newPipeline(sinks int) *pipeline {
	encoders := min(runtime.GOMAXPROCS(0), maxEncoders)
	n := encoders + 1 + sinks
	p := &pipeline{
		free: make(chan *batch, n), work: make(chan *batch, n), order: make(chan *batch, n),
		done: make(chan struct{}), failed: make(chan struct{}),
	}
	for range n {
		p.free <- &batch{encoded: make(chan struct{}, 1)}
	}
	var running sync.WaitGroup
	for range encoders {
		running.Go(p.encode)
	}
	go func() {
		p.commit()
		running.Wait()
		close(p.done)
	}()
	return p
}

// take returns an empty batch for a sink.
func (p *pipeline) take(s sink) (*batch, error) {
	select {
	case <-p.failed:
		return nil, errStopped
	case b := <-p.free:
		b.sink = s
		return b, nil
	}
}

// give passes a batch to the encoders.
func (p *pipeline) give(b *batch) {
	p.order <- b
	p.work <- b
}

// wait ends the pipeline and returns the first error of encoding and writing.
func (p *pipeline) wait() error {
	close(p.work)
	close(p.order)
	<-p.done
	return p.err
}

func (p *pipeline) encode() {
	for b := range p.work {
		b.err = b.sink.encode(b)
		b.encoded <- struct{}{}
	}
}

func (p *pipeline) commit() {
	for b := range p.order {
		<-b.encoded
		if p.err == nil {
			if b.err == nil {
				b.err = b.sink.commit(b)
			}
			if b.err != nil {
				p.err = b.err
				close(p.failed)
			}
		}
		b.reset()
		p.free <- b
	}
}
