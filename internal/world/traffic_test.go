// Random traffic between all mailboxes of different ranks: order, content, loss, counts.
// It runs over goroutines (near_test.go) and under mpirun (mpirun_test.go).

package world_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/world"
)

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
	p := &peer{load: l, box: m, self: w.Rank()*boxes + self, boxes: boxes, left: make([]int, n), next: make([]int, n), words: make([]uint64, l.most)}
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
