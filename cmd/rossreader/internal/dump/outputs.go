// This file owns the outputs of a dump: their number, names and completion; and the goroutines: one reads
// records into batches, each batch is encoded by one of its own, and one writes them in the order of reading.

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
		return nil, cli.Usagef("--kind=%s: %s holds no such records, only those of %s", &o.kinds, in.Name,
			cli.ContentName(content))
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
		out.sink, err = newCSV(out.file, kind, outs.opts.further(kind))
	case "jsonl":
		out.sink = newJSON(out.file, outs.opts)
		for kind := range outs.byKind {
			outs.byKind[kind] = out
		}
	case "parquet":
		out.sink = newParquet(out.file, kind, outs.opts.further(kind))
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
	encoded  chan error    // of encoding
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
		b.payloads = append(b.payloads, cli.PayloadOf(r)...)
		b.ends = append(b.ends, len(b.payloads))
	}
}

// payload returns the payload of a record, nil if payloads are not written.
func (b *batch) payload(i int) []byte {
	switch {
	case len(b.ends) == 0:
		return nil
	case i == 0:
		return b.payloads[:b.ends[0]]
	}
	return b.payloads[b.ends[i-1]:b.ends[i]]
}

// row returns a record of a batch whose records have width cells each.
func (b *batch) row(i, width int) row {
	return row{cells: b.cells[i*width : (i+1)*width], payload: b.payload(i)}
}

func (b *batch) full() bool {
	cells, payload := b.sink.limits()
	return len(b.cells) >= cells || len(b.payloads) >= payload
}

// largeBuffer is the most memory in bytes that a batch keeps after a record with a huge
// payload.
const largeBuffer = 4 << 20

func (b *batch) reset() {
	b.kinds, b.cells, b.ends, b.group = b.kinds[:0], b.cells[:0], b.ends[:0], nil
	if b.payloads = b.payloads[:0]; cap(b.payloads) > largeBuffer {
		b.payloads = nil
	}
	if b.text = b.text[:0]; cap(b.text) > largeBuffer {
		b.text = nil
	}
}

// pipeline encodes batches at the same time, and commits them in their order.
type pipeline struct {
	order  chan *batch // bounds the memory
	free   sync.Pool
	failed chan struct{} // closed at the first error
	done   chan struct{}
	err    error // set before failed is closed
}

// errStopped stops the reader after an output failed; wait returns the error.
var errStopped = errors.New("stopped")

// maxEncoders bounds the memory on machines with many cores.
const maxEncoders = 8

func newPipeline() *pipeline {
	p := &pipeline{order: make(chan *batch, min(runtime.GOMAXPROCS(0), maxEncoders)),
		failed: make(chan struct{}), done: make(chan struct{})}
	p.free.New = func() any { return &batch{encoded: make(chan error, 1)} }
	go p.commit()
	return p
}

// take returns an empty batch for a sink.
func (p *pipeline) take(s sink) (*batch, error) {
	select {
	case <-p.failed:
		return nil, errStopped
	default:
		b := p.free.Get().(*batch)
		b.sink = s
		return b, nil
	}
}

// give has a batch encoded, and then committed.
func (p *pipeline) give(b *batch) {
	p.order <- b
	go func() { b.encoded <- b.sink.encode(b) }()
}

// wait ends the pipeline and returns the first error of encoding and writing.
func (p *pipeline) wait() error {
	close(p.order)
	<-p.done
	return p.err
}

func (p *pipeline) commit() {
	defer close(p.done)
	for b := range p.order {
		err := <-b.encoded
		if p.err == nil {
			if err == nil {
				err = b.sink.commit(b)
			}
			if err != nil {
				p.err = err
				close(p.failed)
			}
		}
		b.reset()
		p.free.Put(b)
	}
}
