// This file owns Mailbox.

//go:build mpi && cgo && !purego

package mpi

import (
	"fmt"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// Mailbox is one thread's end of the channels to all mailboxes of all ranks. Only one goroutine at
// a time may use it.
type Mailbox struct {
	c       csrc.MPIMailbox
	w       *World
	err     error // of a Post, for the next Poll
	polling bool
	at      int // of the messages that a Poll hands over
}

// Mailbox makes mailbox i of each rank: all ranks call it, in the same order of i,
// each i once, 0 to 1023. Make all of them before the first Post. More than one
// needs thread level Serialized, if one goroutine uses them at a time, or Multiple.
func (w *World) Mailbox(i int) (*Mailbox, error) {
	switch {
	case w.closed.Load():
		return nil, ErrClosed
	case i < 0 || i >= csrc.MPIMailboxes:
		return nil, fmt.Errorf("ross: make mailbox %d: a rank has mailboxes 0 to %d: use fewer PEs in a rank", i,
			csrc.MPIMailboxes-1)
	case i < len(w.mailboxes) && w.mailboxes[i] != nil:
		return nil, fmt.Errorf("ross: make mailbox %d: it exists: make each once", i)
	}
	c, ok := csrc.NewMPIMailbox(w.c, i)
	if !ok {
		return nil, lacking()
	}
	m := &Mailbox{c: c, w: w}
	for len(w.mailboxes) <= i {
		w.mailboxes = append(w.mailboxes, nil)
	}
	w.mailboxes[i] = m
	return m, m.fault()
}

func (m *Mailbox) fault() error { return m.w.errorFrom(m.c.Fault()) }

// Room reports whether Post and PostBuffer would accept a message. If it is false, it stays so
// until a Poll, or until the receiver polls.
func (m *Mailbox) Room(toRank, toMailbox int) bool {
	return m.receiver(toRank, toMailbox) && m.c.Room(toRank, toMailbox) > 0
}

// Post sends a copy of the words, any number of them up to 2^30, to a mailbox of a rank, which may
// be this rank or this mailbox. It returns false if no buffer is free, or if too many messages wait
// for the receiver: the caller then keeps the message, and polls before it tries again. Messages
// from one mailbox to another arrive in the order in which they were posted. After a mistake or an
// error of MPI, which the next Poll returns, nothing more is sent.
func (m *Mailbox) Post(toRank, toMailbox int, words []uint64) bool {
	if !m.receiver(toRank, toMailbox) {
		return false
	}
	if len(words) > 1<<30 {
		m.fail(fmt.Errorf("ross: post %d words: a message has at most 2^30: use several", len(words)))
		return false
	}
	return m.c.Post(toRank, toMailbox, words) > 0
}

// receiver reports whether there is such a mailbox, and nothing has failed.
func (m *Mailbox) receiver(rank, mailbox int) bool {
	boxes := m.w.mailboxes
	if uint(rank) >= uint(m.w.Size()) || uint(mailbox) >= uint(len(boxes)) || boxes[mailbox] == nil {
		m.fail(fmt.Errorf("ross: post to mailbox %d of rank %d: it does not exist: make it first, on all ranks", mailbox,
			rank))
	}
	return m.err == nil && !m.c.Failed()
}

// fail keeps the first error.
func (m *Mailbox) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// Buffer returns the memory of the next message for PostBuffer: BufferWords words that the caller
// fills, outside the Go heap. It returns the same memory until PostBuffer has sent it, and nil if
// none is free: then poll and try again. Post uses another buffer.
func (m *Mailbox) Buffer() []uint64 {
	if m.err != nil || m.c.Failed() {
		return nil
	}
	if words := m.c.Buffer(); words != nil {
		return words[:]
	}
	return nil
}

// PostBuffer is Post of the first n words of Buffer, which are not copied. If it returns false, the
// buffer is unchanged and can be posted again, to any receiver. If it returns true, the memory
// belongs to MPI, and Buffer returns other memory.
func (m *Mailbox) PostBuffer(toRank, toMailbox, n int) bool {
	if !m.receiver(toRank, toMailbox) {
		return false
	}
	if uint(n) > BufferWords || !m.c.HasBuffer() {
		m.fail(fmt.Errorf("ross: post %d words of a buffer: it has %d, if there is one: fill what Buffer returns", n,
			BufferWords))
		return false
	}
	return m.c.PostBuffer(toRank, toMailbox, n) > 0
}

// Poll calls f for each message that has arrived, those of one sender in the order in which they
// were posted, and reports whether there was any. Words are valid until f returns; f may post, but
// not poll. Poll never waits. After an error every Poll returns it again.
func (m *Mailbox) Poll(f func(fromRank int, words []uint64)) (bool, error) {
	if invariants.Enabled {
		invariants.Check(!m.polling, "a mailbox is polled while it is polled")
		m.polling = true
		defer func() { m.polling = false }()
	}
	if m.err != nil || m.c.Failed() {
		return false, m.failure()
	}
	n := m.c.Poll()
	if n < 0 {
		return false, m.failure()
	}
	for m.at = range n {
		f(m.c.Arrival(m.at))
	}
	return n > 0, nil
}

// Sender returns the mailbox that posted the message that Poll is handing over. Only f may call it.
func (m *Mailbox) Sender() int { return m.c.Sender(m.at) }

func (m *Mailbox) failure() error {
	if m.err == nil {
		m.err = m.fault()
	}
	return m.err
}

// Sent and Received return how many messages were posted, and how many Poll has handed over. Summed
// over all mailboxes, they are equal if and only if no message is under way.
func (m *Mailbox) Sent() uint64     { return m.c.Sent() }
func (m *Mailbox) Received() uint64 { return m.c.Received() }

// Idle reports whether MPI has finished everything that was posted, so that its buffers are free.
// Nothing waits for a flush, because Post sends at once. Idle calls MPI; where messages are
// counted, Sent and Received say more. After Close it is true, after an error of MPI false.
func (m *Mailbox) Idle() bool { return m.w.closed.Load() || !m.c.Failed() && m.c.Idle() > 0 }

// Counts returns the counters of the mailbox.
func (m *Mailbox) Counts() Counts {
	return Counts{
		Sent: m.c.Sent(), Received: m.c.Received(),
		BytesSent: 8 * m.c.WordsSent(), BytesReceived: 8 * m.c.WordsReceived(),
		Calls: m.c.Calls(),
	}
}

var _ [BufferWords]byte = [csrc.MPIWords]byte{}
