// This file owns the pipeline of goroutines: one reads records into batches, several
// encode batches at the same time, and one writes them in the order of reading.

package dump

import (
	"errors"
	"runtime"
	"sync"

	"github.com/ross-go/ross/instr"
)

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

// errStopped tells the reader that an output failed; wait returns the error.
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
