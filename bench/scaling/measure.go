// This file owns the measurements, which all ranks make together.

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

const (
	stretches = 20                   // of each measurement
	stretch   = 4 * time.Millisecond // of each, about
	workTime  = 10 * time.Microsecond
)

// sizes are the bytes of messages: one event of PHOLD, some, and up to 64 KiB.
var sizes = []int{64, 152, 512, 2048, 4096, 16384, 65536}

// bench is a rank's part.
type bench struct {
	*mpi.World
	box    *mpi.Mailbox
	red    *mpi.Reduction
	yields bool // there are more ranks than processors
	rng    *rand.Rand
	words  []uint64
	err    error // the first
}

// figure is a line of a run.
type figure struct {
	np            int
	what          string
	bytes         int
	least, median float64 // nanoseconds
}

// measure measures everything, and rank 0 writes it.
func measure(out io.Writer) error {
	w, err := mpi.Start(mpi.Options{})
	if err != nil {
		return err
	}
	b, err := newBench(w)
	if err == nil {
		err = b.all(out)
	}
	if err != nil {
		_ = w.Abort(1)
		return err
	}
	return w.Close()
}

func newBench(w *mpi.World) (b *bench, err error) {
	b = &bench{World: w, rng: rand.New(rand.NewPCG(1, uint64(w.Rank())))}
	if b.box, err = w.Mailbox(0); err != nil {
		return nil, err
	}
	if b.red, err = w.Reduction(); err != nil {
		return nil, err
	}
	_, onNode, err := w.NodeRanks()
	b.yields = onNode > runtime.NumCPU()
	return b, err
}

// all makes the measurements one after the other.
func (b *bench) all(out io.Writer) error {
	for _, m := range []struct {
		what string
		body func(n int)
	}{
		{"wait", b.wait}, {"test", b.test}, {"busy", b.busy}, {"barrier", b.barrier}, {"hop", b.ring},
	} {
		b.take(out, m.what, 0, m.body)
	}
	if b.Size() == 1 {
		return b.err
	}
	for _, size := range sizes {
		b.words = make([]uint64, size/8)
		b.take(out, "latency", size, b.pingPong)
		b.take(out, "stream", size, b.stream)
	}
	return b.err
}

// take determines how often to repeat body in a stretch, and times stretches. Rank 0
// decides for all ranks.
func (b *bench) take(out io.Writer, what string, bytes int, body func(n int)) {
	n := int64(1)
	for b.err == nil {
		d := b.time(body, int(n))
		next := []int64{n}
		if d < stretch/2 && b.Rank() == 0 {
			next[0] = max(n+1, min(8*n, int64(float64(n)*float64(stretch)/float64(max(d, 1)))))
		}
		if b.err = b.AllReduceInt64(mpi.Max, next); b.err != nil || next[0] == n {
			break
		}
		n = next[0]
	}
	var all []float64
	for range stretches {
		all = append(all, float64(b.time(body, int(n)))/float64(n))
	}
	if b.err == nil && b.Rank() == 0 {
		slices.Sort(all)
		fmt.Fprintf(out, "%d %s %d %.0f %.0f\n", b.Size(), what, bytes, all[0], all[len(all)/2])
	}
}

func (b *bench) time(body func(n int), n int) time.Duration {
	b.check(b.Barrier())
	from := time.Now()
	if b.err == nil {
		body(n)
	}
	return time.Since(from)
}

func (b *bench) check(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *bench) relax() {
	if b.yields {
		yield()
	}
}

func (b *bench) wait(n int) {
	for ; n > 0 && b.err == nil; n-- {
		b.check(b.red.Start(&mpi.Record{Balance: 1}))
		_, err := b.red.Wait()
		b.check(err)
	}
}

func (b *bench) test(n int) { b.reduce(n, b.relax) }

// busy works for a random time around workTime between two tests, and never yields.
func (b *bench) busy(n int) {
	b.reduce(n, func() {
		for until := time.Now().Add(workTime/2 + time.Duration(b.rng.Int64N(int64(workTime)))); time.Now().Before(until); {
		}
	})
}

func (b *bench) reduce(n int, between func()) {
	for ; n > 0 && b.err == nil; n-- {
		b.check(b.red.Start(&mpi.Record{Balance: 1}))
		for done := false; !done && b.err == nil; {
			var err error
			if _, done, err = b.red.Test(); !done {
				between()
			}
			b.check(err)
		}
	}
}

func (b *bench) barrier(n int) {
	for ; n > 0 && b.err == nil; n-- {
		b.check(b.Barrier())
	}
}

// receive polls until n more messages have arrived.
func (b *bench) receive(n int) {
	for want := b.box.Received() + uint64(n); b.box.Received() < want && b.err == nil; {
		b.poll()
	}
}

func (b *bench) poll() {
	any, err := b.box.Poll(func(int, []uint64) {})
	b.check(err)
	if !any {
		b.relax()
	}
}

func (b *bench) send(to int) {
	for !b.box.Post(to, 0, b.words) && b.err == nil {
		b.poll()
	}
}

// ring hands a token on n times in all, after rank 0 has started it.
func (b *bench) ring(n int) {
	b.words = make([]uint64, 8)
	rounds := max(n/b.Size(), 1)
	for range rounds {
		if b.Rank() != 0 {
			b.receive(1)
		}
		b.send((b.Rank() + 1) % b.Size())
		if b.Rank() == 0 {
			b.receive(1)
		}
	}
}

// pingPong sends n messages between ranks 0 and 1, half of them each way. The others
// wait in the next barrier.
func (b *bench) pingPong(n int) {
	for range (n + 1) / 2 {
		switch b.Rank() {
		case 0:
			b.send(1)
			b.receive(1)
		case 1:
			b.receive(1)
			b.send(0)
		}
	}
}

// stream sends n messages from rank 0 to rank 1, and one word back.
func (b *bench) stream(n int) {
	switch b.Rank() {
	case 0:
		for range n {
			b.send(1)
		}
		b.receive(1)
	case 1:
		b.receive(n)
		b.send(0)
	}
}
