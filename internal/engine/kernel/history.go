// This file owns history: the processed events of a KP, with what is needed to undo them.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// History is the list of a KP's processed events that are not yet committed, and the log by
// which they are undone. Each event is a group of words: a header with the LP's time and
// random streams from before the event, then a record for each thing that its handler did,
// such as a send, a saved field or an allocation, in order. Of a stream the header has only the
// number of draws: an event that is undone draws backwards, which costs it some 10 ns a draw, and
// all others have headers of 32 bytes instead of 72. A rollback pops records from
// the new end, and so undoes them in the opposite order; fossil collection advances the old
// end.
//
//	words: | header | record | record | header | record | ... |
//	         Tail                       Last                   Head
//
// All that rollback needs is written sequentially, to memory that fossil collection keeps
// small enough for the cache. Events therefore need no second cache line for it, as they do
// in other engines.
type History struct {
	Buf              []uint64 // the words
	Tail, Last, Head int      // indices in Buf, see above
	Lent             int      // words of Buf that are beyond the memory of the run
	Saved            uint64   // bytes of states, messages and blocks saved so far, with what says where they belong
}

// group is the header of an event in a history: the state of the engine's part of the LP
// before the event.
type group struct {
	Event uint32  // its index in the arena
	Back  uint32  // words from the previous header to this one
	Size  uint32  // words of the whole group, set when the handler has returned
	Flags uint32  // GroupIdle and so on, and above them where the first recording is
	Draws uint32  // Count of the LP's first random stream
	Ties  uint32  // Count of the LP's stream of tie-breakers
	Now   float64 // the LP's time
}

// GroupWords is the size of a group's header, in words.
const GroupWords = int(unsafe.Sizeof(group{}) / 8)

// Flags of a group.
const (
	GroupIdle     = 1 << iota // no handler ran: the LP was suspended
	GroupWork                 // a record has something to do at commit
	GroupKeep                 // the LP suspended itself, and Reverse is not to be called
	GroupVoid                 // with GroupIdle: no LP suspended, the event has lapsed or found no memory
	GroupUnlinked             // recordings are too far apart to be linked
	GroupLapsed               // with GroupVoid: the event's timer was cancelled

	GroupSpecial = 1<<groupRecordsShift - 1 // any of these, or of those to come
)

// Empty reports whether there is nothing to undo.
func (h *History) Empty() bool { return h.Tail == h.Head }

// At returns the group whose header begins at word i of Buf.
func (h *History) At(i int) *group { return (*group)(unsafe.Pointer(&h.Buf[i])) }

// There is At for the hot loops, where it is known that the history has the group, or room for it.
func (h *History) There(i int) *group {
	if invariants.Enabled {
		return h.At(i)
	}
	return (*group)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(h.Buf)), i*8))
}

// Push appends a word. The caller has made room for it.
func (h *History) Push(word uint64) {
	h.Buf[h.Head] = word
	h.Head++
}

// Pop removes the newest word.
func (h *History) Pop() uint64 {
	h.Head--
	return h.Buf[h.Head]
}

// firstWords is the initial size of a history: 512 words, or less if pieces of memory are
// smaller, because each KP has one.
func (pe *PE) firstWords() int { return int(pe.Budget.Piece) / 128 }

// Room makes room for n more words, either at the front, if fossil collection has left
// enough there, or in a buffer at least twice as large. It reports whether there is memory.
func (kp *KP) Room(n int) bool {
	h := &kp.History
	live := h.Head - h.Tail
	if h.Head+n <= len(h.Buf) {
		return true
	}
	to := h.Buf
	if live+n > len(h.Buf)/2 {
		size := max(2*len(h.Buf), kp.PE.firstWords())
		for size < live+n {
			size *= 2
		}
		if kp.PE.Budget.Charge(uint64(size-len(h.Buf)+h.Lent)*8) != nil {
			if live+n > len(h.Buf) {
				return false
			}
		} else {
			to, h.Lent = make([]uint64, size), 0 // loans are paid for, too
		}
	}
	kp.move(to)
	return true
}

// move moves the groups of a history to the front of a buffer.
func (kp *KP) move(to []uint64) {
	h := &kp.History
	live := copy(to, h.Buf[h.Tail:h.Head])
	h.Buf = to
	if h.Last -= h.Tail; live == 0 {
		h.Last = 0
	}
	h.Head, h.Tail = live, 0
	kp.PE.Counts.Moved += uint64(live)
}

// Grow makes room for n words that the running event adds to its history. It always
// succeeds, since the handler goes on: without memory it borrows some until the event has
// been undone, or, if the event must be kept, committed.
func (kp *KP) Grow(n int) *History {
	h := &kp.History
	if h.Head+n <= len(h.Buf) || kp.Room(n) {
		return h
	}
	if pe := kp.PE; !pe.Out.MustKeep() {
		pe.After, pe.Lack = AfterAbort, ErrMemory
	}
	kp.Lend(n)
	return h
}

// Lend makes room for n words in memory beyond that of the run. It adds at least half of
// the present size, so that a handler which does much rarely has its history moved.
func (kp *KP) Lend(n int) {
	h := &kp.History
	more := max(n+kp.PE.firstWords(), len(h.Buf)/2)
	kp.move(make([]uint64, len(h.Buf)+more))
	h.Lent += more
}

// Repay gives back borrowed memory if the remaining events have room without it.
func (kp *KP) Repay() {
	h := &kp.History
	if own := len(h.Buf) - h.Lent; h.Lent > 0 && h.Head-h.Tail <= own {
		kp.move(make([]uint64, own))
		h.Lent = 0
	}
}

// UndoBytes returns the memory that keeps what undoes events, in bytes: the histories of the KPs that the PE handles,
// and its pool, in which are also the blocks that models have.
func (pe *PE) UndoBytes() uint64 {
	sum := uint64(0)
	for _, kp := range pe.Mine {
		sum += uint64(len(kp.History.Buf)) * 8
	}
	pe.lockPool()
	if pe.Pool != nil {
		sum += pe.Pool.Bytes()
	}
	pe.unlockPool()
	return sum
}
