// This file owns what the loop of a run has besides the rings: lanes, by which a mailbox sends what is too long for its
// rings, and the reduction of GVT.

package launch

import (
	"slices"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/transport"
	"github.com/ross-go/ross/internal/world"
)

const (
	laneWords = 2048 // of the channel of a lane: 16 KiB
	mostLong  = 4    // messages that wait in a lane
)

// lanes carries long messages between a mailbox and those of other ranks. It is a world.Carrier: it keeps what is posted,
// and sends it in parts as there is room, whenever it is asked.
type lanes struct {
	w      *World
	boxes  int // of a rank
	out    []outgoing
	in     []incoming
	left   int // lanes with something to send
	sender int
	counts mpi.Counts
}

// outgoing is a lane to a mailbox.
type outgoing struct {
	transport.StreamWriter
	waits [][]uint64 // messages, each after its length; of the first what is left
}

// incoming is a lane from a mailbox.
type incoming struct {
	transport.StreamReader
	came []uint64 // of the message that comes
	left int      // words of it
}

var _ world.Carrier = (*lanes)(nil)

// newLanes returns those of mailbox box of this rank.
func newLanes(w *World, box, boxes int, memory []uint64) *lanes {
	l := &lanes{w: w, boxes: boxes}
	own, n := w.s.rank*boxes+box, w.s.size*boxes
	for other := range n {
		l.out = append(l.out, outgoing{StreamWriter: transport.NewStreamWriter(channel(memory, own, other, n, laneWords))})
		l.in = append(l.in, incoming{StreamReader: transport.NewStreamReader(channel(memory, other, own, n, laneWords))})
	}
	return l
}

func (l *lanes) to(rank, box int) *outgoing {
	if l.w.closing.Load() || uint(rank) >= uint(l.w.s.size) || rank == l.w.s.rank || uint(box) >= uint(l.boxes) {
		return nil
	}
	return &l.out[rank*l.boxes+box]
}

func (l *lanes) Room(rank, box int) bool {
	o := l.to(rank, box)
	return o != nil && len(o.waits) < mostLong
}

func (l *lanes) Post(rank, box int, words []uint64) bool {
	o := l.to(rank, box)
	if o == nil || len(o.waits) >= mostLong {
		return false
	}
	if len(o.waits) == 0 {
		l.left++
	}
	o.waits = append(o.waits, append(append(make([]uint64, 0, len(words)+1), uint64(len(words))), words...))
	l.counts.Sent++
	l.counts.BytesSent += 8 * uint64(len(words)+1)
	l.push(o)
	return true
}

// push sends as much as there is room for.
func (l *lanes) push(o *outgoing) {
	for len(o.waits) > 0 {
		first := &o.waits[0]
		n := min(len(*first), o.Longest())
		if !o.StreamWriter.Room(n) {
			return
		}
		o.Put((*first)[:n])
		if *first = (*first)[n:]; len(*first) > 0 {
			continue
		}
		if o.waits = slices.Delete(o.waits, 0, 1); len(o.waits) == 0 {
			l.left--
		}
	}
}

// Idle sends what it can, and reports whether nothing is left to be sent.
func (l *lanes) Idle() bool {
	if l.w.closing.Load() {
		return true
	}
	for i := 0; l.left > 0 && i < len(l.out); i++ {
		l.push(&l.out[i])
	}
	return l.left == 0
}

// Poll calls f for each message that has come as a whole.
func (l *lanes) Poll(f func(rank int, words []uint64)) (came bool, err error) {
	if l.w.closing.Load() {
		return false, mpi.ErrClosed
	}
	if err := l.w.s.lost(); err != nil {
		return false, err
	}
	l.Idle()
	for i := range l.in {
		in := &l.in[i]
		if in.Look() {
			for l.take(in) {
				l.sender = i % l.boxes
				l.counts.Received++
				l.counts.BytesReceived += 8 * uint64(len(in.came)+1)
				came = true
				f(i/l.boxes, in.came)
				in.came = nil // the engine may post, and a long message is rare
			}
		}
	}
	return came, nil
}

// take reads parts of a message, and reports whether it is whole.
func (l *lanes) take(in *incoming) bool {
	for {
		words, _, ok := in.Next()
		if !ok {
			return false
		}
		if in.came == nil {
			in.left = int(words[0])
			in.came = make([]uint64, 0, in.left)
			words = words[1:]
		}
		in.came = append(in.came, words...)
		in.left -= len(words)
		if in.Take(); in.left == 0 {
			return true
		}
	}
}

// Sender returns the mailbox whose message Poll hands over.
func (l *lanes) Sender() int { return l.sender }

// Counts returns what has been sent by lanes.
func (l *lanes) Counts() mpi.Counts { return l.counts }

// sleeper is a mailbox whose owner can sleep. Who sends to it looks at its word after the message is there, and the owner
// looks for messages after it has set the word: so one of them sees the other.
type sleeper struct {
	world.Mailbox
	w     *World
	boxes int // of a rank
	own   int // its number among all
}

var _ world.Sleeper = (*sleeper)(nil)

func (m *sleeper) Post(rank, box int, words []uint64) bool {
	if !m.Mailbox.Post(rank, box, words) {
		return false
	}
	m.w.wake(rank*m.boxes + box)
	return true
}

// wake wakes the owner of a mailbox if it sleeps.
func (w *World) wake(box int) {
	if word := w.sleeps[box]; word.Load() != 0 && word.CompareAndSwap(1, 0) {
		w.s.mem.rouse(lowHalf(word))
	}
}

func (m *sleeper) Sleep(ready func() bool, most time.Duration) {
	if m.w.closing.Load() {
		return
	}
	word := m.w.sleeps[m.own]
	word.Store(1)
	if !world.Waits(m.Mailbox) && !ready() && m.w.s.lost() == nil {
		m.w.s.mem.sleep(lowHalf(word), 1, most)
	}
	word.Store(0)
}

// The reduction of GVT. Each rank has places for two operations, one after the other, of records, and as many of lists.
// It writes its part, then the number of the operation, and tests whether the numbers of all are there; then it combines
// all parts by itself, in the order of ranks. It can start an operation when it has tested the one before, so when all
// have started that, and nobody reads what was there two operations ago.
const (
	recordWords = 32 // the number, the record, and what fills cache lines
	listWords   = 2 + mpi.ListWords
)

// reduction is a world.Reduction.
type reduction struct {
	w              *World
	memory         []uint64
	records, lists uint64 // operations that were started
	seen           int    // ranks whose parts of the operation were there at the last test
	result         mpi.Record
	least          []uint64
}

var _ [152]byte = [unsafe.Sizeof(mpi.Record{})]byte{} // it fits

// Reduction makes a reduction.
func (w *World) Reduction() (world.Reduction, error) {
	parts, err := w.shared(w.s.size * 2 * (recordWords + listWords))
	if err != nil {
		return nil, err
	}
	return &reduction{w: w, memory: parts[0].words, least: make([]uint64, 0, 64)}, nil
}

// record returns the place of a rank's record, and list that of its list.
func (r *reduction) record(rank int) []uint64 {
	return r.memory[(2*rank+int(r.records&1))*recordWords:][:recordWords]
}

func (r *reduction) list(rank int) []uint64 {
	return r.memory[2*r.w.s.size*recordWords+(2*rank+int(r.lists&1))*listWords:][:listWords]
}

func (r *reduction) recordOf(rank int) *mpi.Record {
	return (*mpi.Record)(unsafe.Pointer(&r.record(rank)[1]))
}

// start returns an error if nothing can be started.
func (r *reduction) start() error {
	if r.seen = 0; r.w.closing.Load() {
		return mpi.ErrClosed
	}
	return r.w.s.lost()
}

// Start gives the record of this rank.
func (r *reduction) Start(rec *mpi.Record) error {
	if err := r.start(); err != nil {
		return err
	}
	r.records++
	own := r.recordOf(r.w.s.rank)
	*own = *rec
	own.Rank = uint64(r.w.s.rank)
	transport.AtomicWord(r.record(r.w.s.rank), 0).Store(r.records)
	r.started(r.records, r.record)
	return nil
}

// started wakes the first PEs of the others if all have given their parts now: each looks after it has given its own, so
// the last one finds them all.
func (r *reduction) started(number uint64, place func(rank int) []uint64) {
	size := r.w.s.size
	if done, err := r.test(number, place); !done || err != nil || r.w.sleeps == nil {
		return
	}
	for rank := range size {
		if rank != r.w.s.rank {
			r.w.wake(rank * len(r.w.sleeps) / size)
		}
	}
}

// Test returns the records of all ranks made one, when all have given theirs.
func (r *reduction) Test() (*mpi.Record, bool, error) {
	if done, err := r.test(r.records, r.record); !done {
		return &r.result, false, err
	}
	r.result = *r.recordOf(0)
	for rank := 1; rank < r.w.s.size; rank++ {
		more := r.recordOf(rank)
		r.result.Balance += more.Balance
		r.result.Flags |= more.Flags
		for i := range more.Counters {
			r.result.Counters[i] += more.Counters[i]
		}
		if slices.Compare(more.Key[:], r.result.Key[:]) < 0 {
			r.result.Key, r.result.Rank = more.Key, more.Rank
		}
	}
	return &r.result, true, nil
}

// test reports whether all ranks have given their parts of an operation.
func (r *reduction) test(number uint64, place func(rank int) []uint64) (bool, error) {
	if r.w.closing.Load() {
		return false, mpi.ErrClosed
	}
	for ; r.seen < r.w.s.size; r.seen++ {
		if transport.AtomicWord(place(r.seen), 0).Load() != number {
			return false, r.w.s.lost()
		}
	}
	return true, nil
}

// StartWords gives the list of this rank. All give as many words.
func (r *reduction) StartWords(words []uint64) error {
	if err := r.start(); err != nil {
		return err
	}
	r.lists++
	own := r.list(r.w.s.rank)
	own[1] = uint64(len(words))
	copy(own[2:], words)
	transport.AtomicWord(own, 0).Store(r.lists)
	r.started(r.lists, r.list)
	return nil
}

// TestWords returns the least list, when all ranks have given theirs.
func (r *reduction) TestWords() ([]uint64, bool, error) {
	if done, err := r.test(r.lists, r.list); !done {
		return nil, false, err
	}
	of := func(rank int) []uint64 { return r.list(rank)[2:][:r.list(rank)[1]] }
	least := of(0)
	for rank := 1; rank < r.w.s.size; rank++ {
		if list := of(rank); slices.Compare(list, least) < 0 {
			least = list
		}
	}
	r.least = append(r.least[:0], least...)
	return r.least, true, nil
}

// Calls returns 0: there are no calls of MPI.
func (r *reduction) Calls() uint64 { return 0 }
