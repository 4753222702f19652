// This file owns the session: the processes that take part, what each of them shows the others of its state, how one
// waits for another, and what all learn when one is gone.

package launch

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/sys/mem"
)

// memory is what the processes share. Places in it are bytes from its beginning, multiples of grain.
type memory interface {
	grow(bytes int64) error                     // makes it larger; it is zero at first
	part(at int64, words int) ([]uint64, error) // shows a part, at another address in each process
	provide(at int64, words int) error          // sees that there is memory for a part before it is touched
	drop(part []uint64)                         // ends the use of a part in this process
	free(at int64, words int)                   // gives the memory of a part back
}

// grain is a multiple of the size of pages on all machines.
const grain = 64 << 10

// The memory begins with lines of words, each in its own cache lines: what identifies it, the loss, who tells of it,
// and one for each rank.
const (
	lineWords = 128 / 8
	lossLine  = 1
	tellLine  = 2
	rankLines = 3

	// magic changes with the layout, so that a program does not misunderstand one of another version.
	magic = 0x524f5353_00000002

	// Words of a rank's line.
	opened = 0 // worlds that it has opened, or is about to
	closed = 2 // worlds that it has closed
	ended  = 3 // how its process has ended, as a loss; 0 if it has not; rank 0 writes it
	bell   = 4 // changes when something has changed for the rank
	asleep = 5 // goroutines of it that sleep until then
	placed = 6 // and 7, of rank 0: place of the last of them with an even number, and with an odd one
)

// grace is how long a process that cannot go on may take to end by itself. Tests make it shorter.
var grace = 5 * time.Second

// session is the processes, as seen by one of them.
type session struct {
	rank, size int
	mem        memory
	head       []uint64
	opening    sync.Mutex
	allocating sync.Mutex
	end        int64 // of what rank 0 has given out
	children   []*os.Process
	keep       []*os.File // open as long as the process lives
	quit       func()     // ends the process; nil if nobody has started it as a rank
	excused    atomic.Bool
	doomed     sync.Once
	worlds     sync.Map // those that this process has open, as keys
}

func headWords(size int) int { return roundUp((rankLines+size)*lineWords, grain/8) }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

func (s *session) word(line, i int) *atomic.Uint64 {
	return transport.AtomicWord(s.head, line*lineWords+i)
}

func (s *session) of(rank, i int) *atomic.Uint64 { return s.word(rankLines+rank, i) }

// allocate gives out memory. Only rank 0 calls it, and tells the others where it is.
func (s *session) allocate(words int) (at int64, err error) {
	s.allocating.Lock()
	defer s.allocating.Unlock()
	at = s.end
	end := at + int64(roundUp(words*8, grain))
	if err := s.mem.grow(end); err != nil {
		return 0, fmt.Errorf("ross: ranks: share %d bytes: %w: use fewer ranks", end, err)
	}
	s.end = end
	return at, nil
}

// ring lets a rank know that something has changed for it: the change comes first. A rank that waits counts itself,
// reads the bell, and looks again before it sleeps. So either it sees the change, or the bell is not as it was, or
// ring finds it counted.
func (s *session) ring(rank int) {
	b := s.of(rank, bell)
	b.Add(1)
	if s.of(rank, asleep).Load() != 0 {
		mem.Rouse(lowHalf(b))
	}
}

func (s *session) ringAll() {
	for rank := range s.size {
		s.ring(rank)
	}
}

// lowHalf returns the part of a word that changes when 1 is added. Processors that this runs on have it first.
func lowHalf(w *atomic.Uint64) *uint32 { return (*uint32)(unsafe.Pointer(w)) }

// looks is how often a rank looks before it sleeps.
const looks = 64

// await returns when ready is true, or an error if a rank is lost that it may be waiting for.
func (s *session) await(ready func() bool) error { return s.awaitUntil(ready, s.lost) }

// awaitUntil is await with what ends it otherwise.
func (s *session) awaitUntil(ready func() bool, over func() error) error {
	b, sleepers := s.of(s.rank, bell), s.of(s.rank, asleep)
	for i := 0; ; i++ {
		if ready() {
			return nil
		}
		if err := over(); err != nil {
			if ready() { // it came before
				return nil
			}
			return err
		}
		if i < looks {
			runtime.Gosched()
			continue
		}
		sleepers.Add(1)
		seen := uint32(b.Load())
		if !ready() && over() == nil {
			mem.SleepOn(lowHalf(b), seen, time.Second)
		}
		sleepers.Add(^uint64(0))
	}
}

// Ways in which a rank is lost.
const (
	exits    = iota + 1 // its process has ended with a status
	dies                // a signal has ended its process
	givesUp             // it has called Abort
	vanishes            // it was the first, and nobody knows how its process has ended
)

// Loss is the error of every rank when one of them is gone, or has ended the run for all.
type Loss struct {
	Rank   int // that is gone
	Status int // exit status or number of the signal of its process, or code of Abort
	how    int
	s      *session
}

// Code returns the exit status of a program that ends with it, not 0.
func (l *Loss) Code() int {
	switch {
	case l.how == dies:
		return 128 + l.Status
	case l.Status > 0 && l.Status < 256:
		return l.Status
	}
	return 1
}

// word returns a loss as a word, which is not 0.
func (l *Loss) word() uint64 {
	return uint64(l.how)<<56 | uint64(uint32(l.Rank))<<16 | uint64(uint16(l.Status))
}

func (s *session) decoded(word uint64) *Loss {
	return &Loss{Rank: int(word >> 16 & (1<<32 - 1)), Status: int(uint16(word)), how: int(word >> 56), s: s}
}

// Error says which rank is gone, and how.
func (l *Loss) Error() string {
	switch l.how {
	case exits:
		if l.Status == 0 {
			return fmt.Sprintf(
				"ross: ranks: rank %d has ended, with exit status 0, while others wait for it: let all ranks make the same calls",
				l.Rank)
		}
		return fmt.Sprintf("ross: ranks: rank %d has ended with exit status %d: see what it has printed", l.Rank, l.Status)
	case dies:
		return fmt.Sprintf(
			"ross: ranks: rank %d has been ended by signal %d (%v): if nobody has sent it, memory may be short: see the log of the system",
			l.Rank, l.Status, syscall.Signal(l.Status))
	case vanishes:
		return fmt.Sprintf(
			"ross: ranks: rank %d, which has started the others, is gone: its exit status is that of the command", l.Rank)
	}
	return fmt.Sprintf("ross: ranks: rank %d has ended the run: see what it has printed", l.Rank)
}

// Tells reports whether this rank prints the error: one of those that are left does, rank 0 if it is.
func (l *Loss) Tells() bool {
	switch s := l.s; {
	case l.how == givesUp: // for a reason that it tells
		return false
	case l.how != vanishes:
		return s.rank == 0
	default:
		teller, own := s.word(tellLine, 0), uint64(s.rank+1)
		return teller.CompareAndSwap(0, own) || teller.Load() == own
	}
}

// lost returns the first loss, nil if there is none.
func (s *session) lost() error {
	if word := s.word(lossLine, 0).Load(); word != 0 {
		return s.decoded(word)
	}
	return nil
}

// lose lets all know of a loss, unless there was one before.
func (s *session) lose(l Loss) {
	s.word(lossLine, 0).CompareAndSwap(0, l.word())
	s.doom()
	s.ringAll()
	s.worlds.Range(func(w, _ any) bool {
		w.(*World).rouseAll()
		return true
	})
}

// doom sees that no process outlives a loss for long: its run may be in an event that never ends.
func (s *session) doom() {
	s.doomed.Do(func() {
		time.AfterFunc(grace, func() {
			for _, p := range s.children {
				_ = p.Kill() // an error if it has ended
			}
			if s.quit != nil && (s.inWorld() || s.of(s.rank, opened).Load() == 0) {
				s.quit()
			}
		})
	})
}

// inWorld reports whether this process has a world that it has not closed.
func (s *session) inWorld() bool {
	return s.of(s.rank, opened).Load() != s.of(s.rank, closed).Load()
}

// hasEnded is called on rank 0 when the process of another rank has ended. That is a loss if the rank still had a
// world.
func (s *session) hasEnded(rank int, how, status int) {
	l := Loss{Rank: rank, how: how, Status: status}
	s.of(rank, ended).Store(l.word())
	if s.of(rank, opened).Load() != s.of(rank, closed).Load() {
		s.lose(l)
	}
	s.ring(0)
}

// awaitOthers is called on rank 0 when it has no world any more. It returns when each of the others has ended, or waits
// for another world, and returns an error if one has ended badly, and nobody has said so.
func (s *session) awaitOthers() error {
	if s.lost() != nil {
		s.doom()
	}
	worlds := s.of(0, opened).Load()
	never := func() error { return nil }
	var bad error
	for rank := 1; rank < s.size; rank++ {
		end := s.of(rank, ended)
		_ = s.awaitUntil(func() bool {
			return end.Load() != 0 || s.of(rank, opened).Load() > worlds && s.lost() == nil
		}, never)
		if l := s.decoded(end.Load()); bad == nil && l.how != 0 && (l.how != exits || l.Status != 0) {
			bad = l
		}
	}
	if s.excused.Load() || s.lost() != nil {
		return nil
	}
	return bad
}

// open opens the next world of all ranks, which all do in the same order.
func (s *session) open() (*World, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	w := &World{s: s, number: s.of(s.rank, opened).Load() + 1}
	words := baseWords(s.size)
	if s.rank == 0 {
		at, err := s.allocate(words)
		if err != nil {
			s.lose(Loss{Rank: 0, how: givesUp, Status: 1})
			return nil, err
		}
		s.placeOf(w.number).Store(uint64(at))
	}
	s.of(s.rank, opened).Store(w.number)
	s.ringAll()
	if err := s.await(func() bool { return s.allHere(w.number) }); err != nil {
		s.of(s.rank, closed).Add(1)
		return nil, err
	}
	at := int64(s.placeOf(w.number).Load())
	base, err := s.mem.part(at, words)
	if err != nil {
		s.of(s.rank, closed).Add(1)
		s.lose(Loss{Rank: s.rank, how: givesUp, Status: 1})
		return nil, fmt.Errorf("ross: ranks: map memory of %d bytes: %w: use fewer ranks", 8*words, err)
	}
	w.keep(at, base)
	w.connect(base)
	s.worlds.Store(w, nil)
	return w, nil
}

// placeOf returns where rank 0 says the place of a world. It may be one world ahead of the others: it waits in each
// until all have opened that, and so have found the one before.
func (s *session) placeOf(world uint64) *atomic.Uint64 { return s.of(0, placed+int(world%2)) }

// allHere reports whether a world is open on all ranks, for rank 0, or has been opened by rank 0, for the others. A
// rank whose process has ended does not come any more.
func (s *session) allHere(world uint64) bool {
	if s.rank > 0 {
		return s.of(0, opened).Load() >= world
	}
	for rank := 1; rank < s.size; rank++ {
		if s.of(rank, opened).Load() >= world {
			continue
		}
		if end := s.of(rank, ended).Load(); end != 0 {
			s.lose(*s.decoded(end))
		}
		return false
	}
	return true
}

// process is the session of this process, if there is one.
var process struct {
	sync.Mutex
	s *session
}

// Rank returns the number of this process among those of its session, 0 if it is the first or the only one.
func Rank() int { return inherited.rank }

// Size returns the number of processes of the session, 1 if there is none.
func Size() int {
	process.Lock()
	defer process.Unlock()
	switch {
	case process.s != nil:
		return process.s.size
	case inherited.size > 0:
		return inherited.size
	}
	return 1
}

// Connect opens the next world of all ranks. The first call in the first process starts the others, which run the
// same program with the same arguments until they call it as well. All ranks call it as often, with the same size, 2
// or more. On systems other than Linux on amd64 and arm64 it returns errors.ErrUnsupported.
func Connect(size int) (*World, error) {
	s, err := sessionOf(size)
	if err != nil {
		return nil, err
	}
	return s.open()
}

func sessionOf(size int) (*session, error) {
	process.Lock()
	defer process.Unlock()
	if process.s == nil {
		s, err := begin(size)
		if err != nil {
			return nil, err
		}
		process.s = s
	}
	if s := process.s; size != s.size {
		return nil,
			fmt.Errorf(
				"ross: ranks: this process is one of %d already, and cannot be one of %d: give all runs of a program the same number of ranks", s.size, size)
	}
	return process.s, nil
}
