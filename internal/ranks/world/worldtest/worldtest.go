// Package worldtest has ranks that are goroutines of one process, for tests of code
// that runs on ranks. Messages are delayed for random times, those of one channel in
// their order, and so are reductions. With WithRings, ranks of one machine use the
// rings of package world, in Go memory, and only what does not fit there is delayed.
//
// Where MPI would wait for ever there is an error: if ranks call different collective operations at the same
// time, and if they wait for one that Kill has ended.
package worldtest

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
)

// ErrAborted is the error of all calls after an Abort.
var ErrAborted = errors.New("worldtest: aborted")

// Cluster is the ranks of a run.
type Cluster struct {
	lock    sync.Mutex
	moved   *sync.Cond
	n       int
	dice    *rand.Rand
	late    int // probability in percent that something is delayed at a poll
	aborted bool
	code    int
	boxes   map[place]*mailbox
	sums    []*sum // by their number
	steps   map[int]*step
	ring    int // words of a ring; 0: none
	sleeps  bool
	records [][]uint64 // for the reduction of those that sleep
	lists   [][]uint64
	wakes   []func() // those that sleep
	hosts   int      // machines
	shared  map[int][]uint64
	pipes   map[[2]int]*pipe // from one rank to another, for Send
	killed  []bool           // by rank; nil: none is
	turns   Turns
	// Closed counts the ranks that have closed.
	Closed int
}

// Turns decides which goroutine runs: turns.World.
type Turns interface {
	Current() int                    // the goroutine that runs
	Turn(goroutine int, what string) // returns when the goroutine may run
}

// WithTurns has goroutines that have waited for other ranks wait for their turns.
func (c *Cluster) WithTurns(t Turns) *Cluster {
	c.turns = t
	return c
}

// await waits, with the lock, until a function is true or the ranks are aborted.
func (c *Cluster) await(f func() bool) {
	if f() || c.aborted {
		return
	}
	caller := 0
	if c.turns != nil {
		caller = c.turns.Current()
	}
	for !f() && !c.aborted {
		c.moved.Wait()
	}
	if c.turns != nil {
		c.lock.Unlock()
		c.turns.Turn(caller, "together")
		c.lock.Lock()
	}
}

// place is a mailbox of a rank.
type place struct{ rank, mailbox int }

// New makes n ranks. late is the probability in percent that a poll delays a message
// that could be received.
func New(n int, seed uint64, late int) *Cluster {
	c := &Cluster{n: n, dice: rand.New(rand.NewPCG(seed, 7)), late: late, boxes: map[place]*mailbox{},
		steps: map[int]*step{}, pipes: map[[2]int]*pipe{}}
	c.moved = sync.NewCond(&c.lock)
	return c
}

// WithRings makes ranks of the same machine use rings of the given number of words, a
// power of two: rank r is on machine r mod machines.
func (c *Cluster) WithRings(words, machines int) *Cluster {
	c.ring, c.hosts, c.shared = words, machines, map[int][]uint64{}
	return c
}

// Rank returns the world as a rank sees it.
func (c *Cluster) Rank(rank int) world.World { return &seen{c: c, rank: rank} }

// Aborted returns the code of the first Abort, and whether there was one.
func (c *Cluster) Aborted() (code int, aborted bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.code, c.aborted
}

// Kill ends a rank, as if its process had been killed: its calls fail from now on and have no effect, and
// those of others fail that need it.
func (c *Cluster) Kill(rank int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.killed == nil {
		c.killed = make([]bool, c.n)
	}
	c.killed[rank] = true
	c.moved.Broadcast()
	c.wakeAll()
}

// gone returns the error of a call of rank that waits for others, if it waits in vain: some are killed, and has
// reports which have done their part.
func (c *Cluster) gone(rank int, call string, has func(rank int) bool) error {
	if c.isKilled(rank) {
		return &mpi.Error{Call: call, Rank: rank, Code: 1, Text: fmt.Sprintf("rank %d is killed", rank)}
	}
	for other, killed := range c.killed {
		if killed && !has(other) {
			return &mpi.Error{Call: call, Rank: rank, Code: 1, Text: fmt.Sprintf("rank %d is gone", other)}
		}
	}
	return nil
}

// abortion returns the error of a call after an Abort.
func (c *Cluster) abortion(rank int, call string) error {
	return cmp.Or(c.gone(rank, call, func(int) bool { return false }), ErrAborted)
}

func (c *Cluster) isKilled(rank int) bool { return c.killed != nil && c.killed[rank] }

func (c *Cluster) heldBack() bool { return c.dice.IntN(100) < c.late }

// seen is a Cluster as seen by a rank.
type seen struct {
	c           *Cluster
	rank        int
	steps, sums int // how many it has joined, and made
}

func (w *seen) Rank() int { return w.rank }
func (w *seen) Size() int { return w.c.n }

// step is one operation of all ranks.
type step struct {
	gave [][]byte
	call []string // by rank; "": not yet
	here int
	err  *mpi.Error // of calls that differ
}

// AllGather waits until all ranks have called it. The list belongs to the caller.
func (w *seen) AllGather(own []byte) ([][]byte, error) { return w.meet("AllGather", own) }

// meet is AllGather as a part of a call that has to be the same on all ranks.
func (w *seen) meet(call string, own []byte) ([][]byte, error) {
	c := w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	s := c.steps[w.steps]
	if s == nil {
		s = &step{gave: make([][]byte, c.n), call: make([]string, c.n)}
		c.steps[w.steps] = s
	}
	w.steps++
	has := func(rank int) bool { return s.call[rank] != "" }
	if c.isKilled(w.rank) {
		return nil, c.gone(w.rank, call, has)
	}
	s.gave[w.rank], s.call[w.rank] = slices.Clone(own), call
	if s.here++; s.here == c.n {
		delete(c.steps, w.steps-1)
		if rank := slices.IndexFunc(s.call, func(other string) bool { return other != s.call[0] }); rank > 0 {
			s.err = &mpi.Error{Call: call, Rank: w.rank, Code: 1, Text: fmt.Sprintf("rank 0 calls %s, and rank %d %s", s.call[0],
				rank, s.call[rank])}
		}
		c.moved.Broadcast()
	}
	c.await(func() bool { return s.here == c.n || c.gone(w.rank, call, has) != nil })
	if s.here < c.n {
		return nil, cmp.Or(c.gone(w.rank, call, has), c.abortion(w.rank, call))
	}
	if s.err != nil {
		return nil, s.err
	}
	return slices.Clone(s.gave), nil // the list belongs to the caller
}

// pipe is what a rank has sent to another one.
type pipe struct {
	waiting  [][]byte
	received int // in sum
}

// Send waits for the receiver, as MPI may.
func (w *seen) Send(data []byte, to int) error {
	c := w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	p := c.pipe(w.rank, to)
	gone := func() error { return c.gone(w.rank, "Send", func(rank int) bool { return rank != to }) }
	if c.isKilled(w.rank) {
		return gone()
	}
	p.waiting = append(p.waiting, slices.Clone(data))
	c.moved.Broadcast()
	number := p.received + len(p.waiting)
	c.await(func() bool { return p.received >= number || gone() != nil })
	if p.received < number {
		return cmp.Or(gone(), c.abortion(w.rank, "Send"))
	}
	return nil
}

// Receive returns the next bytes that a rank has sent to this one.
func (w *seen) Receive(from int) ([]byte, error) {
	c := w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	p := c.pipe(from, w.rank)
	gone := func() error { return c.gone(w.rank, "Receive", func(rank int) bool { return rank != from }) }
	c.await(func() bool { return len(p.waiting) > 0 || gone() != nil })
	if len(p.waiting) == 0 || c.isKilled(w.rank) {
		return nil, cmp.Or(gone(), c.abortion(w.rank, "Receive"))
	}
	data := p.waiting[0]
	p.waiting = p.waiting[1:]
	p.received++
	c.moved.Broadcast()
	return data, nil
}

func (c *Cluster) pipe(from, to int) *pipe {
	p := c.pipes[[2]int{from, to}]
	if p == nil {
		p = &pipe{}
		c.pipes[[2]int{from, to}] = p
	}
	return p
}

// Bcast returns the root's bytes.
func (w *seen) Bcast(data []byte, root int) ([]byte, error) {
	all, err := w.meet(fmt.Sprintf("Bcast from rank %d", root), data)
	if err != nil {
		return nil, err
	}
	return slices.Clone(all[root]), nil
}

// AllReduceInt64 combines the values of all ranks.
func (w *seen) AllReduceInt64(op mpi.Op, values []int64) error {
	own := make([]byte, 0, 8*len(values))
	for _, v := range values {
		own = binary.LittleEndian.AppendUint64(own, uint64(v))
	}
	all, err := w.meet(fmt.Sprintf("AllReduce %d of %d words", op, len(values)), own)
	if err != nil {
		return err
	}
	for rank, of := range all {
		world.Combine(op, values, of, rank == 0)
	}
	return nil
}

func (w *seen) Barrier() error {
	_, err := w.meet("Barrier", nil)
	return err
}

func (w *seen) Abort(code int) error {
	c := w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	if !c.aborted && !c.isKilled(w.rank) {
		c.aborted, c.code = true, code
	}
	c.moved.Broadcast()
	c.wakeAll()
	return nil
}

func (w *seen) Close() error {
	_, err := w.meet("Close", nil)
	w.c.lock.Lock()
	defer w.c.lock.Unlock()
	w.c.Closed++
	return err
}

// mailbox is one end: the messages sent to it, by sender.
type mailbox struct {
	c      *Cluster
	at     place
	from   map[place][][]uint64
	sender int // mailbox, of the message that Poll hands over
	counts mpi.Counts
}

const mostWaiting = 32 // messages of a sender, as with MPI

func (w *seen) Mailboxes(n int) ([]world.Mailbox, error) {
	c := w.c
	c.lock.Lock()
	all, carriers := make([]world.Mailbox, n), make([]world.Carrier, n)
	for i := range n {
		m := &mailbox{c: c, at: place{w.rank, i}, from: map[place][][]uint64{}}
		c.boxes[m.at] = m
		all[i], carriers[i] = m, m
	}
	rings := w.rings(n)
	if rings != nil {
		c.shared[w.rank] = make([]uint64, rings.SegmentWords())
		rings.Prepare(c.shared[w.rank])
	}
	c.lock.Unlock()
	if err := w.Barrier(); err != nil || rings == nil {
		return all, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	var segments [][]uint64
	for _, rank := range rings.Ranks {
		segments = append(segments, c.shared[rank])
	}
	all = rings.Connect(c.n, carriers, segments)
	if c.sleeps {
		rings.Tells, rings.Lost = true, func() bool { return w.lost() != nil }
		c.wakes = append(c.wakes, rings.Wakes(segments, true))
		for i := range all {
			all[i] = deep{all[i].(world.Sleeper)}
		}
	}
	return all, nil
}

// rings describes those of this rank's machine, nil if there are none.
func (w *seen) rings(mailboxes int) *world.Rings {
	if w.c.ring == 0 {
		return nil
	}
	r := &world.Rings{Mailboxes: mailboxes, Words: w.c.ring, Own: w.rank / w.c.hosts}
	for rank := w.rank % w.c.hosts; rank < w.c.n; rank += w.c.hosts {
		r.Ranks = append(r.Ranks, rank)
	}
	return r
}

// PollNear is Poll, whose error the next Poll returns.
func (m *mailbox) PollNear(f func(rank int, words []uint64)) bool {
	came, _ := m.Poll(f)
	return came
}

func (m *mailbox) Near() bool  { return false }
func (m *mailbox) Idle() bool  { return true }
func (m *mailbox) Sender() int { return m.sender }

func (m *mailbox) Room(rank, box int) bool {
	m.c.lock.Lock()
	defer m.c.lock.Unlock()
	return len(m.c.boxes[place{rank, box}].from[m.at]) < mostWaiting
}

func (m *mailbox) Post(rank, box int, words []uint64) bool {
	m.c.lock.Lock()
	defer m.c.lock.Unlock()
	to := m.c.boxes[place{rank, box}]
	if m.c.aborted || m.c.isKilled(m.at.rank) || len(to.from[m.at]) >= mostWaiting {
		return false
	}
	to.from[m.at] = append(to.from[m.at], slices.Clone(words))
	m.counts.Sent++
	m.counts.Calls++
	m.counts.BytesSent += 8 * uint64(len(words))
	return true
}

// Poll hands over some of the waiting messages.
func (m *mailbox) Poll(f func(rank int, words []uint64)) (bool, error) {
	type arrival struct {
		place
		words []uint64
	}
	var came []arrival
	m.c.lock.Lock()
	err := error(nil)
	if m.c.aborted || m.c.isKilled(m.at.rank) {
		err = m.c.abortion(m.at.rank, "Poll")
	}
	m.counts.Calls++
	senders := slices.SortedFunc(maps.Keys(m.from), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.mailbox, b.mailbox))
	})
	m.c.dice.Shuffle(len(senders), func(i, j int) { senders[i], senders[j] = senders[j], senders[i] })
	for _, at := range senders { // in random order, because channels are independent
		list := m.from[at]
		for len(list) > 0 && !m.c.heldBack() {
			came = append(came, arrival{at, list[0]})
			list = list[1:]
		}
		m.from[at] = list
	}
	m.counts.Received += uint64(len(came))
	m.c.lock.Unlock()
	for _, a := range came {
		m.sender = a.mailbox
		f(a.rank, a.words)
		m.counts.BytesReceived += 8 * uint64(len(a.words))
	}
	return len(came) > 0, err
}

func (m *mailbox) Counts() mpi.Counts { return m.counts }

// sum is a Reduction of all ranks: its operations by their numbers.
type sum struct {
	records []*operation
	words   []*operation
}

// operation is one of a sum.
type operation struct {
	record mpi.Record
	words  []uint64
	here   int
	joined []bool // by rank
}

func (o *operation) join(w *seen) {
	if o.joined == nil {
		o.joined = make([]bool, w.c.n)
	}
	o.joined[w.rank] = true
	o.here++
}

type reduction struct {
	w       *seen
	s       *sum
	records int
	words   int
	open    *operation
	result  mpi.Record
	calls   uint64
}

func (w *seen) Reduction() (world.Reduction, error) {
	c := w.c
	if c.sleeps {
		wake := func() {
			c.lock.Lock()
			defer c.lock.Unlock()
			c.wakeAll()
		}
		return world.Reducing{Own: w.rank, Records: c.records, Lists: c.lists, Wake: wake, Lost: w.lost,
			Closed: func() error { return nil }}.Reduction(), w.Barrier()
	}
	c.lock.Lock()
	for len(c.sums) <= w.sums {
		c.sums = append(c.sums, &sum{})
	}
	r := &reduction{w: w, s: c.sums[w.sums]}
	w.sums++
	c.lock.Unlock()
	return r, w.Barrier()
}

func (r *reduction) Calls() uint64 { return r.calls }

func (r *reduction) Shared() uint64 { return 0 }

func (r *reduction) Start(rec *mpi.Record) error {
	c := r.w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	r.open = part(&r.s.records, &r.records)
	mine := *rec
	mine.Rank = uint64(r.w.rank)
	if r.calls++; c.isKilled(r.w.rank) {
		return nil
	}
	if r.open.here == 0 {
		r.open.record = mine
	} else {
		combine(&r.open.record, &mine)
	}
	r.open.join(r.w)
	return nil
}

// part returns the operation that is next for this rank.
func part(all *[]*operation, n *int) *operation {
	for len(*all) <= *n {
		*all = append(*all, &operation{})
	}
	*n++
	return (*all)[*n-1]
}

func combine(to, of *mpi.Record) {
	to.Balance += of.Balance
	to.Flags |= of.Flags
	for i := range to.Counters {
		to.Counters[i] += of.Counters[i]
	}
	if c := slices.Compare(of.Key[:], to.Key[:]); c < 0 || c == 0 && of.Rank < to.Rank {
		to.Key, to.Rank = of.Key, of.Rank
	}
}

// done reports whether all have started the operation, and it is not delayed.
func (r *reduction) done() (bool, error) {
	r.calls++
	has := func(rank int) bool { return r.open.joined != nil && r.open.joined[rank] }
	if err := r.w.c.gone(r.w.rank, "Reduction", has); err != nil {
		return false, err
	}
	if r.w.c.aborted {
		return false, r.w.c.abortion(r.w.rank, "Reduction")
	}
	return r.open.here == r.w.c.n && !r.w.c.heldBack(), nil
}

func (r *reduction) Test() (*mpi.Record, bool, error) {
	r.w.c.lock.Lock()
	defer r.w.c.lock.Unlock()
	done, err := r.done()
	if done {
		r.result = r.open.record
	}
	return &r.result, done, err
}

func (r *reduction) StartWords(words []uint64) error {
	c := r.w.c
	c.lock.Lock()
	defer c.lock.Unlock()
	r.open = part(&r.s.words, &r.words)
	if r.calls++; c.isKilled(r.w.rank) {
		return nil
	}
	if r.open.here == 0 || slices.Compare(words, r.open.words) < 0 {
		r.open.words = slices.Clone(words)
	}
	r.open.join(r.w)
	return nil
}

func (r *reduction) TestWords() ([]uint64, bool, error) {
	r.w.c.lock.Lock()
	defer r.w.c.lock.Unlock()
	done, err := r.done()
	return r.open.words, done, err
}
