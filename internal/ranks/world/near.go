// This file owns the mailbox that sends through rings if possible, and otherwise by MPI, and in which its owner can
// sleep.

package world

import (
	"errors"
	"math/bits"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Carrier is a mailbox without rings: *mpi.Mailbox.
type Carrier interface {
	Room(toRank, toMailbox int) bool
	Post(toRank, toMailbox int, words []uint64) bool
	Poll(f func(fromRank int, words []uint64)) (bool, error)
	Sender() int // while f runs: mailbox that posted its message
	Idle() bool  // everything posted is finished
	Counts() mpi.Counts
}

// errNoNote cannot occur: doc.go explains the order of note and message.
var errNoNote = errors.New(
	"ross: receive: a long message has arrived that was not announced: set ROSS_NEAR=0 in the environment of all ranks")

// near is a Mailbox.
type near struct {
	_     [lineWords]uint64
	far   Carrier
	boxes int        // mailboxes of a rank
	rings *Rings     // of this machine; nil without rings
	in    []inbox    // by index of the sender, and mailbox
	news  []newsFlag // for 64 of them each; none if they are few
	out   []outbox   // by index of the receiver, and mailbox
	sleep *sleepWord // where its owner sleeps
	first bool       // of its rank: its owner makes the reduction
	all   bool       // all other ranks are on this machine, and there was no error

	waits   int    // rings that are read up to a note
	sends   bool   // the carrier may have unfinished messages
	posts   uint64 // to the carrier
	polling bool
	take    func(int, []uint64) // the function for Poll to call
	arrived func(int, []uint64) // arrive
	err     error

	sent, came, wordsOut, wordsIn uint64 // by rings
	_                             [lineWords]uint64
}

// inbox is a ring that ends here.
type inbox struct {
	transport.StreamReader
	rank  int
	waits bool // it is read up to a note
	_     [lineWords*8 - 16]byte
}

// outbox is a ring that begins here.
type outbox struct {
	transport.StreamWriter
	newsFlag
	sleep *sleepWord // of the reader
	roomy uint64     // posts to the carrier, plus one, when it was last known to have room
	_     [lineWords*8 - 32]byte
}

// newsFlag lets a reader know that there may be something in a ring.
type newsFlag struct {
	word *atomic.Uint64
	bit  uint64
}

// raise is called after the store of a tail; doc.go says why nothing is lost.
func (f newsFlag) raise() {
	if f.word != nil && f.word.Load()&f.bit == 0 {
		f.word.Or(f.bit)
	}
}

// Connect makes the mailboxes of this rank, one of size, after Prepare in all ranks of the machine.
// Segments are those of its ranks, in their order. If all are nil, there are no rings.
func (r *Rings) Connect(size int, carriers []Carrier, segments [][]uint64) []Mailbox {
	all := make([]Mailbox, len(carriers))
	for i, c := range carriers {
		m := &near{far: c, rings: r, first: i == 0, all: r != nil && len(r.Ranks) == size}
		if m.arrived = m.arrive; r != nil {
			m.boxes = r.Mailboxes
			r.connect(m, i, segments)
		}
		all[i] = m
	}
	return all
}

// connect gives mailbox i its rings.
func (r *Rings) connect(m *near, i int, segments [][]uint64) {
	m.sleep = r.sleep(segments[r.Own], i)
	for at, rank := range r.Ranks {
		if at == r.Own {
			continue
		}
		for box := range r.Mailboxes {
			k := place(at, r.Own)*r.Mailboxes + box
			m.in = append(m.in, inbox{StreamReader: transport.NewStreamReader(r.ring(segments[r.Own], i, k)), rank: rank})
			if f := r.news(segments[r.Own], i, k); f.bit == 1 {
				m.news = append(m.news, f)
			}
			k = place(r.Own, at)*r.Mailboxes + i
			m.out = append(m.out, outbox{StreamWriter: transport.NewStreamWriter(r.ring(segments[at], box, k)),
				newsFlag: r.news(segments[at], box, k), sleep: r.sleep(segments[at], box)})
		}
	}
}

// Detach removes the rings of a mailbox that Connect has made, before their memory is freed.
func Detach(box Mailbox) {
	m := box.(*near)
	m.in, m.news, m.out, m.rings, m.sleep, m.all = nil, nil, nil, nil, nil, false
}

// outbox returns the ring to a mailbox, nil without a ring. The carrier reports mailboxes that do
// not exist.
func (m *near) outbox(rank, box int) *outbox {
	if uint(box) < uint(m.boxes) {
		if at := m.rings.find(rank); at >= 0 {
			return &m.out[at*m.boxes+box]
		}
	}
	m.all = false
	return nil
}

func (m *near) Room(rank, box int) bool {
	o := m.outbox(rank, box)
	if o == nil {
		return m.far.Room(rank, box)
	}
	return m.roomy(o, rank, box)
}

// roomy reports whether there is room in a ring for most messages, a quarter of it, and in the
// carrier for the others. Only posts of this mailbox reduce the room in the carrier.
func (m *near) roomy(o *outbox, rank, box int) bool {
	if !o.Room((o.Longest() + 1) / 2) {
		o.sleep.wake(asleep)
		return false
	}
	if o.roomy != m.posts+1 {
		if !m.far.Room(rank, box) {
			m.sends = true // until a Poll finds it idle, or gets an error
			return false
		}
		o.roomy = m.posts + 1
	}
	return true
}

func (m *near) Post(rank, box int, words []uint64) bool {
	o := m.outbox(rank, box)
	if o == nil {
		return m.far.Post(rank, box, words)
	}
	if o.StreamWriter.Room(len(words)) {
		o.Put(words)
		o.raise()
		o.sleep.wake(asleepForNews)
		m.sent++
		m.wordsOut += uint64(len(words)) + 1
		return true
	}
	return m.roomy(o, rank, box) && m.postLong(o, rank, box, words)
}

// postLong puts a note into the ring, and makes the carrier send the message. If that fails, the
// run cannot continue: the next Poll says why.
func (m *near) postLong(o *outbox, rank, box int, words []uint64) bool {
	o.Note()
	o.raise()
	o.sleep.wake(asleep)
	m.posts++
	m.sends = true
	if !m.far.Post(rank, box, words) {
		m.all = false
		return false
	}
	return true
}

func (m *near) PollNear(f func(rank int, words []uint64)) (came bool) {
	if invariants.Enabled {
		invariants.Check(!m.polling, "a mailbox is polled while it is polled")
		m.polling = true
		defer func() { m.polling = false }()
	}
	if len(m.news) == 0 {
		for i := range m.in {
			if in := &m.in[i]; in.Look() && m.read(in, f) {
				came = true
			}
		}
		return came
	}
	for i, flag := range m.news {
		if flag.word.Load() == 0 {
			continue
		}
		for left := flag.word.Swap(0); left != 0; left &= left - 1 {
			if in := &m.in[64*i+bits.TrailingZeros64(left)]; in.Look() && m.read(in, f) {
				came = true
			}
		}
	}
	return came
}

// has reports whether there is something in the rings that can be received.
func (m *near) has() bool {
	if len(m.news) > 0 {
		for _, f := range m.news {
			if f.word.Load() != 0 {
				return true
			}
		}
		return false
	}
	for i := range m.in {
		if in := &m.in[i]; in.Look() && !in.waits {
			return true
		}
	}
	return false
}

// read hands over what the last Look saw, up to a note.
func (m *near) read(in *inbox, f func(rank int, words []uint64)) (came bool) {
	for {
		words, note, ok := in.Next()
		switch {
		case !ok:
			return came
		case note:
			if !in.waits {
				in.waits = true
				m.waits++
			}
			return came
		}
		m.came++
		m.wordsIn += uint64(len(words)) + 1
		f(in.rank, words)
		in.Take()
		came = true
	}
}

func (m *near) Poll(f func(rank int, words []uint64)) (bool, error) {
	if m.err != nil {
		return false, m.err
	}
	came := m.PollNear(f)
	if m.sends && m.far.Idle() {
		m.sends = false
	}
	if m.all && m.waits == 0 && !m.sends {
		return came, nil
	}
	m.take = f
	more, err := m.far.Poll(m.arrived)
	m.take = nil
	if err == nil {
		err = m.err
	}
	return came || more, err
}

// arrive receives a message from the carrier, in its order among the messages of the ring.
func (m *near) arrive(rank int, words []uint64) {
	at := m.rings.find(rank)
	if at < 0 {
		m.take(rank, words)
		return
	}
	in := &m.in[at*m.boxes+m.far.Sender()]
	in.Look()
	if m.read(in, m.take); !in.waits {
		m.err = errNoNote
		return
	}
	in.waits = false
	m.waits--
	in.Take()
	m.take(rank, words)
	m.read(in, m.take)
}

func (m *near) Near() bool { return m.all }

// Counts adds what was sent through rings; as with MPI, bytes include our word in each message.
func (m *near) Counts() mpi.Counts {
	n := m.far.Counts()
	n.Near = m.sent
	n.Sent += m.sent
	n.Received += m.came
	n.BytesSent += 8 * m.wordsOut
	n.BytesReceived += 8 * m.wordsIn
	return n
}

// sleepWord is a word in the segment of a mailbox. Its owner writes into it that it is about to sleep, and then looks
// for what it would miss. A sender looks at the word after its message is there. So one of the two sees the other.
type sleepWord struct{ atomic.Uint32 }

// What is in a sleepWord, so that less can wake the owner the more it is.
const (
	awake         = iota
	asleepForNews // messages wake it, too
	asleep        // only what wakes it in any case
)

// wake wakes the owner of a mailbox unless it sleeps deeper. It is a load if the owner is awake.
func (w *sleepWord) wake(deepest uint32) {
	if how := w.Load(); how != awake && how <= deepest && w.CompareAndSwap(how, awake) {
		mem.Rouse(w.word())
	}
}

func (w *sleepWord) word() *uint32 { return (*uint32)(unsafe.Pointer(w)) }

// nap is how long the owner of a mailbox sleeps if it has to look for something by itself.
const nap = 256 * time.Microsecond

func (m *near) Sleep(ready func() bool, news bool, most time.Duration) bool {
	if m.sleep == nil || !m.all || !m.rings.Tells {
		return false
	}
	if most > nap || most < 0 {
		if m.sends || m.waits > 0 || m.first && m.rings.widens != nil && *m.rings.widens { // the carrier has to be asked
			most = nap
		}
	}
	how := uint32(asleep)
	if news {
		how = asleepForNews
	}
	m.sleep.Store(how)
	if (!news || !m.has()) && !ready() && (m.rings.Lost == nil || !m.rings.Lost()) {
		for again := true; again; again = most < 0 && m.sleep.Load() == how {
			mem.SleepOn(m.sleep.word(), how, most)
		}
	}
	m.sleep.Store(awake)
	return true
}

func (m *near) Wake() {
	if m.sleep != nil {
		m.sleep.wake(asleep)
	}
}
