// This file owns what the loop of a run has besides the rings: lanes, by which a mailbox sends what is too long for its
// rings, and the memory for the reduction of GVT.

package launch

import (
	"slices"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/ranks/world"
)

const (
	laneWords = 2048 // of the channel of a lane: 16 KiB
	mostLong  = 4    // messages that wait in a lane
)

// lanes carries long messages between a mailbox and those of other ranks. It is a world.Carrier: it keeps what is
// posted, and sends it in parts as there is room, whenever it is asked.
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

// Reduction makes a reduction in memory.
func (w *World) Reduction() (world.Reduction, error) {
	size := w.s.size
	parts, err := w.shared(size*world.RecordWords, size*world.ListWords)
	if err != nil {
		return nil, err
	}
	r := world.Reducing{Own: w.s.rank, Wake: func() { w.wake(false) }, Lost: w.s.lost, Closed: func() error {
		if w.closing.Load() {
			return mpi.ErrClosed
		}
		return nil
	}}
	for rank := range size {
		r.Records = append(r.Records, parts[0].words[rank*world.RecordWords:][:world.RecordWords])
		r.Lists = append(r.Lists, parts[1].words[rank*world.ListWords:][:world.ListWords])
	}
	return r.Reduction(), nil
}

// wake wakes the owners of the first mailboxes of all ranks, or of all mailboxes.
func (w *World) wake(all bool) {
	if wakes := w.wakes.Load(); wakes == nil {
		return
	} else if all {
		wakes.all()
	} else {
		wakes.firsts()
	}
}

// rouseAll wakes the owners of all mailboxes, since a rank is lost.
func (w *World) rouseAll() {
	w.lock.Lock() // Close waits, and frees the memory
	defer w.lock.Unlock()
	w.wake(true)
}

// wakes are functions that wake owners of mailboxes.
type wakes struct{ firsts, all func() }
