//go:build mpi && cgo && !purego

// This file pins mailboxes under random traffic, and memory that ranks share.

package mpi_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

// Random traffic between all mailboxes of all ranks: order, content, loss, pace.

const (
	boxes    = 3   // of a rank
	perPair  = 150 // messages from one mailbox to another
	maxWords = 12 << 10
	seed     = 20260801
)

// peer is one mailbox of the test: it sends perPair messages to each of all, in random order, and
// checks what it gets.
type peer struct {
	box        *mpi.Mailbox
	rank, self int
	rng        *rand.Rand
	left       []int    // messages still to be sent, by receiver
	receivers  []int    // those with any
	next       []uint64 // number of the next message, by sender
	toCome     int
	words      []uint64
	bad        string
}

func newPeer(w *mpi.World, m *mpi.Mailbox, self int) *peer {
	n := w.Size() * boxes
	p := &peer{box: m, rank: w.Rank(), self: self, left: make([]int, n), next: make([]uint64, n),
		toCome: n * perPair, words: make([]uint64, maxWords), rng: rand.New(rand.NewPCG(seed, uint64(w.Rank()*boxes+self)))}
	for to := range p.left {
		p.left[to] = perPair
		p.receivers = append(p.receivers, to)
	}
	return p
}

// length is that of a message: mostly short, some of several buffers, and those
// about as long as a buffer.
func length(r *rand.Rand) int {
	switch r.IntN(16) {
	case 0:
		return 4 + r.IntN(maxWords-4)
	case 1:
		return 2046 + r.IntN(5)
	}
	return 4 + r.IntN(64)
}

// send posts a message to a random receiver; what finds no room is forgotten, and
// made again later. The first words say from whom to whom, which one, and what
// the others are.
func (p *peer) send() {
	if len(p.receivers) == 0 {
		return
	}
	i := p.rng.IntN(len(p.receivers))
	to := p.receivers[i]
	n := length(p.rng)
	words, post := p.words[:n], p.box.Post
	if buffer := p.box.Buffer(); n <= len(buffer) && p.rng.IntN(2) == 0 {
		words, post = buffer[:n], func(rank, box int, words []uint64) bool { return p.box.PostBuffer(rank, box, n) }
	}
	words[0] = uint64(p.rank*boxes+p.self)<<32 | uint64(to)
	words[1] = uint64(perPair - p.left[to])
	words[2] = uint64(len(words))
	words[3] = p.rng.Uint64()
	for k := 4; k < len(words); k++ {
		words[k] = words[k-1]*6364136223846793005 + 1442695040888963407
	}
	if !post(to/boxes, to%boxes, words) {
		return
	}
	if p.left[to]--; p.left[to] == 0 {
		p.receivers = append(p.receivers[:i], p.receivers[i+1:]...)
	}
}

func (p *peer) receive(from int, words []uint64) {
	sender, to := int(words[0]>>32), int(words[0]&0xffffffff)
	switch {
	case sender/boxes != from || to != p.rank*boxes+p.self:
		p.bad = "a message is not for this mailbox, or not from where it says"
	case words[1] != p.next[sender]:
		p.bad = "a message is out of order, lost or doubled"
	case words[2] != uint64(len(words)):
		p.bad = "a message has another length"
	}
	for k := 4; k < len(words); k++ {
		if words[k] != words[k-1]*6364136223846793005+1442695040888963407 {
			p.bad = "a message has other words"
		}
	}
	p.next[sender]++
	p.toCome--
}

// step sends and polls once, and reports whether there is more to do.
func (p *peer) step(t *testing.T) bool {
	for range p.rng.IntN(8) {
		p.send()
	}
	got, err := p.box.Poll(p.receive)
	if !assert.NoError(t, err) || !assert.Empty(t, p.bad) {
		return false
	}
	if !got {
		pause()
	}
	return p.toCome > 0 || len(p.receivers) > 0 || !p.box.Idle()
}

func (p *peer) check(t *testing.T) {
	counts := p.box.Counts()
	n := uint64(len(p.next) * perPair)
	require.Equal(t, n, counts.Sent)
	require.Equal(t, n, counts.Received)
	require.Equal(t, n, p.box.Sent())
	require.Equal(t, n, p.box.Received())
	require.GreaterOrEqual(t, counts.BytesReceived, n*5*8)
	require.Greater(t, counts.Calls, n)
}

func TestMessagesArriveWholeInOrderOneThread(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		t.Logf("seed %d", seed)
		var peers []*peer
		for i, m := range mailboxes(t, w, boxes) {
			peers = append(peers, newPeer(w, m, i))
		}
		for more := true; more && !t.Failed(); {
			more = false
			for _, p := range peers {
				more = p.step(t) || more
			}
		}
		for _, p := range peers {
			p.check(t)
		}
	})
}

// Each mailbox has a thread; those of two also take part in reductions all the
// time.
func TestMessagesArriveWholeInOrderManyThreads(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{Threads: mpi.Multiple}, func(t *testing.T, w *mpi.World) {
		t.Logf("seed %d", seed)
		var all sync.WaitGroup
		boxes := mailboxes(t, w, boxes)
		reductions := make([]*mpi.Reduction, 2)
		for i := range reductions {
			var err error
			reductions[i], err = w.Reduction()
			require.NoError(t, err)
		}
		for i, m := range boxes {
			p := newPeer(w, m, i)
			all.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				reduced := i >= len(reductions)
				rounds := newRounds(w, reductions[i%len(reductions)])
				for more := true; (more || !reduced) && !t.Failed(); {
					more = p.step(t)
					if !reduced {
						reduced = rounds.step(t)
					}
				}
				if !t.Failed() {
					p.check(t)
				}
			})
		}
		all.Wait()
	})
}

// A receiver that does not look holds its senders up, and gets everything later.
func TestAReceiverThatDoesNotPollHoldsSendersUp(t *testing.T) {
	onRanks(t, []int{1, 2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 2)
		to := w.Size() - 1
		posted := uint64(0)
		if w.Rank() == 0 {
			for tries := 0; tries < 100000; tries++ {
				room := m[0].Room(to, 1)
				require.True(t, m[0].Post(to, 1, []uint64{posted}) || !room)
				posted = m[0].Sent()
				_, err := m[0].Poll(func(int, []uint64) { t.Error("nothing was sent here") })
				require.NoError(t, err)
				require.Less(t, posted, uint64(120), "messages pile up")
			}
			require.False(t, m[0].Room(to, 1))
			require.False(t, m[0].Post(to, 1, nil))
			require.True(t, m[0].Room(0, 0), "others are not held up")
			require.False(t, m[0].Idle())
		}
		require.NoError(t, w.Barrier())
		counts := []int64{int64(posted)}
		require.NoError(t, w.AllReduceInt64(mpi.Max, counts))
		for w.Rank() == to && m[1].Received() < uint64(counts[0]) {
			next := m[1].Received()
			_, err := m[1].Poll(func(from int, words []uint64) {
				next = words[0]
				require.Equal(t, 0, from)
			})
			require.NoError(t, err)
			require.LessOrEqual(t, next, uint64(counts[0]))
		}
		require.NoError(t, w.Barrier())
		for w.Rank() == 0 && !m[0].Idle() {
			_, err := m[0].Poll(nil)
			require.NoError(t, err)
		}
	})
}

// Of a message the sender makes one call and some, the receiver one and some
// besides that of each Poll.
func TestAMessageCostsFewCalls(t *testing.T) {
	onRanks(t, []int{1}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		before := m.Counts().Calls
		require.Greater(t, before, uint64(32), "those that made it")
		const n = 1000
		polls := uint64(0)
		for i := range uint64(n) {
			m.Buffer()[0] = i
			require.True(t, m.PostBuffer(0, 0, 1))
			for m.Received() <= i {
				_, err := m.Poll(func(_ int, words []uint64) { require.Equal(t, i, words[0]) })
				require.NoError(t, err)
				polls++
			}
		}
		made := m.Counts().Calls - before - polls
		require.GreaterOrEqual(t, made, uint64(2*n+n/8))
		require.Less(t, made, uint64(2*n+n/5))
		for !m.Idle() {
			_, err := m.Poll(nil)
			require.NoError(t, err)
		}
		last := m.Counts().Calls
		require.NoError(t, w.Close())
		require.Greater(t, m.Counts().Calls, last+2*32, "those that freed it")
		require.True(t, m.Idle())
		require.Nil(t, m.Buffer())
	})
}

// A buffer keeps what it was filled with until a receiver has room for it.
func TestABufferStaysFilledUntilItIsPosted(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		posted := []int64{0}
		if w.Rank() == 0 {
			for m.Buffer()[0] = 0; m.PostBuffer(1, 0, 1); m.Buffer()[0] = uint64(posted[0]) {
				posted[0]++
			}
			require.LessOrEqual(t, posted[0], int64(64), "half in the ring, half outside")
			require.True(t, m.Post(0, 0, []uint64{uint64(posted[0])}), "takes another buffer")
			require.Len(t, m.Buffer(), mpi.BufferWords)
			require.Equal(t, uint64(posted[0]), m.Buffer()[0])
			require.True(t, m.PostBuffer(0, 0, 1), "to another receiver")
			for m.Received() < 2 {
				_, err := m.Poll(func(_ int, words []uint64) { require.Equal(t, uint64(posted[0]), words[0]) })
				require.NoError(t, err)
			}
		}
		last := slices.Clone(posted)
		require.NoError(t, w.AllReduceInt64(mpi.Max, last))
		for ; w.Rank() == 1 && posted[0] < last[0]; posted[0] = int64(m.Received()) {
			_, err := m.Poll(func(_ int, words []uint64) {
				require.Equal(t, uint64(posted[0]), words[0])
				posted[0]++
			})
			require.NoError(t, err)
		}
	})
}

// No buffer is free while nothing that was posted can go: the receiver is not in
// MPI at all, which both tell by signals.
func TestBuffersRunOutAndComeBack(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		const pool = 64
		all := mailboxes(t, w, 8)
		m := all[0]
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		pids, err := w.AllGather(fmt.Append(nil, os.Getpid()))
		require.NoError(t, err)
		other, err := strconv.Atoi(string(pids[1-w.Rank()]))
		require.NoError(t, err)
		wake := func() { require.NoError(t, syscall.Kill(other, syscall.SIGUSR1)) }
		if w.Rank() == 0 {
			<-c
			words := make([]uint64, 1<<14) // too long to go before it is received
			for m.Post(1, int(m.Sent())%len(all), words) {
				require.LessOrEqual(t, m.Sent(), uint64(pool))
			}
			require.Equal(t, uint64(pool), m.Sent())
			require.Nil(t, m.Buffer())
			require.False(t, m.Room(0, 1), "not even here")
			require.False(t, m.Idle())
			wake()
			for !m.Idle() {
				_, err := m.Poll(nil)
				require.NoError(t, err)
			}
			require.NotNil(t, m.Buffer())
			return
		}
		wake()
		<-c
		for received := uint64(0); received < pool; {
			received = 0
			for _, m := range all {
				_, err := m.Poll(func(_ int, words []uint64) { require.Len(t, words, 1<<14) })
				require.NoError(t, err)
				received += m.Received()
			}
		}
	})
}

func TestMessagesMayBeEmptyAndMayBeLong(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		lengths := []int{0, 1, 2048, 2049, 8192, 1 << 18, 0, 1}
		got := 0
		for i, sent := 0, 0; got < len(lengths) || sent < len(lengths) || !m.Idle(); i++ {
			if sent < len(lengths) && m.Post(1-w.Rank(), 0, make([]uint64, lengths[sent])) {
				sent++
			}
			_, err := m.Poll(func(from int, words []uint64) {
				require.Equal(t, 1-w.Rank(), from)
				require.Len(t, words, lengths[got])
				got++
			})
			require.NoError(t, err)
		}
	})
}

func TestAMistakeOfPostIsReturnedByPoll(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		mistakes := map[string]func(m *mpi.Mailbox) bool{
			"mailbox 0 of rank 2":  func(m *mpi.Mailbox) bool { return m.Post(2, 0, nil) },
			"mailbox 9 of rank 0":  func(m *mpi.Mailbox) bool { return m.Post(0, 9, nil) },
			"post 2049 words":      func(m *mpi.Mailbox) bool { return m.Buffer() != nil && m.PostBuffer(0, 0, 2049) },
			"post -1 words":        func(m *mpi.Mailbox) bool { return m.Buffer() != nil && m.PostBuffer(0, 0, -1) },
			"post 1 words":         func(m *mpi.Mailbox) bool { return m.PostBuffer(0, 0, 1) },
			"mailbox 3 of rank -1": func(m *mpi.Mailbox) bool { return m.PostBuffer(-1, 3, 0) },
			"mailbox -1 of rank 0": func(m *mpi.Mailbox) bool { return m.Room(0, -1) },
		}
		all := mailboxes(t, w, len(mistakes))
		for want, mistake := range mistakes {
			m := all[0]
			all = all[1:]
			require.False(t, mistake(m))
			require.False(t, m.Post(0, 0, nil), "nothing is sent after a mistake")
			for range 2 {
				_, err := m.Poll(nil)
				require.ErrorContains(t, err, want)
			}
		}
		_, err := w.Mailbox(0)
		require.ErrorContains(t, err, "make mailbox 0: it exists")
		_, err = w.Mailbox(1 << 20)
		require.ErrorContains(t, err, "make mailbox 1048576: a rank has mailboxes 0 to 1023")
	})
}

// Counts are read after Close; nothing else works.
func TestAMailboxThatIsClosedHasItsCounts(t *testing.T) {
	onRanks(t, []int{1}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		require.True(t, m.Post(0, 0, []uint64{7}))
		for m.Received() == 0 {
			_, err := m.Poll(func(int, []uint64) {})
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		counts := m.Counts()
		require.Equal(t, mpi.Counts{Sent: 1, Received: 1, BytesSent: 16, BytesReceived: 16, Calls: counts.Calls}, counts)
		require.False(t, m.Post(0, 0, nil))
		_, err := m.Poll(nil)
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

// Memory that ranks share.

// Each rank writes into the segments of all, at a place of its own, and reads what
// others have written into its own: there is one machine.
func TestRanksOfAMachineSeeTheSameMemory(t *testing.T) {
	onRanks(t, []int{1, 2, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		const words = 5000
		require.Positive(t, mpi.SharedRoom())
		for range 2 { // it can be had again
			s, err := w.Share()
			require.NoError(t, err)
			ranks, own := s.Ranks()
			require.Len(t, ranks, w.Size())
			require.Equal(t, w.Rank(), ranks[own])
			require.True(t, s.Allocate(words))
			clear(s.Segment(own))
			require.NoError(t, w.Barrier())
			for i := range ranks {
				segment := s.Segment(i)
				require.Len(t, segment, words)
				require.Zero(t, uintptr(unsafe.Pointer(&segment[0]))%4096, "it begins with a page")
				for k := 1 + own; k < words; k += len(ranks) {
					segment[k] = uint64(i*words + k)
				}
				atomic.AddUint64(&segment[0], 1000)
			}
			require.NoError(t, w.Barrier())
			mine := s.Segment(own)
			require.EqualValues(t, 1000*len(ranks), mine[0])
			for k := 1; k < words; k++ {
				require.EqualValues(t, own*words+k, mine[k])
			}
			require.NoError(t, w.Barrier())
			s.Free(true)
		}
		left, err := w.Share()
		require.NoError(t, err)
		left.Free(false)
		require.NoError(t, w.Close())
		_, err = w.Share()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}
