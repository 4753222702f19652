// This file owns the rings of a machine, and the MPI world, whose ranks agree on them.

package world

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Rings describes the rings of a machine. All its ranks have equal Rings, except Own.
//
// A rank's segment has a block for each of its mailboxes, which reads the rings in it:
//
//	sleep      whether the mailbox's owner sleeps
//	records    the places of the rank in the reduction of GVT, in the first block
//	news       a word for 64 rings, each in its own cache lines
//	meetings   StreamControl words of each ring
//	rings      Words words of each, beginning at a page
//
// Rings of a block are in the order of the writing rank, then of its mailbox.
type Rings struct {
	Ranks     []int       // of the machine, ascending
	Own       int         // which of them this one is
	Mailboxes int         // of each rank
	Words     int         // of a ring: a power of two, transport.LeastStream at least
	Lost      func() bool // a rank is gone, and who noticed it has called what Wakes returns; nil: nobody notices
	Tells     bool        // the reduction is one in memory, which wakes who sleeps

	widens *bool // the reduction of MPI is at work, which wakes nobody
}

const (
	lineWords = 128 / 8  // processors fetch lines in pairs
	pageWords = 4096 / 8 // so that rings are in memory near their readers
	firstNews = lineWords + RecordWords

	// fewRings is the number of rings up to which all are polled: a flag of news would be one more line to
	// fetch for each message.
	fewRings = 8
)

// Sizes of rings. A message of the engine has 1 to 3 KiB, and up to 16 KiB if there is much to
// send.
const (
	// mostRing, in words: 64 KiB, some twenty messages. A larger ring would not be used, because a
	// receiver polls often, and would not stay in the cache. A quarter of it, which Room requires,
	// is the engine's longest message.
	mostRing = 64 << 10 / 8
	// leastRing, in words: 4 KiB. In a smaller ring most messages would have to be sent by MPI.
	leastRing = 4 << 10 / 8
	// All rings of a machine take at most mostBytes, and at most one part in onePart of its memory:
	// they grow with the square of the number of PEs, all PEs touch them, and no option requests
	// them. With mostBytes 128 PEs have 16 KiB for each pair.
	mostBytes = 256 << 20
	onePart   = 16
)

// RingWords returns the number of words of a ring on a machine, from the number of ranks and the
// bytes for all rings, or 0 if rings are not worth while.
func RingWords(ranks, mailboxes int, bytes int64) int {
	bytes = min(bytes, mostBytes)
	for words := mostRing; words >= leastRing; words /= 2 {
		r := Rings{Ranks: make([]int, ranks), Mailboxes: mailboxes, Words: words}
		if int64(ranks)*int64(r.SegmentWords())*8 <= bytes {
			return words
		}
	}
	return 0
}

// in returns the number of rings that end at a mailbox.
func (r *Rings) in() int { return (len(r.Ranks) - 1) * r.Mailboxes }

// newsWords returns the number of words with flags of news in a block.
func (r *Rings) newsWords() int { return (r.in() + 63) / 64 }

// meetings returns the offset of the meetings in a block, and rings that of the rings.
func (r *Rings) meetings() int { return firstNews + r.newsWords()*lineWords }

func (r *Rings) rings() int {
	return roundUp(r.meetings()+r.in()*transport.StreamControl, pageWords)
}

func (r *Rings) block() int { return roundUp(r.rings()+r.in()*r.Words, pageWords) }

// SegmentWords returns the length of each rank's segment.
func (r *Rings) SegmentWords() int { return r.Mailboxes * r.block() }

// records returns the places of a rank in the reduction.
func (r *Rings) records(segment []uint64) []uint64 { return segment[lineWords:][:RecordWords] }

// sleep returns the word of a mailbox that says whether its owner sleeps.
func (r *Rings) sleep(segment []uint64, mailbox int) *sleepWord {
	return (*sleepWord)(unsafe.Pointer(&segment[mailbox*r.block()]))
}

// Wakes returns a function that wakes the owner of the first mailbox of each rank, or of all.
func (r *Rings) Wakes(segments [][]uint64, all bool) func() {
	var words []*sleepWord
	for _, segment := range segments {
		for box := range r.Mailboxes {
			if box == 0 || all {
				words = append(words, r.sleep(segment, box))
			}
		}
	}
	return func() {
		for _, w := range words {
			w.wake(asleep)
		}
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Prepare initializes the segment of this rank. It must run before Connect on any rank, and touches
// the whole segment.
func (r *Rings) Prepare(segment []uint64) { clear(segment) }

// place returns the index of one rank of the machine among the others of another rank.
func place(of, seenBy int) int {
	if of < seenBy {
		return of
	}
	return of - 1
}

// ring returns the memory of ring i in the block of a mailbox, in the segment of its rank.
func (r *Rings) ring(segment []uint64, mailbox, i int) (control, ring []uint64) {
	block := segment[mailbox*r.block():]
	return block[r.meetings()+i*transport.StreamControl:][:transport.StreamControl], block[r.rings()+i*r.Words:][:r.Words]
}

// news returns the flag of news of ring i in the block of a mailbox, none if there are few rings.
func (r *Rings) news(segment []uint64, mailbox, i int) newsFlag {
	if r.in() <= fewRings {
		return newsFlag{}
	}
	return newsFlag{word: transport.AtomicWord(segment, mailbox*r.block()+firstNews+i/64*lineWords), bit: 1 << (i % 64)}
}

// find returns the place of a rank among the others of the machine, -1 for this rank, for ranks
// elsewhere, and without rings. Most often the ranks of a machine have numbers in a row.
func (r *Rings) find(rank int) int {
	if r == nil {
		return -1
	}
	i := rank - r.Ranks[0]
	if uint(i) >= uint(len(r.Ranks)) || r.Ranks[i] != rank {
		found := false
		if i, found = slices.BinarySearch(r.Ranks, rank); !found {
			return -1
		}
	}
	if i == r.Own {
		return -1
	}
	return place(i, r.Own)
}

// The reduction of GVT in memory. Each rank has places for two operations, one after the other. It writes its part,
// then the number of the operation, and tests whether the numbers of all are there; then it combines all parts by
// itself, in the order of ranks. It can start an operation when it has tested the one before, so when all have started
// that, and nobody reads what was there two operations ago.
const (
	recordWords = 32 // the number, the record, and what fills cache lines
	RecordWords = 2 * recordWords
	ListWords   = 2 * (2 + mpi.ListWords) // the number, the length, the list
)

// Reducing is what a reduction in memory needs.
type Reducing struct {
	Own     int
	Records [][]uint64   // of each rank, RecordWords words, which are 0
	Lists   [][]uint64   // the same, ListWords words; nil: Far reduces lists
	Far     Reduction    // of MPI; nil if there is memory for lists
	Wake    func()       // wakes the first PEs of the ranks: an operation is complete
	Closed  func() error // why the memory may no longer be used
	Lost    func() error // why an operation that is not complete will never be
}

// reduction is a Reduction.
type reduction struct {
	Reducing
	records, lists places
	widens         *bool // lists are reduced elsewhere, for mailboxes to know
	result         mpi.Record
	least          []uint64
}

// places are those of all ranks.
type places struct {
	of     [][]uint64
	number uint64 // operations that were started
	seen   int    // ranks whose parts of the operation were there at the last test
}

func (p *places) at(rank int) []uint64 {
	n := len(p.of[rank]) / 2
	return p.of[rank][int(p.number&1)*n:][:n]
}

var _ [(recordWords-1)*8 - unsafe.Sizeof(mpi.Record{})]byte // it fits

// Reduction makes one.
func (r Reducing) Reduction() Reduction {
	return &reduction{Reducing: r, records: places{of: r.Records}, lists: places{of: r.Lists}, widens: new(bool),
		least: make([]uint64, 0, 64)}
}

func recordIn(place []uint64) *mpi.Record { return (*mpi.Record)(unsafe.Pointer(&place[1])) }

// Start gives the record of this rank.
func (r *reduction) Start(rec *mpi.Record) error {
	if err := r.over(); err != nil {
		return err
	}
	r.records.number++
	own := recordIn(r.records.at(r.Own))
	*own = *rec
	own.Rank = uint64(r.Own)
	r.started(&r.records)
	return nil
}

// over returns why no operation can begin.
func (r *reduction) over() error {
	if err := r.Closed(); err != nil {
		return err
	}
	return r.Lost()
}

// started lets the others know of the part of this rank. Each looks after it has given its own, so the last one finds
// them all, and wakes the others.
func (r *reduction) started(p *places) {
	transport.AtomicWord(p.at(r.Own), 0).Store(p.number)
	p.seen = 0
	if done, err := r.test(p); done && err == nil {
		r.Wake()
	}
}

// test reports whether all ranks have given their parts of an operation.
func (r *reduction) test(p *places) (bool, error) {
	if err := r.Closed(); err != nil {
		return false, err
	}
	for ; p.seen < len(p.of); p.seen++ {
		if transport.AtomicWord(p.at(p.seen), 0).Load() != p.number {
			return false, r.Lost()
		}
	}
	return true, nil
}

// Test returns the records of all ranks made one, when all have given theirs.
func (r *reduction) Test() (*mpi.Record, bool, error) {
	if done, err := r.test(&r.records); !done {
		return &r.result, false, err
	}
	r.result = *recordIn(r.records.at(0))
	for rank := 1; rank < len(r.records.of); rank++ {
		more := recordIn(r.records.at(rank))
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

// StartWords gives the list of this rank. All give as many words.
func (r *reduction) StartWords(words []uint64) error {
	if r.Far != nil {
		*r.widens = true
		return r.Far.StartWords(words)
	}
	if err := r.over(); err != nil {
		return err
	}
	r.lists.number++
	own := r.lists.at(r.Own)
	own[1] = uint64(len(words))
	copy(own[2:], words)
	r.started(&r.lists)
	return nil
}

// TestWords returns the least list, when all ranks have given theirs.
func (r *reduction) TestWords() ([]uint64, bool, error) {
	if r.Far != nil {
		words, done, err := r.Far.TestWords()
		*r.widens = !done
		return words, done, err
	}
	if done, err := r.test(&r.lists); !done {
		return nil, false, err
	}
	of := func(rank int) []uint64 { return r.lists.at(rank)[2:][:r.lists.at(rank)[1]] }
	least := of(0)
	for rank := 1; rank < len(r.lists.of); rank++ {
		if list := of(rank); slices.Compare(list, least) < 0 {
			least = list
		}
	}
	r.least = append(r.least[:0], least...)
	return r.least, true, nil
}

// Calls returns how many functions of MPI it has called.
func (r *reduction) Calls() uint64 {
	if r.Far != nil {
		return r.Far.Calls()
	}
	return 0
}

// Shared returns how many operations went through memory.
func (r *reduction) Shared() uint64 { return r.records.number + r.lists.number }

// The MPI world, and the agreement of its ranks on rings.

// nearEnv is the environment variable that turns rings off if it is "0".
const nearEnv = "ROSS_NEAR"

// MPI returns the world of MPI on the communicator with a Fortran handle, nil for all
// ranks that mpirun has started. level is the required thread level.
func MPI(level mpi.ThreadLevel, comm *int32) (World, error) {
	w, err := mpi.Start(mpi.Options{Threads: level, Comm: comm})
	if err != nil {
		return nil, err
	}
	return &overMPI{World: w}, nil
}

type overMPI struct {
	*mpi.World
	boxes    []Mailbox
	shared   *mpi.Shared // the memory of the rings; nil without rings
	rings    *Rings
	segments [][]uint64
}

// Reduction returns that of MPI, or one in the memory of the rings, if all ranks have that, which then also wakes ranks
// that sleep.
func (w *overMPI) Reduction() (Reduction, error) {
	r, err := w.World.Reduction()
	if err != nil || w.shared == nil || len(w.rings.Ranks) < w.Size() {
		return r, err
	}
	red := Reducing{Own: w.rings.Own, Far: r, Wake: w.rings.Wakes(w.segments, false), Lost: func() error { return nil },
		Closed: func() error {
			if w.shared == nil {
				return mpi.ErrClosed
			}
			return nil
		}}
	for _, segment := range w.segments {
		red.Records = append(red.Records, w.rings.records(segment))
	}
	all := red.Reduction().(*reduction)
	w.rings.Tells, w.rings.widens = true, all.widens
	return all, nil
}

func (w *overMPI) Mailboxes(n int) ([]Mailbox, error) {
	room, err := w.agree(n)
	if err != nil {
		return nil, err
	}
	carriers := make([]Carrier, n)
	for i := range carriers {
		if carriers[i], err = w.Mailbox(i); err != nil {
			return nil, err
		}
	}
	if w.rings, w.segments, err = w.share(n, room); err != nil {
		return nil, err
	}
	w.boxes = w.rings.Connect(w.Size(), carriers, w.segments)
	return w.boxes, nil
}

// Close also ends the use of shared memory.
func (w *overMPI) Close() error {
	for _, m := range w.boxes {
		Detach(m)
	}
	if w.shared != nil {
		w.shared.Free(true)
		w.shared = nil
	}
	return w.World.Close()
}

// least sets each value to the least of all ranks.
func (w *overMPI) least(values ...*int64) error {
	all := make([]int64, len(values))
	for i, v := range values {
		all[i] = *v
	}
	if err := w.AllReduceInt64(mpi.Min, all); err != nil {
		return err
	}
	for i, v := range values {
		*v = all[i]
	}
	return nil
}

// agree returns how many bytes the rings of a machine may take, 0 if a rank refuses rings.
func (w *overMPI) agree(n int) (room int64, err error) {
	if os.Getenv(nearEnv) != "0" && w.Size() > 1 {
		// MPI itself uses /dev/shm as well.
		room = min(mostBytes, int64(min(mem.Available(), 1<<62)/onePart), mpi.SharedRoom()/2)
	}
	least, most := int64(n), -int64(n)
	if err := w.least(&room, &least, &most); err != nil {
		return 0, err
	}
	if least != -most {
		return 0, fmt.Errorf("ross: make mailboxes: ranks have %d to %d, rank %d has %d: use as many PEs in each", least,
			-most, w.Rank(), n)
	}
	return room, nil
}

// share makes the rings. Both results are nil if there are none, which is not an error.
func (w *overMPI) share(n int, room int64) (*Rings, [][]uint64, error) {
	if room == 0 {
		return nil, nil, nil
	}
	s, err := w.Share()
	found, ranks := int64(1), int64(0)
	if err != nil {
		found = 0
	} else {
		of, _ := s.Ranks()
		ranks = -int64(len(of))
	}
	if err := w.least(&found, &ranks); err != nil {
		return nil, nil, err
	}
	if words := RingWords(int(-ranks), n, room); found != 0 && ranks < -1 && words > 0 {
		return w.allocate(s, n, words)
	}
	if s != nil {
		s.Free(true)
	}
	return nil, nil, nil
}

// allocate makes the memory of the rings, if all ranks can. When the second call of least
// has returned, every rank has prepared its segment, and all see what it wrote: a message
// through MPI is ordered after the sender's earlier writes.
func (w *overMPI) allocate(s *mpi.Shared, n, words int) (*Rings, [][]uint64, error) {
	ranks, own := s.Ranks()
	r := &Rings{Ranks: ranks, Own: own, Mailboxes: n, Words: words}
	have, good := int64(1), int64(1)
	if len(ranks) > 1 && !s.Allocate(r.SegmentWords()) {
		have = 0
	}
	if err := w.least(&have); err != nil {
		return nil, nil, err
	}
	var segments [][]uint64
	if have == 1 && len(ranks) > 1 {
		for i := range ranks {
			segments = append(segments, s.Segment(i))
		}
		if touched(func() { r.Prepare(segments[own]) }) != nil {
			good = 0
		}
	}
	err := w.least(&good)
	if err != nil || have == 0 || good == 0 {
		s.Free(err == nil && have == 1)
		return nil, nil, err
	}
	w.shared = s
	return r, segments, nil
}

// touched returns an error if the first touch of memory fails: a file system may promise
// more than it has, and reports it with a SIGBUS.
func touched(touch func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errors.New("ross: share memory: there is less than the system promised")
		}
	}()
	touch()
	return nil
}
