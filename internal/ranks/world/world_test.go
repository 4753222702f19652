// This file pins mailboxes over rings, by ranks that are goroutines, and memory that is promised and not there.

package world_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// onRanks runs body in each rank of a cluster.
func onRanks(c *worldtest.Cluster, n int, body func(w world.World)) {
	var all sync.WaitGroup
	for rank := range n {
		all.Go(func() { body(c.Rank(rank)) })
	}
	all.Wait()
}

func TestMessagesArriveWholeInOrder(t *testing.T) {
	seed := testrand.Seed(t)
	for _, c := range []struct{ ranks, boxes, words, machines, most, perPair int }{
		{2, 1, 4, 1, 4, 2000}, {2, 1, 16, 1, 40, 2000}, {2, 2, 64, 1, 100, 500}, {2, 1, 4096, 1, 20000, 200},
		{3, 1, 16, 1, 20, 500}, {3, 2, 32, 2, 40, 100}, {4, 1, 8, 2, 9, 300}, {4, 3, 16, 1, 20, 30},
		{9, 1, 16, 1, 20, 30}, {10, 8, 8, 1, 6, 2}, {2, 2, 0, 1, 40, 300}, {2, 1, 16, 2, 40, 300},
	} {
		t.Run(fmt.Sprintf("ranks=%d/boxes=%d/words=%d/machines=%d", c.ranks, c.boxes, c.words, c.machines),
			func(t *testing.T) {
				cluster := worldtest.New(c.ranks, seed, 30)
				if c.words > 0 {
					cluster.WithRings(c.words, c.machines)
				}
				onRanks(cluster, c.ranks, func(w world.World) {
					others := (w.Rank()+c.machines < c.ranks || w.Rank() >= c.machines) && c.words > 0
					l := load{seed: seed, perPair: c.perPair, most: c.most, short: max(c.words/8, 1), rings: others, near: true,
						pause: runtime.Gosched}
					for _, m := range l.run(t, w, c.boxes) {
						require.Equal(t, others && c.machines == 1, m.Near())
					}
				})
			})
	}
}

// pair returns the mailboxes of two ranks of one machine, with rings of the given
// number of words.
func pair(t *testing.T, words int) [2]world.Mailbox {
	c := worldtest.New(2, 1, 0).WithRings(words, 1)
	var pair [2]world.Mailbox
	onRanks(c, 2, func(w world.World) {
		boxes, err := w.Mailboxes(1)
		if err == nil {
			pair[w.Rank()] = boxes[0]
		}
	})
	require.NotContains(t, pair, nil)
	return pair
}

// gather returns what to append messages to, by their first words.
func gather(to *[]uint64) func(int, []uint64) {
	return func(_ int, words []uint64) { *to = append(*to, words[0]) }
}

func TestALongMessageKeepsItsPlace(t *testing.T) {
	m := pair(t, 64)
	long := func(first uint64) []uint64 { return append([]uint64{first}, make([]uint64, 99)...) }
	for _, words := range [][]uint64{{0}, {1, 1}, long(2), {3}, long(4), long(5), {6}} {
		require.True(t, m[0].Room(1, 0))
		require.True(t, m[0].Post(1, 0, words))
	}
	var came []uint64
	for range 3 {
		m[1].PollNear(gather(&came))
		require.Equal(t, []uint64{0, 1}, came, "what is behind a note waits")
	}
	calls := m[1].Counts().Calls
	any, err := m[1].Poll(gather(&came))
	require.NoError(t, err)
	require.True(t, any)
	require.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6}, came)
	require.Equal(t, calls+1, m[1].Counts().Calls)
	for range 10 {
		any, err = m[1].Poll(gather(&came))
		require.NoError(t, err)
		require.False(t, any)
	}
	require.Equal(t, calls+1, m[1].Counts().Calls, "MPI is asked only while something is under way")
	n := m[0].Counts()
	require.Equal(t, []uint64{7, 4, 0}, []uint64{n.Sent, n.Near, n.Received})
	require.EqualValues(t, 8*(3*100+5+4), n.BytesSent)
	n = m[1].Counts()
	require.Equal(t, []uint64{0, 0, 7}, []uint64{n.Sent, n.Near, n.Received})
	require.EqualValues(t, 8*(3*100+5+4), n.BytesReceived)
}

func TestAFullRingHoldsItsWriterUpAndNobodyElse(t *testing.T) {
	m := pair(t, 16)
	sent := uint64(0)
	for ; m[0].Room(1, 0); sent++ {
		require.Less(t, sent, uint64(16))
		require.True(t, m[0].Post(1, 0, []uint64{sent}))
	}
	require.Equal(t, uint64(6), sent, "until a quarter is left")
	for ; m[0].Post(1, 0, []uint64{sent}); sent++ {
		require.Less(t, sent, uint64(16))
	}
	require.Equal(t, uint64(8), sent)
	require.False(t, m[0].Post(1, 0, make([]uint64, 100)), "not even by MPI: there is no room for its note")
	require.True(t, m[1].Room(0, 0))
	var came []uint64
	require.True(t, m[1].PollNear(gather(&came)))
	require.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, came)
	require.True(t, m[0].Room(1, 0))
}

func TestAReceiverMayPost(t *testing.T) {
	m := pair(t, 64)
	require.True(t, m[0].Post(1, 0, []uint64{7}))
	m[1].PollNear(func(from int, words []uint64) { require.True(t, m[1].Post(from, 0, words)) })
	var came []uint64
	require.True(t, m[0].PollNear(gather(&came)))
	require.Equal(t, []uint64{7}, came)
}

// carrier is one that does what a test wants. What is posted does not go anywhere.
type carrier struct {
	room, taken, idle bool
	came              []uint64
	err               error
	polls             int
}

func (c *carrier) Room(int, int) bool           { return c.room }
func (c *carrier) Post(int, int, []uint64) bool { return c.taken }
func (c *carrier) Sender() int                  { return 0 }
func (c *carrier) Idle() bool                   { return c.idle }
func (c *carrier) Counts() mpi.Counts           { return mpi.Counts{} }

func (c *carrier) Poll(f func(int, []uint64)) (bool, error) {
	c.polls++
	if c.came != nil {
		f(1, c.came)
	}
	return c.came != nil, c.err
}

// onCarrier returns the mailbox of rank 0 of two ranks of a machine.
func onCarrier(c *carrier) world.Mailbox {
	r := world.Rings{Ranks: []int{0, 1}, Mailboxes: 1, Words: 16}
	segments := [][]uint64{make([]uint64, r.SegmentWords()), make([]uint64, r.SegmentWords())}
	return r.Connect(2, []world.Carrier{c}, segments)[0]
}

func pollsOf(t *testing.T, m world.Mailbox, c *carrier) int {
	before := c.polls
	_, err := m.Poll(func(int, []uint64) {})
	require.NoError(t, err)
	return c.polls - before
}

func TestAPollAsksMPIWhileALongMessageIsNotDone(t *testing.T) {
	c := &carrier{room: true, taken: true}
	m := onCarrier(c)
	require.Zero(t, pollsOf(t, m, c))
	require.True(t, m.Post(1, 0, make([]uint64, 100)))
	require.Equal(t, 1, pollsOf(t, m, c))
	require.Equal(t, 1, pollsOf(t, m, c))
	c.idle = true
	require.Zero(t, pollsOf(t, m, c))
}

func TestNoRoomInMPIIsNoRoomAndAPollAsksIt(t *testing.T) {
	c := &carrier{}
	m := onCarrier(c)
	require.False(t, m.Room(1, 0))
	require.False(t, m.Post(1, 0, make([]uint64, 100)))
	require.True(t, m.Post(1, 0, make([]uint64, 7)), "it needs the ring only")
	require.Equal(t, 1, pollsOf(t, m, c))
	c.room, c.idle = true, true
	require.True(t, m.Room(1, 0))
	require.Zero(t, pollsOf(t, m, c))
}

func TestAFailureOfMPIIsReturnedByPoll(t *testing.T) {
	errMPI := errors.New("MPI fails")
	c := &carrier{room: true}
	m := onCarrier(c)
	require.True(t, m.Room(1, 0))
	require.False(t, m.Post(1, 0, make([]uint64, 100)))
	c.err = errMPI
	_, err := m.Poll(nil)
	require.ErrorIs(t, err, errMPI)
	require.False(t, onCarrier(c).Post(5, 0, nil), "for MPI to complain about")
	require.False(t, onCarrier(c).Post(1, 1, nil))
	require.False(t, onCarrier(&carrier{}).Room(0, 0), "rings go to other ranks only")
}

func TestALongMessageWithoutANoteIsAnError(t *testing.T) {
	c := &carrier{came: []uint64{1}, room: true, taken: true}
	m := onCarrier(c)
	require.True(t, m.Post(1, 0, make([]uint64, 100))) // so that MPI is asked
	for range 2 {
		_, err := m.Poll(func(int, []uint64) { t.Error("it is in no order") })
		require.ErrorIs(t, err, world.ErrNoNote)
	}
}

func TestWithoutRingsAllGoesByMPI(t *testing.T) {
	c := &carrier{came: []uint64{9}, room: true, taken: true, idle: true}
	for name, m := range map[string]world.Mailbox{
		"never":  (*world.Rings)(nil).Connect(2, []world.Carrier{c}, nil)[0],
		"closed": onCarrier(c),
	} {
		if name == "closed" {
			world.Detach(m)
		}
		require.False(t, m.Near())
		require.True(t, m.Room(1, 0))
		require.True(t, m.Post(1, 0, []uint64{1}))
		require.False(t, m.PollNear(nil))
		var came []uint64
		any, err := m.Poll(gather(&came))
		require.NoError(t, err)
		require.True(t, any)
		require.Equal(t, []uint64{9}, came)
		require.Zero(t, m.Counts().Near)
	}
}

func TestNothingIsLeftOfAnAbort(t *testing.T) {
	c := worldtest.New(2, 1, 0).WithRings(16, 1)
	onRanks(c, 2, func(w world.World) {
		m, err := w.Mailboxes(1)
		require.NoError(t, err)
		to := 1 - w.Rank()
		for w.Rank() == 0 && m[0].Post(to, 0, []uint64{1}) {
		}
		require.NoError(t, w.Abort(3))
		m[0].PollNear(func(int, []uint64) {}) // nobody waits
		require.False(t, m[0].Post(to, 0, make([]uint64, 100)))
		if w.Rank() == 0 {
			return // its ring is full, perhaps
		}
		_, err = m[0].Poll(func(int, []uint64) {})
		require.ErrorIs(t, err, worldtest.ErrAborted)
	})
}

// TestPartsOfASegmentLieApart marks each part, and finds all marks again.
func TestPartsOfASegmentLieApart(t *testing.T) {
	for _, c := range []struct{ ranks, boxes, words int }{{1, 2, 8}, {2, 1, 4}, {2, 2, 8192}, {3, 4, 512}, {12, 7, 16}} {
		r := &world.Rings{Ranks: make([]int, c.ranks), Mailboxes: c.boxes, Words: c.words}
		segment := slices.Repeat([]uint64{99}, r.SegmentWords())
		r.Prepare(segment)
		news, meetings, rings, records := r.Parts(segment)
		n := (c.ranks - 1) * c.boxes
		require.Len(t, news, c.boxes*(1+(n+63)/64))
		require.Len(t, meetings, c.boxes*n)
		parts := append(slices.Concat(news, meetings, rings), records)
		for i, part := range parts {
			for k := range part {
				require.Zero(t, part[k], "part %d is nobody else's, and was prepared", i)
				part[k] = uint64(i) + 1
			}
		}
		for _, ring := range rings {
			require.Len(t, ring, c.words)
		}
	}
}

func TestRingsTakeNoMoreThanThereIs(t *testing.T) {
	for _, c := range []struct {
		ranks, boxes int
		bytes        int64
		want         int
	}{
		{2, 1, world.MostBytes, world.MostRing},
		{4, 4, world.MostBytes, world.MostRing},
		{128, 1, world.MostBytes, world.MostRing / 8},
		{16, 16, world.MostBytes, world.LeastRing},
		{64, 64, world.MostBytes, 0},
		{2, 1, 150 << 10, world.MostRing},
		{2, 1, 130 << 10, world.MostRing / 2},
		{2, 1, 4 << 10, 0},
		{2, 1, 0, 0},
	} {
		words := world.RingWords(c.ranks, c.boxes, c.bytes)
		require.Equal(t, c.want, words, "%+v", c)
	}
}

// BenchmarkPollNear is that of mailboxes with the given number of rings, all empty.
func BenchmarkPollNear(b *testing.B) {
	for _, ranks := range []int{2, 4, 9, 17, 65} {
		b.Run(fmt.Sprintf("rings=%d", ranks-1), func(b *testing.B) {
			r := world.Rings{Ranks: make([]int, ranks), Mailboxes: 1, Words: 512}
			segments := make([][]uint64, ranks)
			for i := range segments {
				r.Ranks[i] = i
				segments[i] = make([]uint64, r.SegmentWords())
			}
			m := r.Connect(ranks, []world.Carrier{&carrier{}}, segments)[0]
			for b.Loop() {
				m.PollNear(nil)
			}
		})
	}
}

// Random traffic between all mailboxes of different ranks: order, content, loss, counts.
// It runs over goroutines and under mpirun (mpirun_test.go).

// load is what traffic sends.
type load struct {
	seed    uint64
	perPair int // messages from one mailbox to another
	most    int // words of one
	short   int // words of most of them, at most
	rings   bool
	near    bool // PollNear is used, too
	pause   func()
}

// peer is one mailbox: it sends to all of other ranks in random order, and checks what it gets.
type peer struct {
	load
	box       world.Mailbox
	self      int // of all mailboxes of all ranks
	boxes     int // of a rank
	rng       *rand.Rand
	left      []int // messages still to be sent, by receiver
	receivers []int // those with any
	next      []int // number of the next message, by sender
	toCome    int
	words     []uint64
	bad       string
}

func (l load) peer(w world.World, m world.Mailbox, self, boxes int) *peer {
	n := w.Size() * boxes
	p := &peer{load: l, box: m, self: w.Rank()*boxes + self, boxes: boxes, left: make([]int, n), next: make([]int, n),
		words: make([]uint64, l.most)}
	p.rng = rand.New(rand.NewPCG(l.seed, uint64(p.self)))
	for to := range n {
		if to/boxes != w.Rank() {
			p.left[to] = l.perPair
			p.receivers = append(p.receivers, to)
			p.toCome += l.perPair
		}
	}
	return p
}

// send posts a message to a random receiver. A message that finds no room is forgotten, and made again
// later. Its words say from whom to whom it is, which one, and the others follow from
// the first, so that short ones say as much as they can.
func (p *peer) send(t *testing.T) {
	if len(p.receivers) == 0 {
		return
	}
	i := p.rng.IntN(len(p.receivers))
	to := p.receivers[i]
	n := 1 + p.rng.IntN(p.short)
	if p.rng.IntN(16) == 0 {
		n = 1 + p.rng.IntN(p.most)
	}
	words := p.words[:n]
	words[0] = uint64(p.perPair-p.left[to])<<32 | uint64(p.self)<<16 | uint64(to)
	for k := 1; k < n; k++ {
		words[k] = words[k-1]*6364136223846793005 + uint64(n)
	}
	room := p.rng.IntN(2) == 0 && p.box.Room(to/p.boxes, to%p.boxes)
	if !p.box.Post(to/p.boxes, to%p.boxes, words) {
		assert.False(t, room, "there was room for a message of %d words", n)
		return
	}
	if p.left[to]--; p.left[to] == 0 {
		p.receivers = append(p.receivers[:i], p.receivers[i+1:]...)
	}
}

func (p *peer) receive(rank int, words []uint64) {
	number, from, to := int(words[0]>>32), int(words[0]>>16&0xffff), int(words[0]&0xffff)
	if from/p.boxes != rank || to != p.self {
		p.bad = fmt.Sprintf("a message from %d to %d came to %d from rank %d", from, to, p.self, rank)
		return
	}
	if number != p.next[from] {
		p.bad = fmt.Sprintf("message %d from %d came as number %d", number, from, p.next[from])
	}
	for k := 1; k < len(words); k++ {
		if words[k] != words[k-1]*6364136223846793005+uint64(len(words)) {
			p.bad = fmt.Sprintf("message %d from %d has another word %d", number, from, k)
		}
	}
	words[len(words)-1] = 0 // it is the receiver's, until it returns
	p.next[from]++
	p.toCome--
}

// step sends and polls once, and reports whether there is more to do.
func (p *peer) step(t *testing.T) bool {
	for range p.rng.IntN(8) {
		p.send(t)
	}
	var came bool
	if p.near && p.rng.IntN(4) > 0 {
		came = p.box.PollNear(p.receive)
	} else {
		var err error
		if came, err = p.box.Poll(p.receive); !assert.NoError(t, err) {
			return false
		}
	}
	if !assert.Empty(t, p.bad) {
		return false
	}
	if !came {
		p.pause()
	}
	return p.toCome > 0 || len(p.receivers) > 0
}

func (p *peer) check(t *testing.T) {
	n := p.box.Counts()
	want := uint64((len(p.next) - p.boxes) * p.perPair)
	require.Equal(t, want, n.Sent)
	require.Equal(t, want, n.Received)
	require.GreaterOrEqual(t, n.BytesSent, 8*want)
	require.GreaterOrEqual(t, n.BytesReceived, 8*want)
	require.Equal(t, p.rings, n.Near > 0, "messages through rings: %d", n.Near)
	require.LessOrEqual(t, n.Near, n.Sent)
}

// run has a goroutine for each mailbox of a rank, and returns when all ranks are done.
func (l load) run(t *testing.T, w world.World, mailboxes int) []world.Mailbox {
	boxes, err := w.Mailboxes(mailboxes)
	require.NoError(t, err)
	require.Len(t, boxes, mailboxes)
	var all sync.WaitGroup
	for i, m := range boxes {
		p := l.peer(w, m, i, mailboxes)
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for p.step(t) && !t.Failed() {
			}
			if !t.Failed() {
				p.check(t)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		_ = w.Abort(1)
	}
	return boxes
}

// The package in one page, with ranks that are goroutines.

// Rank 0 sends three messages to rank 1, through a ring of 16 words, which the second does
// not fit. They come in order all the same.
func Example() {
	cluster := worldtest.New(2, 1, 0).WithRings(16, 1)
	rank := func(w world.World) {
		boxes, err := w.Mailboxes(1)
		if err != nil {
			log.Fatal(err)
		}
		m := boxes[0]
		if w.Rank() == 0 {
			for _, n := range []int{1, 100, 3} {
				for !m.Room(1, 0) || !m.Post(1, 0, make([]uint64, n)) {
					if _, err := m.Poll(func(int, []uint64) {}); err != nil { // an engine does other work
						log.Fatal(err)
					}
				}
			}
			return
		}
		for came := 0; came < 3; {
			if _, err := m.Poll(func(from int, words []uint64) {
				fmt.Println(len(words), "words from rank", from)
				came++
			}); err != nil {
				log.Fatal(err)
			}
		}
	}
	var ranks sync.WaitGroup
	for i := range 2 {
		ranks.Go(func() { rank(cluster.Rank(i)) })
	}
	ranks.Wait()
	// Output:
	// 1 words from rank 0
	// 100 words from rank 0
	// 3 words from rank 0
}

// A file that is shorter than its mapping does what a full /dev/shm does.
func TestMemoryThatIsNotThereIsAnError(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/memory")
	require.NoError(t, err)
	const page = 1 << 16 // of any processor
	require.NoError(t, f.Truncate(2*page))
	memory, err := unix.Mmap(int(f.Fd()), 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, world.Touched(func() { clear(memory) }))
	require.NoError(t, os.Truncate(f.Name(), page))
	require.ErrorContains(t, world.Touched(func() { clear(memory) }), "less than the system promised")
	require.NoError(t, unix.Munmap(memory))
}
