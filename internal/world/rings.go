// This file owns Rings: where the rings of a machine lie in the memory of its ranks.

package world

import "github.com/ross-go/ross/internal/transport"

// Rings describes those of a machine. All its ranks have the same but for Own.
//
// A rank's segment has a block for each of its mailboxes, which reads what is in it:
//
//	bells      a word for 64 rings, each in lines of its own
//	meetings   StreamControl words of each ring
//	rings      Words words of each, from a page on
//
// Rings of a block are in the order of the rank that writes, then of its mailbox.
type Rings struct {
	Ranks     []int // of the machine, ascending
	Own       int   // which of them this one is
	Mailboxes int   // of each rank
	Words     int   // of a ring: a power of two, transport.LeastStream at least
}

const (
	lineWords = 128 / 8  // processors fetch lines in pairs
	pageWords = 4096 / 8 // so that rings of different readers are in memory near them

	// fewRings are looked at one by one: the bell would be one more line to fetch for each message.
	fewRings = 8
)

// Ring room. A message of the engine has 1 to 3 KiB, and packs up to 16 KiB where there is much to send.
const (
	// mostRing, words: 64 KiB, some twenty messages. More would not be
	// used, since a receiver looks often, and leave the cache. A quarter, which Room asks
	// for, is the longest of the engine's.
	mostRing = 64 << 10 / 8
	// leastRing, words: 4 KiB. With less most messages would go by MPI after all.
	leastRing = 4 << 10 / 8
	// mostBytes is what all rings of a machine take at most, and onePart of its
	// memory: they grow with the square of the number of PEs, are touched by all of them, and
	// nobody has asked for them. It lets 128 PEs have 16 KiB for each pair.
	mostBytes = 256 << 20
	onePart   = 16
)

// ringWords returns how many words rings have on a machine of so many ranks, where there
// are so many bytes for all of them, and 0 if that is not worth it.
func ringWords(ranks, mailboxes int, bytes int64) int {
	for words := mostRing; words >= leastRing; words /= 2 {
		r := Rings{Ranks: make([]int, ranks), Mailboxes: mailboxes, Words: words}
		if int64(ranks)*int64(r.SegmentWords())*8 <= bytes {
			return words
		}
	}
	return 0
}

// in returns how many rings end at a mailbox.
func (r *Rings) in() int { return (len(r.Ranks) - 1) * r.Mailboxes }

func (r *Rings) bells() int { return (r.in() + 63) / 64 }

// rings returns where they begin in a block.
func (r *Rings) rings() int {
	return roundUp(r.bells()*lineWords+r.in()*transport.StreamControl, pageWords)
}

func (r *Rings) block() int { return roundUp(r.rings()+r.in()*r.Words, pageWords) }

// SegmentWords returns the length of each rank's segment.
func (r *Rings) SegmentWords() int { return r.Mailboxes * r.block() }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Prepare makes the segment of this rank what it has to be before Connect in any rank.
// It touches all of it.
func (r *Rings) Prepare(segment []uint64) { clear(segment) }

// place returns where a rank comes among the others of another one's machine, by
// their places on it.
func place(of, seenBy int) int {
	if of < seenBy {
		return of
	}
	return of - 1
}

// ring returns the memory of ring i of the block of a mailbox, in the segment of its rank.
func (r *Rings) ring(segment []uint64, mailbox, i int) (control, ring []uint64) {
	block := segment[mailbox*r.block():]
	return block[r.bells()*lineWords+i*transport.StreamControl:][:transport.StreamControl], block[r.rings()+i*r.Words:][:r.Words]
}

// bell returns the bell for ring i of the block of a mailbox, and its bit; nil if there are
// few rings.
func (r *Rings) bell(segment []uint64, mailbox, i int) bell {
	if r.in() <= fewRings {
		return bell{}
	}
	return bell{word: transport.AtomicWord(segment, mailbox*r.block()+i/64*lineWords), bit: 1 << (i % 64)}
}
