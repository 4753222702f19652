// This file owns history: the processed events of a KP, with what it takes to
// undo each of them.

package ross

import (
	"unsafe"

	"github.com/ross-go/ross/rng"
)

// history is the list of a KP's processed events that are not yet committed, and
// the log by which they are undone. Each event is a group of words: a header
// with the time and the random streams of its LP as they were before it, then
// what its handler did, a record for each send, saved field, allocation and so on, in the order in which
// it happened. A rollback pops records from the new end, so that all is undone
// in the opposite order; fossil collection advances the old end.
//
//	words: | header | record | record | header | record | ... |
//	         tail                       last                   head
//
// Everything that rollback needs is written one after the other, in memory that
// fossil collection keeps small enough for the cache. That is why there is no
// second line for each event, as other engines have it.
type history struct {
	buf              []uint64
	tail, last, head int
	lent             int // words of buf that are beyond the memory of the run
}

// group is the header of an event in a history: what an LP is before the event.
type group struct {
	event uint32 // its index
	back  uint32 // words from the header before this one
	size  uint32 // words of the whole group, once the handler has returned
	flags uint32
	rng   rng.CLCG4
	core  rng.CLCG4
	now   float64 // the LP's time, which is that of an event that may be committed long since
}

const groupWords = int(unsafe.Sizeof(group{}) / 8)

// Flags of a group.
const (
	groupIdle = 1 << iota // the LP was suspended: no handler ran
	groupWork             // a record has something to do at commit
	groupKeep             // the LP suspended itself and does not want Reverse
)

// A record ends with a word whose top byte is its tag; what it means by the
// other bits is said here. What is before that word belongs to it.
const (
	tagChild    = iota + 1 // an event was sent to this PE: its index
	tagRemote              // an event was sent to another PE: its index there, and that PE << 32
	tagStream              // streams of the LP as they were; the low bits are their number
	tagSave                // bytes as they were: words, address; the low bits are their number
	tagDelta               // delta of the state: words; the low bits are its bytes
	tagMessage             // delta of the message, likewise
	tagBlock               // delta of the state in a block: address; the low bits are its bytes
	tagMsgBlock            // delta of the message in a block, likewise
	tagAlloc               // memory was taken: address; the low bits are its bytes
	tagFree                // memory was given back, likewise
	tagSuspend             // the LP suspended itself
	tagHook                // the model called the GVT hook
	tagNote                // a text to be printed, or an error: the newest of the KP's notes
	tagBeyond              // an event was sent past the end of the run: its delayKind
)

const tagShift = 56

// payloadOf returns what a record's last word says beside its tag.
func payloadOf(word uint64) uint64 { return word & (1<<tagShift - 1) }

// empty reports whether there is nothing to undo.
func (h *history) empty() bool { return h.tail == h.head }

// at returns the group that begins at a word.
func (h *history) at(i int) *group { return (*group)(unsafe.Pointer(&h.buf[i])) }

// push appends a word. The caller has seen to the room.
func (h *history) push(word uint64) {
	h.buf[h.head] = word
	h.head++
}

// pop removes the newest word.
func (h *history) pop() uint64 {
	h.head--
	return h.buf[h.head]
}

// firstWords is how large a history is at first, words: 512, or less where pieces
// of memory are smaller, since each KP has one.
func (pe *PE) firstWords() int { return int(pe.budget.Piece) / 128 }

// room makes room for n more words: in front, if fossil collection left enough
// there to be worth it, or in memory twice as large. It reports whether there is
// memory.
func (kp *KP) room(n int) bool {
	h := &kp.hist
	live := h.head - h.tail
	if h.head+n <= len(h.buf) {
		return true
	}
	to := h.buf
	if live+n > len(h.buf)/2 {
		size := max(2*len(h.buf), kp.pe.firstWords())
		for size < live+n {
			size *= 2
		}
		if kp.pe.budget.Charge(uint64(size-len(h.buf)+h.lent)*8) != nil {
			if live+n > len(h.buf) {
				return false
			}
		} else {
			to, h.lent = make([]uint64, size), 0 // what was lent is paid for
		}
	}
	kp.move(to)
	return true
}

// move moves what there is to undo to the front of a buffer.
func (kp *KP) move(to []uint64) {
	h := &kp.hist
	live := copy(to, h.buf[h.tail:h.head])
	h.buf = to
	if h.last -= h.tail; live == 0 {
		h.last = 0
	}
	h.head, h.tail = live, 0
	kp.pe.counts.Moved += uint64(live)
}

// grow makes room for n words of what the running event has to undo. It always
// does, since the handler goes on: if there is no memory, in some that is lent
// until the event has been taken back, or, if it must be kept, committed.
func (kp *KP) grow(n int) *history {
	h := &kp.hist
	if h.head+n <= len(h.buf) || kp.room(n) {
		return h
	}
	if pe := kp.pe; !pe.mustKeep() {
		pe.aborted, pe.after, pe.lack = true, true, ErrMemory
	}
	kp.lend(n)
	return h
}

// lend makes room for n words in memory beyond that of the run: for some more, and half of
// what there is, so that a handler which does much has its history moved seldom.
func (kp *KP) lend(n int) {
	h := &kp.hist
	more := max(n+kp.pe.firstWords(), len(h.buf)/2)
	kp.move(make([]uint64, len(h.buf)+more))
	h.lent += more
}

// repay gives back what was lent, if there is room for the events that are left
// without it.
func (kp *KP) repay() {
	h := &kp.hist
	if own := len(h.buf) - h.lent; h.lent > 0 && h.head-h.tail <= own {
		kp.move(make([]uint64, own))
		h.lent = 0
	}
}
