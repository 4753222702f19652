// The form of LPs in a checkpoint: the state without its blocks and slices, their contents,
// and the book, which is outside the state.

package main

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// stored adds to a type the functions that store its states. plain returns a copy of the
// state without its references, words returns what they refer to, and restore rebuilds it.
func stored[S, M any](md *model, t ross.Type[S, M], plain func(S) S, words func(*S, *ross.LP) []uint32, restore func(*S, *ross.LP, []uint32)) ross.LPType {
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
		md.books[lp.ID()] = book{core: head.core, last: head.last, sum: head.sum, code: int(head.code), slept: head.slept, held: held}
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
func storedWhole[S, M any](md *model, t ross.Type[S, M]) ross.LPType {
	return stored(md, t, func(s S) S { return s }, func(*S, *ross.LP) []uint32 { return nil }, func(*S, *ross.LP, []uint32) {})
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
