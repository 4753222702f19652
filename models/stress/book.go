// This file owns the record of what was committed, kept outside the states: Commit writes it, event by event,
// and Final compares it with the state that is left after all rollbacks. It owns the form of LPs in a
// checkpoint, too.

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

var (
	errOrder = errors.New("stress: committed events of an LP are out of order")
	errBody  = errors.New("stress: a message is not what was sent")
	errState = errors.New("stress: the state is not that of the committed events")
)

// book records an LP's committed events. Only Commit writes to it.
type book struct {
	core
	last  float64  // time of the newest
	sum   uint64   // of the words, times how often the LP added them up
	held  []uint32 // words that the LP keeps
	slept bool     // the LP suspended itself
	code  int
}

// bits that events leave for Reverse and Commit.
const (
	bitOdd    = 0
	bitPush   = 1
	bitPop    = 2
	bitAsleep = 3  // the LP suspended itself
	bitIdle   = 4  // and did nothing else
	bitSent   = 16 // from here on: how many events were sent
)

// enter commits an event. It returns the LP's book and the word that the message
// had; ok is false if there is no more to do.
func (md *model) enter(lp *ross.LP, bits *ross.Bits, m *head) (b *book, word uint32, ok bool) {
	b = &md.books[lp.ID()]
	if now := lp.Now(); now < b.last {
		lp.Fail(fmt.Errorf("%w: time %g after %g", errOrder, now, b.last))
	} else {
		b.last = now
	}
	if b.slept {
		lp.Fail(fmt.Errorf("%w: an event after the LP suspended itself", errOrder))
	}
	if bits.Get(bitAsleep) {
		b.slept, b.code = true, sleepCode(lp)
	}
	if bits.Get(bitIdle) {
		return b, 0, false
	}
	word = m.Word - uint32(b.Handled)
	b.Hash = b.Hash*factor + uint64(word)
	b.Handled++
	b.sum += uint64(word)
	return b, word, true
}

// audit compares a state with the book: its core, the sum of its words, and what
// it keeps.
func (md *model) audit(lp *ross.LP, c *core, sum uint64, held []uint32) {
	b := &md.books[lp.ID()]
	code, slept := lp.Suspended()
	switch {
	case *c != b.core:
		md.differ(lp, "events and their hash", *c, b.core)
	case sum != b.sum:
		md.differ(lp, "sum of words", sum, b.sum)
	case slept != b.slept || code != b.code:
		md.differ(lp, "suspension", fmt.Sprint(slept, code), fmt.Sprint(b.slept, b.code))
	case len(held) != len(b.held):
		md.differ(lp, "number of words kept", len(held), len(b.held))
	default:
		for i, w := range held {
			if w != b.held[i] {
				md.differ(lp, fmt.Sprintf("word %d kept", i), w, b.held[i])
				return
			}
		}
	}
}

func (md *model) differ(lp *ross.LP, what string, got, want any) {
	lp.Fail(fmt.Errorf("%w: %s: %v, not %v", errState, what, got, want))
}

// checkBody is for handlers, before they write to a message.
func checkBody(lp *ross.LP, body []uint64, word uint32) {
	if !isFilled(body, word) {
		lp.Fail(fmt.Errorf("%w: its body of %d words does not follow from its first", errBody, len(body)))
	}
}

func sum(words []uint64) (s uint64) {
	for _, w := range words {
		s += w
	}
	return s
}

// The form of LPs in a checkpoint: the state without its blocks and slices, their contents,
// and the book, which is outside the state.

// stored adds to a type the functions that store its states. plain returns a copy of the
// state without its references, words returns what they refer to, and restore rebuilds it.
func stored[S any](md *model, t ross.Type[S], plain func(S) S, words func(*S, *ross.LP) []uint32,
	restore func(*S, *ross.LP, []uint32)) ross.LPType {
	t.SerializedSize = func(s *S, lp *ross.LP) int {
		return int(unsafe.Sizeof(*s)+unsafe.Sizeof(bookHead{})) + 8 + 4*len(md.books[lp.ID()].held) + 4*len(words(s, lp))
	}
	t.Serialize = func(s *S, lp *ross.LP, buf []byte) {
		b := &md.books[lp.ID()]
		bare := plain(*s)
		head := bookHead{b.core, b.last, b.sum, uint64(b.code), b.slept}
		buf = buf[copy(buf, bytesOf(&bare)):]
		buf = buf[copy(buf, bytesOf(&head)):]
		for _, list := range [][]uint32{b.held, words(s, lp)} {
			binary.LittleEndian.PutUint32(buf, uint32(len(list)))
			buf = buf[4:]
			for _, w := range list {
				binary.LittleEndian.PutUint32(buf, w)
				buf = buf[4:]
			}
		}
	}
	t.Deserialize = func(s *S, lp *ross.LP, buf []byte) error {
		var head bookHead
		if len(buf) < int(unsafe.Sizeof(*s)+unsafe.Sizeof(head)) {
			return errShort
		}
		buf = buf[copy(bytesOf(s), buf):]
		buf = buf[copy(bytesOf(&head), buf):]
		held, buf, err := list(buf)
		if err != nil {
			return err
		}
		kept, _, err := list(buf)
		if err != nil {
			return err
		}
		md.books[lp.ID()] = book{core: head.core, last: head.last, sum: head.sum, code: int(head.code), slept: head.slept,
			held: held}
		restore(s, lp, kept)
		return nil
	}
	return t
}

var errShort = errors.New("stress: a stored state is truncated")

// bookHead is a book without what the LP keeps.
type bookHead struct {
	core
	last      float64
	sum, code uint64
	slept     bool
}

// list reads a list of words, and returns what follows it.
func list(buf []byte) (all []uint32, rest []byte, err error) {
	if len(buf) < 4 {
		return nil, nil, errShort
	}
	n := int(binary.LittleEndian.Uint32(buf))
	if buf = buf[4:]; n > len(buf)/4 {
		return nil, nil, errShort
	}
	for range n {
		all = append(all, binary.LittleEndian.Uint32(buf))
		buf = buf[4:]
	}
	return all, buf, nil
}

// bytesOf returns the bytes of a value without pointers.
func bytesOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }

// storedWhole is stored for states without references.
func storedWhole[S any](md *model, t ross.Type[S]) ross.LPType {
	return stored(md, t, func(s S) S { return s }, func(*S, *ross.LP) []uint32 { return nil },
		func(*S, *ross.LP, []uint32) {})
}

func plainLog(s logState) logState {
	s.Words = container.Queue[uint32]{}
	return s
}

func logWords(s *logState, lp *ross.LP) (words []uint32) {
	for _, w := range s.Words.All(lp) {
		words = append(words, w)
	}
	return words
}

func restoreLog(s *logState, lp *ross.LP, words []uint32) {
	for _, w := range words {
		s.Words.Push(lp, w)
	}
}

func plainHeap(s heapState) heapState {
	s.Heap = ross.Block[uint32]{}
	return s
}

// heapWords returns the whole block, because its size determines when it grows.
func heapWords(s *heapState, lp *ross.LP) []uint32 { return s.Heap.Of(lp) }

func restoreHeap(s *heapState, lp *ross.LP, words []uint32) {
	s.Heap = ross.Alloc[uint32](lp, len(words))
	copy(s.Heap.Of(lp), words)
}

func plainList(s listState) listState { return listState{core: s.core} }

func listWords(s *listState, lp *ross.LP) []uint32 { return s.words(lp) }

func restoreList(s *listState, lp *ross.LP, words []uint32) {
	for _, w := range words {
		s.push(lp, w)
	}
}

func plainNever(s neverState) neverState { return neverState{core: s.core} }

func neverWords(s *neverState, _ *ross.LP) []uint32 { return s.words }

func restoreNever(s *neverState, _ *ross.LP, words []uint32) { s.words = words }
